// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/calibrated.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope {
namespace {

/// Units are converted on the way into a scenario and back: equal but for rounding.
bool is_still(const Scenario& scenario, const CalibratedConstant& constant) {
    const Field* field = find_field(constant.field);
    if (!field) return true;
    const auto value = field_number(*field, scenario);
    return value && std::abs(*value - constant.value) <= 1e-9 * std::abs(constant.value);
}

std::string label_of(std::string_view path) {
    const Field* field = find_field(path);
    return std::string(field ? field->label : path);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const auto& w : words) text += (text.empty() ? "" : between) + w;
    return text;
}

std::string points_of(const Calibration& c) {
    return std::to_string(c.points) + (c.points == 1 ? " point" : " points");
}

}  // namespace

Scenario with_calibration(Scenario scenario, SharedCalibration calibration) {
    if (calibration)
        for (const auto& constant : calibration->constants)
            if (const Field* field = find_field(constant.field)) (void)set_field(scenario, *field, constant.value);
    if (calibration && !calibration->operators.empty()) {  // those price traces, not steps
        auto constants = *calibration;
        constants.operators.clear();
        calibration.of = std::make_shared<const Calibration>(std::move(constants));
    }
    scenario.model.calibration = std::move(calibration);
    return scenario;
}

const CalibratedConstant* constant_in_use(const Scenario& scenario, std::string_view field) {
    if (!scenario.model.calibration) return nullptr;
    const CalibratedConstant* constant = scenario.model.calibration->constant(field);
    return constant && is_still(scenario, *constant) ? constant : nullptr;
}

std::vector<std::string> beyond(const Calibration& c, const Scenario& s) {
    std::vector<std::string> reasons;
    if (!c.device.empty() && c.device != s.cluster.device.id)
        reasons.push_back(s.cluster.device.name + ", measured was " + c.device);
    const std::string precision(name_of(s.training.precision));
    if (!c.precision.empty() && c.precision != precision)
        reasons.push_back(precision + ", measured was " + c.precision);
    if (!c.networks.empty())
        for (const auto& part : s.workload)
            if (part.network &&
                std::find(c.networks.begin(), c.networks.end(), part.network->name()) == c.networks.end())
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

ScenarioEvidence evidence_of(const Scenario& scenario) {
    using State = ScenarioEvidence::State;
    ScenarioEvidence e;
    if (!scenario.model.calibration) return e;
    const Calibration& c = *scenario.model.calibration;
    for (const auto& constant : c.constants)
        if (!is_still(scenario, constant)) e.changed.push_back(label_of(constant.field));
    if (scenario.model.method != Method::pipeline) e.changed.push_back(label_of("model.method"));
    e.beyond = beyond(c, scenario);
    e.state = !e.changed.empty() ? State::changed : e.beyond.empty() ? State::calibrated : State::extrapolated;
    return e;
}

std::string_view word_of(ScenarioEvidence::State state) {
    switch (state) {
        case ScenarioEvidence::State::uncalibrated: return "not calibrated";
        case ScenarioEvidence::State::changed: return "changed";
        case ScenarioEvidence::State::calibrated: return "calibrated";
        case ScenarioEvidence::State::extrapolated: return "extrapolated";
    }
    return {};
}

std::string short_text(const ScenarioEvidence& evidence, const Scenario& scenario) {
    switch (evidence.state) {
        case ScenarioEvidence::State::uncalibrated: break;
        case ScenarioEvidence::State::changed: return "changed since it was calibrated";
        case ScenarioEvidence::State::calibrated: return "calibrated on " + points_of(*scenario.model.calibration);
        case ScenarioEvidence::State::extrapolated:
            return "extrapolated from " + points_of(*scenario.model.calibration);
    }
    return "not calibrated";
}

std::string long_text(const ScenarioEvidence& evidence, const Scenario& scenario) {
    if (evidence.state == ScenarioEvidence::State::uncalibrated)
        return "Not calibrated: figures of data sheets and the shares of peak that are set.";
    const Calibration& c = *scenario.model.calibration;
    const std::string points = points_of(c) + " (" + c.name + ')';
    std::string text;
    if (evidence.state == ScenarioEvidence::State::changed)
        text = "Changed since it was calibrated on " + points + ": " + joined(evidence.changed, ", ");
    else if (evidence.state == ScenarioEvidence::State::extrapolated)
        text = "Extrapolated from " + points + ": " + joined(evidence.beyond, "; ");
    else
        text = "Calibrated on " + points;
    text += '.';
    std::vector<std::string> open;
    for (const auto& constant : c.constants)
        if (constant.verdict == Verdict::undetermined) open.push_back(label_of(constant.field));
    if (!open.empty()) text += " Not determined by them: " + joined(open, ", ") + '.';
    return text;
}

}  // namespace scalescope
