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

/// From the node `from` to the node `to`, by index. An edge to an earlier node is drawn, but moves nothing.
struct Edge {
    int from = 0, to = 0;
    bool operator==(const Edge&) const = default;
};

struct Gaps {
    double across = 24;  ///< between neighbours
    double down = 32;    ///< between layers
    double lane = 12;    ///< kept free for an edge that passes a layer by
};

struct Placement {
    std::vector<Point> centres;             ///< of the nodes
    std::vector<std::vector<Point>> bends;  ///< of each edge: its two ends, and where it passes layers by
    Size size;                              ///< everything lies in 0 … width, 0 … height
};

/// Nodes are numbered so that edges lead to later ones wherever that is possible. Layers follow from the longest way to
/// a node; the order in a layer from barycentres, the one with the fewest crossings of some sweeps; places across are
/// the nearest to the neighbours' middle that keep the order and the gaps. Deterministic, and stable: what comes first
/// stays left where nothing speaks against it.
Placement place_in_layers(std::span<const Size> nodes, std::span<const Edge> edges, const Gaps& gaps);

/// The x nearest to `wanted` (weighted least squares) with x[i + 1] − x[i] ≥ apart[i]; by pooling adjacent violators.
/// `apart` has one entry less than `wanted`.
void keep_apart(std::span<const double> wanted, std::span<const double> weights, std::span<const double> apart,
                std::vector<double>& x);

}  // namespace scalescope::drawing
