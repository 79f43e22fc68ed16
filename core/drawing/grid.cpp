// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/grid.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/base/sequences.hpp"

namespace scalescope::drawing {
namespace {

class GridMaker {
public:
    GridMaker(std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps)
        : nodes_(nodes), edges_(edges), gaps_(gaps) {}

    Grid make() {
        find_layers();
        make_cells();
        find_order();
        return std::move(g_);
    }

private:
    std::span<const Node> nodes_;
    std::span<const Edge> edges_;
    const Gaps& gaps_;
    Grid g_;

    void find_layers() {
        const std::size_t n = nodes_.size();
        g_.layer_of.assign(n, 0);
        std::vector<std::vector<int>> before(n), after(n);
        for (const Edge& e : edges_)
            if (leads_down(e)) {
                before[static_cast<std::size_t>(e.to)].push_back(e.from);
                after[static_cast<std::size_t>(e.from)].push_back(e.to);
            }
        for (std::size_t i = 0; i < n; ++i)
            for (int b : before[i])
                g_.layer_of[i] = std::max(g_.layer_of[i], g_.layer_of[static_cast<std::size_t>(b)] + 1);
        // What nothing leads to stands right above its first reader.
        for (std::size_t i = 0; i < n; ++i) {
            if (!before[i].empty() || after[i].empty()) continue;
            int first = g_.layer_of[static_cast<std::size_t>(after[i].front())];
            for (int a : after[i]) first = std::min(first, g_.layer_of[static_cast<std::size_t>(a)]);
            g_.layer_of[i] = first - 1;
        }
        const auto [least, most] = std::ranges::minmax_element(g_.layer_of);
        const int above = *least - 1, below = *most + 1;
        for (std::size_t i = 0; i < n; ++i) {
            if (nodes_[i].stands == Node::Stands::first && !after[i].empty()) g_.layer_of[i] = above;
            if (nodes_[i].stands == Node::Stands::last && !before[i].empty()) g_.layer_of[i] = below;
        }
        close_ranks();
    }

    /// Layers in which nothing stands are left out.
    void close_ranks() {
        auto used = g_.layer_of;
        sort_once(used);
        for (int& l : g_.layer_of) l = static_cast<int>(std::ranges::lower_bound(used, l) - used.begin());
    }

    void join(int above, int below) {
        g_.cell(above).below.push_back(below);
        g_.cell(below).above.push_back(above);
    }

    void make_cells() {
        const std::size_t n = nodes_.size();
        int last = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const Node& n0 = nodes_[i];
            g_.cells.push_back(
                {static_cast<int>(i), g_.layer_of[i], n0.in, n0.size.width - n0.in, n0.out - n0.in, n0.label, {}, {}});
            last = std::max(last, g_.layer_of[i]);
        }
        g_.lanes.resize(n);
        for (const Edge& e : edges_) {
            if (!leads_down(e)) continue;
            auto& lanes = g_.lanes[static_cast<std::size_t>(e.from)];
            int above = lanes.empty() ? e.from : lanes.back();
            for (int l = g_.layer(e.from) + 1 + static_cast<int>(lanes.size()); l < g_.layer(e.to); ++l) {
                const int lane = static_cast<int>(g_.cells.size());
                g_.cells.push_back({-1, l, gaps_.lane / 2, gaps_.lane / 2, 0, 0, {}, {}});
                join(above, lane);
                lanes.push_back(lane);
                above = lane;
            }
        }
        for (const Edge& e : edges_) {
            if (!leads_down(e)) continue;
            const auto passed = static_cast<std::size_t>(g_.layer(e.to) - g_.layer(e.from) - 1);
            join(passed == 0 ? e.from : g_.lanes[static_cast<std::size_t>(e.from)][passed - 1], e.to);
        }
        g_.layers.resize(static_cast<std::size_t>(last) + 1);
        for (std::size_t c = 0; c < g_.cells.size(); ++c)
            g_.layers[static_cast<std::size_t>(g_.cells[c].layer)].push_back(static_cast<int>(c));
    }

