// SPDX-License-Identifier: GPL-3.0-or-later
// Normalizations.

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

std::int64_t channels(Converter& c, int s) {
    const Sample is = c.sample(s);
    return is.dims.size() > 1 ? is.dims[1] : 1;
}

bool batch_norm(Converter& c) {
    const int in = c.input(0), scale = c.input(1), bias = c.input(2);
    const std::size_t rank = c.value(in).dims.size();
    for (std::size_t i = 1; i < 5; ++i)
        if (c.input(i) < 0 || c.is_data(c.input(i))) return false;
    const Order order = channels_last(rank);
    if (!c.become("batch_norm", {}, {c.arranged(in, order)}, order)) return false;
    c.weights({scale, bias});
    c.statistics({c.input(3), c.input(4)});
    return true;
}

/// Before opset 21 a group has one scale and one bias for all its channels: trained tensors beside the normalization.
bool by_group(Converter& c, int scale, int bias) {
    const int in = c.input(0);
    const Order order = channels_last(c.value(in).dims.size());
    const std::int64_t groups = c.integer("num_groups", 1);
    const Shape shape = c.sample(in).shape(order);
    const std::size_t from = c.arranged(in, order);
    auto layer =
        c.helper("normalization", "group_norm", {{"groups", groups}, {"scale", false}, {"bias", false}}, {from});
    if (!layer || groups < 1 || shape.empty() || shape.back() % groups != 0) return false;
    Shape by_groups = shape;
    by_groups.back() = groups;
    by_groups.push_back(shape.back() / groups);
    for (const bool product : {true, false}) {
        const int s = product ? scale : bias;
        if (s < 0) continue;
        layer = c.helper(product ? "scale" : "bias", "elementwise", {{"operation", product ? "multiply" : "add"}},
                         {c.shown_as(*layer, by_groups), c.shown_as(c.natural(s), {groups, 1})});
        if (!layer) return false;
    }
    c.set_place(c.output(), c.shown_as(*layer, shape), order);
    return true;
}

bool by_channel(Converter& c) {
    const int in = c.input(0), scale = c.input(1), bias = c.input(2);
    const std::size_t rank = c.value(in).dims.size();
    const Order order = channels_last(rank);
    const bool group = c.node().op == "GroupNormalization";
    if (group && scale >= 0 && c.is_stored(scale) && c.value(scale).count() == c.integer("num_groups", 1) &&
        c.value(scale).count() != channels(c, in) && by_group(c, scale, bias))
        return true;
    const bool own = scale >= 0 && c.is_stored(scale) && c.value(scale).count() == channels(c, in);
    Converter::Givens given{{"scale", own}, {"bias", own && bias >= 0}};
    if (group) given.push_back({"groups", c.integer("num_groups", 1)});
    if (!c.become(group ? "group_norm" : "instance_norm", given, {c.arranged(in, order)}, order)) return false;
    if (own) c.weights({scale, bias});
    return true;
}

/// Over the last axis; over more, they are one row.
bool of_rows(Converter& c, int in, int scale, int bias, bool rms, std::size_t from) {
    const Value& v = c.value(in);
    const auto axis = axis_of(c.integer("axis", -1), v.dims.size());
    if (!axis) return false;
    std::size_t layer = from;
    const Sample is = c.sample(in);
    if (*axis + 1 < v.dims.size()) {
        Shape rows;
        std::int64_t width = 1;
        for (std::size_t i = 0; i < is.dims.size(); ++i) {
            if (i >= *axis)
                width *= is.dims[i];
            else if (static_cast<int>(i) != is.batch || is.dims[i] != 1)
                rows.push_back(is.dims[i]);
        }
        rows.push_back(width);
        layer = c.shown_as(layer, rows);
    }
    const bool scales = scale >= 0 && c.is_stored(scale), shifts = bias >= 0 && c.is_stored(bias);
    Converter::Givens given{{"scale", scales}};
    if (!rms) given.push_back({"bias", shifts});
    if (*axis + 1 < v.dims.size()) {
        const auto made = c.helper("rows", rms ? "rms_norm" : "layer_norm", given, {layer});
        if (!made) return false;
        c.weights({scale, bias});
        return c.become("reshape", {{"shape", batch_of(c.sample_shape(c.output()))}}, {*made});
    }
    return c.become(rms ? "rms_norm" : "layer_norm", given, {layer}) && c.weights({scale, bias});
}

bool layer_norm(Converter& c) { return of_rows(c, c.input(0), c.input(1), c.input(2), false, c.natural(c.input(0))); }
bool rms_norm(Converter& c) { return of_rows(c, c.input(0), c.input(1), -1, true, c.natural(c.input(0))); }

/// A residual sum and the normalization behind it.
bool skip_norm(Converter& c) {
    const int in = c.input(0), skip = c.input(1);
    const bool rms = c.node().op == "SkipSimplifiedLayerNormalization";
    const int bias = c.input(rms ? 3 : 4);
    if (!c.is_data(in) || !c.is_data(skip) || !c.all_alike({in, skip})) return false;
    auto sum = c.helper("sum", "add", {}, {c.natural(in), c.natural(skip)});
    if (!sum) return false;
    if (bias >= 0 && c.is_stored(bias)) {
        sum = c.helper("bias", "scale", {{"scale", false}, {"bias", true}}, {*sum});
        if (!sum) return false;
        c.weights({bias});
    }
    if (c.output(3) >= 0) c.set_place(c.output(3), *sum);
    return of_rows(c, in, c.input(2), rms ? -1 : c.input(3), rms, *sum);
}

bool across_channels(Converter& c) {
    const int in = c.input(0);
    const Order order = channels_last(c.value(in).dims.size());
    return c.become("lrn", {}, {c.arranged(in, order)}, order);
}

constexpr ConversionRow normalization_rows[] = {
    {batch_norm, "BatchNormalization"},
    {by_channel, "InstanceNormalization GroupNormalization"},
    {layer_norm, "LayerNormalization"},
    {rms_norm, "RMSNormalization SimplifiedLayerNormalization"},
    {skip_norm, "SkipLayerNormalization SkipSimplifiedLayerNormalization"},
    {across_channels, "LRN"},
};

}  // namespace

std::span<const ConversionRow> normalization_conversions() { return normalization_rows; }

}  // namespace scalescope::formats::onnx
