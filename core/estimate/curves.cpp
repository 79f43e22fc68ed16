// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/curves.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "core/estimate/details.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"

namespace scalescope {
namespace {

/// Hands out the points of a curve known already, asked for by rising counts.
class KnownPoints {
public:
    explicit KnownPoints(const Curve* curve) : curve_(curve) {}
    /// `left_out`: it may be one without a price.
    const CurvePoint* at(std::int64_t workers, bool left_out) {
        if (curve_ == nullptr) return nullptr;
        while (next_ < curve_->points.size() && curve_->points[next_].workers < workers) ++next_;
        if (next_ == curve_->points.size() || curve_->points[next_].workers != workers) return nullptr;
        const CurvePoint& found = curve_->points[next_];
        return found.priced() || left_out ? &found : nullptr;
    }

private:
    const Curve* curve_;
    std::size_t next_ = 0;
};

/// The scenario with its work divided as the curve says. A cut that the network does not have counts as none was given.
Scenario divided_as(const CurveSpec& spec, Scenario s) {
    s.parallelism = spec.parallelism;
    if (is_cpu_cluster(s)) s.cpu.partitions = spec.partitions;
    if (!s.parallelism.cut_auto && s.network() && s.parallelism.cut != LayerId{} &&
        !s.network()->position(s.parallelism.cut))
        s.parallelism.cut_auto = true;
    return s;
}

bool has_attention(const Scenario& s) {
    return s.network() && std::any_of(s.network()->facts().begin(), s.network()->facts().end(),
                                      [](const LayerFacts& f) { return f.query_heads > 0; });
}

/// True if a plan for one becomes one for the other by move_plan().
bool one_plan(Scenario a, const Scenario& b) {
    a.name = b.name;
    copy_point(b, a);
    return a == b;
}

bool same_curve(Point a, const Point& b) {
    a.workers = b.workers;
    return a == b;
}

/// Of a mesh only the counts that its degrees divide: each is rounded down to one.
std::vector<std::int64_t> counts_of(const Point& point, const std::vector<std::int64_t>& counts) {
    const std::int64_t others = point.step_of_workers();
    std::vector<std::int64_t> whole;
    whole.reserve(counts.size());
    for (const std::int64_t count : counts)
        if (const std::int64_t n = count / others * others; n > 0 && (whole.empty() || whole.back() != n))
            whole.push_back(n);
    return whole;
}

/// Which points of a curve have no time: those whose states surely are too large.
class LeftOut {
public:
    /// None.
    LeftOut() = default;
    /// Those that take more than `room`, but at `present` workers.
    LeftOut(const Plan& plan, Bytes room, std::int64_t present)
        : states_(plan), room_(room * (1 + 1e-9)), present_(present) {}  // rounding may take less
    bool operator()(const Point& point) const {
        return states_ && point.workers != present_ && states_->at(point) > room_;
    }

private:
    std::optional<LeastStates> states_;
    Bytes room_{0};
    std::int64_t present_ = 0;
};

/// Fills in the points of the curve. `known`: the same curve by the same plan, if at other counts; or null.
void fill(Curve& curve, const std::vector<std::int64_t>& counts, std::optional<Bytes> room, const LeftOut& left_out,
          const Curve* known, Scratch& scratch, std::int64_t& scored, const CancelToken& cancel) {
    const Plan& plan = *curve.plan;
    Point point = curve.at;
    const auto priced = [&](const Point& at) {
        ++scored;
        return score(plan, at, scratch);
    };
    curve.one = known ? known->one : priced(of_one_worker(point));
    curve.points.reserve(counts.size());
    KnownPoints points(known);
    PeakMemory memory(plan);
    if (known)
        curve.one_fits = known->one_fits;
    else if (room && curve.one.feasible())
        curve.one_fits =
            !left_out(of_one_worker(point)) && PeakMemory(plan).at(of_one_worker(point), curve.one, scratch) <= *room;
    for (const std::int64_t n : counts_of(curve.at, counts)) {
        point.workers = n;
        const bool no_time = left_out(point);
        if (const CurvePoint* kept = points.at(n, no_time)) {
            curve.points.push_back(*kept);
            continue;
        }
        if (cancel.cancelled()) return;
        CurvePoint p;
        p.workers = n;
        if (no_time) {
            p.summary.infeasible = Infeasible::states_too_large;
            p.fits = false;
            curve.points.push_back(p);
            continue;
        }
        p.summary = priced(point);
        if (p.summary.feasible() && curve.one.feasible()) p.speedup = speedup(curve.one, p.summary);
        if (room && p.summary.feasible()) {
            p.peak = memory.at(point, p.summary, scratch);
            p.fits = p.peak <= *room;
        }
        curve.points.push_back(p);
    }
}

}  // namespace

Problem Curve::why_not(const CurvePoint& point) const {
    Point infeasible = at;
    infeasible.workers = point.workers;
    return infeasible_reason(*plan, infeasible, point.summary.infeasible);
}

CurveSpec own_curve(const Scenario& s) {
    CurveSpec own{{}, s.parallelism, is_cpu_cluster(s) ? s.cpu.partitions : 1};
    if (!own.parallelism.segments) {  // the others do not look at it
        own.parallelism.cut_auto = true;
        own.parallelism.cut = LayerId{};
    }
    return own;
}

std::vector<CurveSpec> curve_specs(const Scenario& scenario, CurveSet set, std::span<const Way> ways) {
    std::vector<CurveSpec> specs;
    const CurveSpec own = own_curve(scenario);
    const auto same = [](const CurveSpec& a, const CurveSpec& b) {
        return a.parallelism == b.parallelism && a.partitions == b.partitions;
    };
    const auto add = [&](const CurveSpec& spec) {
        if (std::none_of(specs.begin(), specs.end(), [&](const CurveSpec& s) { return same(s, spec); }))
            specs.push_back(spec);
    };
    const auto add_collectives = [&](const CurveSpec& of, std::initializer_list<Collective> all) {
        for (CurveSpec spec = of; const Collective c : all) {
            spec.parallelism.collective = c;
            add(spec);
        }
    };
    CurveSpec spec = own;
    if (is_cpu_cluster(scenario)) {
        if (set == CurveSet::ways) {
            const std::int64_t most = std::min<std::int64_t>(32, scenario.cluster.workers);
            for (spec.partitions = 1; spec.partitions <= most; spec.partitions *= 2) add(spec);
        } else {
            for (const Updates updates : {Updates::synchronous, Updates::asynchronous}) {
                spec.parallelism.updates = updates;
                add(spec);
            }
        }
    } else if (scenario.model.method != Method::pipeline) {
        // PALEO's methods know data parallelism and four schemes.
        spec = own_curve(divided_as(Way{}, scenario));
        if (set == CurveSet::collectives)
            add_collectives(spec, {Collective::one_to_all, Collective::paleo_tree, Collective::butterfly,
                                   Collective::butterfly_mixing});
    } else if (set == CurveSet::ways) {
        const Way::Curve other = has_attention(scenario) ? Way::Curve::without_attention : Way::Curve::with_attention;
        for (const Way& way : ways) {
            if (way.curve == other) continue;
            spec = own_curve(divided_as(way, scenario));
            spec.way = way.name;
            add(spec);
        }
    } else if (set == CurveSet::collectives) {
        spec.parallelism.updates = Updates::synchronous;
        add_collectives(spec, {Collective::ring, Collective::recursive, Collective::tree, Collective::one_to_all,
                               Collective::paleo_tree, Collective::butterfly});
    } else {
        Way hybrid;
        hybrid.settings = {{"parallelism.segments", "true"}};
        spec = own_curve(divided_as(hybrid, scenario));
        for (const HybridScheme scheme :
             {HybridScheme::all_at_once, HybridScheme::one_sender, HybridScheme::all_send_share}) {
            spec.parallelism.scheme = scheme;
            add(spec);
        }
    }
    add(own);
    return specs;
}

int shown_curve(const Scenario& scenario, const std::vector<CurveSpec>& specs) {
    const CurveSpec own = own_curve(scenario);
    const auto it = std::find_if(specs.begin(), specs.end(), [&](const CurveSpec& s) {
        return s.parallelism == own.parallelism && s.partitions == own.partitions;
    });
    return it == specs.end() ? -1 : static_cast<int>(it - specs.begin());
}

bool KeptCurves::same_plan(const Scenario& scenario) const { return scenario_ && one_plan(*scenario_, scenario); }

const Curve* KeptCurves::known(const CurveSpec& spec) const {
    const auto kept = std::find_if(curves_.begin(), curves_.end(), [&](const Curve& old) { return old.spec == spec; });
    return kept == curves_.end() ? nullptr : &*kept;
}

std::int64_t KeptCurves::unpriced(const Scenario& scenario, const Plan& plan, const std::vector<CurveSpec>& specs,
                                  const std::vector<std::int64_t>& counts, Priced priced) const {
    const bool same = same_plan(scenario);
    const auto room = worker_memory(scenario);
    const CurveSpec shown = own_curve(scenario);
    const LeftOut too_large =
        priced == Priced::what_may_fit && room ? LeftOut(plan, *room, scenario.cluster.workers) : LeftOut();
    std::int64_t points = 0;
    for (const CurveSpec& spec : specs) {
        Point at = point_of(divided_as(spec, scenario));
        const auto whole = counts_of(at, counts);
        const Curve* kept = same ? known(spec) : nullptr;
        const bool has_points = kept != nullptr && kept->plan && same_curve(kept->at, at);
        KnownPoints points_known(has_points ? kept : nullptr);
        points += has_points ? 0 : 1;  // of one worker
        points += std::count_if(whole.begin(), whole.end(), [&](std::int64_t n) {
            at.workers = n;
            const bool no_time = !(spec.parallelism == shown.parallelism) && too_large(at);
            return !no_time && points_known.at(n, no_time) == nullptr;
        });
    }
    return points;
}

const std::vector<Curve>& KeptCurves::make(const Scenario& scenario, const std::shared_ptr<const Plan>& plan,
                                           const std::vector<CurveSpec>& specs, const std::vector<std::int64_t>& counts,
                                           Scratch& scratch, Priced priced, const CancelToken& cancel) {
    // Points times layers, about 1 ms: for less, to wait until a thread runs takes longer.
    constexpr std::int64_t worth_a_thread = 10'000;
    const bool same = same_plan(scenario);
    const std::int64_t points = unpriced(scenario, *plan, specs, counts, priced);
    std::int64_t layers = 0;
    for (const PlanPart& part : plan->parts) layers += part.work.layers;
    std::vector<Curve> curves;
    std::vector<std::unique_ptr<Scratch>> own(specs.size());
    std::vector<const Curve*> before(specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
        Curve& curve = curves.emplace_back();
        curve.spec = specs[i];
        const Curve* kept = same ? known(curve.spec) : nullptr;
        const auto place = static_cast<std::size_t>(kept ? kept - curves_.data() : 0);
        const Scenario divided = divided_as(curve.spec, scenario);
        curve.at = point_of(divided);
        if (one_plan(divided, scenario)) {
            curve.plan = plan;
        } else if (kept && own_[place]) {
            curve.plan = kept->plan;
            own[i] = std::move(own_[place]);
        } else if (auto prepared = prepare(divided)) {
            curve.plan = std::make_shared<const Plan>(std::move(*prepared));
            own[i] = std::make_unique<Scratch>(make_scratch(*curve.plan));
        }
        if (kept && same_curve(kept->at, curve.at)) before[i] = kept;
    }
    std::vector<std::int64_t> scored(specs.size());
    const auto room = worker_memory(scenario);
    const int shown = shown_curve(scenario, specs);
    bool leaves_out = false;
    const auto fill_one = [&](std::size_t i) {
        if (!curves[i].plan || !curves[i].points.empty()) return;
        const LeftOut left_out = leaves_out && static_cast<int>(i) != shown
                                     ? LeftOut(*curves[i].plan, *room, scenario.cluster.workers)
                                     : LeftOut();
        fill(curves[i], counts, room, left_out, before[i], own[i] ? *own[i] : scratch, scored[i], cancel);
    };
    if (priced == Priced::what_may_fit && room && shown >= 0) {
        fill_one(static_cast<std::size_t>(shown));
        leaves_out = !curves[static_cast<std::size_t>(shown)].one_fits;
    }
    // Curves with scratch of their own do not see each other: another thread fills those that nobody has begun.
    const auto fill_all = [&] {
        std::atomic<std::size_t> next{0};
        const auto fill_own = [&] {
            for (std::size_t i; (i = next++) < specs.size();)
                if (own[i]) fill_one(i);
        };
        std::jthread beside;
        if (points * layers > worth_a_thread) beside = std::jthread(fill_own);
        for (std::size_t i = 0; i < specs.size(); ++i)
            if (!own[i]) fill_one(i);
        fill_own();
        if (beside.joinable()) beside.join();
    };
    fill_all();
    const auto fits = [](const CurvePoint& p) { return p.summary.feasible() && p.fits; };
    if (leaves_out &&
        std::ranges::none_of(curves, [&](const Curve& c) { return std::ranges::any_of(c.points, fits); })) {
        leaves_out = false;
        const std::vector<Curve> first = curves;
        for (std::size_t i = 0; i < specs.size(); ++i) {
            curves[i].points.clear();
            before[i] = curves[i].plan ? &first[i] : nullptr;
        }
        fill_all();
    }
    scored_ += std::accumulate(scored.begin(), scored.end(), std::int64_t{0});
    curves_ = std::move(curves);
    own_ = std::move(own);
    scenario_ = scenario;
    return curves_;
}

}  // namespace scalescope
