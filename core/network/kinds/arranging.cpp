// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that put elements elsewhere: parts, joints, other orders of axes. Priced by the bytes they copy
// (docs/decisions/layer-kinds.md).
#include <algorithm>
#include <array>
#include <numeric>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

/// A part: read and written; its gradient is written among zeros.
constexpr Traffic part_forward{0, 2, 0}, part_backward{1, 1, 0};

const std::array<AttributeInfo, 1> concat_attributes{{axis_row}};
const std::array<AttributeInfo, 4> slice_attributes{{
    axis_row,
    {"start", AttributeType::integer, std::int64_t{0}, {}, 0, "first element taken"},
    {"size", AttributeType::integer, {}, {}, 1, "elements taken"},
    {"step", AttributeType::integer, std::int64_t{1}, {}, 1, "distance between them"},
}};
const std::array<AttributeInfo, 1> transpose_attributes{{
    {"permutation", AttributeType::sizes, {}, {}, 1, "the axes in their new order, from 1; the batch stays"},
}};
const std::array<AttributeInfo, 2> gather_attributes{{
    axis_row,
    {"size", AttributeType::integer, std::int64_t{0}, {}, 0, "elements picked; 0: one for each of the second input"},
}};
const std::array<AttributeInfo, 2> pad_attributes{{
    {"before", AttributeType::sizes, {}, {}, 0, "elements added before each axis of a sample"},
    {"after", AttributeType::sizes, {}, {}, 0, "elements added after each axis of a sample"},
}};
const std::array<AttributeInfo, 1> expand_attributes{{
    {"shape", AttributeType::shape, {}, {}, 1, "dimensions, batch first; the input is repeated to fill them"},
}};
const std::array<AttributeInfo, 1> block_attributes{{
    {"block", AttributeType::integer, {}, {}, 1, "side of the square of cells that become channels, or come from them"},
}};

Result<LayerFacts> infer_concat(const Layer& layer, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    const auto axis = axis_of(layer, out);
    if (!axis) return tl::unexpected(axis.error());
    const bool channels = *axis + 1 == out.size();
    Checked along = 0;
    for (const auto& s : inputs) {
        bool same = s.size() == out.size();
        for (std::size_t i = 0; same && i < s.size(); ++i) same = i == *axis || s[i] == out[i];
        if (!same)
            return wrong(
                "The inputs of a concatenation differ outside their " + std::string(channels ? "channels" : "axis") +
                    ": " + to_text(out) + " and " + to_text(s) + ".",
                channels ? "give all of them the same height and width" : "bring all other axes to the same size");
        along = along + s[*axis];
    }
    if (!along.ok()) return wrong("The channels are too many to count.", "check the sizes for a typing error");
    out[*axis] = along.value();
    auto f = bytes_only(std::move(out), inputs, Division::channelwise, {1, 1, 0}, {1, 1, 0});
    if (f && channels && f->output.size() >= 3) f->along(ShardAlong::vectors) = f->output[f->output.size() - 2];
    return *axis > 0 ? act_on_own_rows(std::move(f)) : f;
}

Result<LayerFacts> infer_slice(const Layer& layer, std::span<const Shape> inputs) {
    Shape out = inputs[0];
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, out));
    const std::int64_t start = get<std::int64_t>(layer, "start"), size = get<std::int64_t>(layer, "size"),
                       step = get<std::int64_t>(layer, "step"), last = start + (size - 1) * step;
    if (last >= out[axis])
        return wrong("The slice ends behind element " + std::to_string(last) + " of " + std::to_string(out[axis]) + ".",
                     "choose a smaller start, size or step");
    out[axis] = size;
    return bytes_only(std::move(out), inputs, division_along(axis, inputs[0]), part_forward, part_backward);
}

Result<LayerFacts> infer_transpose(const Layer& layer, std::span<const Shape> inputs) {
    const Shape& in = inputs[0];
    const auto& order = get<Sizes>(layer, "permutation");
    Sizes sorted = order, all(in.size());
    std::ranges::sort(sorted);
    std::iota(all.begin(), all.end(), 1);
    if (sorted != all)
        return wrong("A permutation names each axis of " + to_text(in) + " once, from 1.",
                     "write for example [2, 1] to exchange two axes");
    Shape out;
    for (const std::int64_t axis : order) out.push_back(in[static_cast<std::size_t>(axis - 1)]);
    const bool channels_stay = order.empty() || order.back() == static_cast<std::int64_t>(order.size());
    return bytes_only(std::move(out), inputs, channels_stay ? Division::channelwise : Division::mixing, {1, 1, 0},
                      {1, 1, 0});
}

