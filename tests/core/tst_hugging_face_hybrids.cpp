// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of models whose blocks are not all of one sort, in the form of Hugging Face's: parameters and
// multiply-adds worked out by hand. What scans a sequence is a layer of unknown kind, counted as such.
#include <QtTest>

#include "support_hugging_face.hpp"

using namespace scalescope;
using support::facts;
using support::has;
using support::read;

namespace {

std::string refused(const std::string& text) {
    const auto network = formats::read_any_network(text, "c.json");
    return network ? std::string("read") : to_text(network.error().front());
}

}  // namespace

class HuggingFaceHybrids : public QObject {
    Q_OBJECT
private slots:
    void jamba();
    void nemotron_h();
    void numbers_without_end();
    void qwen3_next();
    void gemma4();
    void yuan();
    void refused_variants();
};

void HuggingFaceHybrids::jamba() {
    const auto n = read(R"({"model_type": "jamba", "architectures": ["JambaForCausalLM"], "vocab_size": 20,
        "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
        "intermediate_size": 6, "mamba_expand": 2, "mamba_d_state": 3, "mamba_d_conv": 4, "mamba_dt_rank": 5,
        "attn_layer_period": 2, "attn_layer_offset": 1, "expert_layer_period": 2, "expert_layer_offset": 1,
        "num_experts": 3, "num_experts_per_tok": 2, "max_position_embeddings": 10})");
    const std::int64_t inner = 16;
    // in, gate, convolution and its bias, what steers the scan and its norms, decay and skip, out
    const std::int64_t mamba = 2 * 8 * inner + 4 * inner + inner + inner * (5 + 3 + 3) + 5 + 3 + 3 + 5 * inner + inner +
                               inner * 3 + inner + inner * 8;
    const std::int64_t attention = 64 + 32 + 32 + 64, mlp = 3 * 8 * 6, experts = 8 * 3 + 3 * mlp;
    QCOMPARE(n->parameters(), 2 * 20 * 8 + mamba + attention + mlp + experts + 4 * 8 + 8);
    QCOMPARE(n->unknown_kinds(), 1);
    QCOMPARE(facts(n, "h0/state_space/scan").output, (Shape{10, inner}));
    QCOMPARE(facts(n, "h0/state_space/convolution").output, (Shape{10, inner}));
    const std::int64_t of_mamba = 10 * (2 * 8 * inner + 4 * inner + inner * 11 + 5 * inner + inner * 8);
    QCOMPARE(n->multiply_adds(), of_mamba + 10 * (attention + mlp + 24 + 2 * mlp) + 55 * 2 * 8 + 10 * 8 * 20);
    QVERIFY(!has(n, "h1/attention/q_rotary"));
    const auto automatic = read(R"({"model_type": "jamba", "vocab_size": 20, "hidden_size": 32,
        "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 6,
        "mamba_dt_rank": "auto", "num_experts": 1})");
    QCOMPARE(facts(automatic, "h0/state_space/step_low").output.back(), std::int64_t{2});  // a sixteenth
}

void HuggingFaceHybrids::nemotron_h() {
    const auto n = read(R"({"model_type": "nemotron_h", "vocab_size": 20, "hidden_size": 8, "num_hidden_layers": 3,
        "hybrid_override_pattern": "M-*", "num_attention_heads": 2, "num_key_value_heads": 1, "attention_head_dim": 6,
        "intermediate_size": 5, "mamba_num_heads": 4, "mamba_head_dim": 3, "n_groups": 2, "ssm_state_size": 7,
        "conv_kernel": 4, "max_position_embeddings": 10, "tie_word_embeddings": false})");
    const std::int64_t inner = 12, mixed = 12 + 2 * 2 * 7;
    const std::int64_t mamba = 8 * (inner + mixed + 4) + 5 * mixed + 3 * 4 + inner + inner * 8;
    const std::int64_t attention = 8 * 12 + 2 * 8 * 6 + 12 * 8, mlp = 2 * 8 * 5;
    QCOMPARE(n->parameters(), 2 * 20 * 8 + mamba + attention + mlp + 3 * 8 + 8);
    QCOMPARE(facts(n, "h0/state_space/scan").output, (Shape{10, inner}));
    QVERIFY(!has(n, "h0/mlp/up") && !has(n, "h1/attention/core") && has(n, "h1/mlp/up") && has(n, "h2/attention/core"));
    QCOMPARE(n->multiply_adds(),
             10 * (8 * (inner + mixed + 4) + 4 * mixed + inner * 8 + attention + mlp) + 55 * 2 * 12 + 10 * 8 * 20);
    const std::string said = refused(R"({"model_type": "nemotron_h", "num_hidden_layers": 2,
        "hybrid_override_pattern": "M"})");
    QVERIFY2(said.find("1 letters for 2 layers") != std::string::npos, said.c_str());
}

