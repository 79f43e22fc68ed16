// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/estimate/estimate.hpp"
#include "core/hardware/catalogue.hpp"

namespace scalescope {

/// One line of the speedup chart: the scenario with its work divided so.
struct CurveSpec {
    std::string way;  ///< name of the way to divide the work that it is; empty: of none
    Parallelism parallelism;
    std::int64_t partitions = 1;  ///< CPU cluster: machines of a replica
    bool operator==(const CurveSpec&) const = default;
};

struct CurvePoint {
    std::int64_t workers = 1;
    Summary summary;
    double speedup = 0;  ///< 0 where the point is infeasible
    bool fits = true;    ///< into the memory of the worker; false only where it has a time, or its states are too large
    Bytes peak{0};       ///< of the fullest worker; 0 where it has no time, or the worker's memory is not known
    /// False: it was left out because its states alone are too large.
    bool priced() const { return summary.infeasible != Infeasible::states_too_large; }
};

/// Of which points somebody wants to know the time.
enum class Priced { all, what_may_fit };

struct Curve {
    CurveSpec spec;
    std::shared_ptr<const Plan> plan;  ///< null if the work cannot be divided so at all
    Point at;                          ///< of the plan, but for the number of workers
    Summary one;                       ///< the baseline: one worker by the same batch rule
    bool one_fits = true;              ///< into the memory of a worker: else a speedup over it means nothing
    std::vector<CurvePoint> points;
    /// Why an infeasible point of it is.
    Problem why_not(const CurvePoint& point) const;
};

/// What the curves of the speedup chart compare; the scenario's own way is always among them. For a CPU cluster:
/// replicas of 1, 2, 4 … machines (ways), or both kinds of updates (collectives, schemes).
enum class CurveSet { ways, collectives, schemes };
/// Of the ways those that are for such networks; of ways that divide the work alike, as over nodes of one device, one.
std::vector<CurveSpec> curve_specs(const Scenario& scenario, CurveSet set, std::span<const Way> ways);
CurveSpec own_curve(const Scenario& scenario);
/// Index of the scenario's own way in `specs`.
int shown_curve(const Scenario& scenario, const std::vector<CurveSpec>& specs);

/// The curves of one scenario after the other, of which most often a single field changes. What that leaves alone is
/// kept: all of a curve but the new counts where only the workers changed, and all curves but those of the hybrid
/// strategy where only its cut did. Each point is the same as of new curves, bit for bit.
class KeptCurves {
public:
    /// Every spec at every count, all by the scenario's batch rule. `plan` is that of `scenario`. Cancelled, points are
    /// missing; those that are there are kept. Where only those are wanted that may fit, one worker cannot hold the
    /// design and some point fits, points whose states alone are too large have no time, except in the scenario's own
    /// curve and at its number of workers.
    const std::vector<Curve>& make(const Scenario& scenario, const std::shared_ptr<const Plan>& plan,
                                   const std::vector<CurveSpec>& specs, const std::vector<std::int64_t>& counts,
                                   Scratch& scratch, Priced priced = Priced::all, const CancelToken& cancel = {});
    /// How many points make() would have to price, at most.
    std::int64_t unpriced(const Scenario& scenario, const Plan& plan, const std::vector<CurveSpec>& specs,
                          const std::vector<std::int64_t>& counts, Priced priced = Priced::all) const;
    /// True if a plan for the last scenario becomes one for this by move_plan().
    bool same_plan(const Scenario& scenario) const;
    std::int64_t scored() const { return scored_; }  ///< points priced so far

private:
    const Curve* known(const CurveSpec& spec) const;

    std::optional<Scenario> scenario_;  ///< of the curves
    std::vector<Curve> curves_;
    std::vector<std::unique_ptr<Scratch>> own_;  ///< by curve, for a plan of its own; null: it has the scenario's
    std::int64_t scored_ = 0;
};

}  // namespace scalescope
