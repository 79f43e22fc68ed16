// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that act along an axis: sums, choices, orders. Priced by their bytes (docs/decisions/layer-kinds.md).
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const AttributeInfo keep_dims{"keep_dims", AttributeType::boolean, false, {}, 0, "reduced axes stay, with size 1"};

const std::array<AttributeInfo, 3> reduce_attributes{{
    {"operation", AttributeType::choice, std::string("mean"),
     "sum|mean|max|min|product|l1|l2|sum_square|log_sum_exp|variance", 0, "of the elements along the axes"},
    {"axes", AttributeType::sizes, Sizes{}, {}, first_axis, "axes, the batch being 0 and the last -1; none: all"},
    keep_dims,
}};
const std::array<AttributeInfo, 2> argmax_attributes{{axis_row, keep_dims}};
const std::array<AttributeInfo, 2> top_k_attributes{{
    {"k", AttributeType::integer, {}, {}, 1, "elements chosen"},
    axis_row,
}};
const std::array<AttributeInfo, 1> axis_attributes{{axis_row}};

/// What is left of `in` without the axes marked.
Shape reduced(const Shape& in, const std::vector<char>& gone, bool keep) {
    Shape out;
    for (std::size_t a = 0; a < in.size(); ++a) {
        if (gone[a] == 0) out.push_back(in[a]);
        if (gone[a] != 0 && keep) out.push_back(1);
    }
    if (out.empty()) out.push_back(1);
    return out;
}

Division without(const std::vector<char>& gone) {
    return gone.empty() || gone.back() != 0 ? Division::mixing : Division::channelwise;
}

Result<LayerFacts> infer_reduce(const Layer& layer, std::span<const Shape> inputs) {
    const Shape& in = inputs[0];
    const auto& axes = get<Sizes>(layer, "axes");
    std::vector<char> gone(in.size(), axes.empty());
    for (const std::int64_t given : axes) {
        ASSIGN_OR_RETURN(const auto axis, axis_of(given, in));
        gone[axis] = 1;
    }
    const std::string& operation = get<std::string>(layer, "operation");
    const bool linear = operation == "sum" || operation == "mean", choice = operation == "max" || operation == "min";
    // A sum's gradient is the same for all it is made of, a choice's goes to where the index says.
    auto f = bytes_only(reduced(in, gone, get<bool>(layer, "keep_dims")), inputs, without(gone), {1, 1, 0},
                        linear || choice ? Traffic{1, 1, 0} : Traffic{2, 1, 0});
    if (!f) return f;
    f->mask = choice ? index_bytes : 0;
    f->keeps_input = !linear && !choice;
    return f;
}

Result<LayerFacts> infer_argmax(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, inputs[0]));
    std::vector<char> gone(inputs[0].size(), 0);
    gone[axis] = 1;
    // a position has no gradient
    return bytes_only(reduced(inputs[0], gone, get<bool>(layer, "keep_dims")), inputs, without(gone), {1, 1, 0}, {});
}

/// Values and their indices.
Result<LayerFacts> ordered(Shape out, std::span<const Shape> inputs, std::size_t axis) {
    auto f = bytes_only(std::move(out), inputs, division_along(axis, inputs[0]), {1, 2, 0}, {1, 1, 0});
    if (f) f->mask = index_bytes;
    return f;
}

Result<LayerFacts> infer_top_k(const Layer& layer, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    const auto axis = axis_of(layer, out);
    if (!axis) return tl::unexpected(axis.error());
    const std::int64_t k = get<std::int64_t>(layer, "k");
    if (k > out[*axis])
        return wrong(
            "There are only " + std::to_string(out[*axis]) + " elements to choose " + std::to_string(k) + " from.",
            "choose fewer, or another axis");
    out[*axis] = k;
    return ordered(std::move(out), inputs, *axis);
}

Result<LayerFacts> infer_sort(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, inputs[0]));
    return ordered(inputs[0], inputs, axis);
}

Result<LayerFacts> infer_cumulative(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, inputs[0]));
    return bytes_only(inputs[0], inputs, division_along(axis, inputs[0]), {1, 1, 0}, {1, 1, 0});
}

}  // namespace

const Kind reduce{"reduce", "Reduction", reduce_attributes, 1, 1, infer_reduce};
const Kind argmax{"argmax", "Argmax", argmax_attributes, 1, 1, infer_argmax};
const Kind top_k{"top_k", "Top k", top_k_attributes, 1, 1, infer_top_k};
const Kind sort{"sort", "Sort", axis_attributes, 1, 1, infer_sort};
const Kind cumulative_sum{"cumulative_sum", "Cumulative sum", axis_attributes, 1, 1, infer_cumulative};

}  // namespace scalescope::kinds
