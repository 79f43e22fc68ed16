// SPDX-License-Identifier: GPL-3.0-or-later
// Whisper (Radford et al. 2022): two convolutions and an encoder over a spectrogram, and a decoder that reads it.
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {
namespace {

struct Whisper {
    Stack encoder, decoder;
    std::int64_t bins = 80, vocabulary = 1, source_positions = 1500, target_positions = 448;
};

Whisper read_whisper_figures(Config& c) {
    PlainStack encoder{384, 4, 6, 1536}, decoder{384, 4, 6, 1536, "gelu", true};
    encoder.layer_names = "encoder_layers num_hidden_layers", decoder.layer_names = "decoder_layers";
    encoder.head_names = "encoder_attention_heads", decoder.head_names = "decoder_attention_heads";
    encoder.hidden_names = "encoder_ffn_dim", decoder.hidden_names = "decoder_ffn_dim";
    Whisper w;
    w.encoder = read_plain_stack(c, encoder, Stack::Order::before);
    w.decoder = read_plain_stack(c, decoder, Stack::Order::before);
    for (Stack* s : {&w.encoder, &w.decoder}) {
        s->dropout = c.number(names::dropout, 0.0);
        for (Block& b : s->blocks) b.attention.key_bias = false;
    }
    w.bins = c.size_or("num_mel_bins", 80, most_width);
    w.vocabulary = c.size_or(names::vocabulary, 51865, most_rows);
    w.source_positions = c.size_or("max_source_positions", 1500, most_rows / 2);
    w.target_positions = c.size_or("max_target_positions", 448, most_rows);
    return w;
}

LayerId draw_encoder_of(Graph& g, const Whisper& w) {
    using Sizes = std::vector<std::int64_t>;
    const std::int64_t width = w.encoder.width, positions = w.source_positions;
    const Padding beside{Padding::Mode::explicit_sizes, 0, 0, 1, 1, 0, 0, 1};
    LayerId x = g.input("spectrogram", sample_shape({{2 * positions, {}}, {w.bins, {}}}));
    for (const std::int64_t stride : {1, 2}) {  // the second halves the frames
        const std::string name = "encoder/convolution" + std::to_string(stride);
        x = g.add(name, "convolution", {x},
                  {{"filters", width}, {"kernel", Sizes{3}}, {"stride", Sizes{stride}}, {"padding", beside}});
        x = g.activation(name + "_activation", x, "gelu");
    }
    const LayerId table = g.add("encoder/positions", "constant", {},
                                {{"shape", sample_shape({{positions, {}}, {width, {}}})}});  // of sines, not trained
    x = g.add("encoder/sum", "elementwise", {x, table}, {{"operation", "add"}});
    x = draw(g, w.encoder, g.dropout("encoder/dropout", x, w.encoder.dropout), "encoder_h");
    return g.norm("encoder/norm", x, Norm::layer);
}

void draw_whisper(NetworkDraft& draft, const Whisper& w, SourcePosition at) {
    draft.symbols = {
        {"batch", 1, "pieces of sound per step"},
        {"sequence", w.target_positions,
         "tokens that the decoder writes; the table of positions has " + std::to_string(w.target_positions)}};
    Graph g(draft, std::move(at));
    const Memory memory = memory_of(draw_encoder_of(g, w), w.decoder);
    const auto shape = sample_shape({{1, "sequence"}});
    const LayerId table = g.embedding("decoder/tokens", g.input("tokens", shape), w.vocabulary, w.decoder.width);
    LayerId x = g.sum("decoder/sum", {table, g.embedding("decoder/positions", g.input("positions", shape),
                                                         w.target_positions, w.decoder.width)});
    x = draw(g, w.decoder, g.dropout("decoder/dropout", x, w.decoder.dropout), "decoder_h", &memory);
    const LayerId logits = g.dense("head/logits", g.norm("decoder/norm", x, Norm::layer), w.vocabulary, false);
    g.share(logits, table);
    g.add("head/loss", "cross_entropy", {logits});
}

}  // namespace

bool is_whisper(std::string_view type) { return type == "whisper"; }

std::string read_whisper(Config& config, std::string_view, NetworkDraft& draft) {
    const Whisper figures = read_whisper_figures(config);
    if (!config.finish("Whisper")) return {};
    draw_whisper(draft, figures, config.value().at());
    return "Whisper";
}

}  // namespace scalescope::formats::hugging_face
