// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/parallel/shardings.hpp"
#include "core/parallel/stages.hpp"
#include "core/pricing/collectives.hpp"
#include "core/pricing/pass_times.hpp"

namespace scalescope {

/// How one network is divided over the ranks of the tensor axis. All vectors but the messages are by layer.
struct TensorAxis {
    struct Key {
        int part = -1;
        GroupReach group{};
        double samples = 0;
        ShardingPolicy policy = ShardingPolicy::usual;
        Collective collective = Collective::ring;
        bool operator==(const Key&) const = default;
    };
    Key key;
    std::vector<double> in, out;                   ///< shares of the busiest rank
    std::vector<double> flops, weights;            ///< the same; of columns those of `out`
    std::vector<double> gradient_bytes;            ///< of its weights
    std::vector<std::optional<ShardAlong>> along;  ///< as planned; empty for columns
    std::vector<TensorMessage> messages;
    std::vector<int> sums_weights;                    ///< layers whose gradients are summed over the axis, once a step
    double trained = 0;                               ///< parameters of a rank
    std::vector<double> crossing, gradient_crossing;  ///< shares of each output that a rank sends over a border
    Crossings crossings;                              ///< what it sends over the borders of stages

    bool columns() const { return key.policy == ShardingPolicy::columns; }
    Shares shares() const { return columns() ? Shares::of_outputs(in, out) : Shares{flops, in, out, weights}; }
    /// Of the layer's weights, on a rank.
    double weights_of(std::size_t layer) const { return columns() ? out[layer] : weights[layer]; }
};

/// The last ones that were asked for, by turns.
struct TensorAxes {
    /// What they are found for, apart from their keys.
    struct Of {
        std::shared_ptr<const char> work;  ///< Plan::work
        DeviceRates device;
        LinkRates links;
        bool sequence = false;
        bool operator==(const Of&) const = default;
    };
    Of of{};
    std::vector<TensorAxis> known;
    std::size_t next = 1;
};

}  // namespace scalescope
