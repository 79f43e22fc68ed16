// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files: what is written reads back bit for bit, what is wrong is said where it stands.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <fstream>
#include <random>
#include <sstream>

#include "core/estimate/estimate.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/names.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::library;
using support::messages;

namespace {

/// Equality that looks into the networks: reading makes new ones.
bool same(const Scenario& a, const Scenario& b) {
    if (a.workload.size() != b.workload.size()) return false;
    Scenario x = a, y = b;
    for (std::size_t i = 0; i < x.workload.size(); ++i) {
        if (write_network(x.workload[i].network->draft()) != write_network(y.workload[i].network->draft()))
            return false;
        x.workload[i].network = y.workload[i].network = nullptr;
    }
    return x == y;
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
    }
    /// Any mantissa, and an exponent between those of the bounds.
    double number(double low, double high) {
        return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(engine_));
    }
    bool yes() { return integer(0, 1) == 1; }
    template <class E>
    E choice() {
        return static_cast<E>(integer(0, static_cast<std::int64_t>(choice_names<E>.size()) - 1));
    }

private:
    std::mt19937_64 engine_;
};

Scenario random_scenario(Random& r) {
    Scenario s;
    s.name = r.yes() ? "a \"name\" with\nlines, ü and \\" : "";
    s.description = r.yes() ? "described" : "";
    const auto& networks = library().networks;
    const auto parts = r.integer(1, 3);
    for (std::int64_t i = 0; i < parts; ++i) {
        WorkloadPart part;
        const Preset* preset = nullptr;
        do preset = &networks[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(networks.size()) - 1))];
        while (preset->id.starts_with("paleo/"));
        part.network = *library().network(preset->id);
        part.origin = r.yes() ? preset->id : r.yes() ? "elsewhere.json" : "";
        part.passes = {r.yes(), r.yes(), r.yes(), r.yes(), r.yes()};
        part.count = static_cast<int>(r.integer(1, 5));
        s.workload.push_back(part);
    }
    const auto layers = s.network()->layers();
    const auto some_layer = [&] {
        return layers[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(layers.size()) - 1))].id;
    };
    Training& t = s.training;
    t.batch = r.integer(1, 1 << 30);
    t.batch_rule = r.choice<BatchRule>();
    t.accumulation = r.integer(1, 1000);
    t.precision = r.choice<Precision>();
    t.wide_first = r.integer(0, 1000);
    t.wide_last = r.integer(0, 1000);
    t.optimizer = r.choice<Optimizer>();
    t.fused_update = r.yes();
    t.data_set = r.integer(1, 1LL << 52);
    t.input_limit = SamplesPerSecond{r.yes() ? 0 : r.number(1, 1e9)};
    for (const Layer& l : layers)
        if (r.integer(0, 9) == 0) t.frozen.push_back(l.id);
    std::sort(t.frozen.begin(), t.frozen.end());
    Cluster& c = s.cluster;
    const auto& devices = library().catalogue.devices;
    c.device = devices[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(devices.size()) - 1))];
    if (r.yes()) c.device.memory_bandwidth = BytesPerSecond{r.number(1e8, 1e14)};
    if (r.yes()) c.device.peak[1] = FlopsPerSecond{r.number(1e9, 1e16)};
    if (r.yes()) c.device.memory = Bytes{r.number(1e6, 1e14)};
    if (r.yes()) c.device.price_per_hour = r.number(0.01, 1000);
    c.workers = r.integer(1, 1 << 20);
    c.devices_per_node = r.integer(1, 64);
    c.nics_per_node = r.integer(1, 8);
    c.devices_per_uplink = r.integer(1, 8);
    c.host_link = BytesPerSecond{r.yes() ? 0 : r.number(1e5, 1e14)};
    c.host_memory = BytesPerSecond{r.number(1e5, 1e14)};
    const auto& links = library().catalogue.links;
    for (Link* link : {&c.inside, &c.between}) {
        *link = links[static_cast<std::size_t>(r.integer(0, static_cast<std::int64_t>(links.size()) - 1))];
        if (r.yes()) link->bandwidth = BytesPerSecond{r.number(1e5, 1e14)};
        if (r.yes()) link->latency = Seconds{r.number(1e-9, 10)};
    }
    Parallelism& p = s.parallelism;
    p.fill = r.choice<MeshAxis>();
    p.segments = r.yes();
    p.collective = r.choice<Collective>();
    p.overlap = r.choice<Overlap>();
    p.bucket = Bytes{r.number(100, 1e12)};
    p.gradients = r.choice<GradientFormat>();
    p.copies = r.yes();
    p.scheme = r.choice<HybridScheme>();
    p.cut_auto = r.yes();
    if (r.yes()) p.cut = some_layer();
    for (std::int64_t i = r.integer(0, 3); i > 0; --i) p.boundaries.push_back(some_layer());
    p.micro_batches = r.integer(1, 1000);
    p.tensor = r.integer(1, 64);
    p.pipeline = r.integer(1, 64);
    p.context = r.integer(1, 64);
    p.context_scheme = r.choice<ContextScheme>();
    p.expert = r.integer(1, 64);
    p.expert_tensor = r.integer(1, 64);
    p.dispatch = r.choice<Dispatch>();
    p.axis_order = r.choice<AxisOrder>();
    p.policy = r.choice<ShardingPolicy>();
    p.sequence = r.yes();
    p.borders = r.choice<StageBorders>();
    p.order = r.choice<PipelineOrder>();
    p.chunks = r.integer(1, 64);
    p.recompute = r.choice<Recompute>();
    p.sharded = r.choice<Sharded>();
    for (bool* b :
         {&p.reshard_after_forward, &p.reshard_after_backward, &p.reduce_once, &p.overlap_gathers, &p.scatter_gather})
        *b = r.yes();
    p.offload_states = Fraction{r.yes() ? 0 : r.number(0.001, 1)};
    if (r.yes()) p.offload_activations = recompute_modules(static_cast<unsigned>(r.integer(1, 127)));
    ModelOptions& m = s.model;
    m.method = r.choice<Method>();
    for (Fraction* f : {&m.compute, &m.memory, &m.inside, &m.between, &m.gather_cards})
        *f = Fraction{r.yes() ? 1 : r.number(0.001, 1)};
    m.overlap_memory = r.yes();
    m.launch = Seconds{r.yes() ? 0 : r.number(1e-9, 1)};
    for (Fraction* f : {&m.spread, &m.interference, &m.tensor_overlap, &m.expert_overlap, &m.host_overlap})
        *f = Fraction{r.yes() ? 0 : r.number(0.001, 1)};
    TrainerMemory& held = m.trainer;
    for (Bytes* b : {&held.context, &held.group_buffers, &held.exchange_buffers})
        *b = Bytes{r.yes() ? 0 : r.number(1, 1e12)};
    for (double* b : {&held.logits, &held.norms, &held.gates}) *b = r.yes() ? 0 : r.number(0.1, 64);
    held.whole_blocks = r.yes() ? 0 : 3;
    held.placeholders = r.yes();
    held.fragmentation = Fraction{r.yes() ? 0 : r.number(0.001, 10)};
    m.overhead = Seconds{r.yes() ? 0 : r.number(1e-9, 1)};
    m.convolution = r.choice<ConvolutionAlgorithm>();
    m.workspace = Bytes{r.number(1, 1e12)};
    s.reliability.device_mtbf = Hours{r.yes() ? 0 : r.number(1, 1e9)};
    s.reliability.restart = Seconds{r.number(1e-3, 1e6)};
    s.reliability.checkpoint = BytesPerSecond{r.number(1e5, 1e13)};
    if (r.yes()) m.paleo_corrections = {"bytes", "update"};
    return s;
}

