// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/estimate/servers.hpp"
#include "core/estimate/step.hpp"
#include "core/parallel/shards.hpp"

namespace scalescope {

NotAsynchronous why_not_asynchronous(const Plan& plan, const Point& point) {
    if (plan.paleo) return NotAsynchronous::paleo;
    if (!fills_data(point) || !point.none()) return NotAsynchronous::divided;
    if (plan.parallelism.overlap != Overlap::off) return NotAsynchronous::overlap;
    if (point.sharded != Sharded::nothing) return NotAsynchronous::sharded;
    return plan.parallelism.copies ? NotAsynchronous::copies : NotAsynchronous::no;
}

Problem not_asynchronous_problem(NotAsynchronous why) {
    const auto refuse = [](const char* what, const char* where, const char* remedy) {
        return make_error(what, remedy, {}, where);
    };
    switch (why) {
        case NotAsynchronous::paleo:
            return refuse("PALEO knows no asynchronous updates.", "parallelism.updates",
                          "choose the pipeline model, or synchronous updates");
        case NotAsynchronous::divided:
            return refuse(
                "Only data parallelism has asynchronous updates: other ways to divide the work need every "
                "worker in every step.",
                "parallelism.fill", "choose data parallel, or synchronous updates");
        case NotAsynchronous::overlap:
            return refuse("Messages that overlap the backward pass are not modelled with asynchronous updates.",
                          "parallelism.overlap", "switch overlap off, or choose synchronous updates");
        case NotAsynchronous::copies:
            return refuse("Copies of gradients are not modelled with asynchronous updates.", "parallelism.copies",
                          "switch copies off, or choose synchronous updates");
        case NotAsynchronous::sharded:
            return refuse("Sharded training states are not modelled with asynchronous updates.", "parallelism.sharded",
                          "shard nothing, or choose synchronous updates");
        case NotAsynchronous::no: break;
    }
    return {};
}

double largest_shard(const Plan& plan, int part_index, const Point& point, Scratch& scratch) {
    const auto p = static_cast<std::size_t>(part_index);
    const PlanPart& part = plan.parts[p];
    if (plan.parallelism.sharding == Sharding::even) return part.trained / static_cast<double>(point.servers);
    ShardScratch& known = scratch.shards;
    if (known.of != plan.prices) {
        known.of = plan.prices;
        for (auto& dealt : known.dealt) dealt = {};
    }
    auto& dealt = known.dealt[p];
    if (dealt.servers != point.servers)
        dealt = {point.servers, largest_dealt(part.trained_descending, point.servers, known.loads)};
    return dealt.weights;
}

ServerLinks server_links(const Plan& plan, std::int64_t active) {
    const LinkRates& links = plan.links;
    const auto cards = static_cast<double>(links.nics_per_node);
    const auto sharing = static_cast<double>(std::min(active, links.devices_per_node));
    const BytesPerSecond server{links.between.value * cards};
    return {BytesPerSecond{links.between.value * std::min(1.0, cards / sharing)}, server, server,
            links.between_latency};
}

Seconds server_update(const Plan& plan, double weights) { return price_update(weights, 0, plan.update, plan.device); }

Exchange exchange_of(const Plan& plan, const PlanPart& part, std::int64_t active, double shard) {
    if (part.trained <= 0) return {};
    const double gradient = part.work.gradient_element_bytes, weight = part.work.element_bytes;
    return price_exchange({Bytes{gradient * part.trained}, Bytes{weight * part.trained}, Bytes{gradient * shard},
                           Bytes{weight * shard}, server_update(plan, shard)},
                          server_links(plan, active));
}

Seconds think_time(const Plan& plan, const Summary& s) {
    return s.forward + s.backward + (s.update + s.communication - s.service) + plan.overhead;
}

Asynchronous steady_state(const Plan& plan, const Point& point, const Summary& s) {
    return asynchronous(s.batch.active, think_time(plan, s), s.service, point.servers);
}

/// What one worker does between two of its exchanges, and an exchange that meets no other; what it waits for others is
/// no part's own (score_recorded).
StepParts asynchronous_step(const Plan& plan, int part_index, const Point& point, const Batch& batch,
                            Scratch& scratch) {
    const PlanPart& part = plan.parts[static_cast<std::size_t>(part_index)];
    const MicroSteps steps = micro_steps(plan, batch);
    const double samples = static_cast<double>(steps.samples), repeat = static_cast<double>(steps.count);
    const PassTotals t = price_front(plan, part, part.work.layers, samples, scratch);
    const Exchange e = exchange_of(plan, part, batch.active, largest_shard(plan, part_index, point, scratch));
    StepParts p;
    p.forward = repeat * t.forward;
    p.backward = repeat * t.backward();
    p.communication = (e.push + e.pull).value;
    p.update = e.update.value;
    p.service = e.service().value;
    DividedStep& division = scratch.division;
    division.run({part_index, 0, part.work.layers, samples, repeat, samples});
    if (!division.in_full || part.trained <= 0) return p;
    const auto shard = plan.parallelism.sharding == Sharding::even ? even_shards(part.work.trained, point.servers)
                                                                   : dealt_shards(part.work.trained, point.servers);
    std::vector<double>& updates = division.update_seconds.emplace_back();
    for (std::size_t l = 0; l < part.work.trained.size(); ++l)
        updates.push_back(server_update(plan, part.work.trained[l] * shard.share[l]).value);
    Transfer push{part_index, Message::push, Collective::parameter_server, 0, part.work.layers - 1, false, true};
    push.group = reach_of(batch.active, plan.links);
    push.bytes = Bytes{part.work.gradient_element_bytes * part.trained};
    push.each = e.push;
    division.send(push, part.count);
    Transfer pull = push;
    pull.message = Message::pull;
    pull.bytes = Bytes{part.work.element_bytes * part.trained};
    pull.each = e.pull;
    division.send(pull, part.count);
    return p;
}

}  // namespace scalescope
