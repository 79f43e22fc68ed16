// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/cancel.hpp"
#include "core/estimate/estimate.hpp"

namespace scalescope {

/// One line of the speedup chart: a way to divide the work.
struct CurveSpec {
    Strategy strategy = Strategy::data;
    Collective collective = Collective::ring;
    HybridScheme scheme = HybridScheme::all_at_once;
    Updates updates = Updates::synchronous;
    std::int64_t partitions = 1;  ///< CPU cluster: machines of a replica
    GivenDegrees mesh{};
    bool operator==(const CurveSpec&) const = default;
};

struct CurvePoint {
    std::int64_t workers = 1;
    Summary summary;
    double speedup = 0;  ///< 0 where the point is infeasible
    bool fits = true;    ///< into the memory of the worker; false only where it has a time
};

struct Curve {
    CurveSpec spec;
    Summary one;  ///< the baseline: one worker by the same batch rule
    std::vector<CurvePoint> points;
};

/// What the curves of the speedup chart compare; the scenario's own way is always among them. For a CPU cluster:
/// replicas of 1, 2, 4 … machines (strategies), or both kinds of updates (collectives, schemes).
enum class CurveSet { strategies, collectives, schemes };
std::vector<CurveSpec> curve_specs(const Scenario& scenario, CurveSet set);
/// Index of the scenario's own way in `specs`.
int shown_curve(const Scenario& scenario, const std::vector<CurveSpec>& specs);

/// Scores every spec at every count, all by the plan's batch rule. `room` is the memory of a worker, if it is known.
/// Stops early, with what is there, when cancelled.
std::vector<Curve> make_curves(const Plan& plan, const std::vector<CurveSpec>& specs,
                               const std::vector<std::int64_t>& counts, std::optional<Bytes> room, Scratch& scratch,
                               const CancelToken& cancel = {});

/// The curves of one scenario after the other, of which most often a single field changes. What that leaves alone is
/// kept: all of a curve but the new counts where only the workers changed, and all curves but those of the hybrid
/// strategy where only its cut did. Each point is that of make_curves(), bit for bit.
class KeptCurves {
public:
    /// `plan` is that of `scenario`.
    const std::vector<Curve>& make(const Scenario& scenario, const Plan& plan, const std::vector<CurveSpec>& specs,
                                   const std::vector<std::int64_t>& counts, Scratch& scratch);
    /// True if a plan for the last scenario becomes one for this by move_plan().
    bool same_plan(const Scenario& scenario) const;
    std::int64_t scored() const { return scored_; }  ///< points priced so far

private:
    std::optional<Scenario> scenario_;  ///< of the curves
    int cut_ = Point::cut_automatic;
    std::vector<Curve> curves_;
    std::int64_t scored_ = 0;
};

}  // namespace scalescope
