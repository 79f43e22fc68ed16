// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scalescope::drawing {
namespace {

constexpr double beside_skip = 14;  // of a gathering node's edge, from a skip that it reaches out for
constexpr double reach = 72;        // so far it does
constexpr double port_gap = 8, port_inset = 10, after_label = 5;

class Placer {
public:
    Placer(Grid& grid, std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps)
        : g_(grid), nodes_(nodes), edges_(edges), gaps_(gaps), s_(find_strands(grid, edges)) {
        in_.resize(nodes.size());
        for (std::size_t k = 0; k < edges.size(); ++k)
            if (leads_down(edges[k])) in_[at(edges[k].to)].push_back(static_cast<int>(k));
    }

    Columns place() {
        find_neighbours();
        start();
        settle(40);
        for (int round = 0; round < 2; ++round) {  // what becomes wider may push, but not what made it wide
            widen();
            settle(20);
        }
        const auto allowed = extents();
        widen();
        for (std::size_t c = 0; c < nodes_.size(); ++c) {  // never beyond what was kept free
            g_.cells[c].left = std::min(g_.cells[c].left, allowed[c].first);
            g_.cells[c].right = std::min(g_.cells[c].right, allowed[c].second);
        }
        Columns result;
        result.x.resize(g_.cells.size());
        for (std::size_t c = 0; c < g_.cells.size(); ++c) result.x[c] = x(static_cast<int>(c));
        align_borders(result);
        find_ports(result);
        return result;
    }

private:
    Grid& g_;
    std::span<const Node> nodes_;
    std::span<const Edge> edges_;
    const Gaps& gaps_;
    const Strands s_;
    std::vector<std::vector<int>> in_;  ///< by node: all edges that lead to it
    std::vector<double> at_;            ///< by strand
    struct Neighbours {
        int left, right;  ///< cells
    };
    std::vector<Neighbours> by_left_, by_right_;  ///< so that what a strand depends on comes before it

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    int strand(int c) const { return s_.of[at(c)]; }
    double x(int c) const { return at_[at(strand(c))] + s_.offset[at(c)]; }
    double out(int c) const { return x(c) + g_.cell(c).out; }
    const Edge& edge(int k) const { return edges_[at(k)]; }

    /// How far apart two neighbours in a layer stand, from where lines arrive at one to where they do at the other.
    double apart(const Neighbours& n) const {
        const Cell &a = g_.cell(n.left), &b = g_.cell(n.right);
        const double gap = a.is_lane() || b.is_lane() ? gaps_.across / 2 : gaps_.across;
        const double words = a.label > 0 ? a.out + label_gap + a.label + after_label : 0;
        return std::max(a.right + gap, words) + b.left;
    }

    /// The same between their strands.
    double distance(const Neighbours& n) const { return apart(n) + s_.offset[at(n.left)] - s_.offset[at(n.right)]; }

    /// Strands do not cross, so that "left of" orders them.
    void find_neighbours() {
        std::vector<Neighbours> all;
        for (const auto& layer : g_.layers)
            for (std::size_t i = 1; i < layer.size(); ++i) all.push_back({layer[i - 1], layer[i]});
        std::vector<int> waits(at(s_.count), 0), rank(at(s_.count), 0), ready;
        std::vector<std::vector<int>> to(at(s_.count));
        for (const Neighbours& n : all) {
            to[at(strand(n.left))].push_back(strand(n.right));
            ++waits[at(strand(n.right))];
        }
        for (int s = 0; s < s_.count; ++s)
            if (waits[at(s)] == 0) ready.push_back(s);
        for (std::size_t i = 0; i < ready.size(); ++i) {
            rank[at(ready[i])] = static_cast<int>(i);
            for (int t : to[at(ready[i])])
                if (--waits[at(t)] == 0) ready.push_back(t);
        }
        by_left_ = by_right_ = std::move(all);
        std::ranges::stable_sort(by_left_, [&](const Neighbours& a, const Neighbours& b) {
            return rank[at(strand(a.left))] < rank[at(strand(b.left))];
        });
        std::ranges::stable_sort(by_right_, [&](const Neighbours& a, const Neighbours& b) {
            return rank[at(strand(a.right))] > rank[at(strand(b.right))];
        });
    }

    /// The mean of the places pushed to the right as far as needed and of those pushed to the left. Each of the two
    /// keeps the strands apart, and so does their mean.
    void keep_strands_apart() {
        std::vector<double> left = at_;
        for (const Neighbours& n : by_left_)
            at_[at(strand(n.right))] = std::max(at_[at(strand(n.right))], at_[at(strand(n.left))] + distance(n));
        for (const Neighbours& n : by_right_)
            left[at(strand(n.left))] = std::min(left[at(strand(n.left))], left[at(strand(n.right))] - distance(n));
        for (std::size_t s = 0; s < at_.size(); ++s) at_[s] = (at_[s] + left[s]) / 2;
    }

