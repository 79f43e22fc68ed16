// SPDX-License-Identifier: GPL-3.0-or-later
// From tables to runs: units, rates, filters, splits, and what is wrong with a table.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/measure/fit/design.hpp"
#include "core/measure/fit/forms.hpp"
#include "support_fit.hpp"

using namespace support;

class TestFitRuns : public QObject {
    Q_OBJECT

private slots:
    /// A fit of them would take minutes and a GB.
    void too_many_runs_are_refused() {
        const auto table = [](std::size_t rows, std::size_t more_columns) {
            std::string text = "workers,time_s", row = "1,2";
            for (std::size_t c = 0; c < more_columns; ++c) {
                text += ",c" + std::to_string(c);
                row += ",3";
            }
            text += '\n';
            for (std::size_t r = 0; r < rows; ++r) text += row + '\n';
            return import_runs(text, "t.csv");
        };
        QVERIFY(table(limits::runs, 0));
        const auto many = table(limits::runs + 1, 0);
        QVERIFY(!many);
        QCOMPARE(many.error().at(0).what,
                 std::string("The table has 10,001 runs in 2 columns; of a table this wide at most 10,000 runs are "
                             "read."));
        QCOMPARE(many.error().at(0).remedy, std::string("keep a sample of the rows, or fewer columns"));
        QCOMPARE(many.error().at(0).at.line, 1);
        QVERIFY(table(100, 1998));
        QVERIFY(!table(101, 1998));
        // What a filter leaves out does not count.
        ColumnMap map;
        map.filters.push_back(*parse_filter("workers<2"));
        std::string text = "workers,time_s\n1,2\n";
        for (std::size_t r = 0; r < limits::runs; ++r) text += "4,1\n";
        QVERIFY(import_runs(text, "t.csv", map));
    }

    void units() {
        const auto runs =
            import_runs("workers,value,unit,batch_per_worker\n1,20,ms,8\n2,0.5,s,8\n4,64,images/s,8\n", "t.csv")
                .value()
                .runs;
        QCOMPARE(runs.seconds, (std::vector<double>{0.02, 0.5, 0.5}));  // 4 workers with 8 images each, 64 a second
        QCOMPARE(runs.lines, (std::vector<int>{2, 3, 4}));
        QCOMPARE(runs.find("batch_size")->numbers, (std::vector<double>{8, 16, 32}));
        const auto epochs =
            import_runs("workers,throughput,samples_per_unit\n1,100,1000\n2,200,1000\n", "t.csv").value().runs;
        QCOMPARE(epochs.seconds, (std::vector<double>{10, 5}));
        ColumnMap map;
        map.time = "step_us";
        QCOMPARE(import_runs("workers,step_us\n1,5e6\n", "t.csv", map).value().runs.seconds[0], 5.0);
        map.workers = "gpus";
        QVERIFY(import_runs("gpus,step_us\n1,5e6\n", "t.csv", map).value().runs.find("workers"));
    }

    void tables_of_published_results() {
        ColumnMap map;
        map.filters = {*parse_filter("metric=training throughput"), *parse_filter("workers<=4")};
        const std::string table =
            "source,framework,network,device,interconnect,gpus_per_node,workers,batch_per_worker,precision,metric,"
            "value,"
            "unit,url,notes\n"
            "a,TF,Net,P100,none,1,1,64,fp32,training throughput,128,images/s,\"u, v\",n\n"
            "a,TF,Net,P100,none,1,1,64,fp32,forward time,10,ms,u,n\n"
            "a,TF,Net,P100,pcie,8,8,64,fp32,training throughput,900,images/s,u,n\n"
            "a,TF,Net,P100,pcie,4,4,64,fp32,training throughput,512,images/s,u,n\n";
        const auto runs = import_runs(table, "t.csv", map).value().runs;
        QCOMPARE(runs.seconds, (std::vector<double>{0.5, 0.5}));
        const auto mixed = import_runs(table, "t.csv").value();
        QVERIFY(QString::fromStdString(problems_in(mixed.warnings)).contains("several metrics"));
        const std::string language =
            "network,seq,batch_global,gpus,value,unit\na,10,6,2,30,tokens/s\na,10,6,2,3,samples/s\na,10,6,2,5,tokens/s/"
            "GPU\n"
            "a,10,6,2,100,TFLOP/s/GPU\n";
        const auto read = import_runs(language, "t.csv").value();
        QCOMPARE(read.runs.seconds, (std::vector<double>{2.0, 2.0, 6.0}));
        QCOMPARE(read.runs.find("workers")->numbers[0], 2.0);
        QCOMPARE(read.runs.find("batch_size")->numbers[0], 6.0);
        QVERIFY(QString::fromStdString(problems_in(read.warnings)).contains("A run is left out"));
    }

