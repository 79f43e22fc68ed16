// SPDX-License-Identifier: GPL-3.0-or-later
// Attention as one operator: ONNX's own and ONNX Runtime's, with keys and values of earlier calls, and packed ones.
#include <array>

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

using Part = std::optional<std::size_t>;
using Parts = std::array<std::size_t, 3>;  ///< layers of queries, keys and values: sequence × width

constexpr std::array<std::string_view, 3> part_names{"queries", "keys", "values"};

/// Whether a layer was made, which is `part` then.
bool take(std::size_t& part, Part made) {
    if (made) part = *made;
    return made.has_value();
}

/// Elements of one axis of a layer, from `start`.
Part cut(Converter& c, std::string_view name, std::size_t layer, std::int64_t axis, std::int64_t start,
         std::int64_t size) {
    return c.helper(name, "slice", {{"axis", axis}, {"start", start}, {"size", size}}, {layer});
}

/// One of queries, keys or values, heads side by side: of batch × sequence × width, or of batch × heads × sequence ×
/// width, which a fused operator reads as it lies.
Part rows_of(Converter& c, int s) {
    const Sample is = c.sample(s);
    if (is.batch != 0 || is.dims[0] != 1) return std::nullopt;
    if (is.dims.size() == 3) return c.shown_as(c.natural(s), {is.dims[1], is.dims[2]});
    if (is.dims.size() != 4) return std::nullopt;
    return c.shown_as(c.place(s).layer, {is.dims[2], is.dims[1] * is.dims[3]});
}

/// Keys or values of earlier calls, and those of this one behind them.
Part with_past(Converter& c, std::string_view name, std::size_t now, std::size_t past) {
    return c.helper(name, "concat", {{"axis", 1}}, {past, now});
}

/// Past keys at input `k` and values at the one behind it, in front of those of this call; present ones at output `o`.
bool add_past(Converter& c, Parts& parts, std::size_t k, std::size_t o) {
    for (std::size_t i = 1; i < 3; ++i) {
        const int past = c.input(k + i - 1);
        if (past < 0 || !c.is_data(past)) continue;
        const auto rows = rows_of(c, past);
        if (!rows || !take(parts[i], with_past(c, i == 1 ? "all keys" : "all values", parts[i], *rows))) return false;
        const int present = c.output(o + i - 1);
        if (present >= 0) c.show_in(present, parts[i]);
    }
    return true;
}

/// Present keys and values that no past ones stand before are those of this call.
void place_present(Converter& c, const Parts& parts, std::size_t o) {
    for (std::size_t i = 1; i < 3; ++i) {
        const int present = c.output(o + i - 1);
        if (present >= 0 && !c.has_place(present)) c.show_in(present, parts[i]);
    }
}

bool attend(Converter& c, const Parts& parts, std::int64_t heads, std::int64_t kv_heads, bool causal) {
    return c.become_shown("attention", {{"heads", heads}, {"kv_heads", kv_heads}, {"causal", causal}},
                          {parts.begin(), parts.end()});
}

/// Three products of the input, one for each of queries, keys and values, then attention.
bool of_one_matrix(Converter& c) {
    const bool quantized = c.node().op == "QAttention";
    const int in = c.input(0), weights = c.input(1), bias = c.input(2), past = c.input(quantized ? 8 : 4);
    if (weights < 0 || c.is_data(weights) || c.value(weights).dims.size() != 2 || c.value(in).dims.size() != 3)
        return false;
    if (quantized)
        c.note("it computes with integers, here with the precision of the others.", "Read its time with that in mind.");
    const std::int64_t all = c.value(weights).dims[1], heads = c.integer("num_heads", 1);
    const Dims& sizes = c.node().said("qkv_hidden_sizes").integers;
    const Dims width = sizes.size() == 3 ? sizes : Dims{all / 3, all / 3, all / 3};
    const std::size_t layer = c.natural(in);
    Parts parts{};
    for (std::size_t i = 0; i < 3; ++i) {
        const Converter::Givens given{{"units", width[i]}, {"bias", bias >= 0}, {"per_position", true}};
        if (!take(parts[i], c.helper(part_names[i], "dense", given, {layer}))) return false;
        c.weights(i == 0 ? std::vector<int>{weights, bias} : std::vector<int>{});
    }
    const bool pairs = past >= 0 && c.is_data(past) && c.value(past).dims.size() == 5;
    if (past >= 0 && c.is_data(past) && !pairs)
        c.note("keys and values of earlier calls have no shape of such, and are left out.",
               "Read its time as that of a first call, as in training.");
    if (pairs) {  // 2 × batch × heads × sequence × width
        const Sample is = c.sample(past);
        if (is.batch != 1 || is.dims[1] != 1) return false;
        const std::size_t both = c.shown_as(c.natural(past), {is.dims[0], is.dims[2], is.dims[3], is.dims[4]});
        for (std::size_t i = 1; i < 3; ++i) {
            const auto one = cut(c, i == 1 ? "past keys" : "past values", both, 1, i == 1 ? 0 : 1, 1);
            if (!one) return false;
            const std::size_t rows = c.shown_as(*one, {is.dims[3], is.dims[2] * is.dims[4]});
            if (!take(parts[i], with_past(c, i == 1 ? "all keys" : "all values", parts[i], rows))) return false;
        }
    }
    if (const int present = c.output(1); present >= 0)
        if (const auto both = c.helper("present", "concat", {{"axis", 1}}, {parts[1], parts[2]}))
            c.show_in(present, *both);
    return attend(c, parts, heads, 0, c.integer("unidirectional", 0) != 0);
}

