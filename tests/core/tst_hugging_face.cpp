// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations in the form of Hugging Face's: parameters and multiply-adds worked out by hand, what the files leave
// to defaults, and what is wrong with broken ones. A causal query counts the keys that it sees, not all.
#include <QtTest>

#include "core/formats/hugging_face/import.hpp"
#include "support_hugging_face.hpp"

using namespace scalescope;
using support::facts;
using support::has;
using support::messages;
using support::read;

namespace {

const std::string llama_figures = R"("vocab_size": 50, "hidden_size": 8, "num_hidden_layers": 1,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 12, "max_position_embeddings": 10)";

}  // namespace

class HuggingFace : public QObject {
    Q_OBJECT
private slots:
    void gpt2();
    void gpt2_without_a_family();
    void llama();
    void rotary_positions();
    void windows();
    void heads_of_another_width();
    void draft_head();
    void mixtral();
    void deepseek();
    void bert();
    void albert_shares_its_blocks();
    void encoders_that_know_distances();
    void modernbert();
    void t5();
    void bart();
    void text_of_several_kinds_of_data();
    void defaults_are_named();
    void recognized_by_content();
    void biases_that_no_key_decides();
    void norms_of_each_head();
    void experts_without_latent_attention();
    void exaone_without_positions();
    void images_beside_a_flat_text();
    void a_family_that_is_not_described();
    void advice_that_can_be_followed();
    void broken_data();
    void broken();
};

void HuggingFace::gpt2() {
    const auto n = read(R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 100, "n_embd": 8,
        "n_layer": 2, "n_head": 2, "n_positions": 16, "n_inner": null})");
    // tables, two blocks of 12·8² + 13·8, the last norm; the head is the table
    QCOMPARE(n->parameters(), std::int64_t{100 * 8 + 16 * 8 + 2 * (12 * 64 + 13 * 8) + 16});
    // 16 positions; 16·17/2 pairs, two heads of 4, keys and values
    QCOMPARE(n->multiply_adds(), std::int64_t{2 * (12 * 64 * 16 + 136 * 2 * 8) + 100 * 8 * 16});
    QCOMPARE(n->bindings()[0].value, std::int64_t{16});
    QCOMPARE(facts(n, "h1/attention/core").output, (Shape{16, 8}));
    QVERIFY(facts(n, "head/logits").shares);
    QVERIFY(has(n, "h0/attention/dropout") && has(n, "head/loss"));
}

void HuggingFace::gpt2_without_a_family() {
    Problems warnings;
    const std::string figures = R"("n_ctx": 16, "n_embd": 8, "n_head": 2, "n_layer": 2, "vocab_size": 100)";
    const auto n = read("{" + figures + "}", &warnings);
    QCOMPARE(n->parameters(), std::int64_t{2688});
    QVERIFY2(messages(warnings).find("model_type = gpt2") != std::string::npos, messages(warnings).c_str());
    // GPT of 2018 has a name of its own for the activation, and no norm at the end
    const auto older = read("{\"afn\": \"gelu\", " + figures + "}");
    QCOMPARE(older->parameters(), std::int64_t{2688 - 16});
}

void HuggingFace::llama() {
    const auto n = read("{\"model_type\": \"llama\", " + llama_figures + "}");
    // q, k, v, out; three matrices; two norms, the last one; table and head
    QCOMPARE(n->parameters(), std::int64_t{64 + 32 + 32 + 64 + 3 * 8 * 12 + 16 + 8 + 2 * 400});
    QCOMPARE(n->multiply_adds(), std::int64_t{10 * (192 + 288) + 55 * 4 * 4 + 10 * 400});
    const auto tied = read("{\"model_type\": \"llama\", \"tie_word_embeddings\": true, " + llama_figures + "}");
    QCOMPARE(tied->parameters(), n->parameters() - 400);
    const auto biased = read("{\"model_type\": \"llama\", \"attention_bias\": true, " + llama_figures + "}");
    QCOMPARE(biased->parameters(), n->parameters() + 8 + 4 + 4 + 8);
    // Qwen2 has biases that no key says, but for the last product
    const auto qwen = read("{\"model_type\": \"qwen2\", " + llama_figures + "}");
    QCOMPARE(qwen->parameters(), n->parameters() + 8 + 4 + 4);
}

