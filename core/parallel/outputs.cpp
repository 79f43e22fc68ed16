// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/outputs.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::int64_t channels_of(const LayerFacts& f) { return f.output.empty() ? 1 : f.output.back(); }

/// The order of the pieces of a class, so that two ways of writing down the same order are equal: a polynomial hash
/// over the pieces, kept as the map x → mul · x + add, so that patterns can be joined and repeated.
struct Pattern {
    std::uint64_t mul = 1, add = 0;
    bool operator==(const Pattern&) const = default;
    friend Pattern operator+(Pattern a, Pattern b) { return {a.mul * b.mul, a.add * b.mul + b.add}; }
};

Pattern repeated(Pattern p, std::int64_t times) {
    Pattern r;
    for (; times > 0; times /= 2, p = p + p)
        if (times % 2 != 0) r = r + p;
    return r;
}

Pattern piece(std::int64_t units, std::int64_t width) {
    std::uint64_t h = static_cast<std::uint64_t>(units) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(width);
    h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9u;
    return {0xD1342543DE82EF95u, h ^ (h >> 32)};
}

/// Builds the classes of a network.
class Builder {
public:
    /// `whole`: layers that must not be divided; empty: there are none.
    Builder(const Network& network, OutputStructure& s, std::span<const char> whole)
        : network_(network), facts_(network.facts()), s_(s), whole_(whole), fold_(at(network.size()), 0) {
        const std::size_t n = at(network.size());
        s.class_of.assign(n, 0);
        s.division.resize(n);
        for (auto* v : {&s.divided_until, &s.local_until}) v->assign(n, OutputStructure::never);
        for (auto* v : {&s.fits_groups, &s.units}) v->assign(n, 0);
        s.fewest_from.assign(n + 1, OutputStructure::never);
        s.class_from.assign(n + 1, 0);
        s.classes.reserve(16);
        table_.assign(std::bit_ceil(2 * n), -1);
    }

    void build() {
        find_folds();
        for (int l = 0; l < network_.size(); ++l) {
            const LayerFacts& f = facts_[at(l)];
            switch (s_.division[at(l)] = division_of(l)) {
                case Division::view: s_.class_of[at(l)] = s_.class_of[at(network_.root(l))]; break;
                case Division::weights: add_weights(l, f); break;
                case Division::channelwise: add_channelwise(l, f); break;
                case Division::source:
                case Division::mixing: s_.class_of[at(l)] = blocks(channels_of(f), 1); break;
            }
        }
        for (int l = network_.size() - 1, fewest = OutputStructure::never; l >= 0; --l) {
            if (s_.units[at(l)] > 0 && (fewest == OutputStructure::never || s_.units[at(l)] <= s_.units[at(fewest)]))
                fewest = l;
            s_.fewest_from[at(l)] = fewest;
        }
        std::vector<std::size_t> first;  // by class
        for (const OutputStructure::Class& c : s_.classes) {
            first.push_back(first.size());
            for (int p = c.first; p < c.last; ++p)
                first.back() = std::min(first.back(), first[at(s_.parts[at(p)].of_class)]);
        }
        s_.class_from[at(network_.size())] = s_.classes.size();
        for (int l = network_.size() - 1; l >= 0; --l)
            s_.class_from[at(l)] = std::min(s_.class_from[at(l + 1)], first[at(s_.class_of[at(l)])]);
    }

    /// Marks layers that share weights and would be cut in different ways. False if there are none.
    bool mark_unlike(std::vector<char>& whole) const {
        bool any = false;
        for (const WeightUse& use : network_.weight_uses()) {
            const std::size_t a = at(use.owner), b = at(use.layer);
            if (use.reads ||
                (s_.divided_until[a] == OutputStructure::never && s_.divided_until[b] == OutputStructure::never))
                continue;
            const auto layers = network_.layers();
            // Behind the owner all cuts are alike: in front of them every worker holds its weights whole.
            if (layers[a].kind == layers[b].kind && patterns_[at(s_.class_of[a])] == patterns_[at(s_.class_of[b])] &&
                std::min(s_.divided_until[a], use.owner) == std::min(s_.divided_until[b], use.owner))
                continue;
            whole[a] = whole[b] = any = true;
        }
        return any;
    }

private:
    const Network& network_;
    std::span<const LayerFacts> facts_;
    OutputStructure& s_;
    std::span<const char> whole_;
    std::vector<std::int64_t> fold_;  ///< fewer channels along which a layer must be cut; 0: none
    std::vector<Pattern> patterns_;   ///< by class
    std::vector<int> table_;          ///< classes without parts, hashed by their units and width

