// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/attention.hpp"
#include "core/formats/hugging_face/feed_forward.hpp"
#include "core/formats/hugging_face/state_space.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Transformers as figures, and their layers drawn from them. The families' files say which figures.
namespace scalescope::formats::hugging_face {

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

}  // namespace scalescope::formats::hugging_face
