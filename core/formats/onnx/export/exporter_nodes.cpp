// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes of the graph: one at a time, and those that bring a tensor into another order, type or shape.
#include <algorithm>
#include <numeric>

#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {

Edge Exporter::out(bool first) const {
    Edge e;
    e.sizes = sizes_.of(at_);
    e.first = first && e.sizes.size() > 1;
    if (e.first) std::rotate(e.sizes.begin(), e.sizes.end() - 1, e.sizes.end());
    e.batched = this->inputs() == 0;
    for (std::size_t i = 0; i < this->inputs(); ++i) e.batched = e.batched || in(i).batched;
    return e;
}

std::int64_t Exporter::axis_in(const Edge& like, std::size_t ours) {
    const auto axis = static_cast<std::int64_t>(ours);
    if (!like.first) return axis + 1;
    return ours + 1 == like.sizes.size() ? 1 : axis + 2;
}

Edge Exporter::node(std::string op, std::vector<std::string> inputs, std::vector<Attribute> attributes, Edge like,
                    std::string_view domain) {
    Node n;
    like.name = n.name = unique(op);
    n.op = std::move(op);
    n.domain = domain;
    if (!domain.empty()) model_.opsets[n.domain] = 1;
    n.inputs = std::move(inputs);
    n.outputs = {like.name};
    n.attributes = std::move(attributes);
    model_.graph.nodes.push_back(std::move(n));
    return like;
}

std::vector<Edge> Exporter::nodes(std::string op, std::vector<std::string> inputs, std::vector<Attribute> attributes,
                                  const Edge& like, std::size_t count) {
    std::vector<Edge> made{node(op, std::move(inputs), std::move(attributes), like)};
    const std::size_t at = model_.graph.nodes.size() - 1;
    while (made.size() < count) {
        made.push_back(like);
        made.back().name = unique(op);
        model_.graph.nodes[at].outputs.push_back(made.back().name);
    }
    return made;
}

Edge Exporter::with_channels(bool first, Edge e) {
    if (e.first == first || e.sizes.size() < 2) return e;
    std::vector<std::int64_t> order(e.sizes.size() + 1);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + 1, first ? order.end() - 1 : order.begin() + 2, order.end());
    std::rotate(e.sizes.begin(), first ? e.sizes.end() - 1 : e.sizes.begin() + 1, e.sizes.end());
    e.first = first;
    return node("Transpose", {e.name}, {list_attribute("perm", order)}, e);
}

Edge Exporter::cast(Edge e, Element to) {
    if (e.element == static_cast<int>(to)) return e;
    e.element = static_cast<int>(to);
    return node("Cast", {e.name}, {whole_attribute("to", e.element)}, e);
}

Edge Exporter::reshape(const Edge& e, std::vector<Size> to) {
    if (e.sizes == to) return e;
    std::vector<std::int64_t> shape{0};
    NamedSizes::resolve(e.sizes, to, shape);
    Edge like = e;
    like.sizes = std::move(to);
    like.first = false;
    return node("Reshape", {e.name, integers(shape)}, {}, std::move(like));
}

Edge Exporter::raised(const Edge& e, std::size_t rank) {
    if (e.sizes.size() >= rank) return e;
    std::vector<std::int64_t> axes;
    Edge like = e;
    for (std::size_t a = e.sizes.size(); a < rank; ++a) {
        axes.push_back(static_cast<std::int64_t>(axes.size()) + 1);
        like.sizes.insert(like.sizes.begin(), Size{});
    }
    return node("Unsqueeze", {e.name, integers(axes)}, {}, std::move(like));
}

Edge Exporter::repeated(const Edge& e, const Edge& like) {
    if (e.batched || !like.batched) return e;
    const Edge counts = loose_edge(Element::int64);
    const Edge shape = node("Shape", {like.name}, {whole_attribute("start", 0), whole_attribute("end", 1)}, counts);
    const Edge whole = node("Concat", {shape.name, integers(std::vector<std::int64_t>(e.sizes.size(), 1))},
                            {whole_attribute("axis", 0)}, counts);
    Edge out = e;
    out.batched = true;
    return node("Expand", {e.name, whole.name}, {}, std::move(out));
}

Edge Exporter::activated(Edge e, const std::string& function) {
    if (function == "none") return e;
    const std::string op = function == "relu"         ? "Relu"
                           : function == "leaky_relu" ? "LeakyRelu"
                           : function == "sigmoid"    ? "Sigmoid"
                           : function == "tanh"       ? "Tanh"
                                                      : "Softmax";
    std::vector<Attribute> attributes;
    if (op == "Softmax") attributes.push_back(whole_attribute("axis", e.first ? 1 : -1));
    return node(op, {e.name}, std::move(attributes), e);
}

}  // namespace scalescope::formats::onnx