/// Where positions turn queries and keys that is a layer, which reads and writes them once.
void HuggingFace::rotary_positions() {
    const auto llama = read("{\"model_type\": \"llama\", " + llama_figures + "}");
    QCOMPARE(facts(llama, "h0/attention/q_rotary").output, (Shape{10, 8}));
    QCOMPARE(facts(llama, "h0/attention/k_rotary").output, (Shape{10, 4}));
    const std::string small = R"("vocab_size": 100, "hidden_size": 8, "num_hidden_layers": 4, "num_attention_heads": 2,
        "num_key_value_heads": 2, "head_dim": 4, "intermediate_size": 12, "max_position_embeddings": 16)";
    for (const char* family : {"gptj", "gpt_neox", "falcon", "phi", "qwen2", "gemma", "mistral", "stablelm"})
        QVERIFY2(has(read("{\"model_type\": \"" + std::string(family) + "\", " + small + "}"), "h3/attention/k_rotary"),
                 family);
    for (const char* family : {"gpt2", "opt", "bloom", "mpt", "gpt_bigcode"})
        QVERIFY2(
            !has(read("{\"model_type\": \"" + std::string(family) + "\", " + small + "}"), "h0/attention/k_rotary"),
            family);
    QVERIFY(!has(read("{\"model_type\": \"falcon\", \"alibi\": true, " + small + "}"), "h0/attention/k_rotary"));
    // every fourth layer of Llama 4 knows no positions
    const auto scout = read("{\"model_type\": \"llama4_text\", \"intermediate_size_mlp\": 12, " + small + "}");
    QVERIFY(has(scout, "h2/attention/k_rotary") && !has(scout, "h3/attention/k_rotary"));
}

void HuggingFace::windows() {
    const auto n = read("{\"model_type\": \"mistral\", \"sliding_window\": 3, " + llama_figures + "}");
    // 1 + 2 + 8·3 pairs
    QCOMPARE(facts(n, "h0/attention/core").multiply_adds, std::int64_t{27 * 4 * 4});
    // Qwen2 keeps a window in its file that it does not use
    const auto unused = read("{\"model_type\": \"qwen2\", \"sliding_window\": 3, \"use_sliding_window\": false, " +
                             llama_figures + "}");
    QCOMPARE(facts(unused, "h0/attention/core").multiply_adds, std::int64_t{55 * 4 * 4});
}

void HuggingFace::heads_of_another_width() {
    const auto n = read("{\"model_type\": \"qwen3\", \"head_dim\": 3, " + llama_figures + "}");
    QCOMPARE(facts(n, "h0/attention/q").weights, std::int64_t{8 * 12});
    QCOMPARE(facts(n, "h0/attention/q_norm").weights, std::int64_t{3});
    QCOMPARE(facts(n, "h0/attention/out").weights, std::int64_t{12 * 8});
    QCOMPARE(facts(n, "h0/attention/core").output, (Shape{10, 12}));
}

/// Queries, keys and values are made of a token and of what the larger model says of it, side by side.
void HuggingFace::draft_head() {
    Problems warnings;
    const std::string head = R"({"model_type": "llama", "architectures": ["LlamaForCausalLMEagle3"], )";
    const auto n = read(head + "\"draft_vocab_size\": 20, " + llama_figures + "}", &warnings);
    // table; three states become one; q, k, v from twice the width, out; three matrices; four norms; the head
    QCOMPARE(n->parameters(), std::int64_t{400 + 3 * 64 + (128 + 64 + 64 + 64) + 3 * 8 * 12 + 4 * 8 + 8 * 20});
    QCOMPARE(n->multiply_adds(), std::int64_t{10 * (192 + 320 + 288 + 160) + 55 * 4 * 4});
    QCOMPARE(facts(n, "target_states").output, (Shape{10, 24}));
    QCOMPARE(facts(n, "h0/side_by_side").output, (Shape{10, 16}));
    QVERIFY(messages(warnings).find("guesses for a larger model") != std::string::npos);
    // what each sum adds to: the states before their norm, then the first sum
    const auto read_by = [&](const char* name) {
        std::vector<std::string> names;
        for (LayerId id : n->layers()[std::size_t(*n->position(name))].inputs)
            names.push_back(n->layers()[std::size_t(*n->position(id))].name);
        return names;
    };
    QCOMPARE(read_by("h0/sum_attention").front(), std::string("embeddings/states"));
    QCOMPARE(read_by("h0/sum_mlp").front(), std::string("h0/sum_attention"));
    // states of another width; a vocabulary that is not said is the model's, which a warning names
    warnings.clear();
    const auto wide = read(head + "\"target_hidden_size\": 16, " + llama_figures + "}", &warnings);
    QCOMPARE(wide->parameters(), n->parameters() + 3 * 8 * 8 + 8 * 30);
    QVERIFY(messages(warnings).find("draft_vocab_size = 50") != std::string::npos);
}

