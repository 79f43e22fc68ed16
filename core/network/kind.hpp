// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/network/layer.hpp"

namespace scalescope {

enum class AttributeType { boolean, integer, number, choice, text, sizes, padding, shape };

/// `sizes` is a list of whole numbers: of the axes of a window, or of axes themselves.
/// One row of a kind's attribute table: serves the file readers, the writer and (later) the canvas.
struct AttributeInfo {
    std::string_view name;
    AttributeType type;
    AttributeValue initial;         ///< std::monostate: must be given; an empty shape: may be left out
    std::string_view choices = {};  ///< for `choice`: allowed words, separated by '|'
    std::int64_t minimum = 1;       ///< for integers, and for each of `sizes`
    std::string_view text = {};
    bool open = false;  ///< of an integer: it may be a symbol of the network instead
};

/// How a layer behaves when its outputs are divided over workers (docs/decisions/dividing-work.md).
enum class Division {
    source,       ///< input data: free on every worker that needs them
    weights,      ///< cut along output channels or units; needs its whole input
    channelwise,  ///< acts channel by channel: stays divided and moves nothing
    mixing,       ///< mixes channels and has nothing to cut: runs whole on every worker
    view          ///< moves nothing and costs nothing; its output is its input's tensor
};

/// Along what the work of a layer can be cut over the ranks of an axis (core/parallel/shardings).
enum class ShardAlong : std::uint8_t {
    outputs,      ///< features of its output: each rank has columns of the weights and needs the whole input
    inputs,       ///< features of its input: rows of the weights, with which each rank makes a summand of the output
    channels,     ///< it acts feature by feature, or group by group, on what a rank has
    heads,        ///< of an attention
    vocabulary,   ///< rows of an embedding's table; classes of a loss
    positions,    ///< the first dimension: it acts at each position alone
    queries,      ///< positions of an attention's queries, which see the keys and values of all positions
    rows,         ///< positions whose losses are added up
    units,        ///< of a recurrent layer: each rank makes its part of a state, and needs all of it for the next one
    image_rows,   ///< the first dimension of an image: it acts at each row with a window of rows around it
    pooled_rows,  ///< the same of an image whose rows are added up
    vectors,      ///< the last dimension but one, heads of a sequence: it acts on each vector along the last one alone
    copies        ///< the same of a tensor that is repeated along it
};
inline constexpr std::size_t shard_ways = 13;

/// How often a pass reads or writes each tensor, in multiples of its size; and what it moves beside them.
struct Traffic {
    double inputs = 0, outputs = 0, weights = 0;
    std::int64_t own = 0;  ///< elements of tensors within the layer (scores of an attention), all reads and writes
    bool operator==(const Traffic&) const = default;
};

/// Geometry of a convolution, for the algorithms that are not plain matrix products. A sequence has a height of 1.
struct ConvolutionGeometry {
    std::int64_t in_h, in_w, in_c, out_h, out_w, out_c, kernel_h, kernel_w, stride_h, stride_w, dilation_h, dilation_w,
        groups;
    std::int64_t pad_top, pad_bottom, pad_left, pad_right;
    bool transposed = false;
    std::int64_t in_d = 1, out_d = 1, kernel_d = 1;  ///< of volumes: the third axis, first in their shapes
    bool flat() const { return in_d == 1 && out_d == 1 && kernel_d == 1; }
    bool operator==(const ConvolutionGeometry&) const = default;
};

/// How the rows of an image that a layer makes follow from those that it reads.
struct RowWindow {
    std::int64_t in = 0;                            ///< rows of its input
    std::int64_t span = 1, stride = 1, before = 0;  ///< of the dilated window; padding in front of the first row
    bool transposed = false;                        ///< the window is in the output
    std::int64_t statistics = 0;                    ///< numbers that every row needs of all rows: of a sample,
    bool of_batch = false;                          ///< or of all samples together
    bool operator==(const RowWindow&) const = default;
};

/// The experts of a mixture, which may lie on different devices.
struct ExpertFacts {
    std::int64_t count = 0;       ///< 0 if the layer has no experts
    std::int64_t parameters = 0;  ///< of all of them; the layer has others too
    std::int64_t chosen = 0;      ///< that each position goes through: it is sent to them and back
    std::int64_t hidden = 0;      ///< units of one, along which it can be cut
    double capacity = 0;          ///< room of an expert, in its even share of the positions; 0: no limit
    std::int64_t rows = 0;        ///< positions that all experts compute together: places, where there is a capacity
    std::int64_t groups = 1, chosen_groups = 1;  ///< of equal size; a position's experts are in `chosen_groups` of them
    /// Elements that the function between their two products makes, all of them kept, and those that it reads and
    /// writes. It can be computed again alone.
    std::int64_t activated = 0, function_moves = 0;
    /// Elements that their products read, all of them kept, and of the gradients that come back to the products.
    std::int64_t multiplied = 0, gradients = 0;
    bool operator==(const ExpertFacts&) const = default;
};

/// Positions and widths of an attention; a head's.
struct AttentionFacts {
    std::int64_t queries = 0, keys = 0;  ///< 0: not an attention
    std::int64_t width = 0, value_width = 0;
    bool operator==(const AttentionFacts&) const = default;
};

/// Of what a layer needs, trainers may keep more.
enum class KeepsMore : std::uint8_t { nothing, norm, gate, logits };

/// What a layer asks for, per sample; integers are exact.
struct LayerFacts {
    Shape output;
    std::int64_t in_elements = 0;  ///< of all inputs together that each sample has for itself
    /// Elements of inputs that all samples share, because they are trained: read once, not once a sample.
    std::int64_t in_step_elements = 0;
    std::int64_t out_elements = 0;
    std::int64_t weights = 0;        ///< trainable parameters that its passes use
    bool shares = false;             ///< they are another layer's, and count there
    bool per_step = false;           ///< its output is trained: the same for all samples
    std::int64_t multiply_adds = 0;  ///< of one forward pass
    std::int64_t input_multiply_adds = 0, weight_multiply_adds = 0;  ///< of the gradients to inputs and to weights
    ExpertFacts experts;
    std::int64_t query_heads = 0, key_heads = 0;  ///< of an attention
    bool fused_attention = false;                 ///< one that never writes its scores
    AttentionFacts attention;                     ///< of one of known positions
    std::int64_t units = 1;                       ///< output channels or units it could be cut along
    std::int64_t groups = 1;                      ///< a convolution whose groups divide by the workers moves nothing
    Division division = Division::mixing;
    std::array<std::int64_t, shard_ways> pieces{};  ///< equal ones that it can be cut into; 0: not along that
    std::int64_t& along(ShardAlong way) { return pieces[static_cast<std::size_t>(way)]; }
    std::int64_t along(ShardAlong way) const { return pieces[static_cast<std::size_t>(way)]; }
    Traffic forward, grad_input, grad_weights;
    // What backward needs of the forward pass: tensors, and a mask of its own (bytes for each element of the output).
    bool keeps_input = false, keeps_output = false;
    bool input_for_weights = false;  ///< the input is kept for the gradient of the weights alone
    double mask = 0;
    KeepsMore keeps_more = KeepsMore::nothing;
    std::int64_t kept_elements = 0;  ///< of tensors within the layer, in the precision of the multiplications
    /// Operations one after the other in each pass that happens, each with its start-up time.
    std::array<std::int64_t, 3> launches{1, 1, 1};
    /// The gradient of its weights is made on the way to that of its inputs: the pass to the inputs happens for either.
    bool gradients_together = false;
    bool sums = false;     ///< its output is the sum of its inputs, and of each rank's summands as well
    bool unknown = false;  ///< of no kind that the program knows: its bytes are all there is to price
    std::optional<ConvolutionGeometry> convolution;
    RowWindow rows;  ///< where it can be cut along image_rows

    /// Whether it is a linear layer: the product of what it reads and a matrix of weights.
    bool linear() const {
        return weights > 0 && multiply_adds > 0 && experts.count == 0 && along(ShardAlong::outputs) > 0 &&
               !convolution && along(ShardAlong::units) == 0;
    }
    /// Trainable parameters that count here: none if they are another layer's.
    std::int64_t parameters() const { return shares ? 0 : weights; }
    bool operator==(const LayerFacts&) const = default;
};

/// Everything the program knows of a kind of layer. A new kind is a new file in network/kinds and a row in its table.
struct Kind {
    std::string_view name;   ///< as in files: "convolution"
    std::string_view title;  ///< as shown: "Convolution"
    std::span<const AttributeInfo> attributes;
    int min_inputs, max_inputs;  ///< max -1: any number
    /// Shape and work for one sample. Returns what is wrong instead (where and position are filled in by the caller).
    Result<LayerFacts> (*infer)(const Layer&, std::span<const Shape> inputs);
};

std::span<const Kind* const> all_kinds();
const Kind* find_kind(std::string_view name);
/// The attribute called `name`; it must exist in the kind's table.
const AttributeValue& attribute(const Layer& layer, std::string_view name);

}  // namespace scalescope
