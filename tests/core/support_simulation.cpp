// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_simulation.hpp"

#include <algorithm>
#include <numeric>

#include "support_dealing.hpp"

namespace support {

using namespace dealing;

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

}  // namespace support
