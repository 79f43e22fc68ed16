// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/resolve.hpp"

#include <array>

#include "core/base/listed.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/formats/json_writer.hpp"

namespace scalescope::measure {

namespace {

struct Figure {
    std::string_view column;
    std::int64_t PublishedRow::*place;
};
constexpr std::array<Figure, 5> needed{{{"layers", &PublishedRow::layers},
                                        {"hidden", &PublishedRow::hidden},
                                        {"heads", &PublishedRow::heads},
                                        {"seq", &PublishedRow::sequence},
                                        {"vocab", &PublishedRow::vocabulary}}};

void gpt2_members(formats::JsonWriter& out, const PublishedRow& row) {
    out.integer("n_positions", row.sequence);
    out.integer("n_embd", row.hidden);
    out.integer("n_layer", row.layers);
    out.integer("n_head", row.heads);
    if (row.feed_forward > 0) out.integer("n_inner", row.feed_forward);
}

void mpt_members(formats::JsonWriter& out, const PublishedRow& row) {
    out.integer("max_seq_len", row.sequence);
    out.integer("d_model", row.hidden);
    out.integer("n_layers", row.layers);
    out.integer("n_heads", row.heads);
    out.boolean("no_bias", false);
    out.boolean("learned_pos_emb", true);
}

void llama_members(formats::JsonWriter& out, const PublishedRow& row) {
    const std::int64_t gated = (8 * row.hidden / 3 + 255) / 256 * 256;
    out.integer("max_position_embeddings", row.sequence);
    out.integer("hidden_size", row.hidden);
    out.integer("num_hidden_layers", row.layers);
    out.integer("num_attention_heads", row.heads);
    out.integer("num_key_value_heads", row.kv_heads > 0 ? row.kv_heads : row.heads);
    out.integer("intermediate_size", row.feed_forward > 0 ? row.feed_forward : gated);
    out.boolean("tie_word_embeddings", false);
}

}  // namespace

bool has_transformer(const PublishedRow& row) { return missing_figures(row).empty(); }

std::string missing_figures(const PublishedRow& row) {
    std::vector<std::string_view> missing;
    for (const Figure& figure : needed)
        if (row.*figure.place == 0) missing.push_back(figure.column);
    return listed(missing);
}

std::string transformer_config(const PublishedRow& row, const FamilyAlias& family) {
    formats::JsonWriter out;
    out.begin_object();
    out.text("name", row.network);
    out.text("model_type", family.family);
    out.integer("vocab_size", row.vocabulary);
    if (family.family == "llama")
        llama_members(out, row);
    else if (family.family == "mpt")
        mpt_members(out, row);
    else
        gpt2_members(out, row);
    out.end_object();
    return out.take();
}

Result<std::shared_ptr<const Network>> transformer_of(const PublishedRow& row, const FamilyAlias& family) {
    auto draft = formats::import_hugging_face_config(transformer_config(row, family), row.network);
    if (!draft) return fail(draft.error());
    draft->name = row.network;
    const std::array<Binding, 1> length{Binding{"sequence", row.sequence}};
    return Network::make(std::move(*draft), length);
}

}  // namespace scalescope::measure
