// SPDX-License-Identifier: GPL-3.0-or-later
// The charts over layers and over worker counts: what is drawn where, and what hands do with it.
#include <QSignalSpy>

#include "support_charts.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/step_time_chart.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace chart_test;

namespace {

LayerTime layer(int id, const QString& name, double forward, double backward, double update, double communication) {
    LayerTime l;
    l.id = id;
    l.name = name;
    l.time = {milliseconds(forward), milliseconds(backward), milliseconds(update), milliseconds(communication), {}, {}};
    return l;
}

LayerTimeData four_layers() {
    LayerTimeData data;
    data.layers = {layer(3, u("conv1"), 10, 20, 0, 5), layer(4, u("conv2"), 40, 60, 0, 20),
                   layer(7, u("fc1"), 5, 10, 4, 30), layer(9, u("fc2"), 0, 0, 0, 0)};
    data.layers[1].detail = u("conv 5×5, 192");
    data.step = milliseconds(204);
    return data;
}

LayerTimeData many_layers(int count) {
    LayerTimeData data;
    for (int i = 0; i < count; ++i)
        data.layers.push_back(
            layer(i, QStringLiteral("block%1/conv%2").arg(i / 10).arg(i), 1 + i % 7, 2 + i % 5, 0.5, 1));
    data.layers[static_cast<std::size_t>(count / 2)].time.forward = milliseconds(90);
    data.step = milliseconds(8.0 * count);
    return data;
}

StepTimeData five_counts() {
    StepTimeData data;
    for (int n : {1, 2, 4, 8, 16}) {
        StepTime bar;
        bar.workers = n;
        bar.time = {
            milliseconds(320.0 / n), milliseconds(640.0 / n), milliseconds(4), milliseconds(n > 1 ? 50 : 0), {}, {}};
        data.bars.push_back(bar);
    }
    data.current = 4;
    return data;
}

/// Heights of the four parts in the middle of bar `index`, in pixels.
struct Heights {
    int forward, backward, update, communication;
};
Heights heights(const QImage& image, const BarChart& chart, int index, const Theme& look) {
    const double x = chart.x_pixel(index + 0.5), top = chart.plot_rect().top();
    const double bottom = chart.plot_rect().top() + chart.plot_rect().height();
    return {count(image, x, top, bottom, look.forward), count(image, x, top, bottom, look.backward),
            count(image, x, top, bottom, look.update), count(image, x, top, bottom, look.communication)};
}

bool near(double a, double b, double slack) { return std::abs(a - b) <= slack; }

}  // namespace

class TestChartsBars : public QObject {
    Q_OBJECT

private slots:
    /// At rest the unit follows from the values; while a hand drags it stays until they are far from it.
    void a_unit_is_kept_only_while_dragging() {
        Shown<LayerTimeChart> chart(600, 300);
        const auto unit_at = [&](double ms, bool dragging) {
            LayerTimeData data;
            data.layers = {{0, u("a"), {}, {milliseconds(ms), {}, {}, {}, {}, {}}}};
            chart->set_steady(dragging);
            chart->set_data(data);
            shot(*chart);
            return chart->time_unit();
        };
        QCOMPARE(unit_at(1200, false), TimeUnit::seconds);
        QCOMPARE(unit_at(900, true), TimeUnit::seconds);
        QCOMPARE(unit_at(900, false), TimeUnit::milliseconds);
        QCOMPARE(unit_at(1200, true), TimeUnit::milliseconds);
        QCOMPARE(unit_at(9000, true), TimeUnit::seconds);
        QCOMPARE(unit_at(0.05, false), TimeUnit::microseconds);
    }

    void init() { apply_theme(*qApp, ThemeChoice::light); }

