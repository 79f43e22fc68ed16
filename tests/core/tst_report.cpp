// SPDX-License-Identifier: GPL-3.0-or-later
// A report's numbers are those of estimate() and of the comparison; its page is well-formed, whole and escaped.
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QtTest>

#include "core/compare/attribution.hpp"
#include "core/estimate/explain.hpp"
#include "core/report/html.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::report;
using search::Metric;
using support::preset_scenario;

namespace {

Pin pin(Scenario s) {
    std::string name = s.name;
    return {std::move(name), std::make_shared<const Scenario>(std::move(s))};
}

/// The example, and the same on twice the workers with another overlap.
Pins two() {
    Scenario a = preset_scenario("example"), b = a;
    b.cluster.workers *= 2;
    b.parallelism.overlap = Overlap::buckets;
    return {pin(a), pin(b)};
}

Report made(const Pins& designs, const Asked& asked = {}) {
    auto r = make_report(asked, designs);
    if (!r) qFatal("%s", support::messages(r.error()).c_str());
    return std::move(*r);
}

const Assumption* about(const Report& r, const std::string& what) {
    for (const Assumption& a : r.assumptions)
        if (a.what.find(what) != std::string::npos) return &a;
    return nullptr;
}

QString page(const Report& r, const std::vector<Picture>& pictures = {}) {
    return QString::fromStdString(to_html(r, pictures));
}

/// Every text of it; a problem ends the test.
QString texts_of(const QString& html) {
    QXmlStreamReader xml(html);
    QString all;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::Characters) all += xml.text().toString() + QLatin1Char('\n');
    if (xml.hasError()) qFatal("line %lld: %s", xml.lineNumber(), qPrintable(xml.errorString()));
    return all;
}

}  // namespace

class TestReport : public QObject {
    Q_OBJECT

private slots:
    /// A price stands with its seller and date, or with who set it, in the report and on the page that explains it.
    void prices_say_where_they_are_from() {
        Scenario s = preset_scenario("example");
        s.cluster.device.price_per_hour = 3.5;
        s.cluster.device.price_basis = "A shop, May 2026";
        const auto notes_of = [](const Scenario& of) {
            return explain(of, prepare(of).value(), estimate(of).value(), {Topic::cost}).value().notes;
        };
        QCOMPARE(about(made({pin(s)}), "Price of ")->source, std::string("A shop, May 2026"));
        QCOMPARE(notes_of(s).back(), std::string("Price: A shop, May 2026"));
        s.cluster.device.set_price(4.0);
        QCOMPARE(notes_of(s).back(), std::string("Price: set by hand"));
        Scenario cpu = preset_scenario("alexnet-cpu-cluster");
        cpu.cluster.machine.price_per_hour = 2.0;
        QCOMPARE(about(made({pin(cpu)}), "Price of ")->source, std::string("set by hand"));
        const auto notes = notes_of(cpu);
        QVERIFY(std::count(notes.begin(), notes.end(), "Price: set by hand") == 1);
    }

    /// Figures of a design that cannot run are struck through, but for the memory, and the page says why.
    void designs_that_do_not_fit_are_marked() {
        Scenario a = preset_scenario("example"), b = a;
        b.cluster.device.memory = Bytes{1e8};
        const Report r = made({pin(a), pin(b)});
        QVERIFY(r.designs[0].cannot_run.empty());
        QVERIFY(r.designs[1].cannot_run.starts_with("B does not fit into memory: it needs "));
        QVERIFY(r.designs[1].cannot_run.ends_with(" of 100\u00a0MB."));
        for (const FigureLine& line : r.figures)
            QCOMPARE(line.struck, (std::vector<bool>{false, line.row.metric != Metric::memory}));
        const QString html = page(r);
        QVERIFY(texts_of(html).contains(QString::fromStdString(r.designs[1].cannot_run)));
        QCOMPARE(html.count(QStringLiteral("<s>")), qsizetype(r.figures.size()) - 1);
        QVERIFY(!page(made({pin(a)})).contains(QStringLiteral("<s>")));
    }

