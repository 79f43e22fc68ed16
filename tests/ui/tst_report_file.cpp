// SPDX-License-Identifier: GPL-3.0-or-later
// A report as PDF and HTML: from the command line, from the window, and what is refused.
#include <QAction>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QXmlStreamReader>

#include "core/base/format.hpp"
#include "core/formats/scenario_json.hpp"
#include "support_pdf.hpp"
#include "support_window.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/language/language.hpp"
#include "ui/report/report_charts.hpp"
#include "ui/report/report_dialog.hpp"
#include "ui/report/report_file.hpp"
#include "ui/widgets/banner.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

QString u(const char* text) { return QString::fromUtf8(text); }

QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int pages_of(const QByteArray& pdf) {
    static const QRegularExpression page(QStringLiteral("/Type\\s*/Page[^s]"));
    int n = 0;
    for (auto all = page.globalMatch(QString::fromLatin1(pdf)); all.hasNext(); all.next()) ++n;
    return n;
}

QString texts_of(const QByteArray& html) {
    QXmlStreamReader xml(html);
    QString all;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::Characters) all += xml.text().toString() + QLatin1Char('\n');
    if (xml.hasError()) qFatal("line %lld: %s", xml.lineNumber(), qPrintable(xml.errorString()));
    return all;
}

}  // namespace

