// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numerics/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::numerics {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

struct Function {
    std::string_view name;
    Op op;
    bool many;  ///< takes one argument or more; otherwise exactly one
};
constexpr std::array<Function, 6> functions{{{"max", Op::maximum, true},
                                             {"min", Op::minimum, true},
                                             {"ceil", Op::ceil, false},
                                             {"floor", Op::floor, false},
                                             {"log2", Op::log2, false},
                                             {"exp", Op::exp, false}}};

/// From the loosest to the tightest.
enum class Level { disjunction, conjunction, comparison, sum, product, value };
struct Binary {
    std::string_view text;
    Op op;
    Level level;
};
constexpr std::array<Binary, 11> binaries{{{"or", Op::logical_or, Level::disjunction},
                                           {"and", Op::logical_and, Level::conjunction},
                                           {"<", Op::less, Level::comparison},
                                           {"<=", Op::less_equal, Level::comparison},
                                           {">", Op::greater, Level::comparison},
                                           {">=", Op::greater_equal, Level::comparison},
                                           {"==", Op::equal, Level::comparison},
                                           {"+", Op::add, Level::sum},
                                           {"-", Op::subtract, Level::sum},
                                           {"*", Op::multiply, Level::product},
                                           {"/", Op::divide, Level::product}}};

const Function* find_function(std::string_view name) { return find_by(functions, name, &Function::name); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

Problem problem_at(int line, int column, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {{}, line, column});
}

enum class Kind { end, number, name, symbol };

struct Token {
    Kind kind = Kind::end;
    std::string_view text;
    double number = 0.0;
    int line = 1;
    int column = 1;
};

/// Cuts the text into tokens. Columns count characters, not bytes.
class Tokens {
public:
    explicit Tokens(std::string_view text) : rest_(text) {}

    Result<Token> next() {
        skip_space();
        Token token;
        token.line = line_;
        token.column = column_;
        if (rest_.empty()) return token;
        const char c = rest_.front();
        if (is_digit(c) || c == '.') return number(token);
        if (is_letter(c)) {
            token.kind = Kind::name;
            std::size_t n = 1;
            while (n < rest_.size() && (is_letter(rest_[n]) || is_digit(rest_[n]) || goes_on(n))) ++n;
            token.text = take(n);
            return token;
        }
        token.kind = Kind::symbol;
        for (const std::string_view symbol : {"<=", ">=", "=="}) {
            if (rest_.substr(0, 2) == symbol) {
                token.text = take(2);
                return token;
            }
        }
        if (std::string_view("+-*/^(),<>").find(c) != std::string_view::npos) {
            token.text = take(1);
            return token;
        }
        const std::string shown = c >= ' ' && c <= '~' ? std::string("'") + c + "'" : std::string("A character");
        return fail(problem_at(line_, column_, shown + " has no meaning here.",
                               c == '=' ? "Compare with ==." : "Use numbers, names, + - * / ^ and parentheses."));
    }

private:
    /// Whether a dot leads on to another part of the name.
    bool goes_on(std::size_t n) const { return rest_[n] == '.' && n + 1 < rest_.size() && is_letter(rest_[n + 1]); }

    std::string_view take(std::size_t n) {
        const std::string_view taken = rest_.substr(0, n);
        rest_.remove_prefix(n);
        column_ += static_cast<int>(n);  // tokens are ASCII
        return taken;
    }

    void skip_space() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\n')) {
            if (rest_.front() == '\n') {
                ++line_;
                column_ = 0;
            }
            take(1);
        }
    }

    Result<Token> number(Token token) {
        token.kind = Kind::number;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), token.number);
        const auto length = static_cast<std::size_t>(end - rest_.data());
        const auto wrong = [&](std::string what, std::string remedy) {
            return fail(problem_at(token.line, token.column, std::move(what), std::move(remedy)));
        };
        if (error == std::errc::result_out_of_range)
            return wrong("This number is too large or too small.", "Use one between 1e-307 and 1e308.");
        if (error != std::errc()) return wrong("'.' alone is no number.", "Write 0.5, for example.");
        token.text = take(length);
        if (!rest_.empty() && (is_letter(rest_.front()) || rest_.front() == '.' || is_digit(rest_.front())))
            return wrong("A number ends in something that does not belong to it.", "To multiply, write *: 2 * x.");
        return token;
    }

    std::string_view rest_;
    int line_ = 1;
    int column_ = 1;
};