void HuggingFace::mixtral() {
    const auto n = read("{\"model_type\": \"mixtral\", \"num_local_experts\": 4, \"num_experts_per_tok\": 2, " +
                        llama_figures + "}");
    QCOMPARE(n->parameters(), std::int64_t{1304 - 288 + 8 * 4 + 4 * 288});
    QCOMPARE(n->multiply_adds(), std::int64_t{10 * (192 + 32 + 2 * 288) + 880 + 4000});
}

void HuggingFace::deepseek() {
    Problems warnings;
    const std::string figures =
        R"({"model_type": "deepseek_v3", "vocab_size": 10, "hidden_size": 8, "num_hidden_layers": 2,
        "num_attention_heads": 2, "q_lora_rank": 6, "kv_lora_rank": 5, "qk_nope_head_dim": 3, "qk_rope_head_dim": 2,
        "v_head_dim": 4, "intermediate_size": 7, "first_k_dense_replace": 1, "n_routed_experts": 4,
        "num_experts_per_tok": 2, "moe_intermediate_size": 3, "n_shared_experts": 1, "topk_method": "noaux_tc",
        "max_position_embeddings": 4, "num_nextn_predict_layers": 1)";
    const auto n = read(figures + '}', &warnings);
    const std::int64_t attention = 48 + 6 + 6 * 10 + 40 + 16 + 5 + 5 * 6 + 5 * 8 + 8 * 8;
    const std::int64_t experts = 8 * 4 + 4 + 4 * 72 + 72;  // router, its bias, experts, the shared one
    QCOMPARE(n->parameters(), 2 * (attention + 16) + 3 * 56 + experts + 8 + 2 * 80);
    // keys 5 wide, values 4; 10 pairs
    QCOMPARE(facts(n, "h1/attention/core").multiply_adds, std::int64_t{10 * 2 * 9});
    QCOMPARE(facts(n, "h0/attention/k").output, (Shape{4, 10}));
    // queries 10 wide, keys 10, values 8; the part of a key that carries the position is made once, 2 wide
    QCOMPARE(facts(n, "h0/attention/core").in_elements, std::int64_t{4 * 28});
    QCOMPARE(facts(n, "h0/attention/k_rotary").output, (Shape{4, 2}));
    QCOMPARE(facts(n, "h0/attention/k_position_heads").output, (Shape{4, 2, 2}));
    QCOMPARE(facts(n, "h0/attention/k_position_heads").in_elements, std::int64_t{8});
    QVERIFY(messages(warnings).find("further tokens") != std::string::npos);
    // A module has norms of tokens and states, a product of both, a block like the last one and a norm; the embedding
    // and the head are those of the model.
    warnings.clear();
    const auto further = read(figures + R"(, "mtp_num_layers": 1})", &warnings);
    QVERIFY(warnings.empty());
    QCOMPARE(further->parameters() - n->parameters(), 16 + 16 * 8 + (attention + 16) + experts + 8);
    QCOMPARE(further->multiply_adds() - n->multiply_adds(),
             4 * 16 * 8 + 4 * 80 + facts(n, "h1/attention/core").multiply_adds +
                 4 * (48 + 6 * 10 + 40 + 16 + 5 * 6 + 5 * 8 + 8 * 8) + 4 * (8 * 4 + 2 * 72 + 72));
    // The modules follow each other.
    const auto two = read(figures + R"(, "mtp_num_layers": 2})", &warnings);
    QCOMPARE(two->parameters() - further->parameters(), further->parameters() - n->parameters());
    QVERIFY(two->position("mtp1/h0/attention/core").has_value());
}

void HuggingFace::bert() {
    Problems warnings;
    const auto n = read(R"({"model_type": "bert", "vocab_size": 20, "hidden_size": 4, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 6, "type_vocab_size": 2,
        "hidden_dropout_prob": 0})",
                        &warnings);
    QCOMPARE(n->parameters(), std::int64_t{80 + 24 + 8 + 8 + (4 * 20 + 76 + 16) + (20 + 8 + 20)});
    // every position sees every one
    QCOMPARE(n->multiply_adds(), std::int64_t{6 * (64 + 64) + 36 * 2 * 4 + 6 * (16 + 80)});
    QVERIFY(!has(n, "h0/attention/dropout"));
    QVERIFY(messages(warnings).find("pooler") != std::string::npos);
}

