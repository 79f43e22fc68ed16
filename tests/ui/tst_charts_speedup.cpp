// SPDX-License-Identifier: GPL-3.0-or-later
// The speedup chart: both axes logarithmic, and a crosshair that is the workers slider.
#include <QSignalSpy>
#include <limits>
#include <set>

#include "support_charts.hpp"
#include "support_painted.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/charts/speedup_chart.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace chart_test;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// Amdahl's law.
SpeedupCurve amdahl(const QString& name, double serial, int last) {
    SpeedupCurve curve;
    curve.name = name;
    for (int n = 1; n <= last; n = n < 8 ? n + 1 : n + n / 8)
        curve.points.push_back({n, 1.0 / (serial + (1.0 - serial) / n), {}});
    return curve;
}

SpeedupData three_curves() {
    SpeedupData data;
    data.curves = {amdahl(u("Data"), 0.02, 256), amdahl(u("Outputs"), 0.2, 256), amdahl(u("Layers"), 0.0, 256)};
    for (SpeedupPoint& p : data.curves[2].points)
        if (p.workers > 15) p.speedup = nothing, p.reason = u("15 layers make 15 stages at most.");
    data.shown = 0;
    data.current = 32;
    data.max_workers = 256;
    data.caption = u("workers (log)");
    for (SpeedupCurve& c : data.curves) {  // the counts that are marked and asked for
        c.look = static_cast<int>(&c - data.curves.data());
        const auto has = [&](int n) {
            return std::any_of(c.points.begin(), c.points.end(), [n](const SpeedupPoint& p) { return p.workers == n; });
        };
        for (int n = 16; n <= 256; n *= 2)
            if (!has(n)) {
                const double serial = &c == &data.curves[0] ? 0.02 : 0.2;
                const bool gap = &c == &data.curves[2];
                c.points.push_back({n, gap ? nothing : 1.0 / (serial + (1.0 - serial) / n),
                                    gap ? u("15 layers make 15 stages at most.") : QString()});
            }
        std::sort(c.points.begin(), c.points.end(),
                  [](const SpeedupPoint& a, const SpeedupPoint& b) { return a.workers < b.workers; });
    }
    return data;
}

/// True if a pixel within one pixel of a point has the colour.
bool touches(const QImage& image, double x, double y, const QColor& colour) {
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (pixel(image, x + dx, y + dy) == colour) return true;
    return false;
}

/// True if a thin line of the colour, not on whole pixels, covers most of a pixel here.
bool crossed(const QImage& image, double x, double y, const QColor& line, const QColor& ground) {
    for (int dx = -1; dx <= 1; ++dx) {
        const QColor c = pixel(image, x + dx, y);
        const int whole = std::abs(line.red() - ground.red()), part = std::abs(c.red() - ground.red());
        if (part > whole * 0.6 && std::abs(c.blue() - ground.blue()) <= std::abs(line.blue() - ground.blue()) + 8)
            return true;
    }
    return false;
}

bool near(double a, double b, double slack) { return std::abs(a - b) <= slack; }

}  // namespace

class TestChartsSpeedup : public QObject {
    Q_OBJECT

private slots:
    void init() { apply_theme(*qApp, ThemeChoice::light); }