/// Recursive descent; every function appends its operands, then its operator, to `nodes`. False means that `problem`
/// was set.
class Parser {
public:
    explicit Parser(std::string_view text) : tokens_(text) {}

    bool parse() {
        if (!advance() || !disjunction()) return false;
        if (token_.kind == Kind::end) return true;
        if (is_comparison()) return wrong(token_, "Comparisons do not chain.", "Write a < b and b < c.");
        if (is(")")) return wrong(token_, "This parenthesis closes nothing.", "Remove it, or open one before it.");
        return wrong(token_, "'" + std::string(token_.text) + "' is not expected here.",
                     "Put + - * / or ^ between two values.");
    }

    Problem problem;
    std::vector<Node> nodes;

private:
    bool advance() {
        auto next = tokens_.next();
        if (!next) {
            problem = next.error().front();
            return false;
        }
        token_ = *next;
        return true;
    }

    bool is(std::string_view text) const { return token_.kind != Kind::end && token_.text == text; }

    bool wrong(const Token& where, std::string what, std::string remedy) {
        problem = problem_at(where.line, where.column, std::move(what), std::move(remedy));
        return false;
    }

    bool append(Op op, int operands, const Token& where) {
        Node node;
        node.op = op;
        node.operands = operands;
        node.number = op == Op::number ? where.number : 0.0;
        if (op == Op::variable) node.name = std::string(where.text);
        node.line = where.line;
        node.column = where.column;
        nodes.push_back(std::move(node));
        return true;
    }

    /// The operator of that level that comes next.
    std::optional<Op> operator_of(Level level) const {
        const auto next = [&](const Binary& b) { return b.level == level && is(b.text); };
        const auto found = std::ranges::find_if(binaries, next);
        return found == binaries.end() ? std::nullopt : std::optional(found->op);
    }
    bool is_comparison() const { return operator_of(Level::comparison).has_value(); }

    /// Reads what binds tighter, then as long as an operator of the level follows, that and another such value.
    bool chain(Level level) {
        if (level == Level::value) return signed_power();
        const auto tighter = static_cast<Level>(static_cast<int>(level) + 1);
        if (!chain(tighter)) return false;
        for (std::optional<Op> op = operator_of(level); op; op = operator_of(level)) {
            const Token where = token_;
            if (!advance() || !chain(tighter) || !append(*op, 2, where)) return false;
            if (level == Level::comparison) break;
        }
        return true;
    }
    bool disjunction() { return chain(Level::disjunction); }

    /// Every way to nest passes here, so here the depth is bounded.
    bool signed_power() {
        if (depth_ >= limits::expression_depth)
            return wrong(token_, "The expression is nested too deeply.", "Split it into named parts.");
        ++depth_;
        const bool done = is("-") ? negation() : power();
        --depth_;
        return done;
    }

    bool negation() {
        const Token where = token_;
        return advance() && signed_power() && append(Op::negate, 1, where);
    }

    bool power() {
        if (!primary()) return false;
        if (!is("^")) return true;
        const Token where = token_;
        return advance() && signed_power() && append(Op::power, 2, where);
    }

    bool primary() {
        const Token where = token_;
        if (token_.kind == Kind::number) return advance() && append(Op::number, 0, where);
        if (is("(")) return advance() && disjunction() && close(where);
        if (is("and") || is("or") || token_.kind == Kind::symbol)
            return wrong(where, "A value is missing before '" + std::string(where.text) + "'.",
                         "Put a number, a name or a parenthesis there.");
        if (token_.kind == Kind::end)
            return wrong(where, nodes.empty() ? "The expression is empty." : "The expression ends too early.",
                         "Put a number, a name or a parenthesis there.");
        if (!advance()) return false;
        if (is("(")) return call(where);
        const std::string name(where.text);
        if (find_function(name)) return wrong(where, "'" + name + "' is a function.", "Write " + name + "(…).");
        return append(Op::variable, 0, where);
    }

