// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace scalescope {

/// "a, b, c", or "a, b and 3 more": of a list of texts at most `most`, each as `show` gives it.
template <class Names, class Show = std::identity>
std::string listed(const Names& names, std::size_t most = std::string::npos, Show show = {}) {
    std::string all;
    std::size_t shown = 0;
    for (const auto& name : names) {
        if (shown == most) return all + " and " + std::to_string(names.size() - most) + " more";
        if (shown++ > 0) all += ", ";
        all += std::string_view(show(name));
    }
    return all;
}

/// The texts with `between` between them, each as `show` gives it. Empty ones at the front leave nothing.
template <class Names, class Show = std::identity>
std::string joined(const Names& names, std::string_view between, Show show = {}) {
    std::string all;
    for (const auto& name : names) {
        if (!all.empty()) all += between;
        all += std::string_view(std::invoke(show, name));
    }
    return all;
}

}  // namespace scalescope
