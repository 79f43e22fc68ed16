// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/build.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace scalescope::formats::paleo_build {

using namespace paleo;

namespace {

/// Forks inside forks deeper than this are left to the plain topological order.
constexpr int deepest_walk = 200;

struct Graph {
    std::vector<std::vector<int>> children;  ///< in file order, each once
    std::vector<int> incoming;               ///< distinct parents
    int data = -1;

    explicit Graph(const std::vector<Unfolded>& layers) : children(layers.size()), incoming(layers.size(), 0) {
        std::vector<int> seen(layers.size(), -1);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const int layer = static_cast<int>(i);
            if (layers[i].name == "data") data = layer;
            for (const int parent : layers[i].parents) {
                const auto p = static_cast<std::size_t>(parent);
                if (seen[p] == layer) continue;
                seen[p] = layer;
                children[p].push_back(layer);
                ++incoming[i];
            }
        }
    }
};

std::vector<int> topological(const Graph& graph) {
    auto pending = graph.incoming;
    std::vector<int> order;
    order.reserve(pending.size());
    for (std::size_t i = 0; i < pending.size(); ++i)
        if (pending[i] == 0) order.push_back(static_cast<int>(i));
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const int child : graph.children[static_cast<std::size_t>(order[next])])
            if (--pending[static_cast<std::size_t>(child)] == 0) order.push_back(child);
    return order;
}

/// PALEO's walk: follows one path until it forks, walks each branch until a layer with several parents (a joint), and
/// goes on from the joints all of whose parents were walked.
class Walker {
public:
    explicit Walker(const Graph& graph)
        : graph_(graph), pending_(graph.incoming), reached_mark_(pending_.size(), 0), seen_(pending_.size()) {
        for (const int count : pending_) joint_.push_back(count > 1);
    }

    /// Nothing if the walk nests too deep; what it reaches otherwise.
    std::optional<std::vector<Step>> run() {
        auto history = walk({graph_.data}, 0).history;
        if (too_deep_) return std::nullopt;
        return history;
    }
    /// A joint that is reached from inside a branch and from beside it is walked twice.
    bool is_complete() const { return walked_ == pending_.size() && !walked_twice_; }

private:
    struct Walk {
        std::vector<Step> history;
        std::vector<int> joints;
    };

    bool is_joint(int layer) const { return joint_[static_cast<std::size_t>(layer)]; }

    Walk walk(std::vector<int> frontier, int depth) {
        Walk result;
        if (depth > deepest_walk) too_deep_ = true;
        while (!frontier.empty() && !too_deep_) {
            if (std::ranges::all_of(frontier, [this](int l) { return is_joint(l); })) {
                result.joints = std::move(frontier);
                break;
            }
            if (frontier.size() == 1) {
                const int layer = frontier.front();
                ++walked_;
                if (seen_[static_cast<std::size_t>(layer)]) walked_twice_ = true;
                seen_[static_cast<std::size_t>(layer)] = true;
                result.history.push_back({layer, {}});
                frontier = graph_.children[static_cast<std::size_t>(layer)];
                for (const int child : frontier) --pending_[static_cast<std::size_t>(child)];
            } else {
                frontier = walk_group(frontier, result.history, depth);
            }
        }
        return result;
    }

    std::vector<int> walk_group(const std::vector<int>& frontier, std::vector<Step>& history, int depth) {
        Step group;
        std::vector<int> reached;
        for (const int layer : frontier) {
            auto branch = walk({layer}, depth + 1);
            if (!branch.history.empty()) group.branches.push_back(std::move(branch.history));
            reached.insert(reached.end(), branch.joints.begin(), branch.joints.end());
        }
        if (!group.branches.empty()) history.push_back(std::move(group));
        std::vector<int> next;
        ++mark_;
        for (const int layer : reached) {
            const auto l = static_cast<std::size_t>(layer);
            if (pending_[l] != 0 || reached_mark_[l] == mark_) continue;
            reached_mark_[l] = mark_;
            joint_[l] = false;
            next.push_back(layer);
        }
        return next;
    }