    void points_lie_on_two_logarithmic_axes_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void points_lie_on_two_logarithmic_axes() {
        QFETCH(bool, dark);
        apply_theme(*qApp, dark ? ThemeChoice::dark : ThemeChoice::light);
        const Theme& look = dark ? Theme::dark_theme() : Theme::light();
        Shown<SpeedupChart> chart(620, 420);
        chart->set_data(three_curves());
        const QImage image = shot(*chart);
        QCOMPARE(chart->x_range(), Range({1.0, 256.0}));
        QCOMPARE(chart->y_range(), Range({1.0, 256.0}));
        const QRect plot = chart->plot_rect();
        QVERIFY(near(chart->x_pixel(16), plot.left() + plot.width() / 2.0, 1e-6));
        QVERIFY(near(chart->y_pixel(16), plot.top() + plot.height() / 2.0, 1e-6));
        // Markers at 4 and 64 have the curve's colour; nothing else of that colour lies far above the curve.
        for (int n : {4, 64}) {
            const double s0 = 1.0 / (0.02 + 0.98 / n), s1 = 1.0 / (0.2 + 0.8 / n);
            const double x = plot.left() + plot.width() * std::log2(n) / 8.0;
            const auto y = [&](double s) { return plot.top() + plot.height() * (1 - std::log2(s) / 8.0); };
            QVERIFY2(touches(image, x, y(s0), look.curves[0]), qPrintable(QString::number(n)));
            QVERIFY2(touches(image, x, y(s1), look.curves[1]), qPrintable(QString::number(n)));
            QCOMPARE(count(image, x, plot.top(), y(s0) - 8, look.curves[0]), 0);
        }
        // Layers end where they can no longer be run.
        QVERIFY(touches(image, chart->x_pixel(4), chart->y_pixel(4), look.curves[2]));
        QCOMPARE(count(image, chart->x_pixel(64), plot.top(), plot.bottom(), look.curves[2]), 0);
        // The crosshair: a line in the accent over the whole height, a ring on the shown curve.
        QVERIFY(near(chart->crosshair_x(), chart->x_pixel(32), 1e-9));
        QVERIFY(crossed(image, chart->crosshair_x(), plot.top() - 3, look.accent, look.card));
        QVERIFY(touches(image, chart->crosshair_x(), chart->y_pixel(1.0 / (0.02 + 0.98 / 32)), look.card));
    }

    void small_charts_say_less_rather_than_cut_it() {
        SpeedupData data = three_curves();
        data.curves = {amdahl(u("Data"), 0.2, 1024)};
        data.max_workers = 1024;
        data.caption = u("workers (log) · 1× = one worker, all 1,024 samples");
        std::set<QString> captions;
        for (const QSize size : {QSize(160, 120), QSize(200, 130), QSize(260, 150), QSize(330, 200), QSize(620, 420)}) {
            Shown<SpeedupChart> chart(size.width(), size.height());
            chart->set_data(data);
            chart->refresh();
            const QStringList faults = tests::faults_of_painted(*chart);
            QVERIFY2(faults.isEmpty(), qPrintable(QString::number(size.width()) + faults.join(QLatin1Char('\n'))));
            for (const auto& painted : tests::painted_texts(*chart))
                if (painted.text.startsWith(u("workers"))) captions.insert(painted.text);
        }
        QCOMPARE(captions, std::set<QString>({u("workers (log)"), u("workers (log) · 1× = one worker"), data.caption}));
    }

    void a_reading_is_the_point_or_the_line_between_two() {
        SpeedupChart chart;
        chart.set_data(three_curves());
        QVERIFY(chart.reading(0, 32).exact);
        QCOMPARE(chart.reading(0, 32).speedup, 1.0 / (0.02 + 0.98 / 32));
        SpeedupData two;
        two.curves = {{u("a"), {{1, 1.0, {}}, {16, 4.0, {}}}}};
        two.max_workers = 16;
        chart.set_data(two);
        QVERIFY(!chart.reading(0, 4).exact);
        QVERIFY(near(chart.reading(0, 4).speedup, 2.0, 1e-12));  // straight on the drawing
        QVERIFY(std::isnan(chart.reading(0, 17).speedup));
        QVERIFY(std::isnan(chart.reading(5, 4).speedup));
        QVERIFY(std::isnan(chart.reading(-1, 4).speedup));
    }

    void hovering_reads_all_curves() {
        Shown<SpeedupChart> chart(620, 420);
        chart->set_data(three_curves());
        shot(*chart);
        const int y = chart->plot_rect().center().y();
        QTest::mouseMove(chart.chart, QPoint(qRound(chart->x_pixel(20)), y));
        QTest::mouseMove(chart.chart, QPoint(qRound(chart->x_pixel(64)), y));
        QTRY_VERIFY(chart->tooltip_text().startsWith(u("64 workers")));
        const QString text = chart->tooltip_text();
        QVERIFY2(text.contains(u("Data 28.3×")), qPrintable(text));
        QVERIFY2(text.contains(u("Outputs 4.71×")), qPrintable(text));
        QVERIFY2(text.contains(u("Layers –")) && text.contains(u("Layers: 15 layers make 15 stages at most.")),
                 qPrintable(text));
        QVERIFY(text.indexOf(u("Data")) < text.indexOf(u("Outputs")));  // the upper curve first
    }

