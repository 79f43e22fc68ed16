// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/network/network.hpp"
#include "core/parallel/shardings.hpp"

namespace scalescope {

// Where trainers divide layers over the tensor axis (docs/decisions/placements.md, "Spans"). A span starts with
// products cut by columns and ends with one cut by rows, or with a loss over the vocabulary. Tensors inside it stay
// cut along their features, and nothing is sent (specification: trainers, section 1).

enum class SpanRole : std::uint8_t {
    between,  ///< outside of all spans: whole, or divided by positions under sequence parallelism
    opens,    ///< reads a whole tensor and makes one cut along its features
    inside,   ///< acts on the features that a rank has
    ends,     ///< reads features and makes partial sums
    searched  ///< images, recurrent layers and what reads only those: no rule of trainers applies
};

/// What a layer could do on a tensor axis, for its sizes.
struct SpanAbility {
    bool opens = false, stays = false, ends = false;
    bool no_rule = false;  ///< an image, or a recurrent layer
};

/// The role of each layer, by position. A layer opens a span only if every path from it can stay cut up to the layer
/// that ends the span. Linear in the size of the network.
std::vector<SpanRole> find_spans(const Network& network, std::span<const SpanAbility> can);

/// By position, whether features of what the layer reads are heads, its last dimension but one: a reshape has split the
/// features into heads × width, or a layer before it made its output so.
std::vector<char> find_by_heads(const Network& network);

/// Along what the layers of a network can be cut over the ranks of one axis, and which of these cuts the policy allows
/// (docs/decisions/placements.md, trainer-placements.md). Layers by position.
class LayerCuts {
public:
    LayerCuts(const Network& network, const ShardingSetting& setting);

    /// Whether the policy allows the cut, and there are enough pieces for the ranks.
    bool allowed(int l, ShardAlong along) const;
    /// Whether the layer must not stay whole where it has no rule: trainers divide every product, also one that is
    /// quicker whole, to have room for its weights, and experts are sent positions.
    bool always_cut(int l) const;
    /// Whether a rule of trainers says how the layer is divided.
    bool has_rule(int l) const { return !roles_.empty() && roles_[at(l)] != SpanRole::searched; }
    /// How; none: it runs whole on every rank.
    std::optional<ShardAlong> by_rule(int l) const;
    /// Ranks that have the same columns of the product that makes a head of keys, and do not share a head otherwise.
    std::int64_t repeats(int l, ShardAlong along) const;
    /// Whether two layers with equal facts and neighbours can be cut in the same ways.
    bool same(int a, int b) const;
    /// The policy is a trainer's, on the tensor axis.
    bool follow_trainers() const {
        return setting_.policy != ShardingPolicy::best && setting_.axis == MeshAxis::tensor;
    }
    bool is_loss(int l) const { return facts(l).along(ShardAlong::vocabulary) > 0 && facts(l).weights == 0; }

private:
    const Network& network_;
    const ShardingSetting& setting_;
    const std::vector<char>& by_heads_;
    std::vector<SpanRole> roles_{};        ///< of a policy that follows trainers; otherwise empty
    std::vector<std::int64_t> repeats_{};  ///< ranks that have the same heads of keys, by layer; empty: of none

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    const LayerFacts& facts(int l) const { return network_.facts()[at(l)]; }
    bool is_product(int l) const { return facts(l).along(ShardAlong::inputs) > 0; }
    /// Experts are not cut: each rank sends them positions of its own.
    bool keeps_experts_whole(int l) const { return facts(l).experts.count > 0; }
    bool shares_weights(int l) const;
    bool possible(int l, ShardAlong along) const;
    bool divides_heads(int l) const;
    bool has_fewer_keys(int l) const;
    bool is_word_table(int l) const;
    bool has_no_rule(int l) const;
    std::optional<ShardAlong> stays_along(int l) const;
    void repeat_keys();
    void find_roles();
};

}  // namespace scalescope
