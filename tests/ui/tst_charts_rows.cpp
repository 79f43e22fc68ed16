// SPDX-License-Identifier: GPL-3.0-or-later
// The charts whose rows lie over a time axis: timeline and waterfall.
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>

#include "support_charts.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/timeline_find.hpp"
#include "ui/charts/waterfall_chart.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace chart_test;

namespace {

TimelineBox box(int row, double start, double length, BoxKind kind, const QString& label = {}, int layer = -1) {
    return {row, milliseconds(start), milliseconds(length), label, kind, layer};
}

/// Out of order on purpose.
TimelineData one_step() {
    TimelineData data;
    data.rows = {u("compute"), u("network")};
    data.boxes = {box(1, 60, 40, BoxKind::communication, u("all-reduce"), 5),
                  box(0, 30, 50, BoxKind::backward, u("conv2"), 4),
                  box(0, 0, 30, BoxKind::forward, u("conv1"), 3),
                  box(0, 80, 4, BoxKind::update),
                  box(1, 40, 20, BoxKind::hidden, u("early"), 4),
                  box(7, 0, 1, BoxKind::forward)};
    data.length = milliseconds(100);
    return data;
}

WaterfallData from_100_to_90() {
    WaterfallData data;
    data.start_name = u("published");
    data.start = 0.1;
    data.steps = {{u("counts edges"), 0.03, u("Padding is counted."), {}},
                  {u("counts once"), -0.06, u("Not twice."), {}}};
    data.end_name = u("corrected");
    data.end = 0.09;
    return data;
}

bool near(double a, double b, double slack) { return std::abs(a - b) <= slack; }
int run(const QImage& image, double y, double left, double right, const QColor& colour) {
    int n = 0;
    for (int x = static_cast<int>(std::floor(left)); x < right && x < image.width(); ++x)
        n += pixel(image, x, y) == colour ? 1 : 0;
    return n;
}

}  // namespace

class TestChartsRows : public QObject {
    Q_OBJECT

private slots:
    void init() { apply_theme(*qApp, ThemeChoice::light); }

    /// Kinds differ by lines too: backward across, communication upright; forward has none.
    void high_contrast_has_lines() {
        apply_theme(*qApp, ThemeChoice::high_contrast);
        const Theme& look = Theme::high_contrast_theme();
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        const QImage image = shot(*chart);
        // The share of the card within a box, away from its edges and its name.
        const auto lines = [&](int row, double to_ms) {
            const QRectF box = chart->row_box(row);
            int card = 0, all = 0;
            for (int y = int(box.top()) + 8; y < int(box.bottom()) - 8; ++y)
                for (int x = int(chart->x_pixel(to_ms)) - 30; x < int(chart->x_pixel(to_ms)) - 3; ++x, ++all)
                    card += pixel(image, x, y) == look.card ? 1 : 0;
            return static_cast<double>(card) / all;
        };
        QCOMPARE(lines(0, 30), 0.0);
        QVERIFY(lines(0, 80) > 0.1 && lines(0, 80) < 0.5);
        QVERIFY(lines(1, 100) > 0.1 && lines(1, 100) < 0.5);
    }

