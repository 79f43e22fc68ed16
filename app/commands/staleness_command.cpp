// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <cmath>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/estimate/staleness.hpp"

namespace scalescope::app {

namespace {

constexpr int rows_at_most = 40;

Table lesson_table(const StalenessLesson& lesson) {
    Table table{{"workers", "step_ms", "waiting_ms", "throughput_samples_per_s", "speed", "staleness_updates",
                 "statistical_efficiency", "progress", "knee_workers"},
                {}};
    for (const StalenessPoint& p : lesson.points)
        table.rows.push_back({p.workers, in_milliseconds(p.step), in_milliseconds(p.waiting), p.throughput.value,
                              p.speed, p.staleness, p.efficiency, p.progress, p.knee});
    return table;
}

int run_staleness(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(staleness_command);
    options.integer("up-to", "the most workers (four times the scenario's)", 1, limits::workers);
    const auto call = scenario_call(std::move(options), words, out, err);
    if (!call) return call.error();
    const std::int64_t own = call->scenario.cluster.workers,
                       last =
                           call->arguments.integer("up-to").value_or(std::min<std::int64_t>(4 * own, limits::workers));
    const auto found = staleness_lesson(call->scenario, worker_counts(last, own, rows_at_most));
    if (!found) return report(err, found.error());
    const std::string cost = format_percent(found->cost);
    err << (found->cost.value > 0
                ? "An update of staleness is taken to cost " + cost + " of the training: assumed, not measured.\n"
                : "What staleness costs is not known: set model.staleness_cost to try an assumption.\n");
    err << "The servers are the limit from about " << format_number(found->knee) << " workers on; most progress with "
        << format_count(found->best) << ".\n";
    write_table(out, lesson_table(*found), call->arguments.format());
    return exit_done;
}

}  // namespace

const Command staleness_command{
    "analyse staleness", "what more workers give and stale weights take, with asynchronous updates",
    "scalescope analyse staleness resnet-50-p100-servers --set model.staleness_cost=2", run_staleness};

}  // namespace scalescope::app
