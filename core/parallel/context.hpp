// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/parallel/message.hpp"
#include "core/scenario/scenario.hpp"

/// Attention over a sequence that lies on the ranks of the context axis (specification: composed parallelism, sections
/// 3 and 4; docs/decisions/context.md).
namespace scalescope {

struct AttentionMessage {
    Message message = Message::all_gather;
    Carried carries = Carried::keys_values;
};
/// A row for each scheme: what it sends forward and backward, and whether the attention computes meanwhile.
struct ContextRow {
    ContextScheme scheme;
    std::string_view source;
    bool beside;  ///< step by step: beside the work on what has arrived, so that the first step of `ranks` is free
    std::array<AttentionMessage, 4> forward, backward;
    int forward_count, backward_count;

    std::span<const AttentionMessage> messages(bool forwards) const {
        return forwards ? std::span(forward).first(static_cast<std::size_t>(forward_count))
                        : std::span(backward).first(static_cast<std::size_t>(backward_count));
    }
};
const ContextRow& context_row(ContextScheme scheme);

/// Sizes of an attention's tensors on one rank of the tensor axis: of all positions, in any unit.
struct AttentionSizes {
    double queries = 0, keys = 0, values = 0, output = 0;
    std::int64_t key_heads = 1;  ///< that the rank of the tensor axis has
};
/// What a message is priced by: of an all-to-all what one rank has, of others the whole buffer. Ranks that change to
/// heads have whole heads of keys and values: the rounded-up number of them, one at least.
double attention_sent(const AttentionMessage& message, const AttentionSizes& sizes, std::int64_t ranks);

}  // namespace scalescope
