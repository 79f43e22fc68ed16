// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_dealing.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace support::dealing {

std::vector<int> blocks(std::int64_t count, std::int64_t workers) {
    std::vector<int> owner;
    for (std::int64_t w = 0; w < workers; ++w)
        for (std::int64_t k = 0; k < count / workers + (w < count % workers ? 1 : 0); ++k)
            owner.push_back(static_cast<int>(w));
    return owner;
}

bool Graph::mixes(int l) const {
    static const std::set<std::string_view> all{"lrn",
                                                "einsum",
                                                "unknown",
                                                "matmul",
                                                "attention",
                                                "layer_norm",
                                                "rms_norm",
                                                "group_norm",
                                                "glu",
                                                "cross_entropy",
                                                "mixture_of_experts",
                                                "rnn",
                                                "lstm",
                                                "gru",
                                                "conv_lstm",
                                                "parameter",
                                                "constant",
                                                "rotary",
                                                "space_to_depth",
                                                "depth_to_space",
                                                "scatter",
                                                "loss"};
    static const std::set<std::string_view> along_an_axis{"softmax", "log_softmax",   "l2_normalize", "slice",
                                                          "gather",  "reduce",        "argmax",       "top_k",
                                                          "sort",    "cumulative_sum"};
    if (kept_whole(l)) return true;
    if (along_an_axis.contains(kind(l))) return network.inputs(l).size() > 1 || along_channels(l);
    if (kind(l) == "transpose") {
        const auto& order = value<std::vector<std::int64_t>>(l, "permutation");
        return order.back() != static_cast<std::int64_t>(order.size());
    }
    if (kind(l) == "pad")
        return value<std::vector<std::int64_t>>(l, "before").back() > 0 ||
               value<std::vector<std::int64_t>>(l, "after").back() > 0;
    if (kind(l) == "expand") return channels[at(l)] != channels[at(network.inputs(l)[0])];
    if (kind(l) != "elementwise") return all.contains(kind(l));
    for (int in : network.inputs(l))  // a repeated input is no longer channel by channel
        if (network.facts()[at(in)].output != network.facts()[at(network.inputs(l)[0])].output) return true;
    return false;
}

std::pair<std::int64_t, std::int64_t> Graph::needs(int l, std::size_t k, std::int64_t c) const {
    const std::int64_t in = channels[at(network.inputs(l)[k])];
    if (has_filters(l) && groups(l) > 1) {
        const std::int64_t group = c / (channels[at(l)] / groups(l)), wide = in / groups(l);
        return {group * wide, (group + 1) * wide};
    }
    if (has_filters(l) || mixes(l)) return {0, in};
    if (joins(l)) {
        std::int64_t begin = 0;
        for (std::size_t before = 0; before < k; ++before) begin += channels[at(network.inputs(l)[before])];
        return c >= begin && c < begin + in ? std::pair{c - begin, c - begin + 1} : std::pair{in, in};
    }
    return {c, c + 1};
}

std::vector<std::int64_t> folds(const Graph& g) {
    std::vector<std::int64_t> fold(at(g.n), 0);
    auto demand = [&](auto& self, int layer, std::int64_t seen) -> void {
        const std::int64_t own = g.channels[at(layer)];
        if (own % seen != 0) return;
        if (g.has_filters(layer)) {
            if (g.groups(layer) == 1) fold[at(layer)] = std::gcd(fold[at(layer)], seen);
            return;
        }
        if (!g.channelwise(layer) || g.network.inputs(layer).size() != 1) return;
        const int in = g.network.inputs(layer)[0];
        if (g.channels[at(in)] == own && g.channels[at(g.tensor[at(in)])] == own) self(self, g.tensor[at(in)], seen);
    };
    for (int l = 0; l < g.n; ++l) {
        if (!g.channelwise(l) && !g.depthwise(l)) continue;
        for (int in : g.network.inputs(l)) {
            const int made = g.tensor[at(in)];
            const std::int64_t seen = g.channels[at(in)];
            if (seen < g.channels[at(made)]) demand(demand, made, seen);
        }
    }
    return fold;
}

