// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/network/kinds/kinds.hpp"
#include "core/network/wording.hpp"

namespace scalescope::kinds {

Shape Spatial::shape(const Axes& out, std::int64_t of_channels) const {
    Shape s(out.begin() + static_cast<std::ptrdiff_t>(first()), out.end());
    s.push_back(of_channels);
    return s;
}

Result<Spatial> spatial(const Layer& layer, const Shape& shape, std::size_t axes) {
    constexpr std::array<std::string_view, 4> words{"", "length × channels", "height × width × channels",
                                                    "depth × height × width × channels"};
    if (axes < 1 || axes > 3)
        return wrong(
            a_layer(*layer.kind) + " acts along one to three axes, this one along " + std::to_string(axes) + ".",
            "give one size for each axis, such as [3, 3] for an image");
    if (shape.size() != axes + 1)
        return wrong(
            a_layer(*layer.kind) + " needs " + std::string(words[axes]) + ", its input is " + to_text(shape) + ".",
            shape.size() > 1 && shape.size() < 5
                ? "give " + std::to_string(shape.size() - 1) +
                      (shape.size() == 2 ? " size, or put a reshape before it" : " sizes, or put a reshape before it")
                : "put a reshape before it, or connect it to a layer that still has such axes");
    Spatial s;
    s.count = axes;
    s.channels = shape.back();
    std::copy(shape.begin(), shape.end() - 1, s.in.begin() + static_cast<std::ptrdiff_t>(s.first()));
    return s;
}

Result<Axes> per_axis(const Layer& layer, std::string_view name, const Spatial& of, std::int64_t without) {
    const auto infos = layer.kind->attributes;
    const auto info = std::ranges::find(infos, name, &AttributeInfo::name);
    const auto& given = get<Sizes>(layer, name);
    Axes axes;
    axes.fill(without);
    const auto begin = axes.begin() + static_cast<std::ptrdiff_t>(of.first());
    if (given.size() == of.count)
        std::ranges::copy(given, begin);
    else if (AttributeValue(given) == info->initial && !given.empty())
        std::fill(begin, axes.end(), given.front());
    else
        return wrong("Its " + std::string(name) + " has " + std::to_string(given.size()) + " sizes, its input " +
                         std::to_string(of.count) + (of.count == 1 ? " axis." : " axes."),
                     "give one size for each axis");
    return axes;
}

Result<Sides> sides(const Layer& layer, const Spatial& of) {
    const auto& p = get<Padding>(layer, "padding");
    Sides s;
    if (p.mode != Padding::Mode::explicit_sizes) return s;
    if (static_cast<std::size_t>(p.axes) != of.count)
        return wrong(
            "Its padding is for " + std::to_string(p.axes) + (p.axes == 1 ? " axis" : " axes") + ", its input has " +
                std::to_string(of.count) + ".",
            of.count == 1 ? "write [size], or [[before, after]]" : "give a size, or [before, after], for each axis");
    const std::array<std::array<std::int64_t, 2>, 3> all{{{p.front, p.back}, {p.top, p.bottom}, {p.left, p.right}}};
    for (std::size_t a = of.first(); a < 3; ++a) s.before[a] = all[a][0], s.after[a] = all[a][1];
    return s;
}

std::string Spatial::text(const Axes& sizes) const {
    return to_text(Shape(sizes.begin() + static_cast<std::ptrdiff_t>(first()), sizes.end()));
}

Result<std::size_t> axis_of(std::int64_t axis, const Shape& shape) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    if (axis == 0)
        return wrong("Axis 0 is the batch: a layer acts within a sample.",
                     "count the axes from 1, or from the last, -1");
    const std::int64_t at = axis > 0 ? axis - 1 : rank + axis;
    if (at < 0 || at >= rank)
        return wrong("There is no axis " + std::to_string(axis) + " in " + to_text(shape) + " and its batch.",
                     rank == 0
                         ? "connect a layer with at least one dimension"
                         : "choose one from 1 to " + std::to_string(rank) + ", or from -1 to -" + std::to_string(rank));
    return static_cast<std::size_t>(at);
}

Result<std::size_t> axis_of(const Layer& layer, const Shape& shape) {
    return axis_of(get<std::int64_t>(layer, "axis"), shape);
}

tl::unexpected<Problems> work_overflows() {
    return wrong("The layer is too large to count: its work overflows.", "check the sizes for a typing error");
}

