// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves a chart: table, CSV, pictures, clipboard; the same for every chart, whatever it was given.
#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTableView>
#include <QTemporaryDir>
#include <clocale>
#include <limits>

#include "support_charts.hpp"
#include "support_pdf.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/svg_texts.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace chart_test;

namespace {

/// One chart of each class with `n` things in it, each of which takes 1 + i / 8 ms forward.
std::vector<std::unique_ptr<Chart>> all_charts(int n, double bad = 0.0) {
    const auto time = [bad](int i) {
        return TimeParts{
            milliseconds(bad != 0.0 ? bad : 1 + i / 8.0), milliseconds(2.5), {}, milliseconds(0.25), {}, {}};
    };
    std::vector<std::unique_ptr<Chart>> charts;
    auto layers = std::make_unique<LayerTimeChart>();
    LayerTimeData l;
    StepTimeData s;
    SpeedupData c;
    WaterfallData w;
    TimelineData t;
    if (n > 0) c.curves = {{u("Data, \"ring\""), {}}};
    if (n > 0) t.rows = {u("compute")};
    for (int i = 0; i < n; ++i) {
        l.layers.push_back({i, QStringLiteral("conv%1").arg(i), {}, time(i)});
        s.bars.push_back({i + 1, time(i), {}});
        c.curves[0].points.push_back({i + 1, bad != 0.0 ? bad : 1 + i / 8.0, {}});
        w.steps.push_back({QStringLiteral("step %1").arg(i), 1e-3 * (bad != 0.0 ? bad : 1.5), u("why, exactly"), {}});
        t.boxes.push_back({0, milliseconds(i), milliseconds(bad != 0.0 ? bad : 0.5), QStringLiteral("box%1").arg(i),
                           BoxKind::forward, i});
    }
    if (n > 0) {
        l.step = milliseconds(100);
        s.current = 1;
        c.max_workers = std::max(2, n);
        w.start_name = u("before");
        w.start = 10e-3;
        w.end_name = u("after");
        w.end = 1e-3 * (10 + 1.5 * n);
        t.length = milliseconds(n);
    }
    layers->set_data(l);
    auto steps = std::make_unique<StepTimeChart>();
    steps->set_data(s);
    auto speedup = std::make_unique<SpeedupChart>();
    speedup->set_data(c);
    auto waterfall = std::make_unique<WaterfallChart>();
    waterfall->set_data(w);
    auto timeline = std::make_unique<TimelineChart>();
    timeline->set_data(t);
    charts.push_back(std::move(layers));
    charts.push_back(std::move(steps));
    charts.push_back(std::move(speedup));
    charts.push_back(std::move(waterfall));
    charts.push_back(std::move(timeline));
    for (auto& chart : charts) chart->set_notes({u("AlexNet, data parallel, 32 workers")});
    return charts;
}

/// The rows of a CSV text as fields, RFC 4180, comments left out.
std::vector<QStringList> csv_rows(const QByteArray& bytes) {
    std::vector<QStringList> rows;
    QStringList row;
    QString field;
    bool quoted = false, comment = false, at_start = true;
    const QString text = QString::fromUtf8(bytes);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (at_start) comment = c == QLatin1Char('#');
        at_start = c == QLatin1Char('\n') && !quoted;
        if (comment) continue;
        if (quoted) {
            if (c != QLatin1Char('"'))
                field += c;
            else if (i + 1 < text.size() && text[i + 1] == QLatin1Char('"'))
                field += text[++i];
            else
                quoted = false;
        } else if (c == QLatin1Char('"')) {
            quoted = true;
        } else if (c == QLatin1Char(',') || c == QLatin1Char('\n')) {
            row << field;
            field.clear();
            if (c == QLatin1Char('\n')) rows.push_back(row), row.clear();
        } else {
            field += c;
        }
    }
    return rows;
}

