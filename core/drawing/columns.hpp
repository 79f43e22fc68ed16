// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/drawing/grid.hpp"

/// Where the cells of a grid stand across: the third step of drawing in layers.
namespace scalescope::drawing {

struct Columns {
    std::vector<double> x;     ///< of each cell: where lines arrive
    std::vector<double> port;  ///< of each edge: where it arrives; 0 for one that leads up
};

/// Cells that follow each other without a choice stand in one column: chains, lanes, the middle one of three branches,
/// the longer one of two. A line that another way leads around (a skip) decides nothing. The columns' places are
/// then drawn to what they are joined to and kept apart. Nodes that gather become as wide as what they gather.
Columns find_columns(Grid& grid, std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps);

}  // namespace scalescope::drawing