void HuggingFaceHybrids::numbers_without_end() {
    const auto n =
        read(R"({"model_type": "llama", "note": "\" Infinity", "time_step_limit": [0.0, Infinity, -Infinity, NaN],
        "vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 4, "intermediate_size": 12,
        "max_position_embeddings": 10})");
    QCOMPARE(facts(n, "embeddings/tokens").weights, std::int64_t{400});
    // places are those of the file
    const std::string said = refused("{\"model_type\": \"llama\", \"a\": -Infinity, \"hidden_size\": 0}");
    QVERIFY2(said.starts_with("c.json:1:56"), said.c_str());
    QVERIFY(refused("{\"model_type\": \"llama\", \"a\": Infinite}") != "read");
}

void HuggingFaceHybrids::qwen3_next() {
    const auto n = read(R"({"model_type": "qwen3_next", "vocab_size": 20, "hidden_size": 8, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 6, "full_attention_interval": 2,
        "linear_num_key_heads": 2, "linear_key_head_dim": 3, "linear_num_value_heads": 4, "linear_value_head_dim": 5,
        "linear_conv_kernel_dim": 4, "num_experts": 3, "num_experts_per_tok": 2, "moe_intermediate_size": 7,
        "shared_expert_intermediate_size": 9, "intermediate_size": 11, "max_position_embeddings": 10})");
    const std::int64_t mixed = 2 * 2 * 3 + 20;
    const std::int64_t linear = 8 * mixed + 4 * mixed + 8 * 20 + 8 * 8 + 2 * 4 + 5 + 20 * 8;
    const std::int64_t full = 2 * 8 * 12 + 2 * 8 * 6 + 2 * 6 + 12 * 8;  // queries and their gate
    const std::int64_t experts = 8 * 3 + 3 * 3 * 8 * 7 + 3 * 8 * 9 + 8;
    QCOMPARE(n->parameters(), 2 * 20 * 8 + linear + full + 2 * (experts + 16) + 8);
    QCOMPARE(n->unknown_kinds(), 1);
    QCOMPARE(facts(n, "h1/attention/gated").output, (Shape{10, 12}));
    QVERIFY(has(n, "h1/attention/q_rotary") && !has(n, "h0/attention/core"));
}

void HuggingFaceHybrids::gemma4() {
    const std::string figures = R"("model_type": "gemma4_text", "vocab_size": 20, "hidden_size": 8,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6, "global_head_dim": 10,
        "num_global_key_value_heads": 1, "attention_k_eq_v": true, "layer_types": ["sliding_attention", "full_attention"],
        "sliding_window": 3, "intermediate_size": 5, "max_position_embeddings": 10)";
    const auto n = read("{" + figures + "}");
    const std::int64_t slides = 8 * 24 + 2 * 8 * 12 + 24 * 8 + 2 * 6, full = 8 * 40 + 8 * 10 + 40 * 8 + 2 * 10;
    QCOMPARE(n->parameters(), 20 * 8 + slides + full + 2 * (3 * 8 * 5 + 4 * 8) + 8);
    QCOMPARE(facts(n, "h0/attention/core").multiply_adds, std::int64_t{27 * 4 * 12});
    QCOMPARE(facts(n, "h1/attention/core").multiply_adds, std::int64_t{55 * 4 * 20});
    const auto sparse = read("{" + figures +
                             R"(, "enable_moe_block": true, "num_experts": 3, "top_k_experts": 2,
        "moe_intermediate_size": 7})");
    // experts beside the network: router, its factors, theirs, three norms
    QCOMPARE(sparse->parameters(), n->parameters() + 2 * (8 * 3 + 8 + 3 + 3 * 3 * 8 * 7 + 3 * 8));
}

void HuggingFaceHybrids::yuan() {
    const auto n = read(R"({"model_type": "yuan", "vocab_size": 20, "hidden_size": 8, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 6, "max_position_embeddings": 10, "tie_word_embeddings": true})");
    const std::int64_t filter = 2 * 8 * 4 + 4 + 2 * 4 * 8 + 8 + 8;
    QCOMPARE(n->parameters(), 20 * 8 + filter + 4 * 64 + 3 * 8 * 6 + 16 + 8);
    QCOMPARE(facts(n, "h0/attention/filter1").output, (Shape{10, 4}));
    QCOMPARE(facts(n, "h0/attention/filter2").output, (Shape{10, 8}));
    QCOMPARE(n->multiply_adds(),
             std::int64_t{10 * (2 * 8 * 4 + 2 * 4 * 8 + 4 * 64 + 3 * 8 * 6) + 55 * 2 * 8 + 10 * 8 * 20});
}

void HuggingFaceHybrids::refused_variants() {
    for (const auto& [text, words] :
         {std::pair(R"({"model_type": "nemotron_h", "num_hidden_layers": 2, "hybrid_override_pattern": "MQ"})",
                    "The layer \"Q\" of the pattern"),
          std::pair(R"({"model_type": "gemma4_text", "hidden_size_per_layer_input": 256})",
                    "\"hidden_size_per_layer_input\" above 0"),
          std::pair(R"({"model_type": "yuan", "vocab_size": 20, "hidden_size": 9, "num_hidden_layers": 1,
              "num_attention_heads": 3, "intermediate_size": 6})",
                    "which is odd")}) {
        const std::string said = refused(text);
        QVERIFY2(said.find(words) != std::string::npos, said.c_str());
    }
}

QTEST_APPLESS_MAIN(HuggingFaceHybrids)
#include "tst_hugging_face_hybrids.moc"