void HuggingFace::albert_shares_its_blocks() {
    const auto n = read(R"({"model_type": "albert", "vocab_size": 20, "embedding_size": 2, "hidden_size": 4,
        "num_hidden_layers": 3, "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 6,
        "type_vocab_size": 2})");
    QCOMPARE(n->parameters(), std::int64_t{40 + 12 + 4 + 4 + (2 * 4 + 4) + 172 + (10 + 4 + 20)});
    QCOMPARE(facts(n, "h2/mlp/up").multiply_adds, std::int64_t{6 * 32});
}

/// MPNet has a score for each distance and head, DeBERTa a table of distances in place of that of positions.
void HuggingFace::encoders_that_know_distances() {
    const std::string figures = R"("vocab_size": 20, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 8, "max_position_embeddings": 6, "type_vocab_size": 0)";
    const auto bert = read("{\"model_type\": \"bert\", " + figures + "}");
    const auto mpnet = read(R"({"model_type": "mpnet", "relative_attention_num_buckets": 5, )" + figures + "}");
    QCOMPARE(mpnet->parameters(), bert->parameters() + 5 * 2);
    Problems warnings;
    const std::string deberta = R"({"model_type": "deberta-v2", "position_biased_input": false, "share_att_key": true,
        "relative_attention": true, "norm_rel_ebd": "layer_norm", "max_relative_positions": -1, )";
    const auto n = read(deberta + R"("position_buckets": 3, )" + figures + "}", &warnings);
    QCOMPARE(n->parameters(), bert->parameters() - 6 * 4 + 2 * 3 * 4 + 8);
    QVERIFY2(messages(warnings).find("sequence × 6 × 4") != std::string::npos, messages(warnings).c_str());
    QCOMPARE(read(deberta + figures + "}")->parameters(), n->parameters() + 2 * 3 * 4);  // as many as positions
    QCOMPARE(read("{\"model_type\": \"deberta-v2\", " + figures + "}")->parameters(), bert->parameters());
}

/// An encoder whose first block has no norm before its attention; no layer but the head has a bias.
void HuggingFace::modernbert() {
    Problems warnings;
    const auto n = read(R"({"model_type": "modernbert", "vocab_size": 20, "hidden_size": 4, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 6, "local_attention": 128})",
                        &warnings);
    QCOMPARE(n->parameters(), std::int64_t{80 + 4 + 2 * (64 + 96) + 3 * 4 + 4 + (16 + 4 + 20)});
    // every position sees every one
    QCOMPARE(facts(n, "h1/attention/core").multiply_adds, std::int64_t{36 * 2 * 4});
    QVERIFY(!has(n, "h0/norm_attention") && has(n, "h1/norm_attention") && has(n, "h0/attention/q_rotary"));
    QVERIFY2(messages(warnings).find("at most 65 tokens") != std::string::npos, messages(warnings).c_str());
}

void HuggingFace::t5() {
    const auto n = read(R"({"model_type": "t5", "vocab_size": 10, "d_model": 4, "d_kv": 3, "num_heads": 2, "d_ff": 5,
        "num_layers": 1, "relative_attention_num_buckets": 8})");
    const std::int64_t attention = 4 * 4 * 6, feed = 2 * 4 * 5, norm = 4, distances = 8 * 2;
    const std::int64_t encoder = attention + feed + 3 * norm + distances,
                       decoder = 2 * attention + feed + 4 * norm + distances;
    QCOMPARE(n->parameters(), 40 + encoder + decoder);
    // every block of umT5 has scores of its own; here a second one in both halves
    const auto own = read(R"({"model_type": "umt5", "vocab_size": 10, "d_model": 4, "d_kv": 3, "num_heads": 2,
        "d_ff": 5, "num_layers": 2, "relative_attention_num_buckets": 8})");
    QCOMPARE(own->parameters(), n->parameters() + encoder - norm + decoder - norm);
    QCOMPARE(n->bindings().size(), std::size_t{2});
    const std::vector<Binding> lengths{{"sequence", 3}, {"source_sequence", 7}};
    const auto m = n->with(lengths);
    QVERIFY(m.has_value());
    QCOMPARE(facts(*m, "decoder_h0/cross/core").multiply_adds, std::int64_t{3 * 7 * 2 * 6});
    QCOMPARE(facts(*m, "decoder_h0/attention/core").multiply_adds, std::int64_t{6 * 2 * 6});
    QCOMPARE(facts(*m, "encoder_h0/attention/core").multiply_adds, std::int64_t{49 * 2 * 6});
}

