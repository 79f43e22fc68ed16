// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/figures_network.hpp"

#include <array>

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

void member(formats::JsonWriter& out, std::string_view name, std::int64_t value) {
    out.key(name);
    out.integer(value);
}
void member(formats::JsonWriter& out, std::string_view name, bool value) {
    out.key(name);
    out.boolean(value);
}

void gpt2_members(formats::JsonWriter& out, const PublishedRow& row) {
    member(out, "n_positions", row.sequence);
    member(out, "n_embd", row.hidden);
    member(out, "n_layer", row.layers);
    member(out, "n_head", row.heads);
    if (row.feed_forward > 0) member(out, "n_inner", row.feed_forward);
}

void mpt_members(formats::JsonWriter& out, const PublishedRow& row) {
    member(out, "max_seq_len", row.sequence);
    member(out, "d_model", row.hidden);
    member(out, "n_layers", row.layers);
    member(out, "n_heads", row.heads);
    member(out, "no_bias", false);
    member(out, "learned_pos_emb", true);
}

void llama_members(formats::JsonWriter& out, const PublishedRow& row) {
    const std::int64_t gated = (8 * row.hidden / 3 + 255) / 256 * 256;
    member(out, "max_position_embeddings", row.sequence);
    member(out, "hidden_size", row.hidden);
    member(out, "num_hidden_layers", row.layers);
    member(out, "num_attention_heads", row.heads);
    member(out, "num_key_value_heads", row.kv_heads > 0 ? row.kv_heads : row.heads);
    member(out, "intermediate_size", row.feed_forward > 0 ? row.feed_forward : gated);
    member(out, "tie_word_embeddings", false);
}

}  // namespace

bool has_transformer(const PublishedRow& row) { return missing_figures(row).empty(); }

std::string missing_figures(const PublishedRow& row) {
    std::string missing;
    for (const Figure& figure : needed)
        if (row.*figure.place == 0) missing += (missing.empty() ? "" : ", ") + std::string(figure.column);
    return missing;
}

std::string transformer_config(const PublishedRow& row, const FamilyAlias& family) {
    formats::JsonWriter out;
    out.begin_object();
    out.key("name");
    out.text(row.network);
    out.key("model_type");
    out.text(family.family);
    member(out, "vocab_size", row.vocabulary);
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
