// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/limits.hpp"
#include "core/formats/hugging_face/expression.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

using Op = Expression::Op;

Value truth_value(bool is) { return {std::int64_t{is}}; }

class Evaluator {
public:
    explicit Evaluator(Scope& scope) : scope_(scope) {}

    Value value(const Expression& e) {
        switch (e.op) {
            case Op::constant: return e.value;
            case Op::name: return scope_.value_of(e.name, e.at);
            case Op::list: return list_of(values(e.parts));
            case Op::text: return text(e);
            case Op::call: return call(e);
            case Op::negate: return arithmetic(Op::subtract, e, {std::int64_t{0}}, value(e.parts[0]));
            case Op::logical_not: return truth_value(!value(e.parts[0]).truth());
            case Op::element: return element(e, value(e.parts[0]), value(e.parts[1]));
            case Op::logical_and: return truth_value(value(e.parts[0]).truth() && value(e.parts[1]).truth());
            case Op::logical_or: return truth_value(value(e.parts[0]).truth() || value(e.parts[1]).truth());
            case Op::choose: return value(e.parts[value(e.parts[0]).truth() ? 1 : 2]);
            default: return binary(e, value(e.parts[0]), value(e.parts[1]));
        }
    }

private:
    List values(const std::vector<Expression>& parts) {
        List all;
        for (const Expression& part : parts) all.push_back(value(part));
        return all;
    }

    Value text(const Expression& e) {
        std::string all;
        for (const Expression& part : e.parts) all += text_of(value(part));
        return {std::move(all)};
    }

    Value binary(const Expression& e, const Value& a, const Value& b) {
        if (e.op == Op::equal) return truth_value(equal(a, b));
        if (e.op == Op::unequal) return truth_value(!equal(a, b));
        if (e.op == Op::add && (a.word() || b.word())) return {text_of(a) + text_of(b)};
        return arithmetic(e.op, e, a, b);
    }

    static bool equal(const Value& a, const Value& b) {
        if (a.list() || b.list()) return false;
        const auto x = number(a), y = number(b);
        return x && y ? !(*x < *y) && !(*x > *y) : a.is == b.is;
    }

    static std::optional<double> number(const Value& v) {
        if (const auto* n = v.whole()) return static_cast<double>(*n);
        const auto* d = std::get_if<double>(&v.is);
        return d ? std::optional(*d) : std::nullopt;
    }

    Value arithmetic(Op op, const Expression& e, const Value& a, const Value& b) {
        const auto x = number(a), y = number(b);
        if (!x || !y)
            return scope_.fault(
                e.at, "This needs two numbers, and has " + quoted(text_of(a)) + " and " + quoted(text_of(b)) + ".",
                "Use figures that are numbers.");
        if (op == Op::less) return truth_value(*x < *y);
        if (op == Op::less_equal) return truth_value(*x <= *y);
        if (op == Op::greater) return truth_value(*x > *y);
        if (op == Op::greater_equal) return truth_value(*x >= *y);
        if ((op == Op::divide || op == Op::remainder) && !b.truth())
            return scope_.fault(e.at, "This divides by zero.", "Test the figure with ?: first.");
        if (!a.whole() || !b.whole())
            return {op == Op::multiply ? *x * *y : op == Op::add ? *x + *y : op == Op::subtract ? *x - *y : *x / *y};
        return exact(op, e, *a.whole(), *b.whole());
    }

    Value exact(Op op, const Expression& e, std::int64_t a, std::int64_t b) {
        std::int64_t result = 0;
        bool large = false;
        if (op == Op::divide || op == Op::remainder) {
            large = b == -1;  // the smallest number has no opposite
            result = large ? 0 : op == Op::divide ? a / b : a % b;
        } else {
            large = op == Op::multiply ? __builtin_mul_overflow(a, b, &result)
                    : op == Op::add    ? __builtin_add_overflow(a, b, &result)
                                       : __builtin_sub_overflow(a, b, &result);
        }
        return large ? scope_.fault(e.at, "This number is too large.", "Use smaller figures.") : Value{result};
    }

    Value element(const Expression& e, const Value& all, const Value& at) {
        const std::size_t size = all.list() ? all.list()->size() : all.word() ? all.word()->size() : 0;
        const auto* n = at.whole();
        if (!n || *n < 0 || static_cast<std::uint64_t>(*n) >= size)
            return scope_.fault(e.at, "There is no element " + text_of(at) + " of " + std::to_string(size) + ".",
                                "Test length() first, or correct the list of the configuration.");
        const auto i = static_cast<std::size_t>(*n);
        return all.list() ? (*all.list())[i] : Value{std::string(1, (*all.word())[i])};
    }

    Value call(const Expression& e) {
        if (e.name == "has" && e.parts.size() == 1 && e.parts[0].op == Op::name)
            return truth_value(scope_.has(e.parts[0].name));
        const List v = values(e.parts);
        if (e.name == "length" && v.size() == 1)
            return {static_cast<std::int64_t>(v[0].list()   ? v[0].list()->size()
                                              : v[0].word() ? v[0].word()->size()
                                                            : 0)};
        if (e.name == "place" && v.size() == 2 && v[0].list()) return place(*v[0].list(), v[1]);
        if (e.name == "without" && v.size() == 2 && v[0].word() && v[1].word())
            return without(*v[0].word(), *v[1].word());
        if (e.name == "power" && v.size() == 2 && v[0].whole() && v[1].whole()) return power(e, v[0], *v[1].whole());
        if ((e.name == "min" || e.name == "max") && v.size() == 2 && number(v[0]) && number(v[1]))
            return (e.name == "min") == (*number(v[0]) < *number(v[1])) ? v[0] : v[1];
        if (e.name == "floor" && v.size() == 1 && number(v[0])) return floor(e, v[0]);
        return scope_.fault(e.at, "There is no function " + quoted(e.name) + " of such values.",
                            "Use has, length, place, without, power, min, max or floor.");
    }

    Value power(const Expression& e, const Value& base, std::int64_t exponent) {
        Value result{std::int64_t{1}};
        for (std::int64_t n = std::min<std::int64_t>(exponent, 63); n > 0 && result.whole(); --n)
            result = arithmetic(Op::multiply, e, result, base);
        return result;
    }

    Value floor(const Expression& e, const Value& of) {
        constexpr double most = 9e15;  // whole numbers up to it are exact
        if (of.whole()) return of;
        const double whole = std::floor(*number(of));
        if (!(std::abs(whole) < most)) return scope_.fault(e.at, "This number is too large.", "Use smaller figures.");
        return {static_cast<std::int64_t>(whole)};
    }

    /// Where `one` is in the list, -1 if it is not.
    static Value place(const List& all, const Value& one) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const Value& v) { return equal(v, one); });
        return {found == all.end() ? std::int64_t{-1} : std::int64_t{found - all.begin()}};
    }

    static Value without(std::string word, std::string_view letters) {
        std::erase_if(word, [&](char c) { return letters.find(c) != std::string_view::npos; });
        return {std::move(word)};
    }

    Scope& scope_;
};

}  // namespace

Value evaluate(const Expression& expression, Scope& scope) { return Evaluator(scope).value(expression); }

}  // namespace scalescope::formats::hugging_face
