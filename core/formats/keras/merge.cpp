// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that join several tensors.
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"
#include "core/formats/word_table.hpp"

namespace scalescope::formats {
namespace {

/// All inputs laid out like the first, with as many axes: Keras puts those that are missing in front.
std::optional<KerasTensors> alike(KerasUse& use) {
    std::size_t rank = 0;
    for (const KerasTensor& t : use.inputs) rank = std::max(rank, t.dims.size());
    const auto it = std::ranges::find_if(use.inputs, [&](const auto& t) { return t.dims.size() == rank; });
    const bool first = it->first;
    KerasTensors all;
    for (const KerasTensor& t : use.inputs) {
        std::optional<KerasTensor> same = t;
        if (t.dims.size() < rank) {
            KerasDims dims(rank - t.dims.size(), 1);
            dims.insert(dims.end(), t.dims.begin(), t.dims.end());
            same = use.arranged(t, false);
            if (same) same = use.view(*same, dims, false, "axes");
        }
        if (same) same = use.arranged(*same, first);
        if (!same) return std::nullopt;
        all.push_back(std::move(*same));
    }
    return all;
}

/// Classes of layers, and the modes of Keras 1.
constexpr WordRow merging_words[] = {{"add", "Add sum"},      {"subtract", "Subtract"},   {"multiply", "Multiply mul"},
                                     {"mean", "Average ave"}, {"maximum", "Maximum max"}, {"minimum", "Minimum min"}};

KerasTensors keras_merged(KerasUse& use) { return merged(use, std::string(*ours_for(use.layer.type, merging_words))); }

KerasTensors keras_concatenate(KerasUse& use) {
    const std::int64_t axis = use.fields.integer({"axis", "concat_axis"}, -1, -limits::rank, limits::rank);
    return use.fields.failed() ? KerasTensors{} : concatenated(use, axis);
}

KerasTensors keras_dot(KerasUse& use) {
    return dot_product(use, use.fields.list({"axes", "dot_axes"}, -limits::rank, limits::rank));
}

/// Keras 1: one class for all of them, with a mode.
KerasTensors keras_merge(KerasUse& use) {
    KerasFields& f = use.fields;
    const auto mode = f.find({"mode"});
    const std::string_view word = mode && mode->is_string() ? mode->text() : "sum";
    if (is_among(word, "sum mul ave max min")) return merged(use, std::string(*ours_for(word, merging_words)));
    if (word == "concat") return keras_concatenate(use);
    if (word == "dot" || word == "cos") return dot_product(use, f.list({"dot_axes"}, -limits::rank, limits::rank));
    // A function of the author's own.
    return unknown_result(use);
}

constexpr KerasType merge_types[] = {
    {"Add Multiply Average Maximum Minimum", keras_merged, true},
    {"Subtract", keras_merged, true, 2},
    {"Concatenate", keras_concatenate},
    {"Dot", keras_dot, false, 2},
    {"Merge", keras_merge},
};

}  // namespace

KerasTensors merged(KerasUse& use, const std::string& operation, std::string_view part) {
    if (use.inputs.size() < 2) return {use.inputs[0]};
    const auto all = alike(use);
    if (!all) return {};
    bool same = true;
    for (const KerasTensor& t : *all) same = same && t.dims == (*all)[0].dims;
    if (same && operation == "add") return only(use.add("add", {}, *all, part));
    return only(use.add("elementwise", {{"operation", operation}}, *all, part));
}

KerasTensors concatenated(KerasUse& use, std::int64_t axis, std::string_view part) {
    if (use.inputs.size() < 2) return {use.inputs[0]};
    const auto rank = static_cast<std::int64_t>(use.inputs[0].dims.size());
    const std::int64_t a = axis < 0 ? rank + axis : axis - 1;
    bool fits = a >= 0 && a < rank;
    for (const KerasTensor& t : use.inputs) fits = fits && static_cast<std::int64_t>(t.dims.size()) == rank;
    for (std::size_t i = 0; fits && i < use.inputs[0].dims.size(); ++i)
        for (const KerasTensor& t : use.inputs)
            fits = fits && (static_cast<std::int64_t>(i) == a || t.dims[i] == use.inputs[0].dims[i]);
    if (!fits) {
        std::string shapes;
        for (std::size_t i = 0; i < use.inputs.size() && i < 6; ++i)
            shapes += (i > 0 ? ", " : "") + to_text(use.inputs[i].dims);
        return use.error("Its inputs cannot be joined along axis " + std::to_string(axis) + ": " + shapes + ".",
                         "Correct the axis, counted with the batch as 0, or the layers before it.");
    }
    // Joined along the channels, wherever the file has them.
    const bool first = rank > 1 && a == 0 && use.inputs[0].first;
    KerasTensors all;
    for (const KerasTensor& t : use.inputs) {
        const auto same = use.arranged(t, first || use.inputs[0].first);
        if (!same) return {};
        all.push_back(*same);
    }
    // The axis among those of this program, from 1 on; the last is the channels, and goes without saying.
    const std::int64_t at = all[0].first ? (a + rank - 1) % rank : a;
    if (at == rank - 1) return only(use.add("concat", {}, all, part));
    return only(use.add("concat", {{"axis", at + 1}}, all, part));
}

KerasTensors dot_product(KerasUse& use, const std::vector<std::int64_t>& axes) {
    if (use.fields.failed()) return {};
    std::optional<KerasTensor> a = use.arranged(use.inputs[0], false), b = use.arranged(use.inputs[1], false);
    if (!a || !b) return {};
    const auto at = [&](std::size_t i, const KerasTensor& t) {
        const auto rank = static_cast<std::int64_t>(t.dims.size());
        const std::int64_t axis = axes.empty() ? -1 : axes[std::min(i, axes.size() - 1)];
        return axis < 0 ? rank + axis : axis - 1;
    };
    const std::int64_t along_a = at(0, *a), along_b = at(1, *b);
    const std::size_t rank_a = a->dims.size(), rank_b = b->dims.size();
    const bool fits = rank_a >= 1 && rank_a <= 2 && rank_b >= 1 && rank_b <= 2 && along_a >= 0 && along_b >= 0 &&
                      along_a < static_cast<std::int64_t>(rank_a) && along_b < static_cast<std::int64_t>(rank_b);
    if (!fits)
        return use.error(
            "The product of " + to_text(a->dims) + " and " + to_text(b->dims) + " along these axes is none here.",
            "Reshape both to at most two axes beside the batch.");
    // A vector is a matrix of one row, or of one column.
    if (rank_a == 1) a = use.view(*a, {1, a->dims[0]}, false, "row");
    if (rank_b == 1) b = use.view(*b, {b->dims[0], 1}, false, "column");
    if (!a || !b) return {};
    const bool turn_a = rank_a == 2 && along_a == 0, turn_b = rank_b == 2 && along_b == 1;
    auto out = use.add("matmul", {{"transpose_a", turn_a}, {"transpose_b", turn_b}}, {*a, *b});
    if (!out) return {};
    KerasDims dims = out->dims;
    if (rank_a == 1) dims.erase(dims.begin());
    if (rank_b == 1) dims.erase(dims.end() - 1);
    if (dims.empty()) dims.push_back(1);
    return only(use.view(*out, dims, false, "vector"));
}

std::span<const KerasType> keras_merge_types() { return merge_types; }

}  // namespace scalescope::formats
