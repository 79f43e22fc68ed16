// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/network/network.hpp"
#include "core/yan/configuration.hpp"

/// A network as the method sees it: per layer the multiply-adds, neurons and weights, how it can be split, and what a
/// segment needs of the layers before it.
namespace scalescope::yan {

/// What a segment needs of a tensor that others hold parts of.
enum class Reach : std::uint8_t {
    own_part,   ///< the part in its own place
    rows,       ///< that, and rows of its neighbours
    everything  ///< all of it
};

/// A tensor that a layer reads, or parts of its own outputs that must be summed.
struct Need {
    int from = outside;     ///< index in PreparedNetwork::layers
    double elements = 0.0;  ///< of the tensor, for one sample
    Reach reach = Reach::own_part;
    double halo = 0.0;                  ///< rows: of both neighbours together, as a share of all rows
    bool gradient = false;              ///< errors go back the same way
    static constexpr int outside = -1;  ///< input of the network: split as the layer that reads it
};

/// One layer, for one sample.
struct LayerWork {
    int position = 0;            ///< in the network
    double outputs = 0.0;        ///< n
    double inputs = 0.0;         ///< nin
    double weights = 0.0;        ///< w that its passes use
    double own_weights = 0.0;    ///< of these, those that count here and not at a layer that shares them
    double updated = 0.0;        ///< weights whose delta is applied
    double forward_adds = 0.0;   ///< multiply-adds (A)
    double backward_adds = 0.0;  ///< of the error of its inputs; 0 if nobody wants it
    double delta_adds = 0.0;     ///< of the deltas of its weights
    double activations = 0.0;    ///< outputs computed, or comparisons of a pooling window
    double exponentials = 0.0;
    double errors = 0.0;            ///< error terms computed; 0 if nobody wants them
    bool errors_by_output = false;  ///< they are dealt out like the outputs (pooling), else like the inputs
    double vectors = 0.0;     ///< numbers that stand for the delta of a sample (activations and errors); 0: none do
    double reuse = 1.0;       ///< multiply-adds that a loaded weight serves
    bool replicates = false;  ///< split by rows: every segment has all weights
    bool is_product = false;  ///< multiplies by weights
    bool backward = false;    ///< the error of its inputs is wanted
    int leader = 0;           ///< the layer whose split it follows; itself if it has one of its own
    std::int64_t extent = 1;  ///< rows, channels or units that it can be cut into
    std::uint32_t first_need = 0, last_need = 0;  ///< in PreparedNetwork::needs; one past
};

/// Layers in the order of the network, without inputs and views, which cost nothing.
struct LayerList {
    std::vector<LayerWork> layers;
    std::vector<Need> needs;  ///< those with a gradient first, layer by layer
    std::span<const Need> of(const LayerWork& layer) const {
        return {needs.data() + layer.first_need, needs.data() + layer.last_need};
    }
};

LayerList layers_of(const Network& network, const MethodOptions& options);

// Which part of a tensor a segment needs, as shares of its rows. Segment s of p has [s/p, (s+1)/p); one that needs
// rows of its neighbours needs half of them on each side, also at the border, as section 3 of the method counts.

/// Shares smaller than this are rounding.
inline constexpr double least_share = 1e-12;

/// Whether the segment needs the whole tensor.
inline bool needs_everything(const Need& need, std::int64_t split) {
    return need.reach == Reach::everything || 1.0 / static_cast<double>(split) + need.halo >= 1.0;
}

/// Calls `take(t, share, again)` for every one of `q` segments of the tensor that segment `s` of `p` needs a part of,
/// its own place included; a border is passed as if the last row were before the first. `again`: this one had its turn,
/// on the other side. Not for needs_everything().
template <class Take>
void for_each_overlap(const Need& need, std::int64_t s, std::int64_t p, std::int64_t q, Take take) {
    const double low = static_cast<double>(s) / static_cast<double>(p) - need.halo / 2.0,
                 high = static_cast<double>(s + 1) / static_cast<double>(p) + need.halo / 2.0,
                 parts = static_cast<double>(q);
    const auto first = static_cast<std::int64_t>(std::floor(low * parts)),
               last = static_cast<std::int64_t>(std::ceil(high * parts)) - 1;
    std::int64_t begun = last + 1;
    for (std::int64_t t = first; t <= last; ++t) {
        const double share =
            std::min(high, static_cast<double>(t + 1) / parts) - std::max(low, static_cast<double>(t) / parts);
        if (share <= least_share) continue;
        begun = std::min(begun, t);
        take(((t % q) + q) % q, share, t - begun >= q);
    }
}

inline bool connected(const Need& need, std::int64_t s, std::int64_t p, std::int64_t t, std::int64_t q) {
    if (needs_everything(need, p)) return true;
    bool found = false;
    for_each_overlap(need, s, p, q, [&](std::int64_t other, double, bool) { found = found || other == t; });
    return found;
}

}  // namespace scalescope::yan
