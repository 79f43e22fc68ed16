// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

using Op = Expression::Op;

struct Operator {
    std::string_view token;
    Op op;
    int level;  ///< a higher one binds first
};
/// Longer tokens stand before those that they begin with.
constexpr std::array<Operator, 13> operators{{{"or", Op::logical_or, 0},
                                              {"and", Op::logical_and, 1},
                                              {"==", Op::equal, 2},
                                              {"!=", Op::unequal, 2},
                                              {"<=", Op::less_equal, 2},
                                              {">=", Op::greater_equal, 2},
                                              {"<", Op::less, 2},
                                              {">", Op::greater, 2},
                                              {"+", Op::add, 3},
                                              {"-", Op::subtract, 3},
                                              {"*", Op::multiply, 4},
                                              {"/", Op::divide, 4},
                                              {"%", Op::remainder, 4}}};
constexpr int highest_level = 5;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

const List* Value::list() const {
    const auto* held = std::get_if<std::shared_ptr<const List>>(&is);
    return held ? held->get() : nullptr;
}

bool Value::truth() const {
    if (const auto* n = whole()) return *n != 0;
    if (const auto* d = std::get_if<double>(&is)) return *d < 0 || *d > 0;
    if (const auto* w = word()) return !w->empty();
    if (const auto* l = list()) return !l->empty();
    return !none();
}

Value list_of(List elements) { return {std::make_shared<const List>(std::move(elements))}; }

std::string text_of(const Value& value) {
    if (const auto* n = value.whole()) return std::to_string(*n);
    if (const auto* w = value.word()) return *w;
    if (const auto* l = value.list()) return "a list of " + std::to_string(l->size());
    if (const auto* d = std::get_if<double>(&value.is)) {
        std::array<char, 32> text{};
        return {text.data(), std::to_chars(text.data(), text.data() + text.size(), *d).ptr};
    }
    return value.none() ? "none" : "a layer";
}

Expression constant(Value value, SourcePosition at) { return {Op::constant, std::move(value), {}, {}, std::move(at)}; }

void ExpressionReader::skip_blanks() {
    while (next_ < text_.size() && text_[next_] == ' ') ++next_;
}

bool ExpressionReader::ended() {
    skip_blanks();
    return next_ == text_.size();
}

SourcePosition ExpressionReader::position() const {
    SourcePosition at = at_;
    at.column += static_cast<int>(next_);
    return at;
}

void ExpressionReader::wrong(std::string what, std::string remedy) {
    if (!problem_) problem_ = make_error(std::move(what), std::move(remedy), position());
    next_ = text_.size();  // nothing more is read
}

bool ExpressionReader::take(std::string_view token) {
    skip_blanks();
    if (!text_.substr(next_).starts_with(token)) return false;
    const std::size_t end = next_ + token.size();
    if (is_letter(token[0]) && end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) return false;
    next_ = end;
    return true;
}

void ExpressionReader::expect(std::string_view token) {
    if (!take(token)) wrong("Here " + quoted(token) + " is missing.", "Write it, or take away what stands here.");
}

std::string ExpressionReader::name() {
    skip_blanks();
    const std::size_t first = next_;
    if (next_ < text_.size() && is_letter(text_[next_]))
        while (next_ < text_.size() && (is_letter(text_[next_]) || is_digit(text_[next_]))) ++next_;
    return std::string(text_.substr(first, next_ - first));
}

std::string_view ExpressionReader::until_blank() {
    skip_blanks();
    const std::size_t first = next_;
    for (int braces = 0; next_ < text_.size() && (braces > 0 || text_[next_] != ' '); ++next_)
        braces += text_[next_] == '{' ? 1 : text_[next_] == '}' ? -1 : 0;
    return text_.substr(first, next_ - first);
}

Expression ExpressionReader::expression() {
    if (++depth_ > limits::expression_depth) wrong("This expression is nested too deeply.", "Split it into figures.");
    Expression e = binary(0);
    if (take("?")) {
        Expression all{Op::choose, {}, {}, {}, e.at};
        all.parts.push_back(std::move(e));
        all.parts.push_back(expression());
        expect(":");
        all.parts.push_back(expression());
        e = std::move(all);
    }
    --depth_;
    return e;
}

Expression ExpressionReader::binary(int level) {
    if (level == highest_level) return unary();
    Expression left = binary(level + 1);
    for (;;) {
        const auto at = position();
        const auto* found = std::find_if(operators.begin(), operators.end(),
                                         [&](const Operator& o) { return o.level == level && take(o.token); });
        if (found == operators.end()) return left;
        Expression both{found->op, {}, {}, {}, at};
        both.parts.push_back(std::move(left));
        both.parts.push_back(binary(level + 1));
        left = std::move(both);
    }
}

Expression ExpressionReader::unary() {
    skip_blanks();
    const auto at = position();
    const bool minus = take("-");
    if (minus || take("not")) {
        if (++depth_ > limits::expression_depth)
            wrong("This expression is nested too deeply.", "Split it into figures.");
        Expression e{minus ? Op::negate : Op::logical_not, {}, {}, {}, at};
        e.parts.push_back(unary());
        --depth_;
        return e;
    }
    Expression e = primary();
    while (take("[")) {
        Expression element{Op::element, {}, {}, {}, e.at};
        element.parts.push_back(std::move(e));
        element.parts.push_back(expression());
        expect("]");
        e = std::move(element);
    }
    return e;
}

std::vector<Expression> ExpressionReader::listed(std::string_view end) {
    std::vector<Expression> all;
    if (take(end)) return all;
    do all.push_back(expression());
    while (take(","));
    expect(end);
    return all;
}

Expression ExpressionReader::primary() {
    skip_blanks();
    Expression e;
    e.at = position();
    if (take("(")) {
        e = expression();
        expect(")");
    } else if (take("[")) {
        e.op = Op::list;
        e.parts = listed("]");
    } else if (take("'")) {
        const auto end = std::min(text_.find('\'', next_), text_.size());
        e.value.is = std::string(text_.substr(next_, end - next_));
        next_ = end;
        expect("'");
    } else if (next_ < text_.size() && is_digit(text_[next_])) {
        std::int64_t n = 0;
        const auto read = std::from_chars(text_.data() + next_, text_.data() + text_.size(), n);
        next_ = static_cast<std::size_t>(read.ptr - text_.data());
        if (read.ec != std::errc{}) wrong("This number is too large.", "Write a smaller one.");
        e.value.is = n;
    } else if (std::string word = name(); word.empty()) {
        wrong("Here a figure, a number or a word in single quotes is missing.", "Write one.");
    } else if (word == "true" || word == "false") {
        e.value.is = std::int64_t{word == "true"};
    } else if (word != "none") {
        e.op = take("(") ? Op::call : Op::name;
        if (e.op == Op::call) e.parts = listed(")");
        e.name = std::move(word);
    }
    return e;
}

Expression ExpressionReader::text() {
    Expression all{Op::text, {}, {}, {}, position()};
    while (next_ < text_.size()) {
        const auto brace = std::min(text_.find('{', next_), text_.size());
        all.parts.push_back(constant({std::string(text_.substr(next_, brace - next_))}, position()));
        next_ = brace;
        if (next_ == text_.size()) break;
        ++next_;
        all.parts.push_back(expression());
        expect("}");
    }
    return all;
}

}  // namespace scalescope::formats::hugging_face
