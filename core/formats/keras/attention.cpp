// SPDX-License-Identifier: GPL-3.0-or-later
// Attention: as products of its own in several layers of ours.
#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

/// Query, value and, if it is another, key, in the order Keras calls a layer of attention with.
struct Asked {
    KerasTensor query, key, value;
};

std::optional<Asked> asked_of(KerasUse& use) {
    Asked a{use.inputs[0], use.inputs.back(), use.inputs[1]};
    // By name they may stand in another order.
    if (use.call)
        for (std::size_t i = 0; i < use.call->inputs.size() && i < use.inputs.size(); ++i) {
            const std::string_view word = use.call->inputs[i].keyword;
            if (word == "query") a.query = use.inputs[i];
            if (word == "key") a.key = use.inputs[i];
            if (word == "value") a.value = use.inputs[i];
        }
    for (KerasTensor* t : {&a.query, &a.key, &a.value}) {
        auto same = use.arranged(*t, false);
        if (!same) return std::nullopt;
        *t = std::move(*same);
        if (t->dims.size() != 2) {
            use.error("Attention is read over sequences, of steps and channels; one of its inputs is " +
                          to_text(t->dims) + ".",
                      "Reshape it to steps and channels.");
            return std::nullopt;
        }
    }
    return a;
}

bool is_causal(KerasUse& use) {
    if (use.fields.flag({"causal"}, false)) return true;
    const auto given = use.call && use.call->arguments ? use.call->arguments->find("use_causal_mask") : std::nullopt;
    return given && given->boolean();
}

std::optional<KerasTensor> projected(KerasUse& use, const KerasTensor& in, std::int64_t units, bool bias,
                                     std::string_view part) {
    return use.add("dense", {{"units", units}, {"bias", bias}, {"per_position", true}}, {in}, part);
}

/// Projections of queries, keys and values, attention, and one projection of what comes out. Keras multiplies all
/// scores, so that it is not of the fused kind.
KerasTensors several_heads(KerasUse& use, std::int64_t heads, std::int64_t kv_heads, std::int64_t width,
                           std::int64_t value_width) {
    const bool bias = use.fields.flag({"use_bias"}, true);
    const auto out_dims = use.fields.list({"output_shape"}, 1, limits::dimension);
    const Checked queries = Checked(heads) * width, keys = Checked(kv_heads) * width,
                  values = Checked(kv_heads) * value_width;
    if (use.fields.failed()) return {};
    if (!queries.ok() || !keys.ok() || !values.ok())
        return use.error("The heads are too wide to count.", "Check num_heads and key_dim.");
    const auto asked = asked_of(use);
    if (!asked) return {};
    const auto q = projected(use, asked->query, queries.value(), bias, "query"),
               k = q ? projected(use, asked->key, keys.value(), bias, "key") : q,
               v = k ? projected(use, asked->value, values.value(), bias, "value") : k;
    if (!v) return {};
    const auto mixed =
        use.add("attention", {{"heads", heads}, {"kv_heads", kv_heads}, {"causal", is_causal(use)}, {"flash", false}},
                {*q, *k, *v}, "attention");
    if (!mixed) return {};
    const std::int64_t units = out_dims.size() == 1 ? out_dims[0] : asked->query.dims.back();
    return only(projected(use, *mixed, units, bias, "output"));
}

KerasTensors keras_multi_head(KerasUse& use) {
    const std::int64_t heads = use.fields.count({"num_heads"}), width = use.fields.count({"key_dim"}),
                       value_width = use.fields.integer({"value_dim"}, width, 1, limits::dimension);
    if (use.fields.failed()) return {};
    return several_heads(use, heads, heads, width, value_width);
}

KerasTensors keras_grouped_query(KerasUse& use) {
    const std::int64_t heads = use.fields.count({"num_query_heads"}), kv = use.fields.count({"num_key_value_heads"}),
                       width = use.fields.count({"head_dim"});
    if (use.fields.failed()) return {};
    return several_heads(use, heads, kv, width, width);
}

/// Without projections: the scores are products of queries and keys.
KerasTensors keras_attention(KerasUse& use) {
    const bool scaled = use.fields.flag({"use_scale"}, false);
    const bool product = use.fields.word({"score_mode"}, "dot") == "dot";
    if (use.fields.failed()) return {};
    const auto asked = asked_of(use);
    if (!asked) return {};
    if (scaled || !product) {
        use.inputs = {asked->query, asked->key, asked->value};
        return only(use.unknown({asked->query.dims[0], asked->value.dims[1]}, (scaled ? 1 : 0) + (product ? 0 : 1)));
    }
    return only(use.add("attention", {{"heads", 1}, {"causal", is_causal(use)}, {"flash", false}},
                        {asked->query, asked->key, asked->value}));
}

/// The scores are a sum, weighted by a number for each channel.
KerasTensors keras_additive(KerasUse& use) {
    const bool scaled = use.fields.flag({"use_scale"}, true);
    if (use.fields.failed()) return {};
    const auto asked = asked_of(use);
    if (!asked) return {};
    use.inputs = {asked->query, asked->key, asked->value};
    return only(use.unknown({asked->query.dims[0], asked->value.dims[1]}, scaled ? asked->key.dims[1] : 0));
}

constexpr KerasType attention_types[] = {
    {"MultiHeadAttention", keras_multi_head, false, 2},
    {"GroupQueryAttention GroupedQueryAttention", keras_grouped_query, false, 2},
    {"Attention", keras_attention, false, 2},
    {"AdditiveAttention", keras_additive, false, 2},
};

}  // namespace

std::span<const KerasType> keras_attention_types() { return attention_types; }

}  // namespace scalescope::formats