Result<Shape> per_sample(const std::vector<Dim>& dims) {
    if (dims.size() < 2 || static_cast<int>(dims.size()) > limits::rank)
        return wrong("A shape has the batch and 1 to 7 more dimensions.", "write for example [\"batch\", 224, 224, 3]");
    if (dims[0].symbol != "batch" || dims[0].factor != 1)
        return wrong("The first dimension of a shape is the batch.", "write \"batch\" as the first entry");
    Shape out;
    for (std::size_t i = 1; i < dims.size(); ++i) {
        if (!dims[i].symbol.empty())
            return wrong("The dimension \"" + dims[i].symbol + "\" has no value.",
                         "write a number; only the batch may stay open here");
        out.push_back(dims[i].factor);
    }
    return out;
}

Result<LayerFacts> finish(LayerFacts facts, std::span<const Shape> inputs) {
    Checked out = 1;
    for (auto d : facts.output) {
        if (d < 1)
            return wrong("The output would be " + to_text(facts.output) + ": nothing is left.",
                         "use a smaller kernel or stride, or more padding");
        if (d > limits::dimension)
            return wrong("A dimension of " + std::to_string(d) + " is beyond what this program accepts.",
                         "use a size below 2^31");
        out = out * d;
    }
    Checked in = 0;
    for (const auto& s : inputs) in = in + elements(s);
    if (!out.ok() || out.value() > limits::elements || !in.ok() || in.value() > limits::elements ||
        facts.weights > limits::elements || facts.weights < 0 || facts.kept_elements > limits::elements ||
        facts.kept_elements < 0)
        return wrong("The layer is too large to count: its tensors overflow.", "check the sizes for a typing error");
    facts.out_elements = out.value();
    facts.in_elements = in.value();
    // One sample's work must stay an exact integer in a double even for large batches' first factor.
    for (const auto n : {facts.multiply_adds, facts.input_multiply_adds, facts.weight_multiply_adds})
        if (n < 0 || n > (1LL << 52))
            return wrong("The layer needs more than 2^52 multiply-adds for one sample.",
                         "check the sizes for a typing error");
    return facts;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
    Shape out = a.size() >= b.size() ? a : b;
    const Shape& less = a.size() >= b.size() ? b : a;
    for (std::size_t i = 1; i <= less.size(); ++i) {
        std::int64_t& d = out[out.size() - i];
        const std::int64_t other = less[less.size() - i];
        if (d != other && d != 1 && other != 1) return std::nullopt;
        d = std::max(d, other);
    }
    return out;
}

LayerFacts product(Shape output, std::int64_t units, std::int64_t multiply_adds, std::int64_t weights) {
    LayerFacts f;
    f.output = std::move(output);
    f.units = units;
    f.multiply_adds = f.input_multiply_adds = f.weight_multiply_adds = multiply_adds;
    f.weights = weights;
    f.division = Division::weights;
    f.along(ShardAlong::outputs) = units;
    f.forward = f.grad_input = f.grad_weights = Traffic{1, 1, 1};
    f.keeps_input = f.input_for_weights = true;
    return f;
}

Result<LayerFacts> product_of_inputs(Shape output, std::span<const Shape> inputs, Checked multiply_adds) {
    const Checked both = multiply_adds * 2;  // a product for each input's gradient, which reads the other input
    if (!both.ok()) return work_overflows();
    LayerFacts f;
    f.units = output.back();
    f.output = std::move(output);
    f.multiply_adds = multiply_adds.value();
    f.input_multiply_adds = both.value();
    f.forward = {1, 1, 0};
    f.grad_input = {2, 2, 0};
    f.launches[1] = 2;
    f.keeps_input = true;
    return finish(std::move(f), inputs);
}

Result<LayerFacts> bytes_only(Shape output, std::span<const Shape> inputs, Division division, Traffic forward,
                              Traffic backward) {
    LayerFacts f;
    f.units = output.empty() ? 1 : output.back();
    f.output = std::move(output);
    f.division = division;
    if (division == Division::channelwise) f.along(ShardAlong::channels) = f.units;
    f.forward = forward;
    f.grad_input = backward;
    return finish(std::move(f), inputs);
}

Window window(std::int64_t in, std::int64_t kernel, std::int64_t stride, Padding::Mode mode, std::int64_t before,
              std::int64_t after, bool ceil_mode) {
    if (mode == Padding::Mode::same) {
        const std::int64_t out = ceil_div(in, stride);
        const std::int64_t total = std::max<std::int64_t>(0, (out - 1) * stride + kernel - in);
        return {out, total / 2, total - total / 2};
    }
    if (mode == Padding::Mode::valid) before = after = 0;
    const std::int64_t room = in + before + after - kernel;
    if (room < 0) return {0, before, after};
    std::int64_t out = room / stride + 1;
    if (ceil_mode && room % stride != 0 && out * stride < in + before)
        ++out;  // a window must start inside input or left padding
    return {out, before, after};
}

}  // namespace scalescope::kinds
