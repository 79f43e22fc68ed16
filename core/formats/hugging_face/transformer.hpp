// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/formats/hugging_face/config.hpp"
#include "core/formats/hugging_face/graph.hpp"

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

struct Mlp {
    std::int64_t hidden = 1;
    bool gated = false, bias = false;
    std::string activation = "gelu";
};

struct Experts {
    std::int64_t count = 0, used = 1, hidden = 1;
    /// The experts form `groups`; a position chooses experts of `used_groups` of them (DeepSeek-V2, V3).
    std::int64_t groups = 1, used_groups = 1;
    std::int64_t shared_hidden = 0;  ///< of the expert that every position goes through, a network beside; 0: none
    bool shared_gate = false;        ///< a trained number for each position weighs it
    bool bias = false;               ///< of the router and of every matrix (gpt-oss)
    bool choice_bias = false;        ///< a number for each expert that moves the choice (DeepSeek-V3)
    bool scaled = false;             ///< trained factors of the router's input and of each expert (Gemma 4)
    /// The mlp is there too, and their outputs are added, each normalized (Gemma 4).
    bool beside = false;
};

/// The layers behind `in`, as wide as it: `width`.
LayerId draw_mlp(Graph& graph, const Mlp& mlp, std::int64_t width, LayerId in);
/// Experts are gated as `mlp` is.
LayerId draw_experts(Graph& graph, const Experts& experts, const Mlp& mlp, std::int64_t width, LayerId in);

// Layers that carry a state along the sequence in place of attention. Their products, convolution and gates are layers
// like any other; the scan itself is a layer of unknown kind, priced by its bytes and counted as such.

/// Mamba (Gu and Dao 2023), as in Jamba (2024), which normalizes what steers the scan.
struct Mamba {
    std::int64_t inner = 1, state = 1, kernel = 1, rank = 1;
    bool convolution_bias = true, bias = false;
};

/// Mamba 2 (Dao and Gu 2024): heads, of which those of a group share what steers the scan.
struct Mamba2 {
    std::int64_t heads = 1, head_width = 1, groups = 1, state = 1, kernel = 1;
    bool convolution_bias = true, bias = false;
};

/// Gated delta rule (Yang et al. 2024), as in Qwen3-Next.
struct DeltaNet {
    std::int64_t key_heads = 1, key_width = 1, value_heads = 1, value_width = 1, kernel = 1;
};

using StateSpace = std::variant<Mamba, Mamba2, DeltaNet>;

/// The layers behind `in`, as wide as it: `width`.
LayerId draw_state_space(Graph& graph, const StateSpace& kind, std::int64_t width, LayerId in);

// Transformers as figures, and their layers drawn from them. The families' files say which figures.

/// One layer of the model as its authors count: attention and a feed-forward network, or only one of them.
struct Block {
    Attention attention;
    std::optional<StateSpace> state_space;  ///< in place of the attention
    Mlp mlp;
    std::optional<Experts> experts;  ///< in place of the mlp, or beside it
    std::int64_t window = 0;         ///< 0: every earlier position is seen
    bool mixes = true, feeds = true;
    bool normed = true;  ///< before its attention (not ModernBERT's first)
};

struct Stack {
    std::int64_t width = 1;
    Norm norm = Norm::layer;
    enum class Order {
        before,         ///< norm, attention, sum (GPT-2)
        after,          ///< attention, sum, norm (BERT)
        around,         ///< norm, attention, norm, sum (Gemma 2)
        behind,         ///< attention, norm, sum (OLMo 2)
        parallel,       ///< both read one norm (GPT-J)
        parallel_norms  ///< both read the input, each through a norm of its own (GPT-NeoX)
    } order = Order::before;
    double dropout = 0;
    bool scaled = false;  ///< trained factors of what each part adds (DINOv2)
    bool shared = false;  ///< every block has the weights of the first (ALBERT)
    std::vector<Block> blocks;
};

/// What attention to another sequence reads (T5's and Whisper's decoder).
struct Memory {
    LayerId layer;
    Attention attention;
};
/// Attention like that of the first block, to all of what `layer` made.
Memory memory_of(LayerId layer, const Stack& stack);

/// Draws the blocks "h0/…", "h1/…" behind `in`; `name` stands before the number. Returns the last layer.
LayerId draw(Graph& graph, const Stack& stack, LayerId in, const std::string& name, const Memory* memory = nullptr);

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
