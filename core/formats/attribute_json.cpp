// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/attribute_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::formats {
namespace {

AttributeValue decode_choice(JsonFields& fields, const AttributeInfo& info, JsonValue value) {
    const auto words = choices_of(info);
    if (value.is_string() && std::ranges::find(words, value.text()) != words.end()) return std::string(value.text());
    const std::string shown = value.is_string() ? quoted(value.text()) : std::string(describe(value.kind()));
    fields.error(info.name, value, shown + " is none of the words allowed here.",
                 did_you_mean(value.text(), words, "Use one of " + listed(words) + "."));
    return {};
}

AttributeValue decode_sizes(JsonFields& fields, const AttributeInfo& info, JsonValue value) {
    if (!value.is_array() || value.size() > static_cast<std::size_t>(limits::rank)) {
        std::string remedy = "Write whole numbers, such as [3, 3].";
        if (value.is_integer() && value.integer() >= info.minimum && value.integer() <= limits::dimension)
            remedy = "Write [" + std::to_string(value.integer()) + ", " + std::to_string(value.integer()) +
                     "] for an image, [" + std::to_string(value.integer()) + "] for a sequence.";
        fields.error(info.name, value, "This must be a list of up to " + std::to_string(limits::rank) + " sizes.",
                     remedy);
        return {};
    }
    std::vector<std::int64_t> sizes;
    for (const JsonValue element : value)
        if (const auto n = fields.as_integer(info.name, element, info.minimum, limits::dimension)) sizes.push_back(*n);
    if (sizes.size() != value.size()) return {};
    return sizes;
}

/// One axis: 1, the same on both sides, or [1, 2].
bool decode_sides(JsonFields& fields, const AttributeInfo& info, JsonValue value, std::int64_t& before,
                  std::int64_t& after) {
    const auto size = [&](JsonValue v) { return fields.as_integer(info.name, v, 0, limits::dimension); };
    if (!value.is_array()) {
        const auto both = size(value);
        before = after = both.value_or(0);
        return both.has_value();
    }
    if (value.size() != 2) {
        fields.error(info.name, value, "Padding of an axis has two sides.", "Write [before, after].");
        return false;
    }
    const auto first = size(*value.begin()), last = size(*++value.begin());
    before = first.value_or(0);
    after = last.value_or(0);
    return first && last;
}

/// A number for each axis, or [before, after]; of an image also [top, bottom, left, right].
AttributeValue decode_padding(JsonFields& fields, const AttributeInfo& info, JsonValue value) {
    if (value.is_string() && value.text() == "valid") return Padding{};
    Padding p;
    p.mode = Padding::Mode::same;
    if (value.is_string() && value.text() == "same") return p;
    const std::string remedy = "Write \"valid\", \"same\", [height, width] or [top, bottom, left, right].";
    if (value.is_string()) {
        const std::vector<std::string_view> words{"valid", "same"};
        fields.error(info.name, value, "There is no padding " + quoted(value.text()) + ".",
                     did_you_mean(value.text(), words, remedy));
        return {};
    }
    if (!value.is_array() || value.size() < 1 || value.size() > 4) {
        fields.error(info.name, value, "This is no padding.", remedy);
        return {};
    }
    p.mode = Padding::Mode::explicit_sizes;
    std::array<std::int64_t, 4> before{}, after{};
    std::size_t axis = 0;
    bool right = true;
    for (const JsonValue element : value) {
        right = decode_sides(fields, info, element, before[axis], after[axis]) && right;
        ++axis;
    }
    if (!right) return {};
    if (axis == 4) {
        p.top = before[0], p.bottom = before[1], p.left = before[2], p.right = before[3];
        if (before == after) return p;
        fields.error(info.name, value, "This is padding of four axes.", remedy);
        return {};
    }
    p.axes = static_cast<int>(axis);
    p.left = before[axis - 1], p.right = after[axis - 1];
    if (axis > 1) p.top = before[axis - 2], p.bottom = after[axis - 2];
    if (axis > 2) p.front = before[0], p.back = after[0];
    return p;
}

/// 224, "batch" or "4*sequence".
bool decode_dim(JsonFields& fields, const AttributeInfo& info, JsonValue value,
                std::span<const std::string_view> symbols, Dim& dim) {
    if (!value.is_string()) {
        const auto n = fields.as_integer(info.name, value, info.minimum, limits::dimension);
        dim = Dim{n.value_or(1), {}};
        return n.has_value();
    }
    std::string_view name = value.text();
    std::int64_t factor = 1;
    if (const auto star = name.find('*'); star != std::string_view::npos) {
        const auto read = std::from_chars(name.data(), name.data() + star, factor);
        if (read.ec != std::errc{} || read.ptr != name.data() + star || factor < 1 || factor > limits::dimension) {
            fields.error(info.name, value, "A dimension is a number, a symbol, or a number times a symbol.",
                         "Write for example 224, \"batch\" or \"4*sequence\".");
            return false;
        }
        name.remove_prefix(star + 1);
    }
    if (std::ranges::find(symbols, name) == symbols.end()) {
        fields.error(info.name, value, "There is no symbol " + quoted(name) + ".",
                     did_you_mean(name, symbols, "Declare it under \"symbols\", or write a number."));
        return false;
    }
    dim = Dim{factor, std::string(name)};
    return true;
}

AttributeValue decode_shape(JsonFields& fields, const AttributeInfo& info, JsonValue value,
                            std::span<const std::string_view> symbols) {
    if (!value.is_array() || value.size() < 2 || value.size() > static_cast<std::size_t>(limits::rank)) {
        fields.error(info.name, value,
                     "A shape is a list of 2 to " + std::to_string(limits::rank) + " dimensions, the batch first.",
                     "Write for example [\"batch\", 224, 224, 3].");
        return {};
    }
    std::vector<Dim> shape;
    for (const JsonValue element : value) {
        Dim dim;
        if (decode_dim(fields, info, element, symbols, dim)) shape.push_back(std::move(dim));
    }
    if (shape.size() != value.size()) return {};
    return shape;
}

/// What an attribute looks like, for the message that it is missing.
std::string example(const AttributeInfo& info) {
    switch (info.type) {
        case AttributeType::boolean: return "true or false";
        case AttributeType::integer: return "a whole number";
        case AttributeType::number: return "a number";
        case AttributeType::choice: return "one of " + std::string(info.choices);
        case AttributeType::text: return "a text in quotes";
        case AttributeType::sizes: return "a list of whole numbers, such as [3, 3]";
        case AttributeType::padding: return "\"valid\", \"same\" or sizes";
        case AttributeType::shape: return "a list such as [\"batch\", 224, 224, 3]";
    }
    return {};
}

}  // namespace