    bool call(const Token& name) {
        const Function* function = find_function(name.text);
        if (!function) {
            return wrong(name, "There is no function '" + std::string(name.text) + "'.",
                         "Use max, min, ceil, floor, log2 or exp; to multiply, write *.");
        }
        const Token open = token_;
        int arguments = 0;
        do {
            if (!advance() || !disjunction()) return false;
            ++arguments;
        } while (is(","));
        if (arguments > 1 && !function->many)
            return wrong(name, std::string(name.text) + " takes one value.", "Remove the others.");
        return close(open) && append(function->op, arguments, name);
    }

    bool close(const Token& open) {
        if (is(")")) return advance();
        if (token_.kind == Kind::end) return wrong(open, "This parenthesis is not closed.", "Add a ')'.");
        if (is_comparison()) return wrong(token_, "Comparisons do not chain.", "Write a < b and b < c.");
        return wrong(token_, "'" + std::string(token_.text) + "' is not expected here.",
                     "Put ')' or an operator there.");
    }

    Tokens tokens_;
    Token token_;
    int depth_ = 0;
};

}  // namespace

Result<Expression> parse_expression(std::string_view text) {
    if (text.size() > limits::expression_bytes)
        return fail(problem_at(
            1, 1, "The expression is longer than " + std::to_string(limits::expression_bytes) + " characters.",
            "Split it into named parts."));
    Parser parser(text);
    if (!parser.parse()) return fail(std::move(parser.problem));
    return Expression(std::move(parser.nodes));
}

std::vector<Expression> operands(const Expression& expression) {
    const auto nodes = expression.nodes();
    // Where the piece that ends at each node begins.
    std::vector<std::size_t> begin, stack;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto taken = static_cast<std::size_t>(nodes[i].operands);
        begin.push_back(taken == 0 ? i : stack[stack.size() - taken]);
        stack.resize(stack.size() - taken);
        stack.push_back(begin.back());
    }
    std::vector<Expression> found;
    std::size_t end = nodes.size() - 1;
    for (int k = nodes.back().operands; k > 0; --k) {
        const std::size_t from = begin[end - 1];
        found.push_back(Expression(
            {nodes.begin() + static_cast<std::ptrdiff_t>(from), nodes.begin() + static_cast<std::ptrdiff_t>(end)}));
        end = from;
    }
    std::ranges::reverse(found);
    return found;
}

Expression without_neutral(const Expression& expression,
                           const std::function<std::optional<int>(std::string_view)>& neutral) {
    struct Piece {
        std::vector<Expression::Node> nodes;
        std::optional<int> neutral;
        bool is(int n) const { return neutral == n; }
    };
    Piece all = expression.folded<Piece>([&](Node node, std::span<Piece> operands) {
        std::vector<Piece> of(std::make_move_iterator(operands.begin()), std::make_move_iterator(operands.end()));
        Piece made;
        const bool names = node.operands == 0, product = node.op == Op::multiply, quotient = node.op == Op::divide,
                   adds = node.op == Op::add || node.op == Op::subtract || node.op == Op::maximum;
        if (node.op == Op::variable) made.neutral = neutral(node.name);
        if (node.op == Op::number && node.number == 1) made.neutral = 1;
        const auto voids = std::ranges::count_if(of, [](const Piece& p) { return p.is(0); });
        const bool first_void = !names && of[0].is(0);
        if (!names && (adds ? voids == std::ssize(of) : product || node.op == Op::minimum ? voids > 0 : first_void))
            return Piece{{}, 0};
        if (node.op == Op::subtract && first_void) node.op = Op::negate;
        if (adds) std::erase_if(of, [](const Piece& p) { return p.is(0); });
        if (product && (of[0].is(1) || of[1].is(1))) of.erase(of.begin() + (of[0].is(1) ? 0 : 1));
        if (quotient && of[1].is(1)) of.pop_back();
        const bool alone = of.size() == 1 && node.operands > 1 && node.op != Op::negate;
        if (alone) made.neutral = of[0].neutral;
        node.operands = static_cast<int>(of.size());
        for (Piece& p : of) made.nodes.insert(made.nodes.end(), p.nodes.begin(), p.nodes.end());
        if (!alone) made.nodes.push_back(std::move(node));
        return made;
    });
    if (all.neutral) all.nodes = {{Op::number, 0, static_cast<double>(*all.neutral), {}, 1, 1}};
    return Expression(std::move(all.nodes));
}

}  // namespace scalescope::numerics