/// Norms stand behind their sums, the third of a decoder's block behind its reading of the encoder; mBART's stand
/// before.
void HuggingFace::bart() {
    const std::string figures = R"("vocab_size": 10, "d_model": 4, "encoder_layers": 1, "decoder_layers": 2,
        "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 5, "decoder_ffn_dim": 6,
        "max_position_embeddings": 7})";
    const std::int64_t attention = 4 * 16 + 4 * 4, norm = 8, encoder = attention + 2 * 4 * 5 + 5 + 4 + 2 * norm,
                       decoder = 2 * attention + 2 * 4 * 6 + 6 + 4 + 3 * norm;
    const auto n = read("{\"model_type\": \"bart\", " + figures);
    QCOMPARE(n->parameters(), 40 + 2 * (9 * 4 + norm) + encoder + 2 * decoder);
    const auto read_by = [&](const char* name) {
        return n->layers()[std::size_t(*n->position(n->layers()[std::size_t(*n->position(name))].inputs[0]))].name;
    };
    QCOMPARE(read_by("decoder_h1/norm_cross"), std::string("decoder_h1/sum_cross"));
    QCOMPARE(read_by("decoder_h1/mlp/up"), std::string("decoder_h1/norm_cross"));
    QVERIFY(facts(n, "head/logits").shares && facts(n, "decoder/tokens").shares);
    QCOMPARE(read("{\"model_type\": \"mbart\", " + figures)->parameters(), n->parameters() + 2 * norm);
    // sines are not trained
    QCOMPARE(read("{\"model_type\": \"marian\", " + figures)->parameters(), 40 + encoder + 2 * decoder);
    const std::vector<Binding> lengths{{"sequence", 3}, {"source_sequence", 7}};
    const auto m = n->with(lengths);
    QVERIFY(m.has_value());
    QCOMPARE(facts(*m, "decoder_h0/cross/core").multiply_adds, std::int64_t{3 * 7 * 2 * 4});
    QCOMPARE(facts(*m, "decoder_h0/attention/core").multiply_adds, std::int64_t{6 * 2 * 4});
}

void HuggingFace::text_of_several_kinds_of_data() {
    Problems warnings;
    const auto n = read(
        "{\"model_type\": \"voxtral\", \"audio_config\": {\"hidden_size\": 5},\n \"text_config\": "
        "{\"model_type\": \"llama\", " +
            llama_figures + "}}",
        &warnings);
    QCOMPARE(n->parameters(), std::int64_t{1304});
    QVERIFY2(messages(warnings).find("audio_config") != std::string::npos, messages(warnings).c_str());
}

void HuggingFace::defaults_are_named() {
    Problems warnings;
    const auto n = read(R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 1})", &warnings);
    QCOMPARE(facts(n, "embeddings/tokens").weights, std::int64_t{32000 * 64});
    const std::string said = messages(warnings);
    for (const char* figure : {"vocab_size = 32000", "num_attention_heads = 32", "intermediate_size = 11008",
                               "max_position_embeddings = 2048"})
        QVERIFY2(said.find(figure) != std::string::npos, said.c_str());
}

void HuggingFace::recognized_by_content() {
    QVERIFY(formats::is_hugging_face_config(R"({"model_type": "x"})"));
    QVERIFY(formats::is_hugging_face_config("\n {\"architectures\": []}"));
    QVERIFY(formats::is_hugging_face_config(R"({"n_embd": 1, "n_layer": 1})"));
    QVERIFY(!formats::is_hugging_face_config(R"({"format": "scalescope-network", "model_type": "x"})"));
    QVERIFY(!formats::is_hugging_face_config(R"({"layers": {}, "model_type": "x"})"));
    QVERIFY(!formats::is_hugging_face_config(R"(["model_type"])"));
    QVERIFY(!formats::is_hugging_face_config(""));
}

