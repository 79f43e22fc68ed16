// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of Markdown, reStructuredText and HTML, as they stand on pages.

#include <QTest>

#include "core/formats/csv_write.hpp"
#include "support_tables.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace std::literals;
using namespace support;

class TestPageTables : public QObject {
    Q_OBJECT

private slots:
    /// A table as it stands on a page: bars around the cells, a line of dashes, text before and after.
    void tables_of_markdown() {
        const auto table = parse_csv(
            "**Table 2**: measured\n\n| Model | GPUs, all | Say \"x\" |\n|:---|---:|--|\n"
            "| VGG-16 | 8 | |\n  | a,b | \"16\" | c |  \n\nSource: a page\n",
            "t.md");
        QVERIFY(table);
        QCOMPARE(shown(*table), "**Table 2**: measured; Model; GPUs, all; Say \"x\" / VGG-16; 8;  / a,b; \"16\"; c"s);
        QCOMPARE(table->at(1, 0).line, 6);
        // cut or filled to the header's width (GitHub Flavored Markdown, 4.10)
        QCOMPARE(read("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n"), "; a; b / 1; 2"s);
        QCOMPARE(read("| a | a |\n|---|---|\n| 1 |\n"), "; a; a / 1; "s);
        // A cell that begins with a bar is quoted, so that a table that was written is not taken for one of Markdown.
        const std::string kept =
            csv_row(std::vector<std::string>{"|a", "b"}) + csv_row(std::vector<std::string>{"1", "2"});
        QCOMPARE(parse_csv(kept, "t.csv").value().name(0), "|a"sv);
        QVERIFY(looks_like_csv("| a | b |\n") && parse_csv("a|b,c\n1,2\n", "t.csv").value().columns() == 2);
    }

    /// As they stand on other pages: sentences with commas above, no bars at the ends, grids and simple tables of
    /// reStructuredText, and a second table below.
    void tables_of_pages() {
        const std::string title = "We measured on 8 A100, 80 GB each, and report medians.";
        QCOMPARE(read(title + "\n\na | b |\n---|---|\n1 | 2 |\n\nThat was fast.\n"), title + "; a; b / 1; 2");
        QCOMPARE(read(title + "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n| c | d |\n|---|---|\n| 3 | 4 |\n"),
                 title + "; a; b / 1; 2");
        QCOMPARE(read(title + "\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n"), title + "; a; b / 1; 2");
        QCOMPARE(
            read(title + "\n\n====  =====\nname  speed\n====  =====\nx y   1,000 tokens\nz\n====  =====\n\nEnd.\n"),
            title + "; name; speed / x y; 1,000 tokens / z; ");
        QCOMPARE(read(title + "\na,b\n1,2\n"), title + "; a; b / 1; 2");
        QCOMPARE(read(title + "\na\tb\n1\t2\n"), title + "; a; b / 1; 2");
        QCOMPARE(read("batch size per GPU,tokens per second and GPU\n1,2\n"),
                 "; batch size per GPU; tokens per second and GPU / 1; 2"s);
        QVERIFY(!parse_csv("a,b\n1,2,3\n", "t.csv"));  // still a row that is too wide
        QVERIFY(looks_like_csv("Some: text [1].\n\na | b\n---|---\n1 | 2\n"));
    }

    void tables_below_each_other() {
        const auto first = parse_csv(
            "Above\n| a | b |\n|--|--|\n| 1 | 2 |\n\nBetween\n\n| c |\n|--|\n| 3 |\n| 4 |\n"
            "\n== ==\nd  e\n== ==\n5  6\n== ==\n\nThe end\n",
            "t.md");
        QVERIFY(first);
        QCOMPARE(shown(*first), "Above; a; b / 1; 2"s);
        const auto second = first->next();
        QCOMPARE(shown(second.value()), "\nBetween; c / 3 / 4"s);
        QCOMPARE(second->at(1, 0).line, 11);
        const auto third = second->next();
        QCOMPARE(shown(third.value()), "; d; e / 5; 6"s);
        QVERIFY(!third->next());
        QCOMPARE(third->text_below(), "\nThe end\n"sv);
        const auto named = parse_csv("results-a100.csv\nmodel,value\nx,1\n", "t.csv");
        QVERIFY(named && !named->next());
        QCOMPARE(shown(*named), "results-a100.csv; model; value / x; 1"s);
    }

