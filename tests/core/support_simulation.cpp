// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_simulation.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace support {
namespace {

using namespace scalescope;
using Elements = std::vector<char>;  ///< a set of elements of one tensor for one sample
constexpr int nobody = -1;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Consecutive blocks, the first `count mod workers` of them one longer.
std::vector<int> blocks(std::int64_t count, std::int64_t workers) {
    std::vector<int> owner;
    for (std::int64_t w = 0; w < workers; ++w)
        for (std::int64_t k = 0; k < count / workers + (w < count % workers ? 1 : 0); ++k)
            owner.push_back(static_cast<int>(w));
    return owner;
}

/// The network as this file sees it: tensors are the outputs of layers that are no views.
struct Graph {
    const Network& network;
    int n;
    std::vector<int> tensor;  ///< of each layer: the layer that made the elements it hands on
    std::vector<std::int64_t> channels, elements_of;
    std::set<int> whole;  ///< layers that share weights, and would be cut in different ways

    explicit Graph(const Network& net, std::set<int> not_cut = {})
        : network(net), n(net.size()), whole(std::move(not_cut)) {
        for (int l = 0; l < n; ++l) {
            tensor.push_back(view(l) ? tensor[at(net.inputs(l)[0])] : l);
            const Shape& s = net.facts()[at(l)].output;
            channels.push_back(s.empty() ? 1 : s.back());
            elements_of.push_back(elements(s));
        }
    }
    std::string_view kind(int l) const { return network.layers()[at(l)].kind->name; }
    bool view(int l) const { return kind(l) == "flatten" || kind(l) == "reshape" || kind(l) == "identity"; }
    /// The same for all samples, and on every worker.
    bool trained(int l) const { return kind(tensor[at(l)]) == "parameter" || kind(tensor[at(l)]) == "constant"; }
    template <class T>
    const T& value(int l, std::string_view name) const {
        return std::get<T>(attribute(network.layers()[at(l)], name));
    }
    /// Acts along the last axis, the channels.
    bool along_channels(int l) const {
        const auto rank = static_cast<std::int64_t>(network.facts()[at(network.inputs(l)[0])].output.size());
        const auto last = [&](std::int64_t axis) { return axis == -1 || axis == rank; };
        if (kind(l) == "reduce") {
            const auto& axes = value<std::vector<std::int64_t>>(l, "axes");
            return axes.empty() || std::any_of(axes.begin(), axes.end(), last);
        }
        return last(value<std::int64_t>(l, "axis"));
    }
    /// Runs whole whatever it computes: weights cut in two ways, or an input that is trained.
    bool kept_whole(int l) const {
        if (whole.contains(l)) return true;
        const auto in = network.inputs(l);
        return std::any_of(in.begin(), in.end(), [&](int i) { return trained(i); });
    }
    /// The layer whose weights it uses.
    int owner(int l) const {
        const LayerId with = network.layers()[at(l)].shares_weights_with;
        return with == LayerId{} ? l : *network.position(with);
    }
    /// One tensor of weights is frozen wherever it is used.
    bool frozen(int l, const std::set<std::string>& names) const {
        for (int other = 0; other < n; ++other)
            if (owner(other) == owner(l) && names.contains(network.layers()[at(other)].name)) return true;
        return false;
    }
    bool has_filters(int l) const { return !kept_whole(l) && filters_of_a_kind(l); }
    bool filters_of_a_kind(int l) const {
        return kind(l) == "convolution" || kind(l) == "transposed_convolution" || kind(l) == "dense" ||
               kind(l) == "embedding";
    }
    bool trainable(int l) const { return network.facts()[at(l)].weights > 0; }
    bool mixes(int l) const {
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
    bool joins(int l) const { return kind(l) == "concat" && along_channels(l); }
    bool source(int l) const { return kind(l) == "input"; }
    bool channelwise(int l) const { return !view(l) && !has_filters(l) && !mixes(l) && !source(l); }
    std::int64_t groups(int l) const {
        return (kind(l) == "convolution" || kind(l) == "transposed_convolution") && !kept_whole(l)
                   ? std::get<std::int64_t>(attribute(network.layers()[at(l)], "groups"))
                   : 1;
    }
    bool depthwise(int l) const { return groups(l) > 1 && groups(l) == channels[at(network.inputs(l)[0])]; }

    /// Channels of its input `k` that output channel `c` of layer l is computed from: [first, last).
    std::pair<std::int64_t, std::int64_t> needs(int l, std::size_t k, std::int64_t c) const {
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
};

/// Who owns which element of each tensor when it is split over `workers` workers, and which tensors can be.
struct Dealing {
    std::vector<std::vector<int>> owner;  ///< by layer and element
    std::vector<std::int64_t> units;      ///< of layers with filters: how many pieces they can be cut into
    std::vector<char> splits;             ///< by layer: split if its inputs are (channelwise), always (filters), never
};

/// Fewer channels along which layers with filters must be cut; 0: their own.
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

/// Layers whose outputs are divided behind the cut: a channelwise one only if some input is.
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

/// Layers that share weights of which their workers would need different parts, wherever the cut lies before both.
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

}  // namespace

Simulated simulate_split(const Network& network, const Step& step) {
    std::set<int> whole;
    while (true) {
        const Graph g(network, whole);
        const auto unlike = cut_unlike(g);
        if (unlike.empty()) break;
        whole.insert(unlike.begin(), unlike.end());
    }
    const Graph g(network, whole);
    const std::int64_t workers = step.workers;
    const auto fold = folds(g);
    // "For any number of workers" is the same as for so many that no two channels need share one.
    const std::int64_t many = *std::max_element(g.channels.begin(), g.channels.end());
    const Dealing widest = deal(g, fold, many, nullptr);
    const Dealing d = deal(g, fold, workers, &widest.splits);
    const std::int64_t all_samples = std::accumulate(step.samples.begin(), step.samples.end(), std::int64_t{0});

    Simulated result;
    for (int l = step.cut; l < g.n; ++l)
        if (g.has_filters(l) && d.units[at(l)] < workers) result.feasible = false;
    if (!result.feasible) return result;

    // Which gradients anybody wants: of outputs of layers that train, and of all that follows them.
    std::vector<char> wanted(at(g.n), 0);
    for (int l = 0; l < g.n; ++l) {
        wanted[at(l)] = g.trainable(l) && !g.frozen(l, step.frozen);
        for (int in : network.inputs(l)) wanted[at(l)] |= wanted[at(in)];
    }

    // Which tensors of the back part are split in truth: a channelwise layer is only if some input is.
    const std::vector<char> split = split_behind(g, d, step.cut);
    // Where a grouped convolution is not dealt out like its input, a chance fit for one number of workers is not made
    // use of: its input must be a row of equal pieces.
    auto in_row = [&](int l) {
        const int in = network.inputs(l)[0];
        const auto& owner = widest.owner[at(g.tensor[at(in)])];
        const std::size_t c = at(g.channels[at(in)]);
        const auto first =
            static_cast<std::size_t>(std::count(owner.begin(), owner.begin() + static_cast<std::ptrdiff_t>(c), 0));
        for (std::size_t e = 0; e < owner.size(); ++e)
            if (first == 0 || owner[e] != static_cast<int>(e % c / first)) return false;
        return true;
    };
    auto owns = [&](int w, int tensor, std::size_t e) { return !split[at(tensor)] || d.owner[at(tensor)][e] == w; };

    // Forward: what each worker computes, needs, and partial gradients it will have.
    std::vector<std::vector<Elements>> need(at(g.n)), partial(at(g.n));
    for (int t = 0; t < g.n; ++t) {
        need[at(t)].assign(at(workers), Elements(at(g.elements_of[at(t)]), 0));
        partial[at(t)] = need[at(t)];
    }
    std::vector<char> read(at(g.n), 0);
    result.multiply_adds.assign(at(g.n), std::vector<double>(at(workers), 0.0));
    for (int l = 0; l < g.n; ++l) {
        const double of_sample = static_cast<double>(network.facts()[at(l)].multiply_adds);
        if (l < step.cut) {
            for (int w = 0; w < workers; ++w)
                result.multiply_adds[at(l)][at(w)] = of_sample * static_cast<double>(step.samples[at(w)]);
            continue;
        }
        if (g.view(l)) continue;
        const auto inputs = network.inputs(l);
        const bool needs_all = g.groups(l) > 1 && !g.depthwise(l) && split[at(g.tensor[at(inputs[0])])] && !in_row(l);
        for (std::size_t k = 0; k < inputs.size(); ++k) read[at(g.tensor[at(inputs[k])])] = 1;
        for (int w = 0; w < workers; ++w) {
            std::int64_t computed = 0;
            for (std::int64_t o = 0; o < g.channels[at(l)]; ++o) {
                if (!owns(w, l, at(o))) continue;  // elements of one channel have one owner: the first stands for all
                ++computed;
                for (std::size_t k = 0; k < inputs.size(); ++k) {
                    const int t = g.tensor[at(inputs[k])];
                    const auto [first, last] = g.needs(l, k, o);
                    for (std::size_t e = 0; e < need[at(t)][at(w)].size(); ++e) {
                        const auto c = static_cast<std::int64_t>(e % at(g.channels[at(inputs[k])]));
                        if (!needs_all && (c < first || c >= last)) continue;
                        need[at(t)][at(w)][e] = 1;
                        // A layer run whole by everybody has the whole gradient everywhere; that of a split one must be
                        // summed.
                        if (split[at(l)]) partial[at(t)][at(w)][e] = 1;
                    }
                }
            }
            result.multiply_adds[at(l)][at(w)] = of_sample * static_cast<double>(computed) /
                                                 static_cast<double>(g.channels[at(l)]) *
                                                 static_cast<double>(all_samples);
        }
    }

    // The back part runs once on all samples, or in slices.
    const bool sliced = step.cut > 0 && step.scheme != HybridScheme::all_at_once && workers > 1;
    std::vector<std::vector<std::int64_t>> slices;  // samples of each worker in each slice
    if (!sliced) {
        slices.push_back(step.samples);
    } else if (step.scheme == HybridScheme::one_sender) {
        for (int w = 0; w < workers; ++w) {
            if (step.samples[at(w)] == 0) continue;
            slices.emplace_back(at(workers), 0);
            slices.back()[at(w)] = step.samples[at(w)];
        }
    } else {
        // g slices; what does not divide goes round, so that the slices are as even as can be
        slices.assign(at(workers), std::vector<std::int64_t>(at(workers), 0));
        for (int w = 0; w < workers; ++w)
            for (std::int64_t k = 0; k < step.samples[at(w)]; ++k)
                ++slices[at((k + w * step.samples[at(w)]) % workers)][at(w)];
    }

    auto total = [](const std::vector<std::int64_t>& v) {
        return std::accumulate(v.begin(), v.end(), std::int64_t{0});
    };
    const double size = step.element_bytes;
    for (int t = 0; t < g.n; ++t) {
        if (g.view(t) || !read[at(t)]) continue;
        const std::size_t count = at(g.elements_of[at(t)]);
        bool lacks = false, anybody_partial = false, others_partial = false;
        for (int w = 0; w < workers; ++w)
            for (std::size_t e = 0; e < count; ++e) {
                lacks |= need[at(t)][at(w)][e] && !owns(w, t, e);
                anybody_partial |= partial[at(t)][at(w)][e] != 0;
                others_partial |= partial[at(t)][at(w)][e] && !owns(w, t, e);
            }
        const bool front = t < step.cut;
        if (front && (g.source(t) || g.trained(t) || workers == 1)) continue;

        std::vector<double> sent(at(workers), 0.0), received(at(workers), 0.0);
        Moved m;
        m.tensor = network.layers()[at(t)].name;
        m.times = static_cast<std::int64_t>(slices.size());
        auto send = [&](int from, int to, double bytes) {
            sent[at(from)] += bytes;
            received[at(to)] += bytes;
        };
        auto finish = [&](Message kind, bool forward) {
            m.kind = kind;
            m.forward = forward;
            m.sent = std::accumulate(sent.begin(), sent.end(), 0.0);
            m.received = std::accumulate(received.begin(), received.end(), 0.0);
            result.moved.push_back(m);
            std::fill(sent.begin(), sent.end(), 0.0);
            std::fill(received.begin(), received.end(), 0.0);
        };
        for (const auto& s : slices)
            m.whole = std::max(m.whole, static_cast<double>(total(s)) * static_cast<double>(count) * size);
        if (front) {
            // Every worker has its own samples of it, all channels; afterwards everybody has all samples of the slice.
            const bool one = sliced && step.scheme == HybridScheme::one_sender;
            for (const auto& s : slices)
                for (int w = 0; w < workers; ++w)
                    m.piece = std::max(m.piece, static_cast<double>(s[at(w)]) * static_cast<double>(count) * size);
            for (const auto& s : slices)
                for (int w = 0; w < workers; ++w)
                    for (int to = 0; to < workers; ++to)
                        if (to != w) send(w, to, static_cast<double>(s[at(w)]) * static_cast<double>(count) * size);
            finish(one ? Message::broadcast : Message::all_gather, true);
            if (!wanted[at(t)] || !anybody_partial) continue;
            for (const auto& s : slices)
                for (int owner = 0; owner < workers; ++owner)
                    for (int w = 0; w < workers; ++w)
                        if (w != owner)
                            send(w, owner, static_cast<double>(s[at(owner)]) * static_cast<double>(count) * size);
            finish(one ? Message::reduce : Message::reduce_scatter, false);
            continue;
        }
        if (split[at(t)]) {
            std::vector<double> owned(at(workers), 0.0);
            for (std::size_t e = 0; e < count; ++e) owned[at(d.owner[at(t)][e])] += 1;
            for (const auto& s : slices)
                m.piece = std::max(
                    m.piece, *std::max_element(owned.begin(), owned.end()) * static_cast<double>(total(s)) * size);
        } else {
            m.piece = m.whole;
        }
        const double samples = static_cast<double>(all_samples) * size;
        if (lacks) {
            for (std::size_t e = 0; e < count; ++e)
                for (int to = 0; to < workers; ++to)
                    if (to != d.owner[at(t)][e]) send(d.owner[at(t)][e], to, samples);
            finish(Message::all_gather, true);
        }
        if (!wanted[at(t)] || workers == 1) continue;
        if (split[at(t)] && others_partial) {
            for (std::size_t e = 0; e < count; ++e)
                for (int w = 0; w < workers; ++w)
                    if (w != d.owner[at(t)][e]) send(w, d.owner[at(t)][e], samples);
            finish(Message::reduce_scatter, false);
        } else if (!split[at(t)] && anybody_partial) {
            // the sum is formed piece by piece at one worker each, then handed to all
            const auto adder = blocks(static_cast<std::int64_t>(count), workers);
            for (std::size_t e = 0; e < count; ++e)
                for (int w = 0; w < workers; ++w)
                    if (w != adder[e]) {
                        send(w, adder[e], samples);
                        send(adder[e], w, samples);
                    }
            finish(Message::all_reduce, false);
        }
    }

    // The front part's weights: averaged over the workers that have samples.
    double weights = 0;
    for (int l = 0; l < step.cut; ++l)
        if (g.trainable(l) && g.owner(l) == l && !g.frozen(l, step.frozen))
            weights += static_cast<double>(network.facts()[at(l)].weights) * size;
    const auto active = static_cast<double>(
        std::count_if(step.samples.begin(), step.samples.end(), [](std::int64_t s) { return s > 0; }));
    if (weights > 0 && active > 1) {
        Moved m;
        m.kind = Message::all_reduce;
        m.whole = m.piece = weights;
        m.sent = m.received = 2 * (active - 1) * weights;
        result.moved.push_back(m);
    }
    return result;
}

std::vector<BorderBytes> simulate_stages(const Network& network, const std::vector<int>& borders, double samples,
                                         double element_bytes) {
    const Graph g(network);
    const std::size_t stages = borders.size() - 1;
    auto stage_of = [&](int l) {
        std::size_t s = 0;
        while (l >= borders[s + 1]) ++s;
        return s;
    };
    std::vector<char> wanted(at(g.n), 0);
    for (int l = 0; l < g.n; ++l) {
        wanted[at(l)] = g.trainable(l);
        for (int in : network.inputs(l)) wanted[at(l)] |= wanted[at(in)];
    }
    // A stage holds what it made and what it was handed; it asks the one before for what it lacks.
    std::vector<std::set<int>> held(stages);
    std::vector<BorderBytes> bytes(stages > 0 ? stages - 1 : 0);
    for (int l = 0; l < g.n; ++l)
        if (!g.view(l)) held[stage_of(l)].insert(l);
    for (int l = 0; l < g.n; ++l) {
        for (int in : network.inputs(l)) {  // a view too needs what it looks at
            const int t = g.tensor[at(in)];
            if (g.source(t) || g.trained(t)) continue;  // free, and held wherever it is needed
            for (std::size_t s = stage_of(l); !held[s].contains(t); --s) {
                held[s].insert(t);
                const double size = static_cast<double>(g.elements_of[at(t)]) * samples * element_bytes;
                bytes[s - 1].forward += size;
                if (wanted[at(t)]) bytes[s - 1].backward += size;
            }
        }
    }
    return bytes;
}

std::map<int, std::set<int>> weight_holders(const Network& network, const std::vector<int>& borders) {
    const Graph g(network);
    std::map<int, std::set<int>> holders;
    for (int l = 0; l < g.n; ++l) {
        int stage = 0;
        while (l >= borders[at(stage + 1)]) ++stage;
        if (g.trainable(l)) holders[g.owner(l)].insert(stage);
        if (g.view(l)) continue;
        for (int in : network.inputs(l))
            if (g.trained(in) && g.trainable(g.tensor[at(in)])) holders[g.tensor[at(in)]].insert(stage);
    }
    return holders;
}

}  // namespace support
