// SPDX-License-Identifier: GPL-3.0-or-later
// The verb that writes networks as files of other formats.
#include "support_verbs.hpp"

using namespace support;

class TestConvert : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void networks_as_other_files() {
        const auto made = [&](const char* name) {
            return (files_.folder() + QLatin1Char('/') + QLatin1String(name)).toStdString();
        };
        const auto summary = [](const std::string& network) {
            return run({"summary", network, "--format", "csv"}).out;
        };
        // By the ending of the file, and by --to; the same on the standard output.
        QCOMPARE(run({"convert", "bert-base", "--out", made("a.onnx")}).code, 0);
        QCOMPARE(summary(made("a.onnx")), summary("bert-base"));
        QCOMPARE(run({"convert", made("a.onnx"), "--out", made("b.json")}).out, made("b.json") + '\n');
        QCOMPARE(summary(made("b.json")), summary("bert-base"));
        const auto shown = run({"convert", "bert-base", "--to", "onnx", "--out", "-"});
        const auto written = read_file(made("a.onnx"));
        QVERIFY(written.has_value());
        QCOMPARE(shown.out, *written);
        QVERIFY(contains(shown.err, "no word in ONNX"));
        QVERIFY(run({"convert", "nin", "--to", "scalescope"}).out.starts_with("{\n"));
        QCOMPARE(run({"convert", "paleo/nin", "--to", "paleo", "--out", made("nin.json")}).code, 0);
        QCOMPARE(summary(made("nin.json")), summary("paleo/nin"));
        // A size that is set is the one of the file.
        QCOMPARE(run({"convert", "gpt-2", "--set", "symbols.sequence=64", "--out", made("short.json")}).code, 0);
        QCOMPARE(summary(made("short.json")),
                 run({"summary", "gpt-2", "--set", "symbols.sequence=64", "--format", "csv"}).out);
        // What PALEO can do without is left out only if somebody says so.
        const auto refused = run({"convert", "inception-v3", "--to", "paleo"});
        QVERIFY(refused.code == 1 && refused.out.empty() && contains(refused.err, "--lossy"));
        const auto lossy = run({"convert", "inception-v3", "--to", "paleo", "--lossy"});
        QVERIFY2(lossy.code == 0 && contains(lossy.err, "warning"), lossy.err.c_str());
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("no format", "convert vgg-16", 2, "--to");
        row("unknown format", "convert vgg-16 --to caffe", 2, "scalescope");
        row("unknown network", "convert vgg-61 --to onnx", 1, "did you mean vgg-16?");
        row("no size", "convert gpt-2 --to onnx --set training.batch=3", 1, "depends on no field");
        row("PALEO cannot say it", "convert mobilenet-v2 --to paleo", 1, "groups");
        row("no folder to write to", "convert nin --out /nowhere/at/all.json", 1, "/nowhere/at/all.json");
    }
    void wrong_words() { WrongWords::are_refused(); }
};

QTEST_APPLESS_MAIN(TestConvert)
#include "tst_convert.moc"
