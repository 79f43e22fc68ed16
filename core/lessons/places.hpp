// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

/// What of a window a lesson may name. The window has these and no others; a test of it compares.
namespace scalescope::lessons {

/// Charts, called as `render` calls their files.
inline constexpr std::array<std::string_view, 16> chart_names{"layers",           "step-time",
                                                              "step-time-by-way", "memory",
                                                              "speedup",          "timeline",
                                                              "from-paleo",       "sensitivity",
                                                              "compare",          "cpu-configurations",
                                                              "cpu-layers",       "cpu-updates",
                                                              "staleness-speed",  "staleness-efficiency",
                                                              "device-map",       "roofline"};
/// Panels and pages that a lesson shows, hides or points at. "parallelism" is the mesh and what stands beside it;
/// "verdict" appears where the design does not fit into memory.
inline constexpr std::array<std::string_view, 10> panel_names{
    "network", "cluster", "model", "workers", "parallelism", "why", "numbers", "layer-table", "canvas", "verdict"};
/// Pictures: resources/lessons/NAME.svg.
inline constexpr std::array<std::string_view, 6> picture_names{"butterfly", "column-row", "one-for-all",
                                                               "pipeline",  "ring",       "tree"};

}  // namespace scalescope::lessons
