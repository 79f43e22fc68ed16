// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/verbs.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"

using namespace scalescope;
using namespace scalescope::app;

namespace {

using Words = std::vector<std::string>;

struct Ran {
    int code = -1;
    std::string out, err;
};

Ran run(const Words& words) {
    std::ostringstream out, err;
    const auto verbs = verbs_without_display();
    const auto code = run_command_line(verbs, "0", words, out, err);
    return {code.value_or(-1), out.str(), err.str()};
}

/// The rows of a verb asked for JSON.
QJsonArray rows(Words words) {
    words.insert(words.end(), {"--format", "json"});
    const auto ran = run(words);
    if (ran.code != 0) qWarning("%s", ran.err.c_str());
    return QJsonDocument::fromJson(QByteArray::fromStdString(ran.out)).array();
}

QJsonValue figure(const QJsonArray& all, const QString& name) {
    for (const auto& row : all)
        if (row.toObject()["figure"].toString() == name) return row.toObject()["value"];
    return QJsonValue::Undefined;
}

std::string header(const Words& words) {
    auto csv = words;
    csv.insert(csv.end(), {"--format", "csv"});
    const auto out = run(csv).out;
    return out.substr(0, out.find('\n'));
}

Scenario preset(const std::string& name) { return scenario_named(name, formats::load_shipped())->scenario; }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string source = SCALESCOPE_SOURCE_DIR;

}  // namespace

class TestVerbs : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string file(const char* name, const std::string& text) {
        const auto path = (folder_.path() + QLatin1Char('/') + QString::fromUtf8(name)).toStdString();
        [&] { QVERIFY(write_file(path, text)); }();
        return path;
    }