    /// The text between two tables is about the first one down to a heading.
    void text_between_tables() {
        const std::string table = "| a |\n|---|\n| 1 |\n", note = "\nMeasured on 8 A100.\n\n", more = "\nOn H100:\n\n";
        for (const std::string heading : {"## Next\n", "**Next**\n", "Next\n----\n", "Next\n====\n"}) {
            const auto first = parse_csv(table + note + heading + more + table + "\nEnd\n\n" + heading, "t.md");
            QVERIFY(first);
            QCOMPARE(std::string(first->text_below()), note);
            const auto second = first->next();
            QVERIFY(second);
            QCOMPARE(std::string(second->title()), heading + "\nOn H100:");
            QCOMPARE(std::string(second->text_below()), "\nEnd\n\n" + heading);  // no other table wants it
        }
        for (const std::string text : {"\nA **bold** word\n", "\n- 1\n- 2\n", "\n**A** and **b**\n"}) {
            const auto first = parse_csv(table + text + more + table, "t.md");
            QVERIFY(first->text_below().empty());
            QCOMPARE(std::string(first->next()->title()), text + "\nOn H100:");
        }
    }

    /// A block with commas is a table too if names stand above numbers.
    void blocks_on_a_page() {
        const std::string bars = "\n## Other\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", title = "On A100, in fp16:\n\n";
        const auto first = parse_csv(title + "model,speed\nVGG,10\nBERT,n/a\nThat was fast.\n" + bars, "t.md");
        QVERIFY(first);
        QCOMPARE(shown(*first), "On A100, in fp16:; model; speed / VGG; 10 / BERT; n/a"s);
        QCOMPARE(first->text_below(), "That was fast.\n\n"sv);
        QCOMPARE(shown(first->next().value()), "## Other; a; b / 1; 2"s);
        const auto last = parse_csv(bars + "\nmodel;speed\nVGG;10\n", "t.md");
        QCOMPARE(shown(last->next().value()), "; model; speed / VGG; 10"s);
        for (const std::string text : {"Fast, stable\nFree, open\n", "a, b = f(1, 2)\nc, d = f(3, 4)\n", "1,2\n3,4\n"})
            QCOMPARE(read(text + bars), text + "\n## Other; a; b / 1; 2");
    }

    /// GitHub takes one dash for a rule below a header. Further down, dashes are cells without values.
    void thin_rules() {
        QCOMPARE(read("| a | b | c |\n|:- |-:|-:|\n| 1 | 2, 3 | 4 |\n"), "; a; b; c / 1; 2, 3; 4"s);
        QCOMPARE(read("a | b\n- | -\n1 | 2\n"), "; a; b / 1; 2"s);
        QCOMPARE(read("| a | b |\n|:-:|-|\n| 1 | 2 |\n| - | - |\n| 3 | 4 |\n"), "; a; b / 1; 2 / 3; 4"s);
        QCOMPARE(read("a|b,c\n|-\n1,2\n"),
                 "t.md:2:1: This row has 1 cell; the header has 2; add the cells that "
                 "are missing, empty ones too."s);
    }

    void empty_rows_are_no_rules() {
        QCOMPARE(read("| a | b |\n|--|:-:|\n| 1 | 2 |\n|   |   |\n| 3 | 4 |\n|   | - |\n| 5 | 6 |\n"),
                 "; a; b / 1; 2 / ;  / 3; 4 / ; - / 5; 6"s);
    }