    void boxes_lie_where_their_times_say_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void boxes_lie_where_their_times_say() {
        QFETCH(bool, dark);
        apply_theme(*qApp, dark ? ThemeChoice::dark : ThemeChoice::light);
        const Theme& look = dark ? Theme::dark_theme() : Theme::light();
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        const QImage image = shot(*chart);
        QCOMPARE(chart->data().boxes.size(), std::size_t{5});  // the one in a row that is not there is dropped
        QCOMPARE(chart->x_range().lower, 0.0);
        QVERIFY(near(chart->x_range().upper, 100.0, 1e-9));
        const QRect plot = chart->plot_rect();
        const double per_ms = plot.width() / 100.0;
        const double upper = chart->row_box(0).top() + 6, lower = chart->row_box(1).top() + 6;
        QVERIFY(near(run(image, upper, plot.left(), plot.right() + 2, look.forward), 30 * per_ms, 2));
        QVERIFY(near(run(image, upper, plot.left(), plot.right() + 2, look.backward), 50 * per_ms, 2));
        QVERIFY(near(run(image, upper, plot.left(), plot.right() + 2, look.update), 4 * per_ms, 2));
        QVERIFY(
            near(run(image, lower, plot.left() + 60 * per_ms, plot.right() + 2, look.communication), 40 * per_ms, 2));
        QCOMPARE(pixel(image, chart->x_pixel(1), upper), look.forward);
        QCOMPARE(pixel(image, chart->x_pixel(79), upper), look.backward);
        QCOMPARE(pixel(image, chart->x_pixel(90), upper), look.card);
        // Hidden is hatched: some of it in the colour, some not.
        const int hatched = run(image, lower + 3, chart->x_pixel(41), chart->x_pixel(59), look.communication);
        QVERIFY(hatched > 0 && hatched < 15 * per_ms);
    }

