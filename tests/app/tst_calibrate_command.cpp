// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>
#include <cmath>
#include <fstream>

#include "core/formats/calibration_json.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestCalibrateCommand : public QObject {
    Q_OBJECT

    OwnFiles files_;
    static std::string data(const char* name) { return std::string(SCALESCOPE_TEST_DATA "/measured/") + name; }

    /// Steps of the example at half of the arithmetic's peak and 4 ms of overhead.
    std::string runs_file() {
        std::string text = "workers,batch_per_worker,time_s\n";
        for (const auto& [workers, batch] :
             {std::pair<const char*, const char*>{"1", "8"}, {"1", "64"}, {"4", "64"}, {"8", "256"}}) {
            const auto all =
                rows({"estimate", "example", "--set", "model.compute=50", "--set", "model.overhead_ms=4", "--set",
                      "training.batch_rule=per_worker", "--set", std::string("cluster.workers=") + workers, "--set",
                      std::string("training.batch=") + batch});
            text += std::string(workers) + ',' + batch + ',' +
                    std::to_string(figure(all, QStringLiteral("step")).toDouble() / 1e3) + '\n';
        }
        return files_.write("runs.csv", text);
    }

private slots:
    void runs_give_constants_that_every_verb_takes() {
        const auto runs = runs_file();
        const auto saved = files_.write("ours.json", "");
        const auto ran =
            run({"measure", "calibrate", runs, "--scenario", "example", "--name", "ours", "--save", saved});
        QVERIFY2(ran.code == 0, (ran.err + ran.out).c_str());
        for (const char* part : {"model.compute", "model.overhead_ms", "determined", "calibrated_ms"})
            QVERIFY2(contains(ran.out, part), ran.out.c_str());
        std::ifstream in(saved);
        std::stringstream text;
        text << in.rdbuf();
        const auto calibration = formats::read_calibration(text.str(), saved);
        QVERIFY(calibration);
        QCOMPARE(calibration->points, std::int64_t{4});
        QCOMPARE(calibration->name, std::string("ours"));

        const auto inside = run({"estimate", "example", "--set", "calibration=" + saved, "--set", "cluster.workers=4",
                                 "--set", "training.batch_rule=per_worker", "--set", "training.batch=64"});
        QVERIFY2(inside.code == 0, inside.err.c_str());
        QVERIFY2(contains(inside.err, "Calibrated on 4 points (ours)"), inside.err.c_str());
        const auto beyond =
            run({"estimate", "example", "--set", "calibration=" + saved, "--set", "cluster.workers=64"});
        QVERIFY2(contains(beyond.err, "Extrapolated from 4 points (ours)"), beyond.err.c_str());
        QVERIFY2(contains(beyond.err, "Workers 64, measured was 1 to 8"), beyond.err.c_str());
    }

    /// Tables say what their figures rest on, and where nine of ten runs lie.
    void figures_say_what_they_rest_on() {
        const auto saved = files_.write("ours.json", "");
        QCOMPARE(
            run({"measure", "calibrate", runs_file(), "--scenario", "example", "--name", "ours", "--save", saved}).code,
            0);
        const std::vector<std::string> set{"--set", "calibration=" + saved, "--set", "training.batch_rule=per_worker",
                                           "--set", "training.batch=64"};
        const auto words = [&](std::vector<std::string> verb) {
            verb.insert(verb.end(), set.begin(), set.end());
            return verb;
        };
        const auto all = rows(words({"estimate", "example", "--set", "cluster.workers=4"}));
        QCOMPARE(figure(all, QStringLiteral("evidence")), QStringLiteral("calibrated on 4 points"));
        const double step = figure(all, QStringLiteral("step")).toDouble();
        const double low = figure(all, QStringLiteral("step_low_90")).toDouble();
        const double high = figure(all, QStringLiteral("step_high_90")).toDouble();
        QVERIFY(low < step && step < high && high < 1.5 * step);
        QVERIFY(std::abs(low * high / (step * step) - 1) < 1e-6);  // alike in logarithms
        QCOMPARE(figure(rows({"estimate", "example"}), QStringLiteral("evidence")), QStringLiteral("not calibrated"));
        const auto swept = run(words({"sweep", "example", "--vary", "cluster.workers=8,16", "--format", "csv"}));
        QVERIFY2(contains(swept.out, "evidence,reason"), swept.out.c_str());
        QVERIFY2(contains(swept.out, ",calibrated,") && contains(swept.out, ",extrapolated,"), swept.out.c_str());
    }

    void another_unit_is_noticed() {
        std::ifstream in(runs_file());
        std::string line, thousandths = "workers,batch_per_worker,time_s\n";
        std::getline(in, line);
        while (std::getline(in, line)) {
            const auto comma = line.rfind(',');
            thousandths += line.substr(0, comma + 1) + std::to_string(1e3 * std::stod(line.substr(comma + 1))) + '\n';
        }
        const auto file = files_.write("ms.csv", thousandths);
        const auto ran = run({"measure", "calibrate", file, "--scenario", "example"});
        QCOMPARE(ran.code, 0);
        QVERIFY2(contains(ran.err, "about 1000 times the model's, as if they were in another unit;"), ran.err.c_str());
        QVERIFY(run({"measure", "calibrate", file, "--scenario", "example", "--unit", "ms"}).err.empty());
    }

    /// What the table of times calls before is the scenario with the constants that the other one calls so.
    void columns_before_agree() {
        const auto runs = runs_file();
        Words words{"estimate", "example",           "--set", "training.batch_rule=per_worker",
                    "--set",    "cluster.workers=1", "--set", "training.batch=8"};
        for (const auto& row : rows({"measure", "calibrate", runs, "--scenario", "example", "--show", "constants"})) {
            const auto c = row.toObject();
            QVERIFY(c["believed"].toDouble() > 0);
            words.insert(words.end(), {"--set", c["constant"].toString().toStdString() + "=" +
                                                    QString::number(c["before"].toDouble(), 'g', 17).toStdString()});
        }
        const auto times = rows({"measure", "calibrate", runs, "--scenario", "example", "--show", "times"});
        const double step = figure(rows(words), QStringLiteral("step")).toDouble();
        QVERIFY(std::abs(times[0].toObject()["before_ms"].toDouble() / step - 1) < 1e-9);
    }

    void the_calibration_as_json() {
        const auto ran = run({"measure", "calibrate", runs_file(), "--scenario", "example", "--format", "json"});
        QVERIFY(formats::read_calibration(ran.out, "out.json"));
        QCOMPARE(rows({"measure", "calibrate", runs_file(), "--scenario", "example", "--show", "constants"}).size(), 8);
    }

    void what_the_script_writes() {
        const auto errors = rows({"measure", "calibrate", data("script-sample.csv"), "--show", "errors"});
        QCOMPARE(errors.size(), 7);  // each kind, pass and precision
        QCOMPARE(errors[0].toObject()["device"].toString(), QStringLiteral("tesla-t4"));
        const auto ran = run({"measure", "calibrate", data("script-sample.csv"), "--format", "json"});
        const auto calibration = formats::read_calibration(ran.out, "out.json");
        QVERIFY(calibration);
        QCOMPARE(calibration->framework, std::string("PyTorch 2.1.0"));
        QCOMPARE(calibration->operators.size(), std::size_t{7});
        QCOMPARE(calibration->points, std::int64_t{7});
        // the header is that of the script
        QFile script(QStringLiteral(SCALESCOPE_SOURCE_DIR "/resources/measure/measure_operators.py"));
        QVERIFY(script.open(QFile::ReadOnly));
        const auto program = QString::fromUtf8(script.readAll());
        const auto from = program.indexOf(QLatin1String("COLUMNS = [")), to = program.indexOf(QLatin1Char(']'), from);
        auto columns = program.mid(from + 11, to - from - 11).remove(QLatin1Char('"')).remove(QLatin1Char('\n'));
        columns.remove(QLatin1Char(' '));
        QFile sample(QString::fromStdString(data("script-sample.csv")));
        QVERIFY(sample.open(QFile::ReadOnly));
        QCOMPARE(QString::fromUtf8(sample.readLine()).trimmed(), columns);
    }

    void several_devices_are_held_out_in_turn() {
        const auto errors = rows({"measure", "calibrate", data("matmul-fp32-newer.csv"), "--show", "errors"});
        QCOMPARE(errors.size(), 3);
        for (const auto& row : errors) {
            QVERIFY(row.toObject()["new_shapes_percent"].toDouble() < row.toObject()["tiles_percent"].toDouble());
            QVERIFY(row.toObject()["new_device_percent"].toDouble() > 0);
        }
    }

    void wrong_words() {
        const auto no_scenario = run({"measure", "calibrate", runs_file()});
        QVERIFY(no_scenario.code != 0 && contains(no_scenario.err, "--scenario"));
        const auto no_file = run({"estimate", "example", "--set", "calibration=nowhere"});
        QVERIFY(no_file.code != 0 && contains(no_file.err, "There is no calibration called"));
        const auto unknown =
            run({"measure", "calibrate", files_.write("u.csv", "device,m,n,k,time_ms\nZX81,1,1,1,1\n")});
        QVERIFY2(unknown.code != 0 && contains(unknown.err, "u.csv:2:1: ") && contains(unknown.err, "ZX81"),
                 unknown.err.c_str());
        const auto fields =
            run({"measure", "calibrate", files_.write("f.csv", "workers,time_s,training.precision\n1,2,fp99\n"),
                 "--scenario", "example"});
        QVERIFY2(
            fields.code != 0 && contains(fields.err, "f.csv:2:5: warning: ") && contains(fields.err, "f.csv:1:1: "),
            fields.err.c_str());
        const auto nothing = run({"measure", "calibrate", data("script-sample.csv"), "--show", "constants"});
        QVERIFY(nothing.code != 0 && contains(nothing.err, "leave --show out"));
    }
};

QTEST_APPLESS_MAIN(TestCalibrateCommand)
#include "tst_calibrate_command.moc"
