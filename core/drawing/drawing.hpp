// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "core/drawing/blocks.hpp"
#include "core/drawing/layered.hpp"

/// Where everything stands when a network is drawn, with some of its blocks unfolded.
namespace scalescope::drawing {

struct Metrics {
    Size layer{150, 40};  ///< a layer's box
    Size block{180, 44};  ///< a folded block's
    double header = 28;   ///< of an unfolded block, above what is in it
    double padding = 16;  ///< around what is in it
    double letter = 7.6;  ///< the widest letter of a shape, beside a line
    Gaps gaps;
};

struct Box {
    int item = 0;       ///< index into Hierarchy::items
    int parent = -1;    ///< index into Drawing::boxes
    bool open = false;  ///< an unfolded block: the boxes in it follow
    Point at;           ///< upper left corner
    Size size;
    double out = 0;  ///< where lines leave its lower edge, from the left one
};

/// One line, however many tensors go the same way.
struct Wire {
    static constexpr int border = -1;  ///< the header of the block it is in as `from`, its lower edge as `to`
    int from = border, to = border;    ///< boxes
    int parent = -1;                   ///< the unfolded block whose boxes it joins; -1: the network
    std::vector<int> tensors;          ///< positions of the layers that made them
    std::vector<Point> bends;          ///< upright between two of the same x, else to be rounded
    std::string label;                 ///< the shape of what flows; empty where another line from the box says it
    Point label_at;                    ///< its upper left corner; nothing else stands there
};

struct Drawing {
    std::vector<Box> boxes;  ///< an unfolded block comes before what is in it
    std::vector<Wire> wires;
    Size size;
};

/// `open`: paths of the blocks that are unfolded; one inside a folded one shows nothing.
Drawing draw(const Sketch& sketch, const Hierarchy& hierarchy, const std::set<std::string>& open,
             const Metrics& metrics);

/// What to unfold at first: nothing, unless the network is no more than `boxes` boxes with all its blocks open.
std::set<std::string> open_at_first(const Hierarchy& hierarchy, int boxes);

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
