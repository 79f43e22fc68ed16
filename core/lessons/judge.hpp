// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lessons/names.hpp"
#include "core/numerics/expression.hpp"

namespace scalescope::lessons {

/// What became of a condition.
struct Judgement {
    bool holds = false;
    std::string why;  ///< if it has no value: "This design has no price."; empty otherwise

    /// Of a comparison of numbers, or the first of several joined by `and` that does not hold yet.
    struct Distance {
        double now = 0, wanted = 0;      ///< both sides of it
        std::string of;                  ///< what the left side is called, if it is but one name: "Step"
        std::string_view relation;       ///< that they should have, as it is read: ≤, <, ≥, >; empty: equal
        std::string unit;                ///< of both, if they have one
        std::optional<double> progress;  ///< 0 at the start of the step, 1 where it holds; if the start is known
    };
    std::optional<Distance> distance;
};

/// An expression over designs, read and checked once.
class Judge {
public:
    /// Problems carry line and column in the text, and name what is known. Names of layers are only checked for the
    /// scenarios they meet; presets are looked up in `catalogue`.
    static Result<Judge> make(std::string_view text, const Catalogue& catalogue);

    /// A condition that has no value does not hold.
    Judgement judge(const Design& now, const Surroundings& around = {}) const;
    /// The value of the expression; Problems say which name has none, and why.
    Result<double> value(const Design& now, const Surroundings& around = {}) const;

    const std::string& text() const { return text_; }
    /// If it is but one name, its unit; empty otherwise.
    const std::string& unit() const { return unit_; }
    /// Whether it speaks of start.…
    bool needs_start() const { return needs_start_; }

private:
    explicit Judge(numerics::Expression expression) : expression_(std::move(expression)) {}

    /// One of those that must all hold.
    struct Piece {
        numerics::Expression whole, left, right;  ///< both sides, if it compares numbers
        std::string of, unit;                     ///< the label of the left side, and the unit of both
        bool of_numbers = false;
    };

    std::string text_, unit_;
    numerics::Expression expression_;
    std::vector<Piece> pieces_;
    std::vector<std::string> words_;  ///< of choices; the value of one is its place here
    bool needs_start_ = false;
};

}  // namespace scalescope::lessons