/// transformers builds these with biases, or without, whatever "attention_bias" says; Llama as it says.
void HuggingFace::biases_that_no_key_decides() {
    const auto parameters = [](const std::string& family, const std::string& bias) {
        return read("{\"model_type\": \"" + family + R"(", "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 12)" +
                    bias + "}")
            ->parameters();
    };
    for (const char* family : {"phi", "qwen2", "mistral", "phi3", "mixtral", "stablelm", "jamba"})
        for (const char* bias : {R"(, "attention_bias": true)", R"(, "attention_bias": false, "mlp_bias": true)"})
            QCOMPARE(parameters(family, bias), parameters(family, ""));
    QCOMPARE(parameters("llama", R"(, "attention_bias": true)"), parameters("llama", "") + 2 * 4 * 8);
    QCOMPARE(parameters("qwen3", R"(, "attention_bias": true)"), parameters("qwen3", "") + 2 * (3 * 256 + 8));
}

/// Each head's queries and keys are normalized apart, with a factor for every one of their numbers; Phi's heads share
/// one norm, with a bias. Qwen2-MoE says of its biases under a name of its own.
void HuggingFace::norms_of_each_head() {
    const auto parameters = [](const std::string& family, const std::string& more) {
        return read("{\"model_type\": \"" + family + "\", " + llama_figures + more + "}")->parameters();
    };
    const auto n = read("{\"model_type\": \"stablelm\", \"qk_layernorm\": true, " + llama_figures + "}");
    QCOMPARE(n->parameters(), parameters("stablelm", "") + 8 + 4);
    QCOMPARE(facts(n, "h0/attention/q_norm").output, (Shape{10, 4, 2}));
    QCOMPARE(facts(n, "h0/attention/q_norm").weights, std::int64_t{0});
    QCOMPARE(facts(n, "h0/attention/k_norm_scale").weights, std::int64_t{4});
    QCOMPARE(parameters("cohere", ", \"use_qk_norm\": true"), parameters("cohere", "") + 8 + 4);
    QCOMPARE(parameters("phi", ", \"qk_layernorm\": true"), parameters("phi", "") + 2 * 4);
    const std::string experts = R"(, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 4)";
    QCOMPARE(parameters("qwen2_moe", experts + ", \"qkv_bias\": false"), parameters("qwen2_moe", experts) - 8 - 4 - 4);
}

/// DeepSeek's first mixture, GLM-4.5's and ERNIE 4.5's: a dense block, then experts and one that all go through.
void HuggingFace::experts_without_latent_attention() {
    const auto parameters = [&](const std::string& family, const std::string& more) {
        std::string text = "{\"model_type\": \"" + family + "\", " + llama_figures + more + "}";
        text.replace(text.find("\"num_hidden_layers\": 1"), 22, "\"num_hidden_layers\": 2");
        return read(text)->parameters();
    };
    const std::string plain = R"(, "moe_intermediate_size": 3, "n_routed_experts": 4, "num_experts_per_tok": 2,
        "n_shared_experts": 2, "first_k_dense_replace": 1, "tie_word_embeddings": false)";
    // in place of the second block's network a router, four experts and a shared one of twice their width
    const std::int64_t two = parameters("llama", "") - 288 + 8 * 4 + 4 * 72 + 144;
    QCOMPARE(parameters("deepseek", plain), two);
    QCOMPARE(parameters("glm4_moe", plain + R"(, "attention_bias": true)"), two + 4 + 2 * 16);
    QCOMPARE(parameters("glm4_moe", plain + R"(, "use_qk_norm": true)"), two + 4 + 2 * 4);
    QCOMPARE(parameters("ernie4_5_moe", R"(, "moe_intermediate_size": 3, "moe_num_experts": 4, "moe_k": 2,
        "moe_num_shared_experts": 2, "moe_layer_start_index": 1, "tie_word_embeddings": false)"),
             two + 4);
}

void HuggingFace::exaone_without_positions() {
    const auto turned = [](const std::string& more, const char* layer) {
        std::string text = "{\"model_type\": \"exaone4\", " + llama_figures + more + "}";
        text.replace(text.find("\"num_hidden_layers\": 1"), 22, "\"num_hidden_layers\": 3");
        return has(read(text), layer);
    };
    const std::string slides = R"(, "sliding_window": 3, "sliding_window_pattern": "LG")";
    QVERIFY(turned(slides, "h0/attention/q_rotary") && !turned(slides, "h1/attention/q_rotary"));
    QVERIFY(turned(slides, "h2/attention/q_rotary"));
    QVERIFY(turned("", "h1/attention/q_rotary"));
}

