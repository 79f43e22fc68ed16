// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

/// What tests of activation recomputation share.
namespace support::recomputing {

using namespace scalescope;

struct Answer : support::Answer {
    using support::Answer::Answer;
    const std::string& name(const LayerEstimate& row) const {
        return plan.parts[0].network->layers()[static_cast<std::size_t>(row.position)].name;
    }
    /// What the layers keep whose names begin like this.
    double kept(std::string_view block) const {
        double bytes = 0;
        for (const auto& row : e.layers)
            if (std::string_view(name(row)).starts_with(block)) bytes += row.kept.value;
        return bytes;
    }
    double recomputed(std::string_view block) const {
        double bytes = 0;
        for (const auto& row : e.layers)
            if (std::string_view(name(row)).starts_with(block)) bytes += row.recomputed.value;
        return bytes;
    }
    double activations_at_worst() const {
        return (e.memory.peak - e.memory.weights - e.memory.gradients - e.memory.optimizer).value;
    }
};

inline Answer with(Scenario s, Recompute r) {
    s.parallelism.recompute = r;
    return Answer(s);
}

inline std::vector<int> with_marks(Scenario s) {
    s.parallelism.recompute = Recompute::blocks;
    return prepare(s)->parts[0].blocks;
}

inline NetworkPtr renamed(const Network& network, const std::function<std::string(int, const Layer&)>& name) {
    NetworkDraft draft = network.draft();
    for (std::size_t l = 0; l < draft.layers.size(); ++l)
        draft.layers[l].name = name(static_cast<int>(l), draft.layers[l]);
    auto made = Network::make(std::move(draft));
    if (!made) stop(made.error());
    return *made;
}

/// Random runs of layers become blocks, "b3/…"; some stay outside.
inline NetworkPtr in_blocks(std::mt19937& random, const Network& network) {
    int block = 0;
    std::int64_t left = 0;
    bool inside = false;
    return renamed(network, [&](int l, const Layer&) {
        if (left-- <= 0) left = pick(random, 1, 6), inside = pick(random, 0, 3) > 0, ++block;
        const std::string own = "layer" + std::to_string(l);
        return inside ? "b" + std::to_string(block) + '/' + own : own;
    });
}

inline Scenario of_gpt(NetworkPtr network, std::int64_t batch) {
    Scenario s = scenario(std::move(network));
    s.cluster.device = *library().catalogue.device("Tesla V100 SXM2 16GB");
    s.training.precision = Precision::fp16;
    s.training.batch_rule = BatchRule::total;
    s.training.batch = batch;
    s.cluster.workers = 1;
    return s;
}

inline Scenario random_mesh(std::mt19937& random, std::int64_t most_stages) {
    const auto network = random_network(random, static_cast<int>(pick(random, 4, 24)));
    Scenario s = random_scenario(random, in_blocks(random, *network));
    support::divide(s.parallelism, support::Divided::data);
    s.parallelism.pipeline = pick(random, 1, most_stages);
    s.parallelism.tensor = pick(random, 1, 3);
    s.cluster.workers = pick(random, 1, 3) * s.parallelism.pipeline * s.parallelism.tensor;
    s.parallelism.policy = static_cast<ShardingPolicy>(pick(random, 0, 3));
    s.parallelism.sequence = pick(random, 0, 1) == 1;
    return s;
}

}  // namespace support::recomputing