    void times_by_their_names() {
        const auto two = import_runs("workers,forward_ms,stddev_ms,backward_ms\n1,2,9,4\n", "t.csv").value();
        QCOMPARE(two.runs.seconds, std::vector<double>{0.002});
        QVERIFY(
            QString::fromStdString(problems_in(two.warnings)).contains("\"forward_ms\" is taken, not \"backward_ms\""));
        const auto one = import_runs("stddev_ms,latency_us,dims\n9,4,3\n", "t.csv").value();
        QCOMPARE(one.runs.seconds, std::vector<double>{4e-6});
        QVERIFY(one.warnings.empty());
        const auto rate = import_runs("gpus,iterations_per_s\n2,4\n", "t.csv").value();
        QCOMPARE(rate.runs.seconds, std::vector<double>{0.25});
        QVERIFY(!import_runs("workers,sizes\n1,2\n", "t.csv"));
    }

    /// Only where there is nothing else: beside times they are left out (see above).
    void work_where_there_are_no_times() {
        const auto rates =
            import_runs("gpus,value,unit\n64,160,TFLOP/s\n64,56.7,%\n32,80,TFLOP/s/GPU\n", "t.csv").value();
        QCOMPARE(rates.runs.seconds, (std::vector<double>{1 / 160.0, 1 / 80.0}));
        const QString said = QString::fromStdString(problems_in(rates.warnings));
        QVERIFY2(said.contains("seconds for one unit") && said.contains("A run is left out"), qPrintable(said));
        const auto hours = import_runs("network,value,unit\na,2,GPU-h\nb,4,GPU-h\n", "t.csv").value();
        QCOMPARE(hours.runs.seconds, (std::vector<double>{7200, 14400}));
        QVERIFY(!import_runs("network,value,unit\na,2,GiB\n", "t.csv"));
    }

    void filters() {
        QVERIFY(!parse_filter("workers") && !parse_filter("=3"));
        const auto count = [](const char* condition) {
            ColumnMap map;
            map.filters = {*parse_filter(condition)};
            const auto read = import_runs("w,name,time_s\n1,a,1\n2,b,1\n3,a,1\n", "t.csv", map);
            return read ? read->runs.size() : 0;
        };
        QCOMPARE(count("w<2"), std::size_t{1});
        QCOMPARE(count("w<=2"), std::size_t{2});
        QCOMPARE(count("w>1"), std::size_t{2});
        QCOMPARE(count("w>=1.0"), std::size_t{3});
        QCOMPARE(count("w=2.0"), std::size_t{1});
        QCOMPARE(count("name!=a"), std::size_t{1});
        QCOMPARE(count("name=c"), std::size_t{0});
    }

    void splits() {
        const std::string table = "workers,time_s,split\n1,3,train\n2,2,test\n4,1,train\n";
        const auto own = import_runs(table, "t.csv").value().runs;
        QVERIFY(own.has_split);
        QCOMPARE(own.testing(), (std::vector<std::size_t>{1}));
        HoldOut hold;
        hold.workers_above = 2.0;
        QCOMPARE(import_runs(table, "t.csv", {}, hold).value().runs.testing(), (std::vector<std::size_t>{2}));
        hold = {};
        hold.every = 3;
        QCOMPARE(import_runs(table, "t.csv", {}, hold).value().runs.testing(), (std::vector<std::size_t>{2}));
        hold.workers_above = 0.5;
        QVERIFY(!import_runs(table, "t.csv", {}, hold));
    }

