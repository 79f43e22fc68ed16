// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/curves.hpp"

#include <algorithm>

namespace scalescope {

std::vector<CurveSpec> curve_specs(const Scenario& scenario, CurveSet set) {
    const Parallelism& p = scenario.parallelism;
    std::vector<CurveSpec> specs;
    const CurveSpec own{p.strategy, p.collective, p.scheme};
    if (scenario.model.method != Method::pipeline) {
        // PALEO's methods know data parallelism and four schemes.
        if (set == CurveSet::collectives)
            for (Collective c :
                 {Collective::one_to_all, Collective::paleo_tree, Collective::butterfly, Collective::butterfly_mixing})
                specs.push_back({Strategy::data, c, p.scheme});
        if (std::find(specs.begin(), specs.end(), own) == specs.end()) specs.push_back(own);
        return specs;
    }
    switch (set) {
        case CurveSet::strategies:
            for (Strategy s : {Strategy::data, Strategy::outputs, Strategy::layers, Strategy::hybrid})
                specs.push_back({s, p.collective, p.scheme});
            break;
        case CurveSet::collectives:
            for (Collective c : {Collective::ring, Collective::recursive, Collective::tree, Collective::one_to_all,
                                 Collective::paleo_tree, Collective::butterfly})
                specs.push_back({p.strategy, c, p.scheme});
            break;
        case CurveSet::schemes:
            for (HybridScheme s : {HybridScheme::all_at_once, HybridScheme::one_sender, HybridScheme::all_send_share})
                specs.push_back({Strategy::hybrid, p.collective, s});
            break;
    }
    if (std::find(specs.begin(), specs.end(), own) == specs.end()) specs.push_back(own);
    return specs;
}

int shown_curve(const Scenario& scenario, const std::vector<CurveSpec>& specs) {
    const Parallelism& p = scenario.parallelism;
    const auto it = std::find(specs.begin(), specs.end(), CurveSpec{p.strategy, p.collective, p.scheme});
    return it == specs.end() ? -1 : static_cast<int>(it - specs.begin());
}

std::vector<Curve> make_curves(const Plan& plan, const std::vector<CurveSpec>& specs,
                               const std::vector<std::int64_t>& counts, Scratch& scratch, const CancelToken& cancel) {
    std::vector<Curve> curves;
    for (const CurveSpec& spec : specs) {
        Curve curve;
        curve.spec = spec;
        Point point = plan.point();
        // A cut set by hand belongs to the hybrid strategy; the others do not look at it.
        point.strategy = spec.strategy;
        point.collective = spec.collective;
        point.scheme = spec.scheme;
        point.workers = 1;
        curve.one = score(plan, point, scratch);
        for (std::int64_t n : counts) {
            if (cancel.cancelled()) break;
            point.workers = n;
            CurvePoint p;
            p.workers = n;
            p.summary = score(plan, point, scratch);
            if (p.summary.feasible() && curve.one.feasible()) p.speedup = speedup(curve.one, p.summary);
            curve.points.push_back(p);
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

}  // namespace scalescope