/// The example with one line replaced; line n of the text is lines[n - 1].
std::string with_line(int line, const std::string& text) {
    std::string all;
    const std::vector<std::string> lines{R"({"format": "scalescope-scenario", "version": 1,)",       // 1
                                         R"("name": "n", "description": "d",)",                      // 2
                                         R"("workload": [{"network": "alexnet-one-tower"}],)",       // 3
                                         R"("training": {"batch": 128},)",                           // 4
                                         R"("cluster": {"device": "paleo-titan-x",)",                // 5
                                         R"("workers": 32,)",                                        // 6
                                         R"("inside": "pcie-3-128", "between": "infiniband-70"},)",  // 7
                                         R"("parallelism": {"strategy": "data"},)",                  // 8
                                         R"("model": {"compute": 62}})"};                            // 9
    for (int i = 0; i < static_cast<int>(lines.size()); ++i)
        all += (i + 1 == line ? text : lines[static_cast<std::size_t>(i)]) + '\n';
    return all;
}

std::string titan(const std::string& bandwidth) {
    return R"("cluster": {"device": {"id": "paleo-titan-x", "name": "Titan X", "peak_tflops": {"fp32": 6.144}, "base_mhz": 1000, "memory_bandwidth_gb_s": )" +
           bandwidth + ", \"memory_gb\": 12},";
}

