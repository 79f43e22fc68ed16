// SPDX-License-Identifier: GPL-3.0-or-later
// Families after Llama: RMS normalization, gated feed-forward networks, rotary positions, grouped heads.
#include <algorithm>

#include "core/formats/hugging_face/decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

/// Windows are there only where the file switches them on, in its later layers.
void qwen2_own(Config& c, Decoder& d) {
    const bool used = c.flag("use_sliding_window", false);
    read_windows(c, d, used, 0, 0);
    const std::int64_t first = c.size_or("max_window_layers", 0, most_layers, 0, true);
    if (used && !c.has("layer_types"))
        for (std::int64_t b = 0; b < first && b < static_cast<std::int64_t>(d.stack.blocks.size()); ++b)
            d.stack.blocks[static_cast<std::size_t>(b)].window = 0;
}

/// The first Qwen: the file's width is that of gate and hidden layer together.
void qwen_own(Config&, Decoder& d) {
    each_block(d, [](Block& b) { b.mlp.hidden = std::max<std::int64_t>(1, b.mlp.hidden / 2); });
}

void gemma3_own(Config& c, Decoder& d) {
    read_windows(c, d, true, 4096, c.size_or("sliding_window_pattern _sliding_window_pattern", 6, most_layers));
}

void stablelm_own(Config& c, Decoder& d) {
    const bool bias = c.flag("use_qkv_bias", false);
    each_block(d, [&](Block& b) { b.attention.qkv_bias = bias; });
    if (c.flag("use_parallel_residual", false)) d.stack.order = Stack::Order::parallel;
    if (c.flag("qk_layernorm", false)) norm_each_head(d);
}

void chatglm_own(Config& c, Decoder& d) {
    const bool qkv = c.flag("add_qkv_bias", true), rest = c.flag("add_bias_linear", false);
    const bool grouped = c.flag("multi_query_attention", false);
    if (!c.flag("rmsnorm", true)) d.stack.norm = Norm::layer;
    d.final_norm = c.flag("post_layer_norm", true);
    each_block(d, [&](Block& b) {
        b.attention.qkv_bias = qkv || rest;
        b.attention.out_bias = b.mlp.bias = rest;
        if (!grouped) b.attention.kv_heads = b.attention.heads;
    });
}

/// The larger of the two that were published adds distances to the scores instead.
void baichuan_own(Config&, Decoder& d) {
    if (d.stack.width == 5120) each_block(d, [](Block& b) { b.attention.rotary = false; });
}

/// Queries and keys read a filter over neighbours.
void yuan_own(Config& c, Decoder& d) {
    each_block(d, [](Block& b) { b.attention.filtered = true; });
    if (d.stack.width % 2 != 0)
        c.error(names::width, "The filter halves the width, which is odd.", "Write an even width.");
}

constexpr DecoderFamily llamas[] = {
    {.called = {"llama", "Llama", "Llama"}, .sizes = {32000, 4096, 32, 32, 0, 0, 11008, 2048}},
    {.called = {"mistral", "Mistral", "Mistral"},
     .fixed_biases = true,
     .sizes = {32000, 4096, 32, 32, 8, 0, 14336, 131072},
     .windows = Windows{}},
    {.called = {"qwen2 qwen2_vl qwen2_5_vl qwen2_vl_text qwen2_5_vl_text", "Qwen2 Qwen2VL Qwen2_5_VL", "Qwen2"},
     .biases = {.qkv = true},
     .fixed_biases = true,
     .sizes = {151936, 4096, 32, 32, 0, 0, 22016, 32768},
     .own = qwen2_own},
    {.called = {"qwen3 qwen3_vl_text", "Qwen3", "Qwen3"},
     .qk_norm = Attention::QkNorm::head,
     .sizes = {151936, 4096, 32, 32, 0, 128, 22016, 32768},
     .own = read_switched_windows},
    {.called = {"qwen", "QWen", "Qwen"}, .biases = {.qkv = true}, .own = qwen_own},
    {.called = {"gemma", "Gemma", "Gemma"},
     .activation = "gelu_pytorch_tanh",
     .tied = true,
     .sizes = {256000, 3072, 28, 16, 16, 256, 24576, 8192}},
    {.called = {"gemma2", "Gemma2", "Gemma 2"},
     .order = Stack::Order::around,
     .activation = "gelu_pytorch_tanh",
     .tied = true,
     .sizes = {256000, 2304, 26, 8, 4, 256, 9216, 8192},
     .windows = Windows{4096, 2}},
    {.called = {"gemma3_text", "Gemma3", "Gemma 3"},
     .order = Stack::Order::around,
     .qk_norm = Attention::QkNorm::head,
     .activation = "gelu_pytorch_tanh",
     .tied = true,
     .sizes = {262208, 2304, 26, 8, 4, 256, 9216, 131072},
     .own = gemma3_own},
    {.called = {"phi3", "Phi3", "Phi-3"},
     .fixed_biases = true,
     .sizes = {32064, 3072, 32, 32, 0, 0, 8192, 4096},
     .windows = Windows{}},
    {.called = {"stablelm", "StableLm", "StableLM"},
     .norm = Norm::layer,
     .fixed_biases = true,
     .sizes = {50304, 2560, 32, 32, 0, 0, 6912, 4096},
     .own = stablelm_own},
    {.called = {"baichuan", "Baichuan", "Baichuan"}, .own = baichuan_own},
    {.called = {"yuan", "Yuan", "Yuan 2.0"}, .own = yuan_own},
    {.called = {"chatglm", "ChatGLM", "ChatGLM"}, .biases = {.qkv = true}, .own = chatglm_own},
};

}  // namespace

std::span<const DecoderFamily> llama_families() { return llamas; }

}  // namespace scalescope::formats::hugging_face
