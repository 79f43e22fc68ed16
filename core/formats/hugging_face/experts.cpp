// SPDX-License-Identifier: GPL-3.0-or-later
// Families with mixtures of experts.
#include <algorithm>

#include "core/formats/hugging_face/decoder.hpp"

namespace scalescope::formats::hugging_face {

Experts read_experts(Config& c, std::int64_t count, std::int64_t used, std::int64_t hidden) {
    Experts e;
    e.count = count > 0 ? c.size_or(names::experts, count, most_heads) : c.size(names::experts, most_heads);
    e.used = used > 0 ? c.size_or(names::experts_used, used, most_heads) : c.size(names::experts_used, most_heads);
    e.hidden = hidden;
    if (e.used > e.count)
        c.error(
            names::experts_used,
            "A position cannot go through " + std::to_string(e.used) + " of " + std::to_string(e.count) + " experts.",
            "Choose at most as many as there are.");
    return e;
}

void put_qwen_experts(Config& c, Decoder& d, const Experts& e) {
    const std::int64_t step = c.size_or("decoder_sparse_step", 1, most_layers, 1, true);
    std::vector<std::int64_t> dense;
    if (const auto list = c.find("mlp_only_layers"); list && list->is_array())
        for (const JsonValue v : *list) dense.push_back(v.integer());
    put_experts(d, e, [&](std::int64_t b) {
        return (b + 1) % step == 0 && std::find(dense.begin(), dense.end(), b) == dense.end();
    });
}

namespace {

constexpr auto every = [](std::int64_t) { return true; };

void qwen2_moe_own(Config& c, Decoder& d) {
    read_switched_windows(c, d);
    const bool bias = c.flag("qkv_bias", true);
    each_block(d, [&](Block& b) { b.attention.qkv_bias = bias; });
    Experts e = read_experts(c, 60, 4, c.size_or("moe_intermediate_size", 1408, most_width));
    e.shared_hidden = c.size_or("shared_expert_intermediate_size", 5632, most_width, 0);
    e.shared_gate = true;
    put_qwen_experts(c, d, e);
}

void qwen3_moe_own(Config& c, Decoder& d) {
    read_switched_windows(c, d);
    put_qwen_experts(c, d, read_experts(c, 128, 8, c.size_or("moe_intermediate_size", 768, most_width)));
}

void dbrx_own(Config& c, Decoder& d) {
    auto attention = c.part("attn_config"), feed = c.part("ffn_config");
    const std::int64_t heads = d.stack.blocks[0].attention.heads;
    std::int64_t kv = 1;
    if (attention) kv = attention->size_or("kv_n_heads", 1, most_heads);
    if (heads % kv != 0)
        c.error("attn_config", "The heads of keys and values do not divide the heads.",
                "Choose a number that divides them.");
    each_block(d, [&](Block& b) { b.attention.kv_heads = heads % kv == 0 ? kv : heads; });
    if (!feed) {
        c.error("ffn_config", "The experts of a DBRX are said in \"ffn_config\", which is not there.",
                "Add it, with ffn_hidden_size, moe_num_experts and moe_top_k.");
        return;
    }
    put_experts(d, read_experts(*feed, 4, 1, d.stack.blocks[0].mlp.hidden), every);
}

void gpt_oss_own(Config& c, Decoder& d) {
    read_windows(c, d, true, 128, 2);
    // layers alternate, and the first of each two slides
    if (!c.has("layer_types"))
        for (std::size_t b = 0; b < d.stack.blocks.size(); ++b)
            d.stack.blocks[b].window = b % 2 == 0 ? c.size_or("sliding_window", 128, most_rows, 0, true) : 0;
    each_block(d, [](Block& b) { b.attention.sinks = true; });
    Experts e = read_experts(c, 128, 4, d.stack.blocks[0].mlp.hidden);
    e.bias = true;
    put_experts(d, e, every);
}

void phimoe_own(Config& c, Decoder& d) { d.head_bias = c.flag("lm_head_bias", false); }

/// Multi-token prediction (DeepSeek-V3 Technical Report, 2024, section 2.2). `key`: how many modules the model has,
/// trained or not.
void read_further_tokens(Config& c, Decoder& d, std::string_view key) {
    d.further_tokens = c.size_or("mtp_num_layers", 0, most_layers, 0, true);
    const std::int64_t has = key.empty() ? 0 : c.size_or(key, 0, most_layers, 0, true);
    if (has > d.further_tokens)
        c.warn("Modules that predict further tokens (" + std::string(key) + ") are left out.",
               "Add \"mtp_num_layers\" with the number of those that are trained: each costs about one layer more.");
}

void minimax_own(Config& c, Decoder& d) {
    if (c.flag("use_qk_norm", true)) each_block(d, [](Block& b) { b.attention.qk_norm = Attention::QkNorm::whole; });
    Experts e = read_experts(c, 0, 0, d.stack.blocks[0].mlp.hidden);
    e.choice_bias = c.flag("use_routing_bias", false);
    put_experts(d, e, every);
    read_further_tokens(c, d, c.flag("use_mtp", false) ? "num_mtp_modules" : "");
}

void llama4_own(Config& c, Decoder& d) {
    Experts e = read_experts(c, 16, 1, d.stack.blocks[0].mlp.hidden);
    e.shared_hidden = e.hidden;
    const std::int64_t step = c.size_or("interleave_moe_layer_step", 1, most_layers),
                       dense = c.size_or("intermediate_size_mlp", 16384, most_width);
    each_block(d, [&](Block& b) { b.mlp.hidden = dense; });
    put_experts(d, e, [&](std::int64_t b) { return (b + 1) % step == 0; });
    read_unturned(c, d);
    if (c.has("attention_chunk_size"))
        c.warn("Attention in chunks (attention_chunk_size) is left out: every layer sees all earlier tokens.",
               "This is exact for sequences of at most one chunk.");
}

/// First dense blocks, experts that all positions go through.
void deepseek_experts(Config& c, Decoder& d, bool choice_bias) {
    const std::int64_t dense = c.size_or("first_k_dense_replace moe_layer_start_index", 0, most_layers, 0),
                       step = c.size_or("moe_layer_freq moe_layer_interval", 1, most_layers, 1, true),
                       shared = c.size_or("n_shared_experts moe_num_shared_experts", 0, most_heads, 0, true);
    if (c.has(names::experts)) {
        Experts e = read_experts(c, 0, 0, c.size("moe_intermediate_size", most_width));
        e.shared_hidden = shared * e.hidden;
        e.choice_bias = choice_bias;
        e.groups = c.size_or("n_group", 1, most_heads, 1, true);
        e.used_groups = c.size_or("topk_group", 1, most_heads, 1, true);
        put_experts(d, e, [&](std::int64_t b) { return b >= dense && b % step == 0; });
    }
    read_further_tokens(c, d, "num_nextn_predict_layers");
}

void deepseek_moe_own(Config& c, Decoder& d) { deepseek_experts(c, d, false); }

void glm4_moe_own(Config& c, Decoder& d) {
    const bool normed = c.flag("use_qk_norm", false);
    each_block(d, [&](Block& b) {
        b.attention.out_bias = false;
        if (normed) b.attention.qk_norm = Attention::QkNorm::head;
    });
    deepseek_experts(c, d, true);
}

void ernie_moe_own(Config& c, Decoder& d) {
    read_use_bias(c, d);
    deepseek_experts(c, d, true);
}

/// Keys and values through a low rank.
void deepseek_own(Config& c, Decoder& d) {
    LatentAttention l;
    l.query_rank = c.size_or("q_lora_rank", 0, most_width, 1, true);
    l.kv_rank = c.size("kv_lora_rank", most_width);
    l.plain_width = c.size("qk_nope_head_dim", most_width);
    l.rotary_width = c.size("qk_rope_head_dim", most_width);
    l.value_width = c.size("v_head_dim", most_width);
    each_block(d, [&](Block& b) {
        b.attention.latent = l;
        b.attention.kv_heads = b.attention.heads;
    });
    deepseek_experts(c, d, c.word("topk_method", "") == "noaux_tc");
    if (c.has("index_topk"))
        c.warn("The choice of keys (index_topk) is left out: every query sees all earlier keys.",
               "This is exact for sequences of at most index_topk tokens, but for the parameters of the choice.");
}

constexpr DecoderFamily sparse[] = {
    {.called = {"mixtral", "Mixtral", "Mixtral"},
     .fixed_biases = true,
     .sizes = {32000, 4096, 32, 32, 8, 0, 14336, 131072},
     .windows = Windows{},
     .experts = 8,
     .experts_used = 2},
    {.called = {"qwen2_moe", "Qwen2Moe", "Qwen2-MoE"},
     .biases = {.qkv = true},
     .fixed_biases = true,
     .sizes = {151936, 2048, 24, 16, 16, 0, 5632, 32768},
     .own = qwen2_moe_own},
    {.called = {"qwen3_moe", "Qwen3Moe", "Qwen3-MoE"},
     .qk_norm = Attention::QkNorm::head,
     .sizes = {151936, 2048, 24, 32, 4, 0, 6144, 32768},
     .own = qwen3_moe_own},
    {.called = {"olmoe", "Olmoe OLMoE", "OLMoE"},
     .qk_norm = Attention::QkNorm::whole,
     .sizes = {50304, 2048, 16, 16, 0, 0, 2048, 4096},
     .experts = 64,
     .experts_used = 8},
    {.called = {"granitemoe", "GraniteMoe", "Granite-MoE"},
     .sizes = {32000, 4096, 32, 32, 0, 0, 11008, 2048},
     .experts = 8,
     .experts_used = 2},
    {.called = {"dbrx", "Dbrx", "DBRX"}, .norm = Norm::layer_without_bias, .own = dbrx_own},
    {.called = {"gpt_oss", "GptOss", "gpt-oss"}, .biases = {.qkv = true, .out = true}, .own = gpt_oss_own},
    {.called = {"phimoe", "PhiMoE Phimoe", "Phi-MoE"},
     .norm = Norm::layer,
     .windows = Windows{},
     .experts = 16,
     .experts_used = 2,
     .own = phimoe_own},
    {.called = {"minimax_m2", "MiniMaxM2", "MiniMax-M2"}, .own = minimax_own},
    {.called = {"llama4_text", "Llama4", "Llama 4"}, .own = llama4_own},
    {.called = {"deepseek_v2 deepseek_v3 deepseek_v32 kimi_k2", "DeepseekV2 DeepseekV3 DeepseekV32", "DeepSeek"},
     .own = deepseek_own},
    {.called = {"deepseek", "Deepseek", "DeepSeekMoE"},
     .sizes = {102400, 4096, 30, 32, 0, 0, 11008, 2048},
     .own = deepseek_moe_own},
    {.called = {"glm4_moe", "Glm4Moe", "GLM-4.5"},
     .sizes = {151552, 4096, 46, 96, 8, 0, 10944, 131072},
     .own = glm4_moe_own},
    {.called = {"ernie4_5_moe", "Ernie4_5_Moe", "ERNIE 4.5"},
     .fixed_biases = true,
     .tied = true,
     .sizes = {103424, 2560, 28, 20, 4, 0, 12288, 131072},
     .own = ernie_moe_own},
};

}  // namespace

std::span<const DecoderFamily> expert_families() { return sparse; }

}  // namespace scalescope::formats::hugging_face