/// Qwen2-VL's first files have the figures of the text beside those of images; later ones have them in an object.
void HuggingFace::images_beside_a_flat_text() {
    const std::string head = R"({"model_type": "qwen2_vl", "architectures": ["Qwen2VLForConditionalGeneration"],
        "vision_config": {"depth": 2}, )";
    Problems warnings;
    const auto flat = read(head + llama_figures + "}", &warnings);
    QCOMPARE(flat->parameters(), read("{\"model_type\": \"qwen2\", " + llama_figures + "}")->parameters());
    QVERIFY2(messages(warnings).find("vision_config") != std::string::npos, messages(warnings).c_str());
    const auto nested = read(head + R"("text_config": {"model_type": "qwen2_vl_text", )" + llama_figures + "}}");
    QCOMPARE(nested->parameters(), flat->parameters());
}

/// A family that nobody described opens as a plain decoder if it has its figures, and every assumption is a warning.
void HuggingFace::a_family_that_is_not_described() {
    const std::string figures = R"(, "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 12, "max_position_embeddings": 16)";
    Problems warnings;
    const auto n =
        read(R"({"model_type": "wonder", "architectures": ["WonderForCausalLM"])" + figures + "}", &warnings);
    const auto llama = read(R"({"model_type": "llama")" + figures + "}");
    QCOMPARE(n->parameters(), llama->parameters());
    QCOMPARE(n->layers().size(), llama->layers().size());
    const std::string said = messages(warnings);
    for (const char* assumed : {"RMS normalization", "rotary positions", "gated feed-forward", "no biases"})
        QVERIFY2(said.find(assumed) != std::string::npos, said.c_str());
    // Every layer but the input states what was assumed of it; in a known family none does.
    for (const Layer& l : n->layers()) QVERIFY2(l.assumed.empty() == (l.kind->name == "input"), l.name.c_str());
    for (const Layer& l : llama->layers()) QVERIFY2(l.assumed.empty(), l.name.c_str());
    const auto assumed = [&](const char* name) {
        return n->layers()[static_cast<std::size_t>(*n->position(name))].assumed;
    };
    QCOMPARE(
        assumed("h1/attention/core"),
        std::string("Assumed: rotary positions, causal attention to all earlier tokens with 2 heads, 2 of them for "
                    "keys and values. Assumed: no biases."));
    QVERIFY(assumed("h0/mlp/down").starts_with("Assumed: a gated feed-forward network"));
    QVERIFY(assumed("final_norm").starts_with("Assumed: RMS normalization"));
    QCOMPARE(assumed("head/logits"), std::string("Assumed: the head has weights of its own."));
    // without one of the figures, or for another task, it is refused
    const auto lacks = formats::read_any_network(
        R"({"model_type": "wonder", "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 2})", "config.json");
    QVERIFY(!lacks && messages(lacks.error()).find("it lacks heads, hidden width, positions") != std::string::npos);
    QVERIFY(!formats::read_any_network(
        R"({"model_type": "wonder", "architectures": ["WonderForMusic"])" + figures + "}", "config.json"));
}

/// What a message says to do about a family that is not known is enough.
void HuggingFace::advice_that_can_be_followed() {
    const auto text = [](const std::string& family, const std::string& classes) {
        return "{\"model_type\": \"" + family + R"(", "vocab_size": 40, "hidden_size": 8, "num_hidden_layers": 2,
            "num_attention_heads": 2, "intermediate_size": 12, "max_position_embeddings": 16)" +
               classes + "}";
    };
    const std::string types = R"(, "type_vocab_size": 2)";
    for (const std::string& of : {std::string(R"(, "architectures": ["WonderForMusic"])"), std::string()}) {
        const auto refused = formats::read_any_network(text("wonder", of + types), "config.json");
        QVERIFY(!refused);
        const std::string& advice = refused.error().front().remedy;
        QVERIFY2(advice.find("\"model_type\": \"bert\"") != std::string::npos, advice.c_str());
        QVERIFY2(advice.find("ONNX") != std::string::npos, advice.c_str());
        const bool take_out = advice.find(R"(take "architectures" out)") != std::string::npos;
        QCOMPARE(take_out, !of.empty());
        const auto followed = formats::read_any_network(text("bert", types + (take_out ? "" : of)), "config.json");
        QVERIFY2(followed.has_value(), followed ? "" : messages(followed.error()).c_str());
    }
    // nothing that a Llama could stand for
    const auto images = formats::read_any_network(text("wonder", R"(, "image_size": 224)"), "config.json");
    QVERIFY(!images);
    const std::string& advice = images.error().front().remedy;
    QVERIFY2(advice.find("llama") == std::string::npos && advice.find("ONNX") != std::string::npos, advice.c_str());
}

