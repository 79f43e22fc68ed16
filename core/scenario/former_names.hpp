// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/fields.hpp"

/// Names of fields and words of choices that former versions had. Files, links, lessons, searches and command lines
/// that use them still mean the same; nothing writes them any more.
namespace scalescope {

/// Fields that find_field() finds beside those of the table. Setting one changes the fields that took its place, and
/// its text follows from them.
std::span<const Field> former_fields();
/// The field that took the place of a former one; any other path as it is.
std::string_view path_now(std::string_view path);

/// The words of a choice, and behind them its former ones.
std::span<const std::string_view> words_with_former(const Field& field);
/// Ranges that speak of former fields and words, of the fields and words of today.
std::vector<CalibratedRange> ranges_now(const std::vector<CalibratedRange>& ranges);
/// The word of a choice that took the place of a former one; any other word as it is.
std::string_view word_now(const Field& field, std::string_view word, const Scenario& scenario);

}  // namespace scalescope
