// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/calibrated_band.hpp"

#include <cmath>
#include <vector>

#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope {
namespace {

constexpr double ninety_percent = 1.6448536269514722;  ///< normal deviations to either side
constexpr double nudge = 1e-3;                         ///< of a constant, in ln

/// ln of the step when one constant is a little smaller: no share then exceeds 100 %. From the scenario's own value, as
/// one that was not fitted may differ from the calibration's.
std::optional<double> log_step_with_less(const Scenario& scenario, const CalibratedConstant& constant) {
    const Field* field = find_field(constant.field);
    Scenario other = scenario;
    const auto value = field ? field_number(*field, scenario) : std::nullopt;
    if (!value || !set_field(other, *field, *value * std::exp(-nudge))) return std::nullopt;
    const auto plan = prepare(other);
    if (!plan) return std::nullopt;
    Scratch scratch = make_scratch(*plan);
    const Summary summary = score(*plan, plan->point, scratch);
    return summary.feasible() ? std::optional(std::log(summary.step.value)) : std::nullopt;
}

}  // namespace

std::optional<TimeBand> calibrated_band(const Scenario& scenario, const Estimate& estimate) {
    using State = ScenarioEvidence::State;
    const auto state = evidence_of(scenario).state;
    if (state != State::calibrated && state != State::extrapolated) return std::nullopt;
    const Calibration& c = *scenario.model.calibration;
    const std::size_t n = c.constants.size();
    const double step = estimate.summary.step.value;
    if (c.covariance.size() != n * n || !(step > 0)) return std::nullopt;
    std::vector<double> slope;
    for (const auto& constant : c.constants) {
        const auto less = log_step_with_less(scenario, constant);
        if (!less) return std::nullopt;
        slope.push_back((std::log(step) - *less) / nudge);
    }
    double variance = c.deviation * c.deviation;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) variance += slope[i] * c.covariance[i * n + j] * slope[j];
    // Rounding, or a file that somebody wrote, may make a covariance that is none.
    if (!(variance >= 0) || !(variance < 100)) return std::nullopt;
    const double factor = std::exp(ninety_percent * std::sqrt(variance));
    return TimeBand{Seconds{step / factor}, Seconds{step * factor}};
}

}  // namespace scalescope
