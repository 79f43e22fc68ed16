// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalescope::formats::hugging_face {

/// The names that one figure has in the families' files, in the order in which they are looked for, separated by
/// spaces.
using Names = std::string_view;

/// One object of a config.json, asked for figures by any of their names. Collects what is missing, so that it is said
/// at once, and what was taken from the family's defaults.
class Config {
public:
    /// What is not in `object` may be in `outer`, the object around it.
    Config(JsonValue object, std::string path, ProblemList& problems, const Config* outer = nullptr);

    /// The first of these members that is there and not null.
    std::optional<JsonValue> find(Names names) const;
    bool has(Names names) const { return find(names).has_value(); }
    /// An object inside this one. What it does not have is looked for here too, if `with_outer`.
    std::optional<Config> part(Names names, bool with_outer = true) const;

    /// A whole number from `least` to `most`. Missing, it is one of the figures that `missing` names; 1 is returned so
    /// that reading goes on.
    std::int64_t size(Names names, std::int64_t most, std::int64_t least = 1);
    /// Missing, it is `otherwise`, which the warning names; of what is not said no word is lost if `quiet`.
    std::int64_t size_or(Names names, std::int64_t otherwise, std::int64_t most, std::int64_t least = 1,
                         bool quiet = false);
    bool flag(Names names, bool otherwise, bool quiet = true);
    double number(Names names, double otherwise);
    std::string word(Names names, std::string_view otherwise, bool quiet = true);
    std::vector<std::string> words(Names names) const;

    /// A value that cannot be meant so.
    void error(Names names, std::string what, std::string remedy);
    void warn(std::string what, std::string remedy);
    /// A figure that was taken from elsewhere: "num_key_value_heads = 32".
    void assume(std::string text) { notes_->assumed.push_back(std::move(text)); }

    /// Says what was missing and what was assumed. False if something was missing or wrong.
    bool finish(std::string_view family);
    JsonValue value() const { return value_; }

private:
    std::string where(std::string_view name) const { return join_path(path_, name); }
    std::optional<std::int64_t> whole(JsonValue value, std::int64_t least, std::int64_t most);
    void wrong(JsonValue value, std::string what, std::string remedy);

    JsonValue value_;
    std::string path_;
    ProblemList& problems_;
    const Config* outer_;
    std::size_t errors_;
    struct Notes {
        std::vector<std::string> missing, assumed;
    };
    std::shared_ptr<Notes> notes_;  ///< one for an object and its parts
};

/// The names that figures have in more than one family.
namespace names {
inline constexpr Names width = "hidden_size n_embd d_model n_embed dim";
inline constexpr Names layers = "num_hidden_layers n_layer n_layers num_layers";
inline constexpr Names heads = "num_attention_heads n_head n_heads num_heads";
inline constexpr Names kv_heads = "num_key_value_heads num_kv_heads n_head_kv kv_n_heads multi_query_group_num";
inline constexpr Names head_width = "head_dim kv_channels attention_head_dim";
inline constexpr Names hidden = "intermediate_size n_inner ffn_dim d_ff ffn_hidden_size hidden_dim";
inline constexpr Names positions =
    "max_position_embeddings n_positions n_ctx max_seq_len seq_length max_sequence_length model_max_length";
inline constexpr Names vocabulary = "vocab_size padded_vocab_size";
inline constexpr Names experts = "num_local_experts num_experts n_routed_experts moe_num_experts";
inline constexpr Names experts_used = "num_experts_per_tok experts_per_token moe_top_k moe_k top_k_experts";
inline constexpr Names activation = "hidden_act activation_function hidden_activation activation afn mlp_hidden_act";
inline constexpr Names dropout = "resid_pdrop hidden_dropout_prob hidden_dropout dropout_rate dropout";
}  // namespace names

/// Bounds of figures, so that a slip of a key does not draw a million layers.
inline constexpr std::int64_t most_layers = 4096;
inline constexpr std::int64_t most_heads = 8192;
inline constexpr std::int64_t most_width = 1 << 24;
inline constexpr std::int64_t most_rows = std::int64_t{1} << 31;

}  // namespace scalescope::formats::hugging_face
