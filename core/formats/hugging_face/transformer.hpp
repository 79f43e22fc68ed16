// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/graph.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Transformers as figures, and their layers drawn from them. The families' files say which figures.
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
    enum class QkNorm { none, head, whole } qk_norm = QkNorm::none;
    bool sinks = false;  ///< a trained score for each head (gpt-oss)
    std::optional<LatentAttention> latent;
};

struct Mlp {
    std::int64_t hidden = 1;
    bool gated = false, bias = false;
    std::string activation = "gelu";
};

struct Experts {
    std::int64_t count = 0, used = 1, hidden = 1;
    std::int64_t shared_hidden = 0;  ///< of the expert that every position goes through, a network beside; 0: none
    bool shared_gate = false;        ///< a trained number for each position weighs it
    bool bias = false;               ///< of the router and of every matrix (gpt-oss)
    bool choice_bias = false;        ///< a number for each expert that moves the choice (DeepSeek-V3)
};

/// One layer of the model as its authors count: attention and a feed-forward network.
struct Block {
    Attention attention;
    Mlp mlp;
    std::optional<Experts> experts;  ///< in place of the mlp
    std::int64_t window = 0;         ///< 0: every earlier position is seen
};

struct Stack {
    std::int64_t width = 1;
    Norm norm = Norm::layer;
    enum class Order {
        before,         ///< norm, attention, sum (GPT-2)
        after,          ///< attention, sum, norm (BERT)
        around,         ///< norm, attention, norm, sum (Gemma 2)
        parallel,       ///< both read one norm (GPT-J)
        parallel_norms  ///< both read the input, each through a norm of its own (GPT-NeoX)
    } order = Order::before;
    double dropout = 0;
    bool shared = false;  ///< every block has the weights of the first (ALBERT)
    std::vector<Block> blocks;
};

/// What attention to another sequence reads (T5's and Whisper's decoder).
struct Memory {
    LayerId layer;
    Attention attention;
};

/// Draws the blocks "h0/…", "h1/…" behind `in`; `name` stands before the number. Returns the last layer.
LayerId draw(Graph& graph, const Stack& stack, LayerId in, const std::string& name, const Memory* memory = nullptr);

}  // namespace scalescope::formats::hugging_face
