// SPDX-License-Identifier: GPL-3.0-or-later
// The verb predict, on a recorded step.
#include <fstream>

#include "app/commands/all_verbs.hpp"
#include "peak_memory.hpp"
#include "sanitized.hpp"
#include "support_verbs.hpp"

using namespace support;

namespace {

std::string data(const std::string& name) { return SCALESCOPE_TEST_DATA "/traces/" + name; }

Words predict(Words more) {
    Words words{"measure", "predict", data("resnet50-v100-5steps.json.gz")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

double number(const QJsonArray& all, const QString& part, const QString& name, const QString& column) {
    for (const auto& row : all)
        if (row.toObject()["part"].toString() == part && row.toObject()["name"].toString() == name)
            return row.toObject()[column].toDouble();
    return -1.0;
}

}  // namespace

class TestPredict : public QObject {
    Q_OBJECT

private slots:
    void summary() {
        QCOMPARE(header(predict({"--to", "l4"})),
                 std::string("from,to,part,name,measured_ms,predicted_ms,speedup,rules"));
        const auto all = rows(predict({"--to", "NVIDIA A100-SXM4-40GB", "--network", "resnet-50", "--batch", "32"}));
        QVERIFY(std::abs(number(all, "mean step", "without NCCL", "measured_ms") - 93.631) < 1e-3);
        double phases = 0, classes = 0, rules = 0;
        for (const auto& row : all) {
            const auto o = row.toObject();
            const auto part = o["part"].toString();
            (part == "phase"   ? phases
             : part == "class" ? classes
                               : rules) +=
                part == "phase" || part == "class" || part == "rule" ? o["predicted_ms"].toDouble() : 0.0;
            QCOMPARE(o["to"].toString(), QString("a100-sxm-40gb"));
        }
        const double step = number(all, "mean step", "without NCCL", "predicted_ms");
        for (const double sum : {phases, classes, rules}) QVERIFY(std::abs(sum - step) < 1e-9);
        QVERIFY(number(all, "step", "ProfilerStep#103", "predicted_ms") > 0);
    }

    void several_devices_and_shares_of_rules() {
        if (sanitized) QSKIP("the trace is read by other tests");
        const auto ran =
            run(predict({"--to", "a100-sxm-40gb,tesla-t4", "--to", "l4", "--network", "resnet-50", "--format", "csv"}));
        QCOMPARE(ran.code, 0);
        for (const char* id : {",a100-sxm-40gb,", ",tesla-t4,", ",l4,"}) QVERIFY(ran.out.find(id) != std::string::npos);
        QVERIFY(ran.out.find("\"operator model ") != std::string::npos);
        QVERIFY2(ran.err.find("come from aligning the trace with ResNet-50 at batch 32") != std::string::npos,
                 ran.err.c_str());
    }

    /// Nobody holds all rows: those of the most kernels that a trace may have would take a GB.
    void operations_of_many_kernels_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"table", "csv", "json"}) QTest::newRow(format) << format;
    }
    void operations_of_many_kernels() {
        if (sanitized) QSKIP("freed memory is kept for a while then");
        QFETCH(QString, format);
        QTemporaryDir folder;
        const std::string path = folder.filePath("many.json").toStdString();
        {
            std::ofstream out(path);
            out << R"({"deviceProperties":[{"id":0,"name":"Tesla V100-SXM2-16GB"}],"traceEvents":[)";
            for (int i = 0; i < 2000; ++i)
                out << (i ? "," : "") << R"({"ph":"X","cat":"kernel","name":"elementwise_kernel","pid":0,"tid":7,"ts":)"
                    << 10 * i << R"(,"dur":5,"args":{"device":0,"stream":7,"grid":[80,1,1],"block":[128,1,1]}})";
            out << "]}";
        }
        std::string gpus = "l4";
        for (int i = 1; i < 30; ++i) gpus += ",l4";
        const Words words{path, "--to", gpus, "--show", "operations", "--format", format.toStdString()};
        std::ostringstream err;
        int code = -1;
        const long growth = peak_growth([&] {
            std::ostream nowhere(nullptr);
            code = predict_command.run(words, nowhere, err);
        });
        QVERIFY2(code == exit_done, err.str().c_str());
        QVERIFY2(growth < 20 * 1024, std::to_string(growth).c_str());
    }

    void operations() {
        const auto all = rows(predict({"--to", "a100-sxm-40gb", "--network", "resnet-50", "--show", "operations"}));
        bool found = false;
        for (const auto& row : all) {
            const auto o = row.toObject();
            if (o["layer"].toString() != "conv2_1/conv2" || o["phase"].toString() != "backward") continue;
            found = true;
            QCOMPARE(o["class"].toString(), QString("convolution"));
            QCOMPARE(o["rule"].toString(), QString("operator model"));
            QCOMPARE(o["shape_from"].toString(), QString("aligned"));
            QCOMPARE(o["measured_with"].toString(), QString("fp32"));
            QCOMPARE(o["predicted_with"].toString(), QString("tf32"));
        }
        QVERIFY(found);
    }

    void what_was_recorded() {
        const auto all = rows({"measure", "predict", data("resnet50-a100-3steps.json.gz"), "--show", "trace"});
        QCOMPARE(all.size(), 3);
        QCOMPARE(all[0].toObject()["kernels"].toInt(), 893);
        QCOMPARE(all[0].toObject()["nccl_kernels"].toInt(), 7);
        QVERIFY(all[0].toObject()["idle_ms"].toDouble() > 0);
    }

    void choices_change_the_time() {
        if (sanitized) QSKIP("the trace is read by other tests");
        const auto step = [](Words more) {
            Words words{"--to", "a100-sxm-40gb", "--network", "resnet-50"};
            words.insert(words.end(), more.begin(), more.end());
            return number(rows(predict(words)), "mean step", "without NCCL", "predicted_ms");
        };
        const double best = step({}), without = step({"--tf32", "none"}), waves = step({"--rules", "wave-scaling"});
        QVERIFY(best < without);
        QVERIFY(best < waves);
        QVERIFY(std::abs(best - step({"--tf32", "convolutions"})) < 1e-9);
        QVERIFY(best > step({"--tf32", "all"}));
        QVERIFY(best > step({"--fp16"}));
    }

    void communication_is_apart() {
        if (sanitized) QSKIP("the trace is read by other tests");
        const Words words{"measure", "predict", data("resnet50-a100-3steps.json.gz"), "--to", "l4"};
        const auto all = rows(words);
        const double nccl = number(all, "communication", "NCCL", "measured_ms"),
                     exposed = number(all, "communication", "exposed", "measured_ms"),
                     overlapped = number(all, "communication", "overlapped", "measured_ms");
        QVERIFY(nccl > 0 && exposed >= 0 && overlapped >= 0);
        QVERIFY(std::abs(exposed + overlapped - nccl) < 1e-9);  // one stream
        QCOMPARE(number(all, "communication", "NCCL", "predicted_ms"), nccl);
    }

    void operators_are_corrected() {
        OwnFiles files;
        const auto file = files.write("v100.json", {});
        QCOMPARE(run({"measure", "calibrate", SCALESCOPE_TEST_DATA "/measured/conv2d-fp32.csv", "--name", "convs",
                      "--save", file})
                     .code,
                 0);
        const Words words{"--to",          "tesla-t4", "--network", "resnet-50",  "--batch",  "32",
                          "--calibration", file,       "--show",    "operations", "--format", "csv"};
        const auto ran = run(predict(words));
        QCOMPARE(ran.code, 0);
        QVERIFY2(ran.err.find("Times of operators are corrected by \"convs\", on ") != std::string::npos,
                 ran.err.c_str());
        QVERIFY(ran.out.find("corrected operator model,corrected on ") != std::string::npos ||
                ran.out.find("corrected operator model,\"corrected on ") != std::string::npos);
        QCOMPARE(run(predict({"--to", "l4", "--calibration", "nobodys"})).code, 1);
    }

    void what_is_wrong_is_said_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const QString trace = QString::fromStdString(data("resnet50-v100-5steps.json.gz"));
        QTest::newRow("nowhere") << QStringList{trace} << 2 << "name at least one GPU with --to";
        QTest::newRow("no such GPU") << QStringList{trace, "--to", "a100-sxm-40bg"} << 1
                                     << "did you mean a100-sxm-40gb?";
        QTest::newRow("a TPU") << QStringList{trace, "--to", "tpu-v4"} << 1 << "compute capability";
        QTest::newRow("another network") << QStringList{trace, "--to", "l4", "--network", "vgg-16"} << 1
                                         << "The forward pass has 53 convolutions, VGG-16 has 13;";
        QTest::newRow("batch alone") << QStringList{trace, "--to", "l4", "--batch", "32"} << 2 << "--network";
        QTest::newRow("no trace") << QStringList{SCALESCOPE_TEST_DATA "/ledger.csv", "--to", "l4"} << 1
                                  << "This is no JSON";
        QTest::newRow("no file") << QStringList{"/no/such.json", "--to", "l4"} << 1 << "could not be opened";
    }
    void what_is_wrong_is_said() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        Words all{"measure", "predict"};
        for (const auto& w : words) all.push_back(w.toStdString());
        const auto ran = run(all);
        QTEST(ran.code, "code");
        QVERIFY2(QString::fromStdString(ran.err).contains(says), ran.err.c_str());
        QVERIFY(ran.out.empty());
    }
};

QTEST_APPLESS_MAIN(TestPredict)
#include "tst_predict.moc"
