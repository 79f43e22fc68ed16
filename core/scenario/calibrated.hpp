// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scenario/scenario.hpp"

/// What the times of a scenario rest on, if its constants were fitted to measurements.
namespace scalescope {

/// What of `scenarios` changes a step and is no constant of a calibration: workers, a worker's batch, and how the work
/// is done. Of numbers the smallest and the largest, of choices one range for each that is among them (its place in
/// the list of the field); only of scenarios whose time depends on it.
std::vector<CalibratedRange> measured_ranges(std::span<const Scenario> scenarios);

/// The scenario with the constants of a calibration, which it remembers. Constants that none of its measured times
/// depends on are not taken over: they were not fitted.
Scenario with_calibration(Scenario scenario, SharedCalibration calibration);

struct ScenarioEvidence {
    enum class State {
        uncalibrated,  ///< no calibration
        changed,       ///< a constant is another than the calibration's
        calibrated,
        extrapolated  ///< the constants are those, the scenario lies beyond the measurements
    };
    State state = State::uncalibrated;
    std::vector<std::string> beyond;   ///< "Workers 64, measured was 1 to 8"
    std::vector<std::string> changed;  ///< labels of the constants that are others
};

ScenarioEvidence evidence_of(const Scenario& scenario);

/// In what a scenario lies beyond the measurements of a calibration; empty if in nothing.
std::vector<std::string> beyond(const Calibration& calibration, const Scenario& scenario);

/// What the calibration says of the constant at the path of a field: nothing if there is no calibration, if it says
/// nothing of it, or if the scenario has another value.
const CalibratedConstant* constant_in_use(const Scenario& scenario, std::string_view field);

/// As a table says it: "calibrated", "extrapolated", "changed", "not calibrated".
std::string_view word_of(ScenarioEvidence::State state);
/// "calibrated on 12 points", "extrapolated from 12 points", "changed since it was calibrated", "not calibrated".
std::string short_text(const ScenarioEvidence& evidence, const Scenario& scenario);
/// A sentence or a few: the calibration by name, what lies beyond it or was changed, which constants its points leave
/// open.
std::string long_text(const ScenarioEvidence& evidence, const Scenario& scenario);

}  // namespace scalescope
