// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/details.hpp"
#include "core/estimate/memory.hpp"

namespace scalescope {

void add_stages(const Plan& plan, const MemoryScratch& memory, Estimate& e) {
    if (e.schedule.done.empty()) return;
    e.stages.resize(static_cast<std::size_t>(e.schedule.shape.devices));
    for (const LayerEstimate& row : e.layers) {
        StageEstimate& stage = e.stages[static_cast<std::size_t>(row.stage)];
        ++stage.layers;
        stage.forward += row.forward;
        stage.backward += row.backward();
        stage.update += row.update;
    }
    for (const MessageEstimate& m : e.messages)
        if (m.within_stage())
            e.stages[static_cast<std::size_t>(e.layers[static_cast<std::size_t>(m.first)].stage)].messages += m.exposed;
    for (const LayerRun& run : e.runs)
        e.stages[static_cast<std::size_t>(run.stage)].in_flight +=
            static_cast<std::int64_t>(run.kept_samples / run.samples + 0.5);
    const double steps = static_cast<double>(micro_steps(plan, e.summary.batch).count);
    const Seconds span{steps * plan.parts.front().count * e.schedule.span};
    for (std::size_t d = 0; d < e.stages.size(); ++d) {
        StageEstimate& stage = e.stages[d];
        stage.waiting = std::max(Seconds{0}, span - stage.forward - stage.backward - stage.messages);
        stage.memory = memory_estimate(memory.devices[d]);
    }
}

}  // namespace scalescope
