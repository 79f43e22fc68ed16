// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/evidence/calibration.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope::calibration {

/// In what a scenario lies beyond the measurements of a calibration: "64 workers, measured were 1 to 8". Empty: its
/// times are calibrated; else they are extrapolated.
std::vector<std::string> beyond(const Calibration& calibration, const Scenario& scenario);

/// "Calibrated on 12 points (Our K80s).", or "Extrapolated from 12 points (Our K80s): …"; and which constants the
/// points leave as they were believed to be.
std::string evidence_of(const Calibration& calibration, const Scenario& scenario);

}  // namespace scalescope::calibration