    /// Crossings between two neighbouring layers: inversions of the lower ends, counted in a Fenwick tree.
    long long crossings(const std::vector<int>& upper, const std::vector<int>& place) const {
        std::vector<int> ends;
        int most = 0;
        for (int c : upper) {
            const auto first = static_cast<std::ptrdiff_t>(ends.size());
            for (int b : g_.cells[static_cast<std::size_t>(c)].below)
                ends.push_back(place[static_cast<std::size_t>(b)]);
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
        std::vector<int> place(g_.cells.size(), 0);
        for (const auto& l : g_.layers) number(l, place);
        const auto all_crossings = [&] {
            long long sum = 0;
            for (std::size_t l = 0; l + 1 < g_.layers.size(); ++l) sum += crossings(g_.layers[l], place);
            return sum;
        };
        const auto sort_layer = [&](std::vector<int>& layer, bool down) {
            std::vector<std::pair<double, int>> keys;
            for (int c : layer) {
                const auto& around = down ? g_.cell(c).above : g_.cell(c).below;
                double sum = 0;
                for (int a : around) sum += place[static_cast<std::size_t>(a)];
                keys.emplace_back(
                    around.empty() ? place[static_cast<std::size_t>(c)] : sum / static_cast<double>(around.size()), c);
            }
            std::ranges::stable_sort(keys, {}, &decltype(keys)::value_type::first);
            for (std::size_t i = 0; i < keys.size(); ++i) layer[i] = keys[i].second;
            number(layer, place);
        };
        auto best = g_.layers;
        long long fewest = all_crossings();
        constexpr int sweeps = 8;
        for (int s = 0; s < sweeps && fewest > 0; ++s) {
            if (s % 2 == 0)
                for (std::size_t l = 1; l < g_.layers.size(); ++l) sort_layer(g_.layers[l], true);
            else
                for (std::size_t l = g_.layers.size() - 1; l-- > 0;) sort_layer(g_.layers[l], false);
            const long long now = all_crossings();
            if (now >= fewest) continue;
            fewest = now;
            best = g_.layers;
        }
        g_.layers = std::move(best);
    }
};

std::size_t index(int i) { return static_cast<std::size_t>(i); }

class StrandMaker {
public:
    StrandMaker(const Grid& grid, std::span<const Edge> edges) : g_(grid), edges_(edges) {}

    Strands make() {
        find_skips();
        find_favourites();
        join();
        return std::move(s_);
    }

private:
    const Grid& g_;
    std::span<const Edge> edges_;
    Strands s_;
    std::vector<int> place_;          ///< by cell, in its layer
    std::vector<int> below_, above_;  ///< by cell: the one it would like to stand straight above, or below; or -1

    std::size_t nodes() const { return g_.layer_of.size(); }

    /// Whether a way around a long edge exists; where looking for it takes long, it is taken for granted.
    void find_skips() {
        constexpr int patience = 400;
        s_.skips.assign(edges_.size(), 0);
        s_.in.resize(nodes());
        s_.out.resize(nodes());
        std::vector<std::vector<int>> before(nodes());
        for (const Edge& e : edges_)
            if (leads_down(e)) before[index(e.to)].push_back(e.from);
        std::vector<int> seen(nodes(), -1), waiting;
        for (std::size_t k = 0; k < edges_.size(); ++k) {
            const Edge& e = edges_[k];
            if (!leads_down(e)) continue;
            if (g_.passed(e) > 0) {
                int looked = 0;
                waiting.assign({e.to});
                while (!waiting.empty() && !s_.skips[k]) {
                    const int at = waiting.back();
                    waiting.pop_back();
                    for (int b : before[index(at)]) {
                        if (b == e.from && at != e.to) s_.skips[k] = 1;
                        if (g_.layer(b) <= g_.layer(e.from) || seen[index(b)] == static_cast<int>(k)) continue;
                        seen[index(b)] = static_cast<int>(k);
                        waiting.push_back(b);
                        if (++looked > patience) s_.skips[k] = 1;
                    }
                }
            }
            if (s_.skips[k]) continue;
            s_.in[index(e.to)].push_back(static_cast<int>(k));
            s_.out[index(e.from)].push_back(static_cast<int>(k));
        }
    }

