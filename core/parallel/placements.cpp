// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/placements.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>

namespace scalescope {
namespace {

constexpr std::array cuts{Placement::features, Placement::positions};

double sum_of(const FewMessages& messages, const std::function<double(Message)>& seconds) {
    double sum = 0;
    for (const Message m : messages) sum += seconds(m);
    return sum;
}

/// What is alive between two layers: how the tensors lie that are still to be read, and how weights are cut that are
/// still to be used.
struct Alive {
    std::vector<TensorUse> tensors;
    std::vector<int> weights;
    bool operator==(const Alive&) const = default;
};
using Combinations = std::vector<Alive>;
struct Hash {
    std::size_t operator()(const Combinations& all) const {
        std::size_t h = 0;
        for (const Alive& a : all) add(h, (*this)(a));
        return h;
    }
    std::size_t operator()(const Alive& a) const {
        std::size_t h = 0;
        for (const TensorUse& t : a.tensors)
            add(h, static_cast<std::size_t>(t.made) + 4u * t.read.bits() + 64u * t.gradients.bits());
        for (const int w : a.weights) add(h, static_cast<std::size_t>(w));
        return h;
    }
    std::size_t operator()(const std::vector<std::uint64_t>& key) const {
        std::size_t h = 0;
        for (const std::uint64_t k : key) add(h, k ^ k >> 32);
        return h;
    }

private:
    static void add(std::size_t& h, std::size_t v) { h = (h ^ v) * 0x100000001B3u + 0x9E37u; }
};
/// Those between two layers, and the number of this set: equal sets have the same.
using Numbered = std::pair<const Combinations, int>;

/// What a layer makes of the combinations before it, whatever the seconds up to there are. Equal layers after equal
/// sets of combinations share one, so that of equal blocks of layers only the first are expanded.
struct Transitions {
    struct Way {
        int from, option, to;  ///< combination before the layer, option of the layer, combination after it
    };
    std::vector<Way> ways{};        ///< by `from`, then by `option`; combinations after the layer as they are found
    std::vector<double> settled{};  ///< of each way: seconds of messages of each tensor that is read no more
    const Numbered* after = nullptr;
};

class Search {
public:
    Search(const PlacementProblem& problem, std::size_t most) : problem_(problem), most_(most) {
        const std::size_t n = problem.layers.size();
        last_read_.assign(n, -1);
        last_use_.assign(n, -1);
        for (std::size_t l = 0; l < n; ++l) {
            for (const int t : problem.layers[l].reads) last_read_[static_cast<std::size_t>(t)] = static_cast<int>(l);
            if (const int owner = problem.layers[l].owner; owner >= 0)
                last_use_[static_cast<std::size_t>(owner)] = static_cast<int>(l);
        }
    }

    PlacementChoice run() {
        const std::size_t n = problem_.layers.size();
        now_ = number({Alive{}});
        reached_ = {{0, -1, -1}};
        first_ = {0};
        for (std::size_t l = 0; l < n; ++l) {
            step(static_cast<int>(l));
            if (first_.back() == reached_.size()) return with_more();
        }
        const auto cheapest = std::min_element(reached_.begin() + static_cast<std::ptrdiff_t>(first_.back()),
                                               reached_.end(), less_seconds);
        PlacementChoice choice;
        choice.proven = proven_;
        choice.seconds = cheapest->seconds;
        choice.options.assign(n, 0);
        auto at = static_cast<std::size_t>(cheapest - reached_.begin());
        for (std::size_t l = n; l-- > 0;) {
            choice.options[l] = reached_[at].option;
            at = first_[l] + static_cast<std::size_t>(reached_[at].before);
        }
        return choice;
    }

private:
    /// None of the combinations kept can go on, as layers that share weights must cut them alike: keeps more of them.
    PlacementChoice with_more() const {
        PlacementChoice choice;
        if (proven_)  // all were kept
            choice.options.assign(problem_.layers.size(), 0);
        else
            choice = Search(problem_, 8 * most_).run();
        choice.proven = false;
        return choice;
    }

    /// The cheapest way to a combination.
    struct Reached {
        double seconds;
        int before, option;  ///< combination before the layer, option of the layer
    };
    static bool less_seconds(const Reached& a, const Reached& b) { return a.seconds < b.seconds; }
    /// So many ways are remembered for layers to come.
    static constexpr std::size_t most_ways = 1 << 18;

    const PlacementProblem& problem_;
    std::size_t most_;
    bool proven_ = true;
    std::vector<int> last_read_, last_use_;  ///< by layer; -1: none
    std::vector<int> tensors_, weights_;     ///< alive before the layer, in the order of Alive
    const Numbered* now_ = nullptr;          ///< the combinations before the layer
    std::vector<Reached> reached_{};         ///< before each layer, and at the end
    std::vector<std::size_t> first_{};       ///< of these, for each layer and the end
    std::unordered_map<Combinations, int, Hash> numbers_{};
    std::unordered_map<std::vector<std::uint64_t>, Transitions, Hash> known_{};  ///< by key_
    std::vector<std::uint64_t> key_{};
    std::size_t known_ways_ = 0;
    int next_number_ = 0;