Result<LayerFacts> infer_gather(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto axis, axis_of(layer, inputs[0]));
    const std::int64_t size = get<std::int64_t>(layer, "size");
    if (size == 0 && inputs.size() == 1)
        return wrong("It is not said which elements are gathered.",
                     "give their number as size, or connect the indices");
    Shape out(inputs[0].begin(), inputs[0].begin() + static_cast<std::ptrdiff_t>(axis));
    if (size > 0)
        out.push_back(size);
    else
        out.insert(out.end(), inputs[1].begin(), inputs[1].end());
    out.insert(out.end(), inputs[0].begin() + static_cast<std::ptrdiff_t>(axis) + 1, inputs[0].end());
    if (out.size() >= static_cast<std::size_t>(limits::rank))
        return wrong("The output would have too many dimensions.", "flatten the indices");
    return bytes_only(std::move(out), inputs, inputs.size() > 1 ? Division::mixing : division_along(axis, inputs[0]),
                      part_forward, part_backward);
}

/// The first input is copied and the second put into the copy. Going back, the gradient is copied and zeros are put
/// where the second went; from there its own gradient is read.
Result<LayerFacts> infer_scatter(const Layer&, std::span<const Shape> inputs) {
    const std::int64_t put = elements(inputs[1]);
    if (put > limits::elements) return work_overflows();
    return bytes_only(inputs[0], inputs, Division::mixing, {1, 1, 0, put}, {1, 1, 0, 2 * put});
}

Result<LayerFacts> infer_pad(const Layer& layer, std::span<const Shape> inputs) {
    const auto &before = get<Sizes>(layer, "before"), &after = get<Sizes>(layer, "after");
    Shape out = inputs[0];
    if (before.size() != out.size() || after.size() != out.size() || out.empty())
        return wrong("Padding needs a size for each axis of " + to_text(out) + ", before and after it.",
                     "write 0 where nothing is added");
    for (std::size_t a = 0; a < out.size(); ++a) {
        const Checked n = Checked(out[a]) + before[a] + after[a];
        if (!n.ok()) return wrong("The output is too large to count.", "use less padding");
        out[a] = n.value();
    }
    const Division division = before.back() + after.back() == 0 ? Division::channelwise : Division::mixing;
    return bytes_only(std::move(out), inputs, division, {1, 1, 0}, {1, 1, 0});
}

Result<LayerFacts> infer_expand(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(auto shape, per_sample(get<std::vector<Dim>>(layer, "shape")));
    const auto both = broadcast(inputs[0], shape);
    if (!both || *both != shape)
        return wrong("An input of " + to_text(inputs[0]) + " cannot be repeated to " + to_text(shape) + ".",
                     "repeat only axes of size 1, or new ones in front");
    const bool channels_stay = !inputs[0].empty() && inputs[0].back() == shape.back();
    auto f = bytes_only(std::move(shape), inputs, channels_stay ? Division::channelwise : Division::mixing, {1, 1, 0},
                        {1, 1, 0});
    const std::size_t rank = inputs[0].size();
    if (f && rank >= 3 && f->output.size() == rank && inputs[0][rank - 2] == 1)
        f->along(ShardAlong::copies) = f->output[rank - 2];
    return f;
}

template <bool to_depth>
Result<LayerFacts> infer_blocks(const Layer& layer, std::span<const Shape> inputs) {
    ASSIGN_OR_RETURN(const auto in, spatial(layer, inputs[0], 2));
    const std::int64_t b = get<std::int64_t>(layer, "block"), h = in.in[1], w = in.in[2];
    const Checked square = Checked(b) * b, wide = Checked(w) * b, high = Checked(h) * b, deep = square * in.channels;
    if (!deep.ok() || !wide.ok() || !high.ok()) return work_overflows();
    if (to_depth ? h % b != 0 || w % b != 0 : in.channels % square.value() != 0)
        return wrong(
            "Blocks of " + std::to_string(b) + "×" + std::to_string(b) + " do not divide " + to_text(inputs[0]) + ".",
            "choose another size of the blocks");
    Shape out =
        to_depth ? Shape{h / b, w / b, deep.value()} : Shape{high.value(), wide.value(), in.channels / square.value()};
    return bytes_only(std::move(out), inputs, Division::mixing, {1, 1, 0}, {1, 1, 0});
}

}  // namespace

const Kind concat{"concat", "Concatenation", concat_attributes, 2, -1, infer_concat};
const Kind slice{"slice", "Slice", slice_attributes, 1, 1, infer_slice};
const Kind transpose{"transpose", "Transpose", transpose_attributes, 1, 1, infer_transpose};
const Kind gather{"gather", "Gather", gather_attributes, 1, 2, infer_gather};
const Kind scatter{"scatter", "Scatter", {}, 2, 3, infer_scatter};
const Kind pad{"pad", "Padding", pad_attributes, 1, 1, infer_pad};
const Kind expand{"expand", "Expand", expand_attributes, 1, 1, infer_expand};
const Kind space_to_depth{"space_to_depth", "Space to depth", block_attributes, 1, 1, infer_blocks<true>};
const Kind depth_to_space{"depth_to_space", "Depth to space", block_attributes, 1, 1, infer_blocks<false>};

}  // namespace scalescope::kinds
