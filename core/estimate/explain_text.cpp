// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/explain_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "core/base/format.hpp"

namespace scalescope::explaining {
namespace {

using numerics::Expression;
using Op = Expression::Op;
using Node = Expression::Node;

struct Step {
    int exponent;
    std::string_view prefix;
};
constexpr std::array<Step, 10> prefixes{
    {{-9, "n"}, {-6, "µ"}, {-3, "m"}, {0, ""}, {3, "k"}, {6, "M"}, {9, "G"}, {12, "T"}, {15, "P"}, {18, "E"}}};
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
    if (m == Measure::ratio) return number + std::string(times_sign);
    if (m == Measure::dollars) return '$' + number;
    const std::string unit(m == Measure::percent ? "%" : unit_of(m));
    const auto s = std::ranges::find(prefixes, exponent, &Step::exponent);
    return unit.empty()
               ? number
               : number + std::string(no_break_space) + std::string(s == prefixes.end() ? "" : s->prefix) + unit;
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
        for (const Step& s : prefixes)
            if (s.exponent > 0 && v >= 0.99995 * std::pow(10.0, s.exponent)) l.exponent = s.exponent;
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
    const auto add_up = [&](int decimals) {
        double sum = 0;
        for (double s : shares) sum += std::round(s * std::pow(10.0, decimals + 2));
        return sum == std::pow(10.0, decimals + 2);
    };
    const int decimals = add_up(1) ? 1 : add_up(2) ? 2 : add_up(3) ? 3 : 1;
    std::vector<std::string> texts;
    for (double s : shares) texts.push_back(format_percent(Fraction{s}, decimals));
    return texts;
}

namespace {

/// What a formula is of, with the values of its names, as they are and as they are printed.
class Sheet {
public:
    struct Known {
        double value = 0;
        Measure measure = Measure::number;
        Printed printed;
    };
    std::map<std::string, Known, std::less<>> values;

