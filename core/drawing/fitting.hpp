// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/layered.hpp"

namespace scalescope::drawing {

/// The scale at which a drawing is shown when all of it is asked for.
struct Fit {
    double zoom = 1;
    bool whole = true;  ///< everything is in sight
};

/// Everything, as long as boxes can be told apart. Of what is longer or wider than that, a part that can be read: all
/// of it would be a line in an empty field. Never larger than 1.
Fit fit_into(Size drawing, Size view);

/// Whether something of that size may lie over a corner of the view: it leaves the drawing most of each side, and takes
/// no more than a tenth of the whole.
bool fits_corner(Size corner, Size view);

}  // namespace scalescope::drawing
