// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/spans.hpp"

#include "core/network/adapters.hpp"

namespace scalescope {
namespace {

class Spans {
public:
    Spans(const Network& network, std::span<const SpanAbility> can)
        : network_(network),
          can_(can),
          roles_(can.size(), SpanRole::between),
          may_open_(can.size(), 1),
          behind_(can.size(), -1) {
        for (const Adapter& a : network.found(find_adapters)) {
            if (!a.narrow) continue;
            may_open_[at(a.down)] = 0;
            behind_[at(a.up)] = a.down;
        }
    }

    std::vector<SpanRole> run() {
        for (bool settled = false; !settled;) {
            settled = true;
            for (int l = 0; l < network_.size(); ++l) settled = assign(l) && settled;
        }
        return std::move(roles_);
    }

private:
    const Network& network_;
    std::span<const SpanAbility> can_;
    std::vector<SpanRole> roles_;
    std::vector<char> may_open_;
    std::vector<int> behind_;  ///< of the product of an adapter that widens: the one that narrows

    static std::size_t at(int l) { return static_cast<std::size_t>(l); }
    const LayerFacts& facts(int l) const { return network_.facts()[at(l)]; }
    bool is_cut(int tensor) const {
        return roles_[at(tensor)] == SpanRole::opens || roles_[at(tensor)] == SpanRole::inside;
    }
    /// Every rank has input data, and trained tensors are sent with the weights.
    bool is_everywhere(int tensor) const {
        return facts(tensor).division == Division::source || facts(tensor).per_step;
    }

    /// Whether the product widens what ranks have added up: then so much is read by the layers behind, too, as beside
    /// it a product ends the span.
    bool widens_a_sum(int l) const { return behind_[at(l)] >= 0 && roles_[at(behind_[at(l)])] == SpanRole::ends; }

    /// The role of one layer, given those before it; false if its inputs turned out not to stay cut.
    bool assign(int l) {
        SpanRole& role = roles_[at(l)] = SpanRole::between;
        if (facts(l).division == Division::view || facts(l).division == Division::source) return true;
        int cut = 0, searched = 0, others = 0;
        for (const int t : network_.reads(l)) {
            if (is_everywhere(t)) continue;
            ++(is_cut(t) ? cut : roles_[at(t)] == SpanRole::searched ? searched : others);
        }
        const SpanAbility& can = can_[at(l)];
        if (cut > 0 && others + searched == 0 && (can.ends || can.stays)) {
            role = can.ends ? SpanRole::ends : SpanRole::inside;
            return true;
        }
        for (const int t : network_.reads(l)) close(t);
        const bool follows = searched > 0 && others + cut == 0 && (can.opens || can.stays || can.ends);
        if (can.no_rule || follows)
            role = SpanRole::searched;
        else if (can.opens && may_open_[at(l)] && !widens_a_sum(l))
            role = SpanRole::opens;
        return cut == 0;
    }

    /// What opens the span of this tensor must not.
    void close(int tensor) {
        if (!is_cut(tensor)) return;
        const bool opens = roles_[at(tensor)] == SpanRole::opens;
        roles_[at(tensor)] = SpanRole::between;
        if (opens)
            may_open_[at(tensor)] = 0;
        else
            for (const int t : network_.reads(tensor)) close(t);
    }
};

}  // namespace

std::vector<SpanRole> find_spans(const Network& network, std::span<const SpanAbility> can) {
    return Spans(network, can).run();
}

std::vector<char> find_by_heads(const Network& network) {
    std::vector<char> reads(static_cast<std::size_t>(network.size()), 0), makes = reads;
    for (int l = 0; l < network.size(); ++l) {
        const LayerFacts& f = network.facts()[static_cast<std::size_t>(l)];
        if (f.division == Division::view) continue;
        char& by_heads = reads[static_cast<std::size_t>(l)];
        for (const int input : network.inputs(l)) {
            const auto root = static_cast<std::size_t>(network.root(input));
            const Shape &seen = network.facts()[static_cast<std::size_t>(input)].output,
                        &made = network.facts()[root].output;
            if (seen.size() < 3) continue;
            const std::int64_t width = seen.back(), heads = seen[seen.size() - 2];
            const bool made_so = makes[root] != 0;
            if (seen == made ? made_so : width < made.back() && width * heads == made.back()) by_heads = 1;
        }
        makes[static_cast<std::size_t>(l)] = by_heads != 0 || f.along(ShardAlong::copies) > 0;
    }
    return reads;
}

}  // namespace scalescope
