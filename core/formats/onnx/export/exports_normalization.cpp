// SPDX-License-Identifier: GPL-3.0-or-later
// Normalizations, and the scale and shift of channels.

#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {
namespace {

/// ONNX wants both; what is not trained is all ones, or zeros.
std::string factor_or_ones(Exporter& e, std::int64_t channels) {
    return e.is("scale") ? e.weight("scale", {channels}) : e.ones(channels);
}
std::string shift_or_zeros(Exporter& e, std::int64_t channels) {
    return e.is("bias") ? e.weight("bias", {channels}) : e.blank("zeros", {channels});
}

/// For each channel, wherever the channels stand.
std::vector<std::int64_t> by_channels(const Edge& x, std::int64_t channels) {
    std::vector<std::int64_t> dims{channels};
    if (x.first) dims.resize(x.sizes.size(), 1);
    return dims;
}

Edge scaled_and_shifted(Exporter& e, Edge x, bool scale, bool bias) {
    const auto dims = by_channels(x, e.facts().output.empty() ? 1 : e.facts().output.back());
    if (scale) x = e.node("Mul", {x.name, e.weight("scale", dims)}, {}, x);
    if (bias) x = e.node("Add", {x.name, e.weight("bias", dims)}, {}, x);
    return x;
}

std::optional<Edge> batch_norm_node(Exporter& e) {
    const Edge x = e.windowed(0);
    if (x.sizes.empty()) return std::nullopt;
    const std::int64_t c = x.sizes[0].value;
    const std::string scale = factor_or_ones(e, c), bias = shift_or_zeros(e, c);
    const Edge made = e.node("BatchNormalization",
                             {x.name, scale, bias, e.blank("mean", {c}), e.blank("variance", {c})}, {}, e.out(x.first));
    return e.activated(made, e.get<std::string>("activation"));
}

std::optional<Edge> lrn_node(Exporter& e) {
    if (e.shape_in(0).size() < 2) return std::nullopt;
    const Edge x = e.windowed(0);
    return e.node("LRN", {x.name}, {whole_attribute("size", 5)}, e.out(true));
}

std::optional<Edge> instance_norm_node(Exporter& e) {
    if (e.shape_in(0).size() < 2) return std::nullopt;
    const Edge x = e.windowed(0);
    const std::int64_t c = x.sizes[0].value;
    const std::string scale = factor_or_ones(e, c), bias = shift_or_zeros(e, c);
    return e.node("InstanceNormalization", {x.name, scale, bias}, {}, e.out(true));
}

/// A group is normalized like one channel; then each channel is scaled.
std::optional<Edge> group_norm_node(Exporter& e) {
    if (e.shape_in(0).size() < 2) return std::nullopt;
    for (const Size& s : e.in(0).sizes)
        if (!s.open.empty()) return std::nullopt;
    const Edge x = e.windowed(0);
    const std::int64_t groups = e.get<std::int64_t>("groups");
    Edge g = e.reshape(x, {Size{groups, {}}, Size{e.facts().out_elements / groups, {}}});
    const std::string one = e.ones(groups), zero = e.blank("zeros", {groups});
    g = e.node("InstanceNormalization", {g.name, one, zero}, {}, g);
    Edge back = e.reshape(g, x.sizes);
    back.first = true;
    return scaled_and_shifted(e, back, e.is("scale"), e.is("bias"));
}

std::optional<Edge> layer_norm_node(Exporter& e) {
    const Edge x = e.natural(0);
    if (x.sizes.empty()) return std::nullopt;
    const std::int64_t c = x.sizes.back().value;
    std::vector<std::string> inputs{x.name, factor_or_ones(e, c)};
    if (e.is("bias")) inputs.push_back(e.weight("bias", {c}));
    return e.node("LayerNormalization", std::move(inputs), {whole_attribute("axis", -1)}, e.out(false));
}

/// x / √(mean of x² + ε), as exporters write it.
std::optional<Edge> rms_norm_node(Exporter& e) {
    const Edge x = e.natural(0);
    if (x.sizes.empty()) return std::nullopt;
    Edge row = x;
    row.sizes.back() = {};
    const Edge square = e.node("Pow", {x.name, e.single(2)}, {}, x);
    const Edge mean =
        e.node("ReduceMean", {square.name}, {list_attribute("axes", {-1}), whole_attribute("keepdims", 1)}, row);
    const Edge plus = e.node("Add", {mean.name, e.single(1e-5)}, {}, row);
    const Edge root = e.node("Sqrt", {plus.name}, {}, row);
    const Edge made = e.node("Div", {x.name, root.name}, {}, x);
    return scaled_and_shifted(e, made, e.is("scale"), false);
}

std::optional<Edge> l2_node(Exporter& e) {
    const Edge x = e.real(e.in(0));
    return e.node("LpNormalization", {x.name}, {whole_attribute("axis", e.axis_of(x)), whole_attribute("p", 2)}, x);
}

std::optional<Edge> scale_node(Exporter& e) {
    return scaled_and_shifted(e, e.real(e.in(0)), e.is("scale"), e.is("bias"));
}

constexpr ExportRow normalization_export_rows[] = {{batch_norm_node, "batch_norm"},
                                                   {lrn_node, "lrn"},
                                                   {instance_norm_node, "instance_norm"},
                                                   {group_norm_node, "group_norm"},
                                                   {layer_norm_node, "layer_norm"},
                                                   {rms_norm_node, "rms_norm"},
                                                   {l2_node, "l2_normalize"},
                                                   {scale_node, "scale"}};

}  // namespace

std::span<const ExportRow> normalization_exports() { return normalization_export_rows; }

}  // namespace scalescope::formats::onnx