    std::int64_t seen_channels(int layer, std::size_t input) const {
        return channels_of(facts_[at(network_.inputs(layer)[input])]);
    }
    Division division_of(int l) const {
        return !whole_.empty() && whole_[at(l)] != 0 ? Division::mixing : facts_[at(l)].division;
    }
    int source_of(int layer, std::size_t input) const { return network_.root(network_.inputs(layer)[input]); }
    bool depthwise(int l) const { return facts_[at(l)].groups > 1 && facts_[at(l)].groups == seen_channels(l, 0); }
    bool divided(int root) const { return s_.divided_until[at(root)] != OutputStructure::never; }

    /// A layer that acts channel by channel may see a tensor with fewer channels than it was made with, through a
    /// reshape (a dense layer that becomes an image). Where such a tensor begins is then cut along those channels.
    void find_folds() {
        bool any = false;
        for (int l = 0; l < network_.size(); ++l) {
            if (division_of(l) != Division::channelwise && !(division_of(l) == Division::weights && depthwise(l)))
                continue;
            for (std::size_t k = 0; k < network_.inputs(l).size(); ++k) {
                const int r = source_of(l, k);
                const std::int64_t seen = seen_channels(l, k), made = channels_of(facts_[at(r)]);
                if (seen >= made || made % seen != 0) continue;
                fold_[at(r)] = std::gcd(fold_[at(r)], seen);
                any = true;
            }
        }
        if (!any) return;
        // Layers in between hand the demand on to where their input comes from.
        for (int l = network_.size() - 1; l >= 0; --l) {
            if (fold_[at(l)] == 0 || division_of(l) != Division::channelwise || network_.inputs(l).size() != 1)
                continue;
            const int r = source_of(l, 0);
            const std::int64_t made = channels_of(facts_[at(l)]);
            if (seen_channels(l, 0) == made && channels_of(facts_[at(r)]) == made)
                fold_[at(r)] = std::gcd(fold_[at(r)], fold_[at(l)]);
        }
    }

    int add_class(OutputStructure::Class c, Pattern p) {
        s_.classes.push_back(c);
        patterns_.push_back(p);
        return static_cast<int>(s_.classes.size()) - 1;
    }

    int blocks(std::int64_t units, std::int64_t width) {
        const std::size_t mask = table_.size() - 1;
        for (std::size_t i = static_cast<std::size_t>(units * 31 + width) & mask;; i = (i + 1) & mask) {
            if (table_[i] < 0) {
                // a single unit is nobody's but the first worker's, however wide
                const Pattern p = units == 1 ? repeated(piece(1, 1), width) : piece(units, width);
                return table_[i] = add_class({units, static_cast<double>(width),
                                              static_cast<double>(units) * static_cast<double>(width), 0, 0},
                                             p);
            }
            const auto& c = s_.classes[at(table_[i])];
            if (c.units == units && c.width == static_cast<double>(width)) return table_[i];
        }
    }

    /// How often the pattern of the tensor at an input comes in the channels that the layer sees; 0: a channel it sees
    /// is spread over several of the pattern's.
    std::int64_t repeats(int l, std::size_t input) const {
        const auto made = static_cast<std::int64_t>(s_.classes[at(s_.class_of[at(source_of(l, input))])].channels);
        const std::int64_t seen = seen_channels(l, input);
        return seen % made == 0 ? seen / made : 0;
    }