    /// A block is left where it is entered: else a row of blocks would be a flight of stairs. Nothing stands beside its
    /// borders, and the line that is not alone bends.
    void align_borders(Columns& columns) const {
        int first = -1, last = -1;
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const int c = static_cast<int>(n);
            if (nodes_[n].stands == Node::Stands::first && !g_.cells[n].below.empty()) first = c;
            if (nodes_[n].stands == Node::Stands::last && !g_.cells[n].above.empty()) last = c;
        }
        if (first < 0 || last < 0) return;
        if (g_.cell(first).below.size() > 1)
            columns.x[at(first)] = columns.x[at(last)];
        else
            columns.x[at(last)] = columns.x[at(first)];
    }

    void settle(int steps) {
        constexpr double near = 0.02;
        while (steps-- > 0 && step() >= near) {
        }
        for (int i = 0; i < steps_alone; ++i) {
            move_alone(true);
            move_alone(false);
        }
    }
    static constexpr int steps_alone = 6;

    /// Every strand by itself goes to the left, or to the right, as far as it likes and its neighbours let it.
    void move_alone(bool left) {
        const std::vector<double> wanted = wishes();
        const double none = std::numeric_limits<double>::infinity() * (left ? -1 : 1);
        std::vector<double> limit(at_.size(), none);
        std::vector<char> done(at_.size(), 0);
        const auto go = [&](std::size_t s) {
            if (std::exchange(done[s], 1)) return;
            at_[s] = left ? std::max(std::min(at_[s], wanted[s]), limit[s])
                          : std::min(std::max(at_[s], wanted[s]), limit[s]);
        };
        for (const Neighbours& n : left ? by_left_ : by_right_) {
            const std::size_t l = at(strand(n.left)), r = at(strand(n.right));
            go(left ? l : r);
            if (left)
                limit[r] = std::max(limit[r], at_[l] + distance(n));
            else
                limit[l] = std::min(limit[l], at_[r] - distance(n));
        }
        for (std::size_t s = 0; s < at_.size(); ++s) go(s);
    }

    /// Side by side, the middle of each layer at 0.
    void start() {
        std::vector<double> sum(at(s_.count), 0), count(at(s_.count), 0);
        for (const auto& layer : g_.layers) {
            std::vector<double> places{0};
            for (std::size_t i = 1; i < layer.size(); ++i)
                places.push_back(places.back() + apart({layer[i - 1], layer[i]}));
            for (std::size_t i = 0; i < layer.size(); ++i) {
                sum[at(strand(layer[i]))] += places[i] - places.back() / 2 - s_.offset[at(layer[i])];
                ++count[at(strand(layer[i]))];
            }
        }
        for (std::size_t s = 0; s < sum.size(); ++s) sum[s] /= count[s];
        at_ = std::move(sum);
        keep_strands_apart();
    }

