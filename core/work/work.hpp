// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/scenario/scenario.hpp"

namespace scalescope {

/// The three passes over a layer. Backward is the sum of the two gradients.
enum class Pass { forward, grad_input, grad_weights };
inline constexpr std::array<Pass, 3> all_passes{Pass::forward, Pass::grad_input, Pass::grad_weights};
constexpr std::size_t index_of(Pass p) { return static_cast<std::size_t>(p); }

/// What one pass over every layer asks for, as arrays by layer position. Amounts of `b` samples:
///   FLOPs = flops[l] · b,   bytes = (inputs[l] + outputs[l]) · b + weights[l].
/// `active` counts the operations one after the other; a pass that does not happen is zero everywhere.
struct PassWork {
    std::vector<double> flops, inputs, outputs, weights, active;
    /// FLOPs of other products that take as long as a layer's own: `flops`, unless the layer has a rate of its own.
    std::vector<double> priced;
};

/// What of a layer's amounts a rank has: 1 is all of it.
struct LayerShares {
    double flops = 1, inputs = 1, outputs = 1, weights = 1;
    double experts = 0;  ///< what of the weights that it has belongs to experts that others do not have
    double within = 1;   ///< what it keeps of tensors within the layer, over its share of the output
    double kept = 1;     ///< what it keeps of its inputs, over what it reads: less where backward gathers them again
    bool operator==(const LayerShares&) const = default;
};

/// A layer whose passes are products of matrices.
///   weights: one sample's rows, outputs and inputs, `count` times; the three passes are products of (rows, outputs,
///     inputs), (rows, inputs, outputs) and (inputs, outputs, rows).
///   scores: attention that stores them: queries, width of a value, keys, for each head.
///   fused: attention that does not.
struct ProductLayer {
    enum class Of : std::uint8_t { weights, scores, fused };
    int layer = 0;
    int like = 0;  ///< place among the products of the first one whose passes ask for the same
    Of of = Of::weights;
    double rows = 0, outputs = 0, inputs = 0, count = 1;
    double width = 0;  ///< of attention: of a key
    double seen = 0;   ///< of attention: keys that a query sees, in the mean
    bool attention() const { return of != Of::weights; }
};

/// What must be done: one network, its passes and the precision, counted per sample. Work is affine in the batch, which
/// is why a change of the batch needs no recount (docs/decisions/affine-work.md).
struct Work {
    int layers = 0;
    double element_bytes = 4;
    double gradient_element_bytes = 0;  ///< of gradients as they travel
    std::vector<char> narrow;           ///< layers whose products are those of `narrow_as`; empty: none
    NarrowProducts narrow_as;
    bool is_narrow(std::size_t l) const { return !narrow.empty() && narrow[l] != 0; }
    std::vector<char> casts_input;  ///< narrow layers that are the first to read their input; empty: none is narrow
    /// Bytes of the narrow copies of a layer's weights, of all of it.
    double weight_copies(std::size_t l) const {
        return is_narrow(l) ? weight_bytes[l] / element_bytes * narrow_as.bytes * narrow_as.copies : 0.0;
    }
    std::array<PassWork, 3> pass;
    std::vector<double> in_bytes, out_bytes;      ///< of the tensors, per sample; trained ones are weights
    std::vector<char> keeps_input, keeps_output;  ///< backward needs these tensors of the layer
    std::vector<double> mask_bytes, own_bytes;    ///< and these of its own, per sample: a mask, tensors within it
    std::vector<double> weight_bytes;             ///< in the precision of the multiplications; shared ones once
    std::vector<double> gradient_bytes;           ///< what data-parallel workers exchange; 0 if the layer is frozen
    std::vector<double> trained;                  ///< parameters the optimizer updates; 0 if the layer is frozen
    std::vector<char> gradient_needed;            ///< the gradient of the layer's output is wanted by somebody
    /// What backward computes once more of the layer; empty: of none.
    struct Again {
        bool all = false;       ///< its forward pass
        bool messages = false;  ///< which sends its output once more, too
        bool part = false;      ///< as in `part`
        bool half = false;      ///< half of its output, which is that part
        bool any() const { return all || part; }
        bool operator==(const Again&) const = default;
    };
    std::vector<Again> again;
    PassWork part;                              ///< of layers of which only a part is computed again; or empty
    std::vector<double> part_bytes;             ///< of `own_bytes`, which the part makes; or empty
    std::vector<int> convolutions;              ///< positions of the layers with a geometry
    std::vector<ConvolutionGeometry> geometry;  ///< of those
    std::vector<ProductLayer> products;         ///< by position
    std::vector<int> product_of;                ///< by position: its place among them, or -1
    /// Of a gradient while it is added up: gradients that travel in a wider format are summed in that format.
    double summed_gradient_bytes() const { return std::max(element_bytes, gradient_element_bytes); }
    /// How often such a gradient moves, in bytes of the elements: once, as it is written, unless sums are wider. Those
    /// are read and written.
    double sums_of_gradients() const {
        const double wider = summed_gradient_bytes() / element_bytes;
        return wider > 1 ? 2 * wider : 1.0;
    }
    /// Whether two layers with equal facts and neighbours have the same passes.
    bool same_passes(int a, int b) const {
        const auto same = [i = static_cast<std::size_t>(a), k = static_cast<std::size_t>(b)](const auto& of) {
            return of.empty() || of[i] == of[k];
        };
        return same(trained) && same(gradient_needed) && same(again) && same(casts_input) &&
               std::all_of(pass.begin(), pass.end(), [&](const PassWork& p) { return same(p.active); });
    }
    double parameters = 0;
    Flops forward_flops{0}, backward_flops{0};  ///< of all layers, one sample
};

/// Bytes that the function within a layer's experts keeps of its tensors: what it makes, as products read it.
inline double bytes_of_function(const Work& work, std::size_t l, const ExpertFacts& experts) {
    if (work.own_bytes[l] <= 0) return 0;
    return static_cast<double>(experts.activated) * (work.is_narrow(l) ? work.narrow_as.bytes : work.element_bytes);
}

/// How often a pass moves each tensor of a layer, as in Traffic, counted in elements of the precision of everything
/// else: narrow products read less, and casts come before them.
struct Moves {
    double inputs = 0, outputs = 0, weights = 0;
    double own = 0;  ///< elements of tensors within the layer
};
Moves moves_of(const Work& work, const LayerFacts& facts, std::size_t layer, Pass pass);

/// `narrow`: layers whose products are `narrow_as`. Those read narrow tensors and write wide ones; what they read of
/// the forward pass is kept as it is read. Each tensor is cast once: inputs before the first product that reads
/// them, gradients of outputs before the first gradient that needs them (weights: UpdateCost). A mixture of experts
/// reads and keeps its own input wide, for its router (docs/decisions/narrow-precision.md).
Work make_work(const Network& network, const Passes& passes, const Training& training, std::vector<char> narrow = {},
               const NarrowProducts& narrow_as = {});

/// Traffic, arithmetic and memory of one parameter's update.
struct UpdateCost {
    double flops = 0, bytes = 0;  ///< per parameter
    double state_bytes = 0;       ///< optimizer state and master weights kept per parameter
    double on_host = 0;           ///< share of the parameters whose state the host keeps, and which it updates
    Seconds host{0};              ///< of one of these, gradient and weight on their way included
};
/// SGD reads gradient and weight and writes the weight; momentum and Adam read and write one and two moments more; LAMB
/// (You et al., ICLR 2020) is Adam whose step is written and measured before it is taken. Not fused, every operation
/// reads its operands and writes its result. With 16-bit precision the master weights and moments stay fp32
/// (docs/decisions/prices-of-layers.md).
UpdateCost update_cost(Optimizer optimizer, Precision precision, bool fused = true);
/// Bytes of a host's memory that it reads and writes to update one parameter, all in fp32 and fused (ZeRO-Offload: Ren
/// et al., USENIX ATC 2021, section 5.1): 28 of Adam.
inline double host_update_bytes(Optimizer optimizer) { return update_cost(optimizer, Precision::fp32).bytes; }

}  // namespace scalescope
