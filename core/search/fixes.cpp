// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/fixes.hpp"

#include <algorithm>

#include "core/estimate/memory.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"

namespace scalescope::search {

std::vector<Fix> fixes(const Scenario& scenario, const Plan& plan, const Estimate& e, std::span<const Way> ways,
                       const Result<BestMesh>& best, std::size_t most, const CancelToken& cancel) {
    std::vector<Fix> found;
    const auto room = worker_memory(scenario);
    if (!room || fits_device(scenario, e.memory)) return found;
    const auto add = [&](std::vector<std::string> names, Scenario s) {
        if (cancel.cancelled()) return;
        const auto estimated = estimate(s, Remedies::left_out);
        if (!estimated || !fits_device(s, estimated->memory)) return;
        const auto same = [&](const Fix& f) {
            return f.step == estimated->summary.step && f.memory == estimated->memory.peak;
        };
        if (std::any_of(found.begin(), found.end(), same)) return;
        found.push_back(
            {std::move(names), std::move(s), estimated->memory.peak, estimated->summary.step, estimated->throughput});
    };
    for (const Way& way : ways) add({way.name}, divided_as(way, scenario));  // a name says more than a sentence
    Scratch scratch = make_scratch(plan);
    for (MemoryRemedy& remedy : memory_remedies(scenario, plan, e, *room, scratch))
        add(std::move(remedy.brief), std::move(remedy.scenario));
    const auto keeps_job = [&](const Fix& f) {
        return f.scenario.cluster.workers == scenario.cluster.workers &&
               f.scenario.training.batch == scenario.training.batch;
    };
    std::stable_sort(found.begin(), found.end(), [&](const Fix& a, const Fix& b) {
        return keeps_job(a) != keeps_job(b) ? keeps_job(a) : a.rate > b.rate;
    });
    const std::size_t others = most - (best ? 1 : 0);
    if (found.size() > others) found.resize(others);
    if (best) {
        const auto as_good = [&](const Fix& f) { return f.step == best->summary.step && f.memory == best->memory; };
        std::erase_if(found, as_good);
        found.push_back({{}, best->scenario, best->memory, best->summary.step, best->summary.throughput()});
    }
    return found;
}

}  // namespace scalescope::search
