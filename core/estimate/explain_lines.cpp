// SPDX-License-Identifier: GPL-3.0-or-later
// A formula with its numbers put in, line by line.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>

#include "core/base/format.hpp"
#include "core/estimate/explain_text.hpp"

namespace scalescope::explaining {
namespace {

using numerics::Expression;
using Op = Expression::Op;

/// A formula as a tree, which is easier to cut into lines than the stack program of Expression.
struct Tree {
    Op op = Op::number;
    double number = 0;
    std::string name;
    std::vector<Tree> kids;
};

Tree tree_of(const Expression& e) {
    std::vector<Tree> stack;
    for (const auto& node : e.nodes()) {
        Tree t{node.op, node.number, node.name, {}};
        const auto operands = static_cast<std::size_t>(node.operands);
        t.kids.assign(std::make_move_iterator(stack.end() - static_cast<std::ptrdiff_t>(operands)),
                      std::make_move_iterator(stack.end()));
        stack.resize(stack.size() - operands);
        stack.push_back(std::move(t));
    }
    return std::move(stack.back());
}

struct Known {
    double value = 0;
    Measure measure = Measure::number;
    Printed printed;
};
using Values = std::map<std::string, Known, std::less<>>;
Values values_of(const std::vector<Quantity>& quantities) {
    Values values;
    for (const Quantity& q : quantities)
        if (!q.symbol.empty()) values[q.symbol] = {q.value, q.measure, {}};
    return values;
}

class Sheet {
public:
    explicit Sheet(Values values) : values_(std::move(values)) {}
    Values& values() { return values_; }

    double evaluate(const Tree& t, bool as_printed) const {
        std::vector<double> v;
        for (const Tree& k : t.kids) v.push_back(evaluate(k, as_printed));
        switch (t.op) {
            case Op::number: return t.number;
            case Op::variable: {
                const Known& k = values_.at(t.name);
                return as_printed ? k.printed.value : k.value;
            }
            case Op::add: return v[0] + v[1];
            case Op::subtract: return v[0] - v[1];
            case Op::multiply: return v[0] * v[1];
            case Op::divide: return v[0] / v[1];
            case Op::negate: return -v[0];
            case Op::maximum: return *std::max_element(v.begin(), v.end());
            case Op::minimum: return *std::min_element(v.begin(), v.end());
            case Op::ceil: return std::ceil(v[0]);
            case Op::floor: return std::floor(v[0]);
            case Op::log2: return std::log2(v[0]);
            default: return std::pow(v[0], v[1]);
        }
    }

    Dimension dimension(const Tree& t) const {
        if (t.op == Op::number) return {};
        if (t.op == Op::variable) return dimension_of(values_.at(t.name).measure);
        Dimension d = dimension(t.kids[0]);
        if (t.op == Op::multiply || t.op == Op::divide) {
            const Dimension other = dimension(t.kids[1]);
            for (std::size_t i = 0; i < d.size(); ++i) d[i] += t.op == Op::multiply ? other[i] : -other[i];
        }
        return d;
    }

    /// A number without a unit: such factors stand close together, 26·26·192.
    bool bare(const Tree& t) const {
        if (t.op == Op::number) return true;
        if (t.op == Op::variable)
            return unit_of(values_.at(t.name).measure).empty() && values_.at(t.name).measure != Measure::percent;
        return t.op == Op::multiply && bare(t.kids[0]) && bare(t.kids[1]);
    }
    /// Factors of exactly 1 are left out: 100 % of the peak, one micro-step.
    bool unit_factor(const Tree& t) const {
        return t.op == Op::variable && values_.at(t.name).value == 1 && unit_of(values_.at(t.name).measure).empty();
    }