struct Bad {
    const char* name;
    std::string text;
    int line, column;
    const char* what;
    const char* remedy;
};

const std::vector<Bad>& bad_scenarios() {
    static const std::vector<Bad> all{
        {"empty", "", 1, 1, "empty", ""},
        {"truncated", with_line(9, "\"model\": {"), 10, 1, "ends", ""},
        {"a network file", R"({"format": "scalescope-network", "version": 1})", 1, 12, "not a \"scalescope-scenario\"",
         "Choose a scenario file"},
        {"newer version", with_line(1, R"({"format": "scalescope-scenario", "version": 9,)"), 1, 46, "version 9",
         "newer Scalescope"},
        {"no workload", with_line(3, ""), 1, 1, "\"workload\" is missing", "list"},
        {"workload as object", with_line(3, R"("workload": {},)"), 3, 13, "\"workload\" must be", "list"},
        {"part without network", with_line(3, R"("workload": [{}],)"), 3, 14, "\"network\" is missing",
         "preset's name"},
        {"unknown network", with_line(3, R"("workload": [{"network": "alexnet-one-towre"}],)"), 3, 26,
         "no network called", "\"alexnet-one-tower\"?"},
        {"network as number", with_line(3, R"("workload": [{"network": 3}],)"), 3, 26, "preset's name", "vgg-16"},
        {"network file not there", with_line(3, R"("workload": [{"network": {"file": "no/such.json"}}],)"), 0, 0, "",
         ""},
        {"file is a number", with_line(3, R"("workload": [{"network": {"file": 3}}],)"), 3, 35, "\"file\" must be",
         "text"},
        {"broken network inside",
         with_line(
             3,
             R"("workload": [{"network": {"format": "scalescope-network", "version": 1, "name": "n", "layers": [{"name": "a", "kind": "flaten", "inputs": []}]}}],)"),
         3, 119, "no layer of kind", "\"flatten\"?"},
        {"cycle inside",
         with_line(
             3,
             R"("workload": [{"network": {"format": "scalescope-network", "version": 1, "name": "n", "layers": [{"name": "a", "kind": "flatten", "inputs": ["a"]}]}}],)"),
         3, 97, "cycle", "Remove|remove"},
        {"unknown pass", with_line(3, R"("workload": [{"network": "nin", "passes": {"forwards": true}}],)"), 3, 44,
         "\"forwards\" is not known", "\"forward\"?"},
        {"pass as text", with_line(3, R"("workload": [{"network": "nin", "passes": {"forward": "yes"}}],)"), 3, 55,
         "must be true or false", ""},
        {"count zero", with_line(3, R"("workload": [{"network": "nin", "count": 0}],)"), 3, 42, "whole number from 1",
         ""},
        {"too many parts",
         with_line(
             3, "\"workload\": [" +
                    [] {
                        std::string t;
                        for (int i = 0; i < 100; ++i) t += (i ? ",{}" : "{}");
                        return t;
                    }() +
                    "],"),
         3, 13, "100 parts", "up to 64"},
        {"batch zero", with_line(4, R"("training": {"batch": 0},)"), 4, 23, "Batch must be a whole number from 1",
         "Give"},
        {"batch negative", with_line(4, R"("training": {"batch": -128},)"), 4, 23, "Batch must be", ""},
        {"batch as text", with_line(4, R"("training": {"batch": "128"},)"), 4, 23, "must be a number", ""},
        {"batch huge", with_line(4, R"("training": {"batch": 1e30},)"), 4, 23, "Batch must be", "1073741824"},
        {"unknown rule", with_line(4, R"("training": {"batch_rule": "weak"},)"), 4, 28, "Batch rule cannot be \"weak\"",
         "per_worker, total"},
        {"unknown precision", with_line(4, R"("training": {"precision": "fp23"},)"), 4, 27,
         "Precision cannot be \"fp23\"", "fp32"},
        {"misspelt field", with_line(4, R"("training": {"bacth": 128},)"), 4, 14, "\"bacth\" is not known",
         "\"batch\"?"},
        {"frozen layer unknown", with_line(4, R"("training": {"frozen": ["conv1", "cnov2"]},)"), 4, 34,
         "no layer called \"cnov2\"", "\"conv2\"?"},
        {"frozen as text", with_line(4, R"("training": {"frozen": "conv1"},)"), 4, 24, "\"frozen\" must be", "list"},
        {"frozen with a number", with_line(4, R"("training": {"frozen": [1]},)"), 4, 25, "named by a text",
         "double quotes"},
        {"no device", with_line(5, R"("cluster": {)"), 5, 12, "\"device\" is missing", "name or its figures"},
        {"unknown device", with_line(5, R"("cluster": {"device": "paleo-titan-y",)"), 5, 23, "no device called",
         "\"paleo-titan-x\"?"},
        {"device as number", with_line(5, R"("cluster": {"device": 1,)"), 5, 23, "name of a preset", "double quotes"},
        {"device without figures", with_line(5, R"("cluster": {"device": {"id": "x", "name": "X"},)"), 5, 23,
         "\"peak_tflops\" is missing", ""},
        {"bandwidth zero", with_line(5, titan("0")), 5, 141, "must be a number from", ""},
        {"unknown figure", with_line(5, titan("336.5, \"tensor_cores\": 5")), 5, 148, "\"tensor_cores\" is not known",
         ""},
        {"workers zero", with_line(6, "\"workers\": 0,"), 6, 12, "Workers must be", "from 1 to 1048576"},
        {"workers overflow", with_line(6, "\"workers\": 9223372036854775807,"), 6, 12, "Workers must be", ""},
        {"no link between", with_line(7, R"("inside": "pcie-3-128"},)"), 5, 12, "\"between\" is missing", "link"},
        {"unknown link", with_line(7, R"("inside": "pcie-3-129", "between": "infiniband-70"},)"), 7, 11,
         "no link called", "\"pcie-3-128\"?"},
        {"link without latency",
         with_line(7, R"("inside": "pcie-3-128", "between": {"id": "x", "name": "X", "bandwidth_gb_s_one_way": 1}},)"),
         7, 36, "\"latency_us\" is missing", ""},
        {"negative latency",
         with_line(
             7,
             R"("inside": "pcie-3-128", "between": {"id": "x", "name": "X", "bandwidth_gb_s_one_way": 1, "latency_us": -1}},)"),
         7, 104, "must be a number from 0", ""},
        {"cluster missing", R"({"format": "scalescope-scenario", "version": 1, "workload": []})", 1, 1,
         "\"cluster\" is missing", "object"},
        {"unknown strategy", with_line(8, R"("parallelism": {"strategy": "modle"},)"), 8, 29,
         "Strategy cannot be \"modle\"", "data, outputs, layers, hybrid"},
        {"cut unknown", with_line(8, R"("parallelism": {"cut": "fc9"},)"), 8, 24, "no layer called \"fc9\"", "\"fc"},
        {"cut_auto as number", with_line(8, R"("parallelism": {"cut_auto": 1},)"), 8, 29, "must be true or false", ""},
        {"derived field", with_line(6, "\"nodes\": 4,"), 6, 1, "\"nodes\" is not known", ""},
        {"percent above 100", with_line(9, R"("model": {"compute": 162}})"), 9, 22, "from 0 to 100 %", ""},
        {"percent as boolean", with_line(9, R"("model": {"compute": true}})"), 9, 22, "must be a number", ""},
        {"boolean as number", with_line(9, R"("model": {"overlap_memory": 1}})"), 9, 29, "must be true or false", ""},
        {"corrections as text", with_line(9, R"("model": {"paleo_corrections": "all"}})"), 9, 32,
         "\"paleo_corrections\" must be", ""},
        {"view as list", with_line(2, "\"view\": [],"), 2, 9, "\"view\" must be", ""},
        {"misspelt section", with_line(9, R"("modle": {"compute": 62}})"), 9, 1, "\"modle\" is not known",
         "\"model\"?"},
    };
    return all;
}

