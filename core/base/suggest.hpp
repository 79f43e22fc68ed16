// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scalescope {

/// The candidate a person most likely meant by `word`, if one is close: few letters wrong, missing, added or swapped.
/// Capitals do not count. The first of equals wins.
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace scalescope