    const Numbered* number(Combinations all) {
        const auto [at, is_new] = numbers_.try_emplace(std::move(all), next_number_);
        if (is_new) ++next_number_;
        return &*at;
    }
    const PlacementProblem::Layer& layer(int l) const { return problem_.layers[static_cast<std::size_t>(l)]; }
    bool reads(int l, int tensor) const {
        return std::find(layer(l).reads.begin(), layer(l).reads.end(), tensor) != layer(l).reads.end();
    }
    bool read_after(int l, int tensor) const { return last_read_[static_cast<std::size_t>(tensor)] > l; }
    bool used_after(int l, int weights) const { return last_use_[static_cast<std::size_t>(weights)] > l; }

    /// All messages of a tensor that nobody reads any more.
    double settle(int tensor, const TensorUse& use) const {
        const auto seconds = [&](Message m) { return problem_.seconds(tensor, m); };
        const double forward = sum_of(messages_forward(use, seconds), seconds);
        if (!layer(tensor).gradient) return forward;
        return forward + sum_of(messages_backward(use, seconds), seconds);
    }

    bool cuts_what_stays_whole(int l, const ShardingOption& option, const Alive& from) const {
        if (option.in != Placement::features) return false;
        for (std::size_t k = 0; k < tensors_.size(); ++k) {
            const Placement made = from.tensors[k].made;
            const bool is_whole = made == Placement::whole || made == Placement::partial;
            if (layer(tensors_[k]).stays_whole && is_whole && reads(l, tensors_[k])) return true;
        }
        return false;
    }

    /// Into key_: all that expand() looks at.
    void make_key(int l) {
        const auto bits = [](auto... flags) {
            std::uint64_t all = 0;
            ((all = 2 * all + (flags ? 1 : 0)), ...);
            return all;
        };
        const auto& options = layer(l).options;
        key_.clear();
        key_.push_back(static_cast<std::uint64_t>(now_->second) << 32 | options.size());
        for (const ShardingOption& o : options)
            key_.push_back(static_cast<std::uint64_t>(o.weights) << 8 | static_cast<std::uint64_t>(o.in) << 4 |
                           static_cast<std::uint64_t>(o.out) << 2 | static_cast<std::uint64_t>(o.gradient));
        key_.push_back(bits(read_after(l, l), used_after(l, l), layer(l).owner >= 0));
        for (const int t : tensors_) {
            key_.push_back(bits(reads(l, t), read_after(l, t), layer(t).stays_whole, layer(t).gradient));
            if (read_after(l, t)) continue;
            if (!problem_.size_of.empty()) {
                key_.push_back(problem_.size_of[static_cast<std::size_t>(t)]);
                continue;
            }
            for (const Message m : resharding_messages)
                key_.push_back(std::bit_cast<std::uint64_t>(problem_.seconds(t, m)));
        }
        for (const int w : weights_) key_.push_back(bits(used_after(l, w), layer(l).owner == w));
    }

    Transitions expand(int l) {
        Transitions result;
        Combinations after;
        std::unordered_map<Alive, std::size_t, Hash> found;
        const Combinations& before = now_->first;
        for (std::size_t i = 0; i < before.size(); ++i)
            for (std::size_t o = 0; o < layer(l).options.size(); ++o) {
                const ShardingOption& option = layer(l).options[o];
                if (layer(l).owner >= 0) {
                    const auto at = std::find(weights_.begin(), weights_.end(), layer(l).owner) - weights_.begin();
                    if (before[i].weights[static_cast<std::size_t>(at)] != option.weights) continue;
                }
                if (cuts_what_stays_whole(l, option, before[i])) continue;
                Alive to;
                for (std::size_t k = 0; k < tensors_.size(); ++k) {
                    TensorUse use = before[i].tensors[k];
                    if (reads(l, tensors_[k])) {
                        use.read.insert(option.in);
                        use.gradients.insert(option.gradient);
                    }
                    if (read_after(l, tensors_[k]))
                        to.tensors.push_back(use);
                    else
                        result.settled.push_back(settle(tensors_[k], use));
                }
                if (read_after(l, l)) to.tensors.push_back({option.out, {}, {}});
                for (std::size_t k = 0; k < weights_.size(); ++k)
                    if (used_after(l, weights_[k])) to.weights.push_back(before[i].weights[k]);
                if (used_after(l, l)) to.weights.push_back(option.weights);
                const auto [at, is_new] = found.try_emplace(std::move(to), after.size());
                if (is_new) after.push_back(at->first);
                result.ways.push_back({static_cast<int>(i), static_cast<int>(o), static_cast<int>(at->second)});
            }
        result.after = number(std::move(after));
        return result;
    }

