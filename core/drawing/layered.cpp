// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/layered.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace scalescope::drawing {
namespace {

/// A node, or a lane: the place where an edge passes a layer by. All edges of one node share their lanes.
struct Cell {
    int node = -1;
    int layer = 0;
    double width = 0;
    std::vector<int> above, below;  ///< cells it is joined to in the neighbouring layers
};

class Layering {
public:
    Layering(std::span<const Size> nodes, std::span<const Edge> edges, const Gaps& gaps)
        : nodes_(nodes), edges_(edges), gaps_(gaps) {}

    Placement place() {
        find_layers();
        make_cells();
        find_order();
        find_places();
        return result();
    }

private:
    std::span<const Size> nodes_;
    std::span<const Edge> edges_;
    const Gaps& gaps_;
    std::vector<int> layer_of_;
    std::vector<Cell> cells_;              ///< the nodes first
    std::vector<std::vector<int>> lanes_;  ///< by node: its lanes, from the layer below it on
    std::vector<std::vector<int>> layers_;
    std::vector<double> x_;

    bool forward(const Edge& e) const { return e.from < e.to; }

    void find_layers() {
        const std::size_t n = nodes_.size();
        layer_of_.assign(n, 0);
        std::vector<std::vector<int>> before(n), after(n);
        for (const Edge& e : edges_)
            if (forward(e)) {
                before[static_cast<std::size_t>(e.to)].push_back(e.from);
                after[static_cast<std::size_t>(e.from)].push_back(e.to);
            }
        for (std::size_t i = 0; i < n; ++i)
            for (int b : before[i]) layer_of_[i] = std::max(layer_of_[i], layer_of_[static_cast<std::size_t>(b)] + 1);
        // What nothing leads to stands right above its first reader.
        for (std::size_t i = 0; i < n; ++i) {
            if (!before[i].empty() || after[i].empty()) continue;
            int first = layer_of_[static_cast<std::size_t>(after[i].front())];
            for (int a : after[i]) first = std::min(first, layer_of_[static_cast<std::size_t>(a)]);
            layer_of_[i] = first - 1;
        }
    }

    int layer(int node) const { return layer_of_[static_cast<std::size_t>(node)]; }
    Cell& cell(int c) { return cells_[static_cast<std::size_t>(c)]; }
    void join(int above, int below) {
        cell(above).below.push_back(below);
        cell(below).above.push_back(above);
    }

    void make_cells() {
        const std::size_t n = nodes_.size();
        int last = 0;
        for (std::size_t i = 0; i < n; ++i) {
            cells_.push_back({static_cast<int>(i), layer_of_[i], nodes_[i].width, {}, {}});
            last = std::max(last, layer_of_[i]);
        }
        lanes_.resize(n);
        for (const Edge& e : edges_) {
            if (!forward(e)) continue;
            auto& lanes = lanes_[static_cast<std::size_t>(e.from)];
            int above = lanes.empty() ? e.from : lanes.back();
            for (int l = layer(e.from) + 1 + static_cast<int>(lanes.size()); l < layer(e.to); ++l) {
                const int lane = static_cast<int>(cells_.size());
                cells_.push_back({-1, l, gaps_.lane, {}, {}});
                join(above, lane);
                lanes.push_back(lane);
                above = lane;
            }
        }
        for (const Edge& e : edges_) {
            if (!forward(e)) continue;
            const auto passed = static_cast<std::size_t>(layer(e.to) - layer(e.from) - 1);
            join(passed == 0 ? e.from : lanes_[static_cast<std::size_t>(e.from)][passed - 1], e.to);
        }
        layers_.resize(static_cast<std::size_t>(last) + 1);
        for (std::size_t c = 0; c < cells_.size(); ++c)
            layers_[static_cast<std::size_t>(cells_[c].layer)].push_back(static_cast<int>(c));
    }

    /// Crossings between two neighbouring layers: inversions of the lower ends, counted in a Fenwick tree.
    long long crossings(const std::vector<int>& upper, const std::vector<int>& place) const {
        std::vector<int> ends;
        int most = 0;
        for (int c : upper) {
            const auto first = static_cast<std::ptrdiff_t>(ends.size());
            for (int b : cells_[static_cast<std::size_t>(c)].below) ends.push_back(place[static_cast<std::size_t>(b)]);
            std::sort(ends.begin() + first, ends.end());
        }
        for (int e : ends) most = std::max(most, e);
        std::vector<int> tree(static_cast<std::size_t>(most) + 2, 0);
        long long count = 0, seen = 0;
        for (int e : ends) {
            long long not_right = 0;
            for (int i = e + 1; i > 0; i -= i & -i) not_right += tree[static_cast<std::size_t>(i)];
            count += seen++ - not_right;
            for (int i = e + 1; i < static_cast<int>(tree.size()); i += i & -i) ++tree[static_cast<std::size_t>(i)];
        }
        return count;
    }

    void number(const std::vector<int>& layer, std::vector<int>& place) const {
        for (std::size_t i = 0; i < layer.size(); ++i) place[static_cast<std::size_t>(layer[i])] = static_cast<int>(i);
    }

