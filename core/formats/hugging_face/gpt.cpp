// SPDX-License-Identifier: GPL-3.0-or-later
// Families after GPT-2: layer normalization, a feed-forward network of two matrices, tables of positions or none.

#include "core/formats/hugging_face/decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

using Order = Stack::Order;

void table_of_positions(Config&, Decoder& d) { d.position_rows = d.positions; }

void gpt_own(Config& c, Decoder& d) {
    table_of_positions(c, d);
    d.final_norm = false;
}

void big_code_own(Config& c, Decoder& d) {
    table_of_positions(c, d);
    if (c.flag("multi_query", true)) each_block(d, [](Block& b) { b.attention.kv_heads = 1; });
}

void opt_own(Config& c, Decoder& d) {
    d.position_rows = d.positions + 2;  // the table begins two rows early
    d.embedding_width = c.size_or("word_embed_proj_dim", d.stack.width, most_width, 1, true);
    const bool before = c.flag("do_layer_norm_before", true);
    if (!before) d.stack.order = Order::after;
    d.final_norm = before && !c.flag("_remove_final_layer_norm", false);
    if (!c.flag("enable_bias", true))
        each_block(d, [](Block& b) { b.attention.qkv_bias = b.attention.out_bias = b.mlp.bias = false; });
}

void bloom_own(Config& c, Decoder& d) {
    d.embedding_norm = true;
    if (c.flag("apply_residual_connection_post_layernorm", false))
        c.error("apply_residual_connection_post_layernorm", "A sum behind the normalization is not known here.",
                "Write false to read the usual order.");
}

void falcon_own(Config& c, Decoder& d) {
    const bool modern = c.flag("new_decoder_architecture", false), parallel = c.flag("parallel_attn", true);
    const bool one = c.flag("multi_query", true), bias = c.flag("bias", false);
    if (c.flag("alibi", false)) each_block(d, [](Block& b) { b.attention.rotary = false; });
    const bool one_norm = modern && c.size_or("num_ln_in_parallel_attn", 2, 2, 1, true) == 1;
    d.stack.order = modern && !one_norm    ? Order::parallel_norms
                    : parallel || one_norm ? Order::parallel
                                           : Order::before;
    each_block(d, [&](Block& b) {
        if (!modern) b.attention.kv_heads = one ? 1 : b.attention.heads;
        b.attention.qkv_bias = b.attention.out_bias = b.mlp.bias = bias;
    });
}

void mpt_own(Config& c, Decoder& d) {
    auto attention = c.part("attn_config");
    const bool alibi = attention && attention->flag("alibi", false);
    const bool turned = attention && attention->flag("rope", false);
    if (!alibi && !turned && c.flag("learned_pos_emb", true)) d.position_rows = d.positions;
    const bool bias = !c.flag("no_bias", true);
    if (!bias) d.stack.norm = Norm::layer_without_bias;
    const std::int64_t ratio = c.size_or("expansion_ratio", 4, 64);
    const std::string type = attention ? attention->word("attn_type", "multihead_attention") : std::string();
    const std::int64_t kv = attention ? attention->size_or("kv_n_heads", 0, most_heads, 0, true) : 0;
    each_block(d, [&](Block& b) {
        b.mlp.hidden = ratio * d.stack.width;
        b.attention.rotary = turned;
        b.attention.qkv_bias = b.attention.out_bias = b.mlp.bias = bias;
        if (type == "multiquery_attention") b.attention.kv_heads = 1;
        if (kv > 0 && b.attention.heads % kv == 0) b.attention.kv_heads = kv;
    });
}

void neox_own(Config& c, Decoder& d) {
    if (!c.flag("use_parallel_residual", true)) d.stack.order = Order::before;
}

/// One norm for all heads, with a bias.
void phi_own(Config& c, Decoder& d) {
    if (!c.flag("qk_layernorm", false)) return;
    each_block(d, [](Block& b) {
        b.attention.qk_norm = Attention::QkNorm::head;
        b.attention.qk_form = Norm::layer;
    });
}

