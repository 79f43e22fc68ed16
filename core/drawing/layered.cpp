// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/layered.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/drawing/grid.hpp"

namespace scalescope::drawing {
namespace {

constexpr double arrow = 8;             // the upright end of a line
constexpr double stub = 4;              // and its beginning, where no words are
constexpr double same = 0.5;            // lines that are off by less are straight
constexpr double flat = 16, deep = 44;  // a bend's height, least and most

/// Draws what has its layer, order and place across.
class Router {
public:
    Router(const Grid& grid, const Columns& columns, std::span<const Node> nodes, std::span<const Edge> edges,
           const Gaps& gaps)
        : g_(grid), columns_(columns), nodes_(nodes), edges_(edges), gaps_(gaps) {}

    Placement route() {
        find_heights();
        Placement p;
        double left = std::numeric_limits<double>::infinity(), right = -left;
        for (std::size_t c = 0; c < g_.cells.size(); ++c) {
            const Cell& cell = g_.cells[c];
            left = std::min(left, columns_.x[c] - cell.left);
            right = std::max(right, columns_.x[c] + std::max(cell.right, words_end(cell)));
        }
        left_ = left;
        p.size = {right - left, bottom_.back()};
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const Cell& cell = g_.cells[n];
            const auto l = static_cast<std::size_t>(cell.layer);
            const double height = nodes_[n].size.height;
            p.corners.push_back({columns_.x[n] - cell.left - left, (top_[l] + bottom_[l] - height) / 2});
            p.sizes.push_back({cell.left + cell.right, height});
            p.outs.push_back(cell.left + cell.out);
        }
        for (std::size_t k = 0; k < edges_.size(); ++k) p.bends.push_back(bends(k, p));
        return p;
    }

private:
    const Grid& g_;
    const Columns& columns_;
    std::span<const Node> nodes_;
    std::span<const Edge> edges_;
    const Gaps& gaps_;
    double left_ = 0;
    std::vector<double> top_, bottom_, stub_;  ///< of each layer; how far lines below it go on upright

    double out(int c) const { return columns_.x[static_cast<std::size_t>(c)] + g_.cell(c).out; }
    static double words_end(const Cell& c) { return c.label > 0 ? c.out + label_gap + c.label : 0; }
    double below_words() const { return label_drop + gaps_.label_height; }

    void find_heights() {
        const std::size_t layers = g_.layers.size();
        std::vector<double> height(layers, 0), aside(layers, 0);
        stub_.assign(layers, stub);
        for (std::size_t l = 0; l < layers; ++l)
            for (int c : g_.layers[l]) {
                const Cell& cell = g_.cell(c);
                if (!cell.is_lane()) height[l] = std::max(height[l], nodes_[static_cast<std::size_t>(c)].size.height);
                if (cell.label > 0) stub_[l] = below_words();
                for (int b : cell.below)
                    if (g_.cell(b).is_lane())
                        aside[l] = std::max(aside[l], std::abs(out(c) - columns_.x[static_cast<std::size_t>(b)]));
            }
        for (std::size_t k = 0; k < edges_.size(); ++k) {
            if (!leads_down(edges_[k])) continue;
            const auto l = static_cast<std::size_t>(g_.layer(edges_[k].to) - 1);
            aside[l] = std::max(aside[l], std::abs(out(g_.last_of(edges_[k])) - columns_.port[k]));
        }
        double y = 0;
        for (std::size_t l = 0; l < layers; ++l) {
            top_.push_back(y);
            bottom_.push_back(y + height[l]);
            const double bend = aside[l] < same ? 0 : std::clamp(flat - 2 + aside[l] / 9, flat, deep);
            // The borders of a block have no height, and less room.
            const bool border = height[l] == 0 || (l + 1 < layers && height[l + 1] == 0);
            y = bottom_.back() + std::max(border ? gaps_.down / 2 : gaps_.down, stub_[l] + bend + arrow);
        }
    }

    std::vector<Point> bends(std::size_t k, const Placement& p) const {
        const Edge& e = edges_[k];
        const auto from = static_cast<std::size_t>(e.from), to = static_cast<std::size_t>(e.to);
        const Point begin{p.corners[from].x + p.outs[from], p.corners[from].y + p.sizes[from].height};
        if (!leads_down(e)) return {begin, {columns_.x[to] - left_, p.corners[to].y}};
        std::vector<Point> points{begin};
        const auto add = [&](double x, double y) {
            const std::size_t n = points.size();
            if (std::abs(points.back().x - x) < same) x = points.back().x;
            if (n > 1 && points[n - 1].x == x && points[n - 2].x == x)
                points.back().y = y;
            else if (!(points.back() == Point{x, y}))
                points.push_back({x, y});
        };
        double x = begin.x;
        for (int l = g_.layer(e.from); l < g_.layer(e.to); ++l) {  // through the gap below that layer
            const auto i = static_cast<std::size_t>(l);
            const bool end = l + 1 == g_.layer(e.to);
            const double next = end ? columns_.port[k] - left_
                                    : columns_.x[static_cast<std::size_t>(
                                          g_.lane(e.from, static_cast<std::size_t>(l - g_.layer(e.from))))] -
                                          left_;
            add(x, bottom_[i] + stub_[i]);
            add(next, top_[i + 1] - arrow);
            x = points.back().x;
        }
        add(x, p.corners[to].y);
        return points;
    }
};

}  // namespace

void keep_apart(std::span<const double> wanted, std::span<const double> weights, std::span<const double> apart,
                std::vector<double>& x) {
    // With y[i] = x[i] − the least distance from x[0], the condition is that y never falls.
    struct Pool {
        double sum, weight;
        std::size_t count;
        double mean() const { return sum / weight; }
    };
    std::vector<Pool> pools;
    double offset = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i > 0) offset += apart[i - 1];
        pools.push_back({weights[i] * (wanted[i] - offset), weights[i], 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            Pool& before = pools[pools.size() - 2];
            before = {before.sum + pools.back().sum, before.weight + pools.back().weight,
                      before.count + pools.back().count};
            pools.pop_back();
        }
    }
    x.clear();
    offset = 0;
    for (const Pool& p : pools)
        for (std::size_t k = 0; k < p.count; ++k) {
            if (!x.empty()) offset += apart[x.size() - 1];
            x.push_back(p.mean() + offset);
        }
}

Placement place_in_layers(std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps) {
    if (nodes.empty()) return {};
    Grid grid = make_grid(nodes, edges, gaps);
    const Columns columns = find_columns(grid, nodes, edges, gaps);
    return Router(grid, columns, nodes, edges, gaps).route();
}

}  // namespace scalescope::drawing