    const Graph& graph_;
    std::vector<int> pending_;
    std::vector<bool> joint_;
    std::vector<int> reached_mark_;
    int mark_ = 0;
    std::vector<bool> seen_;
    std::size_t walked_ = 0;
    bool walked_twice_ = false;
    bool too_deep_ = false;
};

void flatten(const std::vector<Step>& walk, std::vector<int>& order) {
    for (const auto& step : walk) {
        if (step.layer >= 0) order.push_back(step.layer);
        for (const auto& branch : step.branches) flatten(branch, order);
    }
}

void report_cycle(const std::vector<Unfolded>& layers, const std::vector<int>& ordered, const Reporter& report) {
    std::vector<bool> done(layers.size(), false);
    for (const int layer : ordered) done[static_cast<std::size_t>(layer)] = true;
    // Every layer left has a parent that is left too: going up must come back to a layer met before.
    auto layer = static_cast<std::size_t>(std::ranges::find(done, false) - done.begin());
    std::vector<int> step_of(layers.size(), -1);
    std::vector<std::size_t> path;
    while (step_of[layer] < 0) {
        step_of[layer] = static_cast<int>(path.size());
        path.push_back(layer);
        const auto& parents = layers[layer].parents;
        layer = static_cast<std::size_t>(
            *std::ranges::find_if(parents, [&](int p) { return !done[static_cast<std::size_t>(p)]; }));
    }
    path.erase(path.begin(), path.begin() + step_of[layer]);
    std::ranges::reverse(path);
    std::rotate(path.begin(), std::ranges::min_element(path), path.end());
    std::string loop;
    for (std::size_t i = 0; i < path.size() && i < 8; ++i) loop += quoted(layers[path[i]].name) + " → ";
    if (path.size() > 8) loop += "... → ";
    const auto& first = layers[path.front()];
    report.error(first.name, first.definition->parents_at,
                 path.size() == 1 ? "The layer is its own parent."
                                  : "The layers form a circle: " + loop + quoted(first.name) + ".",
                 "Remove one of these connections.");
}

void report_dropped(const std::vector<Unfolded>& layers, const Graph& graph, const Reporter& report) {
    std::vector<bool> reached(layers.size(), false);
    std::vector<int> stack{graph.data};
    reached[static_cast<std::size_t>(graph.data)] = true;
    while (!stack.empty()) {
        const auto layer = static_cast<std::size_t>(stack.back());
        stack.pop_back();
        for (const int child : graph.children[layer]) {
            if (reached[static_cast<std::size_t>(child)]) continue;
            reached[static_cast<std::size_t>(child)] = true;
            stack.push_back(child);
        }
    }
    bool all = true;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (reached[i]) continue;
        all = false;
        report.warning(layers[i].name, layers[i].definition->at,
                       "The layer is not reached from \"data\"; PALEO would drop it.",
                       "Connect it to \"data\"; it is counted here.");
    }
    if (all)
        report.warning({}, {1, 1}, "PALEO's own walk would drop some layers of this network without a word.",
                       "Nothing needs to be done: all of them are counted here.");
}

}  // namespace

Order order(const std::vector<Unfolded>& layers, const Reporter& report) {
    const Graph graph(layers);
    Order result;
    result.order = topological(graph);
    if (result.order.size() != layers.size()) {
        report_cycle(layers, result.order, report);
        return result;
    }
    Walker walker(graph);
    auto walk = walker.run();
    if (walk && walker.is_complete()) {
        result.walk = std::move(*walk);
        result.order.clear();
        flatten(result.walk, result.order);
    } else if (walk) {
        report_dropped(layers, graph, report);
    }
    return result;
}

}  // namespace scalescope::formats::paleo_build