    void numbers_are_those_of_the_estimates() {
        const Pins designs = two();
        const Report r = made(designs);
        QCOMPARE(r.designs.size(), std::size_t{2});
        QCOMPARE(r.designs[1].letter, std::string("B"));
        for (std::size_t i = 0; i < 2; ++i) {
            const Estimate e = estimate(*designs[i].scenario).value();
            for (const FigureLine& line : r.figures) {
                QCOMPARE(line.row.values[i], search::metric_value(line.row.metric, *designs[i].scenario, e));
                QCOMPARE(line.values[i], compare::value_text(line.row, i));
            }
        }
        const auto shares = compare::attribute(*designs[0].scenario, *designs[1].scenario, Metric::step).value();
        QCOMPARE(r.comparisons.size(), std::size_t{1});
        QCOMPARE(r.comparisons[0].lines.size(), std::size_t{2});
        double sum = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(r.comparisons[0].shares.shares[i].change(), shares.shares[i].change());
            QCOMPARE(r.comparisons[0].lines[i].change, compare::signed_text(Metric::step, shares.shares[i].change()));
            sum += r.comparisons[0].shares.shares[i].change();
        }
        QVERIFY(std::abs(sum - (shares.to - shares.from)) < 1e-9 * shares.from);
        QCOMPARE(r.comparisons[0].sentence, compare::sentence_of(shares, "A", "B"));
        // What changes nothing is named, and takes no line.
        Pins idle = two();
        Scenario more = *idle[1].scenario;
        more.training.fused_update = !more.training.fused_update;
        more.cluster.inside.latency = microseconds(77);
        idle[1] = pin(more);
        const Report quiet = made(idle);
        QVERIFY(quiet.comparisons[0].lines.size() < quiet.comparisons[0].shares.shares.size());
        QVERIFY2(quiet.comparisons[0].note.find("Nothing comes of: ") != std::string::npos,
                 quiet.comparisons[0].note.c_str());
        // All of it stands on the page.
        const QString texts = texts_of(page(r));
        for (const FigureLine& line : r.figures)
            for (const std::string& value : line.values)
                QVERIFY2(texts.contains(QString::fromStdString(value)), value.c_str());
        for (const ShareLine& line : r.comparisons[0].lines)
            QVERIFY2(texts.contains(QString::fromStdString(line.change)), line.change.c_str());
    }

    void designs_say_what_they_are() {
        const Report r = made(two());
        const auto line = [&](const char* label) {
            for (const FieldLine& l : r.fields)
                if (l.label == label) return l;
            qFatal("no %s", label);
        };
        QVERIFY(line("Workers").differs && line("Overlap").differs && !line("Device").differs);
        QCOMPARE(line("Workers").values, (std::vector<std::string>{"32", "64"}));
        QCOMPARE(line("Network").values[0], line("Network").values[1]);
        // Both are called alike: the second after what it has other than the first.
        QVERIFY2(r.designs[1].name.find("Workers 64") != std::string::npos, r.designs[1].name.c_str());
        // Whatever else differs is told too.
        Pins pins = two();
        Scenario c = *pins[1].scenario;
        c.model.launch = microseconds(7);
        pins[1] = pin(c);
        bool told = false;
        for (const FieldLine& l : made(pins).fields) told |= l.differs && l.values[1].find('7') != std::string::npos;
        QVERIFY(told);
    }

    void assumptions_have_evidence_and_sources() {
        const Report r = made(two());
        for (const Assumption& a : r.assumptions) {
            QVERIFY2(!a.evidence.empty() && !a.source.empty(), a.what.c_str());
            QVERIFY2(a.designs.empty(), a.what.c_str());  // the same for both, and said once
        }
        const Scenario s = preset_scenario("example");
        const Assumption* device = about(r, s.cluster.device.name + ":");
        QVERIFY(device);
        QCOMPARE(device->evidence, std::string(s.cluster.device.unverified.empty() ? "datasheet" : "assumed"));
        QVERIFY(about(r, "Share of peak arithmetic"));
        // A figure that nobody read a source for is assumed; one design alone has it.
        Pins pins = two();
        Scenario b = *pins[1].scenario;
        b.cluster.between.unverified = {"bandwidth_gb_s_one_way"};
        b.cluster.between.name = "a link";
        b.model.compute = Fraction{0.5};
        pins[1] = pin(b);
        const Report other = made(pins);
        QCOMPARE(about(other, "a link")->evidence, std::string("assumed"));
        QCOMPARE(about(other, "a link")->designs, std::string("B"));
        // Reconstructed methods are said to be.
        const Report cpu = made({pin(preset_scenario("alexnet-cpu-cluster"))});
        QCOMPARE(about(cpu, "CPU clusters")->evidence, std::string("reconstructed"));
        QVERIFY(cpu.comparisons.empty());
        texts_of(page(cpu));
    }

    void every_preset_makes_a_report() {
        for (const auto& preset : support::library().scenarios) {
            const Report r = made({pin(preset_scenario(preset.id))});
            QVERIFY(!r.figures.empty() && !r.assumptions.empty() && !r.fields.empty());
            texts_of(page(r));
        }
    }

    void a_page_stands_alone() {
        Asked asked;
        asked.title = "Tom & Jerry's <script>alert(1)</script> \"page\"";
        asked.question = "a < b && c > d?\x01";
        asked.version = "1.2";
        asked.date = "2026-01-02";
        Pins pins = two();
        pins[0].name = "<b>bold</b>";
        const Report r = made(pins, asked);
        const QString html =
            page(r, {{"a \"chart\"", "<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg><g/></svg>\n", -1}});
        const QString texts = texts_of(html);
        QVERIFY(texts.contains(QString::fromStdString(asked.title)));
        QVERIFY(texts.contains(QStringLiteral("a < b && c > d?")));
        QVERIFY(texts.contains(QStringLiteral("A: <b>bold</b>")));
        QVERIFY(texts.contains(QStringLiteral("Scalescope 1.2, 2026-01-02")));
        QVERIFY(!html.contains(QStringLiteral("<script")) && !html.contains(QStringLiteral("<b>bold")));
        QVERIFY(!html.contains(QStringLiteral("<?xml")) && html.contains(QStringLiteral("<svg><g/></svg>")));
        static const QRegularExpression outside(QStringLiteral("(src|href|url)\\s*[=(]"));
        QVERIFY(!html.contains(outside));
        // Bytes that are no UTF-8 break no page.
        asked.title = "caf\xe9 \xf0\x9f\x98";
        texts_of(page(made(two(), asked)));
    }

    void what_makes_no_report_says_why() {
        QVERIFY(!make_report({}, {}));
        const auto many = make_report({}, Pins(most_designs + 1, two()[0]));
        QVERIFY(!many && support::messages(many.error()).find("at most, not 6") != std::string::npos);
        QVERIFY(make_report({}, Pins(most_designs, two()[0])).has_value());
        Pins pins = two();
        Scenario none = *pins[1].scenario;
        none.cluster.device.peak = {};
        pins[1] = pin(none);
        const auto bad = make_report({}, pins);
        QVERIFY(!bad);
        QCOMPARE(bad.error().front().at.file, std::string("design B"));
        // A metric that a design lacks.
        pins = two();
        Scenario free = *pins[1].scenario;
        free.cluster.device.price_per_hour.reset();
        pins[1] = pin(free);
        Asked asked;
        asked.metric = Metric::cost;
        QVERIFY(!make_report(asked, pins));
        CancelSource source;
        source.cancel();
        QVERIFY(!make_report({}, two(), {{}, source.token()}));
    }
};

QTEST_APPLESS_MAIN(TestReport)
#include "tst_report.moc"
