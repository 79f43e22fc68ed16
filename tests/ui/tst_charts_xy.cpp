// SPDX-License-Identifier: GPL-3.0-or-later
// The chart of points over two axes: what stands on it where axes span many decades.
#include "support_charts.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/scale.hpp"
#include "ui/charts/xy_chart.hpp"

using namespace chart_test;
using namespace scalescope::ui;

class TestChartsXy : public QObject {
    Q_OBJECT

    static XyData between(double low, double high) {
        XyData data;
        data.x = {u("measured"), u("ms"), u("measured_ms"), true, false};
        data.y = {u("predicted"), u("ms"), u("predicted_ms"), true, false};
        data.equal_axes = true;
        data.around = {0.1, 0.25};
        XyPoint a, b;
        a.x = a.y = low;
        b.x = b.y = high;
        data.series = {{u("runs"), u("Runs"), XySeries::Style::dots, 0, {a, b}}};
        return data;
    }

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void labels_of_decades_data() {
        QTest::addColumn<QList<double>>("ticks");
        QTest::addColumn<QStringList>("labels");
        QTest::newRow("thousands") << QList<double>{20000, 50000, 100000}
                                   << u("20,000|50,000|100,000").split(QLatin1Char('|'));
        QTest::newRow("ones") << QList<double>{0.05, 0.1, 1, 10, 1000}
                              << u("0.05|0.1|1|10|1,000").split(QLatin1Char('|'));
        QTest::newRow("millions") << QList<double>{10, 1e4, 1e7, 5e10}
                                  << u("10|10 k|10 M|50 B").split(QLatin1Char('|'));
        QTest::newRow("tiny") << QList<double>{1e-6, 5e-4, 0.01, 1, 10}
                              << u("10⁻⁶|5·10⁻⁴|10⁻²|1|10").split(QLatin1Char('|'));
        QTest::newRow("no dust") << QList<double>{5 * 0.001} << u("0.005").split(QLatin1Char('|'));
    }
    void labels_of_decades() {
        QFETCH(QList<double>, ticks);
        QStringList found;
        for (QString label : log_tick_labels({ticks.begin(), ticks.end()}))
            found << label.replace(QChar::Nbsp, QLatin1Char(' '));
        QTEST(found, "labels");
    }

    void labels_of_powers_data() {
        QTest::addColumn<QList<double>>("ticks");
        QTest::addColumn<QStringList>("labels");
        const auto row = [](const char* name, const QList<double>& ticks, const char* labels) {
            QTest::newRow(name) << ticks << u(labels).split(QLatin1Char('|'));
        };
        row("far below one", {1.0 / 256, 1.0 / 16, 1, 16, 1024}, "1/256|1/16|1|16|1,024");
        row("out of sight", {std::ldexp(1.0, -40), 1, std::ldexp(1.0, 20)}, "2⁻⁴⁰|1|2²⁰");
        row("no powers", {0.002, 0.0022, 0.0024}, "0.0020|0.0022|0.0024");
        row("zoomed in", {20, 25, 30}, "20|25|30");
    }
    void labels_of_powers() {
        QFETCH(QList<double>, ticks);
        QStringList found;
        for (const QString& label : power_tick_labels({ticks.begin(), ticks.end()})) found << label;
        QTEST(found, "labels");
    }

    /// Classes differ in shape, not in hue alone, and the legend shows the shape that the chart does; the left axis
    /// has its name beside it.
    void a_class_of_points_has_a_shape_of_its_own() {
        XyData data = between(1, 10);
        data.equal_axes = false;
        data.series.clear();
        for (int i = 0; i < 4; ++i)
            data.series.push_back({QString::number(i),
                                   QStringLiteral("class %1").arg(i),
                                   XySeries::Style::dots,
                                   i,
                                   {{1.0 + 2 * i, 5.0, {}, {}, false, -1}}});
        Shown<XyChart> chart(640, 400);
        chart->set_data(data);
        constexpr int scale = 8, legend_end = 36 * scale;
        const QImage drawn = chart_image(*chart, {QSize(640, 400), scale, &Theme::light()});
        const auto shape = [&](const QColor& colour, int top, int bottom) {
            QRect box;
            int ink = 0;
            std::vector<int> rows;
            for (int y = top; y < bottom; ++y) {
                int row = 0;
                for (int x = 0; x < drawn.width(); ++x)
                    if (drawn.pixelColor(x, y) == colour) ++row, box |= QRect(x, y, 1, 1);
                if (row > 0) rows.push_back(row);
                ink += row;
            }
            if (rows.size() < 20) return QStringLiteral("nothing");
            const double filled = static_cast<double>(ink) / (box.width() * box.height());
            if (filled > 0.9) return QStringLiteral("square");
            if (filled > 0.7) return QStringLiteral("disc");
            return rows[rows.size() - 3] > 2 * rows[2] ? QStringLiteral("triangle") : QStringLiteral("diamond");
        };
        const QStringList wanted{u("disc"), u("square"), u("triangle"), u("diamond")};
        for (int i = 0; i < 4; ++i) {
            const QColor colour = Theme::light().curves[static_cast<std::size_t>(i)];
            QCOMPARE(shape(colour, 0, legend_end), wanted[i]);
            QCOMPARE(shape(colour, legend_end, drawn.height()), wanted[i]);
        }
        const QImage image = shot(*chart);
        QVERIFY(chart->y_name_box().left() >= 0 && chart->y_name_box().right() < chart->plot_rect().left());
        int ink = 0;
        const QRect name = chart->y_name_box().toRect();
        for (int y = name.top(); y < name.bottom(); ++y)
            for (int x = name.left(); x < name.right(); ++x) ink += pixel(image, x, y) != Theme::light().card ? 1 : 0;
        QVERIFY(ink > 20);
    }

    /// Names of the lines at ±10 % and ±25 % have room over one decade; over eight they would lie on each other.
    void names_of_lines_keep_apart() {
        Shown<XyChart> chart;
        chart->set_data(between(1, 1.5));
        chart->refresh();
        QCOMPARE(chart->diagonal_names().size(), std::size_t{4});
        chart->set_data(between(1e-3, 1e5));
        chart->refresh();
        const auto names = chart->diagonal_names();
        QCOMPARE(names.size(), std::size_t{2});
        QCOMPARE(names[0].text, u("+10 %, +25 %"));
        QCOMPARE(names[1].text, u("−10 %, −25 %"));
        for (const auto& name : names) QVERIFY(QRectF(chart->plot_rect()).contains(name.box));
    }
    void no_two_names_touch() {
        Shown<XyChart> chart;
        for (const double decades : {0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0}) {
            chart->set_data(between(1, std::pow(10.0, decades)));
            chart->refresh();
            const auto names = chart->diagonal_names();
            for (std::size_t i = 0; i < names.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY2(!names[i].box.adjusted(-3, 0, 3, 0).intersects(names[k].box), qPrintable(names[i].text));
        }
    }
};

QTEST_MAIN(TestChartsXy)
#include "tst_charts_xy.moc"
