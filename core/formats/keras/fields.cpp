// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/use.hpp"

#include <cmath>

#include "core/base/limits.hpp"

namespace scalescope::formats {
namespace {

constexpr std::int64_t largest_size = 1 << 24;  ///< of a kernel, stride or the like: products of three stay exact

}  // namespace

std::optional<std::int64_t> whole_number(JsonValue value) {
    constexpr double exact = 9007199254740992.0;  // 2^53: beyond it a double is no exact whole number
    if (value.is_integer()) return value.integer();
    if (value.is_number() && std::floor(value.number()) == value.number() && std::abs(value.number()) <= exact)
        return static_cast<std::int64_t>(value.number());
    return std::nullopt;
}

std::optional<JsonValue> KerasFields::find(Names names) const {
    for (const std::string_view name : names)
        if (const auto found = config_.find(name); found && !found->is_null()) {
            // A tuple, and a list that a layer watches: {"class_name": "__tuple__", "items": [3]}.
            const auto items = found->is_object() ? found->find("items") : std::nullopt;
            return items && items->is_array() ? items : found;
        }
    return std::nullopt;
}

bool KerasFields::flag(Names names, bool otherwise) {
    const auto found = find(names);
    if (!found) return otherwise;
    if (found->kind() != JsonKind::boolean) error(*found, "This must be true or false.", "Write true or false.");
    return found->boolean();
}

std::string_view KerasFields::word(Names names, std::string_view otherwise) {
    const auto found = find(names);
    if (!found) return otherwise;
    if (!found->is_string()) error(*found, "This must be a text.", "Write a word in double quotes.");
    return found->text();
}

double KerasFields::number(Names names, double otherwise, double low, double high) {
    const auto found = find(names);
    if (!found) return otherwise;
    if (found->is_number() && found->number() >= low && found->number() <= high) return found->number();
    error(*found, "This must be a number from " + std::string(low < 0 ? "-" : "") + "0 on, and within reason.",
          "Correct the number.");
    return otherwise;
}

std::optional<std::int64_t> KerasFields::whole(JsonValue value, std::int64_t low, std::int64_t high) {
    const auto n = whole_number(value);
    if (n && *n >= low && *n <= high) return n;
    error(value,
          "This must be a whole number" + (low > JsonFields::lowest ? " from " + std::to_string(low) : std::string()) +
              " to " + std::to_string(high) + ".",
          "Correct the number.");
    return std::nullopt;
}

std::int64_t KerasFields::count(Names names, std::int64_t low) {
    const auto found = find(names);
    if (found) return whole(*found, low, limits::dimension).value_or(0);
    const std::string name(*names.begin());
    error("The layer does not say its " + quoted(name) + ".", "Write for example " + quoted(name) + ": 64.");
    return 0;
}

std::int64_t KerasFields::integer(Names names, std::int64_t otherwise, std::int64_t low, std::int64_t high) {
    auto found = find(names);
    if (found && found->is_array() && found->size() == 1) found = *found->begin();  // an axis, in tf.keras 2
    return found ? whole(*found, low, high).value_or(otherwise) : otherwise;
}

KerasFields::Sizes KerasFields::sizes(Names names, std::size_t n, std::int64_t low) {
    const auto found = find(names);
    if (!found) return {};
    if (!found->is_array()) return Sizes(n, whole(*found, low, largest_size).value_or(low));
    Sizes all;
    for (const JsonValue value : *found) {
        if (all.size() > n) break;
        all.push_back(whole(value, low, largest_size).value_or(low));
    }
    if (all.size() == 1) all.resize(n, all[0]);
    if (all.size() == n) return all;
    error(*found, "There must be one number for each axis, " + std::to_string(n) + " in all.", "Correct the list.");
    return Sizes(n, low);
}

KerasFields::Sizes KerasFields::list(Names names, std::int64_t low, std::int64_t high) {
    const auto found = find(names);
    if (!found) return {};
    Sizes all;
    if (!found->is_array()) {
        if (const auto n = whole(*found, low, high)) all.push_back(*n);
        return all;
    }
    for (const JsonValue value : *found) {
        if (all.size() > static_cast<std::size_t>(limits::rank)) {
            error(*found, "A tensor has up to " + std::to_string(limits::rank) + " dimensions.", "Shorten the list.");
            break;
        }
        if (const auto n = whole(value, low, high)) all.push_back(*n);
    }
    return all;
}

KerasNothing KerasFields::error(std::string what, std::string remedy) {
    return error(config_, std::move(what), std::move(remedy));
}

KerasNothing KerasFields::error(JsonValue at, std::string what, std::string remedy) {
    problems_.error(at.at(), path_, std::move(what), std::move(remedy));
    return {};
}

}  // namespace scalescope::formats
