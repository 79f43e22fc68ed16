// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trace.hpp"

#include <nlohmann/json.hpp>

namespace scalescope::report {

std::string_view word_of(Activity a) {
    switch (a) {
        case Activity::forward: return "forward";
        case Activity::recomputation: return "recomputation";
        case Activity::backward: return "backward";
        case Activity::weight_gradients: return "weight gradients";
        case Activity::update: return "update";
        case Activity::communication: return "communication";
        case Activity::hidden: return "hidden communication";
        case Activity::idle: return "idle";
    }
    return {};
}

std::string layer_of(const Scenario& scenario, const Interval& i) {
    if (i.layer < 0) return {};
    const Network& network = *scenario.workload[static_cast<std::size_t>(i.part)].network;
    return network.layers()[static_cast<std::size_t>(i.layer)].name;
}

std::string trace_json(const Scenario& scenario, const Plan& plan, const Estimate& e) {
    using nlohmann::json;
    json events = json::array();
    const Timeline timeline = plan.cpu ? Timeline{} : make_timeline(plan, e);
    for (std::size_t row = 0; row < timeline.rows.size(); ++row) {
        events.push_back(
            {{"ph", "M"}, {"name", "thread_name"}, {"pid", 0}, {"tid", row}, {"args", {{"name", timeline.rows[row]}}}});
        events.push_back(
            {{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", 0}, {"tid", row}, {"args", {{"sort_index", row}}}});
    }
    for (const Interval& i : timeline.intervals) {
        const std::string layer = layer_of(scenario, i);
        const std::string_view activity = word_of(i.activity);
        json event{{"ph", "X"},
                   {"name", layer.empty() ? std::string(activity) : layer},
                   {"cat", activity},
                   {"pid", 0},
                   {"tid", i.row},
                   {"ts", i.start.value * 1e6},
                   {"dur", i.length.value * 1e6}};
        if (i.micro_batch >= 0) event["args"] = {{"micro-batch", i.micro_batch}};
        events.push_back(std::move(event));
    }
    const json trace{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return trace.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace scalescope::report
