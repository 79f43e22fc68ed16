// SPDX-License-Identifier: GPL-3.0-or-later
// Families of companies and institutes that publish their models: Llama's parts in other orders, norms and biases.

#include "core/formats/hugging_face/decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

void cohere_own(Config& c, Decoder& d) {
    if (c.flag("use_qk_norm", false)) norm_each_head(d);
}

/// Layers that see everything do so without positions.
void cohere2_own(Config& c, Decoder& d) {
    read_windows(c, d, true, 4096,
                 c.size_or("sliding_window_pattern _sliding_window_pattern", 4, most_layers, 1, true));
    each_block(d, [](Block& b) { b.attention.rotary = b.window > 0; });
}

void glm_own(Config&, Decoder& d) {
    each_block(d, [](Block& b) { b.attention.out_bias = false; });
}

/// As OLMo 3's, but that layers that see everything beside others with a window do so without positions.
void exaone4_own(Config& c, Decoder& d) {
    const bool slides = c.has("sliding_window");
    const auto pattern = c.find("sliding_window_pattern");
    const bool letters = pattern && pattern->is_string();  // "LLLG", of local and global layers
    read_windows(c, d, slides, 0,
                 letters ? static_cast<std::int64_t>(pattern->text().size())
                         : c.size_or("sliding_window_pattern", 4, most_layers, 1, true));
    each_block(d, [&](Block& b) { b.attention.rotary = !slides || b.window > 0; });
}

void internlm2_own(Config& c, Decoder& d) {
    const bool bias = c.flag("bias", true);
    each_block(d, [&](Block& b) { b.attention.qkv_bias = b.attention.out_bias = bias; });
}

void seed_own(Config& c, Decoder& d) {
    const bool bias = c.flag("attention_out_bias", false);
    each_block(d, [&](Block& b) { b.attention.out_bias = bias; });
}

/// An encoder in the form of a decoder: every position sees those behind it too, and masked words are filled in.
void modernbert_own(Config& c, Decoder& d) {
    const bool attention = c.flag("attention_bias", false), mlp = c.flag("mlp_bias", false);
    each_block(d, [&](Block& b) {
        b.attention.causal = false;
        b.attention.qkv_bias = b.attention.out_bias = attention;
        b.mlp.bias = mlp;
    });
    d.stack.blocks[0].normed = false;
    if (c.flag("norm_bias", false)) d.stack.norm = Norm::layer;
    d.stack.dropout = c.number("mlp_dropout", 0.0);
    d.embedding_norm = d.head_transform = true;
    d.head_bias = c.flag("decoder_bias", true);
    const std::int64_t local = c.size_or("local_attention sliding_window", 128, most_rows, 0, true);
    c.warn("Local attention (local_attention) is left out: every layer sees all tokens.",
           "This is exact for sequences of at most " + std::to_string(local / 2 + 1) + " tokens.");
}

constexpr DecoderFamily open_models[] = {
    {.called = {"starcoder2", "Starcoder2", "StarCoder2"},
     .norm = Norm::layer,
     .biases = {.mlp = true},
     .gated = false,
     .activation = "gelu_pytorch_tanh",
     .tied = true,
     .sizes = {49152, 3072, 30, 24, 2, 0, 12288, 4096},
     .windows = Windows{},
     .own = read_use_bias},
    {.called = {"cohere", "Cohere", "Command R"},
     .norm = Norm::layer_without_bias,
     .order = Stack::Order::parallel,
     .tied = true,
     .sizes = {256000, 8192, 40, 64, 0, 0, 22528, 8192},
     .own = cohere_own},
    {.called = {"cohere2", "Cohere2", "Command R7B"},
     .norm = Norm::layer_without_bias,
     .order = Stack::Order::parallel,
     .tied = true,
     .sizes = {256000, 8192, 40, 64, 0, 0, 22528, 8192},
     .own = cohere2_own},
    {.called = {"olmo", "Olmo", "OLMo"},
     .norm = Norm::layer_without_weights,
     .sizes = {50304, 4096, 32, 32, 0, 0, 11008, 2048}},
    {.called = {"olmo2", "Olmo2", "OLMo 2"},
     .order = Stack::Order::behind,
     .qk_norm = Attention::QkNorm::whole,
     .sizes = {50304, 4096, 32, 32, 0, 0, 11008, 2048}},
    {.called = {"olmo3", "Olmo3", "OLMo 3"},
     .order = Stack::Order::behind,
     .qk_norm = Attention::QkNorm::whole,
     .sizes = {50304, 4096, 32, 32, 0, 0, 11008, 2048},
     .windows = Windows{4096, 4}},
    {.called = {"granite", "Granite", "Granite"}, .sizes = {32000, 4096, 32, 32, 0, 0, 11008, 2048}},
    {.called = {"glm", "Glm", "GLM-4"}, .sizes = {151552, 4096, 40, 32, 2, 128, 13696, 131072}, .own = glm_own},
    {.called = {"glm4", "Glm4", "GLM-4-0414"},
     .order = Stack::Order::around,
     .sizes = {151552, 4096, 40, 32, 2, 128, 13696, 131072},
     .own = glm_own},
    {.called = {"smollm3", "SmolLM3", "SmolLM3"},
     .tied = true,
     .sizes = {128256, 2048, 36, 16, 4, 0, 11008, 32768},
     .own = read_unturned},
    {.called = {"nemotron", "Nemotron", "Nemotron"},
     .norm = Norm::layer,
     .gated = false,
     .activation = "relu2",
     .sizes = {256000, 6144, 32, 48, 0, 0, 24576, 4096}},
    {.called = {"exaone4", "Exaone4", "EXAONE 4.0"},
     .order = Stack::Order::behind,
     .qk_norm = Attention::QkNorm::head,
     .sizes = {102400, 4096, 32, 32, 0, 0, 16384, 2048},
     .own = exaone4_own},
    {.called = {"ernie4_5", "Ernie4_5", "ERNIE 4.5"},
     .fixed_biases = true,
     .tied = true,
     .sizes = {103424, 1024, 18, 16, 2, 128, 3072, 131072},
     .own = read_use_bias},
    {.called = {"modernbert", "ModernBert", "ModernBERT"},
     .norm = Norm::layer_without_bias,
     .activation = "gelu",
     .tied = true,
     .sizes = {50368, 768, 22, 12, 0, 0, 1152, 8192},
     .own = modernbert_own},
    {.called = {"internlm2", "InternLM2", "InternLM2"},
     .fixed_biases = true,
     .sizes = {103168, 4096, 32, 32, 0, 0, 11008, 2048},
     .own = internlm2_own},
    {.called = {"seed_oss", "SeedOss", "Seed-OSS"},
     .biases = {.qkv = true},
     .sizes = {155136, 4096, 32, 32, 8, 128, 27648, 524288},
     .own = seed_own},
};

}  // namespace

std::span<const DecoderFamily> open_families() { return open_models; }

}  // namespace scalescope::formats::hugging_face