    void what_is_wrong_is_said_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("what");
        QTest::addRow("no time") << "workers\n1\n"
                                 << "No column of times";
        QTest::addRow("no run") << "workers,time_s\n1,-2\n"
                                << "No run has a time";
        QTest::addRow("rate") << "workers,value,unit\n1,5,images/s\n"
                              << "how many samples";
        QTest::addRow("unit") << "workers,value,unit\n1,5,furlongs\n"
                              << "unit is not one of time";
        QTest::addRow("split") << "workers,time_s,split\n1,5,maybe\n"
                               << "neither train nor test";
        QTest::addRow("nothing") << ""
                                 << "";
    }
    void what_is_wrong_is_said() {
        QFETCH(QString, table);
        QFETCH(QString, what);
        const auto read = import_runs(table.toStdString(), "t.csv");
        QVERIFY(!read);
        const auto text = QString::fromStdString(problems_in(read.error()));
        QVERIFY2(text.contains(what), qPrintable(text));
    }

    void warnings() {
        const auto read = import_runs("workers,time_s\n1,0\n2,nan\n4,1\n4,1\n8,2\n", "t.csv").value();
        QCOMPARE(read.runs.size(), std::size_t{3});
        const auto text = QString::fromStdString(problems_in(read.warnings));
        QVERIFY2(text.contains("2 runs are left out") && text.contains("t.csv:2:"), qPrintable(text));
        QVERIFY2(text.contains("stands in the table twice"), qPrintable(text));
    }

    void designs_are_judged() {
        const auto runs =
            import_runs("size,twice,same,two,time_s\n1,2,5,1,1\n2,4,5,2,2\n4,8,5,1,4\n3,6,5,2,3\n", "t.csv")
                .value()
                .runs;
        FormChoice choice;
        choice.intrinsic = {"size", "twice", "same", "two"};
        const auto form = make_form(choice, runs).value();
        const auto text = QString::fromStdString(problems_in(check_design(runs, *form)));
        QVERIFY2(text.contains("4 different runs for 9 constants leave nothing to judge"), qPrintable(text));
        QVERIFY2(text.contains("\"same\" has the same value"), qPrintable(text));
        QVERIFY2(text.contains("\"two\" has only two values"), qPrintable(text));
        QVERIFY2(text.contains("\"twice\" varies only together"), qPrintable(text));
        QVERIFY2(!text.contains("\"size\" varies"), qPrintable(text));
        choice.intrinsic = {"nothing"};
        QVERIFY(!make_form(choice, runs));
        choice.intrinsic = {"size"};
        choice.bounds = {{"nobody", 0.0, 1.0}};
        QVERIFY(!make_form(choice, runs));
    }

    void unknown_levels_and_powers_of_zero() {
        const auto known = import_runs("mode,workers,time_s\na,1,1\nb,2,1\n", "t.csv").value().runs;
        FormChoice choice;
        choice.intrinsic = {"mode"};
        choice.extrinsic = {"workers"};
        const auto form = make_form(choice, known).value();
        const auto other = import_runs("mode,workers,time_s\nc,1,1\na,0,1\n", "t.csv").value().runs;
        const auto bound = form->bind(other);
        QVERIFY(!bound);
        const auto text = QString::fromStdString(problems_in(bound.error()));
        QVERIFY2(text.contains("\"c\"") && text.contains("not above zero"), qPrintable(text));
    }

    /// FNV-1a's published test vectors (Noll, isthe.com/chongo/tech/comp/fnv).
    void hashes() {
        QCOMPARE(data_hash(""), std::string("fnv1a64:cbf29ce484222325"));
        QCOMPARE(data_hash("a"), std::string("fnv1a64:af63dc4c8601ec8c"));
    }
};

QTEST_APPLESS_MAIN(TestFitRuns)
#include "tst_fit_runs.moc"