    void grids_and_simple_tables() {
        QCOMPARE(read("+-----+------+\n| a|b | c    |\n+=====+======+\n| 1|2 | 3    |\n+-----+------+\n| 4   | 5    |\n"
                      "|     | more |\n+-----+------+\n"),
                 "; a|b; c / 1|2; 3 / 4; 5 more"s);
        // cells that span columns and rows
        QCOMPARE(read("+---+-------+\n| m | speed |\n|   +---+---+\n|   | x | y |\n+===+===+===+\n| 1 | 2 | 3 |\n"
                      "|   +---+---+\n|   | 4 | 5 |\n+---+---+---+\n| all       |\n+---+---+---+\n"),
                 "; m; speed x; speed y / 1; 2; 3 / ; 4; 5 / all; ; "s);
        // as databases print them
        QCOMPARE(read("Sum\n+---+---+\n| a | b |\n+---+---+\n| 1 |   |\n| ä |  3 |\n+---+---+\nEnd\n"),
                 "Sum; a; b / 1;  / ä; 3"s);
        QCOMPARE(read("=====  ====  ====\nbatch  speed\n-----  ----------\nsize   x     y\n=====  ====  ====\n8      1 "
                      "    2\n"
                      "=====  ====  ====\n"),
                 "; batch size; speed x; speed y / 8; 1; 2"s);
        QCOMPARE(read("==  ==\n# a  b\n1   2\n==  ==\n\n| c |\n|---|\n"), "; # a; b / 1; 2"s);
        const auto table =
            parse_csv("\n+---+---+\n| a | b |\n+---+---+\n| ä | x |\n+---+---+\n| y | z |\n+---+---+\nEnd", "t.rst");
        QCOMPARE(table->at(0, 1), (SourcePosition{"t.rst", 5, 7}));
        QCOMPARE(table->text_below(), "End"sv);
    }

    /// Merged cells are repeated in the rows below, and those of a header in each of their columns.
    void tables_of_html() {
        const std::string page =
            "<p>On 8 A100</p>\n<table class=\"a\">\n<thead>\n<tr><th rowspan=\"2\">Model&nbsp;name</th>"
            "<th colspan=2>speed <b>(1&#x2F;s)</b></th></tr>\n<tr><th>fp16</th><th>bf16<br>O2</th></tr></thead>\n"
            "<tbody><tr><td rowspan='2'> VGG\n  &amp; <!-- <td>no</td> --> co</td><td>4 &times; 2</td>"
            "<td>&lt; 5 &#215; 6 &x; < 7</td></tr>\n"
            "<TR><TD>8</TD></TR><tr><td colspan=3>all</td></tr></tbody></table> End\n\n## More\n"
            "<table><tr><td><img></td></tr></table>\n\n| a |\n|---|\n| 1 |\n";
        const auto table = parse_csv(page, "t.md");
        QVERIFY2(table, table ? "" : messages(table.error()).c_str());
        QCOMPARE(QString::fromStdString(shown(*table)),
                 QString("<p>On 8 A100</p>; Model name; speed (1/s) fp16; speed (1/s) bf16 O2 / VGG & co; 4 × 2; "
                         "< 5 × 6 &x; < 7 / VGG & co; 8;  / all; ; "));
        QCOMPARE(table->at(1, 1), (SourcePosition{"t.md", 8, 9}));
        QCOMPARE(table->at(0, 0), (SourcePosition{"t.md", 6, 29}));
        QCOMPARE(table->text_below(), " End\n\n"sv);
        const auto second = table->next();
        QVERIFY(second);
        QCOMPARE(shown(*second), "## More\n<table><tr><td><img></td></tr></table>; a / 1"s);
        // all in one line, without header cells and end tags, inside of another table
        const auto inner = parse_csv(
            "<html><table><tr><td><table><tr><td>a<td>b<tr><td>1<td>2</table> x <table><tr><th>c<th>d<tr><td>3",
            "t.html");
        QVERIFY(inner);
        QCOMPARE(shown(*inner), "<html><table><tr><td>; a; b / 1; 2"s);
        QCOMPARE(shown(inner->next().value()), " x; c; d / 3; "s);
        QVERIFY(looks_like_csv(page) && !looks_like_csv("{\"note\": \"<table><tr><td>a<td>b<tr><td>1<td>2\"}"));
        const auto kept = parse_csv(csv_cell("<table><tr><td>a<td>b<tr><td>1<td>2") + ",x\n1,2\n", "t.csv");
        QCOMPARE(kept.value().name(1), "x"sv);
        // spans that would be more than a table may have
        std::string wide = "<table><tr><td>a<td>b";
        for (int i = 0; i < 5; ++i) wide += "<td colspan=1000 rowspan=9999>";
        QVERIFY(said(wide + "<tr><td>1</table>").find("at most 4096 are read") != std::string::npos);
        std::string high = "<table><tr><td colspan=1000 rowspan=1000>a<td colspan=1000 rowspan=1000>b";
        for (int i = 0; i < 2000; ++i) high += "<tr><td>";
        QVERIFY(said(high).find("more than 2000000 cells") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPageTables)
#include "tst_page_tables.moc"
