// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/division.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"

namespace scalescope::measure {

namespace {

std::int64_t experts_of(const Scenario& s) {
    std::int64_t most = 0;
    for (const LayerFacts& f : s.workload.front().network->facts()) most = std::max(most, f.experts.count);
    return most;
}

/// All ways that are compatible with what the row says, the first to try first.
std::vector<Way> ways_to_divide(const PublishedRow& row, const ResolvedRow& resolved) {
    const Scenario& s = *resolved.scenario;
    const std::int64_t workers = s.cluster.workers;
    std::vector<Way> ways;
    // Whose batch it is, the table does not say.
    if (row.batch > workers && workers > 1 && row.batch_global + row.batch_per_worker + row.micro_batch == 0)
        ways.push_back({.batch_of_all = true});
    // With only the batch of all devices given, that of a device may be split into micro-steps.
    const bool of_all = row.batch_global + row.batch_tokens > 0 || (workers == 1 && row.batch > 0);
    const auto with_micro_steps = [&](const Way& way) {
        ways.push_back(way);
        if (!of_all || row.micro_batch > 0 || s.training.accumulation > 1) return;
        const std::int64_t most = std::min(s.training.batch, limits::repeats);
        for (std::int64_t steps = 2; steps <= most && s.training.batch % steps == 0; steps *= 2) {
            ways.push_back(way);
            ways.back().micro_steps = steps;
        }
    };
    const auto recomputes = row.recompute.empty() ? std::vector{false, true} : std::vector{false};
    const std::int64_t experts = experts_of(s);
    const std::size_t of_a_copy = experts > 0 && workers > 1 ? 1 : recomputes.size();
    for (std::size_t i = 0; i < of_a_copy; ++i) with_micro_steps({.recompute = recomputes[i]});
    constexpr std::int64_t most_experts = 64;
    for (const std::int64_t stages : {1, 2, 4, 8, 16}) {
        std::int64_t degree = most_experts;
        while (degree > 1 && (experts % degree != 0 || workers % (degree * stages) != 0)) degree /= 2;
        if (experts > 0)
            for (const bool recompute : recomputes)
                ways.push_back({.recompute = recompute, .expert = degree, .stages = stages});
    }
    // Weights are gathered once a micro-step, so an assumed batch is the largest of up to eight samples that fits.
    const auto batches = resolved.batch_assumed && row.replica_size() == 1 ? std::vector<std::int64_t>{8, 4, 2, 1}
                                                                           : std::vector<std::int64_t>{0};
    for (const bool recompute : recomputes)
        for (const std::int64_t batch : batches)
            with_micro_steps({.sharded = true, .recompute = recompute, .batch = batch});
    constexpr std::int64_t most_tensor = 8;
    const std::int64_t tensor = std::min(most_tensor, s.cluster.devices_per_node);
    for (const bool recompute : recomputes)
        for (const std::int64_t stages : {1, 2, 4, 8, 16})
            ways.push_back({.recompute = recompute, .tensor = tensor, .stages = stages});
    constexpr std::int64_t most_context = 64;
    for (std::int64_t context = 2; context <= most_context && workers % context == 0; context *= 2)
        for (const bool recompute : recomputes)
            ways.push_back({.sharded = true, .recompute = recompute, .context = context});
    std::erase_if(ways, [&](const Way& way) {
        return way == Way{} || way.tensor * way.stages > workers || (way.sharded && workers == 1);
    });
    return ways;
}

PublishedRow with_cells(PublishedRow row, const Way& way, const Scenario& s) {
    row.workers = s.cluster.workers, row.workers_given = true;
    if (way.batch_of_all) row.batch_global = std::exchange(row.batch, 0);
    if (way.micro_steps > 1) {
        row.micro_batch = s.training.batch / way.micro_steps;
        row.batch_global += std::exchange(row.batch, 0);
    }
    if (way.batch > 0) row.batch_per_worker = way.batch;
    if (way.sharded) row.sharding = "fsdp";
    if (way.recompute) row.recompute = "full";
    row.context = std::max(row.context, way.context > 1 ? way.context : 0);
    if (way.tensor * way.expert * way.stages == 1) return row;
    row.tensor = way.tensor, row.pipeline = way.stages, row.expert = std::max(row.expert, way.expert);
    if (row.batch_global > 0) row.batch_per_worker = 0, row.accumulation = 1;  // of other replicas
    return row;
}

std::string sentence(const Way& way) {
    if (way.batch_of_all)
        return "The batch is assumed to be that of all devices, as one device has no room for it; if it is not, call "
               "its column batch_per_worker.";
    std::vector<std::string> ways;
    const auto add = [&](bool is_so, std::string words) {
        if (is_so) ways.push_back(std::move(words));
    };
    add(way.sharded, "fully sharded data parallelism (ZeRO-3)");
    add(way.expert > 1, "expert parallelism over " + std::to_string(way.expert) + " devices");
    add(way.tensor > 1, "tensor parallelism over " + std::to_string(way.tensor) + " devices");
    add(way.context > 1, "context parallelism over " + std::to_string(way.context) + " devices");
    add(way.stages > 1, std::to_string(way.stages) + " pipeline stages");
    add(way.recompute, "recomputed blocks");
    add(way.batch > 0, "a batch of " + std::to_string(way.batch) + " per device");
    const bool whole = ways.empty();
    add(way.micro_steps > 1, std::to_string(way.micro_steps) + " micro-steps (gradient accumulation)");
    return std::string("Assumed, as ") +
           (whole ? "the batch of a device does not fit at once: " : "a whole copy does not fit into one device: ") +
           joined(ways, ", ") + ".";
}

}  // namespace

bool fits(const Scenario& scenario) {
    const auto whole = estimate(scenario, Remedies::left_out);
    return whole && fits_device(scenario, whole->memory);
}

std::optional<Way> Divider::fitting(const PublishedRow& row, const ResolvedRow& resolved) const {
    for (const Way& way : ways_to_divide(row, resolved)) {
        const ResolvedRow tried = resolve_(with_cells(row, way, *resolved.scenario));
        if (tried.scenario && fits(*tried.scenario)) return way;
    }
    return std::nullopt;
}

std::optional<ResolvedRow> Divider::divided(const PublishedRow& row, const ResolvedRow& resolved) {
    constexpr std::size_t most_known = 64;
    Scenario scenario = *resolved.scenario;
    scenario.description.clear();
    std::string cells = row.recompute + (resolved.batch_assumed ? " assumed" : "");
    for (const std::int64_t number :
         {row.batch, row.batch_global, row.batch_per_worker, row.batch_tokens, row.micro_batch})
        cells += ' ' + std::to_string(number);
    auto known = std::find_if(known_.begin(), known_.end(),
                              [&](const Known& k) { return k.cells == cells && k.scenario == scenario; });
    if (known == known_.end()) {
        if (known_.size() == most_known) known_.erase(known_.begin());
        known_.push_back({std::move(scenario), std::move(cells), fitting(row, resolved)});
        known = std::prev(known_.end());
    }
    if (!known->way) return std::nullopt;
    ResolvedRow tried = resolve_(with_cells(row, *known->way, *resolved.scenario));
    if (!tried.scenario) return std::nullopt;
    add_once(tried.assumed, sentence(*known->way));
    return tried;
}

}  // namespace scalescope::measure