    const Transitions& transitions(int l) {
        make_key(l);
        if (const auto known = known_.find(key_); known != known_.end()) return known->second;
        if (known_ways_ > most_ways) {
            known_.clear();
            known_ways_ = 0;
            auto now = numbers_.extract(now_->first);
            numbers_.clear();
            now_ = &*numbers_.insert(std::move(now)).position;
        }
        const Transitions& made = known_.emplace(key_, expand(l)).first->second;
        known_ways_ += made.ways.size();
        return made;
    }

    /// The cheapest way to each combination after the layer; the first of equal ones.
    void relax(int l, const Transitions& transitions) {
        const std::size_t before = first_.back(), after = reached_.size();
        first_.push_back(after);
        const auto options = layer(l).options;
        const std::size_t settling =
            transitions.ways.empty() ? 0 : transitions.settled.size() / transitions.ways.size();
        const double* settled = transitions.settled.data();
        for (const Transitions::Way& way : transitions.ways) {
            double seconds = reached_[before + static_cast<std::size_t>(way.from)].seconds +
                             options[static_cast<std::size_t>(way.option)].seconds;
            for (std::size_t k = 0; k < settling; ++k) seconds += *settled++;
            const std::size_t to = after + static_cast<std::size_t>(way.to);
            if (to == reached_.size())
                reached_.push_back({seconds, way.from, way.option});
            else if (seconds < reached_[to].seconds)
                reached_[to] = {seconds, way.from, way.option};
        }
    }

    /// Leaves the cheapest combinations.
    void drop_most() {
        proven_ = false;
        std::vector<std::pair<Reached, const Alive*>> all;
        const std::size_t first = first_.back();
        for (std::size_t i = first; i < reached_.size(); ++i) all.emplace_back(reached_[i], &now_->first[i - first]);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(most_);
        std::nth_element(all.begin(), end, all.end(),
                         [](const auto& a, const auto& b) { return less_seconds(a.first, b.first); });
        reached_.resize(first);
        Combinations kept;
        for (auto at = all.begin(); at != end; ++at) {
            reached_.push_back(at->first);
            kept.push_back(*at->second);
        }
        now_ = number(std::move(kept));
    }

    void step(int l) {
        const Transitions& all = transitions(l);
        relax(l, all);
        now_ = all.after;
        if (now_->first.size() > most_) drop_most();
        tensors_.push_back(l);
        weights_.push_back(l);
        std::erase_if(tensors_, [&](int t) { return !read_after(l, t); });
        std::erase_if(weights_, [&](int w) { return !used_after(l, w); });
    }
};

}  // namespace

std::optional<Message> reshard(Placement from, Placement to) {
    // A part of a tensor is a summand of it, and the whole one is as well, for one of the ranks.
    if (from == to || from == Placement::whole || to == Placement::partial) return std::nullopt;
    if (from == Placement::partial) return to == Placement::whole ? Message::all_reduce : Message::reduce_scatter;
    return to == Placement::whole ? Message::all_gather : Message::all_to_all;
}

FewMessages messages_forward(const TensorUse& use, const std::function<double(Message)>& seconds) {
    FewMessages one_by_one, whole;
    if (use.read.none_but(use.made)) return {};
    if (const auto m = reshard(use.made, Placement::whole)) whole.push_back(*m);
    if (use.read.has(Placement::whole)) return whole;
    for (const Placement to : cuts)
        if (const auto m = reshard(use.made, to); m && use.read.has(to)) one_by_one.push_back(*m);
    // From the whole tensor every rank cuts what it needs.
    return sum_of(one_by_one, seconds) <= sum_of(whole, seconds) ? one_by_one : whole;
}

FewMessages messages_backward(const TensorUse& use, const std::function<double(Message)>& seconds) {
    const Placement to = of_gradient(use.made);
    FewMessages one_by_one, as_sum;
    if (use.gradients.none_but(to)) return {};
    // Every part of a gradient is a summand: all of them travel in one message, if that is asked for or cheaper.
    if (const auto m = reshard(Placement::partial, to)) as_sum.push_back(*m);
    if (use.gradients.has(Placement::partial)) return as_sum;
    for (const Placement from : cuts)
        if (const auto m = reshard(from, to); m && use.gradients.has(from)) one_by_one.push_back(*m);
    return sum_of(one_by_one, seconds) <= sum_of(as_sum, seconds) ? one_by_one : as_sum;
}

PlacementChoice cheapest_placements(const PlacementProblem& problem, std::size_t most) {
    return Search(problem, most).run();
}

}  // namespace scalescope