bool contains(const std::string& text, const std::string& parts) {
    if (parts.empty()) return true;
    for (const QString& part : QString::fromStdString(parts).split('|'))
        if (text.find(part.toStdString()) != std::string::npos) return true;
    return false;
}

}  // namespace

class ScenarioFile : public QObject {
    Q_OBJECT
private slots:
    void round_trip_keeps_every_bit();
    void example_is_the_first_start();
    void view_is_passed_through();
    void bad_text_is_one_clear_message_data();
    void bad_text_is_one_clear_message();
    void preset_that_changed_is_told();
    void network_may_be_a_file();
    void other_files_are_not_read_data();
    void other_files_are_not_read();
    void networks_are_named_or_carried();
    void cut_anywhere_never_crashes();
};

void ScenarioFile::round_trip_keeps_every_bit() {
    Random random(20240607);
    for (int i = 0; i < 150; ++i) {
        const Scenario s = random_scenario(random);
        const std::string text = write_scenario(s, library());
        const auto read = read_scenario(text, "round.json", library());
        QVERIFY2(read.has_value(), read ? "" : (messages(read.error()) + text).c_str());
        QVERIFY2(same(s, read->scenario), text.c_str());
        QCOMPARE(write_scenario(read->scenario, library()), text);
    }
}

void ScenarioFile::example_is_the_first_start() {
    const Preset* preset = library().find_scenario("example");
    QVERIFY(preset);
    const auto read = read_scenario(preset->text, preset->file, library());
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QVERIFY2(read->warnings.empty(), messages(read->warnings).c_str());
    QCOMPARE(read->scenario.cluster.workers, 32);
    QCOMPARE(read->scenario.model.compute.value, 0.62);
    QCOMPARE(read->scenario.cluster.between.bandwidth.value, 8.75e9);
    const auto e = estimate(read->scenario);
    QVERIFY2(e.has_value(), e ? "" : messages(e.error()).c_str());
}

