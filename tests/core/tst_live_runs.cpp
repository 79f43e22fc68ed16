// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a sheet that changes cell by cell are those of the whole sheet imported anew.
#include <QtTest>
#include <random>

#include "core/measure/runs/live_runs.hpp"
#include "sanitized.hpp"
#include "support_fit.hpp"

using namespace support;

namespace {

std::string difference(const Result<ImportedRuns>& found, const Result<ImportedRuns>& wanted) {
    if (found.has_value() != wanted.has_value()) return "one is broken";
    if (!found) return problems_in(found.error()) == problems_in(wanted.error()) ? "" : "the problems";
    const Runs &a = found->runs, &b = wanted->runs;
    if (found->rows != wanted->rows || a.lines != b.lines) return "rows";
    if (a.seconds != b.seconds || a.held_out != b.held_out || a.has_split != b.has_split) return "times";
    if (problems_in(found->warnings) != problems_in(wanted->warnings))
        return "warnings: " + problems_in(found->warnings) + " instead of " + problems_in(wanted->warnings);
    if (!(found->used == wanted->used) || a.columns.size() != b.columns.size()) return "columns";
    for (std::size_t c = 0; c < a.columns.size(); ++c)
        if (a.columns[c].name != b.columns[c].name || a.columns[c].kind != b.columns[c].kind ||
            a.columns[c].words != b.columns[c].words || a.columns[c].numbers != b.columns[c].numbers)
            return "column " + a.columns[c].name;
    return {};
}

RunSheet sheet_of(const std::string& text) {
    const auto table = formats::parse_csv(text, "t.csv");
    if (!table) qFatal("no table");
    return RunSheet(*table);
}

/// `rows` runs with a column of every kind.
std::string table_of(int rows) {
    std::string text = "run_id,size,workers,mode,batch_size,note,time_ms\n";
    for (int i = 0; i < rows; ++i)
        text += std::to_string(i) + "," + std::to_string(1 + i % 3) + "," + std::to_string(1 << (i % 2)) + "," +
                (i % 4 == 0 ? "slow" : "fast") + ",64,," + std::to_string(10 + i % 5) + "\n";
    return text;
}

}  // namespace

class TestLiveRuns : public QObject {
    Q_OBJECT

private slots:
    void any_edits_give_what_an_import_gives_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 12; ++seed) QTest::addRow("%d", seed) << seed;
    }
    void any_edits_give_what_an_import_gives() {
        QFETCH(int, seed);
        std::mt19937 random(static_cast<unsigned>(seed));
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
        ColumnMap map;
        HoldOut hold;
        if (seed % 3 == 1) map.filters = {{"size", RunFilter::Relation::less_equal, "2"}};
        if (seed % 3 == 2) hold.every = 5;
        auto sheet = std::make_shared<const RunSheet>(sheet_of(table_of(40 + 300 * (seed % 2))));
        std::vector<std::shared_ptr<const RunSheet>> history{sheet};
        const char* const words[] = {"1",          "2",   "3",  "7.5", "fast", "slow",  "",   "x, \"y\"",
                                     "two\nlines", " 4 ", "#5", "0",   "-1",   "1e400", "12", "10"};
        LiveRuns live;
        for (int step = 0; step < (support::sanitized ? 60 : 150); ++step) {
            if (below(8) == 0 && history.size() > 1) {
                sheet = history[below(history.size())];  // undone, or done again
            } else {
                auto next = std::make_shared<RunSheet>(*sheet);
                const std::size_t kind = below(20);
                if (kind == 0 && next->rows() > 20)
                    next->take_row(below(next->rows()));
                else if (kind == 1)
                    *next = support::with_row(*next, below(next->rows() + 1),
                                              std::vector<std::string>(next->columns(), "1"));
                else
                    for (std::size_t i = 0; i <= (kind == 2 ? 100u : below(2)); ++i)
                        next->set_cell(below(next->rows()), below(next->columns()), words[below(std::size(words))]);
                sheet = next;
            }
            history.push_back(sheet);
            live.update(sheet, map, hold, "t.csv");
            const auto wanted = import_runs(sheet->to_csv(), "t.csv", map, hold);
            const auto differs = difference(live.imported(), wanted);
            QVERIFY2(differs.empty(), qPrintable(QStringLiteral("step %1: ").arg(step) + differs.c_str()));
        }
        QVERIFY(live.whole_imports() < 150u);
    }

    void a_factor_is_not_imported_anew() {
        LiveRuns live;
        auto sheet = std::make_shared<RunSheet>(sheet_of(table_of(600)));
        live.update(sheet, {}, {}, "t.csv");
        QCOMPARE(live.whole_imports(), std::size_t{1});
        const auto edit = [&](std::size_t row, std::size_t column, const char* text) {
            sheet = std::make_shared<RunSheet>(*sheet);
            sheet->set_cell(row, column, text);
            live.update(sheet, {}, {}, "t.csv");
            return live.whole_imports();
        };
        QCOMPARE(edit(500, 1, "9"), std::size_t{1});
        QCOMPARE(live.imported()->runs.find("size")->numbers[500], 9.0);
        QCOMPARE(edit(500, 3, "slower"), std::size_t{1});
        QCOMPARE(edit(3, 6, "11"), std::size_t{2});    // a time
        QCOMPARE(edit(3, 2, "8"), std::size_t{3});     // workers: batches follow
        QCOMPARE(edit(3, 1, "many"), std::size_t{4});  // numbers become words
        QCOMPARE(edit(3, 1, "2"), std::size_t{5});     // and numbers again
        live.update(sheet, {}, HoldOut{3, 0.0}, "t.csv");
        QCOMPARE(live.whole_imports(), std::size_t{6});
        live.update(sheet, {}, HoldOut{3, 0.0}, "t.csv");
        QCOMPARE(live.whole_imports(), std::size_t{6});
    }

    void sheets_share_what_is_the_same() {
        const RunSheet whole = sheet_of(table_of(1000));
        RunSheet other = whole;
        QVERIFY(other == whole && whole.differences(other, 0)->empty());
        other.set_cell(999, 3, "idle");
        other.set_cell(2, 0, "two");
        QVERIFY(!(other == whole));
        QCOMPARE(whole.cell(999, 3), std::string("fast"));
        const auto places = whole.differences(other, 2).value();
        QCOMPARE(places.size(), std::size_t{2});
        QVERIFY(places[0].row == 2 && places[0].column == 0 && places[1].row == 999 && places[1].column == 3);
        QVERIFY(!whole.differences(other, 1));
        for (const std::size_t row : {std::size_t{0}, std::size_t{255}, std::size_t{256}, std::size_t{700}}) {
            RunSheet shorter = whole;
            const auto cells = shorter.take_row(row);
            QCOMPARE(shorter.rows(), std::size_t{999});
            QCOMPARE(cells[0], std::to_string(row));
            if (row < 999) QCOMPARE(shorter.cell(row, 0), std::to_string(row + 1));
            QVERIFY(!whole.differences(shorter, 10));
            shorter = support::with_row(shorter, row, cells);
            QVERIFY(shorter == whole);
            shorter = support::with_row(shorter, shorter.rows(), cells);
            QCOMPARE(shorter.cell(1000, 0), std::to_string(row));
        }
    }
};

QTEST_APPLESS_MAIN(TestLiveRuns)
#include "tst_live_runs.moc"