    /// Of several edges, the one that decides where the node stands; -1 if it stands between them. `rank` tells how
    /// long the way there is, `place` its place across.
    template <class Rank, class Place>
    static int favourite(std::vector<int> among, const Rank& rank, const Place& place) {
        if (among.size() == 1) return among.front();
        if (among.size() == 2) {
            const int a = rank(among[0]), b = rank(among[1]);
            return a == b ? -1 : a > b ? among[0] : among[1];
        }
        if (among.size() % 2 == 0) return -1;
        std::ranges::sort(among, [&](int a, int b) { return std::tuple(place(a), a) < std::tuple(place(b), b); });
        return among[among.size() / 2];
    }

    void find_favourites() {
        place_.assign(g_.cells.size(), 0);
        for (const auto& layer : g_.layers)
            for (std::size_t i = 0; i < layer.size(); ++i) place_[index(layer[i])] = static_cast<int>(i);
        std::vector<int> to_end(nodes(), 0);  // the longest way down
        std::vector<std::vector<int>> after(nodes());
        for (const Edge& e : edges_)
            if (leads_down(e)) after[index(e.from)].push_back(e.to);
        for (std::size_t n = nodes(); n-- > 0;)
            for (int a : after[n]) to_end[n] = std::max(to_end[n], to_end[index(a)] + 1);

        below_.assign(g_.cells.size(), -1);
        above_.assign(g_.cells.size(), -1);
        std::vector<int> chosen(nodes(), -1);  // edge from above
        for (std::size_t n = 0; n < nodes(); ++n) {
            const auto edge = [&](int k) { return edges_[index(k)]; };
            const int up = favourite(
                s_.in[n], [&](int k) { return g_.layer(edge(k).from); },
                [&](int k) { return place_[index(g_.last_of(edge(k)))]; });
            const int down = favourite(
                s_.out[n], [&](int k) { return to_end[index(edge(k).to)]; },
                [&](int k) { return place_[index(g_.first_of(edge(k)))]; });
            chosen[n] = up;
            if (up >= 0) above_[n] = g_.last_of(edge(up));
            if (down >= 0) below_[n] = g_.first_of(edge(down));
        }
        for (std::size_t c = nodes(); c < g_.cells.size(); ++c) {
            above_[c] = g_.cells[c].above.front();
            for (int b : g_.cells[c].below)  // on, or else to a node that wants to stand here
                if (g_.cell(b).is_lane() || (below_[c] < 0 && above_[index(b)] == static_cast<int>(c))) below_[c] = b;
        }
    }

    /// Pairs that like each other become neighbours in a strand, lanes first, unless they would cross.
    void join() {
        std::vector<int> joined(g_.cells.size(), -1);  // to the cell above
        for (const auto& layer : g_.layers) {
            std::map<int, int> taken;  // places above and below
            for (const bool lanes : {true, false})
                for (int c : layer) {
                    const int b = below_[index(c)];
                    if (b < 0 || above_[index(b)] != c) continue;
                    if (lanes != (g_.cell(c).is_lane() && g_.cell(b).is_lane())) continue;
                    const int from = place_[index(c)], to = place_[index(b)];
                    const auto right = taken.lower_bound(from);
                    if (right != taken.end() && right->second <= to) continue;
                    if (right != taken.begin() && std::prev(right)->second >= to) continue;
                    taken.emplace(from, to);
                    joined[index(b)] = c;
                }
        }
        s_.of.assign(g_.cells.size(), -1);
        s_.offset.assign(g_.cells.size(), 0);
        for (const auto& layer : g_.layers)
            for (int c : layer) {
                const int a = joined[index(c)];
                s_.of[index(c)] = a < 0 ? s_.count++ : s_.of[index(a)];
                if (a >= 0) s_.offset[index(c)] = s_.offset[index(a)] + g_.cell(a).out;
            }
    }
};

}  // namespace

Grid make_grid(std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps) {
    return GridMaker(nodes, edges, gaps).make();
}

Strands find_strands(const Grid& grid, std::span<const Edge> edges) { return StrandMaker(grid, edges).make(); }

}  // namespace scalescope::drawing
