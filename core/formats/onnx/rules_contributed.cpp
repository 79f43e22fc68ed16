// SPDX-License-Identifier: GPL-3.0-or-later
// Fused operators of ONNX Runtime (com.microsoft), and ONNX's own Attention.

#include "core/base/limits.hpp"
#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Keys or values of earlier calls with those of so many steps behind them; the steps stand before the width.
void put_present(Step& s, std::size_t output, const Value& past, std::size_t rank, std::int64_t steps, int element) {
    if (!past.ranked || past.dims.size() != rank) return;
    Dims present = past.dims;
    if (lengthen(present[rank - 2], steps)) s.set(output, tensor_value(element, std::move(present)));
}

/// Packed queries, keys and values of one product; `present` grows by the sequence.
void packed_attention(Step& s) {
    const Value &in = s.in(0), &weights = s.in(1);
    if (!in.ranked || in.dims.size() != 3 || !weights.ranked || weights.dims.size() != 2) return s.open(0, in.element);
    const auto sizes = s.integers("qkv_hidden_sizes");
    const std::int64_t width = sizes && sizes->size() == 3 ? (*sizes)[2]
                               : weights.dims[1] < 0       ? open_dimension
                                                           : weights.dims[1] / 3;
    s.set(0, tensor_value(in.element, {in.dims[0], in.dims[1], width}));
    put_present(s, 1, s.in(4), 5, in.dims[1], in.element);
}

/// ONNX's Attention (opset 23) takes queries, keys and values; ONNX Runtime's the input and one matrix.
void attention(Step& s) {
    if (s.node().domain == "com.microsoft" || (s.in(1).ranked && s.in(1).dims.size() == 2)) return packed_attention(s);
    const Value &q = s.in(0), &v = s.in(2);
    if (!q.ranked || !v.ranked || q.dims.size() != v.dims.size() || q.dims.size() < 3) return s.open(0, q.element);
    Dims out = q.dims;
    const std::int64_t heads = s.integer("q_num_heads", 1), kv = s.integer("kv_num_heads", 1);
    if (q.dims.size() == 4)
        out.back() = v.dims.back();
    else
        out.back() =
            v.dims.back() < 0 || kv < 1 || heads < 1 || heads > 4096 ? open_dimension : v.dims.back() / kv * heads;
    s.set(0, tensor_value(q.element, std::move(out)));
    for (std::size_t i = 1; i < 3; ++i) {
        const Value &now = s.in(i), &past = s.in(i + 3);
        Value present = without_numbers(past.present() ? past : now);
        if (past.ranked && past.dims.size() == 4 && now.ranked && now.dims.size() == 4)
            present.dims[2] = past.dims[2] < 0 || now.dims[2] < 0 ? open_dimension : past.dims[2] + now.dims[2];
        s.set(i, std::move(present));
    }
}

/// Keys and values with the ones before them: as long as the mask says, or both together.
void grouped_attention(Step& s) {
    const Value& q = s.in(0);
    Value out = without_numbers(q);
    const std::int64_t heads = s.integer("num_heads", 1), kv = s.integer("kv_num_heads", heads);
    if (!s.has(1) && out.ranked && out.dims.size() == 3 && out.dims[2] >= 0 && heads > 0 && kv >= 0 && heads <= 65536 &&
        kv <= 65536)
        out.dims[2] = out.dims[2] / (heads + 2 * kv) * heads;
    s.set(0, std::move(out));
    const std::int64_t steps = q.ranked && q.dims.size() > 1 ? q.dims[1] : open_dimension;
    for (std::size_t i = 1; i < 3; ++i) put_present(s, i, s.in(i + 2), 4, steps, s.in(i + 2).element);
}

void multi_head_attention(Step& s) {
    const Value &q = s.in(0), &v = s.in(2);
    Value out = without_numbers(q);
    if (out.ranked && out.dims.size() == 3 && v.ranked && v.dims.size() == 3) out.dims[2] = v.dims[2];
    if (out.ranked && out.dims.size() == 5) {  // batch × sequence × heads × 3 × width
        const std::int64_t heads = out.dims[2], width = out.dims[4];
        const bool told = heads >= 0 && width >= 0 && heads <= 65536 && width <= limits::dimension;
        out.dims = {out.dims[0], out.dims[1], told ? heads * width : open_dimension};
    }
    s.set(0, std::move(out));
    // Keys and values with the ones before them.
    const Value& k = s.in(1);
    const std::int64_t steps = k.ranked && k.dims.size() == 3 ? k.dims[1] : open_dimension;
    for (std::size_t i = 1; i < 3; ++i) put_present(s, i, s.in(i + 5), 4, steps, s.in(i + 5).element);
}

void skip_normalization(Step& s) {
    s.set(0, without_numbers(s.in(0)));
    s.set(3, without_numbers(s.in(0)));  // the sum before it is normalized
}

void embed_normalization(Step& s) {
    const Value &ids = s.in(0), &words = s.in(2);
    const int element = words.element;
    if (!ids.ranked || ids.dims.size() != 2 || !words.ranked || words.dims.size() != 2) return s.open(0, element);
    const Dims out{ids.dims[0], ids.dims[1], words.dims[1]};
    s.set(0, tensor_value(element, out));
    s.set(1, tensor_value(static_cast<int>(Element::int32), {ids.dims[0]}));
    s.set(2, tensor_value(element, out));
}

void quantized_sum(Step& s) {
    const Value &a = s.in(0), &b = s.in(3);
    if (!a.ranked || !b.ranked) return s.open(0, a.element);
    auto dims = broadcast_dims(a.dims, b.dims);
    if (!dims) return s.wrong("the inputs do not fit together");
    s.set(0, tensor_value(a.element, std::move(*dims)));
}

void first(Step& s) { s.set(0, without_numbers(s.in(0))); }

/// Trees give one row of scores for each sample.
void trees(Step& s) {
    const Value& in = s.in(0);
    const std::int64_t rows = in.ranked && !in.dims.empty() ? in.dims[0] : open_dimension;
    const bool classes =
        s.node().op == "TreeEnsembleClassifier" || s.node().op == "LinearClassifier" || s.node().op == "SVMClassifier";
    std::int64_t n = s.integer("n_targets", 1);
    for (const std::string_view name : {"classlabels_int64s", "classlabels_ints"})
        if (const auto labels = s.integers(name)) n = static_cast<std::int64_t>(labels->size());
    if (const Attribute* a = s.node().find("classlabels_strings"); a && !a->texts.empty())
        n = static_cast<std::int64_t>(a->texts.size());
    const int f = static_cast<int>(Element::float32);
    if (!classes) return s.set(0, tensor_value(f, {rows, n}));
    s.set(0, tensor_value(static_cast<int>(Element::int64), {rows}));
    s.set(1, tensor_value(f, {rows, n}));
}

constexpr RuleRow rules_contributed[] = {
    {attention, "Attention"},
    {packed_attention, "QAttention"},
    {grouped_attention, "GroupQueryAttention"},
    {multi_head_attention, "MultiHeadAttention"},
    {skip_normalization, "SkipLayerNormalization SkipSimplifiedLayerNormalization"},
    {embed_normalization, "EmbedLayerNormalization"},
    {quantized_sum, "QLinearAdd QLinearMul"},
    {first, "QLinearSigmoid QLinearLeakyRelu QLinearSoftmax"},
    {trees, "TreeEnsembleClassifier TreeEnsembleRegressor LinearClassifier LinearRegressor SVMClassifier SVMRegressor"},
};

}  // namespace

std::span<const RuleRow> contributed_rules() { return rules_contributed; }

}  // namespace scalescope::formats::onnx
