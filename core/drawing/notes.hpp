// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/drawing/layered.hpp"
#include "core/network/sketch.hpp"

/// Notes beside the drawing that say what does not fit: what heads them, and where they stand.
namespace scalescope::drawing {

/// What a fault is about, in a few words: "Shapes differ", "Not connected".
std::string heading(const Sketch& sketch, const Fault& fault);
/// It is about tensors that do not fit, and not about what is missing, named twice or in a cycle.
bool about_shapes(const Sketch& sketch, const Fault& fault);

/// Positions, ascending, of the layers that made the shapes which do not fit: behind each input in question, the
/// nearest one that does not just pass on the sizes it reads, along the axes that do not fit. Empty for a fault that is
/// not about shapes.
std::vector<int> makers_of(const Sketch& sketch, const Fault& fault);

struct Area {
    Point at;  ///< upper left corner
    Size size;
};

struct Note {
    Point anchor;                 ///< what it is about
    Size size;                    ///< its own
    std::optional<Point> beside;  ///< where it stood a moment ago, from the anchor: it stays there if it can
    bool may_cover = true;        ///< boxes, where there is no room beside them; else it finds no place
};

/// Upper left corners of the notes: inside of `sheet`; none over another one, over `taken` or over what one of them is
/// about, and none over `boxes` if there is room; then as near as possible to the anchor, at its right rather than at
/// its left. A line from each to its anchor crosses no box, nothing taken and no other line, as far as that can be. A
/// note that stands well stays where it is beside its anchor; of the others, the first come first. Nothing for a note
/// that finds no place. All lengths in the unit of the screen.
std::vector<std::optional<Point>> place_notes(std::span<const Note> notes, const Area& sheet,
                                              std::span<const Area> boxes, std::span<const Area> taken);

/// The point of `area` that is nearest to `to`: there the line to the anchor begins.
Point nearest_point(const Area& area, Point to);

}  // namespace scalescope::drawing
