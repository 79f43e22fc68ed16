// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/layer_cuts.hpp"

#include <algorithm>

#include "core/network/adapters.hpp"
#include "core/parallel/rows.hpp"

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

LayerCuts::LayerCuts(const Network& network, const ShardingSetting& setting)
    : network_(network), setting_(setting), by_heads_(network.found(find_by_heads)) {
    repeat_keys();
    if (follow_trainers()) find_roles();
}

std::int64_t LayerCuts::repeats(int l, ShardAlong along) const {
    const bool columns = along == ShardAlong::outputs || along == ShardAlong::channels || along == ShardAlong::vectors;
    return repeats_.empty() || !columns ? 1 : repeats_[at(l)];
}

bool LayerCuts::divides_heads(int l) const {
    const LayerFacts& f = facts(l);
    return f.query_heads % setting_.ranks == 0 &&
           (f.key_heads % setting_.ranks == 0 || (!repeats_.empty() && repeats_[at(l)] > 1));
}

bool LayerCuts::has_fewer_keys(int l) const {
    const LayerFacts& f = facts(l);
    return setting_.axis == MeshAxis::tensor && f.along(ShardAlong::heads) > 0 && f.key_heads < setting_.ranks &&
           setting_.ranks % f.key_heads == 0 && f.query_heads % setting_.ranks == 0;
}

/// Of the attentions with fewer heads of keys than ranks, those that can be divided nevertheless, with the layers on
/// the way from the products that make keys and values, if nobody else reads those.
void LayerCuts::repeat_keys() {
    bool any = false;
    for (int l = 0; l < network_.size(); ++l) any = any || has_fewer_keys(l);
    if (!any) return;
    const auto& adapters = network_.found(find_adapters);
    std::vector<int> readers(at(network_.size()), 0);
    for (int l = 0; l < network_.size(); ++l)
        if (facts(l).division != Division::view)
            for (const int t : network_.reads(l)) ++readers[at(t)];
    for (int l = 0; l < network_.size(); ++l) {
        if (!has_fewer_keys(l)) continue;
        std::vector<int> way{l};
        bool made = true;
        for (const std::size_t input : {std::size_t{1}, std::size_t{2}})
            for (int t = network_.root(network_.inputs(l)[input]); made;) {
                way.push_back(t);
                const auto adapter = std::ranges::find(adapters, t, &Adapter::sum);
                const bool adapted = adapter != adapters.end() && adapter->narrow;
                if (adapted) way.push_back(adapter->up);
                const ShardAlong stays = by_heads_[at(t)] != 0 ? ShardAlong::vectors : ShardAlong::channels;
                made = readers[at(t)] == 1 && !shares_weights(t) && facts(t).experts.count == 0 &&
                       (is_product(t) || adapted || (facts(t).along(stays) > 0 && network_.reads(t).size() == 1));
                if (is_product(t)) break;
                if (made) t = adapted ? adapter->product : network_.reads(t).front();
            }
        if (!made) continue;
        repeats_.resize(at(network_.size()), 1);
        for (const int t : way) repeats_[at(t)] = setting_.ranks / facts(l).key_heads;
    }
}

bool LayerCuts::shares_weights(int l) const {
    const auto uses = network_.weight_uses();
    return std::any_of(uses.begin(), uses.end(),
                       [l](const WeightUse& use) { return use.layer == l || use.owner == l; });
}

/// Whether there are enough pieces for the ranks, whatever the policy.
bool LayerCuts::possible(int l, ShardAlong along) const {
    const std::int64_t pieces = facts(l).along(along);
    if (pieces == 0 || setting_.ranks <= 1 || pieces < setting_.ranks / repeats(l, along)) return false;
    const bool of_context = along == ShardAlong::queries || along == ShardAlong::rows;
    if (setting_.axis == MeshAxis::context) return of_context || along == ShardAlong::positions;
    if (of_context) return false;
    if (keeps_experts_whole(l)) return along == ShardAlong::positions;
    if (along == ShardAlong::heads) return divides_heads(l);
    if (along == ShardAlong::image_rows) return halo_of(facts(l).rows, pieces, setting_.ranks).has_value();
    if (along == ShardAlong::channels) return by_heads_[at(l)] == 0 && facts(l).along(ShardAlong::copies) == 0;
    return along != ShardAlong::vectors || by_heads_[at(l)] != 0;
}