/// Queries, keys and values packed into the first input, or keys and values into the second.
std::optional<Parts> unpacked(Converter& c, std::int64_t heads, std::int64_t kv) {
    const int q = c.input(0), k = c.input(1), v = c.input(2);
    const Dims& d = c.value(q).dims;
    Parts parts{};
    const auto rows = [&](int s, std::size_t i) { return take(parts[i], rows_of(c, s)); };
    const auto packed = [&](int s, std::size_t i, std::int64_t place) {  // batch × sequence × heads × n × width
        const Sample is = c.sample(s);
        if (is.batch != 0 || is.dims.size() != 5) return false;
        const auto one = cut(c, part_names[i],
                             c.shown_as(c.natural(s), {is.dims[1], is.dims[2], is.dims[3], is.dims[4]}), 3, place, 1);
        if (one) parts[i] = c.shown_as(*one, {is.dims[1], is.dims[2] * is.dims[4]});
        return one.has_value();
    };
    if (k < 0 && d.size() == 5) {
        for (std::size_t i = 0; i < 3; ++i)
            if (!packed(q, i, static_cast<std::int64_t>(i))) return std::nullopt;
        return parts;
    }
    if (k < 0) {  // side by side
        if (d.empty()) return std::nullopt;
        const auto all = rows_of(c, q);
        const std::int64_t head = d.back() / std::max<std::int64_t>(heads + 2 * kv, 1);
        std::int64_t at = 0;
        for (std::size_t i = 0; i < 3 && all; ++i) {
            const std::int64_t width = head * (i == 0 ? heads : kv);
            if (!take(parts[i], cut(c, part_names[i], *all, -1, at, width))) return std::nullopt;
            at += width;
        }
        return all ? std::optional(parts) : std::nullopt;
    }
    if (!rows(q, 0)) return std::nullopt;
    if (v < 0 && c.value(k).dims.size() == 5) {
        if (!packed(k, 1, 0) || !packed(k, 2, 1)) return std::nullopt;
        return parts;
    }
    if (v < 0 || !c.is_data(k) || !c.is_data(v) || !rows(k, 1) || !rows(v, 2)) return std::nullopt;
    return parts;
}

bool grouped(Converter& c) {
    const std::int64_t heads = c.integer("num_heads", 1), kv = c.integer("kv_num_heads", heads);
    auto parts = c.is_data(c.input(0)) ? unpacked(c, heads, kv) : std::nullopt;
    if (!parts) return false;
    if (c.integer("do_rotary", 0) != 0)
        for (std::size_t i = 0; i < 2; ++i) {
            std::size_t& part = (*parts)[i];
            if (!take(part, c.helper(i == 0 ? "turned queries" : "turned keys", "rotary", {}, {part}))) return false;
        }
    if (!add_past(c, *parts, 3, 1)) return false;
    place_present(c, *parts, 1);
    return attend(c, *parts, heads, kv, true);
}

bool multi_head(Converter& c) {
    const std::int64_t heads = c.integer("num_heads", 1);
    auto parts = c.is_data(c.input(0)) ? unpacked(c, heads, heads) : std::nullopt;
    if (!parts) return false;
    // One bias for all of them.
    if (const int bias = c.input(3); bias >= 0 && c.is_stored(bias))
        for (std::size_t i = 0; i < 3; ++i) {
            std::size_t& part = (*parts)[i];
            const Converter::Givens given{{"scale", false}, {"bias", true}};
            if (!take(part, c.helper(std::string(part_names[i]) + " bias", "scale", given, {part}))) return false;
            c.weights(i == 0 ? std::vector<int>{bias} : std::vector<int>{});
        }
    if (!add_past(c, *parts, 6, 1)) return false;
    place_present(c, *parts, 1);
    return attend(c, *parts, heads, 0, c.integer("unidirectional", 0) != 0);
}

bool of_the_standard(Converter& c) {
    Parts parts{};
    for (std::size_t i = 0; i < 3; ++i)
        if (!c.is_data(c.input(i)) || !take(parts[i], rows_of(c, c.input(i)))) return false;
    const Dims &q = c.value(c.input(0)).dims, &k = c.value(c.input(1)).dims;
    const std::int64_t heads = q.size() == 4 ? q[1] : c.integer("q_num_heads", 1),
                       kv = k.size() == 4 ? k[1] : c.integer("kv_num_heads", heads);
    if (!add_past(c, parts, 4, 1)) return false;
    place_present(c, parts, 1);
    return attend(c, parts, heads, kv, c.integer("is_causal", 0) != 0);
}

/// ONNX's operator takes queries, keys and values, ONNX Runtime's of the same name an input and one matrix.
bool attention(Converter& c) {
    if (c.node().op == "QAttention" || (c.input(1) >= 0 && c.value(c.input(1)).dims.size() == 2))
        return of_one_matrix(c);
    return of_the_standard(c);
}

/// Pairs of channels turned by angles that are known before.
bool rotated(Converter& c) {
    return c.become("rotary", {}, {c.shown_as(c.natural(c.input(0)), c.sample_shape(c.input(0)))});
}

constexpr ConversionRow attention_rows[] = {
    {attention, "Attention QAttention"},
    {multi_head, "MultiHeadAttention"},
    {grouped, "GroupQueryAttention"},
    {rotated, "RotaryEmbedding"},
};

}  // namespace

std::span<const ConversionRow> attention_conversions() { return attention_rows; }

}  // namespace scalescope::formats::onnx
