// SPDX-License-Identifier: GPL-3.0-or-later
// T5: an encoder and a decoder without biases, whose positions are trained scores of distances.

#include "core/formats/hugging_face/families.hpp"
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {
namespace {

struct T5 {
    Stack encoder, decoder;
    std::int64_t vocabulary = 1, buckets = 32;
    bool tied = true, own_distances = false;
};

T5 read_figures(Config& c) {
    T5 t;
    t.vocabulary = c.size_or(names::vocabulary, 32128, most_rows);
    t.buckets = c.size_or("relative_attention_num_buckets", 32, most_rows);
    t.tied = c.flag("tie_word_embeddings", true);
    Stack& s = t.encoder;
    s.width = c.size_or(names::width, 512, most_width);
    s.norm = Norm::rms;
    s.dropout = c.number(names::dropout, 0.1);
    Block b;
    b.attention.heads = b.attention.kv_heads = c.size_or(names::heads, 8, most_heads);
    b.attention.head_width = c.size_or("d_kv", 64, most_width);
    b.mlp.hidden = c.size_or(names::hidden, 2048, most_width);
    const std::string feed = c.word("feed_forward_proj", "relu", false);
    b.mlp.gated = feed.starts_with("gated-");
    b.mlp.activation = activation_called(b.mlp.gated ? feed.substr(6) : feed);
    if (b.mlp.activation.empty())
        c.error("feed_forward_proj", "There is no feed-forward network " + quoted(feed) + " here.",
                "Write \"relu\" or \"gated-gelu\".");
    const std::int64_t layers = c.size_or(names::layers, 6, most_layers),
                       below = c.size_or("num_decoder_layers", layers, most_layers);
    t.decoder = s;
    t.decoder.blocks.assign(static_cast<std::size_t>(below), b);
    b.attention.causal = false;
    s.blocks.assign(static_cast<std::size_t>(layers), b);
    return t;
}

/// Scores that blocks add to their attention, one for each head and distance: the first block's, which later ones take
/// over, or each block's own (umT5).
void distances(Graph& g, const T5& t, const std::string& part, const std::string& symbol) {
    const LayerId in = g.input(part + "/distances", sample_shape({{2, symbol}}));
    const std::int64_t heads = t.encoder.blocks.front().attention.heads;
    const std::size_t tables = !t.own_distances ? 1 : (part == "encoder" ? t.encoder : t.decoder).blocks.size();
    for (std::size_t b = 0; b < tables; ++b)
        g.embedding(part + "/distance_scores" + (t.own_distances ? std::to_string(b) : ""), in, t.buckets, heads);
}

void draw_figures(NetworkDraft& draft, const T5& t, SourcePosition at) {
    draft.symbols = {{"batch", 1, "samples per step"},
                     {"sequence", 512, "tokens that the decoder writes"},
                     {"source_sequence", 512, "tokens that the encoder reads"}};
    Graph g(draft, std::move(at));
    const LayerId source = g.input("source", sample_shape({{1, "source_sequence"}}));
    const LayerId table = g.embedding("encoder/embedding", source, t.vocabulary, t.encoder.width);
    distances(g, t, "encoder", "source_sequence");
    LayerId x = g.dropout("encoder/dropout", table, t.encoder.dropout);
    x = draw(g, t.encoder, x, "encoder_h");
    x = g.norm("encoder/norm", x, Norm::rms);
    const Memory memory = memory_of(g.dropout("encoder/dropout_after", x, t.encoder.dropout), t.encoder);
    const LayerId target = g.input("target", sample_shape({{1, "sequence"}}));
    x = g.embedding("decoder/embedding", target, t.vocabulary, t.decoder.width);
    g.share(x, table);
    distances(g, t, "decoder", "sequence");
    x = draw(g, t.decoder, g.dropout("decoder/dropout", x, t.decoder.dropout), "decoder_h", &memory);
    x = g.dropout("decoder/dropout_after", g.norm("decoder/norm", x, Norm::rms), t.decoder.dropout);
    const LayerId logits = g.dense("head/logits", x, t.vocabulary, false);
    if (t.tied) g.share(logits, table);
    g.add("head/loss", "cross_entropy", {logits});
}

}  // namespace

bool is_t5(std::string_view type) { return type == "t5" || type == "mt5" || type == "umt5"; }

std::string read_t5(Config& config, std::string_view type, NetworkDraft& draft) {
    T5 figures = read_figures(config);
    figures.own_distances = type == "umt5";
    const std::string title = figures.own_distances ? "umT5" : "T5";
    if (!config.finish(title)) return {};
    draw_figures(draft, figures, config.value().at());
    return title;
}

}  // namespace scalescope::formats::hugging_face
