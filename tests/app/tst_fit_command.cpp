// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>

#include "support_verbs.hpp"

using namespace support;

class TestFitCommand : public QObject {
    Q_OBJECT

    OwnFiles files_;
    static std::string data(const char* name) { return std::string(SCALESCOPE_TEST_DATA "/fit/") + name; }

private slots:
    void a_fit_for_people() {
        const auto ran = run({"measure", "fit", data("g1-generic-noiseless.csv"), "--intrinsic",
                              "filters,kernel_size,image_side", "--bound", "C=0..50", "--refits", "20"});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        for (const char* part :
             {"reconstructed", "q_workers", "q_chunks", "-0.78", "elasticity", "held out", "nearest runs", "Speedup"})
            QVERIFY2(contains(ran.out, part), ran.out.c_str());
    }

    void constants_metrics_and_runs_as_rows() {
        const Words words{"measure", "fit",         data("p1-physical-ring-noise3.csv"),
                          "--form",  "physical",    "--refits",
                          "20",      "--optimizer", "de",
                          "--seed",  "3",           "--show"};
        auto constants = words, metrics = words, runs = words, speedup = words;
        constants.push_back("constants");
        metrics.push_back("metrics");
        runs.push_back("runs");
        speedup.push_back("speedup");
        const auto list = rows(constants);
        QCOMPARE(list.size(), 4);
        QCOMPARE(list[0].toObject()["constant"].toString(), QString("peak"));
        QVERIFY(std::abs(list[0].toObject()["value"].toDouble() / 4.8834e12 - 1.0) < 1e-3);
        QCOMPARE(rows(metrics)[2].toObject()["runs_of"].toString(), QString("extrapolation"));
        QCOMPARE(rows(runs).size(), 112);
        QCOMPARE(rows(runs)[111].toObject()["extrapolated"].toString(), QString("workers"));
        QVERIFY(rows(speedup).size() > 5);
    }

