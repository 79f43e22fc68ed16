// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/judge.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/listed.hpp"
#include "core/lessons/name_values.hpp"

namespace scalescope::lessons {
namespace {

using numerics::Expression;
using Op = Expression::Op;
using Node = Expression::Node;
using detail::Reference;

Problem problem_at_node(const Node& node, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {{}, node.line, node.column});
}

bool compares(Op op) {
    return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal || op == Op::equal;
}

std::string_view sign(Op op) {
    switch (op) {
        case Op::less: return "<";
        case Op::less_equal: return "≤";
        case Op::greater: return ">";
        case Op::greater_equal: return "≥";
        default: return {};
    }
}

/// Pieces that must all hold: what `and` joins outermost.
void take_apart(const Expression& expression, std::vector<Expression>& pieces) {
    if (expression.nodes().back().op != Op::logical_and) {
        pieces.push_back(expression);
        return;
    }
    for (const Expression& piece : numerics::operands(expression)) take_apart(piece, pieces);
}

std::optional<Reference> named_by(const Node& node) {
    return node.op == Op::variable ? detail::resolve(node.name) : std::nullopt;
}

/// What an expression stands for that is but one name.
std::optional<Reference> single(const Expression& expression) {
    return expression.nodes().size() == 1 ? named_by(expression.nodes()[0]) : std::nullopt;
}

std::string unit_of_single(const Expression& expression) {
    const auto reference = single(expression);
    return reference ? reference->unit() : std::string();
}

bool is_choice_name(const Node& node) {
    const auto reference = named_by(node);
    return reference && reference->kind == Reference::Kind::choice;
}

template <class T>
bool has_id(const std::vector<T>& all, const std::string& word) {
    return std::ranges::any_of(all, [&](const T& one) { return word_of(one.id) == word; });
}

/// Whether the field can ever be called so.
bool may_be(const Field& field, const std::string& word, const Catalogue& catalogue) {
    switch (field.type) {
        case FieldType::device: return has_id(catalogue.devices, word);
        case FieldType::link: return has_id(catalogue.links, word);
        case FieldType::machine: return has_id(catalogue.machines, word);
        case FieldType::layer: return true;
        default: return std::ranges::any_of(field.choices, [&](auto choice) { return word_of(choice) == word; });
    }
}

std::string words_for(const Field& field) {
    if (field.choices.empty()) return "Write the id of a preset, with _ for what is neither letter nor digit.";
    std::vector<std::string> words;
    for (const auto choice : field.choices) words.push_back(word_of(choice));
    return "Use one of " + listed(words) + ".";
}

Problem unknown_name(const Node& node) {
    const auto near = detail::closest_name_of_all(node.name);
    return problem_at_node(node, "Nothing is called \"" + node.name.substr(0, 60) + "\".",
                           near ? "Did you mean " + *near + "?"
                                : "Use a figure such as step or speedup, a field such as cluster.workers, or "
                                  "layer.NAME.forward.");
}

/// Finds the words of choices, and what is wrong with names.
class NameCheck {
public:
    NameCheck(const Expression& expression, const Catalogue& catalogue) : catalogue_(catalogue) {
        const auto nodes = expression.nodes();
        std::vector<bool> seen(nodes.size(), false);
        for (std::size_t i = 2; i < nodes.size(); ++i)
            if (nodes[i].op == Op::equal && nodes[i - 1].op == Op::variable && nodes[i - 2].op == Op::variable &&
                (is_choice_name(nodes[i - 1]) || is_choice_name(nodes[i - 2]))) {
                const bool first = is_choice_name(nodes[i - 2]);
                take_word(nodes[first ? i - 2 : i - 1], nodes[first ? i - 1 : i - 2]);
                seen[i - 1] = seen[i - 2] = true;
            }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].op != Op::variable || problems.size() >= enough) continue;
            const auto reference = detail::resolve(nodes[i].name);
            needs_start = needs_start || (reference && reference->of == Reference::Of::start);
            if (seen[i]) continue;
            if (!reference)
                problems.push_back(unknown_name(nodes[i]));
            else if (reference->kind == Reference::Kind::choice)
                problems.push_back(problem_at_node(
                    nodes[i], "\"" + nodes[i].name + "\" is no number.",
                    "Compare it with a word: " + nodes[i].name + " == word. " + words_for(*reference->field)));
        }
    }

    Problems problems;
    std::vector<std::string> words;
    bool needs_start = false;

