// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/timeline_table.hpp"

#include "core/report/trace.hpp"

namespace scalescope::app {
Table timeline_table(const Scenario& scenario, const Plan& plan, const Estimate& e) {
    Table table{{"row", "activity", "layer", "micro_batch", "start_ms", "length_ms"}, {}};
    if (plan.cpu) return table;
    const Timeline timeline = make_timeline(plan, e);
    for (const scalescope::Interval& i : timeline.intervals) {
        std::optional<std::int64_t> micro_batch;
        if (i.micro_batch >= 0) micro_batch = i.micro_batch;
        table.rows.push_back({timeline.rows[static_cast<std::size_t>(i.row)], std::string(report::word_of(i.activity)),
                              report::layer_of(scenario, i), cell_of(micro_batch), in_milliseconds(i.start),
                              in_milliseconds(i.length)});
    }
    return table;
}

}  // namespace scalescope::app
