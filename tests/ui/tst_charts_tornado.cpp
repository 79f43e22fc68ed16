// SPDX-License-Identifier: GPL-3.0-or-later
// The tornado chart, and the guide lines across the speedup chart.
#include <QMenu>
#include <QSignalSpy>

#include "support_charts.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/tornado_chart.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace chart_test;

namespace {

TornadoRow row(const char* id, const char* name, std::optional<double> less, std::optional<double> more) {
    TornadoRow made;
    made.id = u(id);
    made.name = u(name);
    made.less = {u("less of it"), less, less ? QString() : u("There is no smaller count.")};
    made.more = {u("more of it"), more, {}};
    made.elasticity = -0.5;
    made.sentence = u(name) + u(" does something.");
    return made;
}

TornadoData three_rows() {
    TornadoData data;
    data.objective = u("Step");
    data.value = u("239 ms");
    data.more_name = u("10 % more");
    data.less_name = u("10 % less");
    data.rows = {row("peak", "FP32 peak", 0.1, -0.08), row("batch", "Batch, 7 to 9", 0.05, 0.02),
                 row("workers", "Workers, 1 to 2", std::nullopt, 0.03)};
    return data;
}

SpeedupData a_curve() {
    SpeedupData data;
    SpeedupCurve curve;
    curve.name = u("Data");
    for (int n = 1; n <= 256; n *= 2) curve.points.push_back({n, std::sqrt(n), {}});
    data.curves = {curve};
    data.current = 4;
    data.max_workers = 256;
    return data;
}

}  // namespace

class TestChartsTornado : public QObject {
    Q_OBJECT

private slots:
    void init() { apply_theme(*qApp, ThemeChoice::light); }

    void bars_lie_on_both_sides_of_zero_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void bars_lie_on_both_sides_of_zero() {
        QFETCH(bool, dark);
        apply_theme(*qApp, dark ? ThemeChoice::dark : ThemeChoice::light);
        const Theme& look = dark ? Theme::dark_theme() : Theme::light();
        Shown<TornadoChart> chart(800, 220);
        chart->set_data(three_rows());
        const QImage image = shot(*chart);
        const double zero = chart->x_pixel(0.0);
        QVERIFY(std::abs(zero - QRectF(chart->plot_rect()).center().x()) <= 1.0);
        const QRectF more = chart->bar_box(0, true), less = chart->bar_box(0, false);
        QVERIFY(std::abs(more.right() - zero) < 0.01 && std::abs(less.left() - zero) < 0.01);
        QVERIFY(std::abs(more.width() / less.width() - 0.8) < 0.01);  // −8 % against +10 %
        QVERIFY(more.top() == less.top() && more.height() == less.height());
        // The step is better where it is less: full bars for more, hatched ones for less.
        QCOMPARE(pixel(image, more.center().x(), more.center().y()), look.better);
        QCOMPARE(pixel(image, less.left() + 20, less.top() + 0.5), look.worse);
        int hatched = 0;
        for (int x = static_cast<int>(less.left()) + 4; x < less.right() - 4; ++x)
            hatched += pixel(image, x, less.center().y()) == look.worse ? 1 : 0;
        QVERIFY(hatched < less.width() * 0.7);
        // Both on one side: one above the other.
        const QRectF upper = chart->bar_box(1, true), lower = chart->bar_box(1, false);
        QVERIFY(upper.left() == lower.left() && upper.bottom() <= lower.top() + 0.01);
        QVERIFY(chart->bar_box(2, false).isEmpty() && !chart->bar_box(2, true).isEmpty());
        // Where more is better the colours change sides.
        TornadoData rate = three_rows();
        rate.larger_is_better = true;
        chart->set_data(rate);
        QCOMPARE(pixel(shot(*chart), more.center().x(), more.center().y()), look.worse);
    }

    /// Two values on one side of a long bar, in narrow charts too, and zoomed in.
    void values_stand_beside_their_bars() {
        TornadoData data = three_rows();
        data.rows.push_back(row("efficiency", "Efficiency", 0.1, 0.098));
        data.rows.push_back(row("links", "Links", -0.0997, -0.1));
        for (const int width : {360, 480, 640, 800, 1400}) {
            Shown<TornadoChart> chart(width, 260);
            chart->set_data(data);
            for (const double zoom : {1.0, 0.5, 0.2}) {
                chart->reset_view();
                if (zoom < 1.0) chart->zoom_by(zoom);
                shot(*chart);
                for (int i = 0; i < 5; ++i)
                    for (const bool right : {false, true})
                        for (const bool more : {false, true}) {
                            const QRectF value = chart->value_box(i, right);
                            QVERIFY2(!value.intersects(chart->bar_box(i, more)), qPrintable(QString::number(width)));
                            QVERIFY(value.isEmpty() || value.right() <= width);
                        }
                if (zoom < 1.0 || width < 480) continue;  // the names take half of a narrow one
                QVERIFY(!chart->value_box(3, true).isEmpty() && !chart->value_box(4, false).isEmpty());
                QVERIFY(!chart->value_box(0, true).isEmpty() && !chart->value_box(0, false).isEmpty());
            }
        }
    }

