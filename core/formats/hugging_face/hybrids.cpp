// SPDX-License-Identifier: GPL-3.0-or-later
// Families whose blocks are not all of one sort: some carry a state along the sequence, others attend to all of it.

#include "core/formats/hugging_face/decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

constexpr std::int64_t most_taps = 1024;  ///< of a convolution along the sequence

/// Attention in one block of `attn_layer_period`, Mamba in the others; experts likewise. Nothing carries positions.
void jamba_own(Config& c, Decoder& d) {
    Mamba m;
    m.inner = c.size_or("mamba_expand", 2, 64) * d.stack.width;
    m.state = c.size_or("mamba_d_state", 16, most_width);
    m.kernel = c.size_or("mamba_d_conv", 4, most_taps);
    const auto rank = c.find("mamba_dt_rank");
    m.rank = rank && rank->is_string() ? (d.stack.width + 15) / 16  // "auto"
                                       : c.size_or("mamba_dt_rank", (d.stack.width + 15) / 16, most_width);
    m.convolution_bias = c.flag("mamba_conv_bias", true);
    m.bias = c.flag("mamba_proj_bias", false);
    const std::int64_t period = c.size_or("attn_layer_period", 8, most_layers),
                       offset = c.size_or("attn_layer_offset", 4, most_layers, 0);
    for (std::size_t b = 0; b < d.stack.blocks.size(); ++b)
        if (static_cast<std::int64_t>(b) % period != offset) d.stack.blocks[b].state_space = m;
    const std::int64_t each = c.size_or("expert_layer_period", 2, most_layers),
                       first = c.size_or("expert_layer_offset", 1, most_layers, 0);
    if (c.size_or(names::experts, 16, most_heads) > 1)
        put_experts(d, read_experts(c, 16, 2, d.stack.blocks[0].mlp.hidden),
                    [&](std::int64_t b) { return b % each == first; });
}

/// One letter for each layer: M a Mamba 2, * attention, - a feed-forward network, each with a norm and a sum.
void nemotron_h_own(Config& c, Decoder& d) {
    Mamba2 m;
    m.heads = c.size_or("mamba_num_heads", 128, most_heads);
    m.head_width = c.size_or("mamba_head_dim", 64, most_width);
    m.groups = c.size_or("n_groups", 8, most_heads);
    m.state = c.size_or("ssm_state_size", 128, most_width);
    m.kernel = c.size_or("conv_kernel", 4, most_taps);
    m.convolution_bias = c.flag("use_conv_bias", true);
    m.bias = c.flag("use_bias mamba_proj_bias", false);
    const std::string pattern = c.word("hybrid_override_pattern", "");
    if (pattern.size() != d.stack.blocks.size()) {
        c.error("hybrid_override_pattern",
                "The pattern has " + std::to_string(pattern.size()) + " letters for " +
                    std::to_string(d.stack.blocks.size()) + " layers.",
                "Write a letter for each layer: M for Mamba 2, * for attention, - for a feed-forward network.");
        return;
    }
    for (std::size_t b = 0; b < pattern.size(); ++b) {
        Block& block = d.stack.blocks[b];
        block.mixes = pattern[b] != '-';
        block.feeds = pattern[b] == '-';
        if (pattern[b] == 'M')
            block.state_space = m;
        else if (pattern[b] != '*' && pattern[b] != '-') {
            c.error("hybrid_override_pattern",
                    "The layer " + quoted(std::string(1, pattern[b])) + " of the pattern is not known here.",
                    "Write M for Mamba 2, * for attention, - for a feed-forward network.");
            return;
        }
    }
}