private slots:
    void init() { qputenv("XDG_DATA_HOME", QFile::encodeName(folder_.filePath(QStringLiteral("nobodys")))); }

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
        const auto net = file("lenet.txt", text);
        const auto checked = run({"check", net});
        QVERIFY2(checked.code == 0 && contains(checked.out, net + ": ok, Caffe network, "), checked.err.c_str());
        QVERIFY2(contains(checked.out, "431 k parameters"), checked.out.c_str());
        QVERIFY2(contains(checked.err, "TRAIN phase"), checked.err.c_str());
        const auto listed = run({"summary", net});
        QVERIFY2(listed.code == 0 && contains(listed.out, "conv2"), listed.err.c_str());
        std::ifstream example(source + "/presets/scenarios/example.json");
        std::string scenario{std::istreambuf_iterator<char>(example), {}};
        const std::string named = "\"network\": \"";
        const auto at = scenario.find(named);
        QVERIFY(at != std::string::npos);
        const auto end = scenario.find('"', at + named.size()) + 1;
        scenario.replace(at, end - at, "\"network\": {\"file\": \"lenet.txt\"}");
        const auto whole = run({"check", file("with-lenet.json", scenario)});
        QVERIFY2(whole.code == 0 && contains(whole.out, "431 k parameters"), (whole.out + whole.err).c_str());
    }

    void check_finds_what_is_wrong() {
        const auto broken = file("broken.json", "{\n  \"format\": \"scalescope-network\",\n  oops\n}\n");
        const auto good = source + "/presets/networks/nin.json";
        const auto ran = run({"check", broken, good, folder_.path().toStdString() + "/none.json"});
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
        QVERIFY(set_field(scenario, "parallelism.strategy", "layers", library.catalogue));
        QVERIFY(set_field(scenario, "cluster.workers", "4096", library.catalogue));
        const auto path = file("many.json", formats::write_scenario(scenario, library));
        const auto ran = run({"check", path});
        QCOMPARE(ran.code, 1);
        QVERIFY2(ran.out.empty() && contains(ran.err, path), ran.err.c_str());
    }

    void summary() {
        QCOMPARE(header({"summary", "vgg-16"}),
                 std::string("layer,kind,output_shape,parameters,multiply_adds_per_sample,forward_flops_per_sample"));
        const auto network = formats::load_shipped().network("vgg-16").value();
        const auto list = rows({"summary", "vgg-16"});
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
        QCOMPARE(run({"summary", source + "/presets/networks/vgg-16.json"}).out, run({"summary", "vgg-16"}).out);
    }

    /// Sizes that a network leaves open: set and varied, each named by its path.
    void sizes_of_a_network() {
        const std::string text = R"({"format": "scalescope-network", "version": 1, "name": "open",
            "symbols": {"sequence": {"default": 16}}, "layers": [
            {"name": "text", "kind": "input", "shape": ["batch", "sequence", 8]},
            {"name": "fc", "kind": "dense", "inputs": ["text"], "units": 4, "per_position": true}]})";
        const auto net = file("open.json", text);
        const auto total = [&](Words words) {
            return rows(std::move(words)).last().toObject()["multiply_adds_per_sample"].toInt();
        };
        QCOMPARE(total({"summary", net}), 16 * 8 * 4);
        QCOMPARE(total({"summary", net, "--set", "symbols.sequence=100"}), 100 * 8 * 4);
        const auto wrong = run({"summary", net, "--set", "symbols.sequenc=100"});
        QCOMPARE(wrong.code, exit_input);
        QVERIFY2(contains(wrong.err, "did you mean \"symbols.sequence\"?"), wrong.err.c_str());
        QVERIFY(contains(run({"summary", "vgg-16", "--set", "training.batch=3"}).err, "depends on no field"));

        Scenario s = preset("example");
        s.workload = {{*formats::read_any_network(text, net), {}, 1, {}}};
        const auto scenario = file("open-scenario.json", formats::write_scenario(s, formats::load_shipped()));
        const auto list =
            rows({"sweep", scenario, "--vary", "symbols.sequence=16..64*2", "--vary", "cluster.workers=2,4"});
        QCOMPARE(list.size(), 6);
        QCOMPARE(list[4].toObject()["symbols.sequence"].toInt(), 64);
        QVERIFY(list[4].toObject()["step_ms"].toDouble() > list[0].toObject()["step_ms"].toDouble());
        QVERIFY(contains(run({"sweep", scenario, "--vary", "symbols.length=5"}).err, "symbols.sequence"));
    }

    void summary_counts_unknown_kinds() {
        const auto path = file("odd.json", R"({"format": "scalescope-network", "version": 1, "name": "odd", "layers": [
            {"name": "data", "kind": "input", "shape": ["batch", 4]},
            {"name": "a", "kind": "unknown", "inputs": ["data"], "type": "Einsum"}]})");
        const auto ran = run({"summary", path});
        QCOMPARE(ran.code, 0);
        QVERIFY2(contains(ran.err, "1 layer of unknown kind (type Einsum) is priced by the bytes it moves."),
                 ran.err.c_str());
        QVERIFY(run({"summary", "vgg-16"}).err.empty());
    }

    void estimate_agrees_with_core() {
        const auto scenario = preset("example");
        const auto e = estimate(scenario).value();
        const auto list = rows({"estimate", "example"});
        QCOMPARE(figure(list, QStringLiteral("step")).toDouble(), in_milliseconds(e.summary.step));
        QCOMPARE(figure(list, QStringLiteral("speedup")).toDouble(), e.speedup);
        QCOMPARE(figure(list, QStringLiteral("throughput")).toDouble(), e.throughput.value);
        QCOMPARE(figure(list, QStringLiteral("workers")).toInteger(), qint64{32});
        QCOMPARE(figure(list, QStringLiteral("peak_memory")).toDouble(), e.memory.peak.value / (1 << 30));
        double sum = 0;
        for (const char* part : {"forward", "backward", "update", "communication", "idle"})
            sum += figure(list, QString::fromUtf8(part)).toDouble();
        QVERIFY(std::abs(sum - in_milliseconds(e.summary.step)) <= 1e-9 * sum);
        for (const auto& row : list)
            if (row.toObject()["figure"].toString() == QStringLiteral("step"))
                QCOMPARE(row.toObject()["unit"].toString(), QStringLiteral("ms"));
    }

    void estimate_after_changes() {
        auto scenario = preset("example");
        const auto library = formats::load_shipped();
        QVERIFY(set_field(scenario, "cluster.workers", "64", library.catalogue));
        QVERIFY(set_field(scenario, "parallelism.strategy", "hybrid", library.catalogue));
        const auto e = estimate(scenario).value();
        const auto list =
            rows({"estimate", "example", "--set", "cluster.workers=64", "--set", "parallelism.strategy=hybrid"});
        QCOMPARE(figure(list, QStringLiteral("step")).toDouble(), in_milliseconds(e.summary.step));
        QVERIFY(figure(list, QStringLiteral("step")) != figure(rows({"estimate", "example"}), QStringLiteral("step")));
        QVERIFY(!figure(list, QStringLiteral("cut")).toString().isEmpty());
    }

    void layers_and_messages() {
        const auto scenario = preset("example");
        const auto e = estimate(scenario).value();
        const auto layers = rows({"estimate", "example", "--layers"});
        QCOMPARE(layers.size(), static_cast<qsizetype>(e.layers.size()));
        double total = 0;
        for (const auto& row : layers) total += row.toObject()["total_ms"].toDouble();
        QVERIFY(std::abs(total - in_milliseconds(e.summary.step - e.summary.idle)) <= 1e-9 * total);
        const auto messages = rows({"estimate", "example", "--messages"});
        QCOMPARE(messages.size(), static_cast<qsizetype>(e.messages.size()));
        double exposed = 0;
        for (const auto& row : messages) exposed += row.toObject()["exposed_ms"].toDouble();
        QVERIFY(std::abs(exposed - in_milliseconds(e.summary.communication)) <= 1e-9 * exposed);
        QCOMPARE(messages[0].toObject()["message"].toString(), QStringLiteral("all_reduce"));
    }

    void sweep_rows_in_order() {
        const auto list = rows(
            {"sweep", "example", "--vary", "parallelism.strategy=data,hybrid", "--vary", "cluster.workers=1..8*2,12"});
        QCOMPARE(list.size(), 10);
        const std::array<qint64, 5> workers{1, 2, 4, 8, 12};
        const auto library = formats::load_shipped();
        for (int i = 0; i < 10; ++i) {
            const auto row = list[i].toObject();
            const std::string strategy = i < 5 ? "data" : "hybrid";
            const auto n = workers[static_cast<std::size_t>(i % 5)];
            QCOMPARE(row["parallelism.strategy"].toString().toStdString(), strategy);
            QCOMPARE(row["cluster.workers"].toInteger(), n);
            auto scenario = preset("example");
            QVERIFY(set_field(scenario, "parallelism.strategy", strategy, library.catalogue));
            QVERIFY(set_field(scenario, "cluster.workers", std::to_string(n), library.catalogue));
            const auto e = estimate(scenario).value();
            QCOMPARE(row["step_ms"].toDouble(), in_milliseconds(e.summary.step));
            QCOMPARE(row["speedup"].toDouble(), e.speedup);
            QVERIFY(row["reason"].isNull());
        }
        QCOMPARE(rows({"sweep", "example", "--vary", "cluster.workers=3..5"}).size(), 3);
        QVERIFY(contains(header({"sweep", "example", "--vary", "model.compute=50,62.5"}),
                         "model.compute_percent,step_ms,"));
    }

    void networks_by_name_or_file() {
        const auto library = formats::load_shipped();
        const auto scenario = with_network(preset("example"), *library.network("gnmt"));
        const auto step = in_milliseconds(estimate(scenario)->summary.step);
        QCOMPARE(figure(rows({"estimate", "example", "--set", "network=gnmt"}), QStringLiteral("step")).toDouble(),
                 step);
        const auto file = std::string(SCALESCOPE_SOURCE_DIR) + "/presets/networks/gnmt.json";
        const auto list =
            rows({"sweep", "example", "--vary", "network=vgg-16," + file, "--vary", "cluster.workers=2,32"});
        QCOMPARE(list.size(), 4);
        QCOMPARE(list[3].toObject()["step_ms"].toDouble(), step);
        QVERIFY(list[1].toObject()["step_ms"].toDouble() != step);
        const auto shorter =
            rows({"estimate", "example", "--set", "network=gnmt", "--set", "symbols.source_sequence=5"});
        QVERIFY(figure(shorter, QStringLiteral("step")).toDouble() < step);
    }

    void clusters_by_name() {
        const auto catalogue = formats::load_shipped().catalogue;
        auto scenario = preset("example");
        scenario.cluster = built_as(*catalogue.cluster("dgx-2"), catalogue, scenario.cluster);
        const auto step = in_milliseconds(estimate(scenario)->summary.step);
        QCOMPARE(figure(rows({"estimate", "example", "--set", "cluster=dgx-2"}), QStringLiteral("step")).toDouble(),
                 step);
        const auto list =
            rows({"sweep", "example", "--vary", "cluster=dgx-1-p100,DGX-2,titan", "--vary", "cluster.workers=16,32"});
        QCOMPARE(list.size(), 6);
        QCOMPARE(list[3].toObject()["cluster"].toString(), QStringLiteral("DGX-2"));
        QCOMPARE(list[3].toObject()["step_ms"].toDouble(), step);
        QVERIFY(list[1].toObject()["step_ms"].toDouble() != step);
    }

    void paleo_as_the_method() {
        const auto library = formats::load_shipped();
        const double pipeline = figure(rows({"estimate", "example"}), QStringLiteral("step")).toDouble();
        for (const char* method : {"paleo_head", "paleo_paper"}) {
            const std::string set = std::string("model.method=") + method;
            auto scenario = preset("example");
            QVERIFY(set_field(scenario, "model.method", method, library.catalogue));
            QVERIFY(set_field(scenario, "parallelism.collective", "paleo_tree", library.catalogue));
            const auto e = estimate(scenario).value();
            const Words words{"estimate", "example", "--set", set, "--set", "parallelism.collective=paleo_tree"};
            const auto step = figure(rows(words), QStringLiteral("step")).toDouble();
            QCOMPARE(step, in_milliseconds(e.summary.step));
            QVERIFY(step != pipeline);
            auto layers = words;
            layers.emplace_back("--layers");
            double total = 0;
            for (const auto& row : rows(layers)) total += row.toObject()["total_ms"].toDouble();
            QVERIFY(std::abs(total - step) <= 1e-9 * step);
        }
        const auto list = rows({"sweep", "example", "--set", "parallelism.collective=paleo_tree", "--vary",
                                "model.method=pipeline,paleo_head,paleo_paper", "--vary", "cluster.workers=1,8",
                                "--vary", "parallelism.strategy=data,layers"});
        QCOMPARE(list.size(), 12);
        for (int i = 0; i < 12; ++i) {
            const auto row = list[i].toObject();
            const bool priced = i < 4 || i % 2 == 0;  // PALEO divides no network by layers
            QCOMPARE(row["step_ms"].isDouble(), priced);
            QVERIFY(priced || row["reason"].toString().contains(QLatin1String("PALEO")));
        }
        const auto ring =
            run({"estimate", "example", "--set", "model.method=paleo_head", "--set", "parallelism.collective=ring"});
        QCOMPARE(ring.code, 1);
        QVERIFY2(contains(ring.err, "parallelism.collective: ") && ring.out.empty(), ring.err.c_str());
    }

    void sweep_says_why_not() {
        const auto list =
            rows({"sweep", "example", "--set", "parallelism.strategy=layers", "--vary", "cluster.workers=2,4096"});
        QCOMPARE(list.size(), 2);
        QVERIFY(list[0].toObject()["reason"].isNull() && list[0].toObject()["step_ms"].isDouble());
        QVERIFY(!list[1].toObject()["reason"].toString().isEmpty() && list[1].toObject()["step_ms"].isNull());
        QCOMPARE(list[0].toObject().keys(), list[1].toObject().keys());
    }

    void lists() {
        const auto library = formats::load_shipped();
        QCOMPARE(rows({"list", "devices"}).size(), static_cast<qsizetype>(library.catalogue.devices.size()));
        QCOMPARE(rows({"list", "links"}).size(), static_cast<qsizetype>(library.catalogue.links.size()));
        QCOMPARE(rows({"list", "networks"}).size(), static_cast<qsizetype>(library.networks.size()));
        QCOMPARE(rows({"list", "scenarios"}).size(), static_cast<qsizetype>(library.scenarios.size()));
        const auto clusters = rows({"list", "clusters"});
        QCOMPARE(clusters.size(), static_cast<qsizetype>(library.catalogue.clusters.size()));
        for (const auto& row : clusters) {
            const auto c = row.toObject();
            if (c["id"] != QStringLiteral("dgx-2")) continue;
            QCOMPARE(c["devices_per_node"].toInteger(), qint64{16});
            QCOMPARE(c["link_between"].toString(), QStringLiteral("infiniband-edr"));
            QVERIFY(c["nodes"].isNull());
        }
        QVERIFY(contains(
            run({"list", "clusters", "--format", "csv"}).out,
            "\ndevbox-titan-x,\"Workstation, 4 × TITAN X\",NVIDIA,geforce-gtx-titan-x-maxwell,4,1,pcie-3-x16,,1,\n"));
        QVERIFY(contains(run({"list", "clusters"}).out, "DGX A100"));
        const auto fields = rows({"list", "fields"});
        const auto known = static_cast<qsizetype>(all_fields().size());
        QCOMPARE(fields.size(), known + 1);
        QCOMPARE(fields.last().toObject()["path"].toString(), QStringLiteral("symbols.NAME"));
        // a scenario's networks have their own, or none
        const auto of_t5 = rows({"list", "fields", "example", "--set", "network=t5-base"});
        QCOMPARE(of_t5.size(), known + 2);
        QCOMPARE(of_t5[known].toObject()["path"].toString(), QStringLiteral("symbols.sequence"));
        QCOMPARE(of_t5[known + 1].toObject()["path"].toString(), QStringLiteral("symbols.source_sequence"));
        QCOMPARE(of_t5[known].toObject()["label"].toString(), QStringLiteral("Sequence length"));
        QCOMPARE(rows({"list", "fields", "example"}).size(), known);
        QCOMPARE(run({"list", "links", "example"}).code, exit_usage);
        QCOMPARE(run({"list", "fields", "--set", "network=t5-base"}).code, exit_usage);
        QCOMPARE(fields[0].toObject()["path"].toString(), QStringLiteral("training.batch"));
        for (const auto& row : rows({"list", "networks"})) QVERIFY(row.toObject()["layers"].toInteger() > 0);
    }

    void presets_of_ones_own() {
        namespace fs = std::filesystem;
        const auto library = formats::load_shipped();
        const fs::path data = (folder_.path() + QStringLiteral("/data")).toStdString(), own = data / "scalescope";
        for (const char* kind : {"devices", "links", "clusters", "networks", "scenarios"})
            fs::create_directories(own / kind);
        Device device = *library.catalogue.device("tesla-k80");
        device.id = "my-gpu";
        device.memory_bandwidth = BytesPerSecond{777e9};
        QVERIFY(write_file((own / "devices/mine.json").string(), formats::write_devices(std::vector{device})));
        Link link = library.catalogue.links.front();
        link.id = "my-link";
        QVERIFY(write_file((own / "links/mine.json").string(), formats::write_links(std::vector{link})));
        ClusterPreset room = *library.catalogue.cluster("dgx-2");
        room.id = "my-room";
        room.device = "my-gpu";
        QVERIFY(write_file((own / "clusters/mine.json").string(), formats::write_clusters(std::vector{room})));
        QVERIFY(write_file((own / "networks/my-net.json").string(), library.find_network("nin")->text));
        auto scenario = preset("example");
        scenario.cluster.device = device;
        QVERIFY(write_file((own / "scenarios/my-study.json").string(), formats::write_scenario(scenario, library)));
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(data.string()));

        const auto listed = [](const char* what, const char* id) {
            for (const auto& row : rows({"list", what}))
                if (row.toObject()["id"].toString() == QLatin1String(id)) return row.toObject()["own"].toString();
            return QStringLiteral("not listed");
        };
        QCOMPARE(listed("devices", "my-gpu"), QStringLiteral("own"));
        QCOMPARE(listed("devices", "tesla-k80"), QString());
        QCOMPARE(listed("links", "my-link"), QStringLiteral("own"));
        QCOMPARE(listed("clusters", "my-room"), QStringLiteral("own"));
        QCOMPARE(listed("clusters", "dgx-2"), QString());
        QCOMPARE(listed("networks", "my-net"), QStringLiteral("own"));
        QCOMPARE(listed("networks", "nin"), QString());
        QCOMPARE(listed("scenarios", "my-study"), QStringLiteral("own"));
        QCOMPARE(rows({"summary", "my-net"}), rows({"summary", "nin"}));
        const auto study = rows({"estimate", "my-study"});
        QVERIFY(!study.empty());
        QCOMPARE(rows({"estimate", "example", "--set", "cluster.device=my-gpu"}), study);
        const auto quiet =
            run({"sweep", "example", "--vary", "cluster.device=my-gpu,tesla-k80", "--vary", "cluster.between=my-link"});
        QVERIFY2(quiet.code == 0 && quiet.err.empty(), quiet.err.c_str());

        // What is wrong in there is said, and stands in nobody's way.
        QVERIFY(write_file((own / "networks/broken.json").string(), "{\n  oops"));
        device.id = "tesla-k80";
        QVERIFY(write_file((own / "devices/other.json").string(), formats::write_devices(std::vector{device})));
        const auto ran = run({"estimate", "example"});
        QCOMPARE(ran.code, 0);
        QVERIFY(!ran.out.empty());
        QVERIFY2(contains(ran.err, (own / "networks/broken.json").string() + ":2:"), ran.err.c_str());
        QVERIFY2(contains(ran.err, (own / "devices/other.json").string() + ": warning: \"tesla-k80\""),
                 ran.err.c_str());
        QCOMPARE(listed("devices", "tesla-k80"), QStringLiteral("own"));
        for (const Words& words : {Words{"paleo", "profile", "nin"}, Words{"paleo", "simulate", "nin"}}) {
            const auto paleo = run(words);
            QCOMPARE(paleo.code, 0);
            // Said once.
            const auto at = paleo.err.find("broken.json:2:");
            QVERIFY2(at != std::string::npos && paleo.err.find("broken.json:2:", at + 1) == std::string::npos,
                     paleo.err.c_str());
        }
    }

    void wrong_words_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* words, int code, const char* says) {
            QTest::newRow(name) << QString::fromUtf8(words).split(QLatin1Char(' ')) << code << QString::fromUtf8(says);
        };
        row("check nothing", "check", 2, "FILE");
        row("unknown network", "summary vgg-61", 1, "did you mean vgg-16?");
        row("unknown scenario", "estimate exampel", 1, "did you mean example?");
        row("nothing alike", "estimate zzzzzzzzzzzz", 1, "scalescope list scenarios");
        row("no assignment", "estimate example --set cluster.workers", 2, "PATH=VALUE");
        row("unknown field", "estimate example --set cluster.worker=3", 1, "cluster.workers");
        row("unknown network", "estimate example --set network=vgg-61", 1, "did you mean vgg-16?");
        row("unknown cluster", "estimate example --set cluster=dgx-3", 1, "did you mean dgx-2?");
        row("unknown varied cluster", "sweep example --vary cluster=dgx-2,wet-string", 1, "scalescope list clusters");
        row("bad value", "estimate example --set cluster.workers=0", 1, "cluster.workers");
        row("two tables", "estimate example --layers --messages", 2, "--messages");
        row("cannot run", "estimate example --set parallelism.strategy=layers --set cluster.workers=4096", 1, ";");
        row("nothing varied", "sweep example", 2, "vary");
        row("unknown varied", "sweep example --vary cluster.worker=3", 1, "cluster.workers");
        row("bad varied value", "sweep example --vary cluster.workers=1,x", 1, "cluster.workers");
        row("backward range", "sweep example --vary cluster.workers=8..1", 1, "1..1024*2");
        row("factor one", "sweep example --vary cluster.workers=1..8*1", 1, "1..1024*2");
        row("huge range", "sweep example --vary training.batch=1..9000000000000000000", 1, "combinations");
        row("huge product", "sweep example --vary training.batch=1..2000 --vary cluster.workers=1..2000", 1,
            "combinations");
        row("end of numbers", "sweep example --vary training.batch=1..9223372036854775807*3", 1, "training.batch");
        row("unknown list", "list device", 2, "did you mean devices?");
    }
    void wrong_words() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);
        Words list;
        for (const auto& word : words) list.push_back(word.toStdString());
        const auto ran = run(list);
        QVERIFY2(ran.code == code, ran.err.c_str());
        QVERIFY2(contains(ran.err, says.toStdString()), ran.err.c_str());
        QVERIFY2(ran.out.empty(), ran.out.c_str());
    }

    void every_verb_helps_with_an_example_that_works() {
        for (const auto& verb : verbs_without_display()) {
            Words words;
            std::istringstream name{std::string(verb.name)}, example{std::string(verb.example)};
            for (std::string word; name >> word;) words.push_back(word);
            words.emplace_back("--help");
            const auto help = run(words);
            QCOMPARE(help.code, 0);
            QVERIFY(contains(help.out, std::string(verb.example)));
            QVERIFY(contains(help.out, "--format"));
            if (verb.name == "check") continue;  // its files are made up
            words.clear();
            for (std::string word; example >> word;) words.push_back(word);
            words.erase(words.begin());
            const auto ran = run(words);
            QVERIFY2(ran.code == 0 && !ran.out.empty(), ran.err.c_str());
        }
    }

    void presets_all_estimate() {
        for (const auto& known : formats::load_shipped().scenarios) {
            const auto ran = run({"estimate", known.id, "--format", "csv"});
            QVERIFY2(ran.code == 0, (known.id + ": " + ran.err).c_str());
            QVERIFY(ran.out.starts_with("figure,value,unit\nworkers,"));
        }
    }
};

QTEST_APPLESS_MAIN(TestVerbs)
#include "tst_verbs.moc"
