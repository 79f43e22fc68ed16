// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/splits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::yan {

namespace {

/// What both methods need: choices of every layer, and what a layer costs with some splits.
class SplitProblem {
public:
    SplitProblem(const PreparedNetwork& prepared, const Configuration& configuration,
                 std::span<const std::int64_t> choices)
        : prepared_(prepared), configuration_(configuration), choices_(prepared.list.layers.size()) {
        configuration_.splits.clear();
        configuration_.placement = SegmentPlacement::aligned;
        scratch_.make_room(size(), configuration_.partitions);
        for (std::size_t l = 0; l < size(); ++l) {
            if (!is_leader(l)) continue;
            const std::int64_t most = most_segments(layer(l), configuration_.partitions, prepared_.options);
            for (const std::int64_t c : choices) choices_[l].push_back(std::clamp<std::int64_t>(c, 1, most));
            if (choices.empty()) choices_[l].push_back(1);
            sort_once(choices_[l]);
        }
    }

    std::size_t size() const { return prepared_.list.layers.size(); }
    const LayerWork& layer(std::size_t l) const { return prepared_.list.layers[l]; }
    bool is_leader(std::size_t l) const { return layer(l).leader == static_cast<int>(l); }
    const std::vector<std::int64_t>& choices(std::size_t l) const { return choices_[l]; }

    /// Leaders whose splits layer `l`'s cost depends on, ascending.
    std::vector<int> depends_on(std::size_t l) const {
        std::vector<int> on{layer(l).leader};
        for (const Need& need : prepared_.list.of(layer(l)))
            if (need.from != Need::outside) on.push_back(layer(static_cast<std::size_t>(need.from)).leader);
        sort_once(on);
        return on;
    }

    /// Sets the split of layer `l` and of all it reads from their leaders'.
    void follow(std::size_t l) {
        auto& splits = scratch_.splits;
        for (const Need& need : prepared_.list.of(layer(l)))
            if (need.from != Need::outside) {
                const auto from = static_cast<std::size_t>(need.from);
                splits[from] = splits[static_cast<std::size_t>(layer(from).leader)];
            }
        splits[l] = splits[static_cast<std::size_t>(layer(l).leader)];
    }

    Seconds time(std::size_t l) {
        ++evaluations_;
        const Layout layout{scratch_.splits, configuration_.partitions, nullptr};
        return layer_times(prepared_, configuration_, l, layout, scratch_).time.total();
    }
    Bytes memory(std::size_t l, std::int64_t split) const {
        return segment_memory(prepared_, layer(l), split, configuration_.threads).total();
    }
    /// Of all machines, whatever the splits.
    Bytes fixed_memory() {
        configuration_.splits.assign(size(), 1);
        const Score one = score(prepared_, configuration_, scratch_);
        Bytes layers;
        for (std::size_t l = 0; l < size(); ++l) layers += memory(l, 1);
        configuration_.splits.clear();
        return one.memory - layers;
    }

    /// Figures of a whole set of splits, as score() has them.
    BestSplits judged(std::vector<std::int64_t> splits) {
        BestSplits b;
        configuration_.splits = std::move(splits);
        const Score s = score(prepared_, configuration_, scratch_);
        b.splits.assign(scratch_.splits.begin(), scratch_.splits.end());
        b.sample = s.sample;
        b.memory = s.memory;
        b.fits = s.memory <= prepared_.machine.memory;
        return b;
    }

    std::vector<std::int64_t>& splits() { return scratch_.splits; }
    Bytes room() const { return prepared_.machine.memory; }
    std::int64_t evaluations() const { return evaluations_; }

private:
    const PreparedNetwork& prepared_;
    Configuration configuration_;
    std::vector<std::vector<std::int64_t>> choices_;  ///< of leaders, ascending
    Scratchpad scratch_;
    std::int64_t evaluations_ = 0;
};

/// The dynamic programme. A state is the choices of all leaders that later layers depend on; of each, the labels that
/// no other beats in time and memory are kept (in time alone where memory is not asked about).
class SplitProgramme {
public:
    SplitProgramme(SplitProblem& problem, bool with_memory, const Watch& watch)
        : problem_(problem), with_memory_(with_memory), watch_(watch), last_use_(problem.size()) {
        for (std::size_t l = 0; l < problem.size(); ++l)
            for (const int on : problem.depends_on(l)) last_use_[static_cast<std::size_t>(on)] = l;
        if (!with_memory) return;
        room_ = problem.room() - problem.fixed_memory();
        least_after_.assign(problem.size() + 1, Bytes{});
        for (std::size_t l = problem.size(); l-- > 0;) {
            const auto& choices = problem.choices(static_cast<std::size_t>(problem.layer(l).leader));
            Bytes least = problem.memory(l, choices.front());
            for (const std::int64_t c : choices) least = std::min(least, problem.memory(l, c));
            least_after_[l] = least_after_[l + 1] + least;
        }
    }

