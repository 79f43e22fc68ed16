// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/decoder.hpp"

#include <algorithm>

namespace scalescope::formats::hugging_face {
namespace {

constexpr std::int64_t sensible_length = 2048;

std::int64_t size_of(Config& c, Names key, std::int64_t otherwise, std::int64_t most) {
    return otherwise > 0 ? c.size_or(key, otherwise, most) : c.size(key, most);
}

}  // namespace

void read_windows(Config& config, Decoder& decoder, bool used, std::int64_t otherwise, std::int64_t pattern) {
    const std::int64_t window = config.size_or("sliding_window", otherwise, most_rows, 0, true);
    const auto types = config.words("layer_types");
    auto& blocks = decoder.stack.blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        bool slides = used && (pattern == 0 || (static_cast<std::int64_t>(b) + 1) % pattern != 0);
        if (b < types.size()) slides = types[b] == "sliding_attention";
        if (slides) blocks[b].window = window;
    }
}

void read_switched_windows(Config& c, Decoder& d) { read_windows(c, d, c.flag("use_sliding_window", false), 0, 0); }

void read_use_bias(Config& c, Decoder& d) {
    const bool bias = c.flag("use_bias", d.stack.blocks[0].mlp.bias);
    each_block(d, [&](Block& b) { b.attention.qkv_bias = b.attention.out_bias = b.mlp.bias = bias; });
}

void norm_each_head(Decoder& d) {
    each_block(d, [](Block& b) { b.attention.qk_norm = Attention::QkNorm::each_head; });
}

void read_unturned(Config& c, Decoder& d) {
    const auto turns = c.find("no_rope_layers");  // 1 where positions turn queries and keys
    std::size_t at = 0;
    if (turns && turns->is_array())
        for (const JsonValue v : *turns)
            if (at < d.stack.blocks.size()) d.stack.blocks[at++].attention.rotary = v.integer() != 0;
    if (!turns || turns->size() == 0)
        for (std::size_t b = 3; b < d.stack.blocks.size(); b += 4) d.stack.blocks[b].attention.rotary = false;
}

Decoder read_decoder(Config& c, const DecoderFamily& family) {
    const DecoderSizes& sizes = family.sizes;
    Decoder d;
    d.vocabulary = size_of(c, names::vocabulary, sizes.vocabulary, most_rows);
    d.stack.width = size_of(c, names::width, sizes.width, most_width);
    const std::int64_t layers = size_of(c, names::layers, sizes.layers, most_layers);
    d.positions = c.size_or(names::positions, sizes.positions > 0 ? sizes.positions : sensible_length, most_rows);
    d.stack.norm = family.norm;
    d.stack.order = family.order;
    d.stack.dropout = c.number(names::dropout, family.dropout);
    d.tied = c.flag("tie_word_embeddings", family.tied);
    d.head_bias = family.head_bias;

    Block b;
    Attention& a = b.attention;
    a.heads = size_of(c, names::heads, sizes.heads, most_heads);
    a.kv_heads = c.size_or(names::kv_heads, sizes.kv_heads > 0 ? sizes.kv_heads : a.heads, most_heads, 1, true);
    const std::int64_t shared_out = sizes.head_width > 0 ? sizes.head_width : d.stack.width / a.heads;
    if (!c.has(names::head_width) && sizes.head_width == 0 && d.stack.width % a.heads != 0)
        c.error(names::heads,
                "The width of " + std::to_string(d.stack.width) + " does not divide by " + std::to_string(a.heads) +
                    " heads.",
                "Correct one of them, or say head_dim.");
    a.head_width = c.size_or(names::head_width, std::max<std::int64_t>(1, shared_out), most_width, 1, true);
    a.rotary = family.rotary;
    a.qk_norm = family.qk_norm;
    const auto bias = [&](Names key, bool usual) { return family.fixed_biases ? usual : c.flag(key, usual); };
    a.qkv_bias = bias("attention_bias", family.biases.qkv);
    a.out_bias = bias("attention_bias", family.biases.out);
    if (a.kv_heads == 0 || a.heads % a.kv_heads != 0)
        c.error(names::kv_heads,
                std::to_string(a.kv_heads) + " heads of keys and values do not divide " + std::to_string(a.heads) +
                    " heads.",
                "Choose a number that divides the heads.");

    Mlp& m = b.mlp;
    auto feed = c.part("ffn_config");  // DBRX has its figures in there
    Config& figures = feed ? *feed : c;
    m.hidden = figures.has(names::hidden) ? figures.size(names::hidden, most_width)
               : sizes.hidden > 0         ? c.size_or(names::hidden, sizes.hidden, most_width)
               : family.gated             ? c.size(names::hidden, most_width)
                                          : 4 * d.stack.width;  // what these families mean by leaving it out
    m.gated = family.gated;
    m.bias = bias("mlp_bias", family.biases.mlp);
    const std::string activation = c.word(names::activation, family.activation);
    m.activation = activation_called(activation);
    if (m.activation.empty() || (m.gated && m.activation != "silu" && m.activation != "gelu" &&
                                 m.activation != "relu" && m.activation != "sigmoid"))
        c.error(names::activation, "There is no activation " + quoted(activation) + " here.",
                "Write one such as \"gelu\", \"silu\" or \"relu\".");
    d.stack.blocks.assign(static_cast<std::size_t>(layers), b);
    if (family.windows) read_windows(c, d, true, family.windows->positions, family.windows->pattern);
    if (family.own) family.own(c, d);
    if (family.experts > 0)
        put_experts(d, read_experts(c, family.experts, family.experts_used, m.hidden), [](auto) { return true; });
    return d;
}

