// SPDX-License-Identifier: GPL-3.0-or-later
// Writes expressions: as text that parses again, and as rich text for people.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"
#include "core/numerics/expression.hpp"

namespace scalescope::numerics {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

/// How tightly a piece of text holds together; looser pieces need parentheses inside tighter ones.
enum Binding { disjunction = 1, conjunction, comparison, sum, product, sign, power, atom };

/// How an operator is written, a function with its parenthesis: as text that parses again, and as rich text.
struct Sign {
    Op op;
    Binding binding;
    std::string_view plain, rich;
};
constexpr std::array<Sign, 21> signs{{
    {Op::number, atom, "", ""},
    {Op::variable, atom, "", ""},
    {Op::add, sum, " + ", " + "},
    {Op::subtract, sum, " - ", " − "},
    {Op::multiply, product, " * ", " · "},
    {Op::divide, product, " / ", " / "},
    {Op::power, power, "^", ""},
    {Op::negate, sign, "-", "−"},
    {Op::less, comparison, " < ", " &lt; "},
    {Op::less_equal, comparison, " <= ", " ≤ "},
    {Op::greater, comparison, " > ", " &gt; "},
    {Op::greater_equal, comparison, " >= ", " ≥ "},
    {Op::equal, comparison, " == ", " = "},
    {Op::logical_and, conjunction, " and ", " and "},
    {Op::logical_or, disjunction, " or ", " or "},
    {Op::maximum, atom, "max(", "max("},
    {Op::minimum, atom, "min(", "min("},
    {Op::ceil, atom, "ceil(", "⌈"},
    {Op::floor, atom, "floor(", "⌊"},
    {Op::log2, atom, "log2(", "log<sub>2</sub>("},
    {Op::exp, atom, "exp(", "exp("},
}};
constexpr const Sign& sign_of(Op op) { return signs[static_cast<std::size_t>(op)]; }
static_assert(std::ranges::all_of(signs, [](const Sign& s) { return &sign_of(s.op) == &s; }));

std::string shortest(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

struct Piece {
    std::string text;
    Binding binding = atom;
    bool bare = false;  ///< see Word
};

std::string inside(Piece piece, Binding at_least) {
    if (piece.binding >= at_least) return std::move(piece.text);
    return '(' + piece.text + ')';
}

/// Text that the parser reads.
struct PlainStyle {
    static Piece leaf(const Node& node) { return {node.op == Op::number ? shortest(node.number) : node.name}; }
    static std::string_view text_of(Op op) { return sign_of(op).plain; }
    static Piece raised(Piece base, Piece exponent) {
        return {inside(std::move(base), atom) + '^' + inside(std::move(exponent), sign), power};
    }
    static std::string_view end_of(Op) { return ")"; }
};

/// Names of Greek letters that formulas use, as people spell them.
constexpr std::string_view greek_names = "alpha beta gamma delta eta theta lambda mu rho sigma tau phi",
                           greek_letters = "α β γ δ η θ λ μ ρ σ τ φ";

std::string_view in_greek(std::string_view name) {
    for (std::string_view names = greek_names, letters = greek_letters; !names.empty();)
        if (const auto letter = next_name(letters); next_name(names) == name) return letter;
    return name;
}

/// HTML of the small kind that Qt shows.
struct RichStyle {
    static Piece leaf(const Node& node) { return node.op == Op::number ? number(node.number) : variable(node.name); }
    static Piece number(double value) {
        const std::string text = shortest(value);
        const std::size_t e = text.find('e');
        if (e == std::string::npos) return {text, atom};
        const std::string mantissa = text.substr(0, e);
        std::string exponent = text.substr(e + 1);  // its sign, then two or three digits
        std::string shown = exponent.front() == '-' ? "−" : "";
        exponent.erase(0, 1);
        exponent.erase(0, std::min(exponent.find_first_not_of('0'), exponent.size() - 1));
        shown += exponent;
        const std::string ten = "10<sup>" + shown + "</sup>";
        return mantissa == "1" ? Piece{ten, power} : Piece{mantissa + "·" + ten, product};
    }
    static Piece variable(const std::string& name) {
        if (name.find('.') != std::string::npos) return {"<i>" + name + "</i>", atom};
        const std::size_t cut = name.find('_', 1);
        const std::string base = name.substr(0, cut);
        std::string text = "<i>" + std::string(in_greek(base)) + "</i>";
        if (cut != std::string::npos && cut + 1 < name.size()) {
            std::string subscript = name.substr(cut + 1);
            std::ranges::replace(subscript, '_', ' ');
            text += "<sub>" + subscript + "</sub>";
        }
        return {text, atom};
    }
    static std::string_view text_of(Op op) { return sign_of(op).rich; }
    static Piece raised(Piece base, Piece exponent) {
        return {inside(std::move(base), atom) + "<sup>" + exponent.text + "</sup>", power};
    }
    static std::string_view end_of(Op op) { return op == Op::ceil ? "⌉" : op == Op::floor ? "⌋" : ")"; }
};

/// Words instead of numbers and names, between the signs of rich text.
struct WordStyle : PlainStyle {
    const std::function<Word(const Node&)>& words;
    Piece leaf(const Node& node) const {
        Word word = words(node);
        return {std::move(word.text), atom, word.bare};
    }
    static std::string_view text_of(Op op) { return op == Op::log2 ? "log₂(" : sign_of(op).rich; }
    static std::string_view end_of(Op op) { return RichStyle::end_of(op); }
};

template <class Style>
Piece write(const Style& style, const Node& node, std::span<Piece> operands) {
    switch (node.op) {
        case Op::number:
        case Op::variable: return style.leaf(node);
        case Op::power: return Style::raised(std::move(operands[0]), std::move(operands[1]));
        case Op::negate: return {std::string(Style::text_of(node.op)) + inside(std::move(operands[0]), sign), sign};
        case Op::ceil:
        case Op::floor:
        case Op::log2:
        case Op::exp:
        case Op::maximum:
        case Op::minimum: {
            const std::string arguments = listed(operands, operands.size(), [](const Piece& p) { return p.text; });
            return {std::string(Style::text_of(node.op)) + arguments + std::string(Style::end_of(node.op)), atom};
        }
        default: break;
    }
    // Chains lean to the left, so the same operator needs parentheses on its right only; comparisons never chain.
    const Binding own = sign_of(node.op).binding;
    const auto tighter = static_cast<Binding>(own + 1);
    const bool close = node.op == Op::multiply && operands[0].bare && operands[1].bare;
    std::string text = inside(std::move(operands[0]), own == comparison ? tighter : own);
    text += close ? "·" : Style::text_of(node.op);
    text += inside(std::move(operands[1]), tighter);
    return {std::move(text), own, close};
}

template <class Style>
std::string write(const Style& style, const Expression& expression) {
    return expression.folded<Piece>([&](const Node& n, std::span<Piece> of) { return write(style, n, of); }).text;
}

}  // namespace

std::string to_text(const Expression& expression) { return write(PlainStyle{}, expression); }
std::string to_text(const Expression& expression, const std::function<Word(const Node&)>& words) {
    return write(WordStyle{{}, words}, expression);
}
std::string to_rich_text(const Expression& expression) { return write(RichStyle{}, expression); }

}  // namespace scalescope::numerics