    std::string text(const Tree& t, int binding = 0) const {
        const auto wrap = [&](int own, std::string s) { return own < binding ? '(' + std::move(s) + ')' : s; };
        switch (t.op) {
            case Op::number: return print(t.number, Measure::number, Layout{0, 15}).text;
            case Op::variable: return values_.at(t.name).printed.text;
            case Op::add: return wrap(1, text(t.kids[0], 1) + " + " + text(t.kids[1], 2));
            case Op::subtract:
                return wrap(1, text(t.kids[0], 1) + ' ' + std::string(minus_sign) + ' ' + text(t.kids[1], 2));
            case Op::multiply:
                if (unit_factor(t.kids[0])) return text(t.kids[1], binding);
                if (unit_factor(t.kids[1])) return text(t.kids[0], binding);
                return wrap(
                    3, text(t.kids[0], 3) + (bare(t.kids[0]) && bare(t.kids[1]) ? "·" : " · ") + text(t.kids[1], 4));
            case Op::divide:
                if (unit_factor(t.kids[1])) return text(t.kids[0], binding);
                return wrap(3, text(t.kids[0], 3) + " / " + text(t.kids[1], 4));
            case Op::negate: return wrap(2, std::string(minus_sign) + text(t.kids[0], 3));
            case Op::ceil: return "⌈" + text(t.kids[0]) + "⌉";
            case Op::floor: return "⌊" + text(t.kids[0]) + "⌋";
            case Op::log2: return "log₂(" + text(t.kids[0]) + ')';
            case Op::maximum:
            case Op::minimum: {
                std::string s = t.op == Op::maximum ? "max(" : "min(";
                for (std::size_t i = 0; i < t.kids.size(); ++i) s += (i > 0 ? ", " : "") + text(t.kids[i]);
                return s + ')';
            }
            default: return wrap(5, text(t.kids[0], 6) + '^' + text(t.kids[1], 5));
        }
    }

    /// An equation's right side, one string a line; a long sum has a line for each term.
    std::vector<std::string> lines(const Tree& t) const {
        std::vector<std::string> terms;
        const Tree* left = &t;
        while (left->op == Op::add || left->op == Op::subtract) {
            const std::string sign = left->op == Op::add ? "+" : std::string(minus_sign);
            terms.insert(terms.begin(), sign + ' ' + text(left->kids[1], 2));
            left = &left->kids[0];
        }
        terms.insert(terms.begin(), "= " + text(*left, 1));
        std::size_t length = 0;
        for (const auto& s : terms)
            length += static_cast<std::size_t>(std::count_if(
                          s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; })) +
                      1;
        constexpr std::size_t widest = 36;  // what the panel's width holds in the size of formulas
        if (length <= widest) {
            for (std::size_t i = 1; i < terms.size(); ++i) terms[0] += ' ' + terms[i];
            terms.resize(1);
        }
        return terms;
    }

private:
    Values values_;
};

bool contains_variable(const Tree& t) {
    return t.op == Op::variable || std::any_of(t.kids.begin(), t.kids.end(), contains_variable);
}
bool is_sum(const Tree& t, const Sheet& sheet, Measure m) {
    return t.op == Op::add ? is_sum(t.kids[0], sheet, m) && is_sum(t.kids[1], sheet, m)
                           : t.op == Op::variable && dimension_of(m) == sheet.dimension(t);
}

/// Where a node stands: the whole right side, one term of a sum, or a factor beside a sum.
enum class Place { whole, term, factor };

/// Replaces every term that is a product by its value in the result's unit: F / P becomes 8.65 ms.
Tree collapse(const Tree& t, Place place, Sheet& sheet, const Dimension& wanted, Measure m, int& made) {
    const bool product = t.op == Op::multiply || t.op == Op::divide;
    if (product && place == Place::term && contains_variable(t) && sheet.dimension(t) == wanted) {
        Tree leaf;
        leaf.op = Op::variable;
        leaf.name = "=" + std::to_string(made++);
        sheet.values()[leaf.name] = {sheet.evaluate(t, false), m, {}};
        return leaf;
    }
    Tree copy = t;
    for (Tree& k : copy.kids) k = collapse(k, product ? Place::factor : Place::term, sheet, wanted, m, made);
    return copy;
}

bool near(double v, const Printed& result, double slack) {
    return std::abs(v - result.value) <= slack * result.half_unit + 1e-12 * std::abs(result.value);
}

/// Prints every value with `more` extra digits; values of `dimension` are printed in the given layout instead.
void print_all(Sheet& sheet, int more, const Dimension& dimension = {}, const Layout& layout = {}) {
    for (auto& [name, known] : sheet.values()) {
        const bool alike = dimension != Dimension{} && dimension_of(known.measure) == dimension;
        known.printed = print(known.value, known.measure, alike ? layout : layout_of(known.value, known.measure, more));
    }
}
/// Every name has a value: otherwise there is nothing to print.
bool complete(const Expression& e, const Values& values) {
    const auto names = numerics::variables(e);
    return std::all_of(names.begin(), names.end(), [&](const std::string& n) { return values.contains(n); });
}

/// Terms of a plain sum stand in the unit of their result.
void print_alike(Sheet& sheet, Layout layout, int more) {
    layout.decimals += more;
    for (auto& entry : sheet.values()) entry.second.printed = print(entry.second.value, entry.second.measure, layout);
}

/// The formula with numbers instead of names, each the shortest text that reads back the same.
std::string plain(const std::string& formula, const Values& values) {
    const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string text;
    for (std::size_t i = 0, end = 0; i < formula.size(); i = end) {
        for (end = i; end < formula.size() && letter(formula[end]);) ++end;
        if (end == i) ++end;
        const auto known = values.find(std::string_view(formula).substr(i, end - i));
        if (known == values.end()) {  // an operator, a function or a number
            text.append(formula, i, end - i);
            continue;
        }
        std::array<char, 64> buffer;
        const auto to = std::to_chars(buffer.data(), buffer.data() + buffer.size(), known->second.value);
        const std::string number(buffer.data(), to.ptr);
        text += number[0] == '-' ? '(' + number + ')' : number;
    }
    return text;
}

}  // namespace

