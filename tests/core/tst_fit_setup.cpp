// SPDX-License-Identifier: GPL-3.0-or-later
// What comes before a fit: the table somebody edits, the form to begin with, runs that were measured again.
#include <QtTest>

#include <cmath>

#include "core/base/decimal.hpp"
#include "core/measure/fit/fit.hpp"
#include "core/measure/fit/forms.hpp"
#include "core/measure/runs/sheet.hpp"
#include "support_fit.hpp"

using namespace support;

class TestFitSetup : public QObject {
    Q_OBJECT

    static RunSheet sheet_of(const std::string& text) {
        const auto table = formats::parse_csv(text, "t.csv");
        return RunSheet(table.value());
    }
    static Runs runs_of(const std::string& text) { return import_runs(text, "t.csv").value().runs; }

private slots:
    void a_sheet_reads_back() {
        const std::string text =
            "a;b;c\n1;\"x,y\";\" edged \"\n# gone\n\"\";\"he said \"\"no\"\"\";\"two\nlines\"\n\"#1\";;3\n";
        const RunSheet sheet = sheet_of(text);
        QCOMPARE(sheet.rows(), std::size_t{3});
        QCOMPARE(sheet.cell(0, 1), std::string("x,y"));
        QCOMPARE(sheet.cell(1, 1), std::string("he said \"no\""));
        QVERIFY(sheet_of(sheet.to_csv()) == sheet);
        RunSheet other = sheet;
        other.set_cell(0, 0, "2");
        QVERIFY(!(other == sheet));
        const auto row = other.take_row(1);
        QCOMPARE(other.rows(), std::size_t{2});
        QCOMPARE(other.cell(1, 0), std::string("#1"));
        other = with_row(other, 1, row);
        other.set_cell(0, 0, "1");
        QVERIFY(other == sheet);
        // A column alone: an empty cell is still a row.
        const RunSheet narrow = sheet_of("a\n1\n\"\"\n2\n");
        QCOMPARE(narrow.rows(), std::size_t{3});
        QVERIFY(sheet_of(narrow.to_csv()) == narrow);
    }

    void rows_of_the_table() {
        const auto imported = import_runs("workers,time_s\n1,4\n2,broken\n4,1\n", "t.csv").value();
        QCOMPARE(imported.rows, (std::vector<std::size_t>{0, 2}));
        QCOMPARE(imported.runs.lines, (std::vector<int>{2, 4}));
    }

    void columns_that_were_taken() {
        const auto used =
            import_runs("gpus,batch_global,value,unit,split\n1,8,4,ms,train\n2,16,3,ms,test\n", "t.csv")->used;
        QCOMPARE(used.workers, std::string("gpus"));
        QCOMPARE(used.batch, std::string("batch_global"));
        QCOMPARE(used.batch_per_worker, std::string());
        QCOMPARE(used.time, std::string("value"));
        QCOMPARE(used.unit_column, std::string("unit"));
        QCOMPARE(used.unit, std::string());
        QCOMPARE(used.split, std::string("split"));
        ColumnMap map;
        map.time = "step_ms";
        const auto named = import_runs("workers,step_ms,throughput\n1,4,2\n", "t.csv", map)->used;
        QCOMPARE(named.time, std::string("step_ms"));
        QCOMPARE(named.unit, std::string("ms"));
        QCOMPARE(named.workers, std::string("workers"));
    }

