// SPDX-License-Identifier: GPL-3.0-or-later
// EAGLE-3 (Li et al. 2025, arXiv 2503.01840): one layer of a Llama that guesses the next tokens of a larger model, from
// the tokens and from what three layers of that model say of each position. As SpecForge and its kin build it: tokens
// and states are normalized, put side by side, and queries, keys and values are made of both.
#include "core/formats/hugging_face/decoder.hpp"

namespace scalescope::formats::hugging_face {
namespace {

constexpr std::int64_t layers_read = 3;  ///< of the larger model

struct DraftHead {
    Decoder decoder;
    std::int64_t states = 1;      ///< of the larger model at one position
    std::int64_t vocabulary = 1;  ///< that it guesses among
};

DraftHead read_figures(Config& c, const DecoderFamily& llama) {
    DraftHead d;
    d.decoder = read_decoder(c, llama);
    const Stack& stack = d.decoder.stack;
    d.states = layers_read * c.size_or("target_hidden_size", stack.width, most_width, 1, true);
    d.vocabulary = c.size_or("draft_vocab_size", d.decoder.vocabulary, most_rows);
    if (stack.blocks.size() != 1)
        c.error(names::layers,
                "A draft head of " + std::to_string(stack.blocks.size()) +
                    " layers is not known here: EAGLE-3 has one, which reads tokens and states side by side.",
                "Write 1.");
    for (const char* other : {"fc_norm", "norm_output"})
        if (c.flag(other, false))
            c.error(other, "A draft head with " + quoted(other) + " is not known here.",
                    "Write false to read it without.");
    if (auto own = c.part("eagle_config", false); own && !own->flag("use_aux_hidden_state", true))
        c.error("eagle_config", "A draft head that reads only the last layer's states is not known here.",
                "Take \"use_aux_hidden_state\" out to read it with those of three layers.");
    return d;
}

void draw_head(NetworkDraft& draft, const DraftHead& head, SourcePosition at) {
    const Decoder& d = head.decoder;
    const Stack& stack = d.stack;
    const Block& block = stack.blocks.front();
    draft.symbols = token_symbols(d);
    Graph g(draft, std::move(at));
    const LayerId tokens = g.input("tokens", sample_shape({{1, "sequence"}}));
    const LayerId states = g.input("target_states", sample_shape({{1, "sequence"}, {head.states, {}}}));
    const LayerId table = g.embedding("embeddings/tokens", tokens, d.vocabulary, stack.width);
    LayerId x = g.dense("embeddings/states", states, stack.width, false);
    g.prefix = "h0/";
    const LayerId both = g.add("side_by_side", "concat",
                               {g.norm("norm_tokens", table, stack.norm), g.norm("norm_states", x, stack.norm)});
    g.prefix = "h0/attention/";
    const LayerId attention = draw_attention(g, block.attention, stack.width, block.window, both);
    g.prefix = "h0/";
    x = g.sum("sum_attention", {x, attention});
    const LayerId normed = g.norm("norm_mlp", x, stack.norm);
    g.prefix = "h0/mlp/";
    const LayerId fed = draw_mlp(g, block.mlp, stack.width, normed);
    g.prefix = "h0/";
    x = g.sum("sum_mlp", {x, fed});
    g.prefix.clear();
    x = g.norm("final_norm", x, stack.norm);
    g.add("head/loss", "cross_entropy", {g.dense("head/logits", x, head.vocabulary, false)});
}

}  // namespace

bool is_draft_head(std::string_view architecture) { return architecture == "LlamaForCausalLMEagle3"; }

std::string read_draft_head(Config& config, const DecoderFamily& llama, NetworkDraft& draft) {
    const DraftHead head = read_figures(config, llama);
    if (!config.finish("draft head")) return {};
    draw_head(draft, head, config.value().at());
    config.warn(
        "This is a draft head (EAGLE-3), which guesses for a larger model. One guess is drawn: the larger model's "
        "own work, and further guesses from its own ones, are left out.",
        "Its embedding is the larger model's: freeze \"embeddings/tokens\" if it is not trained.");
    return "EAGLE-3 draft head";
}

}  // namespace scalescope::formats::hugging_face
