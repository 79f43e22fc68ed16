// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/attributes.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/network/symbols.hpp"

namespace scalescope {
namespace {

/// Index of the alternative of AttributeValue that holds values of a type.
std::size_t alternative(AttributeType type) {
    constexpr std::array<std::size_t, 8> alternatives{1, 2, 3, 4, 4, 5, 6, 7};  // a choice is a text
    return alternatives[static_cast<std::size_t>(type)];
}

Problem value_problem(const AttributeInfo& info, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, std::string(info.name));
}

std::optional<Problem> about_number(const AttributeInfo& info, std::int64_t n, std::int64_t minimum) {
    if (n >= minimum && n <= limits::dimension) return std::nullopt;
    return value_problem(
        info, std::to_string(n) + " is out of range.",
        "use a whole number from " + std::to_string(minimum) + " to " + std::to_string(limits::dimension));
}

std::optional<Problem> about_dim(const AttributeInfo& info, const Dim& d, std::span<const std::string_view> symbols) {
    if (auto p = about_number(info, d.factor, info.minimum)) return p;
    if (std::find(symbols.begin(), symbols.end(), d.symbol) != symbols.end()) return std::nullopt;
    return value_problem(info, "There is no symbol \"" + d.symbol + "\".", "write a number");
}

std::optional<Problem> about_shape(const AttributeInfo& info, const std::vector<Dim>& dims,
                                   std::span<const std::string_view> symbols) {
    const auto* initial = std::get_if<std::vector<Dim>>(&info.initial);
    if (dims.empty() && initial && initial->empty()) return std::nullopt;  // left out
    if (dims.size() < 2 || dims.size() > static_cast<std::size_t>(limits::rank))
        return value_problem(info, "A shape is a list of 2 to " + std::to_string(limits::rank) + " dimensions.",
                             "write the batch, then the dimensions of one sample");
    for (const Dim& d : dims) {
        const bool number = d.symbol.empty() || d.symbol == batch_symbol;
        if (auto p = number ? about_number(info, d.factor, info.minimum) : about_dim(info, d, symbols)) return p;
    }
    return std::nullopt;
}

}  // namespace

int attribute_index(const Kind& kind, std::string_view name) {
    for (std::size_t i = 0; i < kind.attributes.size(); ++i)
        if (kind.attributes[i].name == name) return static_cast<int>(i);
    return -1;
}

std::vector<std::string_view> choices_of(const AttributeInfo& info) {
    std::vector<std::string_view> words;
    for (std::string_view rest = info.choices;;) {
        const auto bar = rest.find('|');
        words.push_back(rest.substr(0, bar));
        if (bar == std::string_view::npos) return words;
        rest.remove_prefix(bar + 1);
    }
}

bool has_type(const AttributeInfo& info, const AttributeValue& value) {
    if (info.open && std::holds_alternative<Dim>(value)) return true;
    if (value.index() != alternative(info.type)) return false;
    const auto* sizes = std::get_if<std::vector<std::int64_t>>(&value);
    return !sizes || sizes->size() <= static_cast<std::size_t>(limits::rank);
}

std::optional<Problem> about_value(const AttributeInfo& info, const AttributeValue& value,
                                   std::span<const std::string_view> symbols) {
    if (!has_type(info, value))
        return value_problem(info, "The attribute \"" + std::string(info.name) + "\" takes another type of value.",
                             "give it a value that fits (" + std::string(info.text) + ")");
    switch (info.type) {
        case AttributeType::boolean: return std::nullopt;
        case AttributeType::integer:
            if (const auto* d = std::get_if<Dim>(&value)) return about_dim(info, *d, symbols);
            return about_number(info, std::get<std::int64_t>(value), info.minimum);
        case AttributeType::number:
            if (std::isfinite(std::get<double>(value))) return std::nullopt;
            return value_problem(info, "This is no finite number.", "write a number");
        case AttributeType::choice: {
            const auto words = choices_of(info);
            const auto& word = std::get<std::string>(value);
            if (std::ranges::find(words, word) != words.end()) return std::nullopt;
            return value_problem(info, "\"" + word.substr(0, 60) + "\" is none of the words allowed here.",
                                 "use one of " + listed(words));
        }
        case AttributeType::text:
            if (std::get<std::string>(value).size() <= limits::name_bytes) return std::nullopt;
            return value_problem(info, "This text is too long.",
                                 "write up to " + std::to_string(limits::name_bytes) + " bytes");
        case AttributeType::sizes:
            for (std::int64_t n : std::get<std::vector<std::int64_t>>(value))
                if (auto p = about_number(info, n, info.minimum)) return p;
            return std::nullopt;
        case AttributeType::padding: {
            const auto& p = std::get<Padding>(value);
            for (std::int64_t n : {p.top, p.bottom, p.left, p.right, p.front, p.back})
                if (auto wrong = about_number(info, n, 0)) return wrong;
            return std::nullopt;
        }
        case AttributeType::shape: return about_shape(info, std::get<std::vector<Dim>>(value), symbols);
    }
    return std::nullopt;
}

std::optional<Problem> first_without_value(const Layer& layer) {
    const auto infos = layer.kind->attributes;
    for (std::size_t a = 0; a < infos.size(); ++a) {
        if (a < layer.attributes.size() && has_type(infos[a], layer.attributes[a])) continue;
        return make_error(
            "The attribute \"" + std::string(infos[a].name) + "\" has no value (" + std::string(infos[a].text) + ").",
            "give it one");
    }
    return std::nullopt;
}

}  // namespace scalescope
