// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/attribution.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scalescope::compare {
namespace {

using search::Metric;

/// Values count as the same within so much of the larger one: rounding must not decide an order.
constexpr double same_within = 1e-9;

struct Measured {
    Scenario scenario;
    double value = 0;
};

class Walk {
public:
    Walk(const Scenario& from, const Scenario& to, Metric metric, double goal)
        : from_(from), to_(to), metric_(metric), goal_(goal) {}

    Result<double> value(const Scenario& s) const {
        const auto e = estimate(s, Remedies::left_out);
        if (!e) return fail(e.error());
        const auto v = search::metric_value(metric_, s, *e, goal_);
        if (v) return *v;
        Problem p;
        p.what = std::string(search::info_of(metric_).label) + " has no value: " + search::why_missing(metric_, s);
        p.remedy = "Give it the figure, or compare by another.";
        return fail(std::move(p));
    }

    /// `scenario` with `what` taken over and estimated; nothing if that makes no scenario.
    std::optional<Measured> with(const Scenario& scenario, const std::vector<const Difference*>& what) const {
        Measured next{scenario, 0};
        for (const Difference* d : what)
            if (!take_over(next.scenario, *d, to_)) return std::nullopt;
        const auto v = value(next.scenario);
        if (!v) return std::nullopt;
        next.value = *v;
        return next;
    }

    /// The value of the first design with `what` taken over and nothing else.
    std::optional<double> alone(const std::vector<const Difference*>& what) const {
        const auto there = with(from_, what);
        return there ? std::optional(there->value) : std::nullopt;
    }

private:
    const Scenario &from_, &to_;
    Metric metric_;
    double goal_;
};

/// What is left to replace, as sets to be tried: each alone, each pair, everything.
std::vector<std::vector<const Difference*>> tries(const std::vector<const Difference*>& left, std::size_t size) {
    std::vector<std::vector<const Difference*>> all;
    if (size == 1)
        for (const Difference* d : left) all.push_back({d});
    else if (size == 2)
        for (std::size_t i = 0; i < left.size(); ++i)
            for (std::size_t j = i + 1; j < left.size(); ++j) all.push_back({left[i], left[j]});
    else
        all.push_back(left);
    return all;
}

Problems cancelled() {
    Problem p;
    p.what = "The comparison was cancelled.";
    return {std::move(p)};
}

}  // namespace

Result<Attribution> attribute(const Scenario& from, const Scenario& to, Metric metric, double goal,
                              const Watch& watch) {
    const Walk walk(from, to, metric, goal);
    const auto first = walk.value(from), last = walk.value(to);
    if (!first) return fail(first.error());
    if (!last) return fail(last.error());
    Attribution a;
    a.metric = metric;
    a.from = *first;
    a.to = *last;
    const std::vector<Difference> all = differences(from, to);
    std::vector<const Difference*> left;
    for (const Difference& d : all) left.push_back(&d);
    // What the first round finds out is what each does alone.
    std::map<const Difference*, std::optional<double>> alone;
    const double tries_in_all = static_cast<double>(all.size() * (all.size() + 1)) / 2;
    double tried = 0;
    Measured now{from, *first};
    const double direction = *last < *first ? -1 : 1;
    const double same = same_within * std::max(std::abs(*first), std::abs(*last));
    while (!left.empty()) {
        std::optional<Measured> best;
        std::vector<const Difference*> taken;
        for (std::size_t size = 1; size <= 3 && !best; ++size)
            for (auto& what : tries(left, size)) {
                if (watch.cancel.cancelled()) return fail(cancelled());
                watch.progress(tried++ / std::max(tries_in_all, 1.0));
                // What no field says is what is left when all else is taken over.
                const bool rest = what.front()->path == rest_path;
                if (size == 1 && rest && left.size() > 1) continue;
                auto next = walk.with(now.scenario, what);
                if (size == 1 && a.shares.empty())
                    alone[what.front()] = next ? std::optional(next->value) : std::nullopt;
                if (!next || (best && direction * (next->value - best->value) <= same)) continue;
                best = std::move(next);
                taken = std::move(what);
            }
        if (!best) best = Measured{to, *last}, taken = left;
        Share share;
        for (const Difference* d : taken) {
            share.differences.push_back(*d);
            left.erase(std::find(left.begin(), left.end(), d));
        }
        share.before = now.value;
        share.after = best->value;
        const auto known = taken.size() == 1 ? alone.find(taken.front()) : alone.end();
        const auto by_itself = known != alone.end() ? known->second : walk.alone(taken);
        if (by_itself) share.alone = *by_itself - *first;
        if (!share.alone || std::abs(*share.alone - share.change()) > same) a.depends_on_order = true;
        now = std::move(*best);
        a.shares.push_back(std::move(share));
    }
    return a;
}

}  // namespace scalescope::compare
