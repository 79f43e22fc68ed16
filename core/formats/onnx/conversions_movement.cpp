// SPDX-License-Identifier: GPL-3.0-or-later
// Views, and operators that join tensors and make fewer numbers of them.
#include <algorithm>
#include <array>

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

bool reshaped_view(Converter& c) {
    if (c.sample(c.output()).batch < 0 && c.sample(c.input(0)).batch >= 0) return false;
    c.view(c.input(0));
    return true;
}

/// Only the order of the axes changes; whoever needs another order moves the elements.
bool turned(Converter& c) {
    const int in = c.input(0);
    const std::size_t rank = c.value(in).dims.size();
    Dims perm;
    if (const Attribute* a = c.node().find("perm"))
        perm = a->integers;
    else
        for (std::size_t i = rank; i > 0; --i) perm.push_back(static_cast<std::int64_t>(i - 1));
    Order order;
    for (const std::size_t axis : c.place(in).order)
        for (std::size_t k = 0; k < perm.size(); ++k)
            if (perm[k] == static_cast<std::int64_t>(axis)) order.push_back(k);
    if (order.size() != rank) return false;
    c.alias(in, std::move(order));
    return true;
}

/// Nothing is repeated: it is a view.
bool expanded(Converter& c) {
    const Sample in = c.sample(c.input(0)), out = c.sample(c.output());
    std::int64_t a = 1, b = 1;
    for (const auto d : in.dims) a *= d;
    for (const auto d : out.dims) b *= d;
    return a == b && reshaped_view(c);
}

/// All that is left out is nothing: the same tensor.
bool whole_part(Converter& c) {
    if (c.item().outputs.size() != 1 || c.value(c.input(0)).dims != c.value(c.output()).dims) return false;
    c.alias(c.input(0), c.place(c.input(0)).order);
    return true;
}

bool joined(Converter& c) {
    const Sample out = c.sample(c.output());
    const auto axis = axis_of(c.integer("axis", 1), out.dims.size());
    if (!axis || static_cast<int>(*axis) == out.batch) return false;
    if (c.item().inputs.size() == 1) return whole_part(c);
    Order order;
    for (const int s : c.item().inputs)
        if (c.is_data(s)) {
            order = c.place(s).order;
            break;
        }
    order.erase(std::find(order.begin(), order.end(), *axis));
    order.push_back(*axis);
    std::vector<std::size_t> layers;
    for (const int s : c.item().inputs) {
        if (s < 0) return false;
        Sample is = c.sample(s);
        // A batch written into a stored value has no place in one sample.
        if (out.batch >= 0 && is.batch < 0) {
            const auto b = static_cast<std::size_t>(out.batch);
            if (is.dims[b] != out.dims[b] && !c.is_stored(s)) return false;
            if (c.is_stored(s) && is.dims[b] != 1) {
                is.dims[b] = 1;
                is.batch = out.batch;
                const auto made = c.stored_sample(s, is, order);
                if (!made) return false;
                layers.push_back(*made);
                continue;
            }
            is.batch = out.batch;
        }
        layers.push_back(c.shown_as(c.arranged(s, order), is.shape(order)));
    }
    return c.become("concat", {}, layers, order);
}

/// A mean over the whole image is global pooling.
bool reduced(Converter& c) {
    const int in = c.input(0);
    const Sample is = c.sample(in);
    const std::string& op = c.node().op;
    Dims axes;
    if (const Attribute* a = c.node().find("axes"))
        axes = a->integers;
    else if (c.input(1) >= 0)
        axes = c.value(c.input(1)).whole;
    std::vector<std::size_t> over;
    for (const auto a : axes)
        if (const auto at = axis_of(a, is.dims.size())) over.push_back(*at);
    std::sort(over.begin(), over.end());
    const bool space = is.dims.size() == 4 && over == std::vector<std::size_t>{2, 3} && is.batch == 0;
    if (!space || (op != "ReduceMean" && op != "ReduceMax")) return false;
    const Order out =
        c.value(c.output()).dims.size() == 4 ? channels_last(4) : natural_order(c.value(c.output()).dims.size());
    return c.become("global_pooling", {{"mode", std::string(op == "ReduceMax" ? "max" : "average")}},
                    {c.arranged(in, channels_last(4))}, out);
}

bool cross_entropy(Converter& c) {
    const int in = c.input(0);
    return c.become("cross_entropy", {}, {c.arranged(in, c.place(in).order)});
}

constexpr std::array movement_rows{ConversionRow{"Reshape", reshaped_view},
                                   ConversionRow{"Flatten", reshaped_view},
                                   ConversionRow{"Squeeze", reshaped_view},
                                   ConversionRow{"Unsqueeze", reshaped_view},
                                   ConversionRow{"Transpose", turned},
                                   ConversionRow{"Expand", expanded},
                                   ConversionRow{"Tile", expanded},
                                   ConversionRow{"Slice", whole_part},
                                   ConversionRow{"Pad", whole_part},
                                   ConversionRow{"Concat", joined},
                                   ConversionRow{"ReduceMean", reduced},
                                   ConversionRow{"ReduceMax", reduced},
                                   ConversionRow{"SoftmaxCrossEntropyLoss", cross_entropy},
                                   ConversionRow{"NegativeLogLikelihoodLoss", cross_entropy}};

}  // namespace

std::span<const ConversionRow> movement_conversions() { return movement_rows; }

}  // namespace scalescope::formats::onnx