void ScenarioFile::view_is_passed_through() {
    auto read = read_scenario(library().find_scenario("example")->text, "example.json", library());
    QVERIFY(read.has_value());
    const std::string view = "{\"pins\": [1, 2.50], \"charts\": {\"a\": null}}";
    const std::string text = write_scenario(read->scenario, library(), view);
    auto again = read_scenario(text, "view.json", library());
    QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
    QCOMPARE(again->view, view);
    QVERIFY(read->view.empty());
}

void ScenarioFile::bad_text_is_one_clear_message_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < bad_scenarios().size(); ++i)
        QTest::newRow(bad_scenarios()[i].name) << static_cast<int>(i);
}

void ScenarioFile::bad_text_is_one_clear_message() {
    QFETCH(int, index);
    QVERIFY(read_scenario(with_line(0, ""), "good.json", library()).has_value());
    const Bad& bad = bad_scenarios()[static_cast<std::size_t>(index)];
    const auto scenario = read_scenario(bad.text, "bad.json", library());
    QVERIFY(!scenario);
    const Problem& p = scenario.error().front();
    const std::string all = messages(scenario.error());
    QCOMPARE(p.severity, Severity::error);
    if (bad.line > 0) QVERIFY2(p.at.line == bad.line && p.at.column == bad.column, all.c_str());
    QVERIFY2(contains(p.what, bad.what), all.c_str());
    QVERIFY2(contains(p.remedy, bad.remedy), all.c_str());
    QVERIFY2(!p.what.empty() && !p.remedy.empty() && !p.at.file.empty(), all.c_str());
}