void HuggingFace::broken_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* text, const char* place, const char* words) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(place) << QString::fromUtf8(words);
    };
    row("no number", "{\"model_type\": \"gpt2\",\n \"n_embd\": \"wide\"}", "2:12", "\"n_embd\" must be a whole number");
    row("too many layers", "{\"model_type\": \"gpt2\",\n \"n_layer\": 2147483648}", "2:13", "from 1 to 4096");
    row("negative", "{\"model_type\": \"gpt2\", \"vocab_size\": -1}", "1:38", "\"vocab_size\"");
    row("heads", "{\"model_type\": \"gpt2\",\n \"n_embd\": 10, \"n_head\": 4}", "2:26", "does not divide by 4 heads");
    row("kv heads", "{\"model_type\": \"llama\", \"num_key_value_heads\": 5}", "1:48",
        "5 heads of keys and values do not divide 32");
    row("activation", "{\"model_type\": \"gpt2\", \"activation_function\": \"soft\"}", "1:47",
        "no activation \"soft\"");
    row("missing", "{\"model_type\": \"baichuan\", \"hidden_size\": 8}", "1:1",
        "num_hidden_layers (or n_layer, n_layers, num_layers)");
    row("unknown", "{\"model_type\": \"retnet\", \"hidden_size\": 8}", "1:16",
        "The family \"retnet\" is not known here; of the figures of a plain decoder it has width, it lacks layers");
    row("class", "{\"model_type\": \"llama\",\n \"architectures\": [\"LlamaForCausalLMMedusa\"]}", "2:19",
        "none of the family Llama, which model_type says: its layers may be others; of the figures of a plain decoder "
        "it "
        "has none, it lacks layers, width");
    row("head of two layers",
        "{\"model_type\": \"llama\", \"architectures\": [\"LlamaForCausalLMEagle3\"],\n \"num_hidden_layers\": 2}",
        "2:23", "A draft head of 2 layers is not known here");
    row("head with norms",
        "{\"model_type\": \"llama\", \"architectures\": [\"LlamaForCausalLMEagle3\"],\n \"num_hidden_layers\": 1, "
        "\"fc_norm\": true}",
        "2:37", "A draft head with \"fc_norm\"");
    row("head with a last norm",
        "{\"model_type\": \"llama\", \"architectures\": [\"LlamaForCausalLMEagle3\"],\n \"num_hidden_layers\": 1, "
        "\"norm_output\": true}",
        "2:41", "A draft head with \"norm_output\"");
    row("head of the last layer",
        "{\"model_type\": \"llama\", \"architectures\": [\"LlamaForCausalLMEagle3\"],\n \"num_hidden_layers\": 1, "
        "\"eagle_config\": {\"use_aux_hidden_state\": false}}",
        "2:42", "reads only the last layer's states");
    row("experts", "{\"model_type\": \"mixtral\",\n \"num_local_experts\": 2, \"num_experts_per_tok\": 3}", "2:49",
        "through 3 of 2 experts");
    row("convolution", "{\"model_type\": \"deberta-v2\",\n \"conv_kernel_size\": 3}", "2:22", "convolution");
    row("distances", "{\"model_type\": \"deberta-v2\",\n \"relative_attention\": true}", "2:24",
        "products of their own");
    row("true", "{\"model_type\": \"llama\", \"tie_word_embeddings\": 1}", "1:48", "must be true or false");
    row("cut off", "{\"model_type\": \"llama\", ", "1:", "");
    row("nothing said", "{\"architectures\": []}", "1:1", "does not say of which family");
}

void HuggingFace::broken() {
    QFETCH(QString, text);
    QFETCH(QString, place);
    QFETCH(QString, words);
    const auto network = formats::read_any_network(text.toStdString(), "c.json");
    QVERIFY(!network);
    const auto said = QString::fromStdString(to_text(network.error().front()));
    QVERIFY2(said.startsWith(QStringLiteral("c.json:") + place), qPrintable(said));
    QVERIFY2(said.contains(words), qPrintable(said));
    for (const Problem& p : network.error()) QVERIFY2(!p.remedy.empty(), to_text(p).c_str());
}

QTEST_APPLESS_MAIN(HuggingFace)
#include "tst_hugging_face.moc"