    void the_crosshair_is_dragged() {
        Shown<SpeedupChart> chart(620, 420);
        chart->set_data(three_curves());
        shot(*chart);
        QSignalSpy dragged(chart.chart, &SpeedupChart::workers_dragged);
        QSignalSpy finished(chart.chart, &SpeedupChart::workers_drag_finished);
        const QPoint from(qRound(chart->crosshair_x()), chart->plot_rect().center().y());
        const QPoint to(qRound(chart->x_pixel(128)), from.y() - 40);
        drag(*chart, from, to);
        QCOMPARE(finished.size(), 1);
        QVERIFY(dragged.size() >= 8);
        QVERIFY(near(chart->workers(), 128, 3));
        QCOMPARE(dragged.last().at(0).toInt(), chart->workers());
        const QImage image = shot(*chart);
        QVERIFY(crossed(image, chart->crosshair_x(), chart->plot_rect().top() - 3, Theme::light().accent,
                        Theme::light().card));
        drag(*chart, QPoint(qRound(chart->crosshair_x()), from.y()), QPoint(5000, from.y()));
        QCOMPARE(chart->workers(), 256);
        const auto before = dragged.size();
        chart->set_workers(10);  // by program: silent
        QCOMPARE(dragged.size(), before);
        QCOMPARE(chart->workers(), 10);
        chart->set_workers(100000);
        QCOMPARE(chart->workers(), 256);
    }

    void keys_move_the_crosshair_exactly() {
        Shown<SpeedupChart> chart(620, 420);
        chart->set_data(three_curves());
        shot(*chart);
        QSignalSpy finished(chart.chart, &SpeedupChart::workers_drag_finished);
        const auto key = [&](Qt::Key k) {
            QTest::keyClick(chart.chart, k);
            return chart->workers();
        };
        QCOMPARE(key(Qt::Key_Right), 33);
        QCOMPARE(key(Qt::Key_PageUp), 64);
        QCOMPARE(key(Qt::Key_Left), 63);
        QCOMPARE(key(Qt::Key_PageDown), 32);
        QCOMPARE(key(Qt::Key_PageDown), 16);
        QCOMPARE(key(Qt::Key_Home), 1);
        QCOMPARE(key(Qt::Key_PageDown), 1);
        QCOMPARE(key(Qt::Key_End), 256);
        QCOMPARE(key(Qt::Key_Right), 256);
        QCOMPARE(finished.size(), 7);
    }

    void every_mark_of_the_legend_has_its_name_however_narrow() {
        for (const int width : {700, 460, 330, 260}) {
            Shown<SpeedupChart> chart(width, 320);
            chart->set_data(three_curves());
            shot(*chart);
            QRectF before;
            for (const QString& key : chart->series()) {
                const QRectF box = chart->legend_box(key);
                QVERIFY2(box.width() > 18 + 6 + 15, qPrintable(QStringLiteral("%1 at %2").arg(key).arg(width)));
                QVERIFY(box.left() >= 0 && box.right() <= width);
                QVERIFY(!box.intersects(before));
                QVERIFY(box.center().y() < chart->plot_rect().top());
                before = box;
            }
        }
        Shown<SpeedupChart> wide(700, 320), narrow(300, 320);
        for (auto* chart : {wide.chart, narrow.chart}) {
            chart->set_data(three_curves());
            shot(*chart);
        }
        QVERIFY(narrow->plot_rect().top() > wide->plot_rect().top());
    }

    void the_legend_hides_a_curve_and_rescales() {
        Shown<SpeedupChart> chart(700, 420);
        SpeedupData data = three_curves();
        chart->set_data(data);
        shot(*chart);
        QCOMPARE(chart->series(), QStringList({u("curve0"), u("curve1"), u("curve2"), u("ideal")}));
        const auto click = [&](const char* key) {
            QTest::mouseClick(chart.chart, Qt::LeftButton, {}, chart->legend_box(u(key)).center().toPoint());
            return shot(*chart);
        };
        QImage image = click("curve1");
        QVERIFY(!touches(image, chart->x_pixel(64), chart->y_pixel(1.0 / (0.2 + 0.8 / 64)), Theme::light().curves[1]));
        QCOMPARE(chart->y_range().upper, 256.0);  // the ideal line still needs it
        image = click("ideal");
        QCOMPARE(chart->y_range().upper, 64.0);  // Data reaches 42 of 50
        QVERIFY(touches(image, chart->x_pixel(64), chart->y_pixel(1.0 / (0.02 + 0.98 / 64)), Theme::light().curves[0]));
        click("ideal");
        click("curve1");
        QCOMPARE(chart->y_range().upper, 256.0);
        QVERIFY(chart->view().hidden_series.isEmpty());
    }

