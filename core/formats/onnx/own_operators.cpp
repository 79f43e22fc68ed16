// SPDX-License-Identifier: GPL-3.0-or-later
// Operators of this program's own, as its models have them where ONNX has no word: a kind of layer, its attributes
// under their names, and all its weights in one row as the last input.
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/onnx/converter.hpp"
#include "core/formats/onnx/step.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::formats::onnx {
namespace {

/// "same", "valid", or sizes before all axes and then behind them.
std::optional<Padding> padding_of(const Attribute& a) {
    Padding p;
    if (a.text == "same") p.mode = Padding::Mode::same;
    if (!a.text.empty()) return p;
    const auto& n = a.integers;
    const std::size_t axes = n.size() / 2;
    if (axes < 1 || axes > 3 || n.size() != 2 * axes) return std::nullopt;
    p.mode = Padding::Mode::explicit_sizes;
    p.axes = static_cast<int>(axes);
    p.left = n[axes - 1], p.right = n[2 * axes - 1];
    if (axes > 1) p.top = n[axes - 2], p.bottom = n[2 * axes - 2];
    if (axes > 2) p.front = n[0], p.back = n[axes];
    return p;
}

/// What the node says of an attribute of the kind; nothing: it is none of its type. Shapes are those of the output.
std::optional<AttributeValue> value_of(const AttributeInfo& info, const Attribute& a) {
    switch (info.type) {
        case AttributeType::boolean: return AttributeValue(a.integer != 0);
        case AttributeType::integer: return AttributeValue(a.integer);
        case AttributeType::number: return AttributeValue(a.number);
        case AttributeType::choice:
        case AttributeType::text: return AttributeValue(a.text);
        case AttributeType::sizes: return AttributeValue(a.integers);
        case AttributeType::padding:
            if (const auto p = padding_of(a)) return AttributeValue(*p);
            return std::nullopt;
        case AttributeType::shape: break;
    }
    return std::nullopt;
}

bool has_shape(const Kind& kind) {
    return std::ranges::any_of(kind.attributes,
                               [](const AttributeInfo& info) { return info.type == AttributeType::shape; });
}

/// A row without samples: all other inputs have at least one axis behind the batch's.
bool is_weights(const Value& v) { return v.ranked && v.dims.size() == 1; }

/// As the kind finds it out from one sample's inputs; what it cannot is left to what the file declares.
void shape_by_kind(Step& s) {
    const Kind* kind = find_kind(s.node().op);
    const std::size_t n = s.count() > 0 && is_weights(s.in(s.count() - 1)) ? s.count() - 1 : s.count();
    std::int64_t batch = 1;
    std::vector<Shape> inputs;
    for (std::size_t i = 0; i < n; ++i) {
        const Value& v = s.in(i);
        if (!v.closed() || v.dims.size() < 2) return s.open(0, s.in(0).element);
        batch = std::max(batch, v.dims[0]);
        inputs.emplace_back(v.dims.begin() + 1, v.dims.end());
        if (std::ranges::any_of(inputs.back(), [](std::int64_t d) { return d < 1 || d > limits::dimension; }))
            return s.open(0, v.element);
    }
    const auto few = static_cast<int>(n) < kind->min_inputs;
    if (few || (kind->max_inputs >= 0 && static_cast<int>(n) > kind->max_inputs))
        return s.wrong("a layer of that kind has another number of inputs");
    if (has_shape(*kind) || n == 0) return s.open(0, s.in(0).element);
    Layer layer;
    layer.kind = kind;
    for (const AttributeInfo& info : kind->attributes) {
        const Attribute* said = s.node().find(info.name);
        const auto value = said ? value_of(info, *said) : std::optional(info.initial);
        if (!value || std::holds_alternative<std::monostate>(*value) || about_value(info, *value))
            return s.wrong("its attribute " + std::string(info.name) + " is missing or senseless");
        layer.attributes.push_back(*value);
    }
    const auto facts = kind->infer(layer, inputs);
    if (!facts) return s.wrong(facts.error().front().what);
    Dims out{batch};
    out.insert(out.end(), facts->output.begin(), facts->output.end());
    s.set(0, tensor_value(s.in(0).element, std::move(out)));
}

}  // namespace

Rule own_rule(std::string_view op) { return find_kind(op) ? shape_by_kind : nullptr; }

bool own_layer(Converter& c) {
    const Kind* kind = find_kind(c.node().op);
    if (!kind) return false;
    std::vector<int> all = c.item().inputs;
    int weights = -1;
    if (!all.empty() && all.back() >= 0 && c.is_stored(all.back()) && is_weights(c.value(all.back()))) {
        weights = all.back();
        all.pop_back();
    }
    std::vector<std::size_t> layers;
    for (const int s : all) {
        if (s < 0) return false;
        layers.push_back(c.natural(s));
    }
    Converter::Givens given;
    for (const AttributeInfo& info : kind->attributes) {
        if (info.type == AttributeType::shape) {
            given.push_back({info.name, batch_of(c.sample_shape(c.output()))});
        } else if (const Attribute* said = c.node().find(info.name)) {
            auto value = value_of(info, *said);
            if (!value) return false;
            given.push_back({info.name, std::move(*value)});
        }
    }
    if (!c.become(kind->name, given, layers)) return false;
    if (weights >= 0) c.weights({weights});
    return true;
}

}  // namespace scalescope::formats::onnx
