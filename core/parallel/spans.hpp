// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/network/network.hpp"

/// Where trainers divide layers over the tensor axis (docs/decisions/placements.md, "Spans"). A span starts with
/// products cut by columns and ends with one cut by rows, or with a loss over the vocabulary. Tensors inside it stay
/// cut along their features, and nothing is sent (specification: trainers, section 1).
namespace scalescope {

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

}  // namespace scalescope
