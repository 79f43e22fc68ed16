// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/caption.hpp"

#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/network/kind.hpp"

namespace scalescope::drawing {
namespace {

struct ValueText {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool v) const { return v ? "yes" : "no"; }
    std::string operator()(std::int64_t v) const { return format_count(v); }
    std::string operator()(double v) const { return format_number(v); }
    std::string operator()(const std::string& v) const { return spoken(v); }
    std::string operator()(const std::vector<std::int64_t>& v) const { return v.empty() ? "" : to_text(v); }
    std::string operator()(const Padding& p) const {
        if (p.mode != Padding::Mode::explicit_sizes) return p.mode == Padding::Mode::same ? "same" : "valid";
        if (p.axes != 2) {
            std::string text;
            const auto axis = [&](std::int64_t before, std::int64_t after) {
                text += std::string(text.empty() ? "" : times_sign) + std::to_string(before);
                if (after != before) text += '+' + std::to_string(after);
            };
            if (p.axes > 2) axis(p.front, p.back), axis(p.top, p.bottom);
            axis(p.left, p.right);
            return text;
        }
        if (p.top == p.bottom && p.left == p.right)
            return p.top == p.left ? format_count(p.top) : to_text(Shape{p.top, p.left});
        return to_text(Shape{p.top, p.bottom, p.left, p.right});
    }
    std::string operator()(const Dim& d) const {
        return (d.symbol.empty() || d.factor != 1 ? std::to_string(d.factor) : "") + d.symbol;
    }
    std::string operator()(const std::vector<Dim>& v) const {
        std::string text;
        for (const Dim& d : v) {
            if (d.symbol == "batch" && d.factor == 1) continue;  // every tensor has it
            if (!text.empty()) text += times_sign;
            text += (*this)(d);
        }
        return text;
    }
};

/// What is said of an attribute that is not as usual.
std::string remark(const AttributeInfo& info, const AttributeValue& value) {
    const std::string name = spoken(info.name);
    if (const bool* on = std::get_if<bool>(&value)) return *on ? name : "no " + name;
    if (std::holds_alternative<std::string>(value)) return value_text(value);
    if (const auto* p = std::get_if<Padding>(&value); p && p->mode != Padding::Mode::explicit_sizes)
        return value_text(value);
    const auto* sizes = std::get_if<std::vector<std::int64_t>>(&value);
    if (sizes && sizes->size() == 2 && sizes->front() == sizes->back())
        return name + ' ' + format_count(sizes->front());
    const std::string text = value_text(value);
    return text.empty() ? text : name + ' ' + text;
}

}  // namespace

std::string spoken(std::string_view word) {
    std::string text(word);
    std::ranges::replace(text, '_', ' ');
    return text;
}

std::string value_text(const AttributeValue& value) { return std::visit(ValueText{}, value); }

std::string about(const AttributeInfo& info) {
    std::string text(info.text);
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 32);
    if (!text.empty() && text.back() != '.') text += '.';
    const std::string least = std::to_string(info.minimum) + " or more";
    const auto add = [&](const std::string& range) { text += (text.empty() ? "" : " ") + range; };
    switch (info.type) {
        case AttributeType::integer: add("A whole number, " + least + "."); break;
        case AttributeType::number: add("A number, " + least + "."); break;
        case AttributeType::sizes: add("Whole numbers, each " + least + "."); break;
        case AttributeType::padding: add("Sizes are whole numbers, each 0 or more."); break;
        case AttributeType::shape: add("Sizes such as 224×224×3."); break;
        case AttributeType::boolean:
        case AttributeType::choice:
        case AttributeType::text: break;
    }
    return text;
}

std::string_view unit_of(const AttributeInfo& info) {
    constexpr std::pair<std::string_view, std::string_view> units[] = {
        // A kernel is written 3×3 and its stride 2×2 everywhere, without a unit.
        {"padding", "cells"},   {"block", "cells"},   {"output_padding", "cells"}, {"output", "cells"},
        {"before", "cells"},    {"after", "cells"},   {"filters", "channels"},     {"factor", "times"},
        {"vocabulary", "rows"}, {"width", "values"},  {"hidden", "values"},        {"size", "elements"},
        {"k", "elements"},      {"step", "elements"}, {"window", "keys"},          {"top_k", "experts"},
    };
    for (const auto& [name, unit] : units)
        if (name == info.name) return unit;
    return {};
}

std::size_t window_axes(const Layer& layer) {
    const auto infos = layer.kind->attributes;
    for (std::size_t a = 0; a < infos.size() && a < layer.attributes.size(); ++a)
        if (const auto* sizes = std::get_if<std::vector<std::int64_t>>(&layer.attributes[a]);
            sizes && infos[a].name == "kernel")
            return sizes->size();
    return 0;
}

std::optional<std::vector<Dim>> shape_from_text(std::string_view text) {
    std::vector<Dim> shape{{1, "batch"}};
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto letter = [&](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    bool wanted = true;  // a dimension, not what stands between two
    while (!text.empty()) {
        const char c = text.front();
        if (c == ' ') {
            text.remove_prefix(1);
        } else if (!wanted && (c == ',' || c == 'x' || c == '*' || text.starts_with(times_sign))) {
            text.remove_prefix(text.starts_with(times_sign) ? times_sign.size() : 1);
            wanted = true;
        } else if (wanted && digit(c)) {
            std::int64_t n = 0;
            for (; !text.empty() && digit(text.front()); text.remove_prefix(1)) {
                n = 10 * n + (text.front() - '0');
                if (n > limits::dimension) return std::nullopt;
            }
            shape.push_back({n, {}});
            wanted = false;
        } else if (wanted && letter(c)) {
            std::size_t length = 0;
            while (length < text.size() && (letter(text[length]) || digit(text[length]))) ++length;
            if (text.substr(0, length) != "batch" || shape.size() > 1)
                shape.push_back({1, std::string(text.substr(0, length))});
            text.remove_prefix(length);
            wanted = false;
        } else {
            return std::nullopt;
        }
    }
    if (wanted || shape.size() < 2) return std::nullopt;
    return shape;
}

std::string caption(const Layer& layer) {
    std::string sizes, given, remarks;
    const auto add = [](std::string& to, const std::string& text) {
        if (!text.empty()) to += (to.empty() ? "" : ", ") + text;
    };
    const auto infos = layer.kind->attributes;
    for (std::size_t a = 0; a < infos.size() && a < layer.attributes.size(); ++a) {
        const AttributeInfo& info = infos[a];
        const AttributeValue& value = layer.attributes[a];
        const bool needed = std::holds_alternative<std::monostate>(info.initial);
        if (needed)
            add(info.type == AttributeType::sizes ? sizes : given, value_text(value));
        else if (value != info.initial)
            add(remarks, remark(info, value));
    }
    add(sizes, given);
    add(sizes, remarks);
    return sizes;
}

}  // namespace scalescope::drawing
