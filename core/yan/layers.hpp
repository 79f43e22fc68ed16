// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace scalescope::yan
