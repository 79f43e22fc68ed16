// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/attribution.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/format.hpp"
#include "core/base/listed.hpp"
#include "core/compare/side_by_side.hpp"

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
        ASSIGN_OR_RETURN(const auto e, estimate(s, Remedies::left_out));
        const auto v = search::metric_value(metric_, s, e, goal_);
        if (v) return *v;
        return fail(make_error(
            std::string(search::info_of(metric_).label) + " has no value: " + search::why_missing(metric_, s),
            "Give it the figure, or compare by another."));
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

/// A share that works against the whole change is mentioned only if it is at least this part of it.
constexpr double worth_telling = 0.01;

/// "by 49.8 %", "by 8.5 pp"; empty where no share can be said.
std::string by_how_much(const Attribution& a) {
    const double change = std::abs(a.to - a.from);
    std::string by;
    if (search::info_of(a.metric).unit == "%")
        by = format_points(Fraction{change / 100.0});
    else if (a.from != 0)
        by = format_change(Fraction{change / std::abs(a.from)}, change < std::abs(a.from) ? 1 : 0);
    return by.starts_with('+') ? ", by " + by.substr(1) : "";
}

bool goes_against(const Share& share, double whole) { return share.change() * whole < 0; }

}  // namespace

Result<Attribution> attribute(const Scenario& from, const Scenario& to, Metric metric, double goal,
                              const Watch& watch) {
    const Walk walk(from, to, metric, goal);
    ASSIGN_OR_RETURN(const auto first, walk.value(from));
    ASSIGN_OR_RETURN(const auto last, walk.value(to));
    Attribution a;
    a.metric = metric;
    a.from = first;
    a.to = last;
    const std::vector<Difference> all = differences(from, to);
    std::vector<const Difference*> left;
    for (const Difference& d : all) left.push_back(&d);
    // What the first round finds out is what each does alone.
    std::map<const Difference*, std::optional<double>> alone;
    const double tries_in_all = static_cast<double>(all.size() * (all.size() + 1)) / 2;
    double tried = 0;
    Measured now{from, first};
    const double direction = last < first ? -1 : 1;
    const double same = same_within * std::max(std::abs(first), std::abs(last));
    while (!left.empty()) {
        std::optional<Measured> best;
        std::vector<const Difference*> taken;
        for (std::size_t size = 1; size <= 3 && !best; ++size)
            for (auto& what : tries(left, size)) {
                if (watch.cancel.cancelled()) return fail(make_error("The comparison was cancelled.", {}));
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
        if (!best) best = Measured{to, last}, taken = left;
        Share share;
        for (const Difference* d : taken) {
            share.differences.push_back(*d);
            left.erase(std::ranges::find(left, d));
        }
        share.before = now.value;
        share.after = best->value;
        const auto known = taken.size() == 1 ? alone.find(taken.front()) : alone.end();
        const auto by_itself = known != alone.end() ? known->second : walk.alone(taken);
        if (by_itself) share.alone = *by_itself - first;
        if (!share.alone || std::abs(*share.alone - share.change()) > same) a.depends_on_order = true;
        now = std::move(*best);
        a.shares.push_back(std::move(share));
    }
    return a;
}

std::string name_of(const Share& share) {
    return listed(share.differences, std::string::npos, [](const Difference& d) { return to_text(d); });
}

std::string signed_text(search::Metric metric, double change) {
    if (search::info_of(metric).unit == "%") return format_points(Fraction{change / 100.0});
    const std::string size = search::metric_text(metric, std::abs(change));
    return change == 0 ? size : (change < 0 ? std::string(minus_sign) : "+") + size;
}

std::string sentence_of(const Attribution& a, std::string_view from, std::string_view to) {
    const std::string way = "From " + std::string(from) + " to " + std::string(to) + " ";
    if (a.shares.empty()) return way + "nothing differs that changes a number.";
    const std::string noun = search::noun_of(a.metric), value = search::metric_text(a.metric, a.to);
    const double whole = a.to - a.from, seen = 1e-9 * std::max(std::abs(a.from), std::abs(a.to));
    if (std::abs(whole) <= seen) {
        const bool none = std::ranges::all_of(a.shares, [&](const Share& s) { return std::abs(s.change()) <= seen; });
        return way + "the " + noun + " stays " + value +
               (none ? ": nothing that differs changes it." : ": what differs makes up for each other.");
    }
    std::string text = way + "the " + noun + (whole < 0 ? " falls from " : " rises from ") +
                       search::metric_text(a.metric, a.from) + " to " + value + by_how_much(a) + ".";
    const auto less = [&](const Share& x, const Share& y) {
        return whole < 0 ? y.change() < x.change() : x.change() < y.change();
    };
    const Share& most = *std::ranges::max_element(a.shares, less);
    if (a.shares.size() == 1)
        return text +
               (most.differences.size() == 1 ? " One difference explains all of it: "
                                             : " Together, these explain it: ") +
               name_of(most) + ".";
    text += " The largest share, " + signed_text(a.metric, most.change()) + ", comes from " + name_of(most);
    const auto against = std::ranges::min_element(a.shares, less);
    if (goes_against(*against, whole) && std::abs(against->change()) > worth_telling * std::abs(whole))
        text += "; " + name_of(*against) + " goes the other way, " + signed_text(a.metric, against->change());
    return text + ".";
}

std::string order_note(const Attribution& a) {
    return a.depends_on_order
               ? "Some of these do more or less together than alone: another order would share otherwise."
               : "";
}

}  // namespace scalescope::compare
