// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/fitting.hpp"

#include <algorithm>

namespace scalescope::drawing {
namespace {

constexpr double told_apart = 0.15;  // a layer's box is 22 × 6 px
constexpr double words = 0.5;        // its name is 6 px high
constexpr double corner_side = 0.4, corner_share = 0.1;

}  // namespace

Fit fit_into(Size drawing, Size view) {
    const double across = view.width / std::max(1.0, drawing.width), down = view.height / std::max(1.0, drawing.height);
    const double all = std::min({1.0, across, down});
    if (all >= told_apart) return {all, true};
    return {words, false};
}

bool fits_corner(Size corner, Size view) {
    return corner.width <= corner_side * view.width && corner.height <= corner_side * view.height &&
           corner.width * corner.height <= corner_share * view.width * view.height;
}

}  // namespace scalescope::drawing
