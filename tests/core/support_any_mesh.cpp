// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_any_mesh.hpp"

#include <algorithm>

#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

namespace support {

using namespace scalescope;

Scenario any_mesh(std::mt19937& random) {
    const auto one_of = [&](std::int64_t n) { return pick(random, 1, n) == 1; };
    const bool sequences = !one_of(3), experts = sequences && one_of(2);
    const NetworkPtr network = !sequences ? random_network(random, 16)
                               : experts  ? mixture(pick(random, 1, 3), 64, 4, 64, one_of(2))
                                          : gpt(pick(random, 1, 3), 64, 4, 64, one_of(2));
    Scenario s = random_scenario(random, network);
    s.training.frozen.clear();
    s.training.input_limit = {};
    s.training.batch_rule = BatchRule::total;
    s.training.batch = 48;
    s.model.spread = s.model.interference = Fraction{0};
    s.model.convolution = ConvolutionAlgorithm::gemm;
    Parallelism& p = s.parallelism;
    support::divide(p, support::Divided::data);
    const std::int64_t policy = pick(random, 1, 4);
    p.policy = policy == 1                 ? ShardingPolicy::best
               : policy == 2 && !sequences ? ShardingPolicy::rows
                                           : ShardingPolicy::trainer;
    p.copies = false;
    p.boundaries.clear();
    p.degrees_given() = {std::int64_t{1} << pick(random, 0, 2), pick(random, 1, std::min(3, network->size())),
                         sequences ? std::int64_t{1} << pick(random, 0, 1) : 1, 1};
    const std::int64_t data = pick(random, 1, 4);
    s.cluster.workers = data * p.tensor * p.pipeline * p.context;
    const std::int64_t in_stage = data * p.tensor * p.context;
    if (experts && in_stage % 2 == 0 && one_of(2)) p.expert = 2;
    if (experts && in_stage % (2 * p.expert) == 0 && one_of(2)) p.expert_tensor = 2;
    p.dispatch = static_cast<Dispatch>(pick(random, 0, 2));
    p.sequence = one_of(2);
    p.context_scheme = static_cast<ContextScheme>(pick(random, 0, 1));
    p.sharded = static_cast<Sharded>(pick(random, 0, 3));
    const std::int64_t group = pick(random, 1, data * p.context);
    if (data * p.context % group == 0 && (p.expert == 1 || p.tensor * group % 2 == 0)) p.shard_group = group;
    p.reshard_after_forward = one_of(2);
    const auto method = pick(random, 0, 11);
    p.recompute =
        method < 8 ? static_cast<Recompute>(method) : recompute_modules(static_cast<unsigned>(pick(random, 1, 127)));
    p.recompute_count = pick(random, 0, 3);
    for (const Layer& l : network->layers())
        if (one_of(3)) p.recompute_layers.push_back(l.id);
    std::sort(p.recompute_layers.begin(), p.recompute_layers.end());
    p.order = one_of(2) ? PipelineOrder::one_f_one_b : PipelineOrder::fill_drain;
    // Schemes of PALEO know no second level, and servers no other message.
    p.collective = static_cast<Collective>(pick(random, 0, 2));
    s.cluster.devices_per_node = std::int64_t{1} << pick(random, 0, 3);
    std::mt19937 beside = random;
    p.reshard_after_backward = pick(beside, 0, 3) > 0;
    p.reduce_once = pick(beside, 0, 2) == 0;
    p.overlap_gathers = pick(beside, 0, 1) == 1;
    p.scatter_gather = pick(beside, 0, 1) == 1;
    s.model.gather_cards = Fraction{pick(beside, 0, 1) == 1 ? 1.0 : 0.25};
    p.offload_states = Fraction{0.5 * static_cast<double>(std::max<std::int64_t>(0, pick(beside, -3, 2)))};
    if (const std::int64_t modules = pick(beside, -3, 1); modules >= 0)
        p.offload_activations = modules == 0 ? Recompute::blocks : recompute_modules(0b10101);
    s.cluster.host_link = gigabytes_per_second(static_cast<double>(pick(beside, 1, 64)));
    return s;
}

Scenario on_one_worker(Scenario s) {
    s.parallelism.degrees_given() = {};
    s.parallelism.shard_group = 0;
    s.cluster.workers = 1;
    return s;
}

}  // namespace support