    /// Nothing if there are too many states, no splits that fit, or somebody ended it.
    std::optional<std::vector<std::int64_t>> run() {
        states_[std::string()] = {Label{}};
        for (std::size_t l = 0; l < problem_.size(); ++l) {
            if (watch_.cancel.cancelled()) return std::nullopt;
            if (problem_.is_leader(l) && !branch(l)) return std::nullopt;
            if (!charge(l) || !close(l)) return std::nullopt;
            if (states_.empty()) {
                nothing_fits_ = true;
                return std::nullopt;
            }
        }
        const std::vector<Label>& labels = states_.begin()->second;
        return splits_of(*std::ranges::min_element(labels, {}, &Label::time));
    }
    bool nothing_fits() const { return nothing_fits_; }

private:
    struct Label {
        Seconds time;
        Bytes memory;
        int node = -1;
    };
    struct Node {
        int before, layer;
        std::uint8_t choice;
    };
    using States = std::map<std::string, std::vector<Label>>;  ///< by the open leaders' choices, one byte each

    /// A new leader: every state with every choice.
    bool branch(std::size_t l) {
        const std::size_t choices = problem_.choices(l).size();
        std::size_t labels = 0;
        for (const auto& [key, list] : states_) labels += list.size();
        if (choices > 255 || labels * choices > limits::split_states ||
            nodes_.size() + labels * choices > 20 * limits::split_states)
            return false;
        States next;
        for (const auto& [key, list] : states_)
            for (std::size_t c = 0; c < choices; ++c) {
                auto& to = next[key + static_cast<char>(c)];
                for (Label label : list) {
                    nodes_.push_back({label.node, static_cast<int>(l), static_cast<std::uint8_t>(c)});
                    label.node = static_cast<int>(nodes_.size()) - 1;
                    to.push_back(label);
                }
            }
        states_ = std::move(next);
        open_.push_back(l);
        return true;
    }

    /// Adds what layer `l` costs in each state, unless somebody ends it.
    bool charge(std::size_t l) {
        std::size_t done = 0;
        for (auto& [key, list] : states_) {
            if (++done % 256 == 0 && watch_.cancel.cancelled()) return false;
            for (std::size_t i = 0; i < open_.size(); ++i)
                problem_.splits()[open_[i]] = problem_.choices(open_[i])[static_cast<std::uint8_t>(key[i])];
            problem_.follow(l);
            const Seconds time = problem_.time(l);
            const Bytes memory = problem_.memory(l, problem_.splits()[l]);
            for (Label& label : list) {
                label.time += time;
                label.memory += memory;
            }
        }
        return true;
    }

    /// Forgets leaders that nobody depends on any more, and labels that others beat.
    bool close(std::size_t l) {
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < open_.size(); ++i)
            if (last_use_[open_[i]] > l) kept.push_back(i);
        States next;
        for (auto& [key, list] : states_) {
            std::string rest;
            for (const std::size_t i : kept) rest += key[i];
            auto& to = next[rest];
            to.insert(to.end(), list.begin(), list.end());
        }
        std::vector<std::size_t> open;
        for (const std::size_t i : kept) open.push_back(open_[i]);
        open_ = std::move(open);
        std::size_t labels = 0;
        for (auto it = next.begin(); it != next.end();) {
            keep_best(it->second, l);
            labels += it->second.size();
            it = it->second.empty() ? next.erase(it) : std::next(it);
        }
        states_ = std::move(next);
        return labels <= limits::split_states;
    }

    void keep_best(std::vector<Label>& labels, std::size_t l) const {
        if (!with_memory_) {
            const auto best = std::ranges::min_element(labels, {}, &Label::time);
            labels = {Label(*best)};
            return;
        }
        std::erase_if(labels, [&](const Label& x) { return x.memory + least_after_[l + 1] > room_; });
        std::ranges::stable_sort(labels, [](const Label& a, const Label& b) {
            return a.time != b.time ? a.time < b.time : a.memory < b.memory;
        });
        std::vector<Label> front;
        for (const Label& x : labels)
            if (front.empty() || x.memory < front.back().memory) front.push_back(x);
        labels = std::move(front);
    }

