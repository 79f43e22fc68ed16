// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <random>

#include "core/estimate/memory_walk.hpp"
#include "support_choices.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

/// What tests of sharded training states share.
namespace support::sharding {

using namespace scalescope;

inline constexpr std::array all_stages{Sharded::nothing, Sharded::optimizer, Sharded::gradients, Sharded::weights};

struct Answer : support::Answer {
    Bytes peak;
    explicit Answer(const Scenario& s) : support::Answer(s) {
        Scratch scratch = make_scratch(plan);
        score(plan, plan.point, scratch);
        peak = peak_memory(plan, plan.point, scratch);
    }
};

/// Layers whose 16 · 32, 32 · 64, 64 · 16 and 16 · 8 weights divide by 2, 4 and 8.
inline NetworkPtr small_network() {
    Builder b;
    int x = b.input({16});
    for (const int units : {32, 64, 16}) x = b.activation(b.dense(x, units, false));
    b.softmax(b.dense(x, 8, false));
    return b.make();
}

inline Scenario small_scenario() {
    Scenario s = scenario(small_network());
    s.cluster.devices_per_node = 8;
    s.parallelism.collective = Collective::ring;
    s.training.batch = 24;
    s.training.batch_rule = BatchRule::per_worker;
    return s;
}

inline Scenario random_mesh(std::mt19937& random, int layers) {
    Scenario s = random_scenario(random, random_network(random, layers));
    set_mesh(s, pick(random, 1, 4), pick(random, 1, 3), pick(random, 1, 2));
    s.parallelism.policy = static_cast<ShardingPolicy>(pick(random, 0, 3));
    s.parallelism.sequence = pick(random, 0, 1) == 1;
    s.parallelism.sharded = all_stages[static_cast<std::size_t>(pick(random, 0, 3))];
    const std::int64_t data = s.cluster.workers / (s.parallelism.pipeline * s.parallelism.tensor);
    s.cluster.devices_per_node = pick(random, 1, 8);
    std::mt19937 beside = random;
    if (pick(beside, 0, 1) == 1 && data == 4) s.parallelism.shard_group = 2;
    s.parallelism.reshard_after_forward = pick(beside, 0, 1) == 1;
    s.parallelism.reshard_after_backward = pick(beside, 0, 3) > 0;
    s.parallelism.reduce_once = pick(beside, 0, 2) == 0;
    s.parallelism.overlap_gathers = pick(beside, 0, 1) == 1;
    s.parallelism.scatter_gather = pick(beside, 0, 1) == 1;
    s.model.gather_cards = Fraction{pick(beside, 0, 1) == 1 ? 1.0 : 0.25};
    return s;
}
/// The stages as many layers each, by hand: automatic ones begin where the step is shortest, whatever memory is left.
inline Scenario with_even_stages(Scenario s) {
    const std::int64_t stages = s.parallelism.pipeline * (has_chunks(s.parallelism.order) ? s.parallelism.chunks : 1);
    const auto& layers = s.network()->layers();
    s.parallelism.boundaries.clear();
    for (std::int64_t i = 1; i < stages; ++i)
        s.parallelism.boundaries.push_back(
            layers[static_cast<std::size_t>(i) * layers.size() / static_cast<std::size_t>(stages)].id);
    return s;
}
inline Scenario in_groups(Scenario s, std::int64_t group) {
    s.parallelism.shard_group = group;
    return s;
}

inline Scenario with(Scenario s, Sharded sharded) {
    s.parallelism.sharded = sharded;
    return s;
}

}  // namespace support::sharding
