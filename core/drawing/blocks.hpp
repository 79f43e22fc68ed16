// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/network/sketch.hpp"

/// The hierarchy that the layers' names tell, "Mixed_5b/branch1x1", and what repeats in it.
namespace scalescope::drawing {

/// A layer, a block of layers, or a row of blocks that are alike.
struct Item {
    std::string path;           ///< names it in the whole network
    std::string title;          ///< what stands on its box: the path below its parent, "h0 … h95" for a row
    int parent = -1;            ///< -1: it stands in the network itself
    int repeat = 1;             ///< of a row: how many blocks
    bool named = true;          ///< false: a run of layers that no name holds together
    std::vector<int> children;  ///< empty: a layer
    std::vector<int> layers;    ///< positions, ascending; of a layer, itself
    bool is_layer() const { return children.empty(); }
};

struct Hierarchy {
    std::vector<Item> items;
    std::vector<int> top;  ///< those in the network itself, by their first layers

    /// Index of the item of that path, or -1.
    int find(const std::string& path) const;
};

/// A block with one layer, or with nothing but another block, is no block of its own. Three or more blocks side by side
/// with the same kinds, attributes, shapes and connections make a row, unless they are all there is in a block. Where
/// no name has a slash, points are taken for slashes. More items side by side than anybody can read are folded into
/// runs (folding.hpp).
Hierarchy make_hierarchy(const Sketch& sketch);

/// Whether two blocks have the same layers: the same kinds, attributes and shapes in the same order, with the same
/// connections among them.
bool alike(const Sketch& sketch, const Item& a, const Item& b);

}  // namespace scalescope::drawing