    void bars_stand_where_their_times_say_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void bars_stand_where_their_times_say() {
        QFETCH(bool, dark);
        apply_theme(*qApp, dark ? ThemeChoice::dark : ThemeChoice::light);
        const Theme& look = dark ? Theme::dark_theme() : Theme::light();
        Shown<LayerTimeChart> chart;
        chart->set_data(four_layers());
        const QImage image = shot(*chart);
        QCOMPARE(chart->x_range(), Range({0.0, 4.0}));
        QCOMPARE(chart->y_range().lower, 0.0);
        QVERIFY(chart->y_range().upper >= 120.0 && chart->y_range().upper < 160.0);
        const QRect plot = chart->plot_rect();
        const double per_ms = plot.height() / chart->y_range().upper;
        for (int i = 0; i < 3; ++i) {
            // Measured on the picture; a pixel of the card separates the parts.
            const TimeParts& time = chart->bars()[static_cast<std::size_t>(i)].time;
            const Heights h = heights(image, *chart, i, look);
            QVERIFY2(near(h.forward, in_milliseconds(time.forward) * per_ms, 2.0), qPrintable(QString::number(i)));
            QVERIFY2(near(h.backward, in_milliseconds(time.backward) * per_ms, 2.0), qPrintable(QString::number(i)));
            QVERIFY2(near(h.update, in_milliseconds(time.update) * per_ms, 2.0), qPrintable(QString::number(i)));
            QVERIFY2(near(h.communication, in_milliseconds(time.communication) * per_ms, 2.0),
                     qPrintable(QString::number(i)));
        }
        // Stacked in this order from the base: the middle of each part has its colour, above the sum is none.
        const double x = chart->x_pixel(1.5);
        QCOMPARE(pixel(image, x, chart->y_pixel(20)), look.forward);
        QCOMPARE(pixel(image, x, chart->y_pixel(70)), look.backward);
        QCOMPARE(pixel(image, x, chart->y_pixel(110)), look.communication);
        QVERIFY(pixel(image, x, chart->y_pixel(120) - 2) != look.communication);
        QCOMPARE(chart->bar_box(1).top(), std::round(chart->y_pixel(120)));
        // Between bars and right of the plot is the card.
        QCOMPARE(pixel(image, chart->x_pixel(2.0), chart->y_pixel(3)), look.card);
        const Heights none = heights(image, *chart, 3, look);
        QCOMPARE(none.forward + none.backward + none.update + none.communication, 0);
    }

    void hidden_communication_lies_beside_and_is_not_added() {
        LayerTimeData data = four_layers();
        data.parts.hidden = true;
        data.layers[0].time.hidden = milliseconds(12);
        Shown<LayerTimeChart> chart;
        chart->set_data(data);
        shot(*chart);
        QCOMPARE(in_milliseconds(chart->visible_total(0)), 35.0);
        const QRectF strip = chart->hidden_box(0), bar = chart->bar_box(0);
        QVERIFY(strip.left() >= bar.right());
        const double per_ms = chart->plot_rect().height() / chart->y_range().upper;
        QVERIFY(near(strip.height(), 12 * per_ms, 1.0));
        QVERIFY(near(strip.top(), chart->y_pixel(30), 1.0));  // ends where the backward pass ends
        QVERIFY(chart->hidden_box(2).isEmpty());
        QVERIFY(chart->series().contains(u("hidden")));
    }

    void hovering_says_the_numbers() {
        Shown<LayerTimeChart> chart;
        chart->set_data(four_layers());
        shot(*chart);
        QSignalSpy hovered(chart.chart, &LayerTimeChart::layer_hovered);
        QTest::mouseMove(chart.chart, QPoint(qRound(chart->x_pixel(0.5)), qRound(chart->y_pixel(5))));
        QTest::mouseMove(chart.chart, QPoint(qRound(chart->x_pixel(1.5)), qRound(chart->y_pixel(5))));
        QTRY_VERIFY(chart->tooltip_text().contains(u("conv2")));
        const QString text = chart->tooltip_text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        QVERIFY2(text.startsWith(u("conv2 120 ms; 58.8 % of the step")), qPrintable(text));
        for (const char* part : {"Forward 40.00 ms", "Backward 60.00 ms", "Update 0 ms", "Communication 20.00 ms"})
            QVERIFY2(text.contains(u(part)), qPrintable(text));
        QVERIFY(text.endsWith(u("conv 5×5, 192")));
        QCOMPARE(hovered.last().at(0).toInt(), 4);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(chart.chart, &leave);
        QVERIFY(chart->tooltip_text().isEmpty());
        QCOMPARE(hovered.last().at(0).toInt(), -1);
    }