    void zoom_keeps_the_point_under_the_cursor() {
        Shown<SpeedupChart> chart(620, 420);
        chart->set_data(three_curves());
        shot(*chart);
        const QRect plot = chart->plot_rect();
        const QPointF at(plot.left() + plot.width() * 0.25, plot.top() + plot.height() * 0.75);
        const double value = x_value(*chart, at.x(), true);
        wheel(*chart, at, 3);
        QVERIFY(near(chart->x_pixel(value), at.x(), 1e-6));
        QVERIFY(near(chart->y_pixel(4.0), at.y(), 0.5));  // both axes, y about 256^0.25
        QVERIFY(chart->view().x && chart->view().y);
        const double held = x_value(*chart, plot.center().x(), true);
        drag(*chart, plot.center(), plot.center() - QPoint(50, 20));
        QVERIFY(near(chart->x_pixel(held), plot.center().x() - 50, 1.0));
        double_click(*chart, plot.center() + QPoint(60, 60));
        shot(*chart);
        QCOMPARE(chart->x_range(), Range({1.0, 256.0}));
        QCOMPARE(chart->view(), ChartView());
        // Zoomed far in and out again: everything, following the data.
        for (int i = 0; i < 60; ++i) wheel(*chart, at, 1);
        QVERIFY(chart->x_range().upper / chart->x_range().lower >= 2.0 - 1e-9);
        for (int i = 0; i < 120; ++i) wheel(*chart, at, -1);
        shot(*chart);
        QVERIFY(near(chart->x_range().upper, 256.0, 1e-6));
        QCOMPARE(chart->y_range(), Range({1.0, 256.0}));
        QVERIFY(!chart->view().y);
    }

    void gaps_single_points_and_nothing() {
        Shown<SpeedupChart> chart(620, 420);
        SpeedupData data;
        data.curves = {{u("a"), {{4, nothing, u("no")}, {8, 3.0, {}}, {16, nothing, u("no")}}}};
        data.max_workers = 16;
        data.current = 8;
        chart->set_data(data);
        QImage image = shot(*chart);
        // Alone between two gaps: no line, so it needs its marker. The ring of the crosshair lies over it here.
        chart->set_workers(2);
        QTRY_VERIFY(touches(shot(*chart), chart->x_pixel(8), chart->y_pixel(3), Theme::light().curves[0]));
        data.curves.clear();
        data.empty_reason = u("Choose a device.");
        chart->set_data(data);
        image = shot(*chart);
        QCOMPARE(chart->description(), u("Choose a device."));
        QCOMPARE(count(image, Theme::light().accent), 0);
        QVERIFY(count(image, Theme::light().card) > 620 * 420 / 2);
        wheel(*chart, chart->rect().center(), 3);  // nothing to zoom
        QTest::keyClick(chart.chart, Qt::Key_Right);
        QVERIFY(!chart->view().x);
        data = {};
        data.curves = {{u("slow"), {{1, 1.0, {}}, {2, 0.1, {}}, {4, 0.02, {}}}}};
        data.max_workers = 4;
        chart->set_data(data);
        shot(*chart);
        QVERIFY(chart->y_range().lower <= 0.02);  // below one it is still on the axis
        QVERIFY(chart->plot_rect().contains(QPoint(chart->plot_rect().center().x(), qRound(chart->y_pixel(0.02)))));
    }

    void the_legend_shows_the_cross_of_what_does_not_fit() {
        Shown<SpeedupChart> chart(900, 420);
        SpeedupData data = three_curves();
        for (SpeedupPoint& p : data.curves[0].points) p.fits = p.workers < 64;
        chart->set_data(data);
        const QImage image = shot(*chart);
        const QRectF box = chart->legend_box(misfit_key);
        QVERIFY(!box.isEmpty());
        const QColor error = Theme::light().error;
        QVERIFY(touches(image, box.left() + 5, box.center().y(), error));
        QCOMPARE(count(image, box.left(), box.top(), box.bottom(), error), 0);  // a box would have its outline here
    }
};

QTEST_MAIN(TestChartsSpeedup)
#include "tst_charts_speedup.moc"