void ScenarioFile::preset_that_changed_is_told() {
    const auto same_figures = read_scenario(with_line(5, titan("336.5")), "s.json", library());
    QVERIFY2(same_figures.has_value(), same_figures ? "" : messages(same_figures.error()).c_str());
    QVERIFY2(same_figures->warnings.empty(), messages(same_figures->warnings).c_str());
    const auto read = read_scenario(with_line(5, titan("300")), "s.json", library());
    QVERIFY(read.has_value());
    QCOMPARE(read->scenario.cluster.device.memory_bandwidth.value, 300e9);
    QCOMPARE(messages(read->warnings),
             std::string("s.json:5:23: warning: cluster › device: The preset \"Titan X (PALEO)\" has other figures "
                         "than this file: Memory bandwidth 300 here and 336.5 there; the file's figures are used; "
                         "choose the preset again to take its own.\n"));
    const auto link = read_scenario(
        with_line(
            7,
            R"("inside": "pcie-3-128", "between": {"id": "infiniband-70", "name": "mine", "bandwidth_gb_s_one_way": 7, "latency_us": 3}},)"),
        "s.json", library());
    QVERIFY(link.has_value());
    QCOMPARE(link->warnings.size(), std::size_t{1});
    QVERIFY2(link->warnings.front().what.find(
                 "Bandwidth between nodes 7 here and 8.75 there, Latency between nodes 3 here and 0 there") !=
                 std::string::npos,
             link->warnings.front().what.c_str());
}

void ScenarioFile::network_may_be_a_file() {
    std::filesystem::path asked;
    const auto disk = [&](const std::filesystem::path& path) -> Result<std::string> {
        asked = path;
        return library().find_network("paleo/nin")->text;
    };
    const std::string text = with_line(3, R"("workload": [{"network": {"file": "nets/my-nin.json"}}],)");
    const auto read = read_scenario(text, "/home/me/s.json", library(), disk);
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QCOMPARE(asked.string(), std::string("/home/me/nets/my-nin.json"));
    QCOMPARE(read->scenario.workload[0].origin, std::string("nets/my-nin.json"));
    QCOMPARE(read->scenario.network()->parameters(), std::int64_t{7595176});
    // Saved, the scenario carries the network, and needs the file no more.
    const auto again = read_scenario(write_scenario(read->scenario, library()), "elsewhere.json", library());
    QVERIFY(again.has_value());
    QVERIFY(same(again->scenario, read->scenario));
    const auto broken = read_scenario(
        text, "/home/me/s.json", library(),
        [](const std::filesystem::path&) -> Result<std::string> { return "{\"format\": \"scalescope-network\""; });
    QVERIFY(!broken);
    QCOMPARE(broken.error().front().at.file, std::string("/home/me/nets/my-nin.json"));
}

