// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <string_view>

/// Several names in one text, separated by spaces: what tables have for things that go by many names.
namespace scalescope {

/// Takes the first name away from `names`.
constexpr std::string_view next_name(std::string_view& names) {
    const std::size_t end = std::min(names.find(' '), names.size());
    const std::string_view name = names.substr(0, end);
    names.remove_prefix(std::min(end + 1, names.size()));
    return name;
}

/// Whether `is` holds for one of the names.
template <class Is>
constexpr bool any_name(std::string_view names, Is is) {
    while (!names.empty())
        if (is(next_name(names))) return true;
    return false;
}

constexpr bool is_among(std::string_view name, std::string_view names) {
    return any_name(names, [&](std::string_view one) { return one == name; });
}

/// Whether one of the names is a part of `text`.
constexpr bool has_part(std::string_view text, std::string_view names) {
    return any_name(names, [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

}  // namespace scalescope
