// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <fstream>

#include "core/scenario/fields.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestVerbs : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void check_says_what_files_are() {
        const auto network = source + "/presets/networks/vgg-16.json",
                   paleo = source + "/presets/networks/paleo/nin.json",
                   scenario = source + "/presets/scenarios/example.json";
        const auto ran = run({"check", network, paleo, scenario});
        QVERIFY2(ran.code == 0, ran.err.c_str());
        const auto vgg = formats::load_shipped().network("vgg-16").value();
        QVERIFY2(contains(ran.out,
                          network + ": ok, network, " + std::to_string(vgg->size()) + " layers, 138 M parameters\n"),
                 ran.out.c_str());
        QVERIFY2(contains(ran.out, paleo + ": ok, PALEO network, "), ran.out.c_str());
        QVERIFY2(contains(ran.out, scenario + ": ok, scenario, "), ran.out.c_str());
        QVERIFY2(contains(ran.out, ", 32 workers\n"), ran.out.c_str());
        const auto list = rows({"check", network, scenario});
        QCOMPARE(list.size(), 2);
        QCOMPARE(list[0].toObject()["parameters"].toInteger(), qint64{vgg->parameters()});
        QVERIFY(list[0].toObject()["workers"].isNull());
        QCOMPARE(list[1].toObject()["workers"].toInteger(), qint64{32});
    }

    /// A Caffe net is a network like any other, by its content: checked, listed, and named by a scenario.
    void caffe_nets() {
        std::ifstream in(SCALESCOPE_TEST_DATA "/models/caffe/lenet_train_test.prototxt");
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto net = files_.write("lenet.txt", text);
        const auto checked = run({"check", net});
        QVERIFY2(checked.code == 0 && contains(checked.out, net + ": ok, Caffe network, "), checked.err.c_str());
        QVERIFY2(contains(checked.out, "431 k parameters"), checked.out.c_str());
        QVERIFY2(contains(checked.err, "TRAIN phase"), checked.err.c_str());
        const auto listed = run({"analyse", "network", net});
        QVERIFY2(listed.code == 0 && contains(listed.out, "conv2"), listed.err.c_str());
        std::ifstream example(source + "/presets/scenarios/example.json");
        std::string scenario{std::istreambuf_iterator<char>(example), {}};
        const std::string named = "\"network\": \"";
        const auto at = scenario.find(named);
        QVERIFY(at != std::string::npos);
        const auto end = scenario.find('"', at + named.size()) + 1;
        scenario.replace(at, end - at, "\"network\": {\"file\": \"lenet.txt\"}");
        const auto whole = run({"check", files_.write("with-lenet.json", scenario)});
        QVERIFY2(whole.code == 0 && contains(whole.out, "431 k parameters"), (whole.out + whole.err).c_str());
    }

    void check_finds_what_is_wrong() {
        const auto broken = files_.write("broken.json", "{\n  \"format\": \"scalescope-network\",\n  oops\n}\n");
        const auto good = source + "/presets/networks/nin.json";
        const auto ran = run({"check", broken, good, files_.folder().toStdString() + "/none.json"});
        QCOMPARE(ran.code, 1);
        QVERIFY2(contains(ran.err, broken + ":3:"), ran.err.c_str());
        QVERIFY2(contains(ran.err, "none.json"), ran.err.c_str());
        QVERIFY2(contains(ran.out, good + ": ok, network"), ran.out.c_str());
        QVERIFY(!contains(ran.out, "broken"));
        const auto csv = run({"check", broken, "--format", "csv"});
        QCOMPARE(csv.code, 1);
        QVERIFY2(contains(csv.out, broken + ",problem,,,,,"), csv.out.c_str());
    }

    void check_finds_scenarios_that_cannot_run() {
        auto scenario = preset("example");
        const auto library = formats::load_shipped();
        QVERIFY(set_field(scenario, "parallelism.fill", "pipeline", library.catalogue));
        QVERIFY(set_field(scenario, "cluster.workers", "4096", library.catalogue));
        const auto path = files_.write("many.json", formats::write_scenario(scenario, library));
        const auto ran = run({"check", path});
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.out.empty() && contains(ran.err, path), ran.err.c_str());
    }

    void summary() {
        QCOMPARE(header({"analyse", "network", "vgg-16"}),
                 std::string("layer,kind,output_shape,parameters,multiply_adds_per_sample,forward_flops_per_sample"));
        const auto network = formats::load_shipped().network("vgg-16").value();
        const auto list = rows({"analyse", "network", "vgg-16"});
        QCOMPARE(list.size(), network->size() + 1);
        double parameters = 0, flops = 0;
        for (int i = 0; i < network->size(); ++i) {
            const auto row = list[i].toObject();
            const auto at = static_cast<std::size_t>(i);
            QCOMPARE(row["layer"].toString().toStdString(), network->layers()[at].name);
            QCOMPARE(row["output_shape"].toString().toStdString(), to_text(network->facts()[at].output));
            QCOMPARE(row["parameters"].toInteger(), qint64{network->facts()[at].weights});
            parameters += row["parameters"].toDouble();
            flops += row["forward_flops_per_sample"].toDouble();
        }
        const auto total = list.last().toObject();
        QCOMPARE(total["layer"].toString(), QStringLiteral("total"));
        QCOMPARE(total["parameters"].toDouble(), parameters);
        // The published size of VGG-16.
        QCOMPARE(total["parameters"].toInteger(), qint64{138357544});
        QCOMPARE(total["forward_flops_per_sample"].toDouble(), flops);
        QCOMPARE(flops, 2 * static_cast<double>(network->multiply_adds()));
        QCOMPARE(run({"analyse", "network", source + "/presets/networks/vgg-16.json"}).out,
                 run({"analyse", "network", "vgg-16"}).out);
    }

    /// Sizes that a network leaves open: set and varied, each named by its path.
    void sizes_of_a_network() {
        const std::string text = R"({"format": "scalescope-network", "version": 1, "name": "open",
            "symbols": {"sequence": {"default": 16}}, "layers": [
            {"name": "text", "kind": "input", "shape": ["batch", "sequence", 8]},
            {"name": "fc", "kind": "dense", "inputs": ["text"], "units": 4, "per_position": true}]})";
        const auto net = files_.write("open.json", text);
        const auto total = [&](Words words) {
            return rows(std::move(words)).last().toObject()["multiply_adds_per_sample"].toInt();
        };
        QCOMPARE(total({"analyse", "network", net}), 16 * 8 * 4);
        QCOMPARE(total({"analyse", "network", net, "--set", "symbols.sequence=100"}), 100 * 8 * 4);
        const auto wrong = run({"analyse", "network", net, "--set", "symbols.sequenc=100"});
        QCOMPARE(wrong.code, exit_input);
        QVERIFY2(contains(wrong.err, "did you mean \"symbols.sequence\"?"), wrong.err.c_str());
        QVERIFY(
            contains(run({"analyse", "network", "vgg-16", "--set", "training.batch=3"}).err, "depends on no field"));

        Scenario s = preset("example");
        s.workload = {{*formats::read_any_network(text, net), {}, 1, {}}};
        const auto scenario = files_.write("open-scenario.json", formats::write_scenario(s, formats::load_shipped()));
        const auto list =
            rows({"sweep", scenario, "--vary", "symbols.sequence=16..64*2", "--vary", "cluster.workers=2,4"});
        QCOMPARE(list.size(), 6);
        QCOMPARE(list[4].toObject()["symbols.sequence"].toInt(), 64);
        QVERIFY(list[4].toObject()["step_ms"].toDouble() > list[0].toObject()["step_ms"].toDouble());
        QVERIFY(contains(run({"sweep", scenario, "--vary", "symbols.length=5"}).err, "symbols.sequence"));
    }

    /// A model that is made for one length, which nobody would guess: it can be read only with what --set says.
    void sizes_known_before_a_network_is_read() {
        // 7 more than its length must be a multiple of 97.
        const std::string net = SCALESCOPE_TEST_DATA "/fuzz/onnx/open-padded.onnx";
        const auto refused = run({"analyse", "network", net});
        QCOMPARE(refused.code, exit_input);
        QVERIFY2(contains(refused.err, "--set symbols.sequence=SIZE"), refused.err.c_str());
        Scenario s = preset("example");
        QVERIFY(write_file(files_.folder().toStdString() + "/padded.onnx", *read_file(net)));
        const auto named = [&](const char* file, const std::string& symbols) {
            std::string text = formats::write_scenario(s, formats::load_shipped());
            const auto at = text.find("\"network\": \"");
            const auto end = text.find('"', at + 12);
            text.replace(at, end + 1 - at, "\"network\": {\"file\": \"padded.onnx\"}" + symbols);
            return files_.write(file, text);
        };
        const auto scenario = named("open.json", {}),
                   sized_in_file = named("sized.json", R"(, "symbols": {"sequence": 9})");
        const auto in_scenario = run({"estimate", scenario});
        QVERIFY2(in_scenario.code == exit_input && contains(in_scenario.err, "--set symbols.sequence=SIZE"),
                 in_scenario.err.c_str());
        for (Words words : {Words{"analyse", "network", net}, Words{"convert", net, "--to", "scalescope"},
                            Words{"check", net}, Words{"check", scenario},
                            Words{"estimate", "example", "--set", "network=" + net}, Words{"estimate", scenario},
                            Words{"estimate", sized_in_file}, Words{"sweep", scenario, "--vary", "cluster.workers=2,4"},
                            Words{"sweep", "example", "--vary", "network=vgg-16," + net},
                            Words{"search", "example", "--vary", "network=vgg-16," + net}}) {
            words.insert(words.end(), {"--set", "symbols.sequence=478"});
            const auto read = run(words);
            QVERIFY2(read.code == 0, (words[0] + ' ' + words[1] + ": " + read.err).c_str());
        }
        // Each value reads the file anew.
        for (const Words& words :
             {Words{"sweep", scenario, "--vary", "symbols.sequence=478,575"},
              Words{"sweep", "example", "--set", "network=" + net, "--vary", "symbols.sequence=478,575"},
              Words{"search", "example", "--set", "network=" + net, "--vary", "symbols.sequence=478,575"}}) {
            const auto list = rows(words);
            QCOMPARE(list.size(), 2);
            QVERIFY(list[0].toObject()["step_ms"].toDouble() > 0);
        }
        const auto nobody = run({"sweep", "example", "--vary", "network=vgg-16", "--set", "symbols.length=5"});
        QVERIFY2(nobody.code == exit_input && contains(nobody.err, "\"length\""), nobody.err.c_str());
        const auto wrong = run({"analyse", "network", net, "--set", "symbols.sequence=484"});
        QVERIFY2(wrong.code == exit_input && contains(wrong.err, "Reshape"), wrong.err.c_str());
    }

    void a_sweep_says_what_does_not_fit() {
        const Words words{"sweep",  "resnet-50-a100",  "--vary", "network=resnet-50,llama-3-8b",
                          "--vary", "training.batch=1"};
        const auto list = rows(words);
        QCOMPARE(list[0].toObject()["reason"].toString(), QString());
        QVERIFY(list[1].toObject()["reason"].toString().contains("on a device of 80.0"));
        QVERIFY(list[1].toObject()["step_ms"].toDouble() > 0);
        QVERIFY(contains(run(words).err, "1 of 2 combinations do not fit into the memory"));
        QVERIFY(run({"sweep", "example", "--vary", "cluster.workers=1,2"}).err.empty());
        // The device that a CPU cluster's scenario happens to have holds nothing of it.
        const auto machines = run(
            {"sweep", "alexnet-cpu-cluster", "--set", "cluster.device.memory_gb=0.01", "--vary", "cluster.workers=4"});
        QVERIFY2(machines.code == 0 && machines.err.empty() && !contains(machines.out, "does not fit"),
                 machines.out.c_str());
    }

    /// A name in a file must not steer the terminal.
    void messages_have_no_control_characters() {
        const auto path = files_.write(
            "escape.json", "{\"format\": \"scalescope-scenario\", \"version\": 1, \"na\\u001b[31mme\": 1}\n");
        const auto ran = run({"estimate", path});
        QCOMPARE(ran.code, exit_input);
        QVERIFY2(ran.err.find('\x1b') == std::string::npos, ran.err.c_str());
        QVERIFY(contains(ran.err, "[31m"));
    }

    /// One part of a configuration of several, in every verb that opens a network.
    void one_part_of_a_configuration() {
        const auto file = files_.write("parts.json", R"({"model_type": "clip", "projection_dim": 5,
            "vision_config": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2,
                              "intermediate_size": 6, "image_size": 4, "patch_size": 2},
            "text_config": {"hidden_size": 6, "num_hidden_layers": 1, "num_attention_heads": 3, "intermediate_size": 8,
                            "vocab_size": 20, "max_position_embeddings": 7}})");
        const auto parameters = [&](Words more) {
            Words words{"analyse", "network", file};
            words.insert(words.end(), more.begin(), more.end());
            return rows(std::move(words)).last().toObject()["parameters"].toInt();
        };
        const int vision = parameters({"--part", "vision"});
        QVERIFY(vision > 0);
        const int between = 4 * 5 + 6 * 5 + 1;  // the projections and the factor of the loss
        QCOMPARE(vision + parameters({"--part", "text"}) + between, parameters({}));
        QCOMPARE(rows({"check", file, "--part", "vision"})[0].toObject()["parameters"].toInt(), vision);
        const auto converted = run({"convert", file, "--part", "vision", "--to", "scalescope"});
        QCOMPARE(rows({"analyse", "network", files_.write("vision.json", converted.out)})
                     .last()
                     .toObject()["parameters"]
                     .toInt(),
                 vision);
        const std::string set = "network=" + file;
        const auto both = run({"estimate", "example", "--set", set});
        const auto part = run({"estimate", "example", "--set", set, "--part", "vision"});
        QVERIFY2(part.code == 0 && part.out != both.out, part.err.c_str());
        const auto swept = run({"sweep", "example", "--vary", "network=" + file, "--part", "vision"});
        QVERIFY2(swept.code == 0, swept.err.c_str());

        const auto refused = [&](Words words, const char* why) {
            const auto ran = run(std::move(words));
            QCOMPARE(ran.code, exit_input);
            QVERIFY2(contains(ran.err, why), ran.err.c_str());
        };
        refused({"analyse", "network", file, "--part", "audio"}, "no part \"audio\"; it has vision, text");
        refused({"estimate", "example", "--set", set, "--part", "audio"}, "it has vision, text");
        refused({"analyse", "network", "vgg-16", "--part", "text"}, "The file has no parts");
        refused({"estimate", "example", "--part", "text"}, "--set network=FILE");
        QCOMPARE(run({"list", "devices", "--part", "text"}).code, exit_usage);
        QCOMPARE(run({"measure", "predict", "trace.json", "--to", "v100", "--part", "text"}).code, exit_usage);
    }

    void summary_counts_unknown_kinds() {
        const auto path =
            files_.write("odd.json", R"({"format": "scalescope-network", "version": 1, "name": "odd", "layers": [
            {"name": "data", "kind": "input", "shape": ["batch", 4]},
            {"name": "a", "kind": "unknown", "inputs": ["data"], "type": "Einsum"}]})");
        const auto ran = run({"analyse", "network", path});
        QCOMPARE(ran.code, 0);
        QVERIFY2(contains(ran.err, "1 layer of unknown kind (type Einsum) is priced by the bytes it moves."),
                 ran.err.c_str());
        QVERIFY(run({"analyse", "network", "vgg-16"}).err.empty());
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("check nothing", "check", 2, "FILE");
        row("unknown network", "analyse network vgg-61", 1, "did you mean vgg-16?");
        row("unknown scenario", "estimate exampel", 1, "did you mean example?");
        row("nothing alike", "estimate zzzzzzzzzzzz", 1, "scalescope list scenarios");
        row("no assignment", "estimate example --set cluster.workers", 2, "PATH=VALUE");
        row("unknown field", "estimate example --set cluster.worker=3", 1, "cluster.workers");
        row("unknown network", "estimate example --set network=vgg-61", 1, "did you mean vgg-16?");
        row("unknown cluster", "estimate example --set cluster=dgx-3", 1, "did you mean dgx-2?");
        row("unknown varied cluster", "sweep example --vary cluster=dgx-2,wet-string", 1, "scalescope list clusters");
        row("bad value", "estimate example --set cluster.workers=0", 1, "cluster.workers");
        row("two tables", "estimate example --layers --messages", 2, "--messages");
        row("cannot run", "estimate example --set parallelism.fill=pipeline --set cluster.workers=4096", 1, ";");
        row("nothing varied", "sweep example", 2, "vary");
        row("unknown varied", "sweep example --vary cluster.worker=3", 1, "cluster.workers");
        row("bad varied value", "sweep example --vary cluster.workers=1,x", 1, "cluster.workers");
        row("backward range", "sweep example --vary cluster.workers=8..1", 1, "1..1024*2");
        row("factor one", "sweep example --vary cluster.workers=1..8*1", 1, "1..1024*2");
        row("huge range", "sweep example --vary training.batch=1..9000000000000000000", 1,
            "more than 1,000,000 values");
        row("huge product", "sweep example --vary training.batch=1..2000 --vary cluster.workers=1..2000", 1,
            "combinations");
        row("end of numbers", "sweep example --vary training.batch=1..9223372036854775807*3", 1, "training.batch");
        row("varied twice", "sweep example --vary cluster.workers=1,2 --vary cluster.workers=4,8", 1, "varied twice");
        row("varied by two names", "sweep example --vary cluster.workers=1,2 --vary cluster.nodes=4,8", 1,
            "say the same thing");
        row("a folder", "estimate /", 1, "is a folder");
        row("a folder for a network", "estimate example --set network=/", 1, "is a folder");
        row("a preset that PALEO lacks", "paleo simulate gpt-2 --device K40 --network ethernet --batch 8 --workers 2",
            1, "PALEO cannot describe the network gpt-2");
        row("percent for a share", "paleo profile nin --device K40 --batch 8 --ppp-comp 62", 2, "--ppp-comp");
        row("unknown list", "list device", 2, "did you mean devices?");
    }
    void wrong_words() { WrongWords::are_refused(); }

    void help_is_short() {
        const auto help = QString::fromStdString(run({"--help"}).out);
        const auto verbs = help.section(QStringLiteral("Verbs:\n"), 1).section(QStringLiteral("\n\n"), 0, 0);
        const auto names = verbs.split(QLatin1Char('\n'));
        QVERIFY2(names.size() <= 13, qPrintable(verbs));  // render and report, which draw, are added by the program
        for (const QString& line : names) QVERIFY2(line.size() <= 100, qPrintable(line));
    }

    void earlier_spellings_work() {
        const auto line = command_line_without_display();
        for (const Renamed& renamed : line.renamed) {
            const auto words = [](std::string_view text) {
                Words all;
                std::istringstream stream{std::string(text)};
                for (std::string word; stream >> word;) all.push_back(word);
                all.emplace_back("--help");
                return all;
            };
            const auto old = run(words(renamed.old)), now = run(words(renamed.now));
            QCOMPARE(old.code, 0);
            QCOMPARE(old.out, now.out);
            QVERIFY(contains(now.out, "Usage:") && now.err.empty());
            QCOMPARE(old.err,
                     "scalescope: '" + std::string(renamed.old) + "' is now '" + std::string(renamed.now) + "'\n");
        }
        QCOMPARE(line.renamed.size(), std::size_t{12});
        const auto old = run({"summary", "nin", "--format", "csv"});
        QCOMPARE(old.code, 0);
        QCOMPARE(old.out, run({"analyse", "network", "nin", "--format", "csv"}).out);
        QCOMPARE(run({"link", "example"}).out, run({"convert", "example", "--to", "link"}).out);
    }

    void every_verb_helps_with_an_example_that_works() {
        QVERIFY(QDir::setCurrent(files_.folder()));  // where an example writes its file
        QVERIFY(
            QFile::copy(QStringLiteral(SCALESCOPE_TEST_DATA "/fit/g2-generic-noise5.csv"), QStringLiteral("runs.csv")));
        QVERIFY(QFile::copy(QStringLiteral(SCALESCOPE_TEST_DATA "/fit/y1-thread-contention-noise2.csv"),
                            QStringLiteral("threads.csv")));
        QVERIFY(QFile::copy(QStringLiteral(SCALESCOPE_TEST_DATA "/traces/resnet50-v100-5steps.json.gz"),
                            QStringLiteral("trace.json.gz")));
        files_.write("results.csv",
                     "network,device,workers,batch_per_worker,precision,metric,value,unit\n"
                     "VGG16,Tesla K80,1,32,fp32,throughput,36.3,images/s\n");
        const auto line = command_line_without_display();
        for (const auto& verb : line.verbs) {
            Words words;
            std::istringstream name{std::string(verb.name)}, example{std::string(verb.example)};
            for (std::string word; name >> word;) words.push_back(word);
            words.emplace_back("--help");
            const auto help = run(words);
            QCOMPARE(help.code, 0);
            QVERIFY(contains(help.out, std::string(verb.example)));
            QVERIFY(contains(help.out, verb.name == "convert" ? "--to" : "--format"));
            // Their files are made up; tst_habitat_commands runs Habitat's where such files are.
            if (verb.name == "check" || verb.name.substr(0, 8) == "habitat ") continue;
            words.clear();
            for (std::string word; example >> word;) words.push_back(word);
            words.erase(words.begin());
            const auto ran = run(words);
            QVERIFY2(ran.code == 0 && !ran.out.empty(), ran.err.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestVerbs)
#include "tst_verbs.moc"
