// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

/// What of a window a lesson may name. The window has these and no others; a test of it compares.
namespace scalescope::lessons {

/// Charts, called as `render` calls their files.
std::span<const std::string_view> chart_names();
/// Panels and pages that a lesson shows, hides or points at.
std::span<const std::string_view> panel_names();
/// Pictures: resources/lessons/NAME.svg.
std::span<const std::string_view> picture_names();

}  // namespace scalescope::lessons