QColor average(const QImage& image, const QRect& box) {
    qint64 r = 0, g = 0, b = 0, n = 0;
    for (int y = box.top(); y <= box.bottom(); ++y)
        for (int x = box.left(); x <= box.right(); ++x, ++n) {
            const QColor c = image.pixelColor(x, y);
            r += c.red(), g += c.green(), b += c.blue();
        }
    return {static_cast<int>(r / n), static_cast<int>(g / n), static_cast<int>(b / n)};
}

}  // namespace

class TestChartsExport : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::German));  // a decimal comma must reach no file
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
            if (std::setlocale(LC_ALL, name)) break;
        QVERIFY(folder_.isValid());
    }
    void init() { apply_theme(*qApp, ThemeChoice::light); }

    void png_has_exactly_its_size_data() {
        QTest::addColumn<double>("scale");
        for (double scale : {1.0, 2.0, 3.0}) QTest::addRow("%gx", scale) << scale;
    }
    void png_has_exactly_its_size() {
        QFETCH(double, scale);
        for (const Theme* look : {&Theme::light(), &Theme::dark_theme()}) {
            for (auto& chart : all_charts(12)) {
                const QImage image = QImage::fromData(chart_png(*chart, {QSize(640, 333), scale, look}), "PNG");
                QCOMPARE(image.size(), QSize(qRound(640 * scale), qRound(333 * scale)));
                QCOMPARE(image.dotsPerMeterX(), qRound(96 / 0.0254 * scale));  // prints at the same size
                QCOMPARE(image.pixelColor(1, image.height() - 2), look->card);
                QVERIFY(count(image, look->card) < image.width() * image.height() * 0.99);
                QVERIFY(image.text(u("Description")).contains(u("AlexNet, data parallel, 32 workers")));
            }
        }
    }

    void a_picture_shows_what_the_screen_shows() {
        Shown<LayerTimeChart> chart(640, 320);
        LayerTimeData data;
        data.layers = {{0, u("a"), {}, {milliseconds(10), {}, {}, {}, {}, {}}},
                       {1, u("b"), {}, {milliseconds(40), {}, {}, {}, {}, {}}}};
        data.step = milliseconds(50);
        chart->set_data(data);
        shot(*chart);
        chart->hide_series(u("update"), true);
        chart->set_view({Range{1, 2}, std::nullopt, chart->view().hidden_series});
        const QImage screen = shot(*chart);
        const QImage file = QImage::fromData(chart_png(*chart, {QSize(640, 320), 1.0, &Theme::light()}), "PNG");
        const auto bars = [](const QImage& image) { return count(image, Theme::light().forward); };
        QVERIFY(bars(screen) > 1000);
        QVERIFY(std::abs(bars(screen) - bars(file)) < bars(screen) / 20);
        // Exporting leaves the chart as it was.
        QCOMPARE(shot(*chart), screen);
    }

    /// A picture looks the same where the bundled fonts are missing: it needs none.
    void texts_of_svg_are_outlines() {
        const QByteArray in =
            "<svg><defs>\n</defs><g font-family=\"Scalescope Sans\" font-size=\"12\"><text fill=\"#123456\" "
            "x=\"1\" y=\"20\" font-family=\"Scalescope Sans\" font-size=\"12\" font-weight=\"600\" "
            "font-style=\"normal\" \n >a &lt; b &amp; aa \"</text></g></svg>";
        const QString out = QString::fromUtf8(with_outlined_texts(in));
        QVERIFY2(!out.contains(u("<text")) && !out.contains(u("font-family")), qPrintable(out));
        QVERIFY2(out.contains(u("aria-label=\"a &lt; b &amp; aa &quot;\"")) && out.contains(u("#123456")),
                 qPrintable(out));
        QCOMPARE(out.count(u("<path ")), 1);
        QCOMPARE(out.count(QLatin1Char('M')), 14);  // outlines of a < b & a a ", with what they enclose
        QCOMPARE(with_outlined_texts("<svg/>"), QByteArray("<svg/>"));
        for (auto& chart : all_charts(12)) {
            const QByteArray svg = chart_svg(*chart, {QSize(640, 320), 1.0, &Theme::light()});
            QVERIFY(!svg.contains("<text ") && !svg.contains("font-family"));
            QVERIFY(svg.contains("aria-label=\"" + chart->title().toHtmlEscaped().toUtf8() + "\""));
        }
    }

    void svg_is_a_picture_with_its_text() {
        for (auto& chart : all_charts(12)) {
            const QByteArray svg = chart_svg(*chart, {QSize(640, 320), 1.0, &Theme::light()});
            QSvgRenderer renderer(svg);
            QVERIFY(renderer.isValid());
            QCOMPARE(renderer.viewBox(), QRect(0, 0, 640, 320));
            QVERIFY(svg.contains(chart->title().toHtmlEscaped().toUtf8()));
            QVERIFY(svg.contains("AlexNet, data parallel, 32 workers"));
            QVERIFY(!QRegularExpression(u("[\" ,(](nan|-?inf)\\b")).match(QString::fromUtf8(svg)).hasMatch());
            QImage drawn(640, 320, QImage::Format_RGB32);
            drawn.fill(Qt::magenta);
            QPainter painter(&drawn);
            renderer.render(&painter);
            painter.end();
            QCOMPARE(count(drawn, QColor(Qt::magenta)), 0);
            // The same picture as the PNG, seen from some way off: text may differ by its hinting.
            const QImage png = QImage::fromData(chart_png(*chart, {QSize(640, 320), 1.0, &Theme::light()}), "PNG");
            int far_off = 0;
            for (int y = 0; y < 320; y += 16)
                for (int x = 0; x < 640; x += 16) {
                    const QColor a = average(drawn, {x, y, 16, 16}), b = average(png, {x, y, 16, 16});
                    far_off +=
                        std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) >
                        60;
                }
            QVERIFY2(far_off < 20, qPrintable(QStringLiteral("%1: %2 of 800").arg(chart->title()).arg(far_off)));
        }
    }

    void pdf_is_one_page_of_its_size() {
        for (auto& chart : all_charts(12)) {
            const QByteArray pdf = chart_pdf(*chart, {QSize(800, 400), 1.0, &Theme::light()});
            QVERIFY(pdf.startsWith("%PDF-1."));
            QVERIFY(pdf.trimmed().endsWith("%%EOF"));
            QCOMPARE(pdf.count("/Type /Page\n"), 1);
            const auto box =
                QRegularExpression(u("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]")).match(QString::fromLatin1(pdf));
            QVERIFY(box.hasMatch());
            QCOMPARE(qRound(box.captured(1).toDouble()), 600);  // points
            QCOMPARE(qRound(box.captured(2).toDouble()), 300);
            QVERIFY(pdf.size() > 2000);
        }
    }

    /// As poppler reads it, where that is installed.
    void pdf_has_no_error() {
        const QString reader = QStandardPaths::findExecutable(u("pdftoppm"));
        if (reader.isEmpty()) QSKIP("poppler-utils is not installed");
        for (const Theme* look : {&Theme::light(), &Theme::dark_theme(), &Theme::high_contrast_theme()})
            for (auto& chart : all_charts(12)) {
                const QString file = folder_.filePath(u("chart.pdf"));
                QVERIFY(save_chart(*chart, file, {QSize(800, 400), 1.0, look}));
                const QString said = tests::errors_of_pdf(reader, file);
                QVERIFY2(said.isEmpty(), qPrintable(chart->title() + u(": ") + said));
            }
    }

    void csv_is_exact_whatever_the_locale() {
        for (auto& chart : all_charts(12)) {
            const QByteArray bytes = chart_csv(*chart);
            QVERIFY(bytes.startsWith("# AlexNet, data parallel, 32 workers\n"));
            const auto rows = csv_rows(bytes);
            const ChartTable table = chart->table();
            QCOMPARE(rows.size(), table.rows.size() + 1);
            for (std::size_t c = 0; c < table.columns.size(); ++c) {
                QCOMPARE(rows[0][static_cast<qsizetype>(c)], table.columns[c].key);
                const QString& unit = table.columns[c].unit;
                if (unit == u("ms")) QVERIFY(table.columns[c].key.endsWith(u("_ms")));
                if (unit == u("%")) QVERIFY(table.columns[c].key.endsWith(u("_percent")));
                if (unit == u("×")) QVERIFY(table.columns[c].key.startsWith(u("speedup_")));
            }
            for (std::size_t r = 0; r < table.rows.size(); ++r) {
                QCOMPARE(rows[r + 1].size(), static_cast<qsizetype>(table.columns.size()));
                for (std::size_t c = 0; c < table.columns.size(); ++c) {
                    const QString& field = rows[r + 1][static_cast<qsizetype>(c)];
                    if (!table.rows[r][c].is_number()) {
                        QCOMPARE(field, table.rows[r][c].text());
                        continue;
                    }
                    QVERIFY(!field.contains(QLatin1Char(',')));
                    bool good = false;
                    QCOMPARE(QLocale::c().toDouble(field, &good), table.rows[r][c].number());  // the same double
                    QVERIFY(good);
                }
            }
        }
        // The numbers are those the chart was given.
        const auto charts = all_charts(12);
        const auto rows = csv_rows(chart_csv(*charts[0]));
        QCOMPARE(rows[0].first(), u("layer"));
        const auto forward = rows[0].indexOf(u("forward_ms")), total = rows[0].indexOf(u("total_ms"));
        QCOMPARE(rows[4][forward], u("1.375"));
        QCOMPARE(QLocale::c().toDouble(rows[4][total]), 1.375 + 2.5 + 0.25);
        QCOMPARE(csv_rows(chart_csv(*charts[2]))[0][2], u("speedup_Data, \"ring\""));
        QCOMPARE(csv_rows(chart_csv(*charts[3]))[2][3], u("why, exactly"));
    }

    void fields_that_need_quotes_have_them() {
        ChartTable table;
        table.columns = {{u("a"), {}, {}}, {u("b"), {}, {}}};
        table.rows = {{u("x,\"y\"\nz"), 0.1}, {u("# no note"), ChartCell(std::nan(""))}, {u("1e-300"), 1e-300}};
        QCOMPARE(to_csv(table, {u("one\ntwo")}),
                 QByteArray("# one\n# two\na,b\n\"x,\"\"y\"\"\nz\",0.1\n\"# no note\",\n1e-300,1e-300\n"));
        ChartTable formula;
        formula.columns = {{u("a"), {}, {}}, {u("b"), {}, {}}};
        formula.rows = {{u("=1+1"), -1.5}, {u("\x1b[2J"), 2.0}};
        QCOMPARE(to_csv(formula), QByteArray("a,b\n'=1+1,-1.5\n?[2J,2\n"));
        QVERIFY(to_tabbed_text(formula).startsWith(u("a\tb\n'=1+1\t-1.5\n")));
        QCOMPARE(to_tabbed_text(table), u("a\tb\nx,\"y\" z\t0.1\n# no note\t\n1e-300\t1e-300\n"));
    }

    void the_table_shows_the_same_numbers() {
        for (auto& chart : all_charts(12)) {
            chart->resize(600, 300);
            chart->show();
            QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
            QMenu menu;
            chart->fill_menu(menu);
            QAction* entry = nullptr;
            for (QAction* action : menu.actions())
                if (action->text() == u("Show as table")) entry = action;
            QVERIFY(entry);
            entry->trigger();
            QVERIFY(chart->table_shown());
            auto* view = chart->findChild<QTableView*>(u("chart_table"));
            QVERIFY(view && view->isVisible());
            const ChartTable table = chart->table();
            QCOMPARE(view->model()->rowCount(), static_cast<int>(table.rows.size()));
            QCOMPARE(view->model()->columnCount(), static_cast<int>(table.columns.size()));
            for (int r = 0; r < view->model()->rowCount(); ++r)
                for (int c = 0; c < view->model()->columnCount(); ++c) {
                    const ChartCell& cell = table.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
                    const QModelIndex index = view->model()->index(r, c);
                    if (cell.is_number()) {
                        QCOMPARE(index.data(Qt::EditRole).toDouble(), cell.number());
                        QVERIFY(!index.data().toString().contains(QLatin1Char(',')) || cell.number() >= 1000);
                    } else {
                        QCOMPARE(index.data(Qt::EditRole).toString(), cell.text());
                    }
                }
            QTest::keyClick(chart.get(), Qt::Key_Escape);
            QVERIFY(!chart->table_shown());
        }
    }

    void the_table_follows_the_data() {
        LayerTimeChart chart;
        LayerTimeData data;
        data.layers = {{0, u("a"), {}, {milliseconds(10), {}, {}, {}, {}, {}}}};
        chart.set_data(data);
        ChartTableModel* model = chart.table_model();
        QCOMPARE(model->index(0, 1).data(Qt::EditRole).toDouble(), 10.0);
        data.layers[0].time.forward = milliseconds(12);
        chart.set_data(data);
        QCOMPARE(model->index(0, 1).data(Qt::EditRole).toDouble(), 12.0);
    }

    void the_clipboard_gets_image_and_data() {
        Shown<LayerTimeChart> chart(500, 250);
        LayerTimeData data;
        data.layers = {{0, u("conv1"), {}, {milliseconds(10.5), {}, {}, {}, {}, {}}}};
        chart->set_data(data);
        chart->set_notes({u("AlexNet")});
        shot(*chart);
        chart->copy_image();
        const QImage image = QApplication::clipboard()->image();
        QCOMPARE(image.size(), QSize(1000, 500));
        QVERIFY(count(image, Theme::light().forward) > 1000);
        QTest::keySequence(chart.chart, QKeySequence::Copy);
        const QMimeData* mime = QApplication::clipboard()->mimeData();
        QVERIFY(mime->hasImage());
        QCOMPARE(mime->data(u("text/csv")), chart_csv(*chart));
        QVERIFY(mime->text().startsWith(u("layer\tforward_ms\t")));
        QVERIFY(mime->text().contains(u("\nconv1\t10.5\t")));
    }

    void dark_charts_export_light_unless_told() {
        apply_theme(*qApp, ThemeChoice::dark);
        Shown<LayerTimeChart> chart(500, 250);
        LayerTimeData data;
        data.layers = {{0, u("conv1"), {}, {milliseconds(10.5), {}, {}, {}, {}, {}}}};
        chart->set_data(data);
        QCOMPARE(pixel(shot(*chart), 250, 245), Theme::dark_theme().card);
        chart->copy_image();
        QCOMPARE(QApplication::clipboard()->image().pixelColor(500, 490), Theme::light().card);
        QMenu menu;
        chart->fill_export_menu(menu);
        for (QAction* action : menu.actions())
            if (action->isCheckable()) action->trigger();
        chart->copy_image();
        QCOMPARE(QApplication::clipboard()->image().pixelColor(500, 490), Theme::dark_theme().card);
    }

    void files_are_written_whole_or_not_at_all() {
        const auto charts = all_charts(3);
        for (const char* suffix : {"png", "svg", "pdf", "csv"}) {
            const QString path = folder_.filePath(u("chart.") + u(suffix));
            QVERIFY(save_chart(*charts[0], path, {}).has_value());
            QVERIFY(QFile(path).size() > 50);
        }
        const auto nowhere = save_chart(*charts[0], folder_.filePath(u("no/such/folder/a.png")), {});
        QVERIFY(!nowhere && !nowhere.error().front().remedy.empty());
        const auto odd = save_chart(*charts[0], folder_.filePath(u("a.bmp")), {});
        QVERIFY(!odd && odd.error().front().remedy.find(".svg") != std::string::npos);
        QVERIFY(!QFile::exists(folder_.filePath(u("a.bmp"))));
    }

    void nothing_one_and_a_thousand_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("bad");
        QTest::newRow("nothing") << 0 << 0.0;
        QTest::newRow("one") << 1 << 0.0;
        QTest::newRow("a thousand") << 1000 << 0.0;
        QTest::newRow("not a number") << 5 << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinite") << 5 << std::numeric_limits<double>::infinity();
        QTest::newRow("huge") << 5 << 1e200;
        QTest::newRow("tiny") << 5 << 1e-200;
        QTest::newRow("negative") << 5 << -3.0;
    }
    void nothing_one_and_a_thousand() {
        QFETCH(int, n);
        QFETCH(double, bad);
        for (auto& chart : all_charts(n, bad)) {
            chart->resize(500, 260);
            chart->show();
            QVERIFY(QTest::qWaitForWindowExposed(chart.get()));
            const QImage screen = shot(*chart);
            QCOMPARE(screen.size(), QSize(500, 260));
            QVERIFY(std::isfinite(chart->x_range().lower) && std::isfinite(chart->x_range().upper));
            QVERIFY(std::isfinite(chart->y_range().lower) && std::isfinite(chart->y_range().upper));
            QVERIFY(chart->x_range().size() > 0 && chart->y_range().size() > 0);
            for (Qt::Key key : {Qt::Key_Right, Qt::Key_Left, Qt::Key_Down, Qt::Key_Up, Qt::Key_End, Qt::Key_Home,
                                Qt::Key_Plus, Qt::Key_Minus, Qt::Key_0})
                QTest::keyClick(chart.get(), key);
            QTest::mouseMove(chart.get(), QPoint(200, 120));
            QTest::mouseMove(chart.get(), QPoint(250, 130));
            QCoreApplication::processEvents();
            wheel(*chart, QPointF(250, 130), 2);
            shot(*chart);
            QVERIFY(!chart->description().isEmpty());
            const QString words = chart->description() + chart->tooltip_text();
            QVERIFY2(
                !words.contains(QRegularExpression(u("\\b(nan|inf)\\b"), QRegularExpression::CaseInsensitiveOption)),
                qPrintable(words));
            const QByteArray svg = chart_svg(*chart, {});
            QVERIFY(QSvgRenderer(svg).isValid());
            QVERIFY2(!QRegularExpression(u("[\" ,(](nan|-?inf)\\b")).match(QString::fromUtf8(svg)).hasMatch(),
                     qPrintable(chart->title()));
            QVERIFY(chart_pdf(*chart, {}).startsWith("%PDF-"));
            QVERIFY(!QImage::fromData(chart_png(*chart, {})).isNull());
            const QByteArray csv = chart_csv(*chart);
            QVERIFY(!csv.contains("nan") && !csv.contains("inf,") && !csv.contains("inf\n"));
            QVERIFY(csv_rows(csv).size() >= 1);
        }
    }

    void odd_sizes_are_made_sound() {
        const auto charts = all_charts(3);
        QCOMPARE(chart_image(*charts[0], {QSize(0, -5), 1.0, nullptr}).size(), QSize(80, 60));
        QCOMPARE(chart_image(*charts[0], {QSize(100, 100), std::nan(""), nullptr}).size(), QSize(100, 100));
        const QImage large = chart_image(*charts[0], {QSize(20000, 100), 3.0, nullptr});
        QVERIFY(large.width() <= 16384);
    }
};

QTEST_MAIN(TestChartsExport)
#include "tst_charts_export.moc"