bool LayerCuts::allowed(int l, ShardAlong along) const {
    if (!possible(l, along)) return false;
    if (setting_.axis == MeshAxis::context || setting_.policy == ShardingPolicy::best || keeps_experts_whole(l))
        return true;
    if (along == ShardAlong::image_rows || along == ShardAlong::pooled_rows)
        return setting_.policy == ShardingPolicy::rows;
    if (setting_.policy == ShardingPolicy::rows && facts(l).output.size() >= 3)
        return along == ShardAlong::positions || !allowed(l, ShardAlong::image_rows);
    // Weights of products are cut in another way.
    return along != ShardAlong::positions || (setting_.sequence && !is_product(l));
}

bool LayerCuts::always_cut(int l) const {
    if (keeps_experts_whole(l)) return allowed(l, ShardAlong::positions);
    return follow_trainers() && facts(l).weights > 0 && !shares_weights(l) &&
           ((allowed(l, ShardAlong::outputs) && allowed(l, ShardAlong::inputs)) || allowed(l, ShardAlong::image_rows));
}

bool LayerCuts::same(int a, int b) const {
    return repeats_.empty() && (roles_.empty() || roles_[at(a)] == roles_[at(b)]) &&
           by_heads_[at(a)] == by_heads_[at(b)] && !shares_weights(a) && !shares_weights(b);
}

/// Features of what the layer reads that it can keep as they lie.
std::optional<ShardAlong> LayerCuts::stays_along(int l) const {
    for (const ShardAlong along : {ShardAlong::heads, ShardAlong::channels, ShardAlong::vectors})
        if (possible(l, along)) return along;
    return std::nullopt;
}

/// Images and recurrent layers.
bool LayerCuts::has_no_rule(int l) const {
    const LayerFacts& f = facts(l);
    const bool image = f.output.size() >= 3 && by_heads_[at(l)] == 0 && f.along(ShardAlong::copies) == 0;
    return image || f.along(ShardAlong::units) > 0;
}

void LayerCuts::find_roles() {
    std::vector<SpanAbility> can(at(network_.size()));
    for (int l = 0; l < network_.size(); ++l)
        can[at(l)] = {possible(l, is_product(l) ? ShardAlong::outputs : ShardAlong::copies), stays_along(l).has_value(),
                      possible(l, ShardAlong::inputs) || (is_loss(l) && possible(l, ShardAlong::vocabulary)),
                      has_no_rule(l)};
    roles_ = find_spans(network_, can);
}

std::optional<ShardAlong> LayerCuts::by_rule(int l) const {
    switch (roles_[at(l)]) {
        case SpanRole::opens: return is_product(l) ? ShardAlong::outputs : ShardAlong::copies;
        case SpanRole::inside: return stays_along(l);
        case SpanRole::ends: return is_product(l) ? ShardAlong::inputs : ShardAlong::vocabulary;
        default: break;
    }
    if (is_word_table(l)) return ShardAlong::vocabulary;
    const bool positions = possible(l, ShardAlong::positions) && (setting_.sequence || keeps_experts_whole(l));
    return positions ? std::optional(ShardAlong::positions) : std::nullopt;
}

/// An embedding of words. A table of positions, which has about as many rows as a sample has positions, stays whole.
bool LayerCuts::is_word_table(int l) const {
    const LayerFacts& f = facts(l);
    if (f.weights == 0 || !possible(l, ShardAlong::vocabulary)) return false;
    const std::int64_t words = f.along(ShardAlong::vocabulary);
    return words > f.along(ShardAlong::positions) || shares_weights(l) ||
           std::any_of(network_.facts().begin(), network_.facts().end(), [&](const LayerFacts& loss) {
               return loss.weights == 0 && loss.along(ShardAlong::vocabulary) == words;
           });
}

}  // namespace scalescope
