// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>

#include "support_verbs.hpp"

using namespace support;

/// The verb: rows, their summary, reasons, and what is wrong with a command line or a table.
class TestValidateCommand : public QObject {
    Q_OBJECT

    OwnFiles files_;

    std::string table() {
        return files_.write("t.csv",
                            "source,network,device,interconnect,gpus_per_node,workers,batch_per_worker,precision,"
                            "metric,value,unit,notes\n"
                            "tables,VGG16,Tesla K80,none,1,1,32,fp32,throughput,32,images/s,\n"
                            "tables,VGG16,Tesla K80,string,2,2,32,fp32,throughput,60,images/s,\n"
                            "tables,Nonesuch,Tesla K80,none,1,1,32,fp32,throughput,60,images/s,\n");
    }

private slots:
    void rows_and_summary_for_people() {
        const auto ran = run({"measure", "validate", table()});
        QCOMPARE(ran.code, 0);
        for (const char* part : {"error_percent", "data sheet", "coverage_percent", "best_constant_percent",
                                 "not_predicted_because", "\"Nonesuch\"", "\"string\""})
            QVERIFY2(contains(ran.out, part), ran.out.c_str());
    }

    void rows_as_data() {
        const auto list = rows({"measure", "validate", table(), "--show", "rows", "--calibrate", "first-row"});
        QCOMPARE(list.size(), 3);
        const auto first = list[0].toObject();
        QVERIFY(std::abs(first["predicted"].toDouble() - 32) < 1e-6);
        QCOMPARE(first["evidence"].toString(), QString("calibrated on 1 row; learnt from"));
        QVERIFY(list[2].toObject()["predicted"].isNull());
        const auto summary = rows({"measure", "validate", table(), "--show", "summary", "--model", "roofline"});
        QCOMPARE(summary[0].toObject()["rows"].toInt(), 2);
        QCOMPARE(summary[0].toObject()["coverage_percent"].toDouble(), 50.0);
        const auto all = run({"measure", "validate", table(), "--format", "json"});
        const auto object = QJsonDocument::fromJson(QByteArray::fromStdString(all.out)).object();
        QCOMPARE(object["rows"].toArray().size(), 3);
        QVERIFY(object["summary"].toArray().size() >= 1);
        QCOMPARE(object["not_predicted"].toArray().size(), 2);
    }

    /// As it stands on a page: what it lacks is given, and what each column holds can be asked and corrected.
    void a_pasted_table() {
        const auto file = files_.write("p.md",
                                       "| Model | # GPUs | BS / GPU | Speed |\n|---|---|---|---|\n"
                                       "| VGG16 | 8x V100 32GB | 32 | 1,600 |\n");
        const std::vector<std::string> given{"--map",          "# GPUs=device", "--map",
                                             "Speed=images/s", "--map",         "precision=FP32"};
        std::vector<std::string> words{"measure", "validate", file};
        words.insert(words.end(), given.begin(), given.end());
        auto asked = words;
        asked.insert(asked.end(), {"--show", "columns"});
        const auto columns = run(asked);
        for (const char* part : {"network", "device", "batch_per_worker", "images/s"})
            QVERIFY2(contains(columns.out, part), columns.out.c_str());
        asked.back() = "rows";
        const auto list = rows(asked);
        QCOMPARE(list.size(), 1);
        QVERIFY(list[0].toObject()["predicted"].toDouble() > 0);
        QCOMPARE(list[0].toObject()["measured"].toDouble(), 1600.0);
        QVERIFY(list[0].toObject()["assumed"].toString().contains("inside a node is assumed"));
    }

    /// Meanings that are kept stand beside the table, count the next time, and give way to those of the command line.
    void kept_meanings() {
        const auto file =
            files_.write("k.md", "| Model | Card | Batch | V |\n|---|---|---|---|\n| VGG16 | V100 32GB | 32 | 200 |\n");
        QVERIFY(run({"measure", "validate", file}).code != 0);
        const auto kept = rows({"measure", "validate", file, "--map", "V = images/s", "--keep-map", "--show", "rows"});
        QVERIFY(kept[0].toObject()["predicted"].toDouble() > 0);
        QVERIFY(std::filesystem::exists(file + ".map"));
        QCOMPARE(rows({"measure", "validate", file, "--show", "rows"})[0].toObject()["unit"].toString(),
                 QString("images/s"));
        const auto other = rows({"measure", "validate", file, "--map", "V=ms per step", "--show", "rows"});
        QCOMPARE(other[0].toObject()["unit"].toString(), QString("ms"));
        std::ofstream(file + ".map") << "# mine\nV images\n";
        const auto broken = run({"measure", "validate", file});
        QVERIFY2(contains(broken.err, "k.md.map:2") && contains(broken.err, "NAME=MEANING"), broken.err.c_str());
    }

    void own_profiles() {
        const auto file = files_.write("p.json", R"({"format": "scalescope-profiles", "version": 1, "profiles": [
            {"when": {}, "set": {"model.compute": "10"}, "sources": ["by hand"]}]})");
        const auto slow = rows({"measure", "validate", table(), "--show", "rows", "--profiles", file});
        const auto usual = rows({"measure", "validate", table(), "--show", "rows"});
        QVERIFY(slow[0].toObject()["predicted"].toDouble() < usual[0].toObject()["predicted"].toDouble());
        QVERIFY(run({"measure", "validate", table(), "--profiles", table()}).code == 1);
    }

    /// Words of the table reach the terminal in every format, without the power to steer it.
    void no_format_lets_escapes_through() {
        const auto file = files_.write("e.csv",
                                       "network,device,workers,batch_per_worker,value,unit\n"
                                       "\x1b[2J\x1b]0;x\x07,=1+1,1,1,1,images/s\n");
        for (const char* format : {"table", "csv", "json"}) {
            const auto ran = run({"measure", "validate", file, "--format", format});
            QVERIFY2(ran.out.find('\x1b') == std::string::npos && ran.out.find('\x07') == std::string::npos, format);
            QVERIFY2(ran.err.find('\x1b') == std::string::npos, format);
        }
        QVERIFY(contains(run({"measure", "validate", file, "--format", "csv"}).out, "'=1+1"));
    }

    void what_is_wrong_is_said() {
        const auto broken = files_.write("b.csv", "network,device\nx,y\n");
        const auto ran = run({"measure", "validate", broken});
        QCOMPARE(ran.code, 1);
        QVERIFY2(contains(ran.err, "no figure") && contains(ran.err, "--map"), ran.err.c_str());
        QCOMPARE(run({"measure", "validate", table(), "--map", "device"}).code, 1);
        QCOMPARE(run({"measure", "validate"}).code, 2);
        QCOMPARE(run({"measure", "validate", table(), "--calibrate", "twice"}).code, 2);
        QCOMPARE(run({"measure", "validate", "/nowhere/t.csv"}).code, 1);
    }
};

QTEST_APPLESS_MAIN(TestValidateCommand)
#include "tst_validate_command.moc"
