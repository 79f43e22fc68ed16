// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/problem.hpp"
#include "core/network/layer.hpp"

/// The expressions of family files (docs/decisions/families.md). Values are numbers, words, lists, and layers that
/// have already been drawn.
namespace scalescope::formats::hugging_face {

struct Value;
using List = std::vector<Value>;

/// The result of an expression. Truth values are whole numbers. `std::monostate` is `none`, the absence of a value.
struct Value {
    std::variant<std::monostate, std::int64_t, double, std::string, std::shared_ptr<const List>, LayerId> is;

    const std::int64_t* whole() const { return std::get_if<std::int64_t>(&is); }
    const std::string* word() const { return std::get_if<std::string>(&is); }
    const List* list() const;
    const LayerId* layer() const { return std::get_if<LayerId>(&is); }
    bool none() const { return std::holds_alternative<std::monostate>(is); }
    /// Zero, the empty word, the empty list and `none` are false.
    bool truth() const;
};
Value list_of(List elements);
/// The value as text, for messages and layer names.
std::string text_of(const Value& value);

/// A parsed expression. The nesting depth is at most limits::expression_depth.
struct Expression {
    enum class Op : std::uint8_t {
        constant,
        name,
        list,
        text,
        call,
        negate,
        logical_not,
        element,
        multiply,
        divide,
        remainder,
        add,
        subtract,
        equal,
        unequal,
        less_equal,
        greater_equal,
        less,
        greater,
        logical_and,
        logical_or,
        choose
    };
    Op op = Op::constant;
    Value value;       ///< if a constant
    std::string name;  ///< if a name or a function call
    std::vector<Expression> parts;
    SourcePosition at;
};
Expression constant(Value value, SourcePosition at);

/// Parses expressions in a piece of text that starts at `at` in a file. Keeps the first problem.
class ExpressionReader {
public:
    ExpressionReader(std::string_view text, SourcePosition at) : text_(text), at_(std::move(at)) {}

    Expression expression();
    /// The remaining text, with expressions in braces: "the table has {positions} rows".
    Expression text();
    /// A name of letters, digits and '_'; empty if there is none.
    std::string name();
    /// Skips a token such as "(" or "if". False if it does not come next.
    bool take(std::string_view token);
    void expect(std::string_view token);
    /// The text up to the next blank that is outside braces.
    std::string_view until_blank();
    bool ended();
    SourcePosition position() const;
    void wrong(std::string what, std::string remedy);
    const std::optional<Problem>& problem() const { return problem_; }

private:
    Expression choice();
    Expression binary(int level);
    Expression unary();
    Expression primary();
    std::vector<Expression> listed(std::string_view end);
    void skip_blanks();

    std::string_view text_;
    SourcePosition at_;
    std::size_t next_ = 0;
    int depth_ = 0;
    std::optional<Problem> problem_;
};

/// The context in which an expression is evaluated.
class Scope {
public:
    virtual ~Scope() = default;
    virtual Value value_of(const std::string& name, const SourcePosition& at) = 0;
    /// Whether the configuration states the figure, or the layer was passed to the block.
    virtual bool has(const std::string& name) = 0;
    /// Reports a fault. Returns `none`.
    virtual Value fault(const SourcePosition& at, std::string what, std::string remedy) = 0;
};

/// The value of the expression. If it has none, reports a fault to `scope` and returns `none`.
Value evaluate(const Expression& expression, Scope& scope);

}  // namespace scalescope::formats::hugging_face
