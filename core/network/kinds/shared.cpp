// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {

Result<Shape> image(const Layer& layer, const Shape& shape) {
    if (shape.size() == 3) return shape;
    return wrong("A " + std::string(layer.kind->name) + " layer needs height × width × channels, its input is " +
                     to_text(shape) + ".",
                 "put a reshape before it, or connect it to a layer that still has height and width");
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
        facts.weights > limits::elements || facts.weights < 0)
        return wrong("The layer is too large to count: its tensors overflow.", "check the sizes for a typing error");
    facts.out_elements = out.value();
    facts.in_elements = in.value();
    // One sample's work must stay an exact integer in a double even for large batches' first factor.
    if (facts.multiply_adds < 0 || facts.multiply_adds > (1LL << 52))
        return wrong("The layer needs more than 2^52 multiply-adds for one sample.",
                     "check the sizes for a typing error");
    return facts;
}

Result<LayerFacts> bytes_only(Shape output, std::span<const Shape> inputs, Division division, Traffic forward,
                              Traffic backward) {
    LayerFacts f;
    f.units = output.empty() ? 1 : output.back();
    f.output = std::move(output);
    f.division = division;
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