class TestReportFile : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    QString program_ = qEnvironmentVariable("SCALESCOPE_BINARY");
    struct Ran {
        int code = -1;
        QString out, err;
    };
    Ran run(const QStringList& words) {
        QProcess p;
        p.setWorkingDirectory(folder_.path());
        p.start(program_, words);
        if (!p.waitForFinished(120000)) return {};
        return {p.exitCode(), QString::fromUtf8(p.readAllStandardOutput()),
                QString::fromUtf8(p.readAllStandardError())};
    }
    QString at(const char* name) { return folder_.filePath(u(name)); }
    void pin_and_change() {
        window_->findChild<QAction*>(u("pin"))->trigger();
        Scenario s = scenario();
        s.cluster.workers = 64;
        s.parallelism.overlap = Overlap::buckets;
        window_->document().edit(std::move(s));
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void the_verb_writes_two_designs_on_a_page_or_two() {
        if (program_.isEmpty()) QSKIP("no program");
        const Ran pdf = run({u("report"), u("alexnet-ec2-k80"), u("example"), u("--out"), u("r.pdf"), u("--title"),
                             u("Which & why"), u("--question"), u("Is it worth it?")});
        QVERIFY2(pdf.code == 0, qPrintable(pdf.err));
        QCOMPARE(pdf.out, u("r.pdf\n"));
        const QByteArray file = bytes_of(at("r.pdf"));
        if (const QString reader = QStandardPaths::findExecutable(u("pdftoppm")); !reader.isEmpty())
            QCOMPARE(tests::errors_of_pdf(reader, at("r.pdf")), QString());
        QVERIFY(file.startsWith("%PDF"));
        QVERIFY2(pages_of(file) >= 1 && pages_of(file) <= 2, qPrintable(QString::number(pages_of(file))));
        QVERIFY(!file.contains("/Subtype /Image"));  // drawings are vectors

        const Ran html = run({u("report"), u("alexnet-ec2-k80"), u("example"), u("--out"), u("r.html"),
                              u("--objective"), u("throughput")});
        QVERIFY2(html.code == 0, qPrintable(html.err));
        const QByteArray page = bytes_of(at("r.html"));
        const QString texts = texts_of(page);
        for (const char* id : {"alexnet-ec2-k80", "example"}) {
            const auto* preset = window_->library().find_scenario(id);
            const Scenario s = formats::read_scenario(preset->text, preset->file, window_->library()).value().scenario;
            const auto rows = compare::side_by_side(std::vector<compare::Design>{{&s, nullptr}}, 0);
            QVERIFY(rows.empty());
            QVERIFY(texts.contains(QString::fromStdString(s.name)));
            const Estimate e = estimate(s).value();
            const std::string step = format_number(in_milliseconds(e.summary.step), 4, 2);
            QVERIFY2(texts.contains(QString::fromStdString(step)), step.c_str());
        }
        QVERIFY(texts.contains(u("the throughput ")));
        QCOMPARE(page.count("<svg"), 3);  // parts, speedup, shares
        QVERIFY(!page.contains("<image") && !page.contains("src=") && !page.contains("xlink:href"));
    }

    void pins_come_along() {
        if (program_.isEmpty()) QSKIP("no program");
        pin_and_change();
        const QString file = at("pinned.json");
        QVERIFY(window_->save_to(file));
        const Ran ran = run({u("report"), u("pinned.json"), u("--out"), u("p.html")});
        QVERIFY2(ran.code == 0, qPrintable(ran.err));
        const QString texts = texts_of(bytes_of(at("p.html")));
        QVERIFY(texts.contains(u("From A to B the step ")));
        QVERIFY(texts.contains(u("Workers 32 → 64")));
        // What is set is set in all of them.
        QCOMPARE(
            run({u("report"), u("pinned.json"), u("--set"), u("cluster.workers=16"), u("--out"), u("p.html")}).code, 0);
        QVERIFY(!texts_of(bytes_of(at("p.html"))).contains(u("Workers 32")));
    }

    void bad_input_says_so_once_and_leaves_nothing_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        QTest::newRow("no such scenario")
            << QStringList{u("exampel"), u("--out"), u("x.pdf")} << 1 << u("did you mean example?");
        QTest::newRow("no format") << QStringList{u("example"), u("--out"), u("x.doc")} << 1
                                   << u("let it end in .pdf or .html");
        QTest::newRow("no folder") << QStringList{u("example"), u("--out"), u("nowhere/x.pdf")} << 1 << u("nowhere");
        QTest::newRow("no file") << QStringList{u("example")} << 2 << u("--out");
        QTest::newRow("too many") << QStringList{u("example"), u("example"), u("example"), u("example"),
                                                 u("example"), u("--out"),   u("x.pdf")}
                                  << 2 << u("one argument too many");
        QTest::newRow("no objective") << QStringList{u("example"), u("--objective"), u("luck"), u("--out"), u("x.pdf")}
                                      << 2 << u("luck");
        QTest::newRow("no such field") << QStringList{u("example"), u("--set"), u("cluster.wrkers=3"), u("--out"),
                                                      u("x.pdf")}
                                       << 1 << u("cluster.workers");
        QTest::newRow("no price") << QStringList{u("example"), u("example"), u("--objective"),
                                                 u("cost"),    u("--set"),   u("cluster.device.price_usd_per_hour="),
                                                 u("--out"),   u("x.pdf")}
                                  << 1 << u("has no price");
    }
    void bad_input_says_so_once_and_leaves_nothing() {
        if (program_.isEmpty()) QSKIP("no program");
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);
        const Ran ran = run(QStringList(u("report")) + words);
        QVERIFY2(ran.code == code, qPrintable(ran.err));
        QVERIFY2(ran.err.contains(says), qPrintable(ran.err));
        QVERIFY(ran.out.isEmpty());
        QVERIFY(QDir(folder_.path()).entryList({u("x.*"), u("*.tmp")}, QDir::Files).isEmpty());
    }

    void every_design_draws_data() {
        QTest::addColumn<QString>("preset");
        for (const char* id : {"example", "alexnet-cpu-cluster", "resnet-50-p100-servers", "dcgan", "inception-v3-k40"})
            QTest::newRow(id) << u(id);
    }
    void every_design_draws() {
        QFETCH(QString, preset);
        const auto* found = window_->library().find_scenario(preset.toStdString());
        QVERIFY(found);
        Scenario s = formats::read_scenario(found->text, found->file, window_->library()).value().scenario;
        Scenario more = s;
        more.cluster.workers += 1;
        const Pins pins{{"a", std::make_shared<const Scenario>(s)}, {"b", std::make_shared<const Scenario>(more)}};
        const auto made = report::make_report({}, pins);
        QVERIFY2(made.has_value(), made ? "" : to_text(made.error().front()).c_str());
        const ReportCharts charts(*made);
        for (const auto& drawing : charts.all()) QVERIFY(!drawing.chart->is_empty());
        QVERIFY(pages_of(report_pdf(*made)) <= 2);
        texts_of(report_html(*made));
    }

    void charts_mark_designs_that_do_not_fit() {
        Scenario more = scenario();
        more.cluster.workers *= 2;
        more.cluster.device.memory = Bytes{1e8};
        const Pins pins{{"a", std::make_shared<const Scenario>(scenario())},
                        {"b", std::make_shared<const Scenario>(more)}};
        const ReportCharts charts(report::make_report({}, pins).value());
        QCOMPARE(charts.all().size(), std::size_t{3});
        for (const auto& drawing : charts.all()) {
            QVERIFY(drawing.chart->series().contains(misfit_key));
            QVERIFY(drawing.chart->cannot_run().isEmpty());  // only one of the two
        }
        const auto* parts = qobject_cast<const StackChart*>(charts.all()[0].chart.get());
        QVERIFY(parts->data().rows[0].fits && !parts->data().rows[1].fits);
        QVERIFY(parts->description().contains(misfit_note()));
        const auto* shares = qobject_cast<const WaterfallChart*>(charts.all()[2].chart.get());
        QVERIFY(shares->bars().front().fits && !shares->bars().back().fits);
        QVERIFY(shares->description().contains(misfit_note()));
    }

    void five_designs_fit_too() {
        Pins pins;
        for (int i = 0; i < 5; ++i) {
            Scenario s = scenario();
            s.cluster.workers = 8 << i;
            s.training.batch = 32 + i;
            pins.push_back({"design " + std::to_string(i), std::make_shared<const Scenario>(s)});
        }
        const auto made = report::make_report({}, pins);
        QVERIFY(made.has_value());
        QVERIFY2(pages_of(report_pdf(*made)) <= 3, qPrintable(QString::number(pages_of(report_pdf(*made)))));
    }

    void the_window_hands_it_over() {
        pin_and_change();
        apply_theme(*qApp, ThemeChoice::dark);  // a report is light whatever the window is
        window_->findChild<QAction*>(u("report"))->trigger();
        auto* dialog = window_->findChild<ReportDialog*>(u("reportDialog"));
        QVERIFY(dialog && dialog->isVisible());
        // Both are called alike: it says what tells the second apart, and which one it is compared with.
        QStringList labels;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) labels << label->text();
        const QStringList called = labels.filter(QRegularExpression(u("that compares B: .+ with A: ")));
        QVERIFY2(called.size() == 1, qPrintable(labels.join(QLatin1Char('|'))));
        QVERIFY(called[0].section(u(" with A: "), 1).chopped(1) !=
                called[0].section(u("B: "), 1).section(u(" with "), 0, 0));
        dialog->findChild<QLineEdit*>(u("reportTitle"))->setText(u("  Twice the workers? "));
        dialog->findChild<QPlainTextEdit*>(u("reportQuestion"))->setPlainText(u("Is it worth it?"));
        const report::Asked asked = dialog->asked();
        QCOMPARE(asked.title, std::string("Twice the workers?"));
        QCOMPARE(dialog->suffix(), u("pdf"));
        dialog->reject();
        window_->exports().write_report(asked, at("w.html"));
        QVERIFY(window_->exports().finish_report());
        const QByteArray page = bytes_of(at("w.html"));
        const QString texts = texts_of(page);
        QVERIFY(texts.contains(u("Twice the workers?")) && texts.contains(u("Is it worth it?")));
        QVERIFY(texts.contains(u("Workers 32 → 64")));
        QVERIFY(!page.contains(Theme::dark_theme().card.name().toLatin1()));
        window_->exports().write_report(asked, at("w.pdf"));
        QVERIFY(window_->exports().finish_report());
        QVERIFY(pages_of(bytes_of(at("w.pdf"))) <= 2);
        // What cannot be written is said in the window.
        window_->exports().write_report(asked, at("nowhere/w.pdf"));
        QVERIFY(window_->exports().finish_report());
        bool said = false;
        for (auto* banner : window_->findChildren<Banner*>())
            for (auto* label : banner->findChildren<QLabel*>())
                said |= banner->isVisible() && label->text().contains(u("was not written"));
        QVERIFY(said);
    }

    /// All but names, sources and numbers.
    void it_speaks_as_the_window_does() {
        use_language(Language::german);
        pin_and_change();
        window_->exports().write_report({}, at("de.html"));
        QVERIFY(window_->exports().finish_report());
        const QStringList texts = texts_of(bytes_of(at("de.html"))).split(QLatin1Char('\n'));
        use_language(Language::english);
        for (const char* one : {"AlexNet on 32 GPUs gegen Worker 64, Überlappung Buckets", "Daten",
                                "Durchsatz, Samples/s", "Batch insgesamt, Samples", "Modell", "Worker 32 → 64"})
            QVERIFY2(texts.contains(u(one)), one);
        for (const char* one : {"data", "buckets", "model", "new", "samples"}) QVERIFY2(!texts.contains(u(one)), one);
    }
};

QTEST_MAIN(TestReportFile)
#include "tst_report_file.moc"
