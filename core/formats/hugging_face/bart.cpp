// SPDX-License-Identifier: GPL-3.0-or-later
// BART (Lewis et al. 2020) and the translators after it: an encoder of a text and a decoder that reads it.
#include <algorithm>
#include <array>

#include "core/formats/hugging_face/families.hpp"
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {
namespace {

struct BartFamily {
    std::string_view type, title;
    std::int64_t vocabulary, width, layers, heads, hidden;
    std::string_view activation;
    Stack::Order order;
    bool table;  ///< of positions, which begins two rows early; else of sines, not trained
    bool embedding_norm, final_norm;
};

using Order = Stack::Order;
constexpr std::array<BartFamily, 4> barts{{
    {"bart", "BART", 50265, 1024, 12, 16, 4096, "gelu", Order::after, true, true, false},
    {"mbart", "mBART", 50265, 1024, 12, 16, 4096, "gelu", Order::before, true, true, true},
    {"marian", "Marian", 58101, 1024, 12, 16, 4096, "gelu", Order::after, false, false, false},
    {"m2m_100", "M2M-100", 128112, 1024, 12, 16, 4096, "relu", Order::before, false, false, true},
}};

struct Bart {
    const BartFamily& family;
    Stack encoder, decoder;
    std::int64_t vocabulary = 1, positions = 1024;
};

Bart read_figures(Config& c, const BartFamily& f) {
    PlainStack encoder{f.width, f.layers, f.heads, f.hidden, f.activation}, decoder = encoder;
    decoder.causal = true;
    encoder.layer_names = "encoder_layers", decoder.layer_names = "decoder_layers";
    encoder.head_names = "encoder_attention_heads", decoder.head_names = "decoder_attention_heads";
    encoder.hidden_names = "encoder_ffn_dim", decoder.hidden_names = "decoder_ffn_dim";
    Bart b{f, read_plain_stack(c, encoder, f.order), read_plain_stack(c, decoder, f.order)};
    for (Stack* s : {&b.encoder, &b.decoder}) s->dropout = c.number(names::dropout, 0.1);
    b.vocabulary = c.size_or(names::vocabulary, f.vocabulary, most_rows);
    b.positions = c.size_or(names::positions, 1024, most_rows);
    return b;
}

/// Words, positions and the blocks behind them; the table of words is that of `table`, if it is there.
LayerId draw_part(Graph& g, const Bart& b, const std::string& part, const std::string& symbol,
                  std::optional<LayerId>& table, const Memory* memory) {
    const Stack& s = memory ? b.decoder : b.encoder;
    const auto shape = sample_shape({{1, symbol}});
    const LayerId words = g.embedding(part + "/tokens", g.input(part + "/words", shape), b.vocabulary, s.width);
    if (table) g.share(words, *table);
    table = table.value_or(words);
    LayerId x = words;
    if (b.family.table) {
        const LayerId places = g.input(part + "/places", shape);
        x = g.sum(part + "/sum", {x, g.embedding(part + "/positions", places, b.positions + 2, s.width)});
    } else {
        const LayerId sines =
            g.add(part + "/positions", "constant", {}, {{"shape", sample_shape({{1, symbol}, {s.width, {}}})}});
        x = g.add(part + "/sum", "elementwise", {x, sines}, {{"operation", "add"}});
    }
    if (b.family.embedding_norm) x = g.norm(part + "/embedding_norm", x, Norm::layer);
    x = draw(g, s, g.dropout(part + "/dropout", x, s.dropout), part + "_h", memory);
    return b.family.final_norm ? g.norm(part + "/norm", x, Norm::layer) : x;
}

void draw_bart(NetworkDraft& draft, const Bart& b, SourcePosition at) {
    const std::int64_t length = std::min<std::int64_t>(b.positions, 512);
    draft.symbols = {{"batch", 1, "samples per step"},
                     {"sequence", length, "tokens that the decoder writes"},
                     {"source_sequence", length, "tokens that the encoder reads"}};
    Graph g(draft, std::move(at));
    std::optional<LayerId> table;
    const LayerId read = draw_part(g, b, "encoder", "source_sequence", table, nullptr);
    const Memory memory = memory_of(read, b.decoder);
    const LayerId written = draw_part(g, b, "decoder", "sequence", table, &memory);
    const LayerId logits = g.dense("head/logits", written, b.vocabulary, false);
    g.share(logits, *table);
    g.add("head/loss", "cross_entropy", {logits});
}

}  // namespace

bool is_bart(std::string_view type) { return family_called(type, barts) != nullptr; }

std::string read_bart(Config& config, std::string_view type, NetworkDraft& draft) {
    const BartFamily& family = *family_called(type, barts);
    const Bart figures = read_figures(config, family);
    if (!config.finish(family.title)) return {};
    draw_bart(draft, figures, config.value().at());
    return std::string(family.title);
}

}  // namespace scalescope::formats::hugging_face
