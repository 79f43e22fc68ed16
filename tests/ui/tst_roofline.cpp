// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the roofline, in the real window.
#include "support_window.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/document/document.hpp"
#include "ui/live/layer_keys.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class RooflineTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    XyChart* chart() { return find<XyChart>("rooflineChart"); }
    const XySeries* series(const char* key) {
        for (const XySeries& s : chart()->data().series)
            if (s.key == QLatin1String(key)) return &s;
        return nullptr;
    }
    const XyPoint* point(const QString& label, bool hollow) {
        for (const XySeries& s : chart()->data().series)
            for (const XyPoint& p : s.points)
                if (p.label == label && p.hollow == hollow) return &p;
        return nullptr;
    }
    void open_preset(const char* id) {
        window_->open_scenario_preset(QLatin1String(id));
        settle();
        open_page("roofline");
        settle();
    }
    QPoint place(const XyPoint& p) {
        for (int y = chart()->plot_rect().top(); y < chart()->plot_rect().bottom(); y += 3)
            for (int x = chart()->plot_rect().left(); x < chart()->plot_rect().right(); x += 3)
                if (chart()->point_at(QPointF(x, y)) == &p) return {x, y};
        return {};
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void operations_stand_under_the_roof_whole_and_divided() {
        open_preset("llama-3-70b-h100");
        QVERIFY(!chart()->is_empty());
        QVERIFY(series("roof") && series("reached"));
        const double top = series("roof")->points.back().y;
        QVERIFY(std::abs(top - 989.0) < 1);
        const XyPoint *whole = point(QStringLiteral("Down"), true), *device = point(QStringLiteral("Down"), false);
        QVERIFY(whole && device);
        QVERIFY(device->x < whole->x && device->y < top && whole->y < top);
        QVERIFY(device->from && *device->from == QPointF(whole->x, whole->y));
        QCOMPARE(whole->more.size(), chart()->data().more.size());
        QVERIFY(std::abs(whole->more[0] / device->more[0] - 8) < 1e-9);  // tensor degree
    }

    void a_click_selects_the_operation() {
        open_preset("llama-3-70b-h100");
        resize(1440, 900);
        settle();
        const XyPoint* p = point(QStringLiteral("Attention"), false);
        QVERIFY(p);
        const QPoint at = place(*p);
        QVERIFY(!at.isNull());
        QTest::mouseMove(chart(), at);
        QVERIFY(chart()->tooltip_text().contains(QStringLiteral("Attention")));
        QVERIFY(chart()->tooltip_text().contains(QStringLiteral("FLOP")));
        QTest::mouseClick(chart(), Qt::LeftButton, {}, at);
        QCOMPARE(chart()->selected(), p->id);
        const auto& layers = scenario().network()->layers();
        QCOMPARE(layers[static_cast<std::size_t>(position_of_key(p->id))].kind->name, std::string_view("attention"));
    }

    void is_exported_with_its_amounts() {
        open_preset("example");
        const QString csv = QString::fromUtf8(chart_csv(*chart()));
        for (const char* column : {"intensity_flop_per_byte", "attained_tflop_per_s", "flops_gflop", "traffic_mb"})
            QVERIFY2(csv.contains(QLatin1String(column)), column);
        QVERIFY(csv.contains(QStringLiteral("conv2")));
        QVERIFY(!series("memory") || !series("memory")->points.empty());
    }

    void other_methods_have_none() {
        open_preset("example");
        auto* tab = window_->findChild<BottomTabs*>()->tab(QStringLiteral("roofline"));
        QVERIFY(!tab->isHidden());
        open_page("roofline");  // folded again
        window_->open_scenario_preset(QStringLiteral("alexnet-cpu-cluster"));
        settle();
        QVERIFY(tab->isHidden() && chart()->is_empty());
    }
};

QTEST_MAIN(RooflineTest)
#include "tst_roofline.moc"
