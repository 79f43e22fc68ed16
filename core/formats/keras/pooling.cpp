// SPDX-License-Identifier: GPL-3.0-or-later
// Poolings and what else changes the size of an image.
#include <array>

#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

std::string pooling_mode(KerasUse& use) {
    return use.layer.type.find("Average") != std::string_view::npos ? "average" : "max";
}

/// The input of a layer for `axes` axes, with its channels where the layer looks for them.
std::optional<KerasTensor> input_of(KerasUse& use, std::size_t axes) {
    const bool first = keras_channels_first(use);
    if (!has_axes(use, use.inputs[0], axes) || use.fields.failed()) return std::nullopt;
    return use.arranged(use.inputs[0], first);
}

KerasTensors keras_pooling(KerasUse& use) {
    const std::size_t axes = keras_axes(use.layer.type);
    KerasFields& f = use.fields;
    KerasWindow w;
    w.kernel = f.sizes({"pool_size", "pool_length"}, axes);
    if (w.kernel.empty()) w.kernel.assign(axes, 2);
    w.stride = f.sizes({"strides", "stride"}, axes);
    if (w.stride.empty()) w.stride = w.kernel;
    w.dilation.assign(axes, 1);
    w.padding = keras_padding(use, "valid same");
    auto in = input_of(use, axes);
    if (!in || f.failed()) return {};
    w.kernel = with_time(use, w.kernel);
    w.stride = with_time(use, w.stride);
    return only(use.add(
        "pooling", {{"mode", pooling_mode(use)}, {"kernel", w.kernel}, {"stride", w.stride}, {"padding", w.padded()}},
        {*in}));
}

KerasTensors keras_global_pooling(KerasUse& use) {
    const std::size_t axes = keras_axes(use.layer.type);
    const bool kept = use.fields.flag({"keepdims"}, false);
    const auto in = input_of(use, axes);
    if (!in) return {};
    if (use.over_time) {  // of each step
        std::vector<std::int64_t> reduced;
        for (std::size_t a = 0; a < axes; ++a) reduced.push_back(static_cast<std::int64_t>(a) + 2);
        const std::string mode = pooling_mode(use) == "max" ? "max" : "mean";
        return only(use.add("reduce", {{"operation", mode}, {"axes", reduced}, {"keep_dims", kept}}, {*in}));
    }
    auto out = use.add("global_pooling", {{"mode", pooling_mode(use)}}, {*in});
    if (!out || !kept) return only(out);
    KerasDims ones(in->dims.size(), 1);
    const std::size_t channels = in->first ? 0 : ones.size() - 1;
    ones[channels] = in->dims[channels];
    return only(use.view(*out, ones, in->first, "kept"));
}

KerasTensors keras_upsampling(KerasUse& use) {
    const std::size_t axes = keras_axes(use.layer.type);
    auto factor = use.fields.sizes({"size", "length"}, axes);
    if (factor.empty()) factor.assign(axes, 2);
    const auto in = input_of(use, axes);
    if (!in) return {};
    return only(use.add("upsample", {{"factor", with_time(use, factor)}}, {*in}));
}

/// Cells before and behind each axis: one number for all, one for each axis, or two for each.
std::optional<std::vector<std::array<std::int64_t, 2>>> borders_of(KerasUse& use, KerasFields::Names names,
                                                                   std::size_t axes) {
    std::vector<std::array<std::int64_t, 2>> all(axes, {1, 1});
    const auto value = use.fields.find(names);
    if (!value) return all;
    std::vector<std::int64_t> flat;
    const auto wrong = [&] {
        return use.fields.error(*value,
                                "This must be one number, or one or two for each of " + std::to_string(axes) + " axes.",
                                "Write for example [[1, 1], [1, 1]].");
    };
    bool pairs = false;
    const auto put = [&](JsonValue v) {
        const auto n = whole_number(v);
        if (n && *n >= 0 && *n <= limits::dimension) flat.push_back(*n);
        return n && *n >= 0 && *n <= limits::dimension;
    };
    if (!value->is_array() && !value->is_object()) {
        if (!put(*value)) return wrong();
    } else {  // Keras 1 named them: { "top_pad": 1, "bottom_pad": 1, … }
        for (const JsonValue entry : *value) {
            if (flat.size() > 2 * axes) return wrong();
            pairs = pairs || entry.is_array();
            bool good = entry.is_array() ? entry.size() == 2 : put(entry);
            if (entry.is_array())
                for (const JsonValue n : entry) good = good && put(n);
            if (!good) return wrong();
        }
    }
    for (std::size_t a = 0; a < axes; ++a) {
        if (flat.size() == 1)
            all[a] = {flat[0], flat[0]};
        else if (flat.size() == axes && !(axes == 2 && pairs))
            all[a] = {flat[a], flat[a]};
        else if (flat.size() == 2 * axes)
            all[a] = {flat[2 * a], flat[2 * a + 1]};
        else
            return wrong();
    }
    return all;
}

