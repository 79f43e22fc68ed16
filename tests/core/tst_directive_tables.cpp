// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the directives list-table and csv-table.

#include <QTest>

#include "core/base/limits.hpp"
#include "core/formats/csv_write.hpp"
#include "support_tables.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using namespace std::literals;
using namespace support;

class TestDirectiveTables : public QObject {
    Q_OBJECT

private slots:
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
                 ".. list-table:: Of\n   8 A100; Name VGG, large; Speed (1/s) 1,000 / ä;  / all; "s);
        QCOMPARE(read(".. list-table::\n  :header-rows: 9\n\n  - - a\n    - b\n  - + 1\n    + - x\n"),
                 ".. list-table::; a 1; b - x"s);
        QCOMPARE(read(".. list-table::\n\n  *\n    - a\n    - b\n  *\n    - 1\n    - 2\n"),
                 ".. list-table::; a; b / 1; 2"s);
        const auto table = parse_csv("\n.. list-table:: A\n\n" + rows + "\nEnd", "t.rst");
        QCOMPARE(table->at(0, 1), (SourcePosition{"t.rst", 11, 8}));
        QCOMPARE(table->at(1, 0), (SourcePosition{"t.rst", 12, 8}));
        QCOMPARE(table->text_below(), "\nEnd"sv);
        QVERIFY(looks_like_csv(".. list-table:: [1]\n\n" + rows));
    }

    void csv_tables() {
        const std::string rows = "   VGG, \"1,000\", \"a \"\"b\"\"\n   c\"\n   # 2,5\n\n   all\n", end = "\nEnd, no\n";
        QCOMPARE(
            read("On A100.\n\n.. csv-table:: Of 8\n   :header: Name, \"Speed, 1/s\", Note\n   :widths: 5, 5, 5\n\n" +
                 rows + end),
            "On A100.\n\n.. csv-table:: Of 8; Name; Speed, 1/s; Note / VGG; 1,000; a \"b\" c / # 2; "
            "5;  / all; ; "s);
        QCOMPARE(read(".. csv-table::\n   :header-rows: 1\n\n" + rows),
                 ".. csv-table::; VGG; 1,000; a \"b\" c / # 2; 5;  / all; ; "s);
        QCOMPARE(read(".. csv-table::\n   :header-rows: 1\n   :header: a, b\n            c\n   :delim: ;\n\n   d;e\n   "
                      "1,5;2;3"),
                 ".. csv-table::; a c d; b e / 1,5; 2"s);
        QCOMPARE(read(".. csv-table::\n   :delim: space\n\n   a \"b c\" d\n   1 2 3\n"),
                 ".. csv-table::; a; b c; d / 1; 2; 3"s);
        QCOMPARE(read(".. csv-table::\n   :delim: tab\n\n   a, 1\tb\n   1\t2\n"), ".. csv-table::; a, 1; b / 1; 2"s);
        QCOMPARE(said(".. csv-table:: A\n   :header: a, \"b\n   :widths: 1\n\n   1, \"2\"\n"),
                 "f.csv:2:16: This quote is never closed; write a second \" where the cell ends."s);
        QCOMPARE(said(".. csv-table:: A\n\n   a, b\n   1, \"2\n\n" + end),
                 "f.csv:4:7: This quote is never closed; write a second \" where the cell ends."s);
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
        QCOMPARE(shown(*table), "````{csv-table} A; a; b / 1; 2 / ```; "s);
        QCOMPARE(std::string(table->text_below()), std::string());
        QCOMPARE(shown(table->next().value()), "End" + cells);
        QCOMPARE(read("```{eval-rst}\n.. csv-table:: A\n\n   a, b\n   1, 2\n```\n"),
                 "```{eval-rst}\n.. csv-table:: A" + cells);
        QCOMPARE(read("```{list-table}\n" + list), "```{list-table}" + cells);  // to the end of the page
        const std::string kept = csv_cell("```{csv-table}") + ",b\n1,2\n";
        QCOMPARE(read(kept), "; ```{csv-table}; b / 1; 2"s);
    }

    void several_directives_on_a_page() {
        const std::string rows = "\n  * - a\n    - b\n  * - 1\n    - 2\n", bars = "\n| c |\n|---|\n| 3 |\n";
        const auto first = parse_csv(".. csv-table:: 1\n  :file: a.csv\n\n.. list-table:: 2\n" + rows +
                                         ".. csv-table:: 3\n\n  d, e\n  4, 5\n" + bars + "\n.. list-table:: 4\n" + rows,
                                     "t.rst");
        QVERIFY(first);
        QCOMPARE(shown(*first), ".. csv-table:: 1\n  :file: a.csv\n\n.. list-table:: 2; a; b / 1; 2"s);
        const auto second = first->next();
        QCOMPARE(shown(second.value()), ".. csv-table:: 3; d; e / 4; 5"s);
        const auto third = second->next();
        QCOMPARE(shown(third.value()), "; c / 3"s);
        QCOMPARE(shown(third->next().value()), "\n.. list-table:: 4; a; b / 1; 2"s);
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
        QCOMPARE(cell("``fp16`` and `A100 <https://x.y/z>`_ or `B`__"), "fp16 and A100 or B"s);
        QCOMPARE(cell(":ref:`the model <m>` :math:`2^{3}` {doc}`a`"), "the model 2^{3} a"s);
        QCOMPARE(cell(":py:class:`~torch.Tensor` `<u>`_"), "torch.Tensor <u>"s);
        QCOMPARE(cell("123 [1]_ 4\\*5 \\- C:\\ d [2] e_"), "123 4*5 - C:d [2] e_"s);
        QCOMPARE(cell("| 8 GPUs\n       | 2 nodes"), "8 GPUs 2 nodes"s);
        QCOMPARE(cell("`open twice"), "`open twice"s);
        QCOMPARE(read(".. csv-table::\n\n   a, \":ref:`b`\"\"\"\n   1, \"``2\n   ``\"\n"),
                 ".. csv-table::; a; b\" / 1; 2"s);
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
        QCOMPARE(read(many), "; a / 1"s);
        std::string open = ".. list-table::\n\n  * - ";
        for (std::size_t i = 0; i < 500'000; ++i) open += "[` \\:x:";
        QVERIFY(read(open).size() > 500'000);
    }
};

QTEST_APPLESS_MAIN(TestDirectiveTables)
#include "tst_directive_tables.moc"
