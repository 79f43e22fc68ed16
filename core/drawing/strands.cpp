// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/strands.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace scalescope::drawing {
namespace {

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
        std::sort(among.begin(), among.end(),
                  [&](int a, int b) { return std::tuple(place(a), a) < std::tuple(place(b), b); });
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

Strands find_strands(const Grid& grid, std::span<const Edge> edges) { return StrandMaker(grid, edges).make(); }

}  // namespace scalescope::drawing
