// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices: with weights a dense layer, of two tensors a product.
#include <array>

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

/// The Add behind a product whose other operand is a vector of `units` from the file: its bias.
const Item* bias_behind(Converter& c, std::int64_t units, int& bias) {
    const Item* next = c.only_reader();
    if (!next || next->node->op != "Add" || next->inputs.size() != 2 || next->outputs.empty()) return nullptr;
    const int first = next->inputs[0], second = next->inputs[1];
    bias = first == c.output() ? second : first;
    if (bias < 0 || c.is_data(bias) || bias == c.output() || !c.value(bias).is_real()) return nullptr;
    const Value& v = c.value(bias);
    const bool vector = v.count() == units && units > 1 && !v.dims.empty() && v.dims.back() == units;
    return vector && c.value(next->outputs[0]).dims == c.value(c.output()).dims ? next : nullptr;
}

bool dense_of(Converter& c, int in, std::int64_t units, const std::vector<int>& weights, int bias) {
    const std::size_t layer = c.natural(in);
    const std::size_t rank = c.sample(in).shape(natural_order(c.value(in).dims.size())).size();
    const Item* later = nullptr;
    if (bias < 0) later = bias_behind(c, units, bias);
    if (!later && bias >= 0 && c.value(bias).count() != units) bias = -1;
    if (later) c.now_makes(*later);
    std::vector<int> all = weights;
    if (bias >= 0) all.push_back(bias);
    const bool made = c.become("dense", {{"units", units}, {"bias", bias >= 0}, {"per_position", rank > 1}}, {layer},
                               natural_order(c.value(c.output()).dims.size()));
    if (!made) return false;
    c.weights(all);
    if (weights.size() == 1) c.may_repeat_table(weights[0]);
    if (later) c.absorb(*later);
    return true;
}

/// Of two tensors, the batch's axis left out; a transposed operand needs no copy.
bool product_of(Converter& c, int a, int b, bool turn_a, bool turn_b) {
    const Sample sa = c.sample(a), sb = c.sample(b), out = c.sample(c.output());
    if (sa.dims.size() < 2 || sb.dims.size() < 2) return false;
    const auto operand = [&](int s, const Sample& is, bool& turned) {
        Order plain = natural_order(is.dims.size()), swapped = plain;
        std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
        const bool lies_turned =
            !c.is_stored(s) && same_layout(is, c.place(s).order, swapped) && !same_layout(is, plain, swapped);
        const Order& order = lies_turned ? swapped : plain;
        if (lies_turned) turned = !turned;
        const std::size_t layer = c.arranged(s, order);
        // Leading axes stand as in the output, without its batch; the last two are kept even if they are 1.
        Shape shape;
        const std::size_t skip = out.dims.size() - is.dims.size();
        for (std::size_t i = 0; i < order.size(); ++i) {
            const bool leading = i + 2 < order.size();
            if (leading && static_cast<int>(i + skip) == out.batch && is.dims[i] == 1) continue;
            shape.push_back(is.dims[order[i]]);
        }
        return c.shown_as(layer, shape);
    };
    if (out.dims.size() < sa.dims.size() || out.dims.size() < sb.dims.size()) return false;
    const std::size_t first = operand(a, sa, turn_a), second = operand(b, sb, turn_b);
    return c.become("matmul", {{"transpose_a", turn_a}, {"transpose_b", turn_b}}, {first, second});
}

bool product_with(Converter& c, int a, int b, int bias, bool turn_a, bool turn_b) {
    const bool weights = b >= 0 && c.is_stored(b) && c.value(b).dims.size() == 2;
    if (a < 0 || b < 0) return false;
    if (weights && !turn_a && c.is_data(a)) {
        const Dims& shape = c.value(b).dims;
        return dense_of(c, a, turn_b ? shape[0] : shape[1], {b}, bias);
    }
    return product_of(c, a, b, turn_a, turn_b);
}

bool matmul(Converter& c) {
    const std::string& op = c.node().op;
    const bool q = op == "QLinearMatMul";
    if (q || op == "MatMulInteger" || op == "DynamicQuantizeMatMul" || op == "MatMulIntegerToFloat")
        c.note("it computes with integers, here with the precision of the others.", "Read its time with that in mind.");
    return product_with(c, c.input(0), c.input(q ? 3 : 1), -1, c.integer("transA", 0) != 0,
                        c.integer("transB", 0) != 0);
}

bool gemm(Converter& c) {
    const int bias = c.input(2);
    if (bias >= 0 && c.is_data(bias)) return false;
    return product_with(c, c.input(0), c.input(1), bias, c.integer("transA", 0) != 0, c.integer("transB", 0) != 0);
}

/// Packed weights of a few bits: the attributes say how many there are.
bool packed_matmul(Converter& c) {
    c.note("its weights have a few bits each, here the precision of the others.", "Read its time with that in mind.");
    const std::int64_t units = c.integer("N", 0);
    return units > 0 && dense_of(c, c.input(0), units, {c.input(1)}, -1);
}