    void a_click_selects_and_says_so() {
        Shown<LayerTimeChart> chart;
        chart->set_data(four_layers());
        shot(*chart);
        QSignalSpy selected(chart.chart, &LayerTimeChart::layer_selected);
        const QPoint at(qRound(chart->x_pixel(2.5)), qRound(chart->y_pixel(5)));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, at);
        QCOMPARE(selected.size(), 1);
        QCOMPARE(selected.at(0).at(0).toInt(), 7);
        QCOMPARE(chart->selected_layer(), 7);
        const QImage image = shot(*chart);
        QCOMPARE(pixel(image, chart->x_pixel(2.0) + 14, chart->y_pixel(60)), Theme::light().selection);
        chart->set_selected_layer(3);  // from outside: silent
        QCOMPARE(selected.size(), 1);
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, QPoint(5, 100));  // beside the plot
        QCOMPARE(selected.size(), 1);
    }

    void the_legend_hides_a_part_and_the_axis_follows() {
        Shown<LayerTimeChart> chart;
        chart->set_data(four_layers());
        shot(*chart);
        QSignalSpy changed(chart.chart, &Chart::view_changed);
        const double before = chart->y_range().upper;
        const QRectF entry = chart->legend_box(u("backward"));
        QVERIFY(!entry.isEmpty());
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, entry.center().toPoint());
        QVERIFY(chart->series_hidden(u("backward")));
        QCOMPARE(changed.size(), 1);
        QImage image = shot(*chart);
        QVERIFY(chart->y_range().upper < before * 0.7);  // conv2 is 60 of 120 ms now
        QCOMPARE(in_milliseconds(chart->visible_total(1)), 60.0);
        const QRect plot = chart->plot_rect();
        QCOMPARE(heights(image, *chart, 1, Theme::light()).backward, 0);
        QVERIFY(
            near(heights(image, *chart, 1, Theme::light()).forward, 40.0 * plot.height() / chart->y_range().upper, 2));
        QVERIFY(chart->view().hidden_series.contains(u("backward")));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, entry.center().toPoint());
        image = shot(*chart);
        QCOMPARE(chart->y_range().upper, before);
        QVERIFY(heights(image, *chart, 1, Theme::light()).backward > 0);
        // A double click leaves one alone, and brings all back.
        double_click(*chart, chart->legend_box(u("update")).center().toPoint());
        QVERIFY(!chart->series_hidden(u("update")));
        for (const char* other : {"forward", "backward", "communication"}) QVERIFY(chart->series_hidden(u(other)));
        shot(*chart);
        QVERIFY(chart->y_range().upper < 10.0);
        double_click(*chart, chart->legend_box(u("update")).center().toPoint());
        QVERIFY(chart->view().hidden_series.isEmpty());
    }

    void the_wheel_zooms_about_the_cursor_and_a_drag_pans() {
        Shown<LayerTimeChart> chart;
        chart->set_data(many_layers(40));
        shot(*chart);
        const QRect plot = chart->plot_rect();
        const QPointF at(plot.left() + plot.width() * 0.7, plot.center().y());
        const double value = x_value(*chart, at.x());
        wheel(*chart, at, 1);
        QVERIFY(near(chart->x_range().size(), 40 * 0.8, 1e-9));
        QVERIFY(near(x_value(*chart, at.x()), value, 1e-9));
        wheel(*chart, at, 2);
        QVERIFY(near(chart->x_range().size(), 40 * 0.512, 1e-9));
        QVERIFY(near(chart->x_pixel(value), at.x(), 1e-6));
        // A drag takes the drawing along with the hand.
        const QPoint from = plot.center();
        const double held = x_value(*chart, from.x());
        drag(*chart, from, from + QPoint(60, 0));
        QVERIFY(near(chart->x_pixel(held), from.x() + 60, 1.0));
        drag(*chart, from, from + QPoint(5000, 0));  // no further than the first bar
        QVERIFY(near(chart->x_range().lower, 0.0, 1e-9));
        QVERIFY(chart->view().x.has_value());
        double_click(*chart, from);
        shot(*chart);
        QCOMPARE(chart->x_range(), Range({0.0, 40.0}));
        QCOMPARE(chart->view(), ChartView());
        wheel(*chart, at, -3);  // there is no more than all
        QCOMPARE(chart->x_range(), Range({0.0, 40.0}));
        wheel(*chart, at, 1, Qt::ControlModifier);  // y alone, from its lower end
        shot(*chart);
        QCOMPARE(chart->x_range(), Range({0.0, 40.0}));
        QCOMPARE(chart->y_range().lower, 0.0);
        QVERIFY(chart->view().y.has_value());
        chart->reset_view();
        for (int i = 0; i < 100; ++i) wheel(*chart, at, 1);
        QVERIFY(chart->x_range().size() >= 4.0 - 1e-9);  // never into nothing
    }

    void arrows_move_the_selection() {
        Shown<LayerTimeChart> chart;
        chart->set_data(four_layers());
        shot(*chart);
        QSignalSpy selected(chart.chart, &LayerTimeChart::layer_selected);
        const auto key = [&](Qt::Key k) {
            QTest::keyClick(chart.chart, k);
            return chart->selected_layer();
        };
        QCOMPARE(key(Qt::Key_Right), 3);
        QCOMPARE(key(Qt::Key_Right), 4);
        QVERIFY(chart->tooltip_text().startsWith(u("conv2")));  // what the pointer would say
        QCOMPARE(key(Qt::Key_End), 9);
        QCOMPARE(key(Qt::Key_Right), 9);
        QCOMPARE(key(Qt::Key_Left), 7);
        QCOMPARE(key(Qt::Key_Home), 3);
        QCOMPARE(key(Qt::Key_Escape), -1);
        QVERIFY(chart->tooltip_text().isEmpty());
        QCOMPARE(key(Qt::Key_Left), 9);
        QCOMPARE(selected.last().at(0).toInt(), 9);
        QVERIFY(chart->accessibleDescription().contains(u("Selected: fc2")));
        // Plus, minus and 0 zoom as everywhere.
        LayerTimeData more = many_layers(40);
        chart->set_data(more);
        shot(*chart);
        QTest::keyClick(chart.chart, Qt::Key_Plus);
        QVERIFY(chart->x_range().size() < 40);
        QTest::keyClick(chart.chart, Qt::Key_0);
        QCOMPARE(chart->x_range(), Range({0.0, 40.0}));
    }

    void longest_first_and_one_bar_for_several_layers() {
        Shown<LayerTimeChart> chart;
        chart->set_data(four_layers());
        chart->set_order(LayerTimeChart::Order::by_time);
        QCOMPARE(chart->bars()[0].label, u("conv2"));
        QCOMPARE(chart->layers_of(0), std::vector<int>{4});
        LayerTimeData data = many_layers(4);
        data.layers[1].block = data.layers[2].block = u("Block × 80");
        data.layers[1].layers = {1, 11, 12};
        chart->set_order(LayerTimeChart::Order::network);
        chart->set_data(data);
        QCOMPARE(chart->bars()[1].block, u("Block × 80"));
        QCOMPARE(chart->layers_of(1), std::vector<int>({1, 11, 12}));
        QSignalSpy selected(chart.chart, &LayerTimeChart::layer_selected);
        shot(*chart);
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, {qRound(chart->x_pixel(1.5)), qRound(chart->y_pixel(1))});
        QCOMPARE(selected.at(0).at(0).toInt(), 1);  // the one that stands for them
        QTest::mouseMove(chart.chart, {qRound(chart->x_pixel(1.5)), qRound(chart->y_pixel(1))});
        QTRY_VERIFY(chart->tooltip_text().contains(u("3 layers")));
        chart->set_selected_layer(12);
        QCOMPARE(chart->selected_layer(), 12);
        const int with = chart->plot_rect().bottom();
        for (LayerTime& l : data.layers) l.block.clear(), l.name.remove(0, l.name.indexOf(QLatin1Char('/')) + 1);
        chart->set_data(data);
        shot(*chart);
        QVERIFY(chart->plot_rect().bottom() > with);  // blocks stand on a level of their own, below the names
    }

    void a_thousand_layers_scroll_and_lose_no_peak() {
        Shown<LayerTimeChart> chart;
        chart->set_data(many_layers(1000));
        shot(*chart);
        QVERIFY(chart->x_range().size() < 400);  // 3 px a bar at least
        chart->set_view({Range{0, 1000}, std::nullopt, {}});
        const QImage all = shot(*chart);
        QCOMPARE(chart->x_range(), Range({0.0, 1000.0}));
        // Layer 500 is ten times the others: less than a pixel wide, and still there at its height.
        const double x = chart->x_pixel(500.5);
        int tallest = 0;
        for (int dx = -1; dx <= 1; ++dx)
            tallest =
                std::max(tallest, count(all, x + dx, chart->y_pixel(85), chart->y_pixel(15), Theme::light().forward));
        QVERIFY(near(tallest, chart->y_pixel(15) - chart->y_pixel(85), 2));
        chart->set_view({});
        QTest::keyClick(chart.chart, Qt::Key_End);  // brings the last into view
        shot(*chart);
        QCOMPARE(chart->selected_layer(), 999);
        QVERIFY(chart->x_range().upper > 999.5);
    }

    void equal_data_paint_nothing_and_pins_are_outlines() {
        Shown<LayerTimeChart> chart;
        LayerTimeData data = four_layers();
        chart->set_data(data);
        const QImage before = shot(*chart);
        chart->set_data(four_layers());
        QCOMPARE(shot(*chart), before);
        data.pins = {{u("A"), {milliseconds(50), milliseconds(150), std::nullopt, milliseconds(1)}}};
        chart->set_data(data);
        const QImage pinned = shot(*chart);
        QVERIFY(chart->series().contains(u("pin0")));
        QVERIFY(chart->y_range().upper >= 150);
        const double y = std::round(chart->y_pixel(150));
        const QRectF bar = chart->bar_box(1);
        int dashes = 0;
        for (double x = bar.left() - 4; x < bar.right() + 4; x += 1)
            dashes += pixel(pinned, x, y) == Theme::light().pin;
        QVERIFY(dashes > bar.width() / 3);
    }

    // --- step time ------------------------------------------------------------------------------------------------

    void steps_are_sorted_and_drawn() {
        StepTimeData data = five_counts();
        std::swap(data.bars[0], data.bars[3]);
        Shown<StepTimeChart> chart(600, 300);
        chart->set_data(data);
        const QImage image = shot(*chart);
        for (int i = 0; i < 5; ++i) QCOMPARE(chart->workers_of(i), 1 << i);
        const double per_ms = chart->plot_rect().height() / chart->y_range().upper;
        QVERIFY(near(heights(image, *chart, 0, Theme::light()).forward, 320 * per_ms, 2));
        QVERIFY(near(heights(image, *chart, 1, Theme::light()).backward, 320 * per_ms, 2));
        QVERIFY(near(heights(image, *chart, 4, Theme::light()).communication, 50 * per_ms, 2));
        // The count shown has the band of the selection.
        QCOMPARE(pixel(image, chart->x_pixel(2.5), chart->plot_rect().top() - 2), Theme::light().selection);
        QVERIFY(pixel(image, chart->x_pixel(1.5), chart->plot_rect().top() - 2) != Theme::light().selection);
    }

    void a_count_is_chosen_by_click_and_keys() {
        StepTimeData data = five_counts();
        data.bars[3].reason = u("Only 4 samples to share.");
        Shown<StepTimeChart> chart(600, 300);
        chart->set_data(data);
        shot(*chart);
        QSignalSpy chosen(chart.chart, &StepTimeChart::workers_chosen);
        const auto at = [&](int bar) {
            return QPoint(qRound(chart->x_pixel(bar + 0.5)), chart->plot_rect().bottom() - 4);
        };
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, at(1));
        QCOMPARE(chosen.last().at(0).toInt(), 2);
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, at(3));  // cannot be run
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(chart.chart, Qt::Key_Right);  // from 4, over 8
        QCOMPARE(chosen.last().at(0).toInt(), 16);
        data.current = 16;
        chart->set_data(data);
        QTest::keyClick(chart.chart, Qt::Key_Left);
        QCOMPARE(chosen.last().at(0).toInt(), 4);
        QTest::keyClick(chart.chart, Qt::Key_Home);
        QCOMPARE(chosen.last().at(0).toInt(), 1);
        QTest::keyClick(chart.chart, Qt::Key_End);
        QCOMPARE(chosen.last().at(0).toInt(), 16);
        QTest::mouseMove(chart.chart, at(2));
        QTest::mouseMove(chart.chart, at(3));
        QTRY_VERIFY(chart->tooltip_text().contains(u("8 workers")));
        QVERIFY(chart->tooltip_text().contains(u("Only 4 samples to share.")));
        QTest::mouseMove(chart.chart, at(2));
        QTRY_VERIFY(chart->tooltip_text().startsWith(u("4 workers")));
        const QString text = chart->tooltip_text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        QVERIFY2(text.contains(u("Forward 80.00 ms")) && text.contains(u("Communication 50.00 ms")), qPrintable(text));
    }

    void the_axis_keeps_still_while_little_changes() {
        Shown<StepTimeChart> chart(600, 300);
        chart->set_steady(true);  // in one unit
        StepTimeData data = five_counts();
        chart->set_data(data);
        shot(*chart);
        const double top = chart->y_range().upper;
        for (StepTime& bar : data.bars) bar.time.forward = bar.time.forward * 0.9;
        chart->set_data(data);
        shot(*chart);
        QCOMPARE(chart->y_range().upper, top);
        for (StepTime& bar : data.bars) bar.time.forward = bar.time.forward * 3;
        chart->set_data(data);
        shot(*chart);
        QVERIFY(chart->y_range().upper > top);
    }
};

QTEST_MAIN(TestChartsBars)
#include "tst_charts_bars.moc"
