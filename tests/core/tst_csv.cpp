// SPDX-License-Identifier: GPL-3.0-or-later
// Files of comma-separated values, read and written.

#include <QTest>

#include "core/base/limits.hpp"
#include "core/formats/csv_fields.hpp"
#include "core/formats/csv_write.hpp"
#include "support_tables.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace std::literals;
using namespace support;

class TestCsv : public QObject {
    Q_OBJECT

private slots:
    /// Rows that are copied from a page lack the cells that are merged with those above.
    void merged_cells_are_missing() {
        const std::string header = "Model\tGPU\tbatch\tspeed\n", row = "VGG\tV100\t32\t1,000\n";
        const std::string above = "; Model; GPU; batch; speed / VGG; V100; 32; 1,000";
        QCOMPARE(read(header + row + "A100\t64\t~200\n128\t300\n"), above + " / ; A100; 64; ~200 / ; ; 128; 300");
        QCOMPARE(read(header + row + "BERT\t8\tOOM\nBERT\tH100\t40\n\t8\t1\n"),
                 above + " / ; BERT; 8; OOM / BERT; H100; ; 40 / ; ; 8; 1");
        QCOMPARE(read(header + row + "BERT\t8\t10\nBERT\tH100\t-\n"), above + " / ; BERT; 8; 10 / BERT; H100; ; -");
        QCOMPARE(read("a\tb\tc\n1\tx\t2\n3\ty\n"), "; a; b; c / 1; x; 2 / 3; y; "s);
        QVERIFY(read(header + row + "a\tb\t1\t2\t3\n").find("t.md:3:9: This row has 5 cells") == 0);
        QVERIFY(read(header + "A100\t64\t200\n" + row).find("t.md:2:1: This row has 3 cells") == 0);  // none above
        QVERIFY(read(header + row + "We measured this with version 2.\n").find("t.md:3:1: This row has 1 cell;") == 0);
        QVERIFY(read("a,b\n1,2\n3\n").find("t.md:3:1: This row has 1 cell;") == 0);
        const auto table = parse_csv(header + row + "A100\t64\t200\n", "t.tsv");
        QCOMPARE(table->at(1, 1), (SourcePosition{"t.tsv", 3, 1}));
    }

    void looks_like_a_table() {
        for (const char* text :
             {"a,b\n1,2\n", "\xef\xbb\xbf# runs\n\nworkers;time_s\n", "a\tb", "\"a b\",c\r\n1,2\r\n"})
            QVERIFY2(looks_like_csv(text), text);
        for (const char* text : {"", "# only, this", "{\"a\": 1, \"b\": 2}", "name: \"net\", x", "[1, 2]",
                                 "layer { a, b }", "<a, b>", "workers\n1,2\n"})
            QVERIFY2(!looks_like_csv(text), text);
    }

    void cells_and_positions() {
        const auto table = parse_csv(
            "\xef\xbb\xbf# measured in spring\r\n\r\n name , \"time, ms\",note\r\n"
            "ärger,\t1.5 ,\"two\nlines and a \"\"quote\"\"\"\n  # nothing here\n\"# no comment\",,5\" disk",
            "f.csv");
        QVERIFY2(table, table ? "" : messages(table.error()).c_str());
        QCOMPARE(table->file(), "f.csv"s);
        QCOMPARE(
            shown(*table),
            "# measured in spring; name; time, ms; note / ärger; 1.5; two\nlines and a \"quote\" / # no comment; ; 5\" disk"s);
        QCOMPARE(table->column("note"), std::optional<std::size_t>(2));
        QVERIFY(!table->column("Note"));
        QCOMPARE(table->name_at(1), (SourcePosition{"f.csv", 3, 9}));
        QCOMPARE(table->at(0, 1), (SourcePosition{"f.csv", 4, 8}));  // characters, not bytes
        QCOMPARE(table->at(1, 2), (SourcePosition{"f.csv", 7, 17}));
    }

    void other_separators_and_no_rows() {
        QCOMPARE(read("a;b\n1,5;2\n"), "; a; b / 1,5; 2"s);
        QCOMPARE(read("a\tb\tc\n\t2\t\n"), "; a; b; c / ; 2; "s);
        QCOMPARE(read("\"a;b\",c;d\n1,2\n"), "; a;b; c;d / 1; 2"s);
        QCOMPARE(read("a,b"), "; a; b"s);
        QCOMPARE(read("a\n\"\"\n1\n"), "; a /  / 1"s);
        const auto unnamed = parse_csv(",a,\n0,1,2\n", "f.csv");
        QVERIFY(unnamed);
        QCOMPARE(unnamed->column(""), std::optional<std::size_t>(0));
    }