/// Subscripts that are a product of two tensors after all: "bij,bjk->bik" and the like.
bool einsum(Converter& c) {
    if (c.item().inputs.size() != 2) return false;
    const Attribute* a = c.node().find("equation");
    std::string e;
    for (const char x : a ? a->text : std::string())
        if (x != ' ') e += x;
    const auto comma = e.find(','), arrow = e.find("->");
    if (comma == std::string::npos || arrow == std::string::npos || e.find('.') != std::string::npos) return false;
    const std::string x = e.substr(0, comma), y = e.substr(comma + 1, arrow - comma - 1), z = e.substr(arrow + 2);
    if (x.size() < 2 || y.size() < 2 || z.size() < 2) return false;
    // Leading letters alike, then rows and columns.
    const auto lead = [](const std::string& t) { return t.substr(0, t.size() - 2); };
    const bool weights = y.size() == 2 && x.size() > 2;
    if (!weights && (lead(x) != lead(y) || lead(x) != lead(z))) return false;
    const char m = z[z.size() - 2], n = z[z.size() - 1];
    const std::string p = x.substr(x.size() - 2), q = y.substr(y.size() - 2);
    if (weights) {
        if (x.substr(0, x.size() - 1) != z.substr(0, z.size() - 1)) return false;
        const bool plain = q[0] == x.back() && q[1] == n, turned = q[1] == x.back() && q[0] == n;
        return (plain || turned) && product_with(c, c.input(0), c.input(1), -1, false, turned && !plain);
    }
    const bool turn_a = p[1] == m, turn_b = q[0] == n;
    const char inner = turn_a ? p[0] : p[1], other = turn_b ? q[1] : q[0];
    if (inner != other || (turn_a ? p[1] : p[0]) != m || (turn_b ? q[0] : q[1]) != n) return false;
    return product_of(c, c.input(0), c.input(1), turn_a, turn_b);
}

/// Three products of the input, one for each of queries, keys and values, then attention.
bool packed_attention(Converter& c) {
    const int in = c.input(0), weights = c.input(1), bias = c.input(2);
    if (weights < 0 || c.is_data(weights) || c.value(weights).dims.size() != 2 || c.value(in).dims.size() != 3)
        return false;
    const std::int64_t all = c.value(weights).dims[1], heads = c.integer("num_heads", 1);
    const Attribute* sizes = c.node().find("qkv_hidden_sizes");
    const Dims width = sizes && sizes->integers.size() == 3 ? sizes->integers : Dims{all / 3, all / 3, all / 3};
    const std::size_t layer = c.natural(in);
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < 3; ++i) {
        constexpr std::array<std::string_view, 3> names{"queries", "keys", "values"};
        const auto part =
            c.helper(names[i], "dense", {{"units", width[i]}, {"bias", bias >= 0}, {"per_position", true}}, {layer});
        if (!part) return false;
        c.weights(i == 0 ? std::vector<int>{weights, bias} : std::vector<int>{});
        parts.push_back(*part);
    }
    if (c.input(4) >= 0)
        c.note("keys and values of earlier calls are left out.",
               "Read its time as that of a first call, as in training.");
    return c.become("attention", {{"heads", heads}, {"causal", c.integer("unidirectional", 0) != 0}}, parts);
}

bool attention(Converter& c) {
    if (c.node().op == "QAttention") return false;
    if (c.node().op == "Attention" && c.input(1) >= 0 && c.value(c.input(1)).dims.size() == 2)
        return packed_attention(c);
    const bool onnx = c.node().op == "Attention", grouped = c.node().op == "GroupQueryAttention";
    if (!c.is_data(c.input(0)) || !c.is_data(c.input(1)) || !c.is_data(c.input(2))) return false;
    const std::int64_t heads = c.integer(onnx ? "q_num_heads" : "num_heads", 1), kv = c.integer("kv_num_heads", heads);
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.value(c.input(i)).dims.size() != 3) return false;
        parts.push_back(c.natural(c.input(i)));
    }
    if (c.input(3) >= 0 && grouped)
        c.note("keys and values of earlier calls are left out.",
               "Read its time as that of a first call, as in training.");
    const bool causal = grouped || c.integer("is_causal", 0) != 0 || c.integer("unidirectional", 0) != 0;
    return c.become("attention", {{"heads", heads}, {"kv_heads", kv}, {"causal", causal}}, parts);
}

constexpr std::array product_rows{ConversionRow{"MatMul", matmul},
                                  ConversionRow{"FusedMatMul", matmul},
                                  ConversionRow{"MatMulInteger", matmul},
                                  ConversionRow{"QLinearMatMul", matmul},
                                  ConversionRow{"DynamicQuantizeMatMul", matmul},
                                  ConversionRow{"MatMulIntegerToFloat", matmul},
                                  ConversionRow{"MatMulNBits", packed_matmul},
                                  ConversionRow{"Gemm", gemm},
                                  ConversionRow{"FusedGemm", gemm},
                                  ConversionRow{"Einsum", einsum},
                                  ConversionRow{"Attention", attention},
                                  ConversionRow{"QAttention", attention},
                                  ConversionRow{"MultiHeadAttention", attention},
                                  ConversionRow{"GroupQueryAttention", attention}};

}  // namespace

std::span<const ConversionRow> product_conversions() { return product_rows; }

}  // namespace scalescope::formats::onnx
