// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/drawing/layered.hpp"

/// In which layer each node stands, and in which order: the first two steps of drawing in layers.
namespace scalescope::drawing {

/// A node, or a lane: the place where an edge passes a layer by. All edges of one node share their lanes.
struct Cell {
    int node = -1;
    int layer = 0;
    double left = 0, right = 0;     ///< how far it reaches from where lines arrive
    double out = 0;                 ///< where lines leave, from where they arrive
    double label = 0;               ///< as the node's
    std::vector<int> above, below;  ///< cells it is joined to in the neighbouring layers
    bool is_lane() const { return node < 0; }
};

struct Grid {
    std::vector<int> layer_of;             ///< by node
    std::vector<Cell> cells;               ///< the nodes first
    std::vector<std::vector<int>> lanes;   ///< by node: its lanes, from the layer below it on
    std::vector<std::vector<int>> layers;  ///< cells, left to right

    int layer(int node) const { return layer_of[static_cast<std::size_t>(node)]; }
    Cell& cell(int c) { return cells[static_cast<std::size_t>(c)]; }
    const Cell& cell(int c) const { return cells[static_cast<std::size_t>(c)]; }
    /// Layers that an edge passes by.
    std::size_t passed(const Edge& e) const { return static_cast<std::size_t>(layer(e.to) - layer(e.from) - 1); }
    int lane(int node, std::size_t i) const { return lanes[static_cast<std::size_t>(node)][i]; }
    /// The cell an edge comes from right above its end, and the one it leads to right below its beginning.
    int last_of(const Edge& e) const { return passed(e) == 0 ? e.from : lane(e.from, passed(e) - 1); }
    int first_of(const Edge& e) const { return passed(e) == 0 ? e.to : lane(e.from, 0); }
};

inline bool leads_down(const Edge& e) { return e.from < e.to; }

Grid make_grid(std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps);

// Where the cells of a grid stand across: the third step of drawing in layers.

struct Columns {
    std::vector<double> x;     ///< of each cell: where lines arrive
    std::vector<double> port;  ///< of each edge: where it arrives; 0 for one that leads up
};

/// Cells that follow each other without a choice stand in one column: chains, lanes, the middle one of three branches,
/// the longer one of two. A line that another way leads around (a skip) decides nothing. The columns' places are
/// then drawn to what they are joined to and kept apart. Nodes that gather become as wide as what they gather.
Columns find_columns(Grid& grid, std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps);

// Which cells of a grid stand straight below each other.

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
