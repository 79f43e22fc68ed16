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
            return run({"analyse", "network", network, "--format", "csv"}).out;
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
                 run({"analyse", "network", "gpt-2", "--set", "symbols.sequence=64", "--format", "csv"}).out);
        // What PALEO can do without is left out only if somebody says so.
        const auto refused = run({"convert", "inception-v3", "--to", "paleo"});
        QVERIFY(refused.code == 1 && refused.out.empty() && contains(refused.err, "--lossy"));
        const auto lossy = run({"convert", "inception-v3", "--to", "paleo", "--lossy"});
        QVERIFY2(lossy.code == 0 && contains(lossy.err, "warning"), lossy.err.c_str());
    }

    /// A trainer's file stands wherever a scenario or a network may, and a scenario becomes one.
    void training_configurations() {
        const std::string script = SCALESCOPE_TEST_DATA "/configurations/megatron/llama3-8b.sh";
        const auto estimated = run({"estimate", script});
        QVERIFY2(estimated.code == 0, estimated.err.c_str());
        QVERIFY(contains(estimated.out, "tensor_degree"));
        QVERIFY(contains(estimated.err, "Defaults of Megatron-LM") && contains(estimated.err, "NullTokenizer"));
        QVERIFY(contains(run({"check", script}).out, "16 workers"));
        QVERIFY(run({"convert", script, "--to", "scalescope"}).out.starts_with("{\n"));
        const auto as_toml = run({"convert", script, "--to", "torchtitan"});
        QVERIFY(contains(as_toml.out, "flavor = \"8B\"") && contains(as_toml.err, "shards weights"));
        const auto example =
            run({"convert", "llama-3-70b-h100", "--to", "megatron", "--set", "parallelism.pipeline=2"});
        QVERIFY2(contains(example.out, "--pipeline-model-parallel-size 2"), example.err.c_str());
        const std::string file = (files_.folder() + QLatin1String("/run.sh")).toStdString();
        QVERIFY(write_file(file, example.out));
        QVERIFY(contains(run({"check", file}).out, "512 workers"));
        for (const char* trainer : {"deepspeed", "accelerate"})
            QVERIFY(!run({"convert", "llama-3-70b-h100", "--to", trainer}).out.empty());
        const auto refused = run({"convert", "example", "--to", "megatron"});
        QVERIFY(refused.code == 1 && refused.out.empty() && contains(refused.err, "no attention"));
    }

    /// Arguments of Megatron-DeepSpeed are arguments of Megatron-LM with some more: who calls says whose they are.
    void as_which_trainers() {
        const auto megatron = read_file(SCALESCOPE_TEST_DATA "/configurations/megatron/llama3-8b.sh");
        QVERIFY(megatron.has_value());
        const std::string plain = files_.write("plain.sh", *megatron);
        std::string text = *megatron;
        const std::string_view flag = "--micro-batch-size";
        text.insert(text.find(flag), "--zero-stage 1 ");
        const std::string file = files_.write("both.sh", text);
        const auto likeliest = run({"estimate", file});
        QVERIFY2(likeliest.code == 0 && contains(likeliest.err, "configuration of Megatron-DeepSpeed"),
                 likeliest.err.c_str());
        QVERIFY2(contains(likeliest.err, "Here: --as megatron\n"), likeliest.err.c_str());
        const auto chosen = run({"estimate", file, "--as", "megatron"});
        QVERIFY2(chosen.code == 0 && contains(chosen.err, "configuration of Megatron-LM"), chosen.err.c_str());
        QVERIFY(contains(chosen.err, "Here: --as megatron-deepspeed\n"));
        // The stage of ZeRO is a key of the one only.
        QVERIFY(contains(chosen.err, "zero_stage") && !contains(likeliest.err, "zero_stage is not a known key"));
        for (const Words& verb :
             {Words{"convert", file, "--to", "link"}, Words{"check", file}, Words{"analyse", "network", file},
              Words{"list", "fields", file}, Words{"compare", file, "example"},
              Words{"estimate", "example", "--set", "network=" + file}}) {
            Words words = verb;
            words.insert(words.end(), {"--as", "megatron"});
            const auto ran = run(words);
            QVERIFY2(ran.code == 0 && contains(ran.err, "configuration of Megatron-LM."), ran.err.c_str());
            words.back() = "maxtext";
            const auto refused = run(words);
            QVERIFY2(refused.code == 1 && contains(refused.err, "one of megatron-deepspeed, megatron."),
                     refused.err.c_str());
        }
        // What is nobody's configuration is read all the same, and that the option did nothing is said.
        const auto needless = run({"estimate", "example", "--as", "megatron"});
        QVERIFY2(needless.code == 0 && contains(needless.err, "not a training configuration"), needless.err.c_str());
        const auto only = run({"estimate", plain, "--as", "megatron"});
        QVERIFY2(only.code == 0 && !contains(only.err, "--as"), only.err.c_str());
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
