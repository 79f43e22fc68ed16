// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/evidence/calibration.hpp"
#include "core/measure/calibration/observations.hpp"

namespace scalescope::calibration {

struct CalibrateOptions {
    double share_spread = 0.2;  ///< of what is believed of a share somebody set, in natural logarithms (one deviation)
    double noise = 0.05;        ///< expected of a measurement; learnt from the residuals as they get more
};

/// A constant before and after, in the unit of its field.
struct ConstantFinding {
    std::string field;
    double before = 0;  ///< of the first scenario as it came, by which `ObservationFinding::before` is reckoned
    double prior = 0, prior_low = 0, prior_high = 0;  ///< what was believed: middle, and 90 % of it
    double value = 0, low = 0, high = 0;              ///< what is believed now
    Verdict verdict = Verdict::undetermined;
    double width_kept = 1;  ///< width of the interval now over that before
    std::string words;      ///< why, for people
};

struct ObservationFinding {
    Seconds before, after;  ///< predicted by the base as it is, and by the fitted constants
    Seconds low, high;      ///< where a measurement is to be expected with a probability of 90 %

    /// predicted/measured − 1
    double error_before(Seconds measured) const { return before / measured - 1.0; }
    double error_after(Seconds measured) const { return after / measured - 1.0; }
};

struct CalibrationFit {
    std::vector<ConstantFinding> constants;
    std::vector<ObservationFinding> rows;      ///< like the observations
    std::vector<double> covariance;            ///< of the constants' logarithms, row by row
    double noise = 0;                          ///< deviation of ln(measured/predicted)
    double error_before = 0, error_after = 0;  ///< means of |predicted/measured − 1|
    std::size_t iterations = 0;
    Problems warnings;  ///< times that look like those of another unit, or of something else than the scenarios
};

/// Fits the logarithms of eight constants (shares of peak of arithmetic, memory and both links, start-up times of both
/// links and of operations, the overhead of a step) by penalised least squares of ln(measured/predicted), from what the
/// base says, or usual values where it says nothing; intervals are Laplace's (docs/decisions/calibration.md). Problems:
/// rows that the model cannot price, PALEO's methods, that `watch` ended it.
Result<CalibrationFit> calibrate(const Observations& observations, const CalibrateOptions& options = {},
                                 const Watch& watch = {});

/// What a file keeps of a fit. `name` is what people call it.
Calibration to_calibration(const CalibrationFit& fit, const Observations& observations, std::string name);

}  // namespace scalescope::calibration
