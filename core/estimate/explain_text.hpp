// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/numerics/expression.hpp"

/// Numbers and formulas as the why panel prints them: with enough digits that what is printed can be computed again.
namespace scalescope::explaining {

enum class Measure {
    count,
    number,
    ratio,
    percent,
    seconds,
    bytes,
    flops,
    flop_rate,
    byte_rate,
    sample_rate,
    dollars,
    dollar_rate
};

/// The unit that a value of this measure is in: "s", "B"; empty for counts, ratios and shares.
std::string_view unit_of(Measure m);
/// Powers of second, byte, FLOP and dollar; hours count as numbers.
using Dimension = std::array<int, 4>;
const Dimension& dimension_of(Measure m);

/// A number as printed.
struct Printed {
    std::string text;
    double value = 0;      ///< what the text says
    double half_unit = 0;  ///< half a unit of its last digit; 0 if the text is exact
};

/// Unit prefix and digits behind the point, fixed, so that numbers of one sum stand in one unit.
struct Layout {
    int exponent = 0;  ///< power of ten of the unit printed: -3 for ms
    int decimals = 0;
    bool operator==(const Layout&) const = default;
};

/// Four significant digits (times: three, and at least two behind the point), and `more` further ones.
Layout layout_of(double value, Measure m, int more);
/// Zeros behind the point are dropped where nothing is rounded. In a sum, what is small gets digits beyond `layout`.
Printed print(double value, Measure m, const Layout& layout);

/// A quantity of a formula.
struct Quantity {
    std::string symbol;
    double value = 0;
    Measure measure = Measure::number;
};

/// How a formula, its quantities and its result are printed.
struct Lines {
    std::vector<std::string> lines;  ///< of the equation, see Explanation::lines
    Printed result;
    std::vector<Printed> quantities;  ///< as many as given
};

/// Chooses digits so that every line, computed as printed, gives the printed result to half a unit of its last digit; a
/// plain sum adds up exactly where three further digits allow it.
Lines compose_lines(const std::string& formula, const std::vector<Quantity>& quantities, double result,
                    Measure measure);

/// What a formula gives; 0 if nothing.
double computed(const std::string& formula, const std::vector<Quantity>& quantities);
/// The right side of a definition: numbers only, printed so that it gives `result` as printed there.
std::string compose_definition(const std::string& formula, const std::vector<Quantity>& quantities,
                               const Printed& result);

/// Values of one measure under their whole, in one unit, so that they add up as printed.
struct SumText {
    std::vector<Printed> terms;
    Printed whole;
};
SumText print_sum(const std::vector<double>& terms, double whole, Measure m);

/// Shares that make up 100 %.
std::vector<std::string> print_shares(const std::vector<double>& shares);

}  // namespace scalescope::explaining