    void add_weights(int l, const LayerFacts& f) {
        s_.divided_until[at(l)] = l;
        const int in = source_of(l, 0);
        const std::int64_t pieces = s_.classes[at(s_.class_of[at(in)])].units;
        if (depthwise(l)) {
            // Every worker filters the channels it holds.
            const std::int64_t multiplier = f.units / f.groups, times = repeats(l, 0);
            s_.units[at(l)] = f.groups;
            if (divided(in) && times > 0) {
                s_.class_of[at(l)] = widened(s_.class_of[at(in)], multiplier);
                s_.local_until[at(l)] = s_.divided_until[at(in)];
            } else {
                s_.class_of[at(l)] = blocks(f.groups, multiplier);
            }
        } else {
            s_.units[at(l)] = f.groups == 1 && fold_[at(l)] > 0 ? fold_[at(l)] : std::max<std::int64_t>(1, f.units);
            s_.class_of[at(l)] = blocks(s_.units[at(l)], 1);
            // Groups dealt out whole need only channels that their worker holds, if those lie in the same blocks: for
            // some numbers of workers, or for all where the input's pieces are the groups and each makes one output.
            if (f.groups > 1 && divided(in) && pieces > 0 && repeats(l, 0) == 1) {
                s_.local_until[at(l)] = s_.divided_until[at(in)];
                if (pieces == f.groups && f.units == f.groups) return;
                s_.fits_groups[at(l)] = std::gcd(f.groups, pieces);
                s_.grouped = true;
            }
        }
    }

    /// The class of a layer that makes `multiplier` channels of each.
    int widened(int c, std::int64_t multiplier) {
        if (multiplier == 1) return c;
        const OutputStructure::Class of = s_.classes[at(c)];
        if (of.units > 0) return blocks(of.units, static_cast<std::int64_t>(of.width) * multiplier);
        OutputStructure::Class wide = of;
        wide.width = of.width * static_cast<double>(multiplier);
        wide.channels = of.channels * static_cast<double>(multiplier);
        Pattern p = patterns_[at(c)];
        p.add = piece(static_cast<std::int64_t>(p.add >> 1), multiplier)
                    .add;  // equal patterns stay equal, no other way is needed
        return add_class(wide, p);
    }

    void add_channelwise(int l, const LayerFacts& f) {
        const std::size_t inputs = network_.inputs(l).size();
        // A concatenation of channels has more of them than each input; otherwise all inputs have the same.
        const bool joins = inputs > 1 && channels_of(f) != seen_channels(l, 0);
        bool some = false, whole = false;
        int until = OutputStructure::never, first = -1;
        Pattern pattern;
        for (std::size_t k = 0; k < inputs; ++k) {
            const int r = source_of(l, k);
            if (!divided(r) && !joins) continue;  // whole on every worker: each takes the slice it needs
            some |= divided(r);
            until = std::max(until, s_.divided_until[at(r)]);
            const std::int64_t times = repeats(l, k);
            whole |= times == 0;
            if (joins || times == 0) continue;
            const Pattern p = repeated(patterns_[at(s_.class_of[at(r)])], times);
            if (first < 0) {
                first = s_.class_of[at(r)];
                pattern = p;
            } else {
                whole |= !(p == pattern);  // tensors that fall apart differently
            }
        }
        if (!some || whole) {
            s_.class_of[at(l)] = blocks(channels_of(f), 1);
            if (some) s_.division[at(l)] = Division::mixing;
            return;
        }
        s_.class_of[at(l)] = joins ? joined(l) : first;
        s_.divided_until[at(l)] = s_.local_until[at(l)] = until;
    }

    int joined(int l) {
        OutputStructure::Class c;
        c.first = static_cast<int>(s_.parts.size());
        c.channels = 0;
        Pattern p;
        bool same = true;
        for (std::size_t k = 0; k < network_.inputs(l).size(); ++k) {
            const int of = s_.class_of[at(source_of(l, k))];
            const std::int64_t times = repeats(l, k);
            same &= of == s_.class_of[at(source_of(l, 0))];
            s_.parts.push_back({of, static_cast<double>(times)});
            c.channels += s_.classes[at(of)].channels * static_cast<double>(times);
            p = p + repeated(patterns_[at(of)], times);
        }
        if (same) {  // the same pattern again and again
            s_.parts.resize(at(c.first));
            return s_.class_of[at(source_of(l, 0))];
        }
        c.last = static_cast<int>(s_.parts.size());
        return add_class(c, p);
    }
};

