// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/drawing/drawing.hpp"

/// Where a border between two parts of the work runs through a drawing, and where a hand may put it. A border divides
/// the layers by their order: those from some position on are behind it.
namespace scalescope::drawing {

struct LineStyle {
    double above = 9;    ///< how far over the boxes that are behind it; nearer where there is less room
    double beyond = 24;  ///< it begins and ends so far outside of the drawing
    double beside = 6;   ///< kept free beside boxes where it steps up or down
};

/// From left to right, in horizontal stretches that steps join: boxes in front lie above it, boxes behind it below. It
/// runs through a folded block with layers on both sides, as far down as there are layers in front. Where a box in
/// front stands below one behind (branches side by side), no such line exists, and it keeps above the latter.
/// `behind`, by position: whether the layer is behind. `counts`: whether it does anything, so that a block whose only
/// layer on the other side does nothing is not divided. Empty if nothing is drawn.
std::vector<Point> border_line(const Drawing& drawing, const Hierarchy& hierarchy, std::span<const char> behind,
                               std::span<const char> counts, const LineStyle& style = {});

/// A place in the drawing where a border can be let go: above a box, or below all of them.
struct Notch {
    int position = 0;  ///< of the first layer behind it; the number of layers: none
    double left = 0, right = 0, y = 0;
};

/// Of all boxes that are not unfolded, those before which `allowed` (positions, ascending) lets the border stand.
std::vector<Notch> notches(const Drawing& drawing, const Hierarchy& hierarchy, std::span<const int> allowed, int layers,
                           const LineStyle& style = {});

/// The one nearest to a hand: how far up or down counts most, and beside each other the nearer one. Null if there is
/// none.
const Notch* nearest(std::span<const Notch> notches, Point hand);

/// Places for labels of that height that would like to stand at `wanted` (ascending), moved as little as keeps them off
/// each other.
std::vector<double> spread(std::span<const double> wanted, double height);

}  // namespace scalescope::drawing
