// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate/infeasible.hpp"
#include "core/estimate/point.hpp"
#include "core/parallel/shardings.hpp"
#include "core/parallel/stages.hpp"
#include "core/pricing/collectives.hpp"
#include "core/pricing/pass_times.hpp"

namespace scalescope {

/// How the layers of one network are divided over the ranks of the tensor and of the context axis, and experts among
/// those of a stage. All vectors but the messages are by layer.
struct LayerAxes {
    struct Key {
        int part = -1;
        int from = 0;  ///< layers in front are whole
        GroupReach tensor{}, context{}, expert{}, expert_tensor{};
        double samples = 0;
        ShardingPolicy policy = ShardingPolicy::trainer;
        Collective collective = Collective::ring;
        Recomputation recompute;
        bool operator==(const Key&) const = default;
        const GroupReach& group(MeshAxis axis) const {
            switch (axis) {
                case MeshAxis::context: return context;
                case MeshAxis::expert: return expert;
                case MeshAxis::expert_tensor: return expert_tensor;
                default: return tensor;
            }
        }
    };
    Key key;
    Infeasible infeasible = Infeasible::no;            ///< the layers cannot be divided so; nothing else counts then
    std::vector<double> in, out;                       ///< shares of the busiest rank
    std::vector<double> flops, weights;                ///< the same; of columns those of `out`
    std::vector<double> experts, within;               ///< as in LayerShares; empty if none are divided
    std::vector<double> kept;                          ///< as in LayerShares; empty without sequence parallelism
    std::vector<double> gradient_bytes, expert_bytes;  ///< of its weights, and of its experts among them
    std::vector<std::optional<ShardAlong>> along;      ///< the tensor axis, as planned; empty for columns
    std::vector<std::optional<ShardAlong>> context_along;  ///< the context axis; empty if there is none
    std::vector<double> context_share;                     ///< of its positions, on a rank; likewise
    std::vector<TensorMessage> messages;
    std::vector<std::int64_t> repeats;                ///< NetworkSharding::Layer::repeats; empty: 1 of all layers
    std::vector<TensorMessage> entering;              ///< likewise of the tensors that layers from `from` on need
    std::vector<NetworkSharding::Sum> sums_weights;   ///< over ranks of the tensor axis
    double trained = 0, trained_experts = 0;          ///< parameters of a rank: those of experts beside all others
    std::vector<double> crossing, gradient_crossing;  ///< shares of each output that a rank sends over a border
    Crossings crossings;                              ///< what it sends over the borders of stages
    std::vector<std::uint8_t> scattered;  ///< outputs (1) and gradients (2) that the ranks send in pieces over a border
    Crossings gathered;                   ///< what of them they gather behind the borders; empty if there are none

    /// What of a layer's output the context axis leaves, and the tensor axis.
    double out_of_context(std::size_t layer) const {
        if (context_along.empty() || !context_along[layer] || !sharding_row(*context_along[layer]).outputs) return 1;
        return context_share[layer];
    }
    double out_of_tensor(std::size_t layer) const { return out[layer] / out_of_context(layer); }
    bool columns() const { return key.policy == ShardingPolicy::columns; }
    Shares shares() const {
        return columns() ? Shares::of_outputs(in, out) : Shares{flops, in, out, weights, experts, within, kept};
    }
    double experts_of(std::size_t layer) const { return experts.empty() ? 0.0 : experts[layer]; }
    /// What of a layer's weights a rank has beside divided experts.
    double own_share(std::size_t layer) const { return weights[layer] * (1 - experts_of(layer)); }
    /// Of the layer's weights, on a rank.
    double weights_of(std::size_t layer) const { return columns() ? out[layer] : weights[layer]; }
};

/// The last ones that were asked for, by turns.
struct KnownLayerAxes {
    /// What they are found for, apart from their keys.
    struct Of {
        std::shared_ptr<const char> work;  ///< Plan::work
        DeviceRates device;
        LinkRates links;
        bool sequence = false;
        ContextScheme scheme = ContextScheme::ring;
        Dispatch dispatch = Dispatch::each_expert;
        bool operator==(const Of&) const = default;
    };
    Of of{};
    std::shared_ptr<const char> prices;  ///< Plan::prices, for which `of` was looked at last
    LayerAxes columns;                   ///< take no time to find: one place is enough for them
    std::vector<LayerAxes> others;
    std::size_t next = 0;
};

}  // namespace scalescope
