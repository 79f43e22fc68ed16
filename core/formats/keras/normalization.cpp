// SPDX-License-Identifier: GPL-3.0-or-later
// Normalizations, over the batch, the channels and groups of them.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

/// Keras's axis (the batch is 0, -1 the last) among the dimensions without the batch.
std::optional<std::size_t> place_of(std::int64_t axis, const KerasTensor& tensor) {
    const auto rank = static_cast<std::int64_t>(tensor.dims.size());
    const std::int64_t a = axis < 0 ? rank + axis : axis - 1;
    if (a < 0 || a >= rank) return std::nullopt;
    return static_cast<std::size_t>(a);
}

void no_axis(KerasUse& use) {
    use.error("The layer normalizes along an axis that its input does not have: " + to_text(use.inputs[0].dims) +
                  " beside the batch.",
              "Correct its axis; -1 is the last.");
}

/// The axes that a layer names, as a number or as a list (tf.keras 2 writes "axis": [3]), in order and each once, and
/// the product of their sizes.
struct Axes {
    std::vector<std::size_t> places;
    Checked size = 1;
};
std::optional<Axes> axes_of(KerasUse& use) {
    auto named = use.fields.list({"axis"}, -limits::rank, limits::rank);
    if (use.fields.failed()) return std::nullopt;
    if (named.empty()) named.push_back(-1);
    Axes axes;
    for (const std::int64_t axis : named) {
        const auto at = place_of(axis, use.inputs[0]);
        if (!at) return no_axis(use), std::nullopt;
        if (std::ranges::find(axes.places, *at) != axes.places.end()) continue;
        axes.places.push_back(*at);
        axes.size = axes.size * use.inputs[0].dims[*at];
    }
    std::ranges::sort(axes.places);
    return axes;
}

KerasTensors too_large(KerasUse& use) { return use.error("It is too large to count.", "Check the sizes."); }

/// The input with the axis `at` where this program has the channels; nothing for one between others.
std::optional<KerasTensor> along(KerasUse& use, std::size_t at) {
    const std::size_t last = use.inputs[0].dims.size() - 1;
    if (at == last) return use.arranged(use.inputs[0], false);
    if (at == 0) return use.arranged(use.inputs[0], true);
    return std::nullopt;
}

/// Along an axis between others: by its bytes.
KerasTensors between(KerasUse& use, std::int64_t weights) { return only(use.unknown(use.inputs[0].dims, weights)); }

struct Affine {
    bool scale, bias;
    std::int64_t each() const { return (scale ? 1 : 0) + (bias ? 1 : 0); }
};

Affine affine_of(KerasUse& use) { return {use.fields.flag({"scale"}, true), use.fields.flag({"center"}, true)}; }

KerasTensors keras_batch_norm(KerasUse& use) {
    const Affine affine = affine_of(use);
    const std::int64_t mode = use.fields.integer({"mode"}, 0, 0, 2);
    const auto axes = axes_of(use);
    if (!axes) return {};
    const std::size_t at = axes->places.front();
    const bool edge = axes->places.size() == 1 && (at == 0 || at + 1 == use.inputs[0].dims.size());
    const Checked weights = axes->size * affine.each();
    if (!weights.ok()) return too_large(use);
    if (!edge) return between(use, weights.value());
    const auto in = along(use, at);
    if (!in) return {};
    // Keras 1 had one that normalizes each sample for itself.
    if (mode == 1) return only(use.add("layer_norm", {}, {*in}));
    return only(use.add("batch_norm", {{"scale", affine.scale}, {"bias", affine.bias}}, {*in}));
}

/// Over the axes it names, which stand last: they become one.
KerasTensors keras_layer_norm(KerasUse& use) {
    const bool rms = use.layer.type == "RMSNormalization" || use.fields.flag({"rms_scaling"}, false);
    const Affine affine = affine_of(use);
    const auto axes = axes_of(use);
    if (!axes) return {};
    const KerasDims dims = use.inputs[0].dims;
    const auto& places = axes->places;
    const Checked size = axes->size, weights = size * (rms ? 1 : affine.each());
    const bool trailing = places.back() + 1 == dims.size() && places.back() - places.front() + 1 == places.size();
    if (!size.ok() || !weights.ok()) return too_large(use);
    const bool channels = places.size() == 1 && places[0] == 0 && use.inputs[0].first;
    if (!trailing && !channels) return between(use, weights.value());
    auto in = use.arranged(use.inputs[0], channels);
    if (in && places.size() > 1) {
        KerasDims joined(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(places.front()));
        joined.push_back(size.value());
        in = use.view(*in, joined, false, "joined");
    }
    if (!in) return {};
    const bool first = in->first;
    auto out = rms ? use.add("rms_norm", {}, {*in})
                   : use.add("layer_norm", {{"scale", affine.scale}, {"bias", affine.bias}}, {*in});
    return only(out ? use.view(*out, dims, first, "apart") : out);
}

/// Those of TensorFlow Addons and of keras-contrib among them: an instance is a group for each channel.
KerasTensors keras_group_norm(KerasUse& use) {
    const Affine affine = affine_of(use);
    const bool instance = use.layer.type.ends_with("InstanceNormalization");
    const std::int64_t groups = use.fields.integer({"groups"}, instance ? -1 : 32, -1, limits::dimension);
    // keras-contrib's with no axis has one factor and one shift for all.
    if (const auto axis = use.fields.value().find("axis"); instance && axis && axis->is_null())
        return between(use, affine.each());
    const auto axes = axes_of(use);
    if (!axes) return {};
    if (groups == 0) return no_axis(use), KerasTensors{};
    const std::size_t at = axes->places.front();
    const Checked weights = axes->size * affine.each();
    if (!weights.ok()) return too_large(use);
    if (axes->places.size() > 1 || (at != 0 && at + 1 != use.inputs[0].dims.size()))
        return between(use, weights.value());
    const std::int64_t size = axes->size.value();
    const auto in = along(use, at);
    if (!in) return {};
    return only(use.add(
        "group_norm", {{"groups", groups < 0 ? size : groups}, {"scale", affine.scale}, {"bias", affine.bias}}, {*in}));
}

constexpr KerasType normalization_types[] = {
    {"BatchNormalization BatchNormalizationV1 BatchNormalizationV2 SyncBatchNormalization", keras_batch_norm},
    {"LayerNormalization RMSNormalization", keras_layer_norm},
    {"GroupNormalization Addons>GroupNormalization InstanceNormalization Addons>InstanceNormalization",
     keras_group_norm},
};

}  // namespace

std::span<const KerasType> keras_normalization_types() { return normalization_types; }

}  // namespace scalescope::formats
