// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/base/name_list.hpp"

namespace scalescope::formats {

/// A word of ours, such as a choice of an attribute, and those that another program has for it, separated by spaces.
struct WordRow {
    std::string_view ours, theirs;
};

inline std::optional<std::string_view> ours_for(std::string_view theirs, std::span<const WordRow> words) {
    for (const WordRow& row : words)
        if (is_among(theirs, row.theirs)) return row.ours;
    return std::nullopt;
}

/// The first of theirs; empty if there is none.
inline std::string_view theirs_for(std::string_view ours, std::span<const WordRow> words) {
    for (WordRow row : words)
        if (row.ours == ours) return next_name(row.theirs);
    return {};
}

}  // namespace scalescope::formats