std::vector<Symbol> token_symbols(const Decoder& d) {
    std::string length = "tokens of one sample; the model is made for up to " + std::to_string(d.positions);
    return {{"batch", 1, "samples per step"}, {"sequence", std::min(d.positions, sensible_length), std::move(length)}};
}

void draw_decoder(NetworkDraft& draft, const Decoder& d, SourcePosition at) {
    draft.symbols = token_symbols(d);
    Graph g(draft, std::move(at));
    const Dim sequence{1, "sequence"};
    const std::int64_t narrow = d.embedding_width > 0 ? d.embedding_width : d.stack.width;
    const LayerId tokens = g.input("tokens", sample_shape({sequence}));
    const LayerId table = g.embedding("embeddings/tokens", tokens, d.vocabulary, narrow);
    LayerId x = table;
    if (narrow != d.stack.width) x = g.dense("embeddings/project", x, d.stack.width, false);
    if (d.position_rows > 0) {
        const LayerId positions = g.input("positions", sample_shape({sequence}));
        x = g.sum("embeddings/sum",
                  {x, g.embedding("embeddings/positions", positions, d.position_rows, d.stack.width)});
    }
    if (d.embedding_norm) x = g.norm("embeddings/norm", x, d.stack.norm);
    x = g.dropout("embeddings/dropout", x, d.stack.dropout);
    x = draw(g, d.stack, x, "h");
    if (d.final_norm) x = g.norm("final_norm", x, d.stack.norm);
    if (narrow != d.stack.width) x = g.dense("head/project", x, narrow, false);
    if (d.head_transform) {
        x = g.dense("head/transform", x, d.stack.width, false);
        x = g.norm("head/norm", g.activation("head/activation", x, "gelu"), d.stack.norm);
    }
    const LayerId logits = g.dense("head/logits", x, d.vocabulary, d.head_bias && !d.tied);
    if (d.tied) g.share(logits, table);
    LayerId scores = logits;
    if (d.tied && d.head_bias) scores = g.add("head/bias", "scale", {logits}, {{"scale", false}, {"bias", true}});
    g.add("head/loss", "cross_entropy", {scores});
    for (std::int64_t m = 0; m < d.further_tokens; ++m) {
        g.prefix = "mtp" + std::to_string(m) + '/';
        const LayerId again = g.embedding("tokens", tokens, d.vocabulary, narrow);
        g.share(again, table);
        const LayerId both =
            g.add("side_by_side", "concat",
                  {g.norm("norm_tokens", again, d.stack.norm), g.norm("norm_states", x, d.stack.norm)});
        Stack one = d.stack;
        one.blocks.assign(1, d.stack.blocks.back());
        x = draw(g, one, g.dense("project", both, d.stack.width, false), "h");
        x = g.norm("final_norm", x, d.stack.norm);
        const LayerId guess = g.dense("logits", x, d.vocabulary, false);
        g.share(guess, d.tied ? table : logits);
        g.add("loss", "cross_entropy", {guess});
    }
}

}  // namespace scalescope::formats::hugging_face