    explicit Sheet(const std::vector<Quantity>& quantities) {
        for (const Quantity& q : quantities)
            if (!q.symbol.empty()) values[q.symbol] = {q.value, q.measure, {}};
    }
    double evaluate(const Expression& e, bool as_printed) const {
        const auto value = numerics::evaluate(e, [&](std::string_view name) -> std::optional<double> {
            const auto known = values.find(name);
            if (known == values.end()) return std::nullopt;
            return as_printed ? known->second.printed.value : known->second.value;
        });
        return value.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    bool fits(const Expression& e, const Printed& result, double slack) const {
        return std::abs(evaluate(e, true) - result.value) <= slack * result.half_unit + 1e-12 * std::abs(result.value);
    }
    /// Prints every value with `more` extra digits; values of `dimension` are printed in the given layout instead.
    void print_all(int more, const std::optional<Dimension>& dimension = {}, const Layout& layout = {}) {
        for (auto& [name, k] : values)
            k.printed = print(k.value, k.measure,
                              dimension_of(k.measure) == dimension ? layout : layout_of(k.value, k.measure, more));
    }
    /// A plain sum: its terms stand in the unit of their result.
    bool is_sum(const Expression& e, Measure m) const {
        return e.nodes().size() > 1 && std::ranges::all_of(e.nodes(), [&](const Node& n) {
                   return n.op == Op::add ||
                          (n.op == Op::variable && dimension_of(values.at(n.name).measure) == dimension_of(m));
               });
    }
    /// Every term that is a product becomes its value in the result's unit: F / P becomes 8.65 ms. Nothing if none is.
    std::optional<Expression> with_products_done(const Expression& whole, Measure m) {
        struct Piece {
            std::vector<Node> nodes;
            Dimension dimension{};
            bool product = false, constant = false;
        };
        int made = 0;
        Piece all = whole.folded<Piece>([&](const Node& node, std::span<Piece> operands) {
            const bool product = node.op == Op::multiply || node.op == Op::divide;
            Piece piece{{}, {}, product, node.op != Op::variable};
            if (node.op == Op::variable) piece.dimension = dimension_of(values.at(node.name).measure);
            for (Piece& p : operands) {
                if (!product && p.product && !p.constant && p.dimension == dimension_of(m)) {
                    const std::string name = "=" + std::to_string(made++);
                    values[name] = {evaluate(Expression(std::move(p.nodes)), false), m, {}};
                    p.nodes = {{Op::variable, 0, 0, name, 1, 1}};
                }
                for (std::size_t i = 0; i < p.dimension.size() && (product || &p == &operands[0]); ++i)
                    piece.dimension[i] +=
                        node.op == Op::divide && &p != &operands[0] ? -p.dimension[i] : p.dimension[i];
                piece.constant = piece.constant && p.constant;
                piece.nodes.insert(piece.nodes.end(), p.nodes.begin(), p.nodes.end());
            }
            piece.nodes.push_back(node);
            return piece;
        });
        if (made == 0) return std::nullopt;
        return Expression(std::move(all.nodes));
    }
    /// An equation's right side. Factors of exactly 1 are left out: 100 % of the peak, one micro-step.
    std::string text(const Expression& e) const {
        const auto left = numerics::without_neutral(e, [&](std::string_view name) -> std::optional<int> {
            const Known& k = values.find(name)->second;
            return k.value == 1 && unit_of(k.measure).empty() ? std::optional(1) : std::nullopt;
        });
        return numerics::to_text(left, [&](const Node& n) -> numerics::Word {
            if (n.op == Op::number) return {print(n.number, Measure::number, {0, most_decimals}).text};
            const Known& k = values.at(n.name);
            return {k.printed.text, unit_of(k.measure).empty() && k.measure != Measure::percent};
        });
    }
    /// One string a line; a long sum has a line for each term.
    std::vector<std::string> lines(const Expression& e) const {
        const auto length = [](std::string_view s) {
            return std::ranges::count_if(s, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
        };
        constexpr int widest = 33;  // what the panel's width holds in the size of formulas
        const std::string whole = text(e);
        std::vector<std::string> terms{"= "};
        int depth = 0;
        for (std::string_view rest = whole; !rest.empty();) {
            const auto next = [&](std::initializer_list<std::string_view> of) {
                return std::ranges::any_of(of, [&](std::string_view sign) { return rest.starts_with(sign); });
            };
            if (next({"(", "⌈", "⌊"})) ++depth;
            if (next({")", "⌉", "⌋"})) --depth;
            if (depth == 0 && length(whole) > widest && next({" + ", " − "})) {
                rest.remove_prefix(1);
                terms.emplace_back();
            }
            terms.back() += rest[0];
            rest.remove_prefix(1);
        }
        return terms;
    }
};

}  // namespace

Lines compose_lines(const std::string& formula, const std::vector<Quantity>& quantities, double result,
                    Measure measure) {
    Sheet sheet(quantities);
    const auto parsed = numerics::parse_expression(formula);
    Lines out;
    if (parsed && std::isfinite(sheet.evaluate(*parsed, false))) {
        const bool sum = sheet.is_sum(*parsed, measure);
        bool done = false;
        const auto attempt = [&](int result_more, int more, double slack) {
            Layout layout = layout_of(result, measure, result_more);
            out.result = print(result, measure, layout);
            layout.decimals += more - result_more;
            sheet.print_all(more, sum ? std::optional(dimension_of(measure)) : std::nullopt, layout);
            done = sheet.fits(*parsed, out.result, slack);
        };
        for (int more = 0; sum && more < 4 && !done; ++more) attempt(more, more, 1e-3);
        for (int r = 0; r < 4 && !done; ++r)
            for (int more = r; more < 12 && !done; ++more) attempt(r, more, 1.0);
        out.lines = sheet.lines(*parsed);

        Sheet shorter = sheet;
        const Dimension& dimension = dimension_of(measure);
        if (const auto terms = dimension == Dimension{} ? std::nullopt : shorter.with_products_done(*parsed, measure)) {
            Layout layout = layout_of(result, measure, 0);
            bool good = false;
            for (int more = 0; more < 10 && !good; ++more, ++layout.decimals) {
                shorter.print_all(more, dimension, layout);
                good = shorter.fits(*terms, out.result, 1.0);
            }
            const auto more_lines = shorter.lines(*terms);
            out.lines.insert(out.lines.end(), more_lines.begin(), more_lines.end());
        }
        const std::string last = "= " + out.result.text;
        if (out.lines.back() != last) out.lines.push_back(last);
    } else {
        out.result = print(result, measure, layout_of(result, measure, 0));
        sheet.print_all(0);
    }
    for (const Quantity& q : quantities)
        out.quantities.push_back(q.symbol.empty() ? Printed{} : sheet.values[q.symbol].printed);
    return out;
}

double computed(const std::string& formula, const std::vector<Quantity>& quantities) {
    const auto parsed = numerics::parse_expression(formula);
    const double value = parsed ? Sheet(quantities).evaluate(*parsed, false) : 0.0;
    return std::isnan(value) ? 0.0 : value;
}

std::string compose_definition(const std::string& formula, const std::vector<Quantity>& quantities,
                               const Printed& result) {
    Sheet sheet(quantities);
    const auto parsed = numerics::parse_expression(formula);
    if (!parsed || !std::isfinite(sheet.evaluate(*parsed, false))) return {};
    for (int more = 0; more < 12; ++more) {
        sheet.print_all(more);
        if (sheet.fits(*parsed, result, 1.0)) break;
    }
    return sheet.text(*parsed);
}

}  // namespace scalescope::explaining
