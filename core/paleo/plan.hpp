// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/formats/paleo/net.hpp"
#include "core/paleo/method.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// What must be done for a net, in a form whose price at any batch, device and percent of peak is a few
/// multiplications.
namespace scalescope::paleo {

inline constexpr double element_bytes = 4.0;  ///< PALEO knows single precision only

/// An amount that grows with the batch: per sample, and once.
struct Amount {
    double per_sample = 0.0;
    double fixed = 0.0;
    double at(double batch) const { return per_sample * batch + fixed; }
};

/// A convolution as a pass performs it (gradients are convolutions of their own in PALEO): image [n, h, w, in],
/// filter [kh, kw, in, out], result [n, oh, ow, out].
struct Convolution {
    double n = 0, h = 0, w = 0, in = 0, kh = 0, kw = 0, out = 0, ph = 0, pw = 0, oh = 0, ow = 0;
    bool batch_is_in = false;  ///< the batch stands for `in` (gradient to the filter) instead of `n`
};

/// One pass of one layer. Each transfer is priced on its own: PALEO's clock tick is a floor for each.
struct PassPlan {
    Amount flops;
    std::array<Amount, 4> transfers{};  ///< bytes
    std::uint8_t transfer_count = 0;
    Algorithm algorithm = Algorithm::gemm;
    int convolution = -1;  ///< place in Plan::convolutions if the algorithm is an FFT

    void transfer(Amount bytes) { transfers[transfer_count++] = bytes; }
};

/// Input that lies on another device.
struct FetchPlan {
    Amount bytes;
    double halvings = 1.0;  ///< bandwidth is divided by this
};

struct LayerPlan {
    std::array<PassPlan, pass_count> passes;
    int first_fetch = 0;  ///< places in Plan::fetches
    int last_fetch = 0;   ///< one past
    bool is_split = false;
};

/// Amounts of many layers side by side, so that their price at a batch is one loop over two arrays.
struct Amounts {
    std::vector<double> per_sample, fixed;

    void add(Amount amount, double weight = 1.0) {
        per_sample.push_back(amount.per_sample * weight);
        fixed.push_back(amount.fixed * weight);
    }
    /// The sum over all amounts of the larger of `tick` and amount · rate.
    double price(double batch, double rate, double tick) const;
};

/// What the layers of one part of the net ask for in one direction; a second, flat view of Plan::layers.
struct DirectionPlan {
    Amounts flops, transfers, fetches;
    std::vector<PassPlan> transforms;  ///< FFT convolutions: priced one by one
};
enum class Direction : std::uint8_t { forward, backward };

/// Algorithms for the convolutions of one layer.
struct AlgorithmChoice {
    std::array<Algorithm, pass_count> passes{Algorithm::gemm, Algorithm::gemm, Algorithm::gemm};
};

struct Plan {
    Method method;
    std::vector<LayerPlan> layers;  ///< as in Net::layers
    std::vector<FetchPlan> fetches;
    std::vector<Convolution> convolutions;
    /// By Direction, and 1 for split layers.
    std::array<std::array<DirectionPlan, 2>, 2> directions;
    std::vector<Step> walk;                 ///< as in Net::walk
    std::vector<std::vector<int>> parents;  ///< as in Net::layers; only where `walk` is empty
    std::int64_t own_batch = 1;             ///< the batch written in the file
    double parameters = 0.0;                ///< of all layers
    double split_parameters = 0.0;          ///< of split layers
    double split_input_per_sample =
        0.0;  ///< elements of the output of the first split layer's parent; 0: nothing is split
    bool split_input_is_fetched = false;  ///< the price of split layers holds one fetch of that input
    Problems notes;  ///< layers on which PALEO itself would stop; they are priced by the same formulas (warnings)
};

/// `choices`: one for each layer, or empty for matrix products throughout. A 1×1 filter is always a matrix product, as
/// in PALEO; only convolutions have a choice.
Plan make_plan(const Net& net, const Method& method, const std::vector<AlgorithmChoice>& choices = {});

/// The work of a pass with every correction on, as frameworks do it. The one place where that is decided; the rules are
/// those of core/network's kinds, and the agreement with core/work is tested.
///
/// Convolution, deconvolution, inner product: all passes have the FLOPs of the forward pass and touch input, weights
/// (with biases) and output once. All other layers have no FLOPs and touch their inputs and output a fixed number of
/// times; an Input costs nothing, a Reshape moves nothing, a sum passes its gradient on. 4 bytes an element.
/// `input_trains`: something before the layer has weights, so that a gradient to its input is wanted.
PassPlan corrected_pass(const Net& net, const Layer& layer, Pass pass, bool input_trains);

}  // namespace scalescope::paleo