AttributeValue decode_attribute(JsonFields& fields, const AttributeInfo& info,
                                std::span<const std::string_view> symbols) {
    const auto value = fields.any(info.name);
    if (!value) {
        if (std::holds_alternative<std::monostate>(info.initial))
            fields.error("The field " + quoted(info.name) + " is missing (" + std::string(info.text) + ").",
                         "Add it; it is " + example(info) + ".");
        return info.initial;
    }
    switch (info.type) {
        case AttributeType::boolean:
            if (value->kind() == JsonKind::boolean) return value->boolean();
            fields.error(info.name, *value,
                         "This must be true or false, not " + std::string(describe(value->kind())) + ".",
                         "Write true or false, without quotes.");
            return {};
        case AttributeType::integer:
            if (Dim dim; info.open && value->is_string()) {
                if (!decode_dim(fields, info, *value, symbols, dim)) return {};
                return dim;
            }
            if (const auto n = fields.as_integer(info.name, *value, info.minimum, limits::dimension)) return *n;
            return {};
        case AttributeType::number:
            if (value->is_number()) return value->number();
            fields.error(info.name, *value, "This must be a number, not " + std::string(describe(value->kind())) + ".",
                         "Write a number, without quotes.");
            return {};
        case AttributeType::choice: return decode_choice(fields, info, *value);
        case AttributeType::text:
            if (value->is_string() && value->text().size() <= limits::name_bytes) return std::string(value->text());
            fields.error(info.name, *value,
                         value->is_string() ? "This text has " + std::to_string(value->text().size()) + " bytes."
                                            : "This must be a text, not " + std::string(describe(value->kind())) + ".",
                         "Write up to " + std::to_string(limits::name_bytes) + " bytes in quotes.");
            return {};
        case AttributeType::sizes: return decode_sizes(fields, info, *value);
        case AttributeType::padding: return decode_padding(fields, info, *value);
        case AttributeType::shape: return decode_shape(fields, info, *value, symbols);
    }
    return {};
}

namespace {

struct Encode {
    JsonWriter& out;
    void operator()(std::monostate) const { out.null(); }
    void operator()(bool v) const { out.boolean(v); }
    void operator()(std::int64_t v) const { out.integer(v); }
    void operator()(double v) const { out.number(v); }
    void operator()(const std::string& v) const { out.text(v); }
    void operator()(const std::vector<std::int64_t>& v) const {
        out.begin_inline_list();
        for (auto n : v) out.integer(n);
        out.end_list();
    }
    void operator()(const Padding& p) const {
        if (p.mode == Padding::Mode::valid) return out.text("valid");
        if (p.mode == Padding::Mode::same) return out.text("same");
        const bool even = p.top == p.bottom && p.left == p.right && p.front == p.back;
        if (p.axes == 2 && !even) return (*this)(std::vector<std::int64_t>{p.top, p.bottom, p.left, p.right});
        out.begin_inline_list();
        const auto axis = [&](std::int64_t before, std::int64_t after) {
            even ? out.integer(before) : (*this)(std::vector<std::int64_t>{before, after});
        };
        if (p.axes > 2) axis(p.front, p.back);
        if (p.axes > 1) axis(p.top, p.bottom);
        axis(p.left, p.right);
        out.end_list();
    }
    void operator()(const Dim& d) const {
        if (d.symbol.empty())
            out.integer(d.factor);
        else
            out.text(d.factor == 1 ? d.symbol : std::to_string(d.factor) + '*' + d.symbol);
    }
    void operator()(const std::vector<Dim>& v) const {
        out.begin_inline_list();
        for (const Dim& d : v) (*this)(d);
        out.end_list();
    }
};

}  // namespace

void encode_attribute(JsonWriter& out, const AttributeValue& value) { std::visit(Encode{out}, value); }

}  // namespace scalescope::formats
