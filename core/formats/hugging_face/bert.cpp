// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders after BERT, trained to fill in masked tokens.
#include <algorithm>
#include <array>

#include "core/formats/hugging_face/families.hpp"
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {
namespace {

/// What the families' files leave out, and what they have that BERT has not.
struct EncoderFamily {
    std::string_view type, title;
    std::int64_t vocabulary, embedding, positions, types;  ///< embedding 0: as wide as the blocks
    bool shared = false;                                   ///< every block has the first one's weights
    bool pooler = true;
    std::int64_t buckets = 0;   ///< of distances, for each of which a head has a trained score
    bool disentangled = false;  ///< words are weighed against a table of distances (He et al. 2021, DeBERTa)
};

constexpr std::array<EncoderFamily, 9> encoders{{
    {"bert", "BERT", 30522, 0, 512, 2},
    {"albert", "ALBERT", 30000, 128, 512, 2, true},
    {"distilbert", "DistilBERT", 30522, 0, 512, 0, false, false},
    {"roberta", "RoBERTa", 50265, 0, 514, 1},
    {"camembert", "CamemBERT", 30522, 0, 512, 2},
    {"xlm-roberta", "XLM-RoBERTa", 30522, 0, 512, 2},
    {"electra", "ELECTRA", 30522, 128, 512, 2, false, false},
    {"mpnet", "MPNet", 30527, 0, 512, 0, false, true, 32},
    {"deberta-v2", "DeBERTa", 128100, 0, 512, 0, false, false, 0, true},
}};

struct Encoder {
    Stack stack;
    std::int64_t vocabulary = 1, embedding = 1, positions = 512, types = 0, buckets = 0;
    std::int64_t distances = 0;  ///< rows of a table as wide as the blocks
    bool position_table = true, distance_norm = false;
};

/// What DeBERTa's attention has beside BERT's; its own projections of distances and its convolution are refused.
void read_disentangled(Config& c, Encoder& e) {
    e.position_table = c.flag("position_biased_input", true);
    if (c.size_or("conv_kernel_size", 0, most_width, 0, true) > 0)
        c.error("conv_kernel_size", "A DeBERTa with a convolution beside its first block is not known here.",
                "Write 0 to read the model without it.");
    if (!c.flag("relative_attention", false)) return;
    if (!c.flag("share_att_key", false))
        c.error(c.has("share_att_key") ? "share_att_key" : "relative_attention",
                "Distances with products of their own are not known here.",
                "Write \"share_att_key\": true to read the model with those of the words.");
    // transformers reads numbers below 1 as "not said"
    const auto rows = [&](Names name) { return c.size_or(name, -1, most_rows / 2, -1, true); };
    std::int64_t span = rows("position_buckets");
    if (span < 1) span = rows("max_relative_positions");
    e.distances = 2 * (span < 1 ? e.positions : span);
    e.distance_norm = c.word("norm_rel_ebd", "none").find("layer_norm") != std::string::npos;
    c.warn("The products of words with distances are left out of each block.",
           "They are batch × 2 × sequence × " + std::to_string(e.distances) + " × " + std::to_string(e.stack.width) +
               " multiply-adds a block.");
}

Encoder read_encoder(Config& c, const EncoderFamily& family) {
    Encoder e;
    e.vocabulary = c.size_or(names::vocabulary, family.vocabulary, most_rows);
    const PlainStack plain{768, 12, 12, 0};
    e.stack = read_plain_stack(c, plain, Stack::Order::after);
    e.embedding = c.size_or("embedding_size", family.embedding > 0 ? family.embedding : e.stack.width, most_width, 1,
                            family.embedding == 0);
    e.positions = c.size_or(names::positions, family.positions, most_rows);
    e.types = c.size_or("type_vocab_size", family.types, most_rows, 0, family.types == 0);
    e.stack.shared = family.shared;
    e.stack.dropout = c.number(names::dropout, family.shared ? 0.0 : 0.1);
    if (family.buckets > 0) e.buckets = c.size_or("relative_attention_num_buckets", family.buckets, most_rows);
    if (family.disentangled) read_disentangled(c, e);
    if (family.shared && c.size_or("num_hidden_groups", 1, most_layers, 1, true) != 1)
        c.error("num_hidden_groups", "Blocks in several groups that share weights are not known here.",
                "Write 1 to read the model with one group.");
    return e;
}

void draw_encoder(NetworkDraft& draft, const Encoder& e, SourcePosition at) {
    draft.symbols = {{"batch", 1, "samples per step"},
                     {"sequence", std::min<std::int64_t>(e.positions, 512),
                      "tokens of one sample; the table of positions has " + std::to_string(e.positions)}};
    Graph g(draft, std::move(at));
    const auto shape = sample_shape({{1, "sequence"}});
    const LayerId table = g.embedding("embeddings/tokens", g.input("tokens", shape), e.vocabulary, e.embedding);
    Graph::Inputs parts{table};
    if (e.position_table)
        parts.push_back(g.embedding("embeddings/positions", g.input("positions", shape), e.positions, e.embedding));
    if (e.types > 0)
        parts.push_back(g.embedding("embeddings/types", g.input("token_types", shape), e.types, e.embedding));
    LayerId x = parts.size() > 1 ? g.sum("embeddings/sum", std::move(parts)) : table;
    x = g.norm("embeddings/norm", x, Norm::layer);
    if (e.buckets > 0)
        g.embedding("embeddings/distance_scores", g.input("distances", sample_shape({{2, "sequence"}})), e.buckets,
                    e.stack.blocks.front().attention.heads);
    if (e.distances > 0) {
        const LayerId distances = g.parameter("embeddings/distances", {e.distances, e.stack.width});
        if (e.distance_norm) g.norm("embeddings/distance_norm", distances, Norm::layer);
    }
    x = g.dropout("embeddings/dropout", x, e.stack.dropout);
    if (e.embedding != e.stack.width) x = g.dense("embeddings/project", x, e.stack.width, true);
    x = draw(g, e.stack, x, "h");
    x = g.activation("head/activation", g.dense("head/transform", x, e.embedding, true),
                     e.stack.blocks.front().mlp.activation);
    const LayerId logits = g.dense("head/logits", g.norm("head/norm", x, Norm::layer), e.vocabulary, false);
    g.share(logits, table);
    g.add("head/loss", "cross_entropy", {g.add("head/bias", "scale", {logits}, {{"scale", false}, {"bias", true}})});
}

}  // namespace

bool is_encoder(std::string_view type) { return family_called(type, encoders) != nullptr; }

std::string read_bert(Config& config, std::string_view type, NetworkDraft& draft) {
    const EncoderFamily* family = family_called(type, encoders);
    const Encoder encoder = read_encoder(config, *family);
    if (!config.finish(family->title)) return {};
    draw_encoder(draft, encoder, config.value().at());
    if (family->pooler)
        config.warn(
            "The network fills in masked tokens at every position; the pooler, which only other tasks train, is "
            "left out.",
            "It has " + std::to_string(encoder.stack.width * (encoder.stack.width + 1)) + " parameters.");
    if (type == "electra")
        config.warn(
            "The network is the generator's task, to fill in masked tokens; ELECTRA's discriminator has a head of "
            "one output.",
            "The blocks are the same.");
    return std::string(family->title);
}

}  // namespace scalescope::formats::hugging_face
