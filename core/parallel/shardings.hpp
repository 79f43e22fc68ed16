// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/parallel/mesh.hpp"
#include "core/parallel/placements.hpp"
#include "core/scenario/scenario.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// A way to divide a layer over the ranks of an axis, for every kind that can be cut along it (specification: composed
/// parallelism, section 3). `weights`: 0 they are whole, otherwise two ways with the same number cut them alike.
struct ShardingRow {
    ShardAlong along;
    std::string_view title;
    Placement in, out, gradient;  ///< of what it reads and makes, and of its part of the gradient of what it reads
    bool flops, inputs, outputs;  ///< these are cut
    int weights;
    bool sums_weights = false;  ///< each rank has a summand of the gradient of its weights,
    bool in_pieces = false;     ///< and adds a piece of the sum up with those of its replicas before it is gathered
};
const ShardingRow& sharding_row(ShardAlong along);
inline bool sums_in_pieces(const std::optional<ShardAlong>& along) { return along && sharding_row(*along).in_pieces; }
/// Of what an attention reads, a rank's share: its queries, and a head of keys and values at least.
double heads_read(const Network& network, int attention, std::int64_t ranks);

struct ShardingSetting {
    std::int64_t ranks = 1;
    double samples = 1;     ///< of one execution
    bool sequence = false;  ///< trainer: between layers that are cut, positions are divided (Korthikanti et al., 2022)
    ShardingPolicy policy = ShardingPolicy::trainer;  ///< any but columns
    MeshAxis axis = MeshAxis::tensor;                 ///< context: along positions alone, whatever the policy
    std::span<const double> outputs{};                ///< by layer, what another axis leaves of its output; empty: all
};

/// A message of the tensor axis, or of another one on which layers are divided.
struct TensorMessage {
    int tensor = 0;  ///< position of the layer that makes it; or that sends the message within it
    Message message = Message::all_reduce;
    bool forward = true;
    double bytes = 0;  ///< of the whole tensor, for one sample; of an all-to-all, what one rank has
    MeshAxis axis = MeshAxis::tensor;
    Carried carries = Carried::output;
    std::int64_t times = 1;              ///< one after the other, in one execution
    double by_node = 0;                  ///< as in GroupReach
    int beside_from = 0, beside_to = 0;  ///< of a kept input: among these are the layers that need it again
};
/// Whether the layer's backward pass needs `tensor`, of which a rank keeps its own positions alone.
bool reads_again(const Network& network, const Work& work, int layer, int tensor);

/// How a network is divided over the ranks of one axis.
struct NetworkSharding {
    struct Layer {
        std::optional<ShardAlong> along;  ///< none: it runs whole on every rank
        LayerShares shares;               ///< of the busiest rank
        std::int64_t repeats = 1;         ///< ranks that have the same part of it
    };
    /// Gradients of a layer's weights, of which so many neighbouring ranks have a summand each.
    struct Sum {
        int layer;
        std::int64_t ranks;
    };
    std::vector<Layer> layers;
    std::vector<TensorMessage> messages;  ///< of one execution, forward in the order of the layers, then backward
    std::vector<Sum> sums_weights;        ///< over the axis, once a step
    double seconds = 0;                   ///< of one execution, as the prices say
    bool proven = true;                   ///< nothing that the policy allows is cheaper
};

/// Seconds of a layer's passes with those shares, the same for layers that are alike, and of a message.
struct ShardingPrices {
    std::function<double(int layer, const LayerShares&)> work;
    std::function<double(Message, Bytes)> message;
};
/// The cheapest division that the policy allows. Layers whose pieces are fewer than the ranks run whole; heads must
/// divide evenly, of everything else the busiest rank has the rounded-up share. Where an attention has fewer heads of
/// keys than there are ranks, several of them make and keep the same head (Megatron-LM).
NetworkSharding shard_network(const Network& network, const Work& work, const ShardingSetting& setting,
                              const ShardingPrices& prices);
/// The choice that it makes: for each layer, the ways to divide it that the policy allows.
PlacementProblem placement_problem(const Network& network, const Work& work, const ShardingSetting& setting,
                                   const ShardingPrices& prices);

}  // namespace scalescope
