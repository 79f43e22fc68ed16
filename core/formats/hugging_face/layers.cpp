// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of blocks that call a kind of layer.
#include <algorithm>
#include <limits>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/hugging_face/drawer.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::formats::hugging_face {
namespace {

/// Arguments of a line that are no attributes of the layer.
constexpr std::string_view of_layers = "shares", of_parts = "key family outer";

/// No attribute can be this number: about_value() reports it.
constexpr std::int64_t no_number = std::numeric_limits<std::int64_t>::min();

std::int64_t number_in(const Value& value) { return value.whole() ? *value.whole() : no_number; }

const List& elements_of(const Value& value) {
    static const List none;
    return value.list() ? *value.list() : none;
}

/// 224, 'sequence', or [2, 'sequence'] for two times the length.
Dim dim_of(const Value& value) {
    if (value.word()) return {1, *value.word()};
    const List& two = elements_of(value);
    return two.size() == 2 && two[1].word() ? Dim{number_in(two[0]), *two[1].word()} : Dim{number_in(value), {}};
}

/// For each axis a number, or [before, after]; or a word.
AttributeValue padding_of(const Value& value) {
    Padding p{value.word() && *value.word() == "same" ? Padding::Mode::same : Padding::Mode::explicit_sizes};
    const List& axes = elements_of(value);
    if (p.mode == Padding::Mode::same) return p;
    if (axes.empty() || axes.size() > 2) return {};
    const auto side = [](const Value& axis, std::size_t s) {
        return number_in(elements_of(axis).size() == 2 ? elements_of(axis)[s] : axis);
    };
    p.axes = static_cast<int>(axes.size());
    p.left = side(axes.back(), 0), p.right = side(axes.back(), 1);
    if (axes.size() > 1) p.top = side(axes.front(), 0), p.bottom = side(axes.front(), 1);
    return p;
}

/// The value in the type of the attribute; of no type where it is of another.
AttributeValue attribute_of(const AttributeInfo& info, const Value& value) {
    const auto* number = std::get_if<double>(&value.is);
    switch (info.type) {
        case AttributeType::boolean: return value.truth();
        case AttributeType::integer: return number_in(value);
        case AttributeType::number:
            if (value.whole()) return static_cast<double>(*value.whole());
            return number ? AttributeValue(*number) : AttributeValue();
        case AttributeType::choice:
        case AttributeType::text: return value.word() ? AttributeValue(*value.word()) : AttributeValue();
        case AttributeType::padding: return padding_of(value);
        case AttributeType::sizes: {
            std::vector<std::int64_t> sizes;
            for (const Value& one : elements_of(value)) sizes.push_back(number_in(one));
            return sizes;
        }
        case AttributeType::shape: {
            std::vector<Dim> shape{{1, "batch"}};
            for (const Value& one : elements_of(value)) shape.push_back(dim_of(one));
            return shape;
        }
    }
    return {};
}

}  // namespace

void check_statement(const Lineage& line, const Statement& s, Problems& problems) {
    const auto complain = [&](const SourcePosition& at, std::string what, std::string remedy) {
        if (problems.size() < limits::problems) problems.push_back(make_error(std::move(what), std::move(remedy), at));
    };
    if (s.callee.empty()) return;
    const auto inputs = static_cast<int>(
        std::count_if(s.arguments.begin(), s.arguments.end(), [](const Argument& a) { return a.name.empty(); }));
    if (const Block* block = find_in(line.blocks, s.callee)) {
        if (inputs > static_cast<int>(block->inputs.size()))
            complain(s.at, "The block " + quoted(s.callee) + " has no " + std::to_string(inputs) + " inputs.",
                     "Take some away.");
        return;
    }
    const Kind* kind = find_kind(s.callee);
    if (!kind && s.callee != "part")
        return complain(s.at, "There is no block and no kind of layer " + quoted(s.callee) + ".",
                        "Write it under \"blocks\", or correct the name.");
    if (kind && (inputs < kind->min_inputs || (kind->max_inputs >= 0 && inputs > kind->max_inputs)))
        complain(s.at, "A layer " + quoted(s.callee) + " does not have " + std::to_string(inputs) + " inputs.",
                 "Give it as many as it reads.");
    for (const Argument& a : s.arguments)
        if (!a.name.empty() && !is_among(a.name, kind ? of_layers : of_parts) &&
            (!kind || !find_attribute(*kind, a.name)))
            complain(a.value.at, quoted(s.callee) + " has no " + quoted(a.name) + ".",
                     "Correct the name, or take it out.");
}

AttributeValue Drawer::attribute(const AttributeInfo& info, const Expression& given) {
    const Value value = evaluate(given, *this);
    std::vector<std::string_view> symbols;
    for (const Symbol& s : draft_.symbols) symbols.push_back(s.name);
    AttributeValue made = attribute_of(info, value);
    if (const auto problem = about_value(info, made, symbols))
        fault(given.at, quoted(info.name) + " cannot be " + quoted(text_of(value)) + ".",
              "Correct the figure: " + problem->remedy + ".");
    return made;
}

Value Drawer::add_layer(const Statement& s, const std::string& name) {
    Layer layer;
    layer.kind = find_kind(s.callee);
    if (!layer.kind) return fault(s.at, "There is no kind of layer " + quoted(s.callee) + ".", "Correct the name.");
    DraftBuilder::Givens givens;
    for (const Argument& a : s.arguments) {
        if (a.name == of_layers) {
            const Value owner = evaluate(a.value, *this);
            if (owner.layer()) layer.shares_weights_with = *owner.layer();
        } else if (const AttributeInfo* info = a.name.empty() ? nullptr : find_attribute(*layer.kind, a.name)) {
            givens.push_back({info->name, attribute(*info, a.value)});
        } else {
            const Value in = evaluate(a.value, *this);
            if (!in.layer())
                return fault(a.value.at, "This input is " + text_of(in) + " and not a layer.",
                             "Name a layer that is drawn before.");
            layer.inputs.push_back(*in.layer());
        }
    }
    if (draft_.layers.size() >= limits::layers)
        return fault(s.at, "The network has more than " + std::to_string(limits::layers) + " layers.",
                     "Choose smaller figures.");
    if (stopped_) return {};
    // All products of a model act at every position of a sequence.
    if (find_attribute(*layer.kind, "per_position")) givens.push_back({"per_position", true});
    layer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + 1)};
    layer.name = joined(name);
    if (layer.name.empty() || layer.name.size() > limits::name_bytes || !names_.insert(layer.name).second)
        return fault(s.at, "There cannot be another layer " + quoted(layer.name) + ".",
                     "Name it otherwise: as NAME, with the number of the layer in braces where a line is repeated.");
    layer.at = instance_->config.value().at();
    layer.attributes = attributes_of(*layer.kind, givens);
    if (const auto missing = first_without_value(layer))
        return fault(s.at, missing->what, "Write it among the arguments of the line.");
    draft_.layers.push_back(std::move(layer));
    return {draft_.layers.back().id};
}

}  // namespace scalescope::formats::hugging_face