double busiest_channels(const OutputStructure& s, const OutputStructure::Class& c, std::int64_t workers,
                        const std::vector<double>& busiest) {
    if (c.units > 0) return static_cast<double>(ceil_div(c.units, workers)) * c.width;
    double sum = 0;
    for (int p = c.first; p < c.last; ++p) sum += s.parts[at(p)].repeat * busiest[at(s.parts[at(p)].of_class)];
    return sum * c.width;
}

}  // namespace

void fill_busiest(const OutputStructure& s, int from, std::int64_t workers, std::vector<double>& busiest) {
    busiest.resize(s.classes.size());
    for (std::size_t c = s.class_from[at(from)]; c < s.classes.size(); ++c)
        busiest[c] = busiest_channels(s, s.classes[c], workers, busiest);
}

double OutputStructure::busiest_share(int c, std::int64_t workers) const {
    std::vector<double> busiest;
    fill_busiest(*this, 0, workers, busiest);
    return busiest[at(c)] / classes[at(c)].channels;
}

OutputStructure make_output_structure(const Network& network) {
    std::vector<char> whole;
    for (;;) {
        OutputStructure s;
        Builder builder(network, s, whole);
        builder.build();
        if (network.weight_uses().empty()) return s;
        whole.resize(at(network.size()), 0);
        if (!builder.mark_unlike(whole)) return s;
    }
}

void make_output_moves(const Network& network, const OutputStructure& s, const Work& work, std::int64_t workers,
                       OutputMoves& moves) {
    constexpr int never = OutputStructure::never;
    moves.until.assign(at(work.layers), {never, never, never, never, never});
    moves.local_until.assign(at(work.layers), never);
    for (int l = 0; l < work.layers; ++l) {
        int& local = moves.local_until[at(l)];
        if (s.reads_own_share(l, workers)) local = s.local_until[at(l)];
        const Division division = s.division[at(l)];
        if (division == Division::view) continue;
        for (int t : network.reads(l)) {
            auto& [gather, scatter, sum, into, out_of] = moves.until[at(t)];
            const bool weights = division == Division::weights;
            // input data, and trained tensors, are on every worker
            const bool source = s.division[at(t)] == Division::source || network.facts()[at(t)].per_step;
            if (!source) into = l;  // layers come in order: the last one stays
            // Divided, it must be gathered for whoever needs all of it; who runs whole has its whole gradient, going
            // back is free.
            const bool all = local == never || (!weights && division != Division::channelwise);
            if (all) gather = s.divided_until[at(t)];
            if (!work.gradient_needed[at(t)]) continue;
            if (all && weights) scatter = s.divided_until[at(t)];
            // Whole, every divided reader leaves each worker a part of its gradient: a sum over its own outputs, or a
            // slice.
            const int until = weights ? l : local;
            sum = std::max(sum, std::min(t, until));
            out_of = std::max(out_of, until);
        }
    }
}

void fill_shares(const OutputStructure& s, const OutputMoves& moves, int cut, int from,
                 const std::vector<double>& busiest, std::vector<double>& share, std::vector<double>& in,
                 std::vector<double>& out) {
    share.resize(s.classes.size());
    for (std::size_t c = s.class_from[at(from)]; c < share.size(); ++c) share[c] = busiest[c] / s.classes[c].channels;
    for (std::size_t l = at(from); l < s.class_of.size(); ++l) {
        const double own = share[at(s.class_of[l])];
        out[l] = s.divided_until[l] >= cut ? own : 1.0;
        in[l] = moves.local_until[l] >= cut ? own : 1.0;
    }
}

std::vector<int> cuts_of(const OutputStructure& structure) {
    std::vector<int> cuts;
    const int layers = static_cast<int>(structure.division.size());
    cuts.reserve(structure.division.size() + 1);
    for (int l = 0; l < layers; ++l) {
        const Division d = structure.division[static_cast<std::size_t>(l)];
        if (d != Division::source && d != Division::view) cuts.push_back(l);
    }
    cuts.push_back(layers);
    return cuts;
}

}  // namespace scalescope
