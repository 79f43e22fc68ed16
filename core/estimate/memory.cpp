// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "core/base/format.hpp"

namespace scalescope {

MemoryEstimate memory_of(const Plan& plan, const Estimate& e) {
    // Stages are separate devices, everything else is one; the fullest counts.
    std::map<int, MemoryEstimate> devices;
    const Batch batch{e.summary.per_worker, e.summary.effective, e.summary.active};
    const double in_pipeline =
        static_cast<double>(micro_batches(plan, batch).count);  // GPipe keeps what all of them need
    std::map<int, double> live;  // largest pair of gradient tensors beside what is still kept
    for (const LayerEstimate& row : e.layers) {
        const Work& work = plan.parts[static_cast<std::size_t>(row.part)].work;
        const auto l = static_cast<std::size_t>(row.position);
        MemoryEstimate& m = devices[row.stage];
        const double weights = work.weight_bytes[l] * row.out_share, trained = work.trained[l] * row.out_share;
        m.weights += Bytes{weights};
        m.gradients += Bytes{trained * work.element_bytes};
        m.optimizer += Bytes{trained * plan.update.state_bytes};
        const double in_flight = row.stage >= 0 && e.point.workers > 1 ? in_pipeline : 1.0;
        m.activations += Bytes{work.kept_bytes[l] * row.samples * std::max(row.in_share, row.out_share) * in_flight};
        const double gradients = (work.in_bytes[l] * row.in_share + work.out_bytes[l] * row.out_share) * row.samples;
        live[row.stage] = std::max(live[row.stage], m.activations.value + (work.gradient_needed[l] ? gradients : 0.0));
    }
    MemoryEstimate fullest;
    for (auto& entry : devices) {
        MemoryEstimate& m = entry.second;
        m.peak = m.weights + m.gradients + m.optimizer + std::max(m.activations, Bytes{live[entry.first]});
        if (m.peak > fullest.peak) fullest = m;
    }
    return fullest;
}

void add_notes(const Scenario& scenario, const Plan& plan, Estimate& e) {
    auto note = [&](std::string what, const char* where, std::string remedy) {
        e.notes.push_back({Severity::warning, std::move(what), where, std::move(remedy), {}});
    };
    if (plan.paleo) {
        const auto unheard = unheard_by_paleo(scenario);
        std::string list;
        for (std::size_t i = 0; i < unheard.size(); ++i)
            list += (i == 0 ? "" : i + 1 == unheard.size() ? " and " : ", ") + unheard[i];
        if (!list.empty())
            note("PALEO does not know " + list + ": its numbers are without.", "model.method",
                 "choose the pipeline model to have them counted");
    }
    const auto& device = scenario.cluster.device;
    if (device.memory && e.memory.peak > *device.memory)
        note("The step needs " + format_bytes(e.memory.peak) + " on a device of " + format_bytes(*device.memory) + ".",
             "cluster.device", "lower the batch, add workers, or choose a device with more memory");
    if (e.point.strategy == Strategy::data && e.summary.active < e.point.workers)
        note("Only " + std::to_string(e.summary.active) + " of " + std::to_string(e.point.workers) +
                 " workers have a sample to work on.",
             "cluster.workers", "use fewer workers or a larger batch");
    else if (e.point.strategy == Strategy::data && scenario.training.batch_rule == BatchRule::total &&
             scenario.training.batch % e.point.workers != 0)
        note("The batch of " + std::to_string(scenario.training.batch) + " does not divide by " +
                 std::to_string(e.point.workers) + " workers: the busiest has " + std::to_string(e.summary.per_worker) +
                 ", the others wait.",
             "training.batch", "choose a batch that divides");
    if (e.point.strategy == Strategy::outputs && e.point.workers > 1)
        for (const auto& c : plan.parts.front().outputs.classes)
            if (c.units > 1 && c.units % e.point.workers != 0) {
                note("Some layers' outputs do not divide by " + std::to_string(e.point.workers) +
                         " workers: the busiest has the rounded-up share.",
                     "cluster.workers", "choose a count that divides them");
                break;
            }
    if (scenario.parallelism.collective == Collective::butterfly_mixing && e.point.workers > 1 &&
        e.point.strategy == Strategy::data)
        note("Butterfly mixing exchanges with one partner only: another algorithm than averaging over all workers.",
             "parallelism.collective", "compare it with care");
    if (scenario.training.batch_rule == BatchRule::total &&
        scenario.parallelism.boundaries.size() + 1 != static_cast<std::size_t>(e.point.workers) &&
        e.point.strategy == Strategy::layers && !scenario.parallelism.boundaries.empty())
        note("The stage boundaries are for " + std::to_string(scenario.parallelism.boundaries.size() + 1) +
                 " workers; " + std::to_string(e.point.workers) + " stages were balanced instead.",
             "parallelism.boundaries", "set boundaries for this count");
}

}  // namespace scalescope
