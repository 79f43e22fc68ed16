// SPDX-License-Identifier: GPL-3.0-or-later
// Activations, sums and products of elements, softmax and losses.
#include <algorithm>

#include "core/formats/onnx/export/exporter.hpp"
#include "core/formats/onnx/operator_words.hpp"

namespace scalescope::formats::onnx {
namespace {

/// x/2 · (1 + erf(x/√2)), as exporters write it.
Edge gelu_nodes(Exporter& e, const Edge& x) {
    constexpr double root_of_two = 1.4142135623730951;
    const Edge scaled = e.node("Div", {x.name, e.single(root_of_two)}, {}, x);
    const Edge erf = e.node("Erf", {scaled.name}, {}, x);
    const Edge plus = e.node("Add", {erf.name, e.single(1)}, {}, x);
    const Edge times = e.node("Mul", {x.name, plus.name}, {}, x);
    return e.node("Mul", {times.name, e.single(0.5)}, {}, x);
}

/// x · gate(y)
Edge times_gate(Exporter& e, const Edge& x, const char* gate, const Edge& y) {
    const Edge g = e.node(gate, {y.name}, {}, x);
    return e.node("Mul", {x.name, g.name}, {}, x);
}

Edge function_nodes(Exporter& e, const Edge& x, const std::string& function) {
    if (function == "gelu") return gelu_nodes(e, x);
    if (function == "silu") return times_gate(e, x, "Sigmoid", x);
    if (function == "mish") return times_gate(e, x, "Tanh", e.node("Softplus", {x.name}, {}, x));
    if (function == "relu6") return e.node("Clip", {x.name, e.single(0), e.single(6)}, {}, x);
    if (function == "hard_tanh") return e.node("Clip", {x.name, e.single(-1), e.single(1)}, {}, x);
    if (function == "square") return e.node("Mul", {x.name, x.name}, {}, x);
    if (function == "linear") return e.node("Mul", {x.name, e.single(1)}, {}, x);  // its numbers are not known here
    return e.node(std::string(theirs_for(function, function_words)), {x.name}, {}, x);
}

std::optional<Edge> activation_nodes(Exporter& e) {
    const std::string& function = e.get<std::string>("function");
    const Edge x = e.real(e.in(0));
    if (function != "prelu") return function_nodes(e, x, function);
    const std::string& slopes = e.get<std::string>("slopes");
    std::vector<std::int64_t> dims{1};
    if (slopes == "element") {
        dims = numbers_of(x.sizes);
    } else if (slopes == "channel") {
        dims = {e.facts().units};
        if (x.first) dims.resize(x.sizes.size(), 1);
    }
    return e.node("PRelu", {x.name, e.weight("slope", dims)}, {}, x);
}

std::optional<Edge> dropout_nodes(Exporter& e) {
    const Edge x = e.real(e.in(0));
    return e.node("Dropout", {x.name, e.single(e.get<double>("rate"))}, {}, x);
}

/// All inputs with as many axes, in one order: that of the first if they are alike.
std::vector<Edge> together(Exporter& e) {
    std::vector<Edge> all;
    std::size_t rank = 0;
    bool alike = true, first = false;
    for (std::size_t i = 0; i < e.inputs(); ++i) {
        alike = alike && e.shape_in(i).size() == e.shape_in(0).size();
        first = first || e.in(i).first;
        rank = std::max(rank, e.shape_in(i).size());
    }
    for (std::size_t i = 0; i < e.inputs(); ++i)
        all.push_back(alike && first ? e.windowed(i) : e.raised(e.natural(i), rank));
    return all;
}

std::vector<std::string> names_of(const std::vector<Edge>& edges) {
    std::vector<std::string> names;
    for (const Edge& x : edges) names.push_back(x.name);
    return names;
}

Edge one_by_one(Exporter& e, const std::string& op, const std::vector<Edge>& all, const Edge& out) {
    Edge sum = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) {
        Edge like = out;
        for (std::size_t a = 0; i + 1 < all.size() && a < like.sizes.size(); ++a)
            like.sizes[a] = sum.sizes[a].value == 1 ? all[i].sizes[a] : sum.sizes[a];
        like.batched = sum.batched || all[i].batched;
        sum = e.node(op, {sum.name, all[i].name}, {}, like);
    }
    return sum;
}

std::optional<Edge> sum_nodes(Exporter& e) {
    const auto all = together(e);
    const Edge out = e.out(all[0].first);
    const Edge sum = e.node(all.size() == 2 ? "Add" : "Sum", names_of(all), {}, out);
    return e.activated(sum, e.get<std::string>("activation"));
}

std::optional<Edge> elementwise_nodes(Exporter& e) {
    const std::string& operation = e.get<std::string>("operation");
    if (operation == "where" && e.inputs() != 3) return std::nullopt;
    auto all = together(e);
    const Edge out = e.out(all[0].first);
    if (operation == "where") {
        all[0] = e.cast(all[0], Element::boolean);
        return e.node("Where", names_of(all), {}, out);
    }
    const std::string op(theirs_for(operation, operation_words));
    if (operation == "maximum" || operation == "minimum" || operation == "mean")
        return e.node(op, names_of(all), {}, out);
    return one_by_one(e, op, all, out);
}

/// The second half of the channels, times a function of the first.
std::optional<Edge> gated_nodes(Exporter& e) {
    const Edge x = e.real(e.in(0));
    const std::string& function = e.get<std::string>("function");
    Edge half = e.out(x.first);
    const auto parts = e.nodes("Split", {x.name}, {whole_attribute("axis", x.first ? 1 : -1)}, half, 2);
    const Edge gate = function == "none" ? parts[0] : function_nodes(e, parts[0], function);
    return e.node("Mul", {gate.name, parts[1].name}, {}, half);
}

std::optional<Edge> along_axis(Exporter& e, const char* op) {
    const Edge x = e.real(e.in(0));
    return e.node(op, {x.name}, {whole_attribute("axis", e.axis_of(x))}, x);
}
std::optional<Edge> softmax_nodes(Exporter& e) { return along_axis(e, "Softmax"); }
std::optional<Edge> log_softmax_nodes(Exporter& e) { return along_axis(e, "LogSoftmax"); }

/// Against one class for each row of logits.
std::optional<Edge> cross_entropy_nodes(Exporter& e) {
    const Shape& logits = e.shape_in(0);
    if (e.inputs() != 2 || logits.empty() || elements(e.shape_in(1)) * logits.back() != elements(logits) ||
        !e.in(0).batched || !e.in(1).batched)
        return std::nullopt;
    Edge x = e.natural(0);
    const std::vector<Size> rows(x.sizes.begin(), x.sizes.end() - 1);
    Edge classes = e.windowed(x);
    Edge labels = e.whole(e.natural(e.in(1)));
    if (labels.sizes != rows) {
        if (rows.empty())
            labels = e.node("Squeeze", {labels.name, e.integers({1})}, {}, Edge{{}, {}, false, true, labels.element});
        else
            labels = e.reshape(labels, rows);
    }
    Edge like = classes;
    like.sizes = rows;
    like.first = false;
    Edge loss =
        e.node("SoftmaxCrossEntropyLoss", {classes.name, labels.name}, {word_attribute("reduction", "none")}, like);
    if (!rows.empty()) {
        std::vector<std::int64_t> axes;
        for (std::size_t a = 1; a <= rows.size(); ++a) axes.push_back(static_cast<std::int64_t>(a));
        like.sizes.clear();
        loss = e.node("ReduceMean", {loss.name}, {list_attribute("axes", axes), whole_attribute("keepdims", 0)}, like);
    }
    return e.raised(loss, 1);
}

constexpr ExportRow elementwise_export_rows[] = {{activation_nodes, "activation"},
                                                 {dropout_nodes, "dropout"},
                                                 {sum_nodes, "add"},
                                                 {elementwise_nodes, "elementwise"},
                                                 {gated_nodes, "glu"},
                                                 {softmax_nodes, "softmax"},
                                                 {log_softmax_nodes, "log_softmax"},
                                                 {cross_entropy_nodes, "cross_entropy"}};

}  // namespace

std::span<const ExportRow> elementwise_exports() { return elementwise_export_rows; }

}  // namespace scalescope::formats::onnx
