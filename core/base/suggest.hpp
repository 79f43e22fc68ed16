// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scalescope {

/// Longer words are no typing errors, and comparing them takes time.
inline constexpr std::size_t longest_word = 64;

/// Letters to change, add, drop or swap with a neighbour to turn `a` into `b` (optimal string alignment), both at most
/// `longest_word` bytes. Capitals do not count.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate a person most likely meant by `word`, if one is close: few letters wrong, missing, added or swapped.
/// Capitals do not count. The first of equals wins.
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace scalescope
