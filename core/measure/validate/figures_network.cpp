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
constexpr std::array<Figure, 2> needed{{{"layers", &PublishedRow::layers}, {"hidden", &PublishedRow::hidden}}};

/// Nothing is written for a figure that the row lacks, so that the family's default holds.
void write_figure(formats::JsonWriter& out, std::string_view name, std::int64_t figure) {
    if (figure > 0) out.integer(name, figure);
}

void gpt2_members(formats::JsonWriter& out, const PublishedRow& row) {
    write_figure(out, "n_positions", row.sequence);
    write_figure(out, "n_embd", row.hidden);
    write_figure(out, "n_layer", row.layers);
    write_figure(out, "n_head", row.heads);
    write_figure(out, "n_inner", row.feed_forward);
}

void mpt_members(formats::JsonWriter& out, const PublishedRow& row) {
    write_figure(out, "max_seq_len", row.sequence);
    write_figure(out, "d_model", row.hidden);
    write_figure(out, "n_layers", row.layers);
    write_figure(out, "n_heads", row.heads);
    out.boolean("no_bias", false);
    out.boolean("learned_pos_emb", true);
}

void llama_members(formats::JsonWriter& out, const PublishedRow& row) {
    const std::int64_t gated = (8 * row.hidden / 3 + 255) / 256 * 256;
    write_figure(out, "max_position_embeddings", row.sequence);
    write_figure(out, "hidden_size", row.hidden);
    write_figure(out, "num_hidden_layers", row.layers);
    write_figure(out, "num_attention_heads", row.heads);
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
    write_figure(out, "vocab_size", row.vocabulary);
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
    if (row.sequence == 0) return Network::make(std::move(*draft));
    const std::array<Binding, 1> length{Binding{"sequence", row.sequence}};
    return Network::make(std::move(*draft), length);
}

}  // namespace scalescope::measure
