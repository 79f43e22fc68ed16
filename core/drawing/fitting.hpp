// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "core/drawing/layered.hpp"

namespace scalescope::drawing {

/// The scale at which a drawing is shown when all of it is asked for.
struct Fit {
    double zoom = 1;
    bool whole = true;  ///< everything is in sight
};

/// Everything, as long as boxes can be told apart. Of what is longer or wider than that, a part that can be read: all
/// of it would be a line in an empty field. Never larger than 1.
inline Fit fit_into(Size drawing, Size view) {
    constexpr double told_apart = 0.15;  // a layer's box is 22 × 6 px
    constexpr double words = 0.5;        // its name is 6 px high
    const double across = view.width / std::max(1.0, drawing.width), down = view.height / std::max(1.0, drawing.height);
    const double all = std::min({1.0, across, down});
    return all >= told_apart ? Fit{all, true} : Fit{words, false};
}

/// Whether something of that size may lie over a corner of the view: it leaves the drawing most of each side, and takes
/// no more than a tenth of the whole.
inline bool fits_corner(Size corner, Size view) {
    constexpr double side = 0.4, share = 0.1;
    return corner.width <= side * view.width && corner.height <= side * view.height &&
           corner.width * corner.height <= share * view.width * view.height;
}

}  // namespace scalescope::drawing
