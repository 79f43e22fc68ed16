// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/drawing/grid.hpp"

/// Which cells of a grid stand straight below each other.
namespace scalescope::drawing {

/// A strand is a straight line through cells of layers that follow each other; every cell is in one.
struct Strands {
    int count = 0;
    std::vector<int> of;         ///< by cell
    std::vector<double> offset;  ///< by cell: where lines arrive, from where they arrive at the strand's first cell
    /// By edge: another way leads from its beginning to its end.
    std::vector<char> skips;
    /// By node: its edges in and out that skip nothing.
    std::vector<std::vector<int>> in, out;
};

Strands find_strands(const Grid& grid, std::span<const Edge> edges);

}  // namespace scalescope::drawing