void ScenarioFile::other_files_are_not_read_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("what");
    const auto row = [](const char* name, const char* what) { QTest::newRow(name) << name << what; };
    row("/etc/passwd", "lies outside the scenario's folder");
    row("../secret.txt", "lies outside the scenario's folder");
    row("nets/../../secret.txt", "lies outside the scenario's folder");
    row("link.txt", "lies outside the scenario's folder");  // symbolic links
    row("nets/up/secret.txt", "lies outside the scenario's folder");
    row("nets/../inside.txt", "holds no network that Scalescope reads");
    // What is beside it and no network, as fields, JSON, text or a table.
    for (const char* name : {"passwd", "token.json", "list.json", "notes.txt", "data.csv", "empty"})
        row(name, "holds no network that Scalescope reads");
}

/// Whoever wrote a scenario may name any file of whoever opens it: nothing of it is shown.
void ScenarioFile::other_files_are_not_read() {
    QFETCH(QString, name);
    QFETCH(QString, what);
    QTemporaryDir folder;
    const auto write = [&](const char* file, const char* text) {
        std::ofstream(folder.filePath(QLatin1String(file)).toStdString()) << text;
    };
    QVERIFY(QDir(folder.path()).mkpath("own/nets"));
    write("secret.txt", "hunter2: 1\n");
    write("own/passwd", "hunter2:x:0:0:root:/root:/bin/sh\nlayers:x:1:1::/:/bin/sh\n");
    write("own/token.json", R"({"token": "hunter2", "layer": 1})");
    write("own/list.json", R"(["hunter2"])");
    write("own/notes.txt", "hunter2 is no number");
    write("own/data.csv", "hunter2,b\n1,2\n");
    write("own/empty", "");
    const auto link = [&](const char* from, const char* to) {
        std::filesystem::create_symlink(to, folder.filePath(QLatin1String(from)).toStdString());
    };
    link("own/link.txt", "../secret.txt");
    link("own/nets/up", "../..");
    link("own/inside.txt", "notes.txt");
    const std::string file = folder.filePath(QStringLiteral("own/s.json")).toStdString();
    const auto read = read_scenario(
        with_line(3, R"("workload": [{"network": {"file": ")" + name.toStdString() + R"("}}],)"), file, library());
    QVERIFY(!read);
    const std::string all = messages(read.error());
    QVERIFY2(all.find(what.toStdString()) != std::string::npos, all.c_str());
    QVERIFY2(all.find("hunter2") == std::string::npos && all.find("root:") == std::string::npos, all.c_str());
    QCOMPARE(read.error().front().at.file, file);
    QCOMPARE(read.error().front().at.line, 3);
    QVERIFY(!read.error().front().remedy.empty());
}

void ScenarioFile::networks_are_named_or_carried() {
    auto read = read_scenario(with_line(0, ""), "s.json", library());
    QVERIFY(read.has_value());
    const std::string named = write_scenario(read->scenario, library());
    QVERIFY(named.find("\"network\": \"alexnet-one-tower\"") != std::string::npos);
    // One changed filter, and the preset's name alone would be a lie.
    NetworkDraft draft = read->scenario.network()->draft();
    draft.layers[1].attributes[0] = std::int64_t{65};
    read->scenario.workload[0].network = *Network::make(draft);
    const std::string carried = write_scenario(read->scenario, library());
    QVERIFY(carried.find("\"filters\": 65") != std::string::npos);
    const auto again = read_scenario(carried, "s.json", library());
    QVERIFY2(again.has_value(), again ? "" : messages(again.error()).c_str());
    QVERIFY(same(again->scenario, read->scenario));
}

void ScenarioFile::cut_anywhere_never_crashes() {
    auto read = read_scenario(library().find_scenario("dcgan")->text, "s.json", library());
    QVERIFY(read.has_value());
    read->scenario.workload[0].origin.clear();  // carried in full
    const std::string text = write_scenario(read->scenario, library());
    for (std::size_t n = 0; n + 3 < text.size(); n += 7)
        QVERIFY(!read_scenario(text.substr(0, n), "cut.json", library()));
}

QTEST_APPLESS_MAIN(ScenarioFile)
#include "tst_scenario_file.moc"
