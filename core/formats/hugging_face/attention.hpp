// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/graph.hpp"

#include <optional>

namespace scalescope::formats::hugging_face {

/// Attention through low ranks (DeepSeek-V2, 2024): queries, and keys with values, go through narrow tensors; a part of
/// each key, the same for all heads, carries the position.
struct LatentAttention {
    std::int64_t query_rank = 0;  ///< 0: queries are made directly
    std::int64_t kv_rank = 0;
    std::int64_t plain_width = 0, rotary_width = 0, value_width = 0;  ///< of one head
};

struct Attention {
    std::int64_t heads = 1, kv_heads = 1, head_width = 1;
    bool causal = true;
    bool qkv_bias = false, key_bias = true, out_bias = false;  ///< a key's bias goes with those of queries and values
    bool rotary = false;                                       ///< queries and keys are turned by their position
    enum class QkNorm { none, head, each_head, whole } qk_norm = QkNorm::none;  ///< each: with weights of its own
    Norm qk_form = Norm::rms;
    bool sinks = false;          ///< a trained score for each head (gpt-oss)
    bool gated = false;          ///< a product of the input gates the heads' output (Qwen3-Next)
    bool values_normed = false;  ///< each head's values, without a trained factor (Gemma 4)
    bool values_are_keys = false;
    bool filtered = false;  ///< queries and keys read a convolution over neighbours (Yuan 2.0)
    std::optional<LatentAttention> latent;
};

/// The layers behind `in`, as wide as it: `width`. Keys and values come from `memory`, or else from `in`; a query sees
/// the last `window` keys, 0: all.
LayerId draw_attention(Graph& graph, const Attention& attention, std::int64_t width, std::int64_t window, LayerId in,
                       std::optional<LayerId> memory = {});

}  // namespace scalescope::formats::hugging_face
