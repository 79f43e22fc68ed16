// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/calibration/use.hpp"

#include <algorithm>

#include "core/base/decimal.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::calibration {

std::vector<std::string> beyond(const Calibration& c, const Scenario& s) {
    std::vector<std::string> reasons;
    if (!c.device.empty() && c.device != s.cluster.device.id)
        reasons.push_back(s.cluster.device.name + ", measured was " + c.device);
    const std::string precision(name_of(s.training.precision));
    if (!c.precision.empty() && c.precision != precision)
        reasons.push_back(precision + ", measured was " + c.precision);
    if (!c.networks.empty())
        for (const auto& part : s.workload)
            if (std::find(c.networks.begin(), c.networks.end(), part.network->name()) == c.networks.end())
                reasons.push_back("the network " + part.network->name() + ", which was not measured");
    for (const CalibratedRange& range : c.ranges) {
        const Field* field = find_field(range.field);
        if (!field) continue;
        auto value = field_number(*field, s);
        std::string label(field->label);
        if (range.field == "training.batch") {  // ranges are of a worker's batch, whatever the rule
            value = static_cast<double>(batch_for(s.training, s.cluster.workers).per_worker);
            label = "Batch of a worker";
        }
        if (!value || (*value >= range.low * (1 - 1e-9) && *value <= range.high * (1 + 1e-9))) continue;
        reasons.push_back(label + ' ' + shortest_decimal(*value) + ", measured was " + shortest_decimal(range.low) +
                          (range.low < range.high ? " to " + shortest_decimal(range.high) : std::string()));
    }
    return reasons;
}

std::string evidence_of(const Calibration& c, const Scenario& s) {
    const auto reasons = beyond(c, s);
    const std::string points = std::to_string(c.points) + (c.points == 1 ? " point (" : " points (") + c.name + ')';
    std::string text = (reasons.empty() ? "Calibrated on " : "Extrapolated from ") + points;
    for (std::size_t i = 0; i < reasons.size(); ++i) text += (i == 0 ? ": " : "; ") + reasons[i];
    text += '.';
    std::string open;
    for (const auto& constant : c.constants) {
        if (constant.verdict != Verdict::undetermined) continue;
        const Field* field = find_field(constant.field);
        open += (open.empty() ? "" : ", ") + std::string(field ? field->label : std::string_view(constant.field));
    }
    if (!open.empty()) text += " Not determined by them: " + open + '.';
    return text;
}

}  // namespace scalescope::calibration
