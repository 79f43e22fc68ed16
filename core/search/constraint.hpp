// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/search/metrics.hpp"
#include "core/search/space.hpp"

namespace scalescope::search {

/// "step <= 250 ms", "cost < 100", "memory <= 16 GiB", "cluster.workers >= 8", "training.batch % cluster.workers == 0".
struct Constraint {
    enum class Op : std::uint8_t { less, less_equal, equal, not_equal, greater_equal, greater };
    using Operand = std::variant<double, Metric, const Field*>;  ///< a field is an integer or a number

    Operand left = 0.0, right = 0.0;
    std::optional<Operand> divisor;  ///< the left side is the remainder by this
    Op op = Op::less_equal;
    std::string text;  ///< as it was written

    bool uses(Metric metric) const;
};

/// Reads one. A number may carry a unit that the metric's can be reckoned into (ms, s, min, h, d; MB, GB, MiB, GiB; W,
/// kW; kWh, MWh; %). Problems name the place in the text and what is known.
Result<Constraint> read_constraint(std::string_view text);

/// A warning where a share seems to be meant: "efficiency >= 0.8" asks for 0.8 %.
std::optional<Problem> doubt_about(const Constraint& c);

/// left mod by, the sign of `left`; NaN for a division by zero.
double remainder_of(double left, double by);

/// Whether it holds; `value_of` gives the value of an operand that is no number, NaN where there is none: then it does
/// not hold.
template <class ValueOf>
bool holds(const Constraint& c, ValueOf value_of) {
    const auto value = [&](const Constraint::Operand& o) {
        const double* number = std::get_if<double>(&o);
        return number ? *number : value_of(o);
    };
    double left = value(c.left);
    const double right = value(c.right);
    if (c.divisor) left = remainder_of(left, value(*c.divisor));
    switch (c.op) {
        case Constraint::Op::less: return left < right;
        case Constraint::Op::less_equal: return left <= right;
        case Constraint::Op::equal: return left == right;
        case Constraint::Op::not_equal: return left < right || left > right;
        case Constraint::Op::greater_equal: return left >= right;
        case Constraint::Op::greater: return left > right;
    }
    return false;
}

}  // namespace scalescope::search
