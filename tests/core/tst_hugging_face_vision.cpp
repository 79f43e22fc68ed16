// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of models that read images or sound, in the form of Hugging Face's: parameters and multiply-adds
// worked out by hand.
#include <QtTest>

#include "support_hugging_face.hpp"

using namespace scalescope;
using support::facts;
using support::messages;
using support::read;

namespace {

/// A block `d` wide with `h` hidden: four products, two, two norms; keys may have no bias.
constexpr std::int64_t block(std::int64_t d, std::int64_t h, bool key_bias = true) {
    return 4 * d * d + (key_bias ? 4 : 3) * d + 2 * d * h + h + d + 4 * d;
}

const std::string vit_figures = R"("model_type": "vit", "hidden_size": 8, "num_hidden_layers": 2,
    "num_attention_heads": 2, "intermediate_size": 12, "image_size": 6, "patch_size": 2)";

const std::string clip_towers = R"("projection_dim": 5,
    "vision_config": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 6,
                      "image_size": 4, "patch_size": 2},
    "text_config": {"hidden_size": 6, "num_hidden_layers": 1, "num_attention_heads": 3, "intermediate_size": 8,
                    "vocab_size": 20, "max_position_embeddings": 7})";

}  // namespace

class HuggingFaceVision : public QObject {
    Q_OBJECT
private slots:
    void vit_of_named_labels();
    void vit_without_a_task();
    void deit_has_two_tokens();
    void dinov2();
    void clip();
    void siglip();
    void one_tower_of_clip();
    void one_of_several_parts();
    void no_such_part();
    void whisper();
    void broken_data();
    void broken();
};

void HuggingFaceVision::vit_of_named_labels() {
    const auto n = read("{" + vit_figures + R"(, "architectures": ["ViTForImageClassification"],
        "id2label": {"0": "cat", "1": "dog", "2": "none"}})");
    // nine squares of 2×2×3 and a token
    const std::int64_t embeddings = 12 * 8 + 8 + 8 + 10 * 8;
    QCOMPARE(n->parameters(), embeddings + 2 * block(8, 12) + 16 + 8 * 3 + 3);
    const std::int64_t of_block = 10 * (4 * 64 + 2 * 8 * 12) + 100 * 2 * 8;
    QCOMPARE(n->multiply_adds(), 9 * 12 * 8 + 2 * of_block + 24);
    QCOMPARE(facts(n, "h0/attention/core").output, (Shape{10, 8}));
    QCOMPARE(facts(n, "head/logits").output, (Shape{3}));
    QVERIFY(n->bindings().empty());  // nothing but the batch is open
    const auto plain = read("{" + vit_figures + R"(, "qkv_bias": false, "num_labels": 7,
        "architectures": ["ViTForImageClassification"]})");
    QCOMPARE(plain->parameters(), n->parameters() - 2 * 3 * 8 + 4 * 8 + 4);
}

void HuggingFaceVision::vit_without_a_task() {
    Problems warnings;
    const auto n = read("{" + vit_figures + R"(, "architectures": ["ViTModel"]})", &warnings);
    QCOMPARE(n->parameters(), std::int64_t{12 * 8 + 8 + 8 + 10 * 8 + 16 + 64 + 8} + 2 * block(8, 12));
    QVERIFY2(messages(warnings).find("no task") != std::string::npos, messages(warnings).c_str());
}

/// The second token's vector learns from a teacher; without one its position is still there.
void HuggingFaceVision::deit_has_two_tokens() {
    const std::string figures = R"({"model_type": "deit", "hidden_size": 8, "num_hidden_layers": 2,
        "num_attention_heads": 2, "intermediate_size": 12, "image_size": 6, "patch_size": 2, "num_labels": 3,
        "architectures": ["DeiTForImageClassification)";
    const std::int64_t body = 12 * 8 + 8 + 2 * 8 + 11 * 8 + 2 * block(8, 12) + 16, head = 8 * 3 + 3;
    QCOMPARE(read(figures + "\"]}")->parameters(), body + head);
    const auto taught = read(figures + "WithTeacher\"]}");
    QCOMPARE(taught->parameters(), body + 2 * head);
    QCOMPARE(facts(taught, "head/teacher_logits").output, (Shape{3}));
    QCOMPARE(facts(taught, "h0/attention/core").output, (Shape{11, 8}));
}

/// What each part of a block adds has trained factors; labels are read from the token and the mean of the squares.
void HuggingFaceVision::dinov2() {
    const std::string figures = R"({"model_type": "dinov2", "hidden_size": 8, "num_hidden_layers": 2,
        "num_attention_heads": 2, "mlp_ratio": 3, "image_size": 6, "patch_size": 2, "num_labels": 3)";
    const std::int64_t body = 12 * 8 + 8 + 8 + 10 * 8 + 2 * (block(8, 24) + 2 * 8) + 16;
    QCOMPARE(read(figures + "}")->parameters(), body);
    const auto n = read(figures + R"(, "architectures": ["Dinov2ForImageClassification"]})");
    QCOMPARE(n->parameters(), body + 16 * 3 + 3);
    QCOMPARE(facts(n, "pooled/squares").output, (Shape{9, 8}));
    QCOMPARE(facts(n, "pooled/both").output, (Shape{16}));
}