    void broken_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, QByteArray text, const char* says) {
            QTest::newRow(name) << text << QString(says);
        };
        row("empty", "", "f.csv:1:1: The table is empty; write the names");
        row("only comments", "# a\n\n", "f.csv:1:1: The table is empty");
        row("latin-1", "a,b\n\xe4,1\n", "f.csv:2:1: The file is not UTF-8 text; save it as UTF-8.");
        row("narrow", "a,b\n1\n", "f.csv:2:1: This row has 1 cell; the header has 2; add the cells");
        row("wide", "a,b\n1,2,3\n", "f.csv:2:5: This row has 3 cells; the header has 2; remove what is too much");
        row("twice", "a,b, a\n", "f.csv:1:6: There are two columns \"a\"; give each");
        row("twice once written", "a\x04,a?\n", "f.csv:1:4: There are two columns \"a?\"; give each");
        row("open quote", "a,b\n1,\"2\n3,4\n", "f.csv:2:3: This quote is never closed; write a second");
        row("after quote", "a,b\n\"1\"x,2\n", "f.csv:2:4: Text follows the closing quote of a cell");
        row("old line ends", "a,b\r1,2\r", "f.csv:1:4: A carriage return stands inside a line");
    }
    void broken() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto message = QString::fromStdString(said(text.toStdString()));
        QVERIFY2(message.startsWith(says), qPrintable(message));
    }

    void every_ragged_row_is_said() {
        const auto table = parse_csv("a,b\n1\n1,2\n1,2,3\n", "f.csv");
        QVERIFY(!table);
        QCOMPARE(table.error().size(), 2u);
        std::string many = "a,b\n";
        for (int i = 0; i < 1000; ++i) many += "1\n";
        const auto hopeless = parse_csv(many, "f.csv");
        QCOMPARE(hopeless.error().size(), limits::problems + 1);
    }

    void bounds() {
        std::string wide(limits::csv_columns, ',');
        QVERIFY(said(wide).find("4097 columns; at most 4096 are read") != std::string::npos);
        std::string long_table = std::string(4000, ',') + '\n';
        const std::string line = long_table;
        while (long_table.size() < limits::csv_cells) long_table += line;
        QVERIFY2(said(long_table).find("more than 2000000 cells") != std::string::npos, said(long_table).c_str());
        QVERIFY(said(std::string(limits::csv_bytes + 1, 'a')).find("at most 32 MiB are read") != std::string::npos);
    }

    /// Spreadsheets take such cells for formulas, terminals take control characters for orders; numbers stay numbers.
    void cells_are_harmless_and_read_back_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("written");
        const auto row = [](const char* cell, const char* written) { QTest::newRow(cell) << cell << written; };
        row("=1+1", "'=1+1");
        row("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
        row("-2+3", "'-2+3");
        row("@SUM(A1)", "'@SUM(A1)");
        row("=a,b", "\"'=a,b\"");
        row("\t=1", "'\t=1");
        row("'=1", "''=1");
        row("-1.5", "-1.5");
        row("+2", "+2");
        row("-1e-3", "-1e-3");
        row("'quoted'", "'quoted'");
        row("# no comment", "\"# no comment\"");
        row(" edged", "\" edged\"");
        row("two\nlines", "\"two\nlines\"");
        row("say \"x\"", "\"say \"\"x\"\"\"");
        row("plain", "plain");
    }
    void cells_are_harmless_and_read_back() {
        QFETCH(QString, cell);
        QFETCH(QString, written);
        const std::string text = cell.toStdString();
        QCOMPARE(QString::fromStdString(csv_cell(text)), written);
        const auto table = parse_csv("a,b\n1," + csv_cell(text) + '\n', "f.csv");
        QVERIFY(table);
        QCOMPARE(std::string(table->cell(0, 1)), text);
    }

    /// A file's own is no part of its first name, a second one is.
    void a_byte_order_mark_stays_in_the_first_name() {
        const std::string mark = "\xef\xbb\xbf", name = mark + "marked";
        const auto read = parse_csv(mark + name + ",b\n1,2\n", "f.csv");
        QVERIFY(read);
        QCOMPARE(std::string(read->name(0)), name);
        QCOMPARE(csv_cell(name), '"' + name + '"');
        const auto again = parse_csv(csv_cell(read->name(0)) + ",b\n1,2\n", "f.csv");
        QVERIFY(again);
        QCOMPARE(std::string(again->name(0)), name);
    }

    /// A header of one name has no comma that says what separates cells.
    void one_column_keeps_its_name_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"a;b", "a\tb", "\"a;b\"", "", "plain"}) QTest::newRow(name) << name;
    }
    void one_column_keeps_its_name() {
        QFETCH(QString, name);
        const std::vector<std::string> header{name.toStdString()}, cells{"1;2"};
        const auto table = parse_csv(csv_row(header) + csv_row(cells), "f.csv");
        QVERIFY(table);
        QCOMPARE(table->columns(), std::size_t{1});
        QCOMPARE(std::string(table->name(0)), header[0]);
        QCOMPARE(std::string(table->cell(0, 0)), cells[0]);
    }

    void control_characters_are_not_written() {
        QCOMPARE(csv_cell("\x1b[2Jred\x07\x7f\xc2\x9b"
                          "1m"),
                 "?[2Jred???1m"s);
        QCOMPARE(csv_cell("bad \xff end"), "bad \xef\xbf\xbd end"s);
        const FigureTable table{{"a", "=b"}, {{"\x1b]0;x\x07"s, -1.5}, {std::monostate(), std::int64_t{-2}}}};
        const std::string comment = "one\n\x1b[1mtwo";
        QCOMPARE(write_csv(table, std::span(&comment, 1)), "# one\n# ?[1mtwo\na,'=b\n?]0;x?,-1.5\n,-2\n"s);
        QCOMPARE(write_csv({{"a"}, {{std::monostate()}}}), "a\n\"\"\n"s);
    }

    /// A spreadsheet divides comments into cells too; a network's name may stand in one.
    void comments_hold_no_formulas() {
        const auto comment = [](const std::string& text) {
            const std::string csv = write_csv({{"a"}, {{1.5}}}, std::span(&text, 1));
            return csv.substr(0, csv.find('\n'));
        };
        QCOMPARE(comment("x,=HYPERLINK(\"http://a\"),y"), "# x,'=HYPERLINK(\"http://a\"),y"s);
        QCOMPARE(comment("x; @SUM(1)"), "# x; '@SUM(1)"s);
        QCOMPARE(comment("x,\"=1+1\""), "# x,'\"=1+1\""s);
        QCOMPARE(comment("x,"), "# x,"s);
        QCOMPARE(comment("AlexNet, data parallel, -1.5, 32 workers"), "# AlexNet, data parallel, -1.5, 32 workers"s);
    }

    /// A text that is kept elsewhere is not copied: its cells are views of it.
    void no_copy_of_the_text() {
        const std::string text = "a,b\n1,22\n";
        const auto table = parse_csv(text, "f.csv");
        QVERIFY(table);
        QCOMPARE(static_cast<const void*>(table->cell(0, 1).data()), static_cast<const void*>(text.data() + 6));
        const auto kept =
            parse_csv(QString::fromLatin1("%1,b\n1,22\n").arg(QString(100, QLatin1Char('a'))).toStdString(), "f.csv");
        QCOMPARE(kept->cell(0, 1), "22"sv);
        QCOMPARE(kept->at(0, 1).line, 2);
    }

    void given_up() {
        CancelSource source;
        source.cancel();
        const auto table = parse_csv("a,b\n1,2\n", "f.csv", Watch{{}, source.token()});
        QVERIFY(!table);
        QVERIFY(table.error().front().what.find("given up") != std::string::npos);
    }

    void fields() {
        const auto table = parse_csv("gpus,time_ms,note\n4,1.5e1,x\n,,\nfour,nan,y\n9,-1,z\n1.0,1e999,z\n", "f.csv");
        QVERIFY(table);
        ProblemList problems;
        CsvFields fields(*table, problems);
        const auto gpus = fields.required("gpus");
        const auto time = fields.required("time_ms");
        QVERIFY(gpus && time && !fields.optional("seconds"));
        QCOMPARE(fields.integer(0, *gpus, 1, 8), std::optional<std::int64_t>(4));
        QCOMPARE(fields.number(0, *time, 0, JsonFields::most), std::optional<double>(15.0));
        QCOMPARE(fields.text(0, 2), std::optional<std::string>("x"));
        QVERIFY(!fields.optional_integer(1, *gpus, 1, 8) && !fields.optional_number(1, *time, 0, 1));
        QVERIFY(problems.all().empty());
        const auto last = [&] { return to_text(problems.all().back()); };
        QVERIFY(!fields.required("time-ms"));
        QCOMPARE(last(), "f.csv:1:1: There is no column \"time-ms\"; did you mean \"time_ms\"?"s);
        QVERIFY(!fields.required("learning_rate"));
        QVERIFY(last().find("add it to the first line") != std::string::npos);
        QVERIFY(!fields.text(1, 2));
        QCOMPARE(last(), "f.csv:3:3: note: This cell is empty; fill it in, or remove the row."s);
        QVERIFY(!fields.integer(2, *gpus, 1, 8));
        QCOMPARE(last(), "f.csv:4:1: gpus: \"four\" cannot stand here; write a whole number from 1 to 8."s);
        QVERIFY(!fields.integer(3, *gpus, 1, 8));
        QVERIFY(!fields.integer(4, *gpus, 1, 8));
        QVERIFY(!fields.number(2, *time, 0, JsonFields::most));
        QCOMPARE(last(), "f.csv:4:6: time_ms: \"nan\" cannot stand here; write a number of at least 0."s);
        QVERIFY(!fields.number(3, *time, 0, JsonFields::most));
        QVERIFY(!fields.number(4, *time, 0, JsonFields::most));
        QCOMPARE(problems.errors(), 9u);
    }
};

QTEST_APPLESS_MAIN(TestCsv)
#include "tst_csv.moc"