Lines compose_lines(const std::string& formula, const std::vector<Quantity>& quantities, double result,
                    Measure measure) {
    Sheet sheet(values_of(quantities));
    const auto parsed = numerics::parse_expression(formula);
    Lines out;
    if (parsed && complete(*parsed, sheet.values())) {
        const Tree tree = tree_of(*parsed);
        const Dimension dimension = dimension_of(measure);
        const bool sum = is_sum(tree, sheet, measure) && tree.op == Op::add;
        bool done = false;
        const auto attempt = [&](int result_more, int more, double slack) {
            const Layout layout = layout_of(result, measure, result_more);
            out.result = print(result, measure, layout);
            print_all(sheet, more);
            if (sum) print_alike(sheet, layout, more - result_more);
            done = near(sheet.evaluate(tree, true), out.result, slack);
        };
        if (sum)
            for (int more = 0; more < 4 && !done; ++more) attempt(more, more, 1e-3);
        for (int r = 0; r < 4 && !done; ++r)
            for (int more = r; more < 12 && !done; ++more) attempt(r, more, 1.0);
        out.lines = sheet.lines(tree);

        Sheet shorter = sheet;
        int made = 0;
        const Tree terms =
            dimension == Dimension{} ? tree : collapse(tree, Place::whole, shorter, dimension, measure, made);
        if (made > 0 && terms.op != Op::variable) {
            const Layout layout = layout_of(result, measure, 0);
            bool good = false;
            for (int more = 0; more < 10 && !good; ++more) {
                print_all(shorter, more, dimension, {layout.exponent, layout.decimals + more});
                good = near(shorter.evaluate(terms, true), out.result, 1.0);
            }
            const auto more_lines = shorter.lines(terms);
            out.lines.insert(out.lines.end(), more_lines.begin(), more_lines.end());
        }
        const std::string last = "= " + out.result.text;
        if (out.lines.empty() || out.lines.back() != last) out.lines.push_back(last);
    } else {
        out.result = print(result, measure, layout_of(result, measure, 0));
        print_all(sheet, 0);
    }
    for (const Quantity& q : quantities)
        out.quantities.push_back(q.symbol.empty() ? Printed{} : sheet.values()[q.symbol].printed);
    return out;
}

DefinitionText compose_definition(const std::string& formula, const std::vector<Quantity>& quantities,
                                  const Printed& result) {
    Sheet sheet(values_of(quantities));
    DefinitionText out;
    const auto parsed = numerics::parse_expression(formula);
    if (!parsed || !complete(*parsed, sheet.values())) return out;
    const Tree tree = tree_of(*parsed);
    for (int more = 0; more < 12; ++more) {
        print_all(sheet, more);
        if (near(sheet.evaluate(tree, true), result, 1.0)) break;
    }
    for (const std::string& line : sheet.lines(tree)) out.text += (out.text.empty() ? "" : " ") + line;
    out.text.erase(0, 2);  // the equals sign
    out.formula = plain(formula, sheet.values());
    return out;
}

}  // namespace scalescope::explaining