private:
    /// Problems: each asks for the closest name, which takes time.
    static constexpr std::size_t enough = 3;

    void take_word(const Node& choice, const Node& word) {
        const Field& field = *detail::resolve(choice.name)->field;
        if (!may_be(field, word.name, catalogue_))
            problems.push_back(
                problem_at_node(word, std::string(field.label) + " is never \"" + word.name + "\".", words_for(field)));
        if (std::ranges::find(words, word.name) == words.end()) words.push_back(word.name);
    }

    const Catalogue& catalogue_;
};

/// Values of names, of numbers and of words.
struct Finder {
    detail::Values& values;
    const std::vector<std::string>& words;
    std::string& why;

    std::optional<double> operator()(std::string_view name) const {
        const auto place = [&](std::string_view word) {
            const auto found = std::ranges::find(words, word);
            return found == words.end() ? -1.0 : static_cast<double>(found - words.begin());
        };
        std::optional<double> value;
        if (const auto reference = detail::resolve(name)) {
            if (reference->kind == Reference::Kind::choice) {
                if (const auto word = values.word(*reference)) value = place(*word);
            } else {
                value = values.number(*reference);
            }
            if (!value) why = values.why();
        } else if (const double word = place(name); word >= 0) {
            value = word;
        }
        return value;
    }
};

}  // namespace

Result<Judge> Judge::make(std::string_view text, const Catalogue& catalogue) {
    auto expression = numerics::parse_expression(text);
    if (!expression) return fail(std::move(expression.error()));
    NameCheck check(*expression, catalogue);
    if (!check.problems.empty()) return fail(std::move(check.problems));
    Judge judge(std::move(*expression));
    judge.text_ = text;
    judge.unit_ = unit_of_single(judge.expression_);
    judge.words_ = std::move(check.words);
    judge.needs_start_ = check.needs_start;
    std::vector<Expression> pieces;
    take_apart(judge.expression_, pieces);
    for (Expression& piece : pieces) {
        const auto nodes = piece.nodes();
        const bool of_numbers = compares(nodes.back().op) && std::ranges::none_of(nodes, is_choice_name);
        auto sides = of_numbers ? numerics::operands(piece) : std::vector<Expression>{piece, piece};
        std::string unit = of_numbers ? unit_of_single(sides[0]) : std::string();
        if (of_numbers && unit.empty()) unit = unit_of_single(sides[1]);
        const auto named = of_numbers ? single(sides[0]) : std::nullopt;
        std::string of = named ? named->label() : std::string();
        judge.pieces_.push_back(
            {std::move(piece), std::move(sides[0]), std::move(sides[1]), std::move(of), std::move(unit), of_numbers});
    }
    return judge;
}

Result<double> Judge::value(const Design& now, const Surroundings& around) const {
    detail::Values values(now, around);
    std::string why;
    auto value = numerics::evaluate(expression_, Finder{values, words_, why});
    if (!value && !why.empty()) value.error().front().what += ' ' + why;
    return value;
}

Judgement Judge::judge(const Design& now, const Surroundings& around) const {
    detail::Values values(now, around);
    Judgement result;
    const Finder finder{values, words_, result.why};
    const auto whole = numerics::evaluate(expression_, finder);
    result.holds = whole && *whole != 0.0;
    if (!whole && result.why.empty()) result.why = whole.error().front().what;
    if (result.holds) {
        result.why.clear();
        return result;
    }
    for (const Piece& piece : pieces_) {
        const auto holds = numerics::evaluate(piece.whole, finder);
        if (holds && *holds != 0.0) continue;
        if (!piece.of_numbers) break;
        const auto left = numerics::evaluate(piece.left, finder), right = numerics::evaluate(piece.right, finder);
        if (!left || !right) break;
        Judgement::Distance distance;
        distance.now = *left;
        distance.wanted = *right;
        distance.relation = sign(piece.whole.nodes().back().op);
        distance.of = piece.of;
        distance.unit = piece.unit;
        if (around.start.is_there()) {
            detail::Values before(around.start, around);
            std::string ignored;
            const Finder at_start{before, words_, ignored};
            const auto l = numerics::evaluate(piece.left, at_start), r = numerics::evaluate(piece.right, at_start);
            if (l && r && *l != *r)
                distance.progress = std::clamp(1.0 - std::abs((*left - *right) / (*l - *r)), 0.0, 1.0);
        }
        result.distance = distance;
        break;
    }
    return result;
}

}  // namespace scalescope::lessons
