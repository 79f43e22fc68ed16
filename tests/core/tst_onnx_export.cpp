// SPDX-License-Identifier: GPL-3.0-or-later
// Networks as ONNX models: what is written reads back equal, and its operators mean the same without what is kept
// beside them.
#include <QTemporaryDir>
#include <QtTest>
#include <cstdlib>
#include <map>
#include <tuple>

#include "core/base/atomic_file.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/library.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/onnx/export/exporter.hpp"
#include "core/formats/onnx/export/onnx_export.hpp"
#include "core/formats/onnx/model.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::Builder;
using support::messages;
using support::NetworkPtr;

namespace {

using Sizes = std::vector<std::int64_t>;

/// The model without the network beside it: its operators are all there is to read.
std::string operators_of(const Network& network) {
    Problems warnings;
    return onnx::write_model(onnx::Exporter(network).run(warnings));
}

onnx::Model model_of(const Network& network) {
    auto model = onnx::read_model(operators_of(network), "model.onnx");
    [&] { QVERIFY2(model.has_value(), model ? "" : messages(model.error()).c_str()); }();
    return model ? *model : onnx::Model{};
}

/// The operators but for those that hold tensors, in their order.
std::vector<std::string> operations(const onnx::Model& model) {
    std::vector<std::string> all;
    for (const onnx::Node& n : model.graph.nodes)
        if (n.op != "Constant") all.push_back(n.op);
    return all;
}

std::map<std::string, Sizes> tensors(const onnx::Model& model) {
    std::map<std::string, Sizes> all;
    for (const onnx::Node& n : model.graph.nodes)
        if (n.op == "Constant") all[n.outputs[0]] = n.attributes[0].tensor->dims;
    return all;
}

std::string shape_of(const onnx::ValueInfo& v) {
    std::string all;
    for (const onnx::Dimension& d : v.dims)
        all += (all.empty() ? "" : " ") + (d.value >= 0 ? std::to_string(d.value) : d.symbol);
    return all;
}

std::string shape_of(const onnx::Model& model, const std::string& name) {
    for (const auto* list : {&model.graph.inputs, &model.graph.values, &model.graph.outputs})
        for (const onnx::ValueInfo& v : *list)
            if (v.name == name) return shape_of(v);
    return "?";
}

/// Every attribute, name and connection, and every figure.
void compare(const Network& a, const Network& b) {
    QCOMPARE(write_network(b.draft()), write_network(a.draft()));
    QCOMPARE(b.parameters(), a.parameters());
    QCOMPARE(b.multiply_adds(), a.multiply_adds());
    for (std::size_t i = 0; i < a.facts().size(); ++i) {
        QCOMPARE(b.facts()[i].output, a.facts()[i].output);
        QCOMPARE(b.facts()[i].weights, a.facts()[i].weights);
        QCOMPARE(b.facts()[i].multiply_adds, a.facts()[i].multiply_adds);
    }
}

void reads_back(const Network& network, const char* name) {
    Problems warnings;
    const auto back = read_any_network(write_onnx_network(network), "back.onnx", &warnings);
    QVERIFY2(back.has_value(), back ? "" : (name + messages(back.error())).c_str());
    QVERIFY2(warnings.empty(), messages(warnings).c_str());
    compare(network, **back);
}

/// Sizes as the reader takes them where an ONNX model leaves them open.
NetworkPtr at_likely_sizes(const NetworkPtr& network) {
    std::vector<Binding> likely(network->bindings().begin(), network->bindings().end());
    for (Binding& b : likely) b.value = 128;
    return *network->with(likely);
}

/// What the operators alone say otherwise: more parameters, more multiply-adds than the network has.
struct Otherwise {
    std::int64_t parameters, multiply_adds;
};
/// May only get better. Tables that are the same for all samples but not trained count as parameters (DiT,
/// Transformer, Transformer-XL, Whisper); trained tensors beside a layer do not (biases of experts and of their choice,
/// sinks, inputs of a router beside latent experts); a
/// single number that is trained (GNMT's attention) does not; norms without a scale have one (DiT); a table that is
/// used again by a product with a bias counts twice (BERT); attention that writes its scores is read as one that leaves
/// out what a mask hides.
const std::map<std::string, Otherwise> otherwise{{"dit-xl-2", {360'576, 0}},
                                                 {"gnmt", {-1, 0}},
                                                 {"transformer-base", {131'072, -49'938'432}},
                                                 {"transformer-big", {262'144, -99'876'864}},
                                                 {"transformer-xl", {104'448, 0}},
                                                 {"transformers/glm-4.5", {-14'240, 0}},
                                                 {"transformers/gpt-oss-120b", {-39'820'032, 0}},
                                                 {"transformers/gpt-oss-20b", {-6'637'824, 0}},
                                                 {"transformers/kimi-k2", {-23'040, 0}},
                                                 {"transformers/nemotron-3-nano", {-2'944, 0}},
                                                 {"transformers/nemotron-3-super", {-62'935'040, 0}},
                                                 {"transformers/whisper-large-v3", {1'920'000, 0}},
                                                 {"transformers/bert-base", {23'440'896, 0}},
                                                 {"transformers/bert-large", {31'254'528, 0}}};

}  // namespace

class TestOnnxExport : public QObject {
    Q_OBJECT
private slots:
    void presets_read_back();
    void operators_of_presets_mean_the_same();
    void random_networks_read_back();
    void operators_of_random_networks_are_read();
    void written_model_is_read_as_it_was();
    void windows_have_channels_first();
    void views_and_products();
    void resizes();
    void filters_of_each_place();
    void shared_weights();
    void sizes_stay_open();
    void sizes_that_cannot();
    void what_onnx_has_no_word_for();
    void operators_that_were_changed();
    void own_operators_that_were_changed();
    void large_networks_survive_without_weights();
};

void TestOnnxExport::presets_read_back() {
    for (const auto& preset : support::library().networks) {
        const auto network = support::library().network(preset.id);
        QVERIFY(network.has_value());
        reads_back(**network, preset.id.c_str());
        if (QTest::currentTestFailed()) return;
    }
}

void TestOnnxExport::operators_of_presets_mean_the_same() {
    // For checkers of others: the files of all presets in a folder.
    const char* folder = std::getenv("SCALESCOPE_ONNX_FOLDER");
    std::string others;
    for (const auto& preset : support::library().networks) {
        const NetworkPtr network = at_likely_sizes(*support::library().network(preset.id));
        const std::string text = operators_of(*network);
        if (folder) {
            std::string name = preset.id;
            std::replace(name.begin(), name.end(), '/', '-');
            QVERIFY(write_file(std::string(folder) + '/' + name + ".onnx", text));
        }
        const auto read = read_any_network(text, preset.id);
        QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
        const auto known = otherwise.find(preset.id);
        const Otherwise allowed = known == otherwise.end() ? Otherwise{0, 0} : known->second;
        const std::int64_t parameters = (*read)->parameters() - network->parameters(),
                           macs = (*read)->multiply_adds() - network->multiply_adds();
        const auto within = [](std::int64_t is, std::int64_t was) {
            return is == 0 || (std::abs(is) <= std::abs(was) && (is < 0) == (was < 0));
        };
        if (!within(parameters, allowed.parameters) || !within(macs, allowed.multiply_adds))
            others += preset.id + ": " + std::to_string(parameters) + " parameters, " + std::to_string(macs) +
                      " multiply-adds more\n";
    }
    QVERIFY2(others.empty(), others.c_str());
}

void TestOnnxExport::random_networks_read_back() {
    std::mt19937 random(20);
    for (int i = 0; i < 150; ++i) {
        reads_back(*support::random_network(random, 4 + i % 40), "random");
        if (QTest::currentTestFailed()) return;
    }
}

/// The reader finds every shape out of the operators: it would refuse those that do not fit, and leave out what has no
/// size.
void TestOnnxExport::operators_of_random_networks_are_read() {
    const char* folder = std::getenv("SCALESCOPE_ONNX_FOLDER");
    std::mt19937 random(21);
    for (int i = 0; i < 150; ++i) {
        const auto network = support::random_network(random, 4 + i % 40);
        const std::string text = operators_of(*network);
        if (folder) QVERIFY(write_file(std::string(folder) + "/random-" + std::to_string(i) + ".onnx", text));
        Problems warnings;
        const auto read = read_any_network(text, "random.onnx", &warnings);
        QVERIFY2(read.has_value(), read ? "" : (messages(read.error()) + write_network(network->draft())).c_str());
        for (const Problem& p : warnings)
            QVERIFY2(
                p.what.find("left out") == std::string::npos && p.what.find("is written into") == std::string::npos,
                (to_text(p) + write_network(network->draft())).c_str());
    }
}

void TestOnnxExport::written_model_is_read_as_it_was() {
    onnx::Model model;
    model.ir_version = 8;
    model.producer = "somebody";
    model.opsets = {{"", 17}, {"a.domain", 3}};
    model.metadata = {{"key", std::string(40'000, 'x')}};
    model.graph.name = "graph";
    onnx::Tensor kept;
    kept.name = "kept", kept.dims = {2, 1}, kept.element = 7, kept.kept = true, kept.whole = {-1, 1LL << 40};
    onnx::Tensor single;
    single.name = "single", single.element = 1, single.kept = true, single.real = {0.5};
    onnx::Tensor blank;
    blank.name = "blank", blank.dims = {1000, 1000, 1000}, blank.element = 1;
    model.graph.initializers = {kept, single, blank};
    onnx::Node node;
    node.op = "Op", node.domain = "a.domain", node.name = "node", node.inputs = {"x", "", "kept"};
    node.outputs = {"y"};
    node.attributes = {onnx::whole_attribute("whole", -3), onnx::list_attribute("list", {1, -2, 3}),
                       onnx::list_attribute("none", {}), onnx::real_attribute("real", -0.25),
                       onnx::word_attribute("word", "grün")};
    model.graph.nodes = {node};
    onnx::ValueInfo x;
    x.name = "x", x.element = 1, x.has_shape = true, x.dims = {{-1, "N"}, {0, {}}, {7, {}}};
    model.graph.inputs = {x};
    const std::string text = onnx::write_model(model);
    QVERIFY(onnx::looks_like_onnx(text));
    QVERIFY(text.size() < 41'000);
    const auto read = onnx::read_model(text, "model.onnx");
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QCOMPARE(read->ir_version, model.ir_version);
    QCOMPARE(read->producer, model.producer);
    QVERIFY(read->opsets == model.opsets);
    QVERIFY(read->metadata == model.metadata);
    QCOMPARE(read->graph.name, model.graph.name);
    QCOMPARE(read->graph.initializers.size(), std::size_t{3});
    for (const onnx::Tensor& t : read->graph.initializers) {
        const onnx::Tensor& was = t.name == "kept" ? kept : t.name == "single" ? single : blank;
        QCOMPARE(t.name, was.name);
        QCOMPARE(t.dims, was.dims);
        QCOMPARE(t.element, was.element);
        QCOMPARE(t.kept, was.kept);
        QCOMPARE(t.whole, was.whole);
        QCOMPARE(t.real, was.real);
    }
    const onnx::Node& n = read->graph.nodes.at(0);
    QCOMPARE(n.op + n.domain + n.name, std::string("Opa.domainnode"));
    QCOMPARE(n.inputs, node.inputs);
    QCOMPARE(n.outputs, node.outputs);
    QCOMPARE(n.find("whole")->integer, std::int64_t{-3});
    QCOMPARE(n.find("list")->integers, (Sizes{1, -2, 3}));
    QCOMPARE(n.find("none")->integers, Sizes{});
    QCOMPARE(n.find("real")->number, -0.25);
    QCOMPARE(n.find("word")->text, std::string("grün"));
    QCOMPARE(shape_of(read->graph.inputs.at(0)), std::string("N 0 7"));
}

void TestOnnxExport::windows_have_channels_first() {
    Builder b;
    const int conv = b.conv(b.input({8, 6, 3}), 5, 3);
    b.set(conv, "activation", std::string("relu"));
    b.global_pool(b.pool(conv, 2, 2));
    const auto model = model_of(*b.make());
    QCOMPARE(operations(model), (std::vector<std::string>{"Conv", "Relu", "MaxPool", "GlobalAveragePool", "Flatten"}));
    QCOMPARE(shape_of(model, "input_0"), std::string("N 3 8 6"));
    QCOMPARE(shape_of(model, "convolution_1"), std::string("N 5 8 6"));
    QCOMPARE(shape_of(model, "pooling_2"), std::string("N 5 4 3"));
    QCOMPARE(shape_of(model, "global_pooling_3"), std::string("N 5"));
    QCOMPARE(tensors(model).at("convolution_1/weight"), (Sizes{5, 3, 3, 3}));
    QCOMPARE(tensors(model).at("convolution_1/bias"), Sizes{5});
}

void TestOnnxExport::views_and_products() {
    Builder b;  // a sequence of 4 × 2 cells, then one row
    const int conv = b.conv(b.input({4, 2, 3}), 6, 1);
    const int rows = b.dense(b.reshape(conv, {8, 6}), 5);
    b.set(rows, "per_position", true);
    b.dense(b.flatten(rows), 7);
    const auto model = model_of(*b.make());
    QCOMPARE(operations(model),
             (std::vector<std::string>{"Conv", "Transpose", "Reshape", "MatMul", "Add", "Flatten", "Gemm"}));
    QCOMPARE(shape_of(model, "reshape_2"), std::string("N 8 6"));
    QCOMPARE(tensors(model).at("dense_3/weight"), (Sizes{6, 5}));
    QCOMPARE(tensors(model).at("dense_5/weight"), (Sizes{40, 7}));
    QCOMPARE(tensors(model).at("dense_5/bias"), Sizes{7});
}

/// By a whole factor, by a fraction of which only cells that are whole count, and to a size.
void TestOnnxExport::resizes() {
    const std::vector<std::tuple<Sizes, Sizes, Sizes, std::int64_t>> all{
        {{}, {2, 2}, {1, 1}, 14}, {{}, {3, 3}, {2, 2}, 10}, {{9, 9}, {}, {1, 1}, 9}};
    for (const auto& [output, factor, divisor, side] : all) {
        Builder b;
        const int l = b.simple("resize", {b.input({7, 7, 3})});
        b.set(l, "output", output);
        b.set(l, "factor", factor);
        b.set(l, "divisor", divisor);
        const auto network = b.make();
        const auto read = read_any_network(operators_of(*network), "resize.onnx");
        QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
        QCOMPARE((*read)->facts().back().output, (Shape{side, side, 3}));
        reads_back(*network, "resize");
    }
}

void TestOnnxExport::filters_of_each_place() {
    Builder b;
    const int l = b.conv(b.input({4, 4, 3}), 5, 3);
    b.set(l, "shared", false);
    const auto network = b.make();
    const auto model = model_of(*network);
    QCOMPARE(operations(model), (std::vector<std::string>{"Transpose", "convolution"}));
    QCOMPARE(tensors(model).begin()->second, Sizes{network->parameters()});
    reads_back(*network, "each place");
}

/// An embedding that is the last product again, turned; and two convolutions with the same filters.
void TestOnnxExport::shared_weights() {
    Builder b;
    const int in = b.input({4});
    const int words = b.simple("embedding", {in});
    b.set(words, "vocabulary", std::int64_t{50});
    b.set(words, "width", std::int64_t{6});
    const int last = b.dense(words, 50, false);
    b.set(last, "per_position", true);
    b.share(last, words);
    const int first = b.conv(b.input({4, 4, 3}), 3, 3), second = b.conv(first, 3, 3);
    b.share(second, first);
    const auto network = b.make();
    const auto model = model_of(*network);
    QCOMPARE(tensors(model).size(), std::size_t{3});
    QCOMPARE(model.graph.inputs[0].element, static_cast<int>(onnx::Element::int64));
    QCOMPARE(operations(model), (std::vector<std::string>{"Gather", "Transpose", "MatMul", "Conv", "Conv"}));
    QCOMPARE(model.graph.nodes.back().inputs[1], std::string("convolution_4/weight"));
    const auto read = read_any_network(operators_of(*network), "shared.onnx");
    QVERIFY(read.has_value());
    QCOMPARE((*read)->parameters(), std::int64_t{50 * 6 + 3 * 3 * 3 * 3 + 3});
}

void TestOnnxExport::sizes_stay_open() {
    const auto network = read_network(
        R"({"format": "scalescope-network", "version": 1, "name": "n", "symbols": {"batch": {"default": 1}, "s": {"default": 10}},
"layers": [{"name": "x", "kind": "input", "shape": ["batch", "s", 12]},
{"name": "d", "kind": "dense", "inputs": ["x"], "units": 8, "per_position": true},
{"name": "r", "kind": "reshape", "inputs": ["d"], "shape": ["batch", "s", 2, 4]},
{"name": "t", "kind": "transpose", "inputs": ["r"], "permutation": [2, 1, 3]},
{"name": "p", "kind": "pad", "inputs": ["d"], "before": [0, 0], "after": [3, 0]},
{"name": "c", "kind": "concat", "inputs": ["d", "p"], "axis": 1}]})",
        "n.json");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    Problems warnings;
    const auto text = write_onnx_network(**network, &warnings);
    QVERIFY2(warnings.empty(), messages(warnings).c_str());
    const auto model = *onnx::read_model(text, "n.onnx");
    QCOMPARE(shape_of(model, "x"), std::string("N s 12"));
    QCOMPARE(shape_of(model, "t"), std::string("N 2 s 4"));
    QCOMPARE(shape_of(model, "p"), std::string("N s + 3 8"));
    QCOMPARE(shape_of(model, "c"), std::string("N 2*s + 3 8"));
    for (const onnx::Tensor& t : model.graph.initializers)
        if (t.name == "constants/[0,0,2,4]") return;
    QFAIL("The reshape keeps the batch and the open axis.");
}

/// A table with a row for each position has a size of its own.
void TestOnnxExport::sizes_that_cannot() {
    const auto network = read_network(
        R"({"format": "scalescope-network", "version": 1, "name": "n", "symbols": {"batch": {"default": 1}, "s": {"default": 10}},
"layers": [{"name": "x", "kind": "input", "shape": ["batch", "s", 12]},
{"name": "places", "kind": "parameter", "shape": ["batch", "s", 12]},
{"name": "sum", "kind": "add", "inputs": ["x", "places"]}]})",
        "n.json");
    QVERIFY2(network.has_value(), network ? "" : messages(network.error()).c_str());
    Problems warnings;
    const auto text = write_onnx_network(**network, &warnings);
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY(warnings[0].what.find("\"s\" is written as the number 10") != std::string::npos);
    QVERIFY(warnings[0].where.find("places") != std::string::npos);
    QCOMPARE(shape_of(*onnx::read_model(text, "n.onnx"), "x"), std::string("N 10 12"));
    reads_back(**network, "table");
}

void TestOnnxExport::what_onnx_has_no_word_for() {
    Builder b;
    const int experts = b.simple("mixture_of_experts", {b.input({4, 6})});
    b.set(experts, "experts", std::int64_t{4});
    b.set(experts, "hidden", std::int64_t{8});
    const int other = b.unknown({experts}, {4, 6});
    b.set(other, "type", std::string("Foo"));
    const auto network = b.make();
    Problems warnings;
    const auto text = write_onnx_network(*network, &warnings);
    QCOMPARE(warnings.size(), std::size_t{1});
    QVERIFY2(warnings[0].what.find("2 layers have no word in ONNX") != std::string::npos, warnings[0].what.c_str());
    const auto model = *onnx::read_model(text, "n.onnx");
    QCOMPARE(operations(model), (std::vector<std::string>{"mixture_of_experts", "unknown"}));
    const onnx::Node& node = model.graph.nodes[1];
    QCOMPARE(node.domain, std::string("org.scalescope"));
    QCOMPARE(node.find("experts")->integer, std::int64_t{4});
    QCOMPARE(model.opsets.at("org.scalescope"), std::int64_t{1});
    QCOMPARE(tensors(model).begin()->second, Sizes{network->parameters()});
    QCOMPARE(model.graph.nodes.back().find("type")->text, std::string("Foo"));
    reads_back(*network, "experts");
}

/// Whoever changes an operator is believed.
void TestOnnxExport::operators_that_were_changed() {
    Builder b;
    b.dense(b.dense(b.input({4}), 8), 2);
    const auto network = b.make();
    auto model = *onnx::read_model(write_onnx_network(*network), "n.onnx");
    bool changed = true;
    QVERIFY(onnx::kept_network(model, changed).has_value());
    QVERIFY(!changed);
    // What tools say of values inside changes nothing.
    onnx::ValueInfo more;
    more.name = "more";
    model.graph.values.push_back(more);
    QVERIFY(onnx::kept_network(model, changed).has_value());
    // Eight units become five.
    auto resized = [&](std::size_t node, Sizes dims) {
        onnx::Tensor t = *model.graph.nodes[node].attributes[0].tensor;
        t.dims = std::move(dims);
        auto& value = model.graph.nodes[node].attributes[0];
        value.tensor = std::make_shared<onnx::Tensor>(t);
        value.type = 11;
    };
    resized(0, {4, 5});
    resized(1, {5});
    resized(3, {5, 2});
    QVERIFY(!onnx::kept_network(model, changed).has_value());
    QVERIFY(changed);
    for (onnx::Tensor& t : model.graph.initializers) t.kept = true;
    Problems warnings;
    const auto read = read_any_network(onnx::write_model(model), "n.onnx", &warnings);
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QCOMPARE((*read)->parameters(), std::int64_t{4 * 5 + 5 + 5 * 2 + 2});
    QVERIFY(!warnings.empty());
    QVERIFY(warnings[0].what.find("was changed after Scalescope wrote it") != std::string::npos);
}

/// Experts of a changed file are experts by their attributes; filters of each place keep their padding.
void TestOnnxExport::own_operators_that_were_changed() {
    Builder b;
    const int conv = b.conv(b.input({4, 4, 6}), 6, 3);
    b.set(conv, "shared", false);
    const int experts = b.simple("mixture_of_experts", {b.reshape(conv, {16, 6})});
    b.set(experts, "experts", std::int64_t{4});
    b.set(experts, "hidden", std::int64_t{8});
    const auto network = b.make();
    auto model = *onnx::read_model(write_onnx_network(*network), "n.onnx");
    for (onnx::Node& n : model.graph.nodes)
        for (onnx::Attribute& a : n.attributes) {
            if (n.op == "mixture_of_experts" && a.name == "hidden") a.integer = 10;
            if (a.tensor) a.type = 11;
        }
    for (onnx::Tensor& t : model.graph.initializers) t.kept = true;
    Problems warnings;
    const auto read = read_any_network(onnx::write_model(model), "n.onnx", &warnings);
    QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
    QVERIFY(!warnings.empty() && warnings[0].what.find("was changed after Scalescope wrote it") != std::string::npos);
    QCOMPARE((*read)->unknown_kinds(), 0);
    b.set(experts, "hidden", std::int64_t{10});
    const auto changed = b.make();
    QVERIFY(changed->multiply_adds() != network->multiply_adds());
    QCOMPARE((*read)->multiply_adds(), changed->multiply_adds());
    QCOMPARE((*read)->parameters(), changed->parameters());
}

/// Reading a file skips what is large; the network kept in it is cut into pieces that are not.
void TestOnnxExport::large_networks_survive_without_weights() {
    Builder b;
    int x = b.input({16});
    for (int i = 0; i < 2500; ++i) {
        x = b.dense(x, 16);
        if (i == 1000) b.set(x, "activation", std::string("tanh"));
    }
    const auto network = b.make();
    QVERIFY(write_network(network->draft()).size() > 3 * onnx::small_payload);
    QTemporaryDir folder;
    const std::string file = (folder.path() + QStringLiteral("/large.onnx")).toStdString();
    QVERIFY(write_file(file, write_onnx_network(*network)));
    const auto text = read_input_file(file);
    QVERIFY(text.has_value());
    const auto back = read_any_network(*text, file);
    QVERIFY2(back.has_value(), back ? "" : messages(back.error()).c_str());
    compare(*network, **back);
}

QTEST_APPLESS_MAIN(TestOnnxExport)
#include "tst_onnx_export.moc"
