// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of blocks that call a kind of layer.
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/hugging_face/drawer.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::formats::hugging_face {
namespace {

using Sizes = std::vector<std::int64_t>;

/// Arguments of a line that are no attributes of the layer.
constexpr std::string_view of_layers = "shares", of_parts = "key family outer";

std::optional<std::int64_t> within(const Value& value, std::int64_t least) {
    const auto* n = value.whole();
    return n && *n >= least && *n <= limits::dimension ? std::optional(*n) : std::nullopt;
}

/// 224, 'sequence', or [2, 'sequence'] for two times the length.
std::optional<Dim> dim_of(const Value& value, const std::vector<Symbol>& symbols) {
    if (const auto n = within(value, 1)) return Dim{*n, {}};
    const List* two = value.list() && value.list()->size() == 2 ? value.list() : nullptr;
    const auto factor = two ? within((*two)[0], 1) : std::optional<std::int64_t>(1);
    const auto* word = two ? (*two)[1].word() : value.word();
    const bool known =
        word && std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& s) { return s.name == *word; });
    return factor && known ? std::optional(Dim{*factor, *word}) : std::nullopt;
}

/// For each axis a number, or [before, after]; or a word.
std::optional<Padding> padding_of(const Value& value) {
    if (value.word() && (*value.word() == "same" || *value.word() == "valid"))
        return Padding{*value.word() == "same" ? Padding::Mode::same : Padding::Mode::valid};
    const List* axes = value.list();
    if (!axes || axes->empty() || axes->size() > 2) return std::nullopt;
    std::vector<std::pair<std::int64_t, std::int64_t>> sides;
    for (const Value& axis : *axes) {
        const bool two = axis.list() && axis.list()->size() == 2;
        const auto before = within(two ? (*axis.list())[0] : axis, 0),
                   after = within(two ? (*axis.list())[1] : axis, 0);
        if (!before || !after) return std::nullopt;
        sides.emplace_back(*before, *after);
    }
    Padding p{Padding::Mode::explicit_sizes};
    p.axes = static_cast<int>(sides.size());
    p.left = sides.back().first, p.right = sides.back().second;
    if (sides.size() > 1) p.top = sides.front().first, p.bottom = sides.front().second;
    return p;
}

std::optional<Sizes> sizes_of(const Value& value, std::int64_t least) {
    if (!value.list() || value.list()->size() > static_cast<std::size_t>(limits::rank)) return std::nullopt;
    Sizes sizes;
    for (const Value& one : *value.list())
        if (const auto n = within(one, least)) sizes.push_back(*n);
    return sizes.size() == value.list()->size() ? std::optional(sizes) : std::nullopt;
}

std::optional<std::vector<Dim>> shape_of(const Value& value, const std::vector<Symbol>& symbols) {
    if (!value.list() || value.list()->size() >= static_cast<std::size_t>(limits::rank)) return std::nullopt;
    std::vector<Dim> shape{{1, "batch"}};
    for (const Value& one : *value.list())
        if (const auto dim = dim_of(one, symbols)) shape.push_back(*dim);
    return shape.size() == value.list()->size() + 1 ? std::optional(shape) : std::nullopt;
}

template <class T>
AttributeValue held(const std::optional<T>& value) {
    return value ? AttributeValue(*value) : AttributeValue();
}

AttributeValue attribute_of(const AttributeInfo& info, const Value& value, const std::vector<Symbol>& symbols) {
    switch (info.type) {
        case AttributeType::boolean: return value.whole() ? AttributeValue(value.truth()) : AttributeValue();
        case AttributeType::integer: return held(within(value, info.minimum));
        case AttributeType::number: {
            const auto* d = std::get_if<double>(&value.is);
            return d               ? AttributeValue(*d)
                   : value.whole() ? AttributeValue(static_cast<double>(*value.whole()))
                                   : AttributeValue();
        }
        case AttributeType::choice: {
            const auto words = choices_of(info);
            const bool right = value.word() && std::find(words.begin(), words.end(), *value.word()) != words.end();
            return right ? AttributeValue(*value.word()) : AttributeValue();
        }
        case AttributeType::text: return value.word() ? AttributeValue(*value.word()) : AttributeValue();
        case AttributeType::sizes: return held(sizes_of(value, info.minimum));
        case AttributeType::padding: return held(padding_of(value));
        case AttributeType::shape: return held(shape_of(value, symbols));
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
    if (const Block* block = line.block(s.callee)) {
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
    AttributeValue made = attribute_of(info, value, draft_.symbols);
    stop_unless(!std::holds_alternative<std::monostate>(made), given.at,
                quoted(info.name) + " cannot be " + quoted(text_of(value)) + ".",
                "Correct the figure: " + std::string(info.text) + ".");
    return made;
}

Value Drawer::add_layer(const Statement& s, const std::string& name) {
    Layer layer;
    layer.kind = find_kind(s.callee);
    DraftBuilder::Givens givens;
    for (const Argument& a : s.arguments) {
        if (a.name == of_layers) {
            const Value owner = evaluate(a.value, *this);
            if (owner.layer()) layer.shares_weights_with = *owner.layer();
        } else if (const AttributeInfo* info = a.name.empty() ? nullptr : find_attribute(*layer.kind, a.name)) {
            givens.push_back({info->name, attribute(*info, a.value)});
        } else {
            const Value in = evaluate(a.value, *this);
            stop_unless(in.layer() != nullptr, a.value.at, "This input is " + text_of(in) + " and not a layer.",
                        "Name a layer that is drawn before.");
            if (in.layer()) layer.inputs.push_back(*in.layer());
        }
    }
    stop_unless(draft_.layers.size() < limits::layers, s.at,
                "The network has more than " + std::to_string(limits::layers) + " layers.", "Choose smaller figures.");
    if (stopped_) return {};
    // All products of a model act at every position of a sequence.
    if (find_attribute(*layer.kind, "per_position")) givens.push_back({"per_position", true});
    layer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + 1)};
    layer.name = joined(name);
    layer.at = instance_->config.value().at();
    layer.attributes = attributes_of(*layer.kind, givens);
    for (const AttributeInfo& info : layer.kind->attributes)
        stop_unless(!std::holds_alternative<std::monostate>(
                        layer.attributes[static_cast<std::size_t>(&info - layer.kind->attributes.data())]),
                    s.at, "The layer " + quoted(layer.name) + " needs " + quoted(info.name) + ".",
                    "Write it among the arguments: " + std::string(info.text) + ".");
    draft_.layers.push_back(std::move(layer));
    return {draft_.layers.back().id};
}

}  // namespace scalescope::formats::hugging_face
