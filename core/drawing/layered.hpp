// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

/// Drawing a directed graph in layers, top to bottom (Sugiyama, Tagawa and Toda, IEEE SMC 11(2), 1981). Lengths are in
/// whatever unit the nodes' sizes have.
namespace scalescope::drawing {

struct Point {
    double x = 0, y = 0;
    bool operator==(const Point&) const = default;
};
struct Size {
    double width = 0, height = 0;
    bool operator==(const Size&) const = default;
};

/// What is placed. Lines arrive at `in` on its upper edge and leave at `out` on its lower one, both from its left edge.
struct Node {
    Node(Size s) : size(s), in(s.width / 2), out(s.width / 2) {}  // NOLINT: a size alone has its ports in the middle
    Node(Size s, double in_at, double out_at) : size(s), in(in_at), out(out_at) {}
    Size size;
    double in, out;
    enum class Stands { freely, first, last } stands = Stands::freely;  ///< above or below all others
    bool gathers = false;  ///< lines arrive side by side, and it becomes wider where they then come straight
    double label = 0;      ///< width of the words beside the line that leaves it; 0: there are none
};

/// From the node `from` to the node `to`, by index. An edge to an earlier node is drawn, but moves nothing.
struct Edge {
    int from = 0, to = 0;
    bool operator==(const Edge&) const = default;
};

struct Gaps {
    double across = 24;        ///< between neighbours
    double down = 32;          ///< between layers, at least
    double lane = 12;          ///< kept free for an edge that passes a layer by
    double label_height = 14;  ///< of the words beside a line
    double widest = 2400;      ///< no node becomes wider
};

/// Words stand this far from their line, to its right, and this far below the box it leaves.
inline constexpr double label_gap = 7, label_drop = 6;

struct Placement {
    std::vector<Point> corners;             ///< of the nodes, upper left
    std::vector<Size> sizes;                ///< what they became
    std::vector<double> outs;               ///< where lines leave them, from the left edge
    std::vector<std::vector<Point>> bends;  ///< of each edge; upright between points of the same x
    Size size;                              ///< everything lies in 0 … width, 0 … height

    Point centre(std::size_t node) const {
        return {corners[node].x + sizes[node].width / 2, corners[node].y + sizes[node].height / 2};
    }
};

/// Nodes are numbered so that edges lead to later ones wherever that is possible. Layers follow from the longest way to
/// a node; the order in a layer from barycentres, the one with the fewest crossings of some sweeps. Chains and edges
/// that pass layers by are straight columns; lines bend only between layers, where no box and no label is.
/// Deterministic, and stable: what comes first stays left where nothing speaks against it.
Placement place_in_layers(std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps);

/// The x nearest to `wanted` (weighted least squares) with x[i + 1] − x[i] ≥ apart[i]; by pooling adjacent violators.
/// `apart` has one entry less than `wanted`.
void keep_apart(std::span<const double> wanted, std::span<const double> weights, std::span<const double> apart,
                std::vector<double>& x);

}  // namespace scalescope::drawing
