// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/placements.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace scalescope {
namespace {

constexpr std::array cuts{Placement::features, Placement::positions};

double sum_of(const std::vector<Message>& messages, const std::function<double(Message)>& seconds) {
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
struct Hash {
    std::size_t operator()(const Alive& a) const {
        std::size_t h = 0;
        const auto add = [&](std::size_t v) { h = (h ^ v) * 0x100000001B3u + 0x9E37u; };
        for (const TensorUse& t : a.tensors)
            add(static_cast<std::size_t>(t.made) + 4u * t.read.bits() + 64u * t.gradients.bits());
        for (const int w : a.weights) add(static_cast<std::size_t>(w));
        return h;
    }
};
struct State {
    Alive alive;
    double seconds = 0;
    int before = -1, option = -1;  ///< how it came about
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
        steps_.push_back({State{}});
        for (std::size_t l = 0; l < problem_.layers.size(); ++l) step(static_cast<int>(l));
        PlacementChoice choice;
        choice.proven = proven_;
        int at = cheapest(steps_.back());
        choice.seconds = steps_.back()[static_cast<std::size_t>(at)].seconds;
        choice.options.assign(problem_.layers.size(), 0);
        for (std::size_t l = problem_.layers.size(); l-- > 0;) {
            const State& s = steps_[l + 1][static_cast<std::size_t>(at)];
            choice.options[l] = s.option;
            at = s.before;
        }
        return choice;
    }

private:
    const PlacementProblem& problem_;
    std::size_t most_;
    bool proven_ = true;
    std::vector<int> last_read_, last_use_;    ///< by layer; -1: none
    std::vector<int> tensors_, weights_;       ///< alive before the layer, in the order of Alive
    std::vector<std::vector<State>> steps_{};  ///< before each layer, and at the end

    static int cheapest(const std::vector<State>& states) {
        return static_cast<int>(std::min_element(states.begin(), states.end(),
                                                 [](const State& a, const State& b) { return a.seconds < b.seconds; }) -
                                states.begin());
    }

    /// All messages of a tensor that nobody reads any more.
    double settle(int tensor, const TensorUse& use) const {
        const auto seconds = [&](Message m) { return problem_.seconds(tensor, m); };
        const double forward = sum_of(messages_forward(use, seconds), seconds);
        if (!problem_.layers[static_cast<std::size_t>(tensor)].gradient) return forward;
        return forward + sum_of(messages_backward(use, seconds), seconds);
    }

    bool cuts_what_stays_whole(const PlacementProblem::Layer& layer, const ShardingOption& option,
                               const State& from) const {
        if (option.in != Placement::features) return false;
        for (std::size_t k = 0; k < tensors_.size(); ++k)
            if (problem_.layers[static_cast<std::size_t>(tensors_[k])].stays_whole &&
                from.alive.tensors[k].made == Placement::whole &&
                std::find(layer.reads.begin(), layer.reads.end(), tensors_[k]) != layer.reads.end())
                return true;
        return false;
    }

    void step(int l) {
        const PlacementProblem::Layer& layer = problem_.layers[static_cast<std::size_t>(l)];
        const auto end = [](const std::vector<int>& last, int of) { return last[static_cast<std::size_t>(of)]; };
        std::vector<int> tensors = tensors_, weights = weights_;
        tensors.push_back(l);
        weights.push_back(l);
        std::unordered_map<Alive, std::size_t, Hash> known;
        std::vector<State> next;
        for (std::size_t i = 0; i < steps_.back().size(); ++i) {
            const State& from = steps_.back()[i];
            for (std::size_t o = 0; o < layer.options.size(); ++o) {
                const ShardingOption& option = layer.options[o];
                if (layer.owner >= 0) {
                    const auto at = std::find(weights_.begin(), weights_.end(), layer.owner) - weights_.begin();
                    if (from.alive.weights[static_cast<std::size_t>(at)] != option.weights) continue;
                }
                if (cuts_what_stays_whole(layer, option, from)) continue;
                State to;
                to.seconds = from.seconds + option.seconds;
                to.before = static_cast<int>(i);
                to.option = static_cast<int>(o);
                for (std::size_t k = 0; k < tensors.size(); ++k) {
                    const bool own = tensors[k] == l;
                    TensorUse use = own ? TensorUse{option.out, {}, {}} : from.alive.tensors[k];
                    if (!own && std::find(layer.reads.begin(), layer.reads.end(), tensors[k]) != layer.reads.end()) {
                        use.read.insert(option.in);
                        use.gradients.insert(option.gradient);
                    }
                    if (end(last_read_, tensors[k]) > l)
                        to.alive.tensors.push_back(use);
                    else if (!own)
                        to.seconds += settle(tensors[k], use);
                }
                for (std::size_t k = 0; k < weights.size(); ++k)
                    if (end(last_use_, weights[k]) > l)
                        to.alive.weights.push_back(weights[k] == l ? option.weights : from.alive.weights[k]);
                const auto [at, is_new] = known.try_emplace(to.alive, next.size());
                if (is_new)
                    next.push_back(std::move(to));
                else if (to.seconds < next[at->second].seconds)
                    next[at->second] = std::move(to);
            }
        }
        std::erase_if(tensors, [&](int t) { return end(last_read_, t) <= l; });
        std::erase_if(weights, [&](int w) { return end(last_use_, w) <= l; });
        tensors_ = std::move(tensors);
        weights_ = std::move(weights);
        if (next.size() > most_) {
            proven_ = false;
            std::nth_element(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(most_), next.end(),
                             [](const State& a, const State& b) { return a.seconds < b.seconds; });
            next.resize(most_);
        }
        for (State& s : steps_.back()) s.alive = {};  // only the way back is needed
        steps_.push_back(std::move(next));
    }
};

}  // namespace

std::optional<Message> reshard(Placement from, Placement to) {
    if (from == to || from == Placement::whole) return std::nullopt;
    if (from == Placement::partial) return to == Placement::whole ? Message::all_reduce : Message::reduce_scatter;
    return to == Placement::whole ? Message::all_gather : Message::all_to_all;
}

std::vector<Message> messages_forward(const TensorUse& use, const std::function<double(Message)>& seconds) {
    std::vector<Message> one_by_one, whole;
    if (const auto m = reshard(use.made, Placement::whole)) whole.push_back(*m);
    if (use.read.has(Placement::whole)) return whole;
    for (const Placement to : cuts)
        if (const auto m = reshard(use.made, to); m && use.read.has(to)) one_by_one.push_back(*m);
    // From the whole tensor every rank cuts what it needs.
    return sum_of(one_by_one, seconds) <= sum_of(whole, seconds) ? one_by_one : whole;
}

std::vector<Message> messages_backward(const TensorUse& use, const std::function<double(Message)>& seconds) {
    const Placement to = of_gradient(use.made);
    std::vector<Message> one_by_one, as_sum;
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
