// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/base/format.hpp"

namespace scalescope::explaining {
namespace {

struct Step {
    int exponent;
    std::string_view prefix;
};
constexpr std::array<Step, 7> thousands{{{0, ""}, {3, "k"}, {6, "M"}, {9, "G"}, {12, "T"}, {15, "P"}, {18, "E"}}};
constexpr std::array<Step, 4> fractions{{{-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}}};
constexpr int most_decimals = 15;

/// Power of ten of |v|: 0 for 1 … 9.99.
int magnitude(double v) { return v == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(v)))); }

struct MeasureRow {
    std::string_view unit;
    Dimension dimension;
    bool prefixed = false;  ///< with k, M, G …
    bool fine = false;      ///< three significant digits, and at least two behind the point; otherwise four
};
/// By Measure.
constexpr std::array<MeasureRow, 12> measures{{{"", {}},
                                               {"", {}},
                                               {"", {}},
                                               {"", {}, false, true},
                                               {"s", {1, 0, 0, 0}, false, true},
                                               {"B", {0, 1, 0, 0}, true},
                                               {"FLOP", {0, 0, 1, 0}, true},
                                               {"FLOP/s", {-1, 0, 1, 0}, true},
                                               {"B/s", {-1, 1, 0, 0}, true},
                                               {"samples/s", {-1, 0, 0, 0}},
                                               {"$", {0, 0, 0, 1}, false, true},
                                               {"$/h", {0, 0, 0, 1}}}};
static_assert(measures[static_cast<std::size_t>(Measure::dollar_rate)].unit == "$/h");
const MeasureRow& measure_row(Measure m) { return measures[static_cast<std::size_t>(m)]; }

double scaled(double v, int exponent) {
    return exponent < 0 ? v * std::pow(10.0, -exponent) : v / std::pow(10.0, exponent);
}

std::string fixed(double v, int decimals) {
    std::array<char, 400> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

/// The nearest double to `digits` times ten to the `exponent`: dividing by 1000 would not always give it.
double parsed(std::string digits, int exponent) {
    digits += 'e' + std::to_string(exponent);
    double v = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), v);
    return v;
}

std::string with_unit(const std::string& number, Measure m, int exponent) {
    const auto joined = [&](std::string_view prefix, std::string_view unit) {
        return number + std::string(no_break_space) + std::string(prefix) + std::string(unit);
    };
    if (m == Measure::ratio) return number + std::string(times_sign);
    if (m == Measure::percent) return joined("", "%");
    if (m == Measure::dollars) return '$' + number;
    if (unit_of(m).empty()) return number;
    const std::span<const Step> steps = m == Measure::seconds ? std::span<const Step>(fractions) : thousands;
    const auto s = std::find_if(steps.begin(), steps.end(), [&](const Step& f) { return f.exponent == exponent; });
    return joined(s == steps.end() ? "" : s->prefix, unit_of(m));
}

}  // namespace

std::string_view unit_of(Measure m) { return measure_row(m).unit; }
const Dimension& dimension_of(Measure m) { return measure_row(m).dimension; }

Layout layout_of(double value, Measure m, int more) {
    const double v = std::abs(value);
    Layout l;
    if (m == Measure::seconds)
        l.exponent = v == 0 ? -3 : v < 99.95e-9 ? -9 : v < 99.95e-6 ? -6 : v < 0.9995 ? -3 : 0;
    else if (m == Measure::percent)
        l.exponent = -2;
    else if (measure_row(m).prefixed)
        for (const Step& s : thousands)
            if (v >= 0.99995 * std::pow(10.0, s.exponent)) l.exponent = s.exponent;
    const bool fine = measure_row(m).fine;
    const int significant = (fine ? 3 : 4) + more, behind = fine ? 2 + more : 0;
    l.decimals = std::clamp(significant - 1 - magnitude(scaled(v, l.exponent)), std::max(behind, 0), most_decimals);
    return l;
}

Printed print(double value, Measure m, const Layout& layout) {
    const double v = std::abs(value), x = scaled(v, layout.exponent);
    int decimals = std::clamp(layout.decimals, 0, most_decimals);
    // In a sum a small term must not vanish: it keeps two digits of its own.
    if (v > 0 && fixed(x, decimals).find_first_of("123456789") == std::string::npos)
        decimals = std::min(most_decimals, 1 - magnitude(x));
    Printed p;
    for (int d = 0; d <= decimals && p.text.empty(); ++d) {
        const std::string digits = fixed(x, d);
        const double back = parsed(digits, layout.exponent);
        const bool exact = std::abs(back - v) <= 1e-15 * v;
        if (!exact && d < decimals) continue;
        p.text = with_unit(format_fixed(x, d), m, layout.exponent);
        p.value = back;
        p.half_unit = exact ? 0 : 0.5 * std::pow(10.0, layout.exponent - d);
    }
    if (value < 0) {
        p.text.insert(0, minus_sign);
        p.value = -p.value;
    }
    return p;
}

SumText print_sum(const std::vector<double>& terms, double whole, Measure m) {
    SumText t;
    const auto fits = [&](int outer_more, int inner_more, double slack) {
        Layout layout = layout_of(whole, m, outer_more);
        t.whole = print(whole, m, layout);
        layout.decimals += inner_more;
        t.terms.clear();
        double sum = 0;
        for (double v : terms) {
            t.terms.push_back(print(v, m, layout));
            sum += t.terms.back().value;
        }
        return std::abs(sum - t.whole.value) <= slack * t.whole.half_unit + 1e-12 * std::abs(whole);
    };
    // First the same digits for all, adding up to the last one; failing that, finer terms.
    for (int more = 0; more < 4; ++more)
        if (fits(more, 0, 1e-3)) return t;
    for (int finer = 1; finer < 10; ++finer)
        if (fits(0, finer, 1.0)) return t;
    return t;
}

std::vector<std::string> print_shares(const std::vector<double>& shares) {
    std::vector<std::string> texts;
    for (int decimals = 1; decimals <= 3; ++decimals) {
        texts.clear();
        const double scale = std::pow(10.0, decimals + 2);
        double sum = 0;
        for (double s : shares) {
            texts.push_back(format_percent(Fraction{s}, decimals));
            sum += std::round(s * scale);
        }
        if (sum == scale) return texts;
    }
    texts.clear();
    for (double s : shares) texts.push_back(format_percent(Fraction{s}, 1));
    return texts;
}

}  // namespace scalescope::explaining