void HuggingFaceVision::clip() {
    Problems warnings;
    const auto n = read("{\"model_type\": \"clip\", " + clip_towers + "}", &warnings);
    // squares without a bias, token, five positions, a norm before and one behind
    const std::int64_t image = 12 * 4 + 4 + 5 * 4 + 8 + block(4, 6) + 8 + 4 * 5,
                       text = 20 * 6 + 7 * 6 + block(6, 8) + 12 + 6 * 5;
    QCOMPARE(n->parameters(), image + text + 1);
    const std::int64_t image_work = 4 * 12 * 4 + 5 * (4 * 16 + 2 * 4 * 6) + 25 * 2 * 4 + 4 * 5,
                       text_work = 7 * (4 * 36 + 2 * 6 * 8) + 28 * 2 * 6 + 6 * 5;  // a text's words look back
    QCOMPARE(n->multiply_adds(), image_work + text_work);
    QCOMPARE(facts(n, "image/unit").output, (Shape{5}));
    QCOMPARE(facts(n, "head/scaled").output, (Shape{5}));
    QCOMPARE(n->bindings()[0].value, std::int64_t{7});
    QVERIFY2(messages(warnings).find("every image with every text") != std::string::npos, messages(warnings).c_str());
    // what older files have in place of the figures
    const auto defaults = read(R"({"model_type": "clip", "text_config": {}, "vision_config": {}})");
    QCOMPARE(defaults->parameters(), std::int64_t{151'277'313});
}

/// No token: a trained query reads the squares, and a network follows. Words see those behind them too.
void HuggingFaceVision::siglip() {
    const auto n = read(R"({"model_type": "siglip",
        "vision_config": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 6,
                          "image_size": 4, "patch_size": 2},
        "text_config": {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8,
                        "vocab_size": 20, "max_position_embeddings": 7}})");
    const std::int64_t image = 12 * 4 + 4 + 4 * 4 + block(4, 6) + 8 + (4 + block(4, 6) - 8),
                       text = 20 * 4 + 7 * 4 + block(4, 8) + 8 + 4 * 4 + 4;
    QCOMPARE(n->parameters(), image + text + 2);
    QCOMPARE(facts(n, "image/pooled/core").multiply_adds, std::int64_t{4 * 2 * 4});
    QCOMPARE(facts(n, "text/h0/attention/core").multiply_adds, std::int64_t{49 * 2 * 4});
    QCOMPARE(facts(n, "image/unit").output, (Shape{4}));
}

void HuggingFaceVision::one_tower_of_clip() {
    const auto n = read(R"({"model_type": "clip_text_model", "architectures": ["CLIPTextModel"], "hidden_size": 6,
        "num_hidden_layers": 1, "num_attention_heads": 3, "intermediate_size": 8, "vocab_size": 20,
        "max_position_embeddings": 7})");
    QCOMPARE(n->parameters(), 20 * 6 + 7 * 6 + block(6, 8) + 12);
    const auto projected = read(R"({"model_type": "clip_vision_model", "hidden_size": 4, "num_hidden_layers": 1,
        "architectures": ["CLIPVisionModelWithProjection"], "num_attention_heads": 2, "intermediate_size": 6,
        "image_size": 4, "patch_size": 2, "projection_dim": 5})");
    QCOMPARE(projected->parameters(), 12 * 4 + 4 + 5 * 4 + 8 + block(4, 6) + 8 + 4 * 5);
}

/// Each part alone has the layers that it has in the joined network.
void HuggingFaceVision::one_of_several_parts() {
    const std::string gemma = R"({"model_type": "gemma3", "name": "small", "mm_tokens_per_image": 4,
        "text_config": {"model_type": "gemma3_text", "hidden_size": 6, "num_hidden_layers": 1, "num_attention_heads": 3,
                        "num_key_value_heads": 1, "head_dim": 2, "intermediate_size": 8, "vocab_size": 20},
        "vision_config": {"model_type": "siglip_vision_model", "hidden_size": 4, "num_hidden_layers": 1,
                          "num_attention_heads": 2, "intermediate_size": 6, "image_size": 8, "patch_size": 2}})";
    Problems warnings;
    const auto joined = read(gemma), text = read(gemma, &warnings, "text"), vision = read(gemma, nullptr, "vision");
    // sixteen patches of 2×2×3, their positions, a block, a norm; the projector's norm and product come on top
    QCOMPARE(vision->parameters(), std::int64_t{12 * 4 + 4 + 16 * 4 + 8} + block(4, 6));
    QCOMPARE(joined->parameters(), text->parameters() + vision->parameters() + 4 + 4 * 6);
    QCOMPARE(vision->name(), std::string("small (vision)"));
    QVERIFY(text->position("head/loss") && !vision->position("head/loss"));
    QVERIFY2(messages(warnings).find("left out") == std::string::npos, messages(warnings).c_str());

    const std::string clip = "{\"model_type\": \"clip\", " + clip_towers + "}";
    const std::int64_t between = 4 * 5 + 6 * 5 + 1;  // the projections and the factor of the loss
    QCOMPARE(read(clip, nullptr, "text")->parameters() + read(clip, nullptr, "vision")->parameters() + between,
             read(clip)->parameters());
    // a part of a family that nobody described, beside a text that is drawn alone
    const std::string wonder = R"({"model_type": "wonder", "audio_config": {"model_type": "ears", "hidden_size": 4},
        "text_config": {"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
                        "intermediate_size": 12, "vocab_size": 40, "max_position_embeddings": 16}})";
    QCOMPARE(read(wonder, nullptr, "text")->parameters(), read(wonder)->parameters());
    const auto ears = formats::read_any_network(wonder, "c.json", nullptr, {}, {}, nullptr, "audio");
    QVERIFY(!ears);
    QVERIFY2(messages(ears.error()).find("\"ears\" is not known here") != std::string::npos,
             messages(ears.error()).c_str());
}