/// Every second layer sees `window_size` positions, or those that `attention_types` says: [[["global", "local"], 12]].
void neo_own(Config& c, Decoder& d) {
    table_of_positions(c, d);
    const std::int64_t window = c.size_or("window_size", 256, most_rows, 0, true);
    std::vector<bool> local;
    if (const auto types = c.find("attention_types"); types && types->is_array())
        for (const JsonValue part : *types) {
            if (!part.is_array() || part.size() != 2) continue;
            const JsonValue sorts = *part.begin(), times = *++part.begin();
            if (!sorts.is_array() || !times.is_integer()) continue;
            for (std::int64_t n = 0; n < times.integer() && local.size() < d.stack.blocks.size(); ++n)
                for (const JsonValue sort : sorts) local.push_back(sort.is_string() && sort.text() == "local");
        }
    for (std::size_t b = 0; b < d.stack.blocks.size(); ++b)
        if (b < local.size() ? local[b] : local.empty() && b % 2 == 1) d.stack.blocks[b].window = window;
}

/// What they have in common.
constexpr DecoderFamily after_gpt2(DecoderFamily family) {
    family.norm = Norm::layer;
    family.gated = false;
    return family;
}

constexpr DecoderFamily gpts[] = {
    after_gpt2({.called = {"gpt2", "GPT2", "GPT-2"},
                .rotary = false,
                .biases = all_biases,
                .activation = "gelu_new",
                .tied = true,
                .dropout = 0.1,
                .sizes = {50257, 768, 12, 12, 0, 0, 0, 1024},
                .own = table_of_positions}),
    after_gpt2({.called = {"openai-gpt", "OpenAIGPT", "GPT"},
                .order = Order::after,
                .rotary = false,
                .biases = all_biases,
                .activation = "gelu",
                .tied = true,
                .dropout = 0.1,
                .sizes = {40478, 768, 12, 12, 0, 0, 0, 512},
                .own = gpt_own}),
    after_gpt2({.called = {"gpt_bigcode", "GPTBigCode", "GPT-BigCode"},
                .rotary = false,
                .biases = all_biases,
                .activation = "gelu_pytorch_tanh",
                .tied = true,
                .dropout = 0.1,
                .sizes = {50257, 768, 12, 12, 0, 0, 0, 1024},
                .own = big_code_own}),
    after_gpt2({.called = {"gptj codegen", "GPTJ CodeGen", "GPT-J"},
                .order = Order::parallel,
                .biases = {.mlp = true},
                .activation = "gelu_new",
                .head_bias = true,
                .sizes = {50400, 4096, 28, 16, 0, 0, 0, 2048}}),
    after_gpt2({.called = {"gpt_neox", "GPTNeoX", "GPT-NeoX"},
                .order = Order::parallel_norms,
                .biases = all_biases,
                .activation = "gelu",
                .sizes = {50432, 6144, 44, 64, 0, 0, 24576, 2048},
                .own = neox_own}),
    after_gpt2({.called = {"opt", "OPT", "OPT"},
                .rotary = false,
                .biases = all_biases,
                .activation = "relu",
                .tied = true,
                .dropout = 0.1,
                .sizes = {50272, 768, 12, 12, 0, 0, 3072, 2048},
                .own = opt_own}),
    after_gpt2({.called = {"bloom", "Bloom", "BLOOM"},
                .rotary = false,
                .biases = all_biases,
                .activation = "gelu",
                .tied = true,
                .own = bloom_own}),
    after_gpt2({.called = {"falcon RefinedWeb RefinedWebModel", "Falcon RW", "Falcon"},
                .order = Order::parallel,
                .activation = "gelu",
                .tied = true,
                .sizes = {65024, 4544, 32, 71, 0, 0, 0, 2048},
                .own = falcon_own}),
    after_gpt2({.called = {"mpt", "Mpt MPT", "MPT"},
                .rotary = false,
                .activation = "gelu",
                .tied = true,
                .sizes = {50368, 2048, 24, 16, 0, 0, 0, 2048},
                .own = mpt_own}),
    after_gpt2({.called = {"phi", "Phi", "Phi"},
                .order = Order::parallel,
                .biases = all_biases,
                .fixed_biases = true,
                .activation = "gelu_new",
                .head_bias = true,
                .sizes = {51200, 2048, 24, 32, 0, 0, 8192, 2048},
                .own = phi_own}),
    after_gpt2({.called = {"gpt_neo", "GPTNeo", "GPT-Neo"},
                .rotary = false,
                .biases = {.out = true, .mlp = true},
                .fixed_biases = true,
                .activation = "gelu_new",
                .tied = true,
                .sizes = {50257, 2048, 24, 16, 0, 0, 0, 2048},
                .own = neo_own}),
};

}  // namespace

std::span<const DecoderFamily> gpt_families() { return gpts; }

}  // namespace scalescope::formats::hugging_face