    void rows_say_what_they_do_and_lead_on() {
        Shown<TornadoChart> chart(800, 220);
        chart->set_data(three_rows());
        shot(*chart);
        QSignalSpy chosen(chart.chart, &TornadoChart::row_chosen);
        const auto middle = [&](int i) { return chart->row_box(i).center().toPoint(); };
        QTest::mouseMove(chart.chart, middle(0));
        QTRY_VERIFY(chart->tooltip_text().startsWith(u("FP32 peak")));
        const QString text = chart->tooltip_text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        QVERIFY2(text.contains(u("−8.0 %")) && text.contains(u("+10.0 %")) && text.contains(u("elasticity −0.50")),
                 qPrintable(text));
        QVERIFY(text.contains(u("FP32 peak does something.")));
        QTest::mouseMove(chart.chart, middle(2));
        QTRY_VERIFY(chart->tooltip_text().contains(u("There is no smaller count.")));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, middle(1));
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().at(0).toString(), u("batch"));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, QPoint(300, 12));
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(chart.chart, Qt::Key_Home);
        QTest::keyClick(chart.chart, Qt::Key_Down);
        QTest::keyClick(chart.chart, Qt::Key_Down);
        QTest::keyClick(chart.chart, Qt::Key_Return);
        QCOMPARE(chosen.last().at(0).toString(), u("workers"));
        QVERIFY(chart->accessibleDescription().contains(u("FP32 peak does something.")));
    }

    void series_hide_by_direction_and_by_worth() {
        Shown<TornadoChart> chart(900, 220);
        chart->set_data(three_rows());
        shot(*chart);
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->legend_box(u("less")).center().toPoint());
        QVERIFY(chart->bar_box(0, false).isEmpty() && !chart->bar_box(0, true).isEmpty());
        QVERIFY(chart->bar_box(1, true).height() > 6);  // the row is its own again
        chart->hide_series(u("better"), true);
        QVERIFY(chart->bar_box(0, true).isEmpty());
    }

    void its_numbers_travel() {
        Shown<TornadoChart> chart(800, 220);
        chart->set_data(three_rows());
        const QByteArray csv = chart_csv(*chart);
        QVERIFY2(csv.contains("field,name,less,change_at_less_percent,more,change_at_more_percent,elasticity,sentence"),
                 csv.constData());
        QVERIFY2(csv.contains("\npeak,FP32 peak,less of it,10,more of it,-8,-0.5,"), csv.constData());
        QVERIFY(csv.contains("\nworkers,\"Workers, 1 to 2\",less of it,,more of it,3,"));
        const QByteArray svg = chart_svg(*chart, {QSize(640, 240), 1.0, &Theme::light()});
        QVERIFY(svg.contains("<svg") && svg.size() > 2000);
        chart->set_data({});
        QVERIFY(!chart->description().isEmpty());
        shot(*chart);
    }

    void pale_while_the_answer_is_old() {
        Shown<TornadoChart> chart(800, 220);
        chart->set_data(three_rows());
        const QPointF middle = (shot(*chart), chart->bar_box(0, true).center());
        chart->set_stale(true);
        QVERIFY(pixel(shot(*chart), middle.x(), middle.y()) != Theme::light().better);
        chart->set_stale(false);
        QCOMPARE(pixel(shot(*chart), middle.x(), middle.y()), Theme::light().better);
    }

    // --- guide lines ----------------------------------------------------------------------------------------------

    void guide_lines_stand_at_their_counts() {
        Shown<SpeedupChart> chart(700, 320);
        chart->set_data(a_curve());
        chart->set_guides({{16, u("efficiency < 50 %"), u("From 16 workers on, it is low.")},
                           {64, u("batch used up"), u("From 64 workers on, nothing is left.")}});
        const QImage image = shot(*chart);
        const QRect plot = chart->plot_rect();
        for (const int n : {16, 64})
            QVERIFY(count(image, chart->x_pixel(n), plot.top(), plot.bottom(), Theme::light().ideal) >
                    plot.height() * 0.6);
        for (const int i : {0, 1}) QVERIFY(!chart->guide_label_box(i).isEmpty());
        QVERIFY(!chart->guide_label_box(0).intersects(chart->guide_label_box(1)));
        // Under the pointer a line says what it is; beside it the curve speaks.
        QTest::mouseMove(chart.chart, QPoint(qRound(chart->x_pixel(64)), plot.top() + 12));
        QTRY_VERIFY(chart->tooltip_text().contains(u("nothing is left")));
        QTest::mouseMove(chart.chart, QPoint(qRound(chart->x_pixel(128)), plot.top() + 12));
        QTRY_VERIFY(!chart->tooltip_text().contains(u("nothing is left")));
        QVERIFY(chart_csv(*chart).contains("\n64,64,,,batch used up"));
    }

    /// A label is whole or not there: the value at the crosshair covers no half of it.
    void the_value_at_the_crosshair_takes_the_place_of_a_label() {
        Shown<SpeedupChart> chart(360, 200);
        SpeedupData data = a_curve();
        for (auto& p : data.curves[0].points) p.speedup = 1.2;
        chart->set_data(data);
        chart->set_guides({{16, u("efficiency < 50 %"), u("From 16 workers on, it is low.")}});
        chart->refresh();
        const QSize size = chart->size();
        int with = 0, without = 0;
        for (int n = 1; n <= data.max_workers; n *= 2) {
            chart->set_workers(n);
            const bool drawn = chart_svg(*chart, {size, 1.0, &Theme::light()}).contains("efficiency &lt; 50");
            ++(drawn ? with : without);
            if (n == 1) QVERIFY(drawn);
        }
        QVERIFY2(with > 2 && without > 0, qPrintable(QStringLiteral("%1 with, %2 without").arg(with).arg(without)));
    }

    void guide_lines_can_be_hidden_and_come_back() {
        Shown<SpeedupChart> chart(700, 320);
        chart->set_data(a_curve());
        chart->set_guides({{16, u("efficiency < 50 %"), u("From 16 workers on, it is low.")}});
        shot(*chart);
        QMenu menu;
        chart->fill_menu(menu);
        QAction* mark = nullptr;
        for (QAction* a : menu.actions())
            if (a->text() == u("Mark the walls")) mark = a;
        QVERIFY(mark && mark->isChecked());
        QSignalSpy changed(chart.chart, &Chart::view_changed);
        mark->trigger();
        QCOMPARE(changed.size(), 1);
        const QRect plot = chart->plot_rect();
        QVERIFY(count(shot(*chart), chart->x_pixel(16), plot.top(), plot.bottom(), Theme::light().ideal) < 20);
        QVERIFY(!chart->guides_shown());
        QVERIFY(!chart_csv(*chart).contains("wall"));
        mark->trigger();
        QVERIFY(count(shot(*chart), chart->x_pixel(16), plot.top(), plot.bottom(), Theme::light().ideal) > 100);
    }

    /// A label keeps off the curves, or says its brief form where that alone has room, or nothing.
    void labels_keep_off_the_curves() {
        const AxisMap x{{1, 1000}, 0, 400, false};
        const QRectF plot(0, 0, 400, 60);
        const auto placed = [&](std::vector<QPointF> curve) {
            GuideLines lines;
            lines.arrange({{501, u("efficiency < 50 %"), u("sentence"), u("eff.")}}, plot, x, {std::move(curve)});
            return lines.label_box(0);
        };
        const QRectF free = placed({});
        QVERIFY(free.bottom() > 50 && free.width() > 80);
        // along the foot: the next row; to the right of the line, from the foot to the head: the left side
        QVERIFY(placed({{0, 55}, {400, 55}}).bottom() < free.top() + 1);
        QVERIFY(placed({{230, 0}, {230.5, 60}}).right() < 201);
        // on both sides so near that a word fits and four do not: shorter; nearer still: nothing
        const QRectF brief = placed({{130, 0}, {130.5, 60}, {200, 1e6}, {268, 60}, {268.5, 0}});
        QVERIFY2(!brief.isEmpty() && brief.width() < free.width() - 20, qPrintable(QString::number(brief.width())));
        QVERIFY(placed({{190, 0}, {190.5, 60}, {200, 1e6}, {215, 60}, {215.5, 0}}).isEmpty());
    }

    /// Half of what a label says is another thing: without a shorter form it is left out.
    void a_label_without_room_is_never_cut() {
        const AxisMap x{{1, 1000}, 0, 200, false};
        const QRectF plot(0, 0, 200, 60);
        const auto place = [&](const QString& brief) {
            GuideLines lines;
            lines.arrange({{501, u("few words that are much too long for it"), u("sentence"), brief}}, plot, x);
            return lines.label_box(0);
        };
        QVERIFY(place({}).isEmpty());
        QVERIFY(!place(u("few")).isEmpty());
    }

    /// However many there are and however small the chart, no two labels lie on each other, and none leaves the plot.
    void labels_never_collide() {
        for (const QSize size : {QSize(700, 320), QSize(360, 200), QSize(240, 150), QSize(1200, 500)}) {
            Shown<SpeedupChart> chart(size.width(), size.height());
            std::vector<GuideLine> guides;
            for (const int n : {12, 13, 14, 60, 64, 66, 250, 256})
                guides.push_back({n, u("a label of %1 workers").arg(n), u("sentence")});
            chart->set_data(a_curve());
            chart->set_guides(guides);
            shot(*chart);
            int shown = 0;
            for (int i = 0; i < 8; ++i) {
                const QRectF box = chart->guide_label_box(i);
                if (box.isEmpty()) continue;
                ++shown;
                QVERIFY(QRectF(chart->plot_rect()).adjusted(-1, -1, 1, 1).contains(box));
                for (int j = 0; j < i; ++j) QVERIFY(!box.intersects(chart->guide_label_box(j)));
            }
            QVERIFY(shown >= (size.width() > 600 ? 4 : 1));
        }
    }
};

QTEST_MAIN(TestChartsTornado)
#include "tst_charts_tornado.moc"
