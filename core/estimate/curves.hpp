// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/cancel.hpp"
#include "core/estimate/estimate.hpp"

namespace scalescope {

/// One line of the speedup chart: a way to divide the work.
struct CurveSpec {
    Strategy strategy = Strategy::data;
    Collective collective = Collective::ring;
    HybridScheme scheme = HybridScheme::all_at_once;
    bool operator==(const CurveSpec&) const = default;
};

struct CurvePoint {
    std::int64_t workers = 1;
    Summary summary;
    double speedup = 0;  ///< 0 where the point is infeasible
};

struct Curve {
    CurveSpec spec;
    Summary one;  ///< the baseline: one worker by the same batch rule
    std::vector<CurvePoint> points;
};

/// What the curves of the speedup chart compare; the scenario's own way is always among them.
enum class CurveSet { strategies, collectives, schemes };
std::vector<CurveSpec> curve_specs(const Scenario& scenario, CurveSet set);
/// Index of the scenario's own way in `specs`.
int shown_curve(const Scenario& scenario, const std::vector<CurveSpec>& specs);

/// Scores every spec at every count, all by the plan's batch rule. Stops early, with what is there, when cancelled.
std::vector<Curve> make_curves(const Plan& plan, const std::vector<CurveSpec>& specs,
                               const std::vector<std::int64_t>& counts, Scratch& scratch,
                               const CancelToken& cancel = {});

}  // namespace scalescope
