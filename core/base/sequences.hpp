// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <ranges>
#include <string_view>

/// What the standard algorithms take two lines for.
namespace scalescope {

/// The first element of which `is` holds; nullptr if there is none.
template <class Range, class Is>
auto* find_where(Range&& all, Is is) {
    const auto it = std::ranges::find_if(all, is);
    return it == std::ranges::end(all) ? nullptr : &*it;
}

/// The first element whose `key` is `value`; nullptr if there is none.
template <class Range, class Value, class Key>
auto* find_by(Range&& all, const Value& value, Key key) {
    return find_where(all, [&](const auto& one) { return std::invoke(key, one) == value; });
}

/// Sorts, and keeps one of equal elements.
template <class List>
void sort_once(List& list) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// The word for a value of an enumeration: they are given in the order of its enumerators.
template <class Enum, class... Words>
constexpr std::string_view one_of(Enum value, Words... words) {
    const std::string_view all[] = {words...};
    return all[static_cast<std::size_t>(value)];
}

}  // namespace scalescope