    void a_form_to_begin_with() {
        std::string text = "run_id,network,depth,note_id,workers,batch_per_worker,side,time_s\n";
        int id = 0;
        for (const char* network : {"a", "b"})
            for (const int depth : {1, 2, 3})
                for (const int workers : {1, 2, 4}) {
                    ++id;
                    text += std::to_string(id) + "," + network + "," + std::to_string(depth) + ",x" +
                            std::to_string(id) + "," + std::to_string(workers) + "," + std::to_string(8 * workers) +
                            ",5,1\n";
                }
        const Runs runs = runs_of(text);  // 18 of them
        const FormChoice choice = suggest_form(runs, FormKind::product);
        QCOMPARE(choice.extrinsic, (std::vector<std::string>{"workers", "batch_per_worker"}));
        // Six constants at most: two exponents, base and C, one more level; a power has no room.
        QCOMPARE(choice.intrinsic, (std::vector<std::string>{"network"}));
        QCOMPARE(candidate_factors(runs), (std::vector<std::string>{"network", "depth", "note_id", "workers",
                                                                    "batch_per_worker", "batch_size"}));
        QVERIFY(make_form(choice, runs).has_value());
        QVERIFY(suggest_form(runs, FormKind::physical).extrinsic.empty());
        const Runs threads = runs_of("threads,time_s\n1,1\n2,2\n");
        QCOMPARE(suggest_form(threads, FormKind::tiers).workers, std::string("threads"));
    }

    void roles() {
        const Runs runs = runs_of("network,depth,workers,time_s\na,1,1,1\nb,2,2,2\n");
        FormChoice choice;
        choice.kind = FormKind::two_term;
        for (const auto role :
             {FactorRole::power, FactorRole::level, FactorRole::extrinsic, FactorRole::traffic, FactorRole::none}) {
            set_role(choice, runs, "depth", role);
            QVERIFY(role_of(choice, runs, "depth") == role);
        }
        QVERIFY(choice.intrinsic.empty() && choice.levels.empty() && choice.extrinsic.empty() &&
                choice.traffic.empty());
        set_role(choice, runs, "network", FactorRole::level);
        QVERIFY(role_of(choice, runs, "network") == FactorRole::level);
        QVERIFY(choice.levels.empty());  // words are levels by themselves
        QCOMPARE(roles_in(FormKind::product, *runs.find("network")).size(), std::size_t{2});
        QCOMPARE(roles_in(FormKind::product, *runs.find("depth")).size(), std::size_t{4});
        QCOMPARE(roles_in(FormKind::two_term, *runs.find("depth")).size(), std::size_t{5});
        QCOMPARE(roles_in(FormKind::physical, *runs.find("depth")).size(), std::size_t{1});
    }

    void runs_that_differ_in_workers_alone() {
        const Runs runs = runs_of(
            "network,workers,batch_size,time_s\na,1,8,1\nb,1,8,1\nb,2,8,1\nb,4,16,1\na,2,8,1\nb,4,8,1\nb,2,8,1.5\n");
        FormChoice choice;
        choice.intrinsic = {"network"};
        choice.extrinsic = {"workers", "batch_size"};
        const auto made = make_form(choice, runs);
        QCOMPARE(most_varied_run(**made, runs), std::size_t{1});
        QCOMPARE(runs_over(**made, runs, 1), (std::vector<std::size_t>{1, 2, 5, 6}));
        QCOMPARE(runs_over(**made, runs, 3), (std::vector<std::size_t>{3}));
        choice.extrinsic = {"workers"};
        QCOMPARE(runs_over(**make_form(choice, runs), runs, 3), (std::vector<std::size_t>{1, 2, 3, 5, 6}));
    }

    /// Two groups: ln 1, ln e² around 1, and ln e, ln e around 1: squares 1 + 1 + 0 + 0 over two degrees of freedom.
    void noise_of_repeats() {
        const double e = std::exp(1.0);
        const auto cell = [](double x) { return shortest_decimal(x); };
        const Runs runs = runs_of("workers,repeat,time_s\n1,1,1\n1,2," + cell(e * e) + "\n2,1," + cell(e) + "\n2,2," +
                                  cell(e) + "\n4,1,7\n");
        const auto noise = repeat_noise(runs, {"workers"});
        QVERIFY(noise.has_value());
        QCOMPARE(noise->groups, std::size_t{2});
        QCOMPARE(noise->repeats, std::size_t{4});
        QVERIFY(std::abs(noise->deviation - 1.0) < 1e-12);
        QVERIFY(!repeat_noise(runs, {"workers", "repeat"}));
    }
};

QTEST_APPLESS_MAIN(TestFitSetup)
#include "tst_fit_setup.moc"
