// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/config.hpp"
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {

/// What a family calls the figures of blocks that are all alike, and what its files may leave out.
struct PlainStack {
    std::int64_t width, layers, heads, hidden;  ///< hidden 0: four times the width
    std::string_view activation = "gelu";
    bool causal = false;
    Names layer_names = names::layers, head_names = names::heads, hidden_names = names::hidden;
};

/// Blocks of plain attention and two matrices, with every bias, behind layer normalization or before it: BERT's,
/// vision's, Whisper's. What does not fit is among the problems of `config`.
Stack read_plain_stack(Config& config, const PlainStack& family, Stack::Order order);

}  // namespace scalescope::formats::hugging_face
