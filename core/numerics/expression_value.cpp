// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates expressions.
#include <algorithm>
#include <cmath>

#include "core/numerics/expression.hpp"

namespace scalescope::numerics {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

/// A value on the evaluation stack, or what went wrong on the way to it: `and` and `or` may yet ignore that.
struct Slot {
    double value = 0.0;
    const Node* at = nullptr;  ///< set: it failed here
    const char* what = nullptr;
    const char* remedy = nullptr;
};

Slot failed(const Node& node, const char* what, const char* remedy) { return {0.0, &node, what, remedy}; }

double truth(bool condition) { return condition ? 1.0 : 0.0; }

double compute(Op op, double a, double b) {
    switch (op) {
        case Op::add: return a + b;
        case Op::subtract: return a - b;
        case Op::multiply: return a * b;
        case Op::divide: return a / b;
        case Op::power: return std::pow(a, b);
        case Op::less: return truth(a < b);
        case Op::less_equal: return truth(a <= b);
        case Op::greater: return truth(a > b);
        case Op::greater_equal: return truth(a >= b);
        case Op::equal: return truth(a == b);
        case Op::maximum: return std::max(a, b);
        case Op::minimum: return std::min(a, b);
        case Op::negate: return -a;
        case Op::ceil: return std::ceil(a);
        case Op::floor: return std::floor(a);
        case Op::log2: return std::log2(a);
        case Op::exp: return std::exp(a);
        case Op::logical_and:
        case Op::logical_or:
        case Op::number:
        case Op::variable: break;
    }
    return a;
}

Slot operate(const Node& node, std::span<const Slot> operands) {
    const Slot& a = operands.front();
    const Slot& b = operands.back();
    if (node.op == Op::logical_and || node.op == Op::logical_or) {
        const bool settles = node.op == Op::logical_or;
        if (a.at) return a;
        if ((a.value != 0.0) == settles) return {truth(settles)};
        if (b.at) return b;
        return {truth(b.value != 0.0)};
    }
    for (const Slot& operand : operands) {
        if (operand.at) return operand;
    }
    if (node.op == Op::divide && b.value == 0.0)
        return failed(node, "Division by zero.", "Give the divisor another value.");
    if (node.op == Op::power && a.value == 0.0 && b.value < 0.0)
        return failed(node, "Zero has no negative power.", "Give the base another value.");
    if (node.op == Op::power && a.value < 0.0 && b.value != std::floor(b.value))
        return failed(node, "A negative number has no fractional power.", "Give the base another value.");
    if (node.op == Op::log2 && a.value <= 0.0)
        return failed(node, "Only a number above zero has a logarithm.", "Give it a value above zero.");
    double value = operands.size() == 1 ? compute(node.op, a.value, a.value) : a.value;
    for (std::size_t i = 1; i < operands.size(); ++i) value = compute(node.op, value, operands[i].value);
    if (!std::isfinite(value)) return failed(node, "The result is too large for a number.", "Use smaller values.");
    return {value};
}

}  // namespace

Result<double> evaluate(const Expression& expression, const Lookup& lookup) {
    const Slot result = expression.folded<Slot>([&](const Node& node, std::span<const Slot> operands) {
        if (node.op == Op::number) return Slot{node.number};
        if (node.op != Op::variable) return operate(node, operands);
        const std::optional<double> value = lookup ? lookup(node.name) : std::nullopt;
        return !value                   ? failed(node, " has no value.", "Give it one, or check its spelling.")
               : !std::isfinite(*value) ? failed(node, " is not a finite number.", "Give it another value.")
                                        : Slot{*value};
    });
    if (!result.at) return result.value;
    return fail(make_error(result.at->op == Op::variable ? "'" + result.at->name + "'" + result.what : result.what,
                           result.remedy, {{}, result.at->line, result.at->column}));
}

std::vector<std::string> variables(const Expression& expression) {
    std::vector<std::string> names;
    for (const Node& node : expression.nodes()) {
        if (node.op == Op::variable && std::ranges::find(names, node.name) == names.end()) names.push_back(node.name);
    }
    return names;
}

}  // namespace scalescope::numerics
