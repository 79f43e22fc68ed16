// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/admit.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::search {
namespace {

/// "it is 312 ms", or why it is nothing.
std::string value_text(const Constraint::Operand& o, const Scenario& s, const Estimate& e, double goal) {
    if (const auto* metric = std::get_if<Metric>(&o)) {
        const auto value = metric_value(*metric, s, e, goal);
        return value ? "it is " + metric_text(*metric, *value) : why_missing(*metric, s);
    }
    const Field& field = *std::get<const Field*>(o);
    return "it is " + field_text(field, s) +
           (field.unit.empty() ? "" : std::string(no_break_space) + std::string(field.unit));
}

/// "step <= 250 ms: it is 312 ms", by the side that is no number.
std::string against(const Constraint& c, const Scenario& s, const Estimate& e, double goal) {
    const auto& shown = std::holds_alternative<double>(c.left) ? c.right : c.left;
    if (c.divisor) return c.text + " does not hold";
    return c.text + ": " + value_text(shown, s, e, goal);
}

/// Goes through the combinations that differ from `from` in `changed` axes, nearest first as far as one axis goes.
class Nearby {
public:
    Nearby(const Space& space, const std::vector<std::size_t>& from) : space_(space), from_(from) {}

    /// All of them, ordered by their distance. Fewer than asked if there are more than `most`.
    std::vector<std::vector<std::size_t>> at(std::size_t changed, std::size_t most) {
        found_.clear();
        most_ = most;
        auto digits = from_;
        choose(digits, 0, changed);
        std::stable_sort(found_.begin(), found_.end(),
                         [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
        return std::move(found_);
    }

private:
    const Space& space_;
    const std::vector<std::size_t>& from_;
    std::size_t most_ = 0;
    std::vector<std::vector<std::size_t>> found_;

    std::size_t distance(const std::vector<std::size_t>& digits) const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < digits.size(); ++i)
            sum += digits[i] > from_[i] ? digits[i] - from_[i] : from_[i] - digits[i];
        return sum;
    }
    void choose(std::vector<std::size_t>& digits, std::size_t axis, std::size_t left) {
        if (found_.size() >= most_) return;
        if (left == 0) {
            found_.push_back(digits);
            return;
        }
        if (axis + left > digits.size()) return;
        for (std::size_t v = 0; v < space_.axes()[axis].values.size(); ++v) {
            if (v == from_[axis]) continue;
            digits[axis] = v;
            choose(digits, axis + 1, left - 1);
        }
        digits[axis] = from_[axis];
        choose(digits, axis + 1, left);
    }
};

}  // namespace

Admission admit(const Scenario& scenario, const Question& q) {
    Admission a;
    a.scenario = scenario;
    auto e = estimate(scenario);
    if (!e) {
        for (const Problem& p : e.error()) a.against.push_back(p.what);
        return a;
    }
    a.estimate = std::move(*e);
    const auto memory = worker_memory(scenario);
    if (q.must_fit && memory && a.estimate->memory.peak > *memory)
        a.against.push_back("needs " + format_bytes(a.estimate->memory.peak) +
                            (is_cpu_cluster(scenario) ? " on a machine of " : " on a device of ") +
                            format_bytes(*memory));
    for (const Constraint& c : q.where) {
        const bool held = holds(c, [&](const Constraint::Operand& o) {
            if (const auto* metric = std::get_if<Metric>(&o))
                return metric_value(*metric, scenario, *a.estimate, q.goal).value_or(std::nan(""));
            return field_number(*std::get<const Field*>(o), scenario).value_or(std::nan(""));
        });
        if (!held) a.against.push_back(against(c, scenario, *a.estimate, q.goal));
    }
    for (const Metric m : q.objectives)
        if (!metric_value(m, scenario, *a.estimate, q.goal)) a.against.push_back(why_missing(m, scenario));
    return a;
}

Admission admit(const Space& space, const Question& question, std::uint64_t index) {
    auto scenario = space.scenario(index);
    Admission a;
    if (scenario)
        a = admit(*scenario, question);
    else
        for (const Problem& p : scenario.error()) a.against.push_back(p.what);
    a.index = index;
    return a;
}

std::vector<std::size_t> digits_near(const Space& space, const Scenario& scenario) {
    std::vector<std::size_t> digits;
    for (const Axis& axis : space.axes()) {
        const Field* field = find_field(axis.path);
        std::size_t best = 0;
        if (field) {
            const std::string own = field_text(*field, scenario);
            const auto same = std::find(axis.values.begin(), axis.values.end(), own);
            const auto number = field_number(*field, scenario);
            if (same != axis.values.end()) {
                best = static_cast<std::size_t>(same - axis.values.begin());
            } else if (number) {
                double least = std::numeric_limits<double>::infinity();
                for (std::size_t v = 0; v < axis.values.size(); ++v) {
                    const double off = std::abs(parse_decimal(axis.values[v]).value_or(least) - *number);
                    if (off < least) least = off, best = v;
                }
            }
        }
        digits.push_back(best);
    }
    return digits;
}

std::optional<Admission> nearest_admitted(const Space& space, const Question& question,
                                          const std::vector<std::size_t>& from, const Watch& watch, std::size_t most) {
    Nearby nearby(space, from);
    std::size_t looked = 0;
    for (std::size_t changed = 0; changed <= from.size(); ++changed)
        for (const auto& digits : nearby.at(changed, most - looked)) {
            if (looked++ >= most || watch.cancel.cancelled()) return std::nullopt;
            watch.progress(static_cast<double>(looked) / static_cast<double>(most));
            auto a = admit(space, question, space.index_of(digits));
            if (a.admitted()) return a;
        }
    return std::nullopt;
}

}  // namespace scalescope::search
