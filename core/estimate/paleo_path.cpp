// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/paleo_path.hpp"

#include <algorithm>
#include <cmath>

#include "core/estimate/plan.hpp"
#include "core/paleo/simulate.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {

Result<PaleoPath> paleo_path(const Scenario& asked, const PaleoQuestion& question) {
    if (is_cpu_cluster(asked))
        return fail(make_error("PALEO prices devices, and knows no clusters of CPU machines.",
                               "Choose another method to compare.", {}, "model.method"));
    if (asked.workload.size() != 1)
        return fail(make_error("PALEO prices a step of one network, and this one has several.",
                               "Choose a scenario with one network to compare.", {}, "workload"));
    if (asked.parallelism.strategy != Strategy::data)
        return fail(
            make_error("PALEO divides a network only where its own files do, so it has no answer for this strategy.",
                       "Choose Data to compare.", {}, "parallelism.strategy"));
    PaleoPath path;
    path.left_out = unheard_by_paleo(asked);
    if (!paleo_scheme(asked.parallelism.collective))
        path.left_out.insert(path.left_out.begin(), "its all-reduce (a tree instead)");
    const Scenario s = with_paleo(asked, {question.era, {}});
    if (const auto plan = prepare(s); !plan) return tl::unexpected(plan.error());
    const auto method = make_paleo_method(s);
    if (!method) return tl::unexpected(method.error());
    const PaleoPart& part = (*method)->parts.front();
    const paleo::Situation situation{paleo::Parallelism::data, (*method)->scaling,
                                     *paleo_scheme(s.parallelism.collective), s.training.batch, s.cluster.workers};
    const auto steps =
        paleo::waterfall(*part.net, question.era, (*method)->setup(s.cluster.workers), situation, question.corrections);
    path.published = steps.front().iteration;
    path.reached = steps.back().iteration;
    for (const auto& step : steps)
        if (step.correction != nullptr) path.steps.push_back({step.correction, step.difference});
    return path;
}

std::optional<Seconds> PaleoPath::beyond(Seconds step) const {
    if (steps.size() != paleo::corrections().size()) return std::nullopt;
    const Seconds more = step - reached;
    return std::abs(more.value) > 1e-9 * step.value ? std::optional(more) : std::nullopt;
}

PaleoQuestion paleo_question(const ModelOptions& model) {
    PaleoQuestion q;
    q.era = model.method == Method::paleo_paper ? paleo::Era::paper : paleo::Era::head;
    q.corrections = {};
    if (!is_paleo(model.method)) return q;
    for (const auto& c : paleo::corrections())
        q.corrections.*c.flag = std::find(model.paleo_corrections.begin(), model.paleo_corrections.end(), c.id) !=
                                model.paleo_corrections.end();
    return q;
}

Scenario with_paleo(Scenario s, const PaleoQuestion& question) {
    s.model.method = question.era == paleo::Era::paper ? Method::paleo_paper : Method::paleo_head;
    s.model.paleo_corrections.clear();
    for (const auto& c : paleo::corrections())
        if (question.corrections.*c.flag) s.model.paleo_corrections.emplace_back(c.id);
    std::sort(s.model.paleo_corrections.begin(), s.model.paleo_corrections.end());
    s.parallelism.strategy = Strategy::data;
    s.parallelism.updates = Updates::synchronous;
    if (!paleo_scheme(s.parallelism.collective)) s.parallelism.collective = Collective::paleo_tree;
    return s;
}

}  // namespace scalescope