    void find_order() {
        std::vector<int> place(cells_.size(), 0);
        for (const auto& l : layers_) number(l, place);
        const auto all_crossings = [&] {
            long long sum = 0;
            for (std::size_t l = 0; l + 1 < layers_.size(); ++l) sum += crossings(layers_[l], place);
            return sum;
        };
        const auto sort_layer = [&](std::vector<int>& layer, bool down) {
            std::vector<std::pair<double, int>> keys;
            for (int c : layer) {
                const auto& around = down ? cell(c).above : cell(c).below;
                double sum = 0;
                for (int a : around) sum += place[static_cast<std::size_t>(a)];
                keys.emplace_back(
                    around.empty() ? place[static_cast<std::size_t>(c)] : sum / static_cast<double>(around.size()), c);
            }
            std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
            for (std::size_t i = 0; i < keys.size(); ++i) layer[i] = keys[i].second;
            number(layer, place);
        };
        auto best = layers_;
        long long fewest = all_crossings();
        constexpr int sweeps = 8;
        for (int s = 0; s < sweeps && fewest > 0; ++s) {
            if (s % 2 == 0)
                for (std::size_t l = 1; l < layers_.size(); ++l) sort_layer(layers_[l], true);
            else
                for (std::size_t l = layers_.size() - 1; l-- > 0;) sort_layer(layers_[l], false);
            const long long now = all_crossings();
            if (now >= fewest) continue;
            fewest = now;
            best = layers_;
        }
        layers_ = std::move(best);
    }

    void find_places() {
        x_.assign(cells_.size(), 0.0);
        for (const auto& l : layers_) {  // side by side, the middle at 0
            double width = 0;
            for (int c : l) width += cell(c).width + gaps_.across;
            double at = -(width - gaps_.across) / 2;
            for (int c : l) {
                x_[static_cast<std::size_t>(c)] = at + cell(c).width / 2;
                at += cell(c).width + gaps_.across;
            }
        }
        constexpr int passes = 12;
        for (int p = 0; p < passes; ++p) {
            const bool last = p + 2 >= passes;  // at the end both sides count
            if (p % 2 == 0)
                for (std::size_t l = 1; l < layers_.size(); ++l) place_layer(layers_[l], true, last);
            else
                for (std::size_t l = layers_.size() - 1; l-- > 0;) place_layer(layers_[l], last, true);
        }
    }

    void place_layer(const std::vector<int>& layer, bool from_above, bool from_below) {
        std::vector<double> wanted, weights, apart, x;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            const Cell& c = cell(layer[i]);
            double sum = 0, weight = 0;
            const auto pull = [&](const std::vector<int>& around) {
                for (int a : around) {
                    // Straight lanes look better than centred boxes.
                    const double w = c.node < 0 && cell(a).node < 0 ? 4 : 1;
                    sum += w * x_[static_cast<std::size_t>(a)];
                    weight += w;
                }
            };
            if (from_above) pull(c.above);
            if (from_below) pull(c.below);
            wanted.push_back(weight > 0 ? sum / weight : x_[static_cast<std::size_t>(layer[i])]);
            weights.push_back(weight > 0 ? weight : 0.1);
            if (i > 0) apart.push_back((cell(layer[i - 1]).width + c.width) / 2 + gaps_.across);
        }
        keep_apart(wanted, weights, apart, x);
        for (std::size_t i = 0; i < layer.size(); ++i) x_[static_cast<std::size_t>(layer[i])] = x[i];
    }

    Placement result() {
        Placement p;
        std::vector<double> middle(layers_.size());
        double y = 0, left = 0, right = 0;
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            double height = 0;
            for (int c : layers_[l]) {
                const double half = cell(c).width / 2, at = x_[static_cast<std::size_t>(c)];
                left = std::min(left, at - half);
                right = std::max(right, at + half);
                if (cell(c).node >= 0) height = std::max(height, nodes_[static_cast<std::size_t>(cell(c).node)].height);
            }
            middle[l] = y + height / 2;
            y += height + gaps_.down;
        }
        p.size = {right - left, y - gaps_.down};
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            p.centres.push_back({x_[i] - left, middle[static_cast<std::size_t>(layer_of_[i])]});
        for (const Edge& e : edges_) {
            const auto from = static_cast<std::size_t>(e.from), to = static_cast<std::size_t>(e.to);
            std::vector<Point> bends{{p.centres[from].x, p.centres[from].y + nodes_[from].height / 2}};
            for (int l = layer(e.from) + 1; forward(e) && l < layer(e.to); ++l) {
                const auto lane =
                    static_cast<std::size_t>(lanes_[from][static_cast<std::size_t>(l - layer(e.from) - 1)]);
                bends.push_back({x_[lane] - left, middle[static_cast<std::size_t>(l)]});
            }
            bends.push_back({p.centres[to].x, p.centres[to].y - nodes_[to].height / 2});
            p.bends.push_back(std::move(bends));
        }
        return p;
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

Placement place_in_layers(std::span<const Size> nodes, std::span<const Edge> edges, const Gaps& gaps) {
    if (nodes.empty()) return {};
    return Layering(nodes, edges, gaps).place();
}

}  // namespace scalescope::drawing
