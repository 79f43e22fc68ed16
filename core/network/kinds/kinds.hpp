// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/network/kind.hpp"

/// Shared by the files of this folder; everybody else goes through network/kind.hpp.
namespace scalescope::kinds {

extern const Kind input, parameter, constant, convolution, transposed_convolution, pooling, global_pooling,
    adaptive_pooling, dense, batch_norm, lrn, activation, dropout, softmax, log_softmax, concat, add, flatten, reshape,
    identity, upsample, resize, unknown, matmul, einsum, attention, embedding, rotary, layer_norm, rms_norm, group_norm,
    instance_norm, l2_normalize, scale, glu, elementwise, cross_entropy, loss, rnn, lstm, gru, conv_lstm,
    mixture_of_experts, slice, transpose, gather, pad, expand, space_to_depth, depth_to_space, reduce, argmax, top_k,
    sort, cumulative_sum, scatter;

using Sizes = std::vector<std::int64_t>;

inline tl::unexpected<Problems> wrong(std::string what, std::string remedy) {
    return fail(make_error(std::move(what), std::move(remedy)));
}

template <class T>
const T& get(const Layer& layer, std::string_view name) {
    return std::get<T>(attribute(layer, name));
}

/// Rows of the attribute tables of several kinds. `required` attributes have no initial value.
inline constexpr std::monostate required;
inline const AttributeInfo fused_activation{"activation",
                                            AttributeType::choice,
                                            std::string("none"),
                                            "none|relu|leaky_relu|sigmoid|tanh|softmax",
                                            0,
                                            "applied in place, at no extra cost"};
inline const AttributeInfo scale_row{"scale", AttributeType::boolean, true, {}, 0, "a trained factor for each channel"};
inline const AttributeInfo bias_row{"bias", AttributeType::boolean, true, {}, 0, "a trained shift of each channel"};

/// Whether the kind's `activation`, done in place, is another than none. It is undone from the output.
inline bool has_fused_activation(const Layer& layer) { return get<std::string>(layer, "activation") != "none"; }

/// Of an input with 1 to 3 axes before its channels: a sequence, an image, a volume. Axes that are not there are 1 and
/// stand first, so that a sequence is an image one cell high.
using Axes = std::array<std::int64_t, 3>;
struct Spatial {
    std::size_t count = 2;  ///< axes that are there
    Axes in{1, 1, 1};
    std::int64_t channels = 1;
    std::size_t first() const { return 3 - count; }
    /// [out.., channels]
    Shape shape(const Axes& out, std::int64_t of_channels) const;
    /// "3×5": sizes along the axes that are there.
    std::string text(const Axes& sizes) const;
};
/// The input of a layer with `axes` axes, or the problem that it is none.
Result<Spatial> spatial(const Layer& layer, const Shape& shape, std::size_t axes);
/// The attribute `name` for each axis, `without` on those that are not there; the kind's own default serves any number.
Result<Axes> per_axis(const Layer& layer, std::string_view name, const Spatial& of, std::int64_t without = 1);
struct Sides {
    Axes before{}, after{};
};
/// The layer's explicit padding for each axis, or zeros.
Result<Sides> sides(const Layer& layer, const Spatial& of);

/// Of an attribute that names an axis, counted as shapes are written.
inline constexpr std::int64_t first_axis = -limits::rank;
inline const AttributeInfo axis_row{
    "axis", AttributeType::integer, std::int64_t{-1}, {}, first_axis, "axis, the batch being 0 and the last -1"};
/// Where in a sample's shape the layer's `axis` is, counted as shapes are written: 0 is the batch, -1 the last.
Result<std::size_t> axis_of(std::int64_t axis, const Shape& shape);
/// The same for the layer's attribute "axis".
Result<std::size_t> axis_of(const Layer& layer, const Shape& shape);
inline constexpr double index_bytes = 8;  ///< of an element that was chosen, as in PyTorch
/// A layer that treats all channels alike, unless it acts along the last axis.
inline Division division_along(std::size_t axis, const Shape& shape) {
    return axis + 1 == shape.size() ? Division::mixing : Division::channelwise;
}
tl::unexpected<Problems> work_overflows();
/// Fills in sizes, checks them against the limits, and sets the traffic of a layer that only moves bytes:
/// forward reads its inputs `fi` times and writes its output `fo` times, backward `bi` and `bo`.
Result<LayerFacts> bytes_only(Shape output, std::span<const Shape> inputs, Division division, Traffic forward,
                              Traffic backward);
/// What such a layer makes at one place of the first dimension needs nothing of the other places.
inline void act_at_positions(LayerFacts& f) {
    if (f.output.size() >= 2) f.along(ShardAlong::positions) = f.output.front();
}
inline Result<LayerFacts> act_at_positions(Result<LayerFacts> f) {
    if (f) act_at_positions(*f);
    return f;
}
/// Nor does one vector along the last dimension need another one.
inline Result<LayerFacts> act_on_vectors(Result<LayerFacts> f) {
    if (f && f->output.size() >= 3) f->along(ShardAlong::vectors) = f->output[f->output.size() - 2];
    return act_at_positions(std::move(f));
}
/// A layer that makes each row of an image from a window of rows of its input.
inline Result<LayerFacts> act_on_rows(Result<LayerFacts> f, const RowWindow& window) {
    if (f && f->output.size() >= 3) f->rows = window, f->along(ShardAlong::image_rows) = f->output.front();
    return f;
}
/// The same with rows that are computed from the one at their place, and from numbers of all rows.
inline Result<LayerFacts> act_on_own_rows(Result<LayerFacts> f, std::int64_t statistics = 0, bool of_batch = false) {
    const std::int64_t rows = f && !f->output.empty() ? f->output.front() : 0;
    return act_on_rows(std::move(f), {rows, 1, 1, 0, false, statistics, of_batch});
}
/// The dimensions of a `shape` without the batch, or what is wrong with it.
Result<Shape> per_sample(const std::vector<Dim>& dims);
/// The shape that two shapes have together by NumPy's rule, from the last axis on; nothing if they do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
/// Facts of a product with weights: forward, gradient to inputs and gradient to weights are products of the same size,
/// and touch input, output and weights once.
LayerFacts product(Shape output, std::int64_t units, std::int64_t multiply_adds, std::int64_t weights);
/// A product of two inputs, neither of which is trained, or what is wrong with it.
Result<LayerFacts> product_of_inputs(Shape output, std::span<const Shape> inputs, Checked multiply_adds);
/// Checks sizes and fills in elements; every infer function ends here.
Result<LayerFacts> finish(LayerFacts facts, std::span<const Shape> inputs);

/// One axis of a window: output size and the padding before and after it.
struct Window {
    std::int64_t out, before, after;
};
/// Output of a window of `kernel` (already dilated) and `stride` over `in`; `same` pads to ceil(in / stride) with the
/// odd cell after (TensorFlow's rule, which PALEO uses too).
Window window(std::int64_t in, std::int64_t kernel, std::int64_t stride, Padding::Mode mode, std::int64_t before,
              std::int64_t after, bool ceil_mode);

}  // namespace scalescope::kinds