/// Attention with a gate in one block of `full_attention_interval`, the gated delta rule in the others.
void qwen3_next_own(Config& c, Decoder& d) {
    DeltaNet n;
    n.key_heads = c.size_or("linear_num_key_heads", 16, most_heads);
    n.key_width = c.size_or("linear_key_head_dim", 128, most_width);
    n.value_heads = c.size_or("linear_num_value_heads", 32, most_heads);
    n.value_width = c.size_or("linear_value_head_dim", 128, most_width);
    n.kernel = c.size_or("linear_conv_kernel_dim", 4, most_taps);
    const std::int64_t step = c.size_or("full_attention_interval", 4, most_layers);
    const auto types = c.words("layer_types");
    for (std::size_t b = 0; b < d.stack.blocks.size(); ++b) {
        const bool full =
            b < types.size() ? types[b] == "full_attention" : (static_cast<std::int64_t>(b) + 1) % step == 0;
        Block& block = d.stack.blocks[b];
        block.attention.gated = true;
        block.attention.qk_norm = Attention::QkNorm::head;
        if (!full) block.state_space = n;
    }
    Experts e = read_experts(c, 512, 10, c.size_or("moe_intermediate_size", 512, most_width));
    e.shared_hidden = c.size_or("shared_expert_intermediate_size", 512, most_width, 0);
    e.shared_gate = true;
    put_qwen_experts(c, d, e);
}

/// Layers that see everything have wider heads, fewer of them for keys, and values that are the keys.
void gemma4_own(Config& c, Decoder& d) {
    for (const char* other : {"hidden_size_per_layer_input", "num_kv_shared_layers"})
        if (c.size_or(other, 0, most_width, 0, true) > 0)
            c.error(other, "A Gemma 4 with " + quoted(other) + " above 0 is not known here.",
                    "Write 0 to read the model without it.");
    read_windows(c, d, true, 512, 6);
    const std::int64_t width = c.size_or("global_head_dim", 512, most_width, 1, true);
    const bool alike = c.flag("attention_k_eq_v", false);
    const std::int64_t heads = d.stack.blocks[0].attention.heads,
                       kv = c.size_or("num_global_key_value_heads", d.stack.blocks[0].attention.kv_heads, most_heads, 1,
                                      true);
    if (heads % kv != 0)
        c.error("num_global_key_value_heads",
                std::to_string(kv) + " heads of keys and values do not divide " + std::to_string(heads) + " heads.",
                "Choose a number that divides the heads.");
    each_block(d, [&](Block& b) {
        b.attention.qk_norm = Attention::QkNorm::head;
        b.attention.values_normed = true;
        if (b.window > 0) return;
        b.attention.head_width = width;
        b.attention.values_are_keys = alike;
        if (alike) b.attention.kv_heads = kv;
    });
    if (!c.flag("enable_moe_block", false)) return;
    Experts e = read_experts(c, 0, 0, c.size("moe_intermediate_size", most_width));
    e.beside = e.scaled = true;
    put_experts(d, e, [](std::int64_t) { return true; });
}

constexpr DecoderFamily hybrids[] = {
    {.called = {"jamba", "Jamba", "Jamba"},
     .rotary = false,
     .fixed_biases = true,
     .sizes = {65536, 4096, 32, 32, 8, 0, 14336, 262144},
     .own = jamba_own},
    {.called = {"nemotron_h", "NemotronH", "Nemotron-H"},
     .rotary = false,
     .gated = false,
     .activation = "relu2",
     .sizes = {131072, 4096, 52, 32, 8, 128, 21504, 4096},
     .own = nemotron_h_own},
    {.called = {"qwen3_next", "Qwen3Next", "Qwen3-Next"},
     .sizes = {151936, 2048, 48, 16, 2, 256, 5632, 32768},
     .own = qwen3_next_own},
    {.called = {"gemma4_text", "Gemma4", "Gemma 4"},
     .order = Stack::Order::around,
     .activation = "gelu_pytorch_tanh",
     .tied = true,
     .sizes = {262144, 2304, 30, 8, 4, 256, 9216, 131072},
     .own = gemma4_own},
};

}  // namespace

std::span<const DecoderFamily> hybrid_families() { return hybrids; }

}  // namespace scalescope::formats::hugging_face
