// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions, pooling and changes of size, channels before the other axes.
#include <algorithm>

#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {
namespace {

using Axis = std::vector<std::int64_t>;

/// The operator that pools windows so, or (behind "Global") all of an image.
std::string pool_of(const std::string& mode) {
    return mode == "max" ? "MaxPool" : mode == "lp" ? "LpPool" : "AveragePool";
}

/// As many numbers as axes; a kind's default serves any number of them.
Axis along(const Axis& given, std::size_t axes, std::int64_t otherwise) {
    if (given.size() == axes) return given;
    return Axis(axes, given.empty() ? otherwise : given.front());
}

/// Explicit padding before and after each of `axes`.
std::pair<Axis, Axis> padding_of(const Padding& p, std::size_t axes) {
    const Axis before{p.front, p.top, p.left}, after{p.back, p.bottom, p.right};
    const auto from = static_cast<std::ptrdiff_t>(3 - axes);
    if (p.mode != Padding::Mode::explicit_sizes) return {Axis(axes, 0), Axis(axes, 0)};
    return {Axis(before.begin() + from, before.end()), Axis(after.begin() + from, after.end())};
}

Attribute pads_of(Axis before, const Axis& after) {
    before.insert(before.end(), after.begin(), after.end());
    return list_attribute("pads", std::move(before));
}

/// The image, the filters with so many channels in front of their kernel, and the bias.
std::vector<std::string> filtered(Exporter& e, const Edge& x, Axis shape) {
    const auto& kernel = e.get<Axis>("kernel");
    shape.insert(shape.end(), kernel.begin(), kernel.end());
    std::vector<std::string> inputs{x.name, e.weight("weight", shape)};
    if (e.is("bias")) inputs.push_back(e.weight("bias", {e.get<std::int64_t>("filters")}));
    return inputs;
}

std::optional<Edge> convolution_node(Exporter& e) {
    if (!e.is("shared")) return std::nullopt;  // ONNX has no filters for each place
    const Edge x = e.windowed(0);
    const auto& kernel = e.get<Axis>("kernel");
    const std::size_t axes = kernel.size();
    const std::int64_t groups = e.get<std::int64_t>("groups");
    auto inputs = filtered(e, x, {e.get<std::int64_t>("filters"), x.sizes[0].value / groups});
    std::vector<Attribute> attributes{
        list_attribute("kernel_shape", kernel), list_attribute("strides", along(e.get<Axis>("stride"), axes, 1)),
        list_attribute("dilations", along(e.get<Axis>("dilation"), axes, 1)), whole_attribute("group", groups)};
    const auto& padding = e.get<Padding>("padding");
    if (padding.mode == Padding::Mode::same) {
        attributes.push_back(word_attribute("auto_pad", "SAME_UPPER"));
    } else {
        const auto [before, after] = padding_of(padding, axes);
        attributes.push_back(pads_of(before, after));
    }
    return e.activated(e.node("Conv", std::move(inputs), std::move(attributes), e.out(true)),
                       e.get<std::string>("activation"));
}

std::optional<Edge> transposed_node(Exporter& e) {
    const Edge x = e.windowed(0);
    const auto& kernel = e.get<Axis>("kernel");
    const std::size_t axes = kernel.size();
    const std::int64_t groups = e.get<std::int64_t>("groups");
    auto inputs = filtered(e, x, {x.sizes[0].value, e.get<std::int64_t>("filters") / groups});
    const Axis stride = along(e.get<Axis>("stride"), axes, 1), dilation = along(e.get<Axis>("dilation"), axes, 1);
    auto [before, after] = padding_of(e.get<Padding>("padding"), axes);
    Axis extra = along(e.get<Axis>("output_padding"), axes, 0);
    if (e.get<Padding>("padding").mode == Padding::Mode::same)  // the output is the input times the stride
        for (std::size_t a = 0; a < axes; ++a) {
            const std::int64_t over = (kernel[a] - 1) * dilation[a] + 1 - stride[a];
            before[a] = std::max<std::int64_t>(over, 0) / 2;
            after[a] = std::max<std::int64_t>(over, 0) - before[a];
            extra[a] = std::max<std::int64_t>(-over, 0);
        }
    const Edge made = e.node("ConvTranspose", std::move(inputs),
                             {list_attribute("kernel_shape", kernel), list_attribute("strides", stride),
                              list_attribute("dilations", dilation), list_attribute("output_padding", extra),
                              pads_of(before, after), whole_attribute("group", groups)},
                             e.out(true));
    return e.activated(made, e.get<std::string>("activation"));
}

std::optional<Edge> pooled_by(Exporter& e, const Axis& kernel, const Axis& stride, const std::string& mode,
                              Attribute padding) {
    const Edge x = e.windowed(0);
    return e.node(pool_of(mode), {x.name},
                  {list_attribute("kernel_shape", kernel), list_attribute("strides", stride), std::move(padding)},
                  e.out(true));
}

std::optional<Edge> pooling_node(Exporter& e) {
    const auto& kernel = e.get<Axis>("kernel");
    const std::size_t axes = kernel.size();
    const Axis stride = along(e.get<Axis>("stride"), axes, 1);
    const auto& padding = e.get<Padding>("padding");
    const std::string& mode = e.get<std::string>("mode");
    if (padding.mode == Padding::Mode::same)
        return pooled_by(e, kernel, stride, mode, word_attribute("auto_pad", "SAME_UPPER"));
    auto [before, after] = padding_of(padding, axes);
    // What hangs over the edge where sizes are rounded up is padding: programs round differently.
    if (e.is("ceil"))
        for (std::size_t a = 0; a < axes; ++a)
            after[a] =
                std::max(after[a], (e.facts().output[a] - 1) * stride[a] + kernel[a] - e.shape_in(0)[a] - before[a]);
    return pooled_by(e, kernel, stride, mode, pads_of(before, after));
}

std::optional<Edge> global_pooling_node(Exporter& e) {
    if (e.in(0).sizes.size() > 4) return std::nullopt;
    const Edge x = e.windowed(0);
    Edge small = x;
    for (std::size_t a = 1; a < small.sizes.size(); ++a) small.sizes[a] = {};
    small = e.node("Global" + pool_of(e.get<std::string>("mode")), {x.name}, {}, small);
    return e.node("Flatten", {small.name}, {whole_attribute("axis", 1)}, e.out(false));
}

/// Windows of one size, if they divide the input.
std::optional<Edge> adaptive_node(Exporter& e) {
    const Shape &in = e.shape_in(0), &out = e.facts().output;
    Axis window;
    for (std::size_t a = 0; a + 1 < out.size(); ++a) {
        if (in[a] % out[a] != 0 || !e.sizes_out()[a].open.empty()) return std::nullopt;
        window.push_back(in[a] / out[a]);
    }
    for (const Size& s : e.in(0).sizes)
        if (!s.open.empty()) return std::nullopt;
    return pooled_by(e, window, window, e.get<std::string>("mode"),
                     pads_of(Axis(window.size(), 0), Axis(window.size(), 0)));
}

/// By the whole numbers of the attribute "factor".
Edge resized(Exporter& e, std::vector<Attribute> attributes) {
    const Edge x = e.windowed(0);
    std::vector<double> scales{1, 1};
    for (const auto f : e.get<Axis>("factor")) scales.push_back(static_cast<double>(f));
    return e.node("Resize", {x.name, "", e.singles(scales)}, std::move(attributes), e.out(true));
}

std::optional<Edge> upsample_node(Exporter& e) {
    return resized(e, {word_attribute("mode", "nearest"), word_attribute("nearest_mode", "floor"),
                       word_attribute("coordinate_transformation_mode", "asymmetric")});
}

std::optional<Edge> resize_node(Exporter& e) {
    const std::string& mode = e.get<std::string>("mode");
    if (mode == "area" || e.get<Axis>("output").empty()) return std::nullopt;
    const auto &output = e.get<Axis>("output"), &factor = e.get<Axis>("factor");
    const Axis divisor = along(e.get<Axis>("divisor"), factor.size(), 1);
    const bool whole = std::ranges::all_of(divisor, [](std::int64_t d) { return d == 1; });
    const bool open = std::ranges::any_of(e.sizes_out(), [](const Size& s) { return !s.open.empty(); });
    // A fraction could be rounded to a cell less: where sizes are known they are written.
    if (output.empty() && open && !whole) return std::nullopt;
    if (output.empty() && whole) return resized(e, {word_attribute("mode", mode)});
    const Edge x = e.windowed(0);
    const Shape& out = e.facts().output;
    // The batch is that of the input.
    const Edge numbers = loose_edge(Element::int64);
    const Edge head = e.node("Shape", {x.name}, {whole_attribute("start", 0), whole_attribute("end", 2)}, numbers);
    const Edge sizes = e.node("Concat", {head.name, e.integers(Axis(out.begin(), out.end() - 1))},
                              {whole_attribute("axis", 0)}, numbers);
    return e.node("Resize", {x.name, "", "", sizes.name}, {word_attribute("mode", mode)}, e.out(true));
}

std::optional<Edge> block_node(Exporter& e, const char* op) {
    const Edge x = e.windowed(0);
    return e.node(op, {x.name}, {whole_attribute("blocksize", e.get<std::int64_t>("block"))}, e.out(true));
}
std::optional<Edge> to_depth_node(Exporter& e) { return block_node(e, "SpaceToDepth"); }
std::optional<Edge> to_space_node(Exporter& e) { return block_node(e, "DepthToSpace"); }

constexpr ExportRow window_export_rows[] = {{convolution_node, "convolution"},
                                            {transposed_node, "transposed_convolution"},
                                            {pooling_node, "pooling"},
                                            {global_pooling_node, "global_pooling"},
                                            {adaptive_node, "adaptive_pooling"},
                                            {upsample_node, "upsample"},
                                            {resize_node, "resize"},
                                            {to_depth_node, "space_to_depth"},
                                            {to_space_node, "depth_to_space"}};

}  // namespace

std::span<const ExportRow> window_exports() { return window_export_rows; }

}  // namespace scalescope::formats::onnx