    void boxes_are_hit_said_and_selected() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        QSignalSpy selected(chart.chart, &TimelineChart::layer_selected),
            hovered(chart.chart, &TimelineChart::layer_hovered);
        const auto at = [&](double ms, int row) {
            return QPoint(qRound(chart->x_pixel(ms)), qRound(chart->row_box(row).center().y()));
        };
        QTest::mouseMove(chart.chart, at(95, 0));
        QVERIFY(chart->tooltip_text().isEmpty());
        QTest::mouseMove(chart.chart, at(50, 0));
        QTRY_VERIFY(chart->tooltip_text().startsWith(u("conv2")));
        const QString text = chart->tooltip_text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        QVERIFY2(text.contains(u("50.0 ms")) && text.contains(u("compute · backward · 50.0 % of the step")),
                 qPrintable(text));
        QVERIFY2(text.contains(u("from 30.00 ms")) && text.contains(u("to 80.00 ms")), qPrintable(text));
        QCOMPARE(hovered.last().at(0).toInt(), 4);
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, at(10, 0));
        QCOMPARE(selected.last().at(0).toInt(), 3);
        QCOMPARE(chart->selected_layer(), 3);
        const QRectF drawn = chart->box_rect(0);
        QCOMPARE(pixel(shot(*chart), drawn.left() + 20, drawn.top() - 1), Theme::light().accent);
        QCOMPARE(chart->box_at(QPointF(0, 0)), -1);
    }

    void keys_walk_along_the_boxes() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        QSignalSpy selected(chart.chart, &TimelineChart::layer_selected);
        QTest::keyClick(chart.chart, Qt::Key_Right);
        QVERIFY(chart->tooltip_text().startsWith(u("conv1")));
        QTest::keyClick(chart.chart, Qt::Key_Right);
        QVERIFY(chart->tooltip_text().startsWith(u("conv2")));
        QTest::keyClick(chart.chart, Qt::Key_Return);
        QCOMPARE(selected.last().at(0).toInt(), 4);
        QTest::keyClick(chart.chart, Qt::Key_Down);
        QVERIFY(chart->tooltip_text().startsWith(u("early")));  // what runs nearest in time one row below
        QTest::keyClick(chart.chart, Qt::Key_End);
        QVERIFY(chart->tooltip_text().startsWith(u("all-reduce")));
        QTest::keyClick(chart.chart, Qt::Key_Home);
        QVERIFY(chart->tooltip_text().startsWith(u("conv1")));
        QTest::keyClick(chart.chart, Qt::Key_Escape);
        QVERIFY(chart->tooltip_text().isEmpty());
    }

    void the_legend_hides_a_kind() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        QVERIFY(chart->series().contains(u("hidden")) && !chart->series().contains(u("idle")));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->legend_box(u("backward")).center().toPoint());
        const QImage image = shot(*chart);
        const QRect plot = chart->plot_rect();
        QCOMPARE(run(image, chart->row_box(0).top() + 6, plot.left(), plot.right(), Theme::light().backward), 0);
        QCOMPARE(chart->box_at(QPointF(chart->x_pixel(50), chart->row_box(0).center().y())), -1);
    }

    void time_is_zoomed_and_moved() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        const QRect plot = chart->plot_rect();
        const QPointF at(plot.left() + plot.width() * 0.6, plot.center().y());
        wheel(*chart, at, 4);
        QVERIFY(near(chart->x_pixel(60), at.x(), 1e-6));
        QVERIFY(near(chart->x_range().size(), 100 * std::pow(0.8, 4), 1e-9));
        const double held = x_value(*chart, plot.center().x());
        drag(*chart, plot.center(), plot.center() + QPoint(30, 0));
        QVERIFY(near(chart->x_pixel(held), plot.center().x() + 30, 1.0));
        // A key that leads to a box out of sight brings it there.
        QTest::keyClick(chart.chart, Qt::Key_Home);
        shot(*chart);
        QVERIFY(chart->x_range().lower < 15);
        double_click(*chart, plot.center());
        shot(*chart);
        QCOMPARE(chart->view(), ChartView());
        QVERIFY(near(chart->x_range().size(), 100, 1e-9));
    }

    void ten_thousand_boxes_none_lost_to_the_hand() {
        TimelineData data;
        data.rows = {u("compute")};
        for (int i = 0; i < 10000; ++i)
            data.boxes.push_back(box(0, i, 0.9, i % 2 ? BoxKind::backward : BoxKind::forward, QString::number(i), i));
        data.length = milliseconds(10000);
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(data);
        shot(*chart);
        const int hit = chart->box_at(QPointF(chart->x_pixel(5), chart->row_box(0).center().y()));
        QVERIFY(near(hit, 5000, 15));
        chart->set_view({Range{4.99995, 5.00095}, std::nullopt, {}});
        const QImage image = shot(*chart);
        QCOMPARE(pixel(image, chart->x_pixel(5.00045), chart->row_box(0).top() + 7), Theme::light().forward);
        QCOMPARE(chart->box_at(QPointF(chart->x_pixel(5.00045), chart->row_box(0).center().y())), 5000);
    }

    // --- the keys of a timeline -----------------------------------------------------------------------------------

    void letters_zoom_and_pan() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        const auto shows = [&](double from, double to) {
            const Range r = chart->x_range();
            return near(r.lower, from, 1e-6) && near(r.upper, to, 1e-6);
        };
        QTest::keyClick(chart.chart, Qt::Key_W);  // 80 % of what was shown, around its middle
        QVERIFY(shows(10, 90));
        QTest::keyClick(chart.chart, Qt::Key_D);  // by an eighth
        QVERIFY(shows(20, 100));
        QTest::keyClick(chart.chart, Qt::Key_A);
        QTest::keyClick(chart.chart, Qt::Key_A);  // no farther than the beginning
        QVERIFY(shows(0, 80));
        QTest::keyClick(chart.chart, Qt::Key_S);
        QVERIFY(shows(0, 100));
        QTest::keyClick(chart.chart, Qt::Key_W, Qt::ControlModifier);
        QVERIFY(shows(0, 100));
    }

    void f_fits_what_is_marked() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        const auto fits = [&](double from, double to) {
            QTest::keyClick(chart.chart, Qt::Key_F);
            const Range r = chart->x_range();
            return near(r.lower, from, 1e-6) && near(r.upper, to, 1e-6);
        };
        QVERIFY(fits(0, 100));  // nothing is marked
        chart->set_selected_layer(4);
        QVERIFY(fits(17.5, 92.5));  // 30 to 80 and 40 to 60, with a quarter beside
        QTest::keyClick(chart.chart, Qt::Key_End);
        QVERIFY(fits(50, 100));  // the box with the keyboard: 60 to 100, no farther than the end
        QTest::keyClick(chart.chart, Qt::Key_0);
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->box_rect(0).center().toPoint());
        QVERIFY(fits(0, 37.5));
    }

    /// Words of the row, of what a box does and of its micro-batch; numbers as a whole.
    void slash_finds_boxes() {
        TimelineData data;
        data.rows = {u("Stage 1"), u("Stage 2")};
        for (int i = 0; i < 24; ++i) {
            data.boxes.push_back(box(i % 2, i * 10.0, 10, i < 12 ? BoxKind::forward : BoxKind::backward));
            data.boxes.back().micro_batch = i % 12 / 2;
        }
        data.boxes.push_back(box(1, 240, 10, BoxKind::update));
        data.boxes.back().label = u("h12/attention/q");
        data.length = milliseconds(250);
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(data);
        shot(*chart);
        QTest::keyClick(chart.chart, Qt::Key_Slash);
        auto* find = chart->findChild<TimelineFind*>();
        QVERIFY(find && find->isVisible());
        auto* field = find->findChild<QLineEdit*>();
        const auto type = [&](const QString& text) {
            field->clear();
            QTest::keyClicks(field, text);
            return find->found_text();
        };
        const auto from = [&] { return chart->tooltip_text(); };
        QCOMPARE(type(u("stage 2 back")), u("1 of 6"));
        QVERIFY2(from().contains(u("from 130")), qPrintable(from()));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(find->found_text(), u("2 of 6"));
        QVERIFY(from().contains(u("from 150")));
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);  // before the first one comes the last one
        QCOMPARE(find->found_text(), u("6 of 6"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(find->found_text(), u("1 of 6"));
        QCOMPARE(type(u("stage 1 forward 3")), u("1 of 1"));
        QVERIFY(from().contains(u("from 40")));
        QCOMPARE(type(u("atten")), u("1 of 1"));
        data.boxes.push_back(box(0, 300, 10, BoxKind::weight_gradients));
        data.boxes.back().micro_batch = 4;
        chart->set_data(data);
        QCOMPARE(type(u("weights 5")), u("1 of 1"));  // "Gradients of weights"
        QCOMPARE(type(u("weights 4")), u("not found"));
        QCOMPARE(type(u("h1 ")), u("1 of 1"));  // by its beginning
        QCOMPARE(type(u("stage 7")), u("not found"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!find->isVisible());
        QVERIFY(chart->hasFocus());
    }

    /// A micro-batch is followed through the stages in order of time; the others become pale.
    void m_follows_a_micro_batch() {
        TimelineData data;
        data.rows = {u("stage 0"), u("stage 1")};
        for (const auto& [row, start, micro_batch] : {std::tuple{0, 0.0, 0},
                                                      {0, 10.0, 1},
                                                      {0, 40.0, 0},
                                                      {0, 50.0, 1},
                                                      {1, 10.0, 0},
                                                      {1, 20.0, 1},
                                                      {1, 30.0, 0}}) {
            data.boxes.push_back(box(row, start, 10, BoxKind::forward));
            data.boxes.back().micro_batch = micro_batch;
        }
        data.boxes.push_back(box(1, 60, 10, BoxKind::update));
        data.length = milliseconds(70);
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(data);
        shot(*chart);
        const auto key = [&](Qt::Key k) { QTest::keyClick(chart.chart, k); };
        const auto colour = [&](int index) {
            return pixel(shot(*chart), chart->box_rect(index).right() - 8, chart->box_rect(index).center().y());
        };
        key(Qt::Key_M);
        QCOMPARE(chart->followed(), -1);  // of which box?
        key(Qt::Key_Home);
        key(Qt::Key_M);
        QCOMPARE(chart->followed(), 0);
        QVERIFY(chart->description().contains(u("Micro-batch 1 is followed.")));
        QCOMPARE(colour(0), Theme::light().forward);
        QCOMPARE(colour(5 - 1), Theme::light().forward);
        QVERIFY(colour(1) != Theme::light().forward);
        for (const double from : {10.0, 30.0, 40.0, 40.0}) {  // stage 1, stage 1, stage 0, and there it ends
            key(Qt::Key_Right);
            QVERIFY2(chart->tooltip_text().contains(u("from %1").arg(from)), qPrintable(chart->tooltip_text()));
        }
        key(Qt::Key_Left);
        QVERIFY(chart->tooltip_text().contains(u("from 30")));
        key(Qt::Key_W);
        key(Qt::Key_F);  // from 0 to 50 with a quarter beside
        QVERIFY(near(chart->x_range().lower, 0, 1e-6) && near(chart->x_range().upper, 62.5, 1e-6));
        key(Qt::Key_M);
        QCOMPARE(chart->followed(), -1);
        QCOMPARE(colour(1), Theme::light().forward);
        // What is gone cannot be followed.
        key(Qt::Key_M);
        data.boxes.resize(0);
        chart->set_data(data);
        QCOMPARE(chart->followed(), -1);
    }

    // --- the strip over a timeline --------------------------------------------------------------------------------

    /// Half a pixel of red over blue ground is the mean of both; two bars in a pixel share it; nothing lies outside.
    void lanes_have_the_mean_colour_of_their_work() {
        const QRgb red = qRgb(200, 0, 0), green = qRgb(0, 100, 0), ground = qRgb(0, 0, 40);
        const std::vector<StripBar> bars{
            {0, 0, 1.5, red}, {1, 2.25, 2.5, red}, {1, 2.5, 3.25, green}, {5, 0, 4, red}, {1, -3, -1, red}};
        const QImage image = strip_lanes(bars, 2, {0, 4}, 4, ground);
        QCOMPARE(image.size(), QSize(4, 2));
        const auto at = [&](int x, int y) { return image.pixel(x, y); };
        QCOMPARE(at(0, 0), red);
        QCOMPARE(at(1, 0), qRgb(100, 0, 20));
        QCOMPARE(at(2, 0), ground);
        QCOMPARE(at(0, 1), ground);
        QCOMPARE(at(2, 1), qRgb(50, 50, 10));
        QCOMPARE(at(3, 1), qRgb(0, 25, 30));
        // Bars over each other share a pixel, and none is lost.
        QCOMPARE(strip_lanes({{0, 0, 1, red}, {0, 0, 1, green}}, 1, {0, 1}, 1, ground).pixel(0, 0), qRgb(100, 50, 0));
    }

    void the_strip_stands_where_there_is_room() {
        Shown<TimelineChart> chart(800, 160);
        chart->set_data(one_step());
        shot(*chart);
        QVERIFY(chart->strip().place().isEmpty());
        const QSize least = chart->minimumSizeHint();
        chart.window.resize(800, 300);
        QCoreApplication::processEvents();
        const QImage image = shot(*chart);
        const QRectF strip = chart->strip().place();
        QVERIFY(strip.bottom() < chart->row_box(0).top() && strip.left() == chart->plot_rect().left());
        QCOMPARE(chart->minimumSizeHint(), least);  // it takes no room from anything else
        const Theme& look = Theme::light();
        const auto colour = [&](double ms, int lane) {
            return pixel(image, chart->strip().px(ms), strip.top() + strip.height() * (2 * lane + 1) / 4);
        };
        QCOMPARE(colour(15, 0), look.forward);
        QCOMPARE(colour(60, 0), look.backward);
        QCOMPARE(colour(90, 0), look.grid);
        QCOMPARE(colour(80, 1), look.communication);
        // Once it has gone, a press at its place holds nothing.
        chart.window.resize(800, 160);
        QCoreApplication::processEvents();
        shot(*chart);
        drag(*chart, strip.center().toPoint(), strip.center().toPoint() + QPoint(100, 0));
        QCOMPARE(chart->view(), ChartView());
    }

    void the_window_on_the_strip_is_drawn_moved_and_stretched() {
        Shown<TimelineChart> chart(800, 300);
        chart->set_data(one_step());
        const auto spot = [&](double ms) {
            shot(*chart);
            return QPoint(qRound(chart->strip().px(ms)), qRound(chart->strip().place().center().y()));
        };
        const auto shows = [&](double from, double to) {
            shot(*chart);
            const Range r = chart->x_range();
            const bool right = near(r.lower, from, 0.3) && near(r.upper, to, 0.3);
            if (!right) qWarning("%g to %g", r.lower, r.upper);
            return right;
        };
        drag(*chart, spot(20), spot(60));  // all is shown: a new one, whichever way it is drawn
        QVERIFY(shows(20, 60));
        drag(*chart, spot(40), spot(50));
        QVERIFY(shows(30, 70));
        drag(*chart, spot(50), spot(99));  // no farther than the end
        QVERIFY(shows(60, 100));
        drag(*chart, spot(60), spot(80));  // its left end
        QVERIFY(shows(80, 100));
        drag(*chart, spot(100), spot(40));  // the right end, beyond the left one
        QVERIFY(shows(40, 80));
        drag(*chart, spot(30), spot(10));
        QVERIFY(shows(10, 30));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, spot(70));
        QVERIFY(shows(60, 80));
        const QRectF window = chart->strip().window();
        QVERIFY(near(window.left(), spot(60).x(), 2) && near(window.right(), spot(80).x(), 2));
        QVERIFY(chart->description().contains(QRegularExpression(u("Shown from (59|60)\\.\\d+.ms to (79|80)\\."))));
        // The keys of the chart move it too.
        QTest::keyClick(chart.chart, Qt::Key_PageUp);
        QVERIFY(shows(42, 62));
        QTest::keyClick(chart.chart, Qt::Key_Plus);
        QVERIFY(shows(44, 60));
        double_click(*chart, spot(95));
        QVERIFY(shows(0, 100));
        QVERIFY(!chart->description().contains(u("Shown from")));
        // An export shows no strip: a picture cannot be dragged.
        const QImage before = shot(*chart);
        QImage picture(800, 300, QImage::Format_RGB32);
        chart->draw_on(picture, {800, 300}, Theme::light());
        QVERIFY(count(picture, Theme::light().accent) == 0 && count(before, Theme::light().accent) > 0);
    }

    void the_hand_over_the_strip_says_what_it_can_do() {
        Shown<TimelineChart> chart(800, 300);
        chart->set_data(one_step());
        chart->set_view({Range{20, 60}, std::nullopt, {}});
        shot(*chart);
        const auto cursor = [&](double ms) {
            QTest::mouseMove(chart.chart,
                             QPoint(qRound(chart->strip().px(ms)), qRound(chart->strip().place().center().y())));
            return chart->cursor().shape();
        };
        QCOMPARE(cursor(40), Qt::OpenHandCursor);
        QCOMPARE(cursor(20), Qt::SizeHorCursor);
        QCOMPARE(cursor(60), Qt::SizeHorCursor);
        QCOMPARE(cursor(90), Qt::CrossCursor);
        QVERIFY(chart->tooltip_text().isEmpty());
    }

    // --- waterfall ------------------------------------------------------------------------------------------------

    void steps_begin_where_the_last_one_ended() {
        Shown<WaterfallChart> chart(760, 220);
        chart->set_data(from_100_to_90());
        const QImage image = shot(*chart);
        const auto& bars = chart->bars();
        QCOMPARE(bars.size(), std::size_t{5});  // two ends, two steps, and the 20 ms they leave over
        QVERIFY(near(1000.0 * (bars[3].to - bars[3].from), 20.0, 1e-9));
        QCOMPARE(bars[3].to, bars[4].to);
        const Theme& look = Theme::light();
        const auto colour = [&](double ms, int row) {
            return pixel(image, chart->x_pixel(ms), chart->row_box(row).top() + chart->row_box(row).height() * 0.3);
        };
        QCOMPARE(colour(50, 0), look.update);
        QCOMPARE(colour(50, 1), look.card);
        QCOMPARE(colour(115, 1), look.worse);
        QCOMPARE(colour(100, 2), look.better);
        QCOMPARE(colour(75, 2), look.better);
        QCOMPARE(colour(80, 3), look.worse);
        QCOMPARE(colour(50, 4), look.text);
        const double per_ms = chart->plot_rect().width() / chart->x_range().size();
        const QRectF row = chart->row_box(2);
        QVERIFY(near(run(image, row.top() + row.height() * 0.3, row.left(), row.right(), look.better), 60 * per_ms, 2));
    }

    /// Other units than time: what is better follows the quantity, numbers stay in its unit, and steps may lead on.
    void a_waterfall_of_a_quantity() {
        Shown<WaterfallChart> chart(760, 260);
        WaterfallData data;
        data.quantity = ui::Quantity{u("Throughput"), u("samples/s"), u("samples_per_s"), true};
        data.title = u("Throughput: from A to B");
        data.start_name = u("A");
        data.start = 1000;
        data.steps = {{u("Workers 8 → 16"), 900, u("Alone it would be +900."), u("cluster.workers")},
                      {u("Batch 64 → 32"), -300, {}, u("training.batch")}};
        data.end_name = u("B");
        data.end = 1600;
        data.foot = u("From A to B the throughput rises.");
        chart->set_data(data);
        const QImage image = shot(*chart);
        QCOMPARE(chart->title(), data.title);
        QCOMPARE(chart->bars().size(), std::size_t{4});
        QCOMPARE(chart->bars().back().to, 1600.0);
        const Theme& look = Theme::light();
        const auto colour = [&](double value, int row) {
            return pixel(image, chart->x_pixel(value), chart->row_box(row).top() + chart->row_box(row).height() * 0.3);
        };
        QCOMPARE(colour(1500, 1), look.better);
        QCOMPARE(colour(1700, 2), look.worse);
        QVERIFY(chart->x_range().upper >= 1900);
        QCOMPARE(chart->description(), data.foot);
        const ChartTable table = chart->table();
        QCOMPARE(table.columns[1].key, u("change_samples_per_s"));
        QCOMPARE(table.rows[1][1].number(), 900.0);
        // The foot has its own room below the rows and the axis.
        QVERIFY(chart->plot_rect().bottom() < chart->height() - 30);
        QStringList chosen;
        connect(chart.chart, &WaterfallChart::row_chosen, this, [&](const QString& id) { chosen << id; });
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->row_box(1).center().toPoint());
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->row_box(0).center().toPoint());
        for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Down, Qt::Key_Down, Qt::Key_Space})
            QTest::keyClick(chart.chart, key);
        QCOMPARE(chosen, (QStringList{u("cluster.workers"), u("training.batch")}));
        QVERIFY(chart->tooltip_text().contains(u("samples/s")));
    }

    void a_waterfall_is_read_by_pointer_and_keys() {
        Shown<WaterfallChart> chart(760, 220);
        chart->set_data(from_100_to_90());
        shot(*chart);
        QTest::mouseMove(chart.chart, chart->row_box(0).center().toPoint());
        QTest::mouseMove(chart.chart, chart->row_box(2).center().toPoint());
        QTRY_VERIFY(chart->tooltip_text().startsWith(u("counts once")));
        const QString text = chart->tooltip_text().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        QVERIFY2(text.contains(u("−60.0 ms")) && text.contains(u("−60.0 % of published")), qPrintable(text));
        QVERIFY2(text.contains(u("before 130.00 ms")) && text.contains(u("after 70.00 ms")), qPrintable(text));
        QTest::keyClick(chart.chart, Qt::Key_Down);
        QVERIFY(chart->tooltip_text().contains(u("beyond each alone")));
        QTest::keyClick(chart.chart, Qt::Key_Home);
        QVERIFY(chart->tooltip_text().startsWith(u("published")));
        QTest::keyClick(chart.chart, Qt::Key_End);
        QVERIFY(chart->tooltip_text().startsWith(u("corrected")));
        QTest::keyClick(chart.chart, Qt::Key_Up);
        QVERIFY(chart->tooltip_text().contains(u("beyond each alone")));
        QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->legend_box(u("adds")).center().toPoint());
        const QImage image = shot(*chart);
        QCOMPARE(pixel(image, chart->x_pixel(115), chart->row_box(1).top() + 8), Theme::light().card);
        QVERIFY(chart->description().contains(u("counts once")));
    }
};

QTEST_MAIN(TestChartsRows)
#include "tst_charts_rows.moc"
