// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/config.hpp"
#include "core/formats/hugging_face/transformer.hpp"

/// Models that predict the next token: embedding, blocks, head. Each family is a row of figures that its files leave
/// out, and a function for what is its own.
namespace scalescope::formats::hugging_face {

/// What is drawn.
struct Decoder {
    Stack stack;
    std::int64_t vocabulary = 1, embedding_width = 0;  ///< 0: as wide as the blocks
    std::int64_t positions = 2048;                     ///< longest sequence that the model is made for
    std::int64_t position_rows = 0;                    ///< of a table of positions; 0: none
    bool embedding_norm = false, final_norm = true;
    bool tied = false, head_bias = false;
    bool head_transform = false;      ///< a product, an activation and a norm before the head (ModernBERT)
    std::int64_t further_tokens = 0;  ///< modules that predict one further token each, with a block like the last one
};

/// What a family's files leave to its defaults; 0: they must say it.
struct DecoderSizes {
    std::int64_t vocabulary = 0, width = 0, layers = 0, heads = 0, kv_heads = 0, head_width = 0, hidden = 0,
                 positions = 0;
};

struct FamilyNames {
    std::string_view types;    ///< model_type, one of these
    std::string_view classes;  ///< beginnings of the names under "architectures"
    std::string_view title;
};

/// Which products add a bias.
struct Biases {
    bool qkv = false, out = false, mlp = false;
};
inline constexpr Biases all_biases{.qkv = true, .out = true, .mlp = true};

/// Layers whose attention sees only the last `sliding_window` positions: `positions` of them if the file gives no
/// number (0: all). The last one of every `pattern` layers sees all.
struct Windows {
    std::int64_t positions = 0, pattern = 0;
};

struct DecoderFamily {
    FamilyNames called;
    Norm norm = Norm::rms;
    Stack::Order order = Stack::Order::before;
    bool rotary = true;  ///< positions turn queries and keys
    Attention::QkNorm qk_norm = Attention::QkNorm::none;
    Biases biases{};
    bool fixed_biases = false;  ///< whatever "attention_bias" and "mlp_bias" say
    bool gated = true;
    std::string_view activation = "silu";
    bool tied = false, head_bias = false;
    double dropout = 0;
    DecoderSizes sizes{};
    std::optional<Windows> windows{};
    std::int64_t experts = 0, experts_used = 0;  ///< in every layer, as wide as the mlp; 0: none, or said by `own`
    /// Changes what the figures above gave; blocks are all alike so far.
    void (*own)(Config& config, Decoder& decoder) = nullptr;
};

/// Rows of the families, in several files.
std::span<const DecoderFamily> gpt_families();
std::span<const DecoderFamily> llama_families();
std::span<const DecoderFamily> open_families();
std::span<const DecoderFamily> expert_families();
std::span<const DecoderFamily> hybrid_families();

/// The figures of a file; what is missing or wrong is in `config`.
Decoder read_decoder(Config& config, const DecoderFamily& family);
void draw_decoder(NetworkDraft& draft, const Decoder& decoder, SourcePosition at);
/// "batch" and "sequence", at first the longest that the model is made for, within reason.
std::vector<Symbol> token_symbols(const Decoder& decoder);

/// A class of models that is a part of another one: what a Llama's family says of it is wrong.
bool is_draft_head(std::string_view architecture);
/// Returns its name; nothing if the file does not say enough.
std::string read_draft_head(Config& config, const DecoderFamily& llama, NetworkDraft& draft);

// For the functions of several families.

/// Replaces the mlp of every block for which `is_sparse` holds.
template <class IsSparse>
void put_experts(Decoder& d, const Experts& experts, IsSparse is_sparse) {
    for (std::size_t b = 0; b < d.stack.blocks.size(); ++b)
        if (is_sparse(static_cast<std::int64_t>(b))) d.stack.blocks[b].experts = experts;
}
/// Count and choice from the file, or these where they are not 0; every expert as wide as `hidden`.
Experts read_experts(Config& config, std::int64_t count, std::int64_t used, std::int64_t hidden);
/// Which blocks are sparse is said by a step and by a list of those that are not (Qwen).
void put_qwen_experts(Config& config, Decoder& decoder, const Experts& experts);
/// The same change of every block.
template <class Change>
void each_block(Decoder& d, Change change) {
    for (Block& b : d.stack.blocks) change(b);
}
/// One word for all biases: "use_bias".
void read_use_bias(Config& config, Decoder& decoder);
/// Queries and keys are normalized head by head, each with weights of its own (Cohere, StableLM 2 12B).
void norm_each_head(Decoder& decoder);
/// All layers see `sliding_window` positions, or those that `layer_types` or a pattern says.
void read_windows(Config& config, Decoder& decoder, bool used, std::int64_t otherwise, std::int64_t pattern);
/// The same where the file switches it on.
void read_switched_windows(Config& config, Decoder& decoder);
/// Positions turn queries and keys in all layers but those of `no_rope_layers`, or every fourth.
void read_unturned(Config& config, Decoder& decoder);

}  // namespace scalescope::formats::hugging_face