void HuggingFaceVision::no_such_part() {
    const auto said = [](const std::string& text, std::string_view part) {
        const auto network = formats::read_any_network(text, "c.json", nullptr, {}, {}, nullptr, part);
        return network ? std::string() : messages(network.error());
    };
    const std::string clip = "{\"model_type\": \"clip\", \"quantization_config\": {\"bits\": 8}, " + clip_towers + "}";
    const auto has = [](const std::string& all, const char* words) { return all.find(words) != std::string::npos; };
    for (const char* part : {"audio", "quantization", "vision_config", "", "text vision"}) {
        const std::string words = said(clip, part);
        QVERIFY2(
            *part ? has(words, (std::string("no part \"") + part + "\"; it has vision, text;").c_str()) : words.empty(),
            words.c_str());
    }
    QVERIFY(has(said("{" + vit_figures + "}", "vision"), "The file has no parts"));
    QVERIFY(has(said(R"({"format": "scalescope-network", "version": 1, "name": "n", "layers": []})", "text"),
                "The file has no parts"));
}

void HuggingFaceVision::whisper() {
    const auto n = read(R"({"model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"],
        "d_model": 8, "encoder_layers": 1, "decoder_layers": 2, "encoder_attention_heads": 2,
        "decoder_attention_heads": 4, "encoder_ffn_dim": 12, "decoder_ffn_dim": 10, "num_mel_bins": 3,
        "max_source_positions": 5, "max_target_positions": 6, "vocab_size": 30})");
    const std::int64_t cross = 4 * 64 + 3 * 8 + 16, front = 3 * 3 * 8 + 8 + 3 * 8 * 8 + 8;
    // the encoder's positions are not trained, the head is the table
    QCOMPARE(n->parameters(),
             front + block(8, 12, false) + 16 + 30 * 8 + 6 * 8 + 2 * (block(8, 10, false) + cross) + 16);
    QCOMPARE(facts(n, "encoder/convolution2").output, (Shape{5, 8}));
    const std::int64_t convolutions = 10 * 9 * 8 + 5 * 24 * 8, encoder = 5 * (4 * 64 + 2 * 8 * 12) + 25 * 2 * 8,
                       itself = 6 * 4 * 64 + 21 * 2 * 8, other = 6 * 2 * 64 + 5 * 2 * 64 + 30 * 2 * 8;
    QCOMPARE(n->multiply_adds(), convolutions + encoder + 2 * (itself + other + 6 * 2 * 8 * 10) + 6 * 8 * 30);
    QVERIFY(facts(n, "head/logits").shares);
}

void HuggingFaceVision::broken_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* text, const char* place, const char* words) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(place) << QString::fromUtf8(words);
    };
    row("patch", "{\"model_type\": \"vit\",\n \"patch_size\": 300}", "2:16", "larger than the image");
    row("task", "{\"model_type\": \"vit\",\n \"architectures\": [\"ViTForMaskedImageModeling\"]}", "2:19",
        "none that is known of a ViT");
    row("task of another", "{\"model_type\": \"deit\",\n \"architectures\": [\"ViTModel\"]}", "2:19",
        "none that is known of a DeiT");
    row("gated", "{\"model_type\": \"dinov2\",\n \"use_swiglu_ffn\": true}", "2:20", "gated feed-forward");
    row("no towers", "{\"model_type\": \"clip\",\n \"text_config\": {}}", "1:16", "its two encoders");
    row("tower", "{\"model_type\": \"clip\", \"text_config\": {},\n \"vision_config\": {\"image_size\": -1}}", "2:34",
        "\"image_size\" must be a whole number");
    row("heads", "{\"model_type\": \"whisper\", \"d_model\": 10,\n \"encoder_attention_heads\": 4}", "2:29",
        "does not divide by 4 heads");
}

void HuggingFaceVision::broken() {
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

QTEST_APPLESS_MAIN(HuggingFaceVision)
#include "tst_hugging_face_vision.moc"
