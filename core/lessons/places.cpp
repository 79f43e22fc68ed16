// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lessons/places.hpp"

#include <array>

namespace scalescope::lessons {
namespace {

constexpr std::array<std::string_view, 11> charts{"layers",
                                                  "step-time",
                                                  "speedup",
                                                  "timeline",
                                                  "from-paleo",
                                                  "sensitivity",
                                                  "cpu-configurations",
                                                  "cpu-layers",
                                                  "cpu-updates",
                                                  "staleness-speed",
                                                  "staleness-efficiency"};
constexpr std::array<std::string_view, 8> panels{"network", "cluster", "model",       "workers",
                                                 "why",     "numbers", "layer-table", "canvas"};
constexpr std::array<std::string_view, 0> pictures{};

}  // namespace

std::span<const std::string_view> chart_names() { return charts; }
std::span<const std::string_view> panel_names() { return panels; }
std::span<const std::string_view> picture_names() { return pictures; }

}  // namespace scalescope::lessons
