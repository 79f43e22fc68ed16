// SPDX-License-Identifier: GPL-3.0-or-later
// Writes expressions: as text that parses again, and as rich text for people.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/numerics/expression.hpp"

namespace scalescope::numerics {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

/// How tightly a piece of text holds together; looser pieces need parentheses inside tighter ones.
enum Binding { disjunction = 1, conjunction, comparison, sum, product, sign, power, atom };

Binding binding_of(Op op) {
    switch (op) {
        case Op::logical_or: return disjunction;
        case Op::logical_and: return conjunction;
        case Op::less:
        case Op::less_equal:
        case Op::greater:
        case Op::greater_equal:
        case Op::equal: return comparison;
        case Op::add:
        case Op::subtract: return sum;
        case Op::multiply:
        case Op::divide: return product;
        case Op::negate: return sign;
        case Op::power: return power;
        case Op::number:
        case Op::variable:
        case Op::maximum:
        case Op::minimum:
        case Op::ceil:
        case Op::floor:
        case Op::log2: break;
    }
    return atom;
}

std::string shortest(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '&')
            result += "&amp;";
        else
            result += c;
    }
    return result;
}

struct Piece {
    std::string text;
    Binding binding = atom;
};

std::string inside(Piece piece, Binding at_least) {
    if (piece.binding >= at_least) return std::move(piece.text);
    return '(' + piece.text + ')';
}

/// Text that the parser reads.
struct PlainStyle {
    static Piece number(double value) { return {shortest(value), atom}; }
    static Piece variable(const std::string& name) { return {name, atom}; }
    static std::string_view sign_of(Op op) {
        switch (op) {
            case Op::add: return " + ";
            case Op::subtract: return " - ";
            case Op::multiply: return " * ";
            case Op::divide: return " / ";
            case Op::less: return " < ";
            case Op::less_equal: return " <= ";
            case Op::greater: return " > ";
            case Op::greater_equal: return " >= ";
            case Op::equal: return " == ";
            case Op::logical_and: return " and ";
            case Op::logical_or: return " or ";
            case Op::maximum: return "max";
            case Op::minimum: return "min";
            case Op::ceil: return "ceil";
            case Op::floor: return "floor";
            case Op::log2: return "log2";
            case Op::negate: return "-";
            case Op::power:
            case Op::number:
            case Op::variable: break;
        }
        return {};
    }
    static Piece raised(Piece base, Piece exponent) {
        return {inside(std::move(base), atom) + '^' + inside(std::move(exponent), sign), power};
    }
    static Piece rounded(Op op, const std::string& argument) {
        return {std::string(sign_of(op)) + '(' + argument + ')', atom};
    }
};

/// Names of Greek letters that formulas use, as people spell them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> greek = {{{"alpha", "α"},
                                                                                  {"beta", "β"},
                                                                                  {"gamma", "γ"},
                                                                                  {"delta", "δ"},
                                                                                  {"eta", "η"},
                                                                                  {"theta", "θ"},
                                                                                  {"lambda", "λ"},
                                                                                  {"mu", "μ"},
                                                                                  {"rho", "ρ"},
                                                                                  {"sigma", "σ"},
                                                                                  {"tau", "τ"},
                                                                                  {"phi", "φ"}}};

/// HTML of the small kind that Qt shows.
struct RichStyle {
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
        const auto* letter = std::find_if(greek.begin(), greek.end(), [&](const auto& g) { return g.first == base; });
        std::string text = "<i>" + (letter == greek.end() ? base : std::string(letter->second)) + "</i>";
        if (cut != std::string::npos && cut + 1 < name.size()) {
            std::string subscript = name.substr(cut + 1);
            std::replace(subscript.begin(), subscript.end(), '_', ' ');
            text += "<sub>" + subscript + "</sub>";
        }
        return {text, atom};
    }
    static std::string sign_of(Op op) {
        switch (op) {
            case Op::subtract: return " − ";
            case Op::multiply: return " · ";
            case Op::less_equal: return " ≤ ";
            case Op::greater_equal: return " ≥ ";
            case Op::equal: return " = ";
            case Op::log2: return "log<sub>2</sub>";
            case Op::negate: return "−";
            default: return escaped(PlainStyle::sign_of(op));
        }
    }
    static Piece raised(Piece base, Piece exponent) {
        return {inside(std::move(base), atom) + "<sup>" + exponent.text + "</sup>", power};
    }
    static Piece rounded(Op op, const std::string& argument) {
        if (op == Op::ceil) return {"⌈" + argument + "⌉", atom};
        if (op == Op::floor) return {"⌊" + argument + "⌋", atom};
        return {sign_of(op) + '(' + argument + ')', atom};
    }
};

template <class Style>
Piece write(const Node& node, std::span<Piece> operands) {
    switch (node.op) {
        case Op::number: return Style::number(node.number);
        case Op::variable: return Style::variable(node.name);
        case Op::power: return Style::raised(std::move(operands[0]), std::move(operands[1]));
        case Op::negate: return {std::string(Style::sign_of(node.op)) + inside(std::move(operands[0]), sign), sign};
        case Op::ceil:
        case Op::floor:
        case Op::log2: return Style::rounded(node.op, operands[0].text);
        case Op::maximum:
        case Op::minimum: {
            std::string text = std::string(Style::sign_of(node.op)) + '(';
            for (std::size_t i = 0; i < operands.size(); ++i) {
                if (i > 0) text += ", ";
                text += operands[i].text;
            }
            return {text + ')', atom};
        }
        default: break;
    }
    // Chains lean to the left, so the same operator needs parentheses on its right only; comparisons never chain.
    const Binding own = binding_of(node.op);
    const auto tighter = static_cast<Binding>(own + 1);
    std::string text = inside(std::move(operands[0]), own == comparison ? tighter : own);
    text += Style::sign_of(node.op);
    text += inside(std::move(operands[1]), tighter);
    return {std::move(text), own};
}

template <class Style>
std::string write(const Expression& expression) {
    std::vector<Piece> stack;
    for (const Node& node : expression.nodes()) {
        const auto operands = static_cast<std::size_t>(node.operands);
        Piece piece = write<Style>(node, std::span(stack).last(operands));
        stack.resize(stack.size() - operands);
        stack.push_back(std::move(piece));
    }
    return std::move(stack.back().text);
}

}  // namespace

std::string to_text(const Expression& expression) { return write<PlainStyle>(expression); }

std::string to_rich_text(const Expression& expression) { return write<RichStyle>(expression); }

}  // namespace scalescope::numerics
