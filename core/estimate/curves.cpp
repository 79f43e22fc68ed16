// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/curves.hpp"

#include <algorithm>

#include "core/estimate/details.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace {

/// Hands out the points of a curve known already, asked for by rising counts.
class KnownPoints {
public:
    explicit KnownPoints(const Curve* curve) : curve_(curve) {}
    const CurvePoint* at(std::int64_t workers) {
        if (curve_ == nullptr) return nullptr;
        while (next_ < curve_->points.size() && curve_->points[next_].workers < workers) ++next_;
        const bool found = next_ < curve_->points.size() && curve_->points[next_].workers == workers;
        return found ? &curve_->points[next_] : nullptr;
    }

private:
    const Curve* curve_;
    std::size_t next_ = 0;
};

/// `known`: the same curve by the same plan, if at other counts; or null.
Curve make_curve(const Plan& plan, const CurveSpec& spec, const std::vector<std::int64_t>& counts,
                 std::optional<Bytes> room, const Curve* known, Scratch& scratch, const CancelToken& cancel,
                 std::int64_t& scored) {
    Curve curve;
    curve.spec = spec;
    Point point = plan.point;
    // A cut set by hand belongs to the hybrid strategy; the others do not look at it.
    point.strategy = spec.strategy;
    point.collective = spec.collective;
    point.scheme = spec.scheme;
    point.updates = spec.updates;
    point.degrees_given() = spec.mesh;
    // Of a mesh only the counts that its degrees divide.
    const std::int64_t others = point.step_of_workers();
    const auto priced = [&](const Point& at) {
        ++scored;
        return score(plan, at, scratch);
    };
    curve.one = known ? known->one : priced(of_one_worker(point));
    curve.points.reserve(counts.size());
    KnownPoints points(known);
    PeakMemory memory(plan);
    for (const std::int64_t count : counts) {
        if (cancel.cancelled()) break;
        const std::int64_t n = count / others * others;
        if (n == 0 || (!curve.points.empty() && curve.points.back().workers == n)) continue;
        if (const CurvePoint* kept = points.at(n)) {
            curve.points.push_back(*kept);
            continue;
        }
        CurvePoint p;
        p.workers = n;
        point.workers = n;
        point.partitions = spec.partitions;
        p.summary = priced(point);
        if (p.summary.feasible() && curve.one.feasible()) p.speedup = speedup(curve.one, p.summary);
        if (room && p.summary.feasible()) p.fits = memory.at(point, p.summary, scratch) <= *room;
        curve.points.push_back(p);
    }
    return curve;
}

CurveSpec own_curve(const Scenario& s) {
    const Parallelism& p = s.parallelism;
    if (is_cpu_cluster(s)) return {p.strategy, p.collective, p.scheme, p.updates, s.cpu.partitions};
    return {p.strategy, p.collective, p.scheme, p.updates, 1, p.degrees_given()};
}

}  // namespace

std::vector<CurveSpec> curve_specs(const Scenario& scenario, CurveSet set) {
    const Parallelism& p = scenario.parallelism;
    std::vector<CurveSpec> specs;
    const CurveSpec own = own_curve(scenario);
    const auto with_own = [&] {
        if (std::find(specs.begin(), specs.end(), own) == specs.end()) specs.push_back(own);
        return specs;
    };
    if (is_cpu_cluster(scenario)) {
        CurveSpec spec = own;
        if (set == CurveSet::strategies) {
            const std::int64_t most = std::min<std::int64_t>(32, scenario.cluster.workers);
            for (spec.partitions = 1; spec.partitions <= most; spec.partitions *= 2) specs.push_back(spec);
        } else {
            for (spec.updates = Updates::synchronous; specs.size() < 2; spec.updates = Updates::asynchronous)
                specs.push_back(spec);
        }
        return with_own();
    }
    if (scenario.model.method != Method::pipeline) {
        // PALEO's methods know data parallelism and four schemes.
        if (set == CurveSet::collectives)
            for (Collective c :
                 {Collective::one_to_all, Collective::paleo_tree, Collective::butterfly, Collective::butterfly_mixing})
                specs.push_back({Strategy::data, c, p.scheme});
        return with_own();
    }
    switch (set) {
        case CurveSet::strategies:
            for (Strategy s : {Strategy::data, Strategy::outputs, Strategy::layers, Strategy::hybrid})
                specs.push_back({s, p.collective, p.scheme});
            break;
        case CurveSet::collectives:
            for (Collective c : {Collective::ring, Collective::recursive, Collective::tree, Collective::one_to_all,
                                 Collective::paleo_tree, Collective::butterfly})
                specs.push_back({p.strategy, c, p.scheme, Updates::synchronous, 1, p.degrees_given()});
            break;
        case CurveSet::schemes:
            for (HybridScheme s : {HybridScheme::all_at_once, HybridScheme::one_sender, HybridScheme::all_send_share})
                specs.push_back({Strategy::hybrid, p.collective, s});
            break;
    }
    return with_own();
}

int shown_curve(const Scenario& scenario, const std::vector<CurveSpec>& specs) {
    const auto it = std::find(specs.begin(), specs.end(), own_curve(scenario));
    return it == specs.end() ? -1 : static_cast<int>(it - specs.begin());
}

std::vector<Curve> make_curves(const Plan& plan, const std::vector<CurveSpec>& specs,
                               const std::vector<std::int64_t>& counts, std::optional<Bytes> room, Scratch& scratch,
                               const CancelToken& cancel) {
    std::vector<Curve> curves;
    std::int64_t scored = 0;
    for (const CurveSpec& spec : specs)
        curves.push_back(make_curve(plan, spec, counts, room, nullptr, scratch, cancel, scored));
    return curves;
}

bool KeptCurves::same_plan(const Scenario& scenario) const {
    if (!scenario_) return false;
    Scenario moved = *scenario_;  // what a Point holds
    moved.name = scenario.name;
    copy_point(scenario, moved);
    return moved == scenario;
}

const std::vector<Curve>& KeptCurves::make(const Scenario& scenario, const Plan& plan,
                                           const std::vector<CurveSpec>& specs, const std::vector<std::int64_t>& counts,
                                           Scratch& scratch) {
    const bool usable = same_plan(scenario) && scenario_->training.batch == scenario.training.batch &&
                        scenario_->parallelism.servers == scenario.parallelism.servers;
    const int cut = plan.point.cut;
    std::vector<Curve> curves;
    for (const CurveSpec& spec : specs) {
        const auto kept =
            std::find_if(curves_.begin(), curves_.end(), [&](const Curve& curve) { return curve.spec == spec; });
        const bool known = usable && kept != curves_.end() && (spec.strategy != Strategy::hybrid || cut == cut_);
        curves.push_back(
            make_curve(plan, spec, counts, worker_memory(scenario), known ? &*kept : nullptr, scratch, {}, scored_));
    }
    curves_ = std::move(curves);
    scenario_ = scenario;
    cut_ = cut;
    return curves_;
}

}  // namespace scalescope
