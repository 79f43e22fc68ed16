// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory.hpp"

#include <algorithm>
#include <vector>

#include "core/base/format.hpp"
#include "core/estimate/kept_tensors.hpp"

namespace scalescope {

MemoryEstimate memory_of(const Plan& plan, Estimate& e) {
    // Stages are separate devices, everything else is one; the fullest counts.
    int stages = 1;
    for (const LayerEstimate& row : e.layers) stages = std::max(stages, row.stage + 1);
    std::vector<MemoryEstimate> devices(static_cast<std::size_t>(stages));
    std::vector<double> live(devices.size(), 0.0);  // largest pair of gradient tensors beside what is still kept
    const auto tensors = kept_tensors(plan, e);
    auto next = tensors.begin();
    for (LayerEstimate& row : e.layers) {
        const Work& work = plan.parts[static_cast<std::size_t>(row.part)].work;
        const auto l = static_cast<std::size_t>(row.position);
        const auto device = static_cast<std::size_t>(std::max(row.stage, 0));
        MemoryEstimate& m = devices[device];
        double weights = work.weight_bytes[l] * row.out_share, trained = work.trained[l] * row.out_share;
        for (const int owner : row.copies) {
            weights += work.weight_bytes[static_cast<std::size_t>(owner)];
            trained += work.trained[static_cast<std::size_t>(owner)];
        }
        m.weights += Bytes{weights};
        m.gradients += Bytes{trained * work.element_bytes};
        m.optimizer += Bytes{trained * plan.update.state_bytes};
        row.kept = Bytes{0};
        for (; next != tensors.end() && next->part == row.part && next->keeper == row.position; ++next)
            row.kept += next->bytes;
        m.activations += row.kept;
        const double gradients = (work.in_bytes[l] * row.in_share + work.out_bytes[l] * row.out_share) * row.samples;
        live[device] = std::max(live[device], m.activations.value + (work.gradient_needed[l] ? gradients : 0.0));
    }
    MemoryEstimate fullest;
    for (std::size_t d = 0; d < devices.size(); ++d) {
        MemoryEstimate& m = devices[d];
        m.peak = m.weights + m.gradients + m.optimizer + std::max(m.activations, Bytes{live[d]});
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
    if (!plan.paleo)  // which prices what it does not know at nothing, and says so
        for (const PlanPart& part : plan.parts)
            if (const std::string text = about_unknown_kinds(*part.network); !text.empty())
                note(text, "workload",
                     "give them a kind that the program knows, or take their part of the step as a guess");
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
