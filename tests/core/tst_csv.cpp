// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/limits.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_fields.hpp"
#include "core/formats/csv_write.hpp"

#include <QTest>

using namespace scalescope;
using namespace scalescope::formats;

namespace {

QString shown(const Problems& problems) {
    QString text;
    for (const auto& p : problems) text += QString::fromStdString(to_text(p)) + '\n';
    return text;
}

std::string said(std::string_view text) {
    const auto table = parse_csv(text, "f.csv");
    return table ? std::string() : to_text(table.error().front());
}

/// Title, header and rows: "title; a; b / 1; 2".
std::string shown(const CsvTable& table) {
    std::string all(table.title());
    for (std::size_t c = 0; c < table.columns(); ++c) all += "; " + std::string(table.name(c));
    for (std::size_t r = 0; r < table.rows(); ++r)
        for (std::size_t c = 0; c < table.columns(); ++c)
            all += (c == 0 ? " / " : "; ") + std::string(table.cell(r, c));
    return all;
}

std::string read(const std::string& text) {
    const auto table = parse_csv(text, "t.md");
    return table ? shown(*table) : to_text(table.error().front());
}

}  // namespace

class TestCsv : public QObject {
    Q_OBJECT

private slots:
    /// A table as it stands on a page: bars around the cells, a line of dashes, text before and after.
    void tables_of_markdown() {
        const auto table = parse_csv(
            "**Table 2**: measured\n\n| Model | GPUs, all | Say \"x\" |\n|:---|---:|--|\n"
            "| VGG-16 | 8 | |\n  | a,b | \"16\" | c |  \n\nSource: a page\n",
            "t.md");
        QVERIFY(table.has_value());
        QCOMPARE(table->columns(), std::size_t{3});
        QCOMPARE(table->rows(), std::size_t{2});
        QCOMPARE(table->name(1), std::string_view("GPUs, all"));
        QCOMPARE(table->name(2), std::string_view("Say \"x\""));
        QCOMPARE(table->cell(0, 2), std::string_view());
        QCOMPARE(table->cell(1, 0), std::string_view("a,b"));
        QCOMPARE(table->cell(1, 1), std::string_view("\"16\""));
        QCOMPARE(table->at(1, 0).line, 6);
        const auto wide = parse_csv("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n", "t.md");
        QVERIFY(wide.has_value());  // cut or filled to the header's width (GitHub Flavored Markdown, 4.10)
        QCOMPARE(wide->cell(0, 1), std::string_view("2"));
        const auto narrow = parse_csv("| a | a |\n|---|---|\n| 1 |\n", "t.md");
        QVERIFY(narrow.has_value());
        QCOMPARE(narrow->cell(0, 1), std::string_view());
        QCOMPARE(table->title(), std::string_view("**Table 2**: measured"));
        // A cell that begins with a bar is quoted, so that a table that was written is not taken for one of Markdown.
        const std::string kept =
            csv_row(std::vector<std::string>{"|a", "b"}) + csv_row(std::vector<std::string>{"1", "2"});
        QCOMPARE(parse_csv(kept, "t.csv").value().name(0), std::string_view("|a"));
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
                 std::string("; batch size per GPU; tokens per second and GPU / 1; 2"));
        QVERIFY(!parse_csv("a,b\n1,2,3\n", "t.csv"));  // still a row that is too wide
        QVERIFY(looks_like_csv("Some: text [1].\n\na | b\n---|---\n1 | 2\n"));
    }

    void tables_below_each_other() {
        const auto first = parse_csv(
            "Above\n| a | b |\n|--|--|\n| 1 | 2 |\n\nBetween\n\n| c |\n|--|\n| 3 |\n| 4 |\n"
            "\n== ==\nd  e\n== ==\n5  6\n== ==\n\nThe end\n",
            "t.md");
        QVERIFY(first && first->rows() == 1);
        const auto second = first->next();
        QVERIFY(second && second->rows() == 2);
        QCOMPARE(std::string(second->title()), std::string("\nBetween"));
        QCOMPARE(second->at(1, 0).line, 11);
        const auto third = second->next();
        QVERIFY(third && third->rows() == 1);
        QCOMPARE(std::string(third->cell(0, 1)), std::string("6"));
        QVERIFY(!third->next());
        QCOMPARE(std::string(third->text_below()), std::string("\nThe end\n"));
        const auto named = parse_csv("results-a100.csv\nmodel,value\nx,1\n", "t.csv");
        QVERIFY(named && named->rows() == 1 && !named->next());
        QCOMPARE(std::string(named->title()), std::string("results-a100.csv"));
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
        QCOMPARE(shown(*first), std::string("On A100, in fp16:; model; speed / VGG; 10 / BERT; n/a"));
        QCOMPARE(std::string(first->text_below()), std::string("That was fast.\n\n"));
        QCOMPARE(shown(first->next().value()), std::string("## Other; a; b / 1; 2"));
        const auto last = parse_csv(bars + "\nmodel;speed\nVGG;10\n", "t.md");
        QCOMPARE(shown(last->next().value()), std::string("; model; speed / VGG; 10"));
        for (const std::string text : {"Fast, stable\nFree, open\n", "a, b = f(1, 2)\nc, d = f(3, 4)\n", "1,2\n3,4\n"})
            QCOMPARE(read(text + bars), text + "\n## Other; a; b / 1; 2");
    }

    /// GitHub takes one dash for a rule below a header. Further down, dashes are cells without values.
    void thin_rules() {
        QCOMPARE(read("| a | b | c |\n|:- |-:|-:|\n| 1 | 2, 3 | 4 |\n"), std::string("; a; b; c / 1; 2, 3; 4"));
        QCOMPARE(read("a | b\n- | -\n1 | 2\n"), std::string("; a; b / 1; 2"));
        QCOMPARE(read("| a | b |\n|:-:|-|\n| 1 | 2 |\n| - | - |\n| 3 | 4 |\n"), std::string("; a; b / 1; 2 / 3; 4"));
        QCOMPARE(read("a|b,c\n|-\n1,2\n"),
                 std::string("t.md:2:1: This row has 1 cell; the header has 2; add the cells that "
                             "are missing, empty ones too."));
    }

    void grids_and_simple_tables() {
        QCOMPARE(read("+-----+------+\n| a|b | c    |\n+=====+======+\n| 1|2 | 3    |\n+-----+------+\n| 4   | 5    |\n"
                      "|     | more |\n+-----+------+\n"),
                 std::string("; a|b; c / 1|2; 3 / 4; 5 more"));
        // cells that span columns and rows
        QCOMPARE(read("+---+-------+\n| m | speed |\n|   +---+---+\n|   | x | y |\n+===+===+===+\n| 1 | 2 | 3 |\n"
                      "|   +---+---+\n|   | 4 | 5 |\n+---+---+---+\n| all       |\n+---+---+---+\n"),
                 std::string("; m; speed x; speed y / 1; 2; 3 / ; 4; 5 / all; ; "));
        // as databases print them
        QCOMPARE(read("Sum\n+---+---+\n| a | b |\n+---+---+\n| 1 |   |\n| ä |  3 |\n+---+---+\nEnd\n"),
                 std::string("Sum; a; b / 1;  / ä; 3"));
        QCOMPARE(read("=====  ====  ====\nbatch  speed\n-----  ----------\nsize   x     y\n=====  ====  ====\n8      1 "
                      "    2\n"
                      "=====  ====  ====\n"),
                 std::string("; batch size; speed x; speed y / 8; 1; 2"));
        QCOMPARE(read("==  ==\n# a  b\n1   2\n==  ==\n\n| c |\n|---|\n"), std::string("; # a; b / 1; 2"));
        const auto table =
            parse_csv("\n+---+---+\n| a | b |\n+---+---+\n| ä | x |\n+---+---+\n| y | z |\n+---+---+\nEnd", "t.rst");
        QCOMPARE(table->at(0, 1), (SourcePosition{"t.rst", 5, 7}));
        QCOMPARE(std::string(table->text_below()), std::string("End"));
    }

    /// The items of a list are rows, and theirs are cells. The title stands behind the directive's name.
    void list_tables() {
        const std::string rows =
            "   * - Name\n     - Speed\n       (1/s)\n\n   * - VGG,\n\n       large\n     - 1,000\n   * - ä\n     -\n"
            "   * - all\n";
        const std::string read_rows = "; Name; Speed (1/s) / VGG, large; 1,000 / ä;  / all; ";
        for (const std::string header : {"0", "1"})
            QCOMPARE(read("On A100.\n\n.. list-table:: Of 8\n   :header-rows: " + header + "\n   :widths: 20 80\n\n" +
                          rows + "\nEnd\n"),
                     "On A100.\n\n.. list-table:: Of 8" + read_rows);
        QCOMPARE(read(".. list-table::\n" + rows), ".. list-table::" + read_rows);
        QCOMPARE(read(".. list-table:: Of\n   8 A100\n   :header-rows: 2\n\n" + rows),
                 std::string(".. list-table:: Of\n   8 A100; Name VGG, large; Speed (1/s) 1,000 / ä;  / all; "));
        QCOMPARE(read(".. list-table::\n  :header-rows: 9\n\n  - - a\n    - b\n  - + 1\n    + - x\n"),
                 std::string(".. list-table::; a 1; b - x"));
        QCOMPARE(read(".. list-table::\n\n  *\n    - a\n    - b\n  *\n    - 1\n    - 2\n"),
                 std::string(".. list-table::; a; b / 1; 2"));
        const auto table = parse_csv("\n.. list-table:: A\n\n" + rows + "\nEnd", "t.rst");
        QCOMPARE(table->at(0, 1), (SourcePosition{"t.rst", 11, 8}));
        QCOMPARE(table->at(1, 0), (SourcePosition{"t.rst", 12, 8}));
        QCOMPARE(std::string(table->text_below()), std::string("\nEnd"));
        QVERIFY(looks_like_csv(".. list-table:: [1]\n\n" + rows));
    }

    void csv_tables() {
        const std::string rows = "   VGG, \"1,000\", \"a \"\"b\"\"\n   c\"\n   # 2,5\n\n   all\n", end = "\nEnd, no\n";
        QCOMPARE(
            read("On A100.\n\n.. csv-table:: Of 8\n   :header: Name, \"Speed, 1/s\", Note\n   :widths: 5, 5, 5\n\n" +
                 rows + end),
            std::string("On A100.\n\n.. csv-table:: Of 8; Name; Speed, 1/s; Note / VGG; 1,000; a \"b\" c / # 2; "
                        "5;  / all; ; "));
        QCOMPARE(read(".. csv-table::\n   :header-rows: 1\n\n" + rows),
                 std::string(".. csv-table::; VGG; 1,000; a \"b\" c / # 2; 5;  / all; ; "));
        QCOMPARE(read(".. csv-table::\n   :header-rows: 1\n   :header: a, b\n            c\n   :delim: ;\n\n   d;e\n   "
                      "1,5;2;3"),
                 std::string(".. csv-table::; a c d; b e / 1,5; 2"));
        QCOMPARE(read(".. csv-table::\n   :delim: space\n\n   a \"b c\" d\n   1 2 3\n"),
                 std::string(".. csv-table::; a; b c; d / 1; 2; 3"));
        QCOMPARE(read(".. csv-table::\n   :delim: tab\n\n   a, 1\tb\n   1\t2\n"),
                 std::string(".. csv-table::; a, 1; b / 1; 2"));
        QCOMPARE(said(".. csv-table:: A\n   :header: a, \"b\n   :widths: 1\n\n   1, \"2\"\n"),
                 std::string("f.csv:2:16: This quote is never closed; write a second \" where the cell ends."));
        QCOMPARE(said(".. csv-table:: A\n\n   a, b\n   1, \"2\n\n" + end),
                 std::string("f.csv:4:7: This quote is never closed; write a second \" where the cell ends."));
        const auto table = parse_csv(".. csv-table:: A\n   :header: x, y\n\n" + rows + end, "t.rst");
        QCOMPARE(table->name_at(1), (SourcePosition{"t.rst", 2, 16}));
        QCOMPARE(table->at(0, 1), (SourcePosition{"t.rst", 4, 9}));
        QCOMPARE(std::string(table->text_below()), end);
    }

    /// MyST has the same directives between fences, with options behind colons or between lines of dashes.
    void directives_in_fences() {
        const std::string list = "* - a\n  - b\n* - 1\n  - 2\n", csv = "a, b\n1, 2\n", cells = "; a; b / 1; 2";
        QCOMPARE(read("Above\n\n```{list-table} On 8 A100\n:header-rows: 1\n\n" + list + "```\n"),
                 "Above\n\n```{list-table} On 8 A100" + cells);
        QCOMPARE(read(":::{list-table}\n---\nheader-rows: 1\nwidths: auto\n---\n" + list + ":::\n"),
                 ":::{list-table}" + cells);
        QCOMPARE(read("~~~~ {csv-table} A\n:header-rows: 1\n" + csv + "~~~~\n"), "~~~~ {csv-table} A" + cells);
        const auto table = parse_csv("````{csv-table} A\n:header: a, b\n\n1, 2\n```\n````\nEnd\n\n" + csv, "t.md");
        QCOMPARE(shown(*table), std::string("````{csv-table} A; a; b / 1; 2 / ```; "));
        QCOMPARE(std::string(table->text_below()), std::string());
        QCOMPARE(shown(table->next().value()), "End" + cells);
        QCOMPARE(read("```{eval-rst}\n.. csv-table:: A\n\n   a, b\n   1, 2\n```\n"),
                 "```{eval-rst}\n.. csv-table:: A" + cells);
        QCOMPARE(read("```{list-table}\n" + list), "```{list-table}" + cells);  // to the end of the page
        const std::string kept = csv_cell("```{csv-table}") + ",b\n1,2\n";
        QCOMPARE(read(kept), std::string("; ```{csv-table}; b / 1; 2"));
    }

    void several_directives_on_a_page() {
        const std::string rows = "\n  * - a\n    - b\n  * - 1\n    - 2\n", bars = "\n| c |\n|---|\n| 3 |\n";
        const auto first = parse_csv(".. csv-table:: 1\n  :file: a.csv\n\n.. list-table:: 2\n" + rows +
                                         ".. csv-table:: 3\n\n  d, e\n  4, 5\n" + bars + "\n.. list-table:: 4\n" + rows,
                                     "t.rst");
        QVERIFY(first);
        QCOMPARE(shown(*first), std::string(".. csv-table:: 1\n  :file: a.csv\n\n.. list-table:: 2; a; b / 1; 2"));
        const auto second = first->next();
        QCOMPARE(shown(second.value()), std::string(".. csv-table:: 3; d; e / 4; 5"));
        const auto third = second->next();
        QCOMPARE(shown(third.value()), std::string("; c / 3"));
        QCOMPARE(shown(third->next().value()), std::string("\n.. list-table:: 4; a; b / 1; 2"));
        QVERIFY(!third->next()->next());
        // what only names the directives
        const std::string words = ".. list-table:: makes a table\n\nof a list.\n\n   .. csv-table::\n\nis another.";
        QCOMPARE(read(words + "\n" + bars), words + "; c / 3");
    }

    /// Roles, links and literals keep their text.
    void markup_in_cells() {
        const auto cell = [](const std::string& text) {
            const auto table =
                parse_csv(".. list-table::\n\n   * - a\n     - b\n   * - x\n     - " + text + "\n", "t.rst");
            return std::string(table.value().cell(0, 1));
        };
        QCOMPARE(cell("``fp16`` and `A100 <https://x.y/z>`_ or `B`__"), std::string("fp16 and A100 or B"));
        QCOMPARE(cell(":ref:`the model <m>` :math:`2^{3}` {doc}`a`"), std::string("the model 2^{3} a"));
        QCOMPARE(cell(":py:class:`~torch.Tensor` `<u>`_"), std::string("torch.Tensor <u>"));
        QCOMPARE(cell("123 [1]_ 4\\*5 \\- C:\\ d [2] e_"), std::string("123 4*5 - C:d [2] e_"));
        QCOMPARE(cell("| 8 GPUs\n       | 2 nodes"), std::string("8 GPUs 2 nodes"));
        QCOMPARE(cell("`open twice"), std::string("`open twice"));
        QCOMPARE(read(".. csv-table::\n\n   a, \":ref:`b`\"\"\"\n   1, \"``2\n   ``\"\n"),
                 std::string(".. csv-table::; a; b\" / 1; 2"));
    }

    void bounds_of_directives() {
        std::string wide = ".. list-table::\n\n  * - a\n";
        for (std::size_t c = 0; c < limits::csv_columns; ++c) wide += "    -\n";
        QVERIFY(said(wide).find("4097 columns; at most 4096 are read") != std::string::npos);
        std::string list = wide.substr(0, wide.size() - 6),
                    csv = ".. csv-table::\n\n  " + std::string(4000, ',') + "\n";
        for (std::size_t r = 0; r < 600; ++r) list += "  * - 1\n", csv += "  1\n";
        QVERIFY(said(list).find("more than 2000000 cells") != std::string::npos);
        QVERIFY(said(csv).find("more than 2000000 cells") != std::string::npos);
        std::string many = "| a |\n|---|\n| 1 |\n:::{csv-table}\n";  // and directives without rows
        for (std::size_t i = 0; i < 40'000; ++i)
            many += std::string(i % 100, ' ') + (i % 2 ? " :::{csv-table}\n" : " :a:\n");
        QCOMPARE(read(many), std::string("; a / 1"));
        std::string open = ".. list-table::\n\n  * - ";
        for (std::size_t i = 0; i < 500'000; ++i) open += "[` \\:x:";
        QVERIFY(read(open).size() > 500'000);
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
        QVERIFY2(table, table ? "" : qPrintable(shown(table.error())));
        QCOMPARE(QString::fromStdString(shown(*table)),
                 QString("<p>On 8 A100</p>; Model name; speed (1/s) fp16; speed (1/s) bf16 O2 / VGG & co; 4 × 2; "
                         "< 5 × 6 &x; < 7 / VGG & co; 8;  / all; ; "));
        QCOMPARE(table->at(1, 1), (SourcePosition{"t.md", 8, 9}));
        QCOMPARE(table->at(0, 0), (SourcePosition{"t.md", 6, 29}));
        QCOMPARE(std::string(table->text_below()), std::string(" End\n\n"));
        const auto second = table->next();
        QVERIFY(second);
        QCOMPARE(shown(*second), std::string("## More\n<table><tr><td><img></td></tr></table>; a / 1"));
        // all in one line, without header cells and end tags, inside of another table
        const auto inner = parse_csv(
            "<html><table><tr><td><table><tr><td>a<td>b<tr><td>1<td>2</table> x <table><tr><th>c<th>d<tr><td>3",
            "t.html");
        QVERIFY(inner);
        QCOMPARE(shown(*inner), std::string("<html><table><tr><td>; a; b / 1; 2"));
        QCOMPARE(shown(inner->next().value()), std::string(" x; c; d / 3; "));
        QVERIFY(looks_like_csv(page) && !looks_like_csv("{\"note\": \"<table><tr><td>a<td>b<tr><td>1<td>2\"}"));
        const auto kept = parse_csv(csv_cell("<table><tr><td>a<td>b<tr><td>1<td>2") + ",x\n1,2\n", "t.csv");
        QCOMPARE(std::string(kept.value().name(1)), std::string("x"));
        // spans that would be more than a table may have
        std::string wide = "<table><tr><td>a<td>b";
        for (int i = 0; i < 5; ++i) wide += "<td colspan=1000 rowspan=9999>";
        QVERIFY(said(wide + "<tr><td>1</table>").find("at most 4096 are read") != std::string::npos);
        std::string high = "<table><tr><td colspan=1000 rowspan=1000>a<td colspan=1000 rowspan=1000>b";
        for (int i = 0; i < 2000; ++i) high += "<tr><td>";
        QVERIFY(said(high).find("more than 2000000 cells") != std::string::npos);
    }

    /// Rows that are copied from a page lack the cells that are merged with those above.
    void merged_cells_are_missing() {
        const std::string header = "Model\tGPU\tbatch\tspeed\n", row = "VGG\tV100\t32\t1,000\n";
        const std::string above = "; Model; GPU; batch; speed / VGG; V100; 32; 1,000";
        QCOMPARE(read(header + row + "A100\t64\t~200\n128\t300\n"), above + " / ; A100; 64; ~200 / ; ; 128; 300");
        QCOMPARE(read(header + row + "BERT\t8\tOOM\nBERT\tH100\t40\n\t8\t1\n"),
                 above + " / ; BERT; 8; OOM / BERT; H100; ; 40 / ; ; 8; 1");
        QCOMPARE(read(header + row + "BERT\t8\t10\nBERT\tH100\t-\n"), above + " / ; BERT; 8; 10 / BERT; H100; ; -");
        QCOMPARE(read("a\tb\tc\n1\tx\t2\n3\ty\n"), std::string("; a; b; c / 1; x; 2 / 3; y; "));
        QVERIFY(read(header + row + "a\tb\t1\t2\t3\n").find("t.md:3:9: This row has 5 cells") == 0);
        QVERIFY(read(header + "A100\t64\t200\n" + row).find("t.md:2:1: This row has 3 cells") == 0);  // none above
        QVERIFY(read(header + row + "We measured this with version 2.\n").find("t.md:3:1: This row has 1 cell;") == 0);
        QVERIFY(read("a,b\n1,2\n3\n").find("t.md:3:1: This row has 1 cell;") == 0);
        const auto table = parse_csv(header + row + "A100\t64\t200\n", "t.tsv");
        QCOMPARE(table->at(1, 1), (SourcePosition{"t.tsv", 3, 1}));
    }

    void empty_rows_are_no_rules() {
        const auto table =
            parse_csv("| a | b |\n|--|:-:|\n| 1 | 2 |\n|   |   |\n| 3 | 4 |\n|   | - |\n| 5 | 6 |\n", "t.md");
        QVERIFY(table);
        QCOMPARE(table->rows(), std::size_t{5});
        QCOMPARE(std::string(table->cell(4, 1)), std::string("6"));
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
        QVERIFY2(table, table ? "" : qPrintable(shown(table.error())));
        QCOMPARE(table->file(), std::string("f.csv"));
        QCOMPARE(table->rows(), 2u);
        QCOMPARE(table->names(), (std::vector<std::string_view>{"name", "time, ms", "note"}));
        QCOMPARE(table->column("note"), std::optional<std::size_t>(2));
        QVERIFY(!table->column("Note"));
        QCOMPARE(table->cell(0, 0), std::string_view("ärger"));
        QCOMPARE(table->cell(0, 1), std::string_view("1.5"));
        QCOMPARE(table->cell(0, 2), std::string_view("two\nlines and a \"quote\""));
        QCOMPARE(table->cell(1, 0), std::string_view("# no comment"));
        QCOMPARE(table->cell(1, 1), std::string_view());
        QCOMPARE(table->cell(1, 2), std::string_view("5\" disk"));
        QCOMPARE(table->name_at(1), (SourcePosition{"f.csv", 3, 9}));
        QCOMPARE(table->at(0, 1), (SourcePosition{"f.csv", 4, 8}));  // characters, not bytes
        QCOMPARE(table->at(1, 2), (SourcePosition{"f.csv", 7, 17}));
    }

    void other_separators_and_no_rows() {
        const auto semicolons = parse_csv("a;b\n1,5;2\n", "f.csv");
        QVERIFY(semicolons);
        QCOMPARE(semicolons->cell(0, 0), std::string_view("1,5"));
        const auto tabs = parse_csv("a\tb\tc\n\t2\t\n", "f.csv");
        QVERIFY2(tabs, tabs ? "" : qPrintable(shown(tabs.error())));
        QCOMPARE(tabs->cell(0, 0), std::string_view());
        QCOMPARE(tabs->cell(0, 1), std::string_view("2"));
        const auto commas = parse_csv("\"a;b\",c;d\n1,2\n", "f.csv");
        QCOMPARE(commas->columns(), 2u);
        const auto empty = parse_csv("a,b", "f.csv");
        QVERIFY(empty);
        QCOMPARE(empty->rows(), 0u);
        const auto one = parse_csv("a\n\"\"\n1\n", "f.csv");
        QCOMPARE(one->rows(), 2u);
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
                 std::string("?[2Jred???1m"));
        QCOMPARE(csv_cell("bad \xff end"), std::string("bad \xef\xbf\xbd end"));
        const FigureTable table{{"a", "=b"},
                                {{std::string("\x1b]0;x\x07"), -1.5}, {std::monostate(), std::int64_t{-2}}}};
        const std::string comment = "one\n\x1b[1mtwo";
        QCOMPARE(write_csv(table, std::span(&comment, 1)), std::string("# one\n# ?[1mtwo\na,'=b\n?]0;x?,-1.5\n,-2\n"));
        QCOMPARE(write_csv({{"a"}, {{std::monostate()}}}), std::string("a\n\"\"\n"));
    }

    /// A spreadsheet divides comments into cells too; a network's name may stand in one.
    void comments_hold_no_formulas() {
        const auto comment = [](const std::string& text) {
            const std::string csv = write_csv({{"a"}, {{1.5}}}, std::span(&text, 1));
            return csv.substr(0, csv.find('\n'));
        };
        QCOMPARE(comment("x,=HYPERLINK(\"http://a\"),y"), std::string("# x,'=HYPERLINK(\"http://a\"),y"));
        QCOMPARE(comment("x; @SUM(1)"), std::string("# x; '@SUM(1)"));
        QCOMPARE(comment("x,\"=1+1\""), std::string("# x,'\"=1+1\""));
        QCOMPARE(comment("x,"), std::string("# x,"));
        QCOMPARE(comment("AlexNet, data parallel, -1.5, 32 workers"),
                 std::string("# AlexNet, data parallel, -1.5, 32 workers"));
    }

    /// A text that is kept elsewhere is not copied: its cells are views of it.
    void no_copy_of_the_text() {
        const std::string text = "a,b\n1,22\n";
        const auto table = parse_csv(text, "f.csv");
        QVERIFY(table);
        QCOMPARE(static_cast<const void*>(table->cell(0, 1).data()), static_cast<const void*>(text.data() + 6));
        const auto kept =
            parse_csv(QString::fromLatin1("%1,b\n1,22\n").arg(QString(100, QLatin1Char('a'))).toStdString(), "f.csv");
        QCOMPARE(kept->cell(0, 1), std::string_view("22"));
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
        QCOMPARE(last(), std::string("f.csv:1:1: There is no column \"time-ms\"; did you mean \"time_ms\"?"));
        QVERIFY(!fields.required("learning_rate"));
        QVERIFY(last().find("add it to the first line") != std::string::npos);
        QVERIFY(!fields.text(1, 2));
        QCOMPARE(last(), std::string("f.csv:3:3: note: This cell is empty; fill it in, or remove the row."));
        QVERIFY(!fields.integer(2, *gpus, 1, 8));
        QCOMPARE(last(), std::string("f.csv:4:1: gpus: \"four\" cannot stand here; write a whole number from 1 to 8."));
        QVERIFY(!fields.integer(3, *gpus, 1, 8));
        QVERIFY(!fields.integer(4, *gpus, 1, 8));
        QVERIFY(!fields.number(2, *time, 0, JsonFields::most));
        QCOMPARE(last(), std::string("f.csv:4:6: time_ms: \"nan\" cannot stand here; write a number of at least 0."));
        QVERIFY(!fields.number(3, *time, 0, JsonFields::most));
        QVERIFY(!fields.number(4, *time, 0, JsonFields::most));
        QCOMPARE(problems.errors(), 9u);
    }
};

QTEST_APPLESS_MAIN(TestCsv)
#include "tst_csv.moc"