    void the_whole_fit_is_saved() {
        const auto file = files_.write("fit.json", "");
        const auto ran =
            run({"measure", "fit", data("g2-generic-noise5.csv"), "--intrinsic", "filters,kernel_size,image_side",
                 "--loss", "huber", "--lambda", "auto", "--refits", "10", "--save", file, "--format", "json"});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        QFile saved(QString::fromStdString(file));
        QVERIFY(saved.open(QFile::ReadOnly));
        QCOMPARE(saved.readAll().toStdString(), ran.out);
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(ran.out)).object();
        QCOMPARE(json["lambda_cross_validation"].toArray().size(), 4);
        QCOMPARE(json["loss"].toString(), QString("huber"));
    }

    void a_saved_fit_predicts_other_runs() {
        const auto file = files_.write("saved.json", "");
        const auto table = data("g2-generic-noise5.csv");
        const auto ran = run({"measure", "fit", table, "--intrinsic", "filters,kernel_size,image_side", "--refits",
                              "10", "--save", file, "--show", "runs", "--format", "csv"});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        const auto fitted = rows({"measure", "fit", table, "--intrinsic", "filters,kernel_size,image_side", "--refits",
                                  "10", "--show", "runs"});
        const auto again = rows({"measure", "fit", table, "--from", file});
        QCOMPARE(again.size(), fitted.size());
        for (int i = 0; i < again.size(); ++i)
            for (const char* column : {"line", "measured_s", "predicted_s", "error_percent", "low_90_s", "high_90_s"})
                QCOMPARE(again[i].toObject()[QLatin1String(column)], fitted[i].toObject()[QLatin1String(column)]);
        const auto people = run({"measure", "fit", table, "--from", file});
        QVERIFY2(people.code == 0 && contains(people.out, "of this table") && contains(people.out, "extrapolated"),
                 people.err.c_str());
        const auto other = run({"measure", "fit", data("g1-generic-noiseless.csv"), "--from", file});
        QVERIFY2(other.code == 0 && contains(other.out, "of another table (fnv1a64:"), other.err.c_str());
        const auto errors =
            rows({"measure", "fit", data("g1-generic-noiseless.csv"), "--from", file, "--show", "metrics"});
        QVERIFY(errors.size() >= 1 && errors[0].toObject()["mape_percent"].toDouble() < 15.0);
        QCOMPARE(rows({"measure", "fit", table, "--from", file, "--show", "constants"}).size(),
                 rows({"measure", "fit", table, "--intrinsic", "filters,kernel_size,image_side", "--refits", "10",
                       "--show", "constants"})
                     .size());
        const auto both = run({"measure", "fit", table, "--from", file, "--lambda", "auto"});
        QVERIFY(both.code == exit_usage && contains(both.err, "--lambda is of a new fit"));
        QCOMPARE(run({"measure", "fit", table, "--from", table}).code, exit_input);
        QCOMPARE(run({"measure", "fit", table, "--from", "nobody.json"}).code, exit_input);
        const auto lacking =
            run({"measure", "fit", files_.write("lacking.csv", "filters,time_s\n1,2\n"), "--from", file});
        QVERIFY2(lacking.code == exit_input && contains(lacking.err, "The fit needs a column"), lacking.err.c_str());
    }

    /// Two runs say nothing of how sure three constants are, and what no factor makes has its row.
    void what_is_not_determined_and_whole_shares() {
        const auto two = files_.write("two.csv", "workers,batch_size,time_s\n1,32,1\n2,32,.5\n");
        const Words words{"measure", "fit", two, "--extrinsic", "workers", "--show"};
        for (const char* show : {"constants", "factors", "speedup"}) {
            auto all = words;
            all.push_back(show);
            for (const auto& value : rows(all)) {
                const auto row = value.toObject();
                for (const char* end : {"low_95", "high_95", "low_90", "high_90"})
                    QVERIFY(row[QLatin1String(end)].isNull() || row[QLatin1String(end)].isUndefined());
                if (row.contains("constant")) QCOMPARE(row["verdict"].toString(), QString("not determined"));
            }
        }
        const auto ran = run({"measure", "fit", two, "--extrinsic", "workers"});
        QVERIFY2(!contains(ran.out, "significant") && !contains(ran.out, "trade-off"), ran.out.c_str());
        const auto six = files_.write(
            "six.csv", "workers,batch_size,time_s\n1,32,1\n2,32,.6\n4,32,.4\n8,32,.3\n16,32,.25\n32,32,.22\n");
        double sum = 0;
        for (const auto& row : rows({"measure", "fit", six, "--extrinsic", "workers", "--show", "factors"}))
            sum += row.toObject()["share_percent"].toDouble();
        QVERIFY(std::abs(sum - 100.0) < 1e-6);
    }

    void a_run_is_named_by_file_and_line() {
        const auto file = files_.write("zero.csv", "workers,batch_size,time_s\n0,32,1\n2,32,.5\n4,32,.3\n");
        const auto ran = run({"measure", "fit", file, "--extrinsic", "workers"});
        QCOMPARE(ran.code, exit_input);
        QVERIFY2(contains(ran.err, file + ":2:1: \"workers\" is not above zero"), ran.err.c_str());
    }

    /// Every problem with a table says where: file, line and column, of the header where it is about all rows.
    void problems_have_places() {
        const auto file =
            files_.write("t.csv", "# measured\nworkers,batch_size,time_s,split\n1,32,1,x\n2,32,.5,train\n");
        const auto says = [&](const Words& words, const std::string& place, const char* what) {
            Words all{"measure", "fit", file};
            all.insert(all.end(), words.begin(), words.end());
            const auto ran = run(all);
            const bool there = contains(ran.err, file + ":" + place + ": " + what) && ran.code == exit_input;
            if (!there) qWarning("%s", ran.err.c_str());
            return there;
        };
        QVERIFY(says({"--time", "nobody"}, "2:1", "There is no column \"nobody\""));
        QVERIFY(says({"--unit", "furlong"}, "2:20", "The unit \"furlong\" is not known"));
        QVERIFY(says({"--where", "workers>99"}, "2:1", "No run is left to read"));
        QVERIFY(says({}, "3:8", "The split of this run is neither train nor test"));
        const auto one = files_.write("one.csv", "workers,batch_size,time_s\n1,32,1\n");
        const auto ran = run({"measure", "fit", one, "--extrinsic", "workers"});
        QVERIFY2(contains(ran.err, one + ":1:1: ") && ran.code == exit_input, ran.err.c_str());
    }

    void wrong_words() {
        const auto file = data("g1-generic-noiseless.csv");
        QCOMPARE(run({"measure", "fit", file, "--form", "cubic"}).code, exit_usage);
        for (const Words& words : {Words{"--intrinsic", "nobody"}, Words{"--bound", "C"}, Words{"--bound", "D=1"},
                                   Words{"--lambda", "x"}, Words{"--where", "w"}, Words{"--where", "workers>99"},
                                   Words{"--column", "a=b"}, Words{"--unit", "furlong"}, Words{"--time", "nobody"}}) {
            Words all{"measure", "fit", file};
            all.insert(all.end(), words.begin(), words.end());
            const auto ran = run(all);
            QVERIFY2(ran.code == exit_input && !ran.err.empty(), words[1].c_str());
        }
        QCOMPARE(run({"measure", "fit", files_.write("none.csv", "")}).code, exit_input);
        QVERIFY(contains(run({"measure", "fit", "--help"}).out, "scalescope measure fit runs.csv"));
    }
};

QTEST_APPLESS_MAIN(TestFitCommand)
#include "tst_fit_command.moc"
