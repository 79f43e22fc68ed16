// SPDX-License-Identifier: GPL-3.0-or-later
// The chart below the canvas: a bar for each box, linked with it both ways; or for each layer.
#include <QMenu>

#include "support_canvas.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/window/chart_mapping.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using Sizes = std::vector<std::int64_t>;

class TestCanvasChart : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    LayerTimeChart& chart() { return *find<LayerTimeChart>("layerChart"); }
    QStringList labels() {
        QStringList all;
        for (const auto& bar : chart().bars()) all << bar.label;
        return all;
    }
    int bar(const char* label) { return static_cast<int>(labels().indexOf(QLatin1String(label))); }
    void click_bar(int index) {
        QTest::mouseClick(&chart(), Qt::LeftButton, {}, chart().bar_box(index).center().toPoint());
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void a_bar_for_each_box() {
        show_canvas("inception-v3");
        QCOMPARE(chart().title(), QStringLiteral("Time per block"));
        QVERIFY(chart().bars().size() < 30);
        const int block = bar("Mixed_5b");
        QVERIFY(block >= 0);
        // The time of a block is that of its layers.
        const auto& layers = window_->result()->estimate->layers;
        const Network& network = *scenario().network();
        Seconds forward{}, communication{};
        for (const LayerEstimate& e : layers)
            if (network.layers()[std::size_t(e.position)].name.starts_with("Mixed_5b/")) {
                forward += e.forward;
                communication += e.communication;
            }
        QVERIFY(forward.value > 0);
        const TimeParts& time = chart().bars()[std::size_t(block)].time;
        QVERIFY(std::abs(time.forward.value - forward.value) <= 1e-12 * forward.value);
        QVERIFY(std::abs(time.communication.value - communication.value) <= 1e-12 * communication.value + 1e-18);
        // All boxes together are all layers.
        Seconds boxes{}, all{};
        for (const auto& b : chart().bars()) boxes += b.time.total();
        for (const LayerTime& l : chart().data().layers) all += l.time.total();
        QVERIFY(std::abs(boxes.value - all.value) <= 1e-9 * all.value);
        // Unfolded, its layers have bars.
        view().toggle("Mixed_5b");
        settle();
        QVERIFY(bar("Mixed_5b") < 0);
        QVERIFY(bar("branch1x1") >= 0);
        view().toggle("Mixed_5b");
        settle();
        QCOMPARE(bar("Mixed_5b"), block);
    }

    void selection_goes_both_ways() {
        show_canvas("inception-v3");
        click("Mixed_5b");
        QCOMPARE(chart().selected_box(), QStringLiteral("Mixed_5b"));
        click_bar(bar("Mixed_5c"));
        QCOMPARE(selected(), std::string("Mixed_5c"));
        QCOMPARE(chart().selected_box(), QStringLiteral("Mixed_5c"));
        // A layer that is folded away is marked in its block, and a layer of its own is a layer everywhere.
        view().toggle("Mixed_5b");
        settle();
        click_bar(bar("branch1x1"));
        QCOMPARE(selected(), std::string("Mixed_5b/branch1x1"));
        QCOMPARE(chart().selected_layer(), layer_key(0, *scenario().network()->position(selected())));
        key(Qt::Key_Escape);
        QCOMPARE(chart().selected_layer(), -1);
        QVERIFY(chart().selected_box().isEmpty());
    }

    void a_choice_that_is_remembered() {
        show_canvas("inception-v3");
        const auto boxes = chart().bars().size();
        QMenu menu;
        chart().fill_menu(menu);
        for (QAction* a : menu.actions())
            if (a->text() == QStringLiteral("One bar per box of the drawing")) a->trigger();
        QCOMPARE(chart().title(), QStringLiteral("Time per layer"));
        QVERIFY(chart().bars().size() > 3 * boxes);
        const QString file = folder_.filePath(QStringLiteral("bars.json"));
        QVERIFY(window_->save_to(file));
        open();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(!chart().by_box());
        QCOMPARE(chart().title(), QStringLiteral("Time per layer"));
        // Without the canvas it is the chart of the layers again, whatever was chosen.
        chart().set_by_box(true);
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
        QCOMPARE(chart().title(), QStringLiteral("Time per layer"));
    }

    void leaves_as_table_and_picture() {
        show_canvas("inception-v3");
        const ChartTable table = chart().table();
        QCOMPARE(table.rows.size(), chart().bars().size());
        const QString csv = QString::fromUtf8(chart_csv(chart()));
        QVERIFY2(csv.contains(QStringLiteral("block,")), qPrintable(csv.left(300)));
        QVERIFY(csv.contains(QStringLiteral("Mixed_6e,")));
        const QImage image = chart_image(chart(), {{900, 300}, 1.0, &Theme::light()});
        QCOMPARE(image.size(), QSize(900, 300));
    }

    void a_draft_shows_the_last_valid_times() {
        show_canvas("inception-v3");
        const Seconds before = chart().bars()[std::size_t(bar("Mixed_5b"))].time.total();
        set("Mixed_5b/branch_pool_avg", "stride", Sizes{2, 2});
        QVERIFY(document().draft());
        view().toggle("Mixed_5b");  // it was unfolded to show what was edited
        settle();
        QVERIFY(bar("Mixed_5b") >= 0);
        const Seconds now = chart().bars()[std::size_t(bar("Mixed_5b"))].time.total();
        QVERIFY(std::abs(now.value - before.value) <= 1e-12 * before.value);  // its layers may stand in another order
        // What is new has no price, rather than one of nothing.
        const auto bars = chart().bars().size();
        canvas().editor().insert_alone(*find_kind("dense"));
        settle();
        QCOMPARE(chart().bars().size(), bars);
        QVERIFY(scene().box(selected())->shown().value.isEmpty());
        QVERIFY(scene().box("Mixed_5c")->shown().value.endsWith(QStringLiteral("ms")));
    }
};

QTEST_MAIN(TestCanvasChart)
#include "tst_canvas_chart.moc"
