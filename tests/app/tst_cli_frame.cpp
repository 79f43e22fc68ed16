// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QtTest>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "app/commands/command.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/base/suggest.hpp"

using namespace scalescope;
using namespace scalescope::app;

namespace {

using Words = std::vector<std::string>;

int fake_run(std::span<const std::string> arguments, std::ostream& out, std::ostream&) {
    for (const std::string& argument : arguments) out << '[' << argument << ']';
    return 0;
}

const Command bake{"bake", "turn dough into bread", "scalescope bake rye --minutes 40", fake_run};
const Command paleo_bake{"paleo bake", "turn dough into bread on a stone", "scalescope paleo bake rye", fake_run};
const Command paleo_boil{"paleo boil", "boil with hot stones", "scalescope paleo boil", fake_run};
const CommandLine table = {{bake, paleo_bake, paleo_boil},
                           {{"paleo", "before ovens"}},
                           {{"stone-bake", "paleo bake"}, {"boil", "paleo boil --stones"}}};

struct Ran {
    std::optional<int> code;
    QString out, err;
};

Ran run(const Words& words) {
    std::ostringstream out, err;
    Ran ran;
    ran.code = run_command_line(table, "1.2.3", words, out, err);
    ran.out = QString::fromStdString(out.str());
    ran.err = QString::fromStdString(err.str());
    return ran;
}

Options bake_options() {
    Options options(bake);
    options.positional("DOUGH", "what to bake");
    options.positional("EXTRA", "what to put into it", 0, 2);
    options.integer("minutes", "how long", 1, 600);
    options.integers("turns", "when to turn it", 0, 600);
    options.number("heat", "of the oven, as a share of its most", 0.0, 1.0);
    options.choice("oven", {"wood", "gas"}, "the oven");
    options.words("modes", {"weak", "strong"}, "how to scale");
    options.values("set", "PATH=VALUE", "changes a field");
    options.flag("crust", "with a crust");
    options.table_format();
    return options;
}

struct Parsed {
    tl::expected<Arguments, int> arguments;
    QString out, err;
};

Parsed parse(const Words& words, const Options& options = bake_options()) {
    std::ostringstream out, err;
    auto arguments = options.parse(words, out, err);
    return {std::move(arguments), QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

QString written(const Table& t, OutputFormat format) {
    std::ostringstream out;
    write_table(out, t, format);
    return QString::fromStdString(out.str());
}

}  // namespace

class TestCliFrame : public QObject {
    Q_OBJECT

private slots:
    void without_a_display_the_window_says_so_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("none") << QByteArray() << QString() << QByteArray("there is no display");
        QTest::newRow("X cannot be reached")
            << QByteArray("DISPLAY") << ":4711" << QByteArray("the display (DISPLAY=:4711) cannot be reached");
        QTest::newRow("Wayland cannot be reached")
            << QByteArray("WAYLAND_DISPLAY") << "wayland-4711" << QByteArray("cannot be reached");
        QTest::newRow("no such platform") << QByteArray("QT_QPA_PLATFORM") << "paper"
                                          << QByteArray("the display (QT_QPA_PLATFORM=paper) cannot be reached");
    }
    void without_a_display_the_window_says_so() {
        QFETCH(QByteArray, name);
        QFETCH(QString, value);
        QFETCH(QByteArray, says);
        const QString program = qEnvironmentVariable("SCALESCOPE_BINARY");
        if (program.isEmpty() || !QFile::exists(program)) QSKIP("the program is not built");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(variable));
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"),
                           QStringLiteral("/tmp"));  // else Wayland's library complains
        if (!name.isEmpty()) environment.insert(QLatin1String(name), value);
        process.setProcessEnvironment(environment);
        process.start(program, QStringList());
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains(says), said.constData());
        QVERIFY2(said.count('\n') <= 2 && !said.contains("einstall"), said.constData());
    }

    /// Everything else that Qt reports while it starts is still printed.
    void other_messages_of_qt_are_not_swallowed() {
        const QString program = qEnvironmentVariable("SCALESCOPE_BINARY");
        if (program.isEmpty() || !QFile::exists(program)) QSKIP("the program is not built");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("paper"));
        environment.insert(QStringLiteral("QT_DEBUG_PLUGINS"), QStringLiteral("1"));
        process.setProcessEnvironment(environment);
        process.start(program, QStringList());
        QVERIFY(process.waitForFinished());
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("checking directory path"), said.constData());
        QVERIFY2(said.contains("the display (") && !said.contains("Could not find"), said.constData());
    }

    void a_build_without_a_window_says_so_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::newRow("no verb") << QStringList() << exit_input;
        QTest::newRow("a file") << QStringList{"net.json"} << exit_input;
        QTest::newRow("render") << QStringList{"render", "example"} << exit_input;
        QTest::newRow("report") << QStringList{"report", "example"} << exit_input;
        QTest::newRow("a verb") << QStringList{"estimate", "example", "--quiet", "workers"} << exit_done;
    }
    void a_build_without_a_window_says_so() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        const QString program = qEnvironmentVariable("SCALESCOPE_BINARY_WITHOUT_WINDOW");
        if (program.isEmpty() || !QFile::exists(program)) QSKIP("the program is not built, or has a window");
        QProcess process;
        process.start(program, words);
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), code);
        const QByteArray out = process.readAllStandardOutput(), err = process.readAllStandardError();
        QCOMPARE(out, code == exit_done ? QByteArray("32\n") : QByteArray());
        QVERIFY2(code == exit_done ? err.isEmpty() : err.contains("no window") && err.count('\n') == 1,
                 err.constData());
    }

    void no_verb_means_the_window() {
        QVERIFY(!run({}).code);
        QVERIFY(!run({"net.json"}).code);
        QVERIFY(!run({"/tmp"}).code);
        QVERIFY(!run({"-platform", "offscreen"}).code);
    }

    void a_verb_gets_its_words() {
        QCOMPARE(run({"bake", "rye", "--x"}).out, QString("[rye][--x]"));
        QCOMPARE(run({"paleo", "bake", "rye"}).out, QString("[rye]"));
        QCOMPARE(*run({"bake"}).code, exit_done);
    }

    void an_earlier_spelling_names_the_new_one() {
        const Ran ran = run({"stone-bake", "rye"});
        QCOMPARE(ran.out, run({"paleo", "bake", "rye"}).out);
        QCOMPARE(ran.err, QString("scalescope: 'stone-bake' is now 'paleo bake'\n"));
        QCOMPARE(*ran.code, exit_done);
        QCOMPARE(run({"boil", "eggs"}).out, QString("[--stones][eggs]"));
        QCOMPARE(run({"help", "boil"}).out, QString("[--stones][--help]"));
        QVERIFY(run({"paleo", "boil"}).err.isEmpty());
    }

    void a_wrong_verb_is_wrong_usage() {
        const Ran ran = run({"bkae"});
        QCOMPARE(*ran.code, exit_usage);
        QCOMPARE(ran.err, QString("scalescope: there is no verb and no file 'bkae'; did you mean bake?\n"
                                  "Try: scalescope --help\n"));
        QVERIFY(ran.out.isEmpty());
        QVERIFY(run({"biol"}).err.contains("did you mean paleo boil?"));  // its second word
        QVERIFY(!run({"xyzzy"}).err.contains("did you mean"));
        QCOMPARE(run({"paleo"}).err, QString("scalescope paleo: which one? Write paleo bake or paleo boil.\n"));
        QCOMPARE(*run({"paleo", "fry"}).code, exit_usage);
    }

    void help_and_version() {
        const Ran help = run({"--help"});
        QCOMPARE(*help.code, exit_done);
        QVERIFY(
            help.out.contains(QString("  bake   turn dough into bread\n"
                                      "  paleo  before ovens: bake, boil\n\n")));
        QCOMPARE(run({"--version"}).out, QString("scalescope 1.2.3\n"));
        QCOMPARE(run({"help"}).out, help.out);
        QCOMPARE(run({"help", "bake"}).out, QString("[--help]"));
        QCOMPARE(run({"help", "paleo", "bake"}).out, QString("[--help]"));
        QCOMPARE(run({"help", "bkae"}).err, run({"bkae"}).err);
        QCOMPARE(run({"help", "help"}).out, help.out);
        // The first of two words has the verbs that begin with it.
        const Ran family = run({"paleo", "--help"});
        QCOMPARE(*family.code, exit_done);
        QVERIFY(family.out.startsWith("scalescope paleo: before ovens\n"));
        QVERIFY(family.out.contains("paleo bake") && family.out.contains("paleo boil") && family.err.isEmpty());
        QVERIFY(!family.out.contains("\n  bake"));
        QCOMPARE(run({"help", "paleo"}).out, family.out);
    }

    void problems_are_reported_one_a_line() {
        Problem warning;
        warning.severity = Severity::warning;
        warning.what = "The batch is odd.";
        Problem error;
        error.what = "There is no layer 'x'.";
        error.remedy = "Add it.";
        error.at = {"net.json", 3, 7};
        std::ostringstream err;
        QCOMPARE(report(err, {warning}), exit_done);
        QCOMPARE(report(err, {warning, error}), exit_input);
        QVERIFY(QString::fromStdString(err.str()).endsWith("net.json:3:7: There is no layer 'x'; add it.\n"));
    }

    void options_are_read() {
        const Parsed p =
            parse({"rye", "--minutes", "40", "--heat=0.5", "--set", "a=1", "seeds", "--set=b=2", "--turns", "10,20",
                   "--modes=strong,weak", "--crust", "--oven", "gas", "--format=csv", "--", "--salt"});
        QVERIFY2(p.arguments.has_value(), p.err.toUtf8());
        const Arguments& a = *p.arguments;
        QCOMPARE(a.positionals(), (Words{"rye", "seeds", "--salt"}));
        QCOMPARE(a.integer("minutes").value(), std::int64_t{40});
        QCOMPARE(a.number("heat").value(), 0.5);
        QCOMPARE(a.values("set"), (Words{"a=1", "b=2"}));
        QCOMPARE(a.integers("turns"), (std::vector<std::int64_t>{10, 20}));
        QCOMPARE(a.words("modes"), (Words{"strong", "weak"}));
        const Parsed twice = parse({"rye", "--modes", "weak", "--modes=strong", "--turns=1,2", "--turns", "3"});
        QVERIFY(twice.arguments.has_value());
        QCOMPARE(twice.arguments->words("modes"), (Words{"weak", "strong"}));
        QCOMPARE(twice.arguments->integers("turns"), (std::vector<std::int64_t>{1, 2, 3}));
        QVERIFY(a.has("crust"));
        QCOMPARE(a.value("oven").value(), std::string("gas"));
        QVERIFY(a.format() == OutputFormat::csv);
    }

    void what_is_not_given_is_nothing() {
        const Parsed p = parse({"rye"});
        QVERIFY(p.arguments.has_value());
        QVERIFY(!p.arguments->integer("minutes"));
        QVERIFY(!p.arguments->has("crust"));
        QVERIFY(p.arguments->integers("turns").empty());
        QVERIFY(p.arguments->format() == OutputFormat::table);
    }

    void wrong_usage_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, QStringList words, const char* message) {
            QTest::newRow(name) << words << QString::fromUtf8(message);
        };
        row("unknown", {"rye", "--minuets", "4"}, "there is no option --minuets; did you mean --minutes?");
        row("unknown with value", {"rye", "--minuets=4"}, "there is no option --minuets; did you mean --minutes?");
        row("short", {"rye", "-x"}, "there is no option -x");
        row("no likeness", {"rye", "--quench"}, "there is no option --quench");
        row("positional missing", {}, "DOUGH is missing: what to bake");
        row("one too many", {"a", "b", "c", "d"}, "'d' is one argument too many");
        row("no value", {"rye", "--minutes"}, "--minutes needs a value: --minutes N");
        row("option as value", {"rye", "--minutes", "--crust"}, "--minutes needs a value: --minutes N");
        row("flag with value", {"rye", "--crust=yes"}, "--crust takes no value");
        row("twice", {"rye", "--minutes=1", "--minutes=2"}, "--minutes was given twice");
        row("no number", {"rye", "--minutes=soon"}, "--minutes cannot be 'soon'; it is a whole number from 1 to 600");
        row("part of a number", {"rye", "--minutes=4x"},
            "--minutes cannot be '4x'; it is a whole number from 1 to 600");
        row("too small", {"rye", "--minutes=0"}, "--minutes cannot be '0'; it is a whole number from 1 to 600");
        row("overflow", {"rye", "--minutes=99999999999999999999"},
            "--minutes cannot be '99999999999999999999'; it is a whole number from 1 to 600");
        row("list with a gap", {"rye", "--turns=1,,2"},
            "--turns cannot be '1,,2'; it is whole numbers from 0 to 600, with commas");
        row("not a number", {"rye", "--heat=nan"}, "--heat cannot be 'nan'; it is a number from 0 to 1");
        row("too hot", {"rye", "--heat=1.5"}, "--heat cannot be '1.5'; it is a number from 0 to 1");
        row("choice", {"rye", "--oven=oil"}, "--oven cannot be 'oil'; it is wood or gas");
        row("words", {"rye", "--modes=weak,odd"},
            "--modes cannot be 'weak,odd'; it is one or more of weak and strong, with commas");
        row("format", {"rye", "--format=xml"}, "--format cannot be 'xml'; it is table, csv or json");
    }

    void wrong_usage() {
        QFETCH(QStringList, words);
        QFETCH(QString, message);
        Words given;
        for (const QString& word : words) given.push_back(word.toStdString());
        const Parsed p = parse(given);
        QVERIFY(!p.arguments.has_value());
        QCOMPARE(p.arguments.error(), exit_usage);
        QCOMPARE(p.err, "scalescope bake: " + message + "\nTry: scalescope bake --help\n");
        QVERIFY(p.out.isEmpty());
    }

    void a_required_option_is_asked_for() {
        Options options(bake);
        options.value("device", "D", "the device").required();
        const Parsed p = parse({}, options);
        QCOMPARE(p.arguments.error(), exit_usage);
        QVERIFY(p.err.contains("--device is missing: the device"));
        QVERIFY(parse({"--device", "K40"}, options).arguments.has_value());
    }

    void help_tells_all() {
        const Parsed p = parse({"--heat", "9", "--help"});
        QCOMPARE(p.arguments.error(), exit_done);
        QVERIFY(p.err.isEmpty());
        for (const char* part : {"turn dough into bread", "scalescope bake DOUGH [EXTRA…] [OPTION…]", "--minutes N",
                                 "--oven wood|gas", "--modes weak,strong", "--set PATH=VALUE", "may be repeated",
                                 "--format table|csv|json", "--help", "scalescope bake rye --minutes 40"}) {
            QVERIFY2(p.out.contains(QString::fromUtf8(part)), part);
        }
        for (const QString& line : p.out.split('\n')) QVERIFY2(line.size() <= 100, line.toUtf8());
        QVERIFY(parse({"rye", "--", "--help"}).arguments.has_value());
    }

    void csv_is_exact() {
        const Table t{{"name", "time_ms", "count"},
                      {{std::string("a,\"b\"\nc"), 0.1, std::int64_t{-3}},
                       {std::monostate{}, 1e300, std::numeric_limits<std::int64_t>::max()},
                       {std::string(), std::nan(""), std::int64_t{0}}}};
        QCOMPARE(written(t, OutputFormat::csv),
                 QString("name,time_ms,count\n\"a,\"\"b\"\"\nc\",0.1,-3\n,1e+300,9223372036854775807\n,,0\n"));
        QCOMPARE(written({{"only"}, {{std::monostate{}}}}, OutputFormat::csv), QString("only\n\"\"\n"));
    }

    void csv_doubles_read_back_the_same() {
        std::mt19937_64 random(7);
        Table t{{"x"}, {}};
        std::vector<double> values;
        while (values.size() < 2000) {
            const double value = std::bit_cast<double>(random());
            if (!std::isfinite(value)) continue;
            values.push_back(value);
            t.rows.push_back({value});
        }
        const QStringList lines = written(t, OutputFormat::csv).split('\n');
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::string text = lines[qsizetype(i) + 1].toStdString();
            double back = 0.0;
            std::from_chars(text.data(), text.data() + text.size(), back);
            QVERIFY2(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(values[i]), text.c_str());
        }
    }

    void json_is_valid_and_exact() {
        const std::string odd = "quote \" slash \\ line \n bell \x07 e \xc3\xa9 broken \xff\xc3";
        const Table t{
            {"na\"me", "x", "n", "none"},
            {{odd, 0.1, std::int64_t{7}, std::monostate{}}, {std::string(), std::nan(""), std::int64_t{-1}, 2.5}}};
        QJsonParseError error;
        const QJsonArray rows = QJsonDocument::fromJson(written(t, OutputFormat::json).toUtf8(), &error).array();
        QVERIFY2(error.error == QJsonParseError::NoError, error.errorString().toUtf8());
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0].toObject()["na\"me"].toString(),
                 QString::fromUtf8("quote \" slash \\ line \n bell \x07 e é broken \ufffd\ufffd"));
        QCOMPARE(rows[0].toObject()["x"].toDouble(), 0.1);
        QCOMPARE(rows[0].toObject()["n"].toInt(), 7);
        QVERIFY(rows[0].toObject()["none"].isNull());
        QVERIFY(rows[1].toObject()["x"].isNull());
        QCOMPARE(written({{"x"}, {}}, OutputFormat::json), QString("[]\n"));
    }

    void tables_are_aligned() {
        const Table t{{"layer", "time_ms", "kind"},
                      {{std::string("é1"), 12.3456789, std::string("conv")},
                       {std::string("pool\x1b[31m"), 1234567.0, std::string("p")}}};
        QCOMPARE(written(t, OutputFormat::table), QString::fromUtf8("layer      time_ms  kind\n"
                                                                    "é1         12.3457  conv\n"
                                                                    "pool?[31m  1234567  p\n"));
    }

    void tables_fit_a_terminal_data() {
        QTest::addColumn<int>("columns");
        for (const int columns : {40, 80, 120, 300}) QTest::addRow("%d", columns) << columns;
    }
    /// No line is longer, counted in characters; every column is there, names are whole, and cut texts say so.
    void tables_fit_a_terminal() {
        QFETCH(int, columns);
        Table t{{"id", "name", "description", "time_ms", "a_figure_with_a_long_name", "own"}, {}};
        std::mt19937 random(11);
        for (int row = 0; row < 50; ++row) {
            std::string text;
            for (auto i = random() % 400; i > 0; --i) text += i % 7 == 0 ? " " : i % 3 == 0 ? "é" : "w";
            t.rows.push_back({"scenario-" + std::to_string(row), std::string("Größe ") + std::to_string(row), text,
                              1.5 * row, std::int64_t{row}, std::string("no")});
        }
        std::ostringstream out;
        write_table(out, t, OutputFormat::table, static_cast<std::size_t>(columns));
        const QString whole = QString::fromStdString(out.str());
        for (const QString& line : whole.split('\n')) QVERIFY2(line.size() <= columns, line.toUtf8());
        for (const char* name : {"id", "name", "description", "time", "a_figure_with", "own"})
            QVERIFY2(whole.contains(QLatin1String(name)), name);
        for (int row = 0; row < 50; ++row) QVERIFY(whole.contains(QStringLiteral("scenario-%1 ").arg(row)));
        QVERIFY(whole.contains(QStringLiteral("Größe 49")) && whole.contains(QStringLiteral("…")));
        QCOMPARE(whole.count(QStringLiteral("\n\n")) > 0, columns == 40);  // what goes below the first columns
        // A pipe gets all of it, and other formats are never cut.
        QVERIFY(!written(t, OutputFormat::table).contains(QStringLiteral("…")));
        std::ostringstream csv;
        write_table(csv, t, OutputFormat::csv, 40);
        QCOMPARE(QString::fromStdString(csv.str()), written(t, OutputFormat::csv));
    }

    void what_fits_is_left_as_it_is() {
        const Table t{{"layer", "time_ms"}, {{std::string("conv1"), 12.5}, {std::string("fc6"), 3.25}}};
        std::ostringstream out;
        write_table(out, t, OutputFormat::table, 80);
        QCOMPARE(QString::fromStdString(out.str()), written(t, OutputFormat::table));
        out.str({});
        write_table(out, {{"words"}, {{std::string(100, 'x')}}}, OutputFormat::table, 80);
        QCOMPARE(QString::fromStdString(out.str()), "words\n" + QString(79, 'x') + "…\n");
    }

    void suggestions_are_close() {
        const Words names = {"AlexNet", "ResNet-50", "VGG-16"};
        QCOMPARE(closest("alexnte", names).value(), std::string("AlexNet"));
        QCOMPARE(closest("resnet50", names).value(), std::string("ResNet-50"));
        QVERIFY(!closest("inception", names));
        QVERIFY(!closest("", names));
        QVERIFY(!closest(std::string(100'000, 'a'), names));
        QVERIFY(!closest("q", Words{"x"}));
    }
};

QTEST_APPLESS_MAIN(TestCliFrame)
#include "tst_cli_frame.moc"