KerasTensors keras_zero_padding(KerasUse& use) {
    const std::size_t axes = keras_axes(use.layer.type);
    const auto borders = borders_of(use, {"padding"}, axes);
    const auto in = input_of(use, axes);
    if (!in || !borders) return {};
    std::vector<std::int64_t> before(in->dims.size(), 0), after = before;
    const std::size_t from = (in->first ? 1u : 0u) + (use.over_time ? 1u : 0u);
    for (std::size_t a = 0; a < axes; ++a) before[from + a] = (*borders)[a][0], after[from + a] = (*borders)[a][1];
    return only(use.add(
        "pad", {{"before", shape_of_keras(before, in->first)}, {"after", shape_of_keras(after, in->first)}}, {*in}));
}

KerasTensors keras_cropping(KerasUse& use) {
    const std::size_t axes = keras_axes(use.layer.type);
    const auto borders = borders_of(use, {"cropping"}, axes);
    const auto in = input_of(use, axes);
    if (!in || !borders) return {};
    std::optional<KerasTensor> out = in;
    for (std::size_t a = 0; out && a < axes; ++a) {
        const std::int64_t start = (*borders)[a][0], end = (*borders)[a][1];
        if (start + end == 0) continue;
        const std::size_t at = a + (use.over_time ? 1 : 0);
        const std::int64_t size = out->dims[at + (in->first ? 1 : 0)] - start - end;
        if (size < 1) return use.error("It cuts everything away.", "Correct its cropping.");
        out = use.add("slice", {{"axis", static_cast<std::int64_t>(at + 1)}, {"start", start}, {"size", size}}, {*out},
                      axes == 1 ? std::string() : "axis" + std::to_string(a + 1));
    }
    return only(out);
}

/// The middle of a larger image, of each axis apart; a smaller one is resized.
KerasTensors cut_to(KerasUse& use, const KerasTensor& in, const std::array<std::int64_t, 2>& sizes) {
    const std::size_t from = in.first ? 1 : 0;
    if (in.dims[from] < sizes[0] || in.dims[from + 1] < sizes[1])
        return only(use.add("resize", {{"output", Shape{sizes[0], sizes[1]}}}, {in}));
    std::optional<KerasTensor> out = in;
    for (std::size_t a = 0; out && a < 2; ++a) {
        const std::int64_t left = out->dims[from + a] - sizes[a];
        if (left == 0) continue;
        out = use.add("slice", {{"axis", static_cast<std::int64_t>(a + 1)}, {"start", left / 2}, {"size", sizes[a]}},
                      {*out}, "axis" + std::to_string(a + 1));
    }
    return only(out);
}

/// To a size that is stated.
KerasTensors keras_resized(KerasUse& use) {
    const std::int64_t height = use.fields.count({"height"}), width = use.fields.count({"width"});
    const bool first = keras_channels_first(use) || use.inputs[0].first;
    if (!has_axes(use, use.inputs[0], 2) || use.fields.failed()) return {};
    const auto in = use.arranged(use.inputs[0], first);
    if (!in) return {};
    if (use.layer.type == "Resizing") return only(use.add("resize", {{"output", Shape{height, width}}}, {*in}));
    return cut_to(use, *in, {height, width});
}

constexpr KerasType pooling_types[] = {
    {"MaxPooling1D MaxPooling2D MaxPool1D MaxPool2D AveragePooling1D AveragePooling2D", keras_pooling, true},
    {"MaxPooling3D MaxPool3D AveragePooling3D", keras_pooling},
    {"GlobalMaxPooling1D GlobalMaxPooling2D GlobalAveragePooling1D GlobalAveragePooling2D", keras_global_pooling, true},
    {"GlobalMaxPooling3D GlobalAveragePooling3D", keras_global_pooling},
    {"UpSampling1D UpSampling2D", keras_upsampling, true},
    {"UpSampling3D", keras_upsampling},
    {"ZeroPadding1D ZeroPadding2D", keras_zero_padding, true},
    {"ZeroPadding3D", keras_zero_padding},
    {"Cropping1D Cropping2D", keras_cropping, true},
    {"Cropping3D", keras_cropping},
    {"Resizing CenterCrop RandomCrop", keras_resized},
};

}  // namespace

std::span<const KerasType> keras_pooling_types() { return pooling_types; }

}  // namespace scalescope::formats
