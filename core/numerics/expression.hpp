// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"

/// Arithmetic that a person can read: the formulas of the why panel and of the lessons. They are text first, so that
/// the formula shown and the formula evaluated cannot differ.
///
///     numbers        12  0.5  1.5e9
///     names          t  t_1  bytes_per_sample  (ASCII letters, digits and _; t_1 is shown as t with subscript 1)
///                    cluster.workers  (a dot before a letter goes on with the name)
///     arithmetic     + - * / ^ and a minus sign; ^ binds first and to the right, so -2^2 is -4 and 2^-1 is 0.5
///     functions      max(a, b, …)  min(a, b, …)  ceil(x)  floor(x)  log2(x)  exp(x)
///     comparisons    < <= > >= ==, each giving 1 or 0; they do not chain
///     logic          and, or: not 0 is true; what the left side settles, the right side cannot spoil
namespace scalescope::numerics {

/// A parsed expression: a plain value, always well formed.
class Expression {
public:
    enum class Op : std::uint8_t {
        number,
        variable,
        add,
        subtract,
        multiply,
        divide,
        power,
        negate,
        less,
        less_equal,
        greater,
        greater_equal,
        equal,
        logical_and,
        logical_or,
        maximum,
        minimum,
        ceil,
        floor,
        log2,
        exp
    };

    /// Operands come before their operator, so nodes are evaluated in order with a stack.
    struct Node {
        Op op = Op::number;
        int operands = 0;
        double number = 0.0;  ///< of a number
        std::string name;     ///< of a variable
        int line = 1;         ///< where it stands in the text, from 1
        int column = 1;

        /// The same meaning; the place in the text does not count.
        bool operator==(const Node& o) const {
            return op == o.op && operands == o.operands && number == o.number && name == o.name;
        }
    };

    /// Of nodes of another one, with all their operands.
    explicit Expression(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

    std::span<const Node> nodes() const { return nodes_; }
    bool operator==(const Expression&) const = default;

    /// What `combine` makes of each node and of what it made of the node's operands; that of the last one.
    template <class T, class F>
    T folded(F combine) const {
        std::vector<T> stack;
        for (const Node& node : nodes_) {
            const auto operands = static_cast<std::size_t>(node.operands);
            T made = combine(node, std::span<T>(stack).last(operands));
            stack.resize(stack.size() - operands);
            stack.push_back(std::move(made));
        }
        return std::move(stack.back());
    }

private:
    std::vector<Node> nodes_;
};

/// Gives the value of a name, or nothing if it has none.
using Lookup = std::function<std::optional<double>(std::string_view name)>;

/// Problems carry the line and column in `text`.
Result<Expression> parse_expression(std::string_view text);

/// The value: always a finite number. A missing or non-finite variable, a division by zero, a root or logarithm that
/// does not exist and an overflow are Problems with their place in the text.
Result<double> evaluate(const Expression& expression, const Lookup& lookup);

/// The names it needs, each once, in the order of their first use.
std::vector<std::string> variables(const Expression& expression);

/// What the outermost operator takes: of `a + b < c` two, `a + b` and `c`; of a number or a name nothing.
std::vector<Expression> operands(const Expression& expression);

/// The expression without terms and factors that change nothing: `neutral` gives 0 for a name that is nothing and goes
/// with the products it is in, 1 for a factor of one, and nothing for a name that stays. If all goes, 0 or 1 is left.
Expression without_neutral(const Expression& expression,
                           const std::function<std::optional<int>(std::string_view)>& neutral);

/// The shortest text that parses to the same expression.
std::string to_text(const Expression& expression);

/// The same with a text for each number and name, as people write it: ⌈x⌉, "2·3 · 4 B". Factors that are `bare`,
/// numbers without a unit, stand close together.
struct Word {
    std::string text;
    bool bare = true;
};
std::string to_text(const Expression& expression, const std::function<Word(const Expression::Node&)>& words);

/// For Qt's rich text: italic names with subscripts (Greek where a name spells a Greek letter), · for *, ⌈x⌉ for ceil.
std::string to_rich_text(const Expression& expression);

}  // namespace scalescope::numerics
