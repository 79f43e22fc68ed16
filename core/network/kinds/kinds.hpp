// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/network/kind.hpp"

/// Shared by the files of this folder; everybody else goes through network/kind.hpp.
namespace scalescope::kinds {

extern const Kind input, parameter, convolution, transposed_convolution, pooling, global_pooling, dense, batch_norm,
    lrn, activation, dropout, softmax, concat, add, flatten, reshape, upsample, unknown, matmul, attention, embedding,
    layer_norm, rms_norm, group_norm, instance_norm, scale, glu, elementwise, cross_entropy, rnn, lstm, gru,
    mixture_of_experts;

using Sizes = std::vector<std::int64_t>;

inline tl::unexpected<Problems> wrong(std::string what, std::string remedy) {
    return fail(Problem{Severity::error, std::move(what), {}, std::move(remedy), {}});
}

template <class T>
const T& get(const Layer& layer, std::string_view name) {
    return std::get<T>(attribute(layer, name));
}

/// Whether the kind's `activation`, done in place, is another than none. It is undone from the output.
inline bool has_fused_activation(const Layer& layer) { return get<std::string>(layer, "activation") != "none"; }

/// [height, width, channels] of an image-like input, or the problem that it is none.
Result<Shape> image(const Layer& layer, const Shape& shape);
/// Fills in sizes, checks them against the limits, and sets the traffic of a layer that only moves bytes:
/// forward reads its inputs `fi` times and writes its output `fo` times, backward `bi` and `bo`.
Result<LayerFacts> bytes_only(Shape output, std::span<const Shape> inputs, Division division, Traffic forward,
                              Traffic backward);
/// The dimensions of a `shape` without the batch, or what is wrong with it.
Result<Shape> per_sample(const std::vector<Dim>& dims);
/// The shape that two shapes have together by NumPy's rule, from the last axis on; nothing if they do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
/// Facts of a product with weights: forward, gradient to inputs and gradient to weights are products of the same size,
/// and touch input, output and weights once.
LayerFacts product(Shape output, std::int64_t units, std::int64_t multiply_adds, std::int64_t weights);
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