    /// Where every strand would like to be: the mean of what it is joined to.
    std::vector<double> wishes() const {
        std::vector<double> sum(at_.size(), 0), weight(at_.size(), 0);
        const auto pull = [&](int c, double to, double w) {
            sum[at(strand(c))] += w * (to - s_.offset[at(c)]);
            weight[at(strand(c))] += w;
        };
        constexpr double weakly = 0.05;
        for (std::size_t i = 0; i < g_.cells.size(); ++i) {
            const int b = static_cast<int>(i);
            for (int a : g_.cells[i].above) {
                if (strand(a) == strand(b)) continue;
                const bool from_many = !g_.cell(a).is_lane() && s_.out[at(a)].size() > 1;
                const bool to_many = !g_.cell(b).is_lane() && s_.in[at(b)].size() > 1;
                pull(b, out(a), to_many ? weakly : 1);
                // Who gathers reaches out; nobody has to come.
                pull(a, x(b) - g_.cell(a).out, from_many || to_many ? weakly : 0.5);
            }
        }
        const auto between = [&](const std::vector<int>& all, const auto& place) {
            double least = std::numeric_limits<double>::infinity(), most = -least;
            for (int k : all) least = std::min(least, place(k)), most = std::max(most, place(k));
            return (least + most) / 2;
        };
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const int c = static_cast<int>(n);
            if (const auto& in = s_.in[n]; in.size() > 1 && !joined(
                                                                in, [&](int k) { return g_.last_of(edge(k)); }, c))
                pull(c, between(in, [&](int k) { return out(g_.last_of(edge(k))); }), 1);
            if (const auto& o = s_.out[n]; o.size() > 1 && !joined(
                                                               o, [&](int k) { return g_.first_of(edge(k)); }, c))
                pull(c, between(o, [&](int k) { return x(g_.first_of(edge(k))); }) - g_.cell(c).out, 1);
        }
        for (std::size_t s = 0; s < at_.size(); ++s) sum[s] = weight[s] > 0 ? sum[s] / weight[s] : at_[s];
        return sum;
    }

    /// Draws all strands to where they would like to be; the largest way that one moved.
    double step() {
        const std::vector<double> before = at_, wanted = wishes();
        constexpr double eagerness = 0.6;
        for (std::size_t s = 0; s < at_.size(); ++s) at_[s] += eagerness * (wanted[s] - at_[s]);
        keep_strands_apart();
        double drift = 0, most = 0;  // that all move together means nothing
        for (std::size_t s = 0; s < at_.size(); ++s) drift += (at_[s] - before[s]) / static_cast<double>(at_.size());
        for (std::size_t s = 0; s < at_.size(); ++s) {
            at_[s] -= drift;
            most = std::max(most, std::abs(at_[s] - before[s]));
        }
        return most;
    }

    template <class Other>
    bool joined(const std::vector<int>& edges, const Other& other, int c) const {
        return std::ranges::any_of(edges, [&](int k) { return strand(other(k)) == strand(c); });
    }

    std::vector<std::pair<double, double>> extents() const {
        std::vector<std::pair<double, double>> all;
        for (std::size_t n = 0; n < nodes_.size(); ++n) all.emplace_back(g_.cells[n].left, g_.cells[n].right);
        return all;
    }

    /// Nodes that gather reach over all inputs that lead to nothing else, and over skips that pass close by; but not
    /// where a neighbour is, or wants to be.
    void widen() {
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const Node& node = nodes_[n];
            if (!node.gathers || in_[n].size() < 2) continue;
            const double here = x(static_cast<int>(n));
            double left = here - node.in, right = left + node.size.width;
            const auto include = [&](double from, double to) {
                from = std::min(from, left), to = std::max(to, right);
                if (to - from <= std::max(gaps_.widest, node.size.width)) left = from, right = to;
            };
            for (int k : in_[n]) {
                const int above = g_.last_of(edge(k));
                const double p = out(above);
                const bool mine = g_.cell(above).below.size() == 1;
                if (!s_.skips[at(k)] && mine && s_.in[n].size() > 1)
                    include(p - node.in, p - node.in + node.size.width);
                else if (p < left && left - p <= reach)
                    include(p - beside_skip, right);
                else if (p > right && p - right <= reach)
                    include(left, p + beside_skip);
            }
            g_.cells[n].left = here - left;
            g_.cells[n].right = right - here;
        }
        for (const auto& layer : g_.layers)
            for (std::size_t i = 1; i < layer.size(); ++i) {
                Cell &a = g_.cell(layer[i - 1]), &b = g_.cell(layer[i]);
                const double too_near = x(layer[i - 1]) + apart({layer[i - 1], layer[i]}) - x(layer[i]);
                if (a.is_lane() || b.is_lane() || too_near <= 0) continue;
                const double room_a = a.right - usual_right(a), room_b = b.left - nodes_[at(b.node)].in;
                const double share = room_a + room_b > 0 ? room_a / (room_a + room_b) : 0;
                a.right -= std::min(room_a, share * too_near);
                b.left -= std::min(room_b, (1 - share) * too_near);
            }
    }
    double usual_right(const Cell& c) const { return nodes_[at(c.node)].size.width - nodes_[at(c.node)].in; }

    void find_ports(Columns& columns) const {
        columns.port.assign(edges_.size(), 0);
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const double here = columns.x[n];
            for (int k : in_[n]) columns.port[at(k)] = here;
            const std::size_t count = in_[n].size();
            if (!nodes_[n].gathers || count < 2) continue;
            double left = here - g_.cells[n].left + port_inset, right = here + g_.cells[n].right - port_inset;
            if (right < left) left = right = (left + right) / 2;
            auto order = in_[n];
            std::ranges::sort(order, [&](int a, int b) {
                return std::pair(out(g_.last_of(edge(a))), a) < std::pair(out(g_.last_of(edge(b))), b);
            });
            std::vector<double> wanted, places;
            for (int k : order) wanted.push_back(std::clamp(out(g_.last_of(edge(k))), left, right));
            const double gap = std::min(port_gap, (right - left) / static_cast<double>(count - 1));
            keep_apart(wanted, std::vector<double>(count, 1), std::vector<double>(count - 1, gap), places);
            const double beyond = std::max(0.0, places.back() - right), before = std::max(0.0, left - places.front());
            for (std::size_t i = 0; i < count; ++i)
                columns.port[at(order[i])] = std::clamp(places[i] - beyond + before, left, right);
        }
    }
};

}  // namespace

Columns find_columns(Grid& grid, std::span<const Node> nodes, std::span<const Edge> edges, const Gaps& gaps) {
    return Placer(grid, nodes, edges, gaps).place();
}

}  // namespace scalescope::drawing