Dealing deal(const Graph& g, const std::vector<std::int64_t>& fold, std::int64_t workers,
             const std::vector<char>* splits) {
    Dealing d;
    d.owner.resize(at(g.n));
    d.units.assign(at(g.n), 0);
    d.splits.assign(at(g.n), 0);
    // Owner of every channel of what layer l sees at input k; nobody if several share it.
    auto channel_owners = [&](int l, std::size_t k) {
        const int in = g.network.inputs(l)[k];
        const auto& owner = d.owner[at(g.tensor[at(in)])];
        const std::int64_t c = g.channels[at(in)];
        std::vector<int> of(at(c), nobody - 1);
        for (std::size_t e = 0; e < owner.size(); ++e) {
            int& o = of[e % at(c)];
            o = o == nobody - 1 || o == owner[e] ? owner[e] : nobody;
        }
        return of;
    };
    for (int l = 0; l < g.n; ++l) {
        if (g.view(l)) continue;
        const auto inputs = g.network.inputs(l);
        const std::int64_t c = g.channels[at(l)];
        std::vector<int> of_channel = blocks(c, workers);
        auto splits_now = [&](int in) { return d.splits[at(g.tensor[at(in)])] != 0; };
        if (g.has_filters(l)) {
            d.splits[at(l)] = 1;
            d.units[at(l)] = c;
            if (g.depthwise(l)) {
                const std::int64_t groups = g.groups(l), each = c / groups;
                d.units[at(l)] = groups;
                auto of_group = blocks(groups, workers);
                const auto of_input = channel_owners(l, 0);
                if (splits_now(inputs[0]) && std::find(of_input.begin(), of_input.end(), nobody) == of_input.end())
                    of_group = of_input;
                for (std::int64_t k = 0; k < c; ++k) of_channel[at(k)] = of_group[at(k / each)];
            } else if (fold[at(l)] > 0) {
                d.units[at(l)] = fold[at(l)];
                const auto few = blocks(fold[at(l)], workers);
                for (std::int64_t k = 0; k < c; ++k) of_channel[at(k)] = few[at(k % fold[at(l)])];
            }
        } else if (g.channelwise(l)) {
            bool any = false, whole = false;
            std::vector<int> found(at(c), nobody - 1);
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                any |= splits_now(inputs[k]);
                if (!splits_now(inputs[k]) && !g.joins(l)) continue;  // whole: nothing to agree with
                const auto of = channel_owners(l, k);
                for (std::int64_t o = 0; o < c; ++o) {
                    const auto [first, last] = g.needs(l, k, o);
                    for (std::int64_t i = first; i < last; ++i) {
                        whole |= of[at(i)] == nobody || (found[at(o)] >= 0 && found[at(o)] != of[at(i)]);
                        found[at(o)] = of[at(i)];
                    }
                }
            }
            d.splits[at(l)] = splits ? (*splits)[at(l)] : any && !whole;
            if (d.splits[at(l)]) of_channel = found;
        }
        d.owner[at(l)].resize(at(g.elements_of[at(l)]));
        for (std::size_t e = 0; e < d.owner[at(l)].size(); ++e) d.owner[at(l)][e] = of_channel[e % at(c)];
    }
    return d;
}

std::vector<char> split_behind(const Graph& g, const Dealing& d, int cut) {
    std::vector<char> split(at(g.n), 0);
    for (int l = cut; l < g.n; ++l) {
        if (g.view(l) || !d.splits[at(l)]) continue;
        bool some = g.has_filters(l);
        for (int in : g.network.inputs(l)) some |= split[at(g.tensor[at(in)])] != 0;
        split[at(l)] = some;
    }
    return split;
}

std::set<int> cut_unlike(const Graph& g) {
    std::set<int> unlike;
    const std::int64_t many = *std::max_element(g.channels.begin(), g.channels.end());
    const Dealing d = deal(g, folds(g), many, nullptr);
    for (int l = 0; l < g.n; ++l) {
        const int o = g.owner(l);
        if (o == l) continue;
        bool same = g.kind(l) == g.kind(o) && g.channels[at(l)] == g.channels[at(o)];
        for (std::int64_t c = 0; same && c < g.channels[at(l)]; ++c)
            same = d.owner[at(l)][at(c)] == d.owner[at(o)][at(c)];
        bool ever = false, always_both = true;
        for (int cut = 0; cut < g.n; ++cut) {
            const auto split = split_behind(g, d, cut);
            ever |= split[at(l)] || split[at(o)];
            if (cut <= o) always_both &= split[at(l)] == split[at(o)];
        }
        if (ever && !(same && always_both)) unlike.insert({l, o});
    }
    return unlike;
}

}  // namespace support::dealing