    std::vector<std::int64_t> splits_of(const Label& label) const {
        std::vector<std::int64_t> splits(problem_.size(), 1);
        for (int n = label.node; n >= 0; n = nodes_[static_cast<std::size_t>(n)].before) {
            const Node& node = nodes_[static_cast<std::size_t>(n)];
            const auto l = static_cast<std::size_t>(node.layer);
            splits[l] = problem_.choices(l)[node.choice];
        }
        return splits;
    }

    SplitProblem& problem_;
    bool with_memory_;
    const Watch& watch_;
    std::vector<std::size_t> last_use_, open_;
    std::vector<Bytes> least_after_;
    Bytes room_;
    std::vector<Node> nodes_;
    States states_;
    bool nothing_fits_ = false;
};

/// Better splits of single layers until there are none, from the best that all layers share.
BestSplits one_by_one(SplitProblem& problem, std::span<const std::int64_t> all_choices, const Watch& watch) {
    const auto better = [](const BestSplits& a, const BestSplits& b) {
        if (a.fits != b.fits) return a.fits;
        return a.fits ? a.sample.total() < b.sample.total() : a.memory < b.memory;
    };
    std::optional<BestSplits> best;
    for (const std::int64_t c : all_choices) {
        std::vector<std::int64_t> splits(problem.size(), 1);
        for (std::size_t l = 0; l < problem.size(); ++l)
            if (problem.is_leader(l)) splits[l] = std::min(c, problem.choices(l).back());
        BestSplits found = problem.judged(std::move(splits));
        if (!best || better(found, *best)) best = std::move(found);
    }
    for (bool improved = true; improved;) {
        improved = false;
        for (std::size_t l = 0; l < problem.size(); ++l)
            for (const std::int64_t c : problem.choices(l)) {
                if (watch.cancel.cancelled()) {
                    best->cancelled = true;
                    return *best;
                }
                std::vector<std::int64_t> splits = best->splits;
                splits[l] = c;
                BestSplits found = problem.judged(std::move(splits));
                if (!better(found, *best)) continue;
                best = std::move(found);
                improved = true;
            }
    }
    return *best;
}

}  // namespace

std::string_view name_of(SplitMethod method) {
    return one_of(method, "dynamic programme", "dynamic programme with memory", "one layer after the other");
}

BestSplits best_splits(const PreparedNetwork& prepared, const Configuration& configuration,
                       std::span<const std::int64_t> choices, const Watch& watch) {
    static constexpr std::int64_t whole[] = {1};
    if (choices.empty()) choices = whole;
    SplitProblem problem(prepared, configuration, choices);
    const auto finish = [&](BestSplits b, SplitMethod method, bool proven) {
        b.method = method;
        b.proven = proven && !b.cancelled;
        b.evaluations = problem.evaluations();
        return b;
    };
    if (const auto free = SplitProgramme(problem, false, watch).run()) {
        BestSplits unbound = problem.judged(*free);
        if (unbound.fits) return finish(std::move(unbound), SplitMethod::dynamic_programme, true);
        SplitProgramme bound(problem, true, watch);
        if (const auto found = bound.run()) {
            BestSplits best = problem.judged(*found);
            best.memory_binds = true;
            return finish(std::move(best), SplitMethod::programme_with_memory, true);
        }
        if (bound.nothing_fits()) {
            unbound.memory_binds = true;
            return finish(std::move(unbound), SplitMethod::programme_with_memory, true);
        }
        BestSplits best = one_by_one(problem, choices, watch);
        best.memory_binds = true;
        return finish(std::move(best), SplitMethod::one_layer_after_the_other, false);
    }
    BestSplits best = one_by_one(problem, choices, watch);
    best.cancelled = best.cancelled || watch.cancel.cancelled();
    return finish(std::move(best), SplitMethod::one_layer_after_the_other, false);
}

std::vector<std::int64_t> doubling(std::int64_t most) {
    std::vector<std::int64_t> all;
    for (std::int64_t n = 1; n < most; n *= 2) all.push_back(n);
    all.push_back(std::max<std::int64_t>(1, most));
    return all;
}

}  // namespace scalescope::yan
