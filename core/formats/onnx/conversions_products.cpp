// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices: with weights a dense layer, of two tensors a product.
#include <algorithm>
#include <cctype>

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
    const std::size_t rank = c.sample_shape(in).size();
    const Item* later = nullptr;
    if (bias < 0) later = bias_behind(c, units, bias);
    if (!later && bias >= 0 && c.value(bias).count() != units) bias = -1;
    if (later) c.now_makes(*later);
    std::vector<int> all = weights;
    if (bias >= 0) all.push_back(bias);
    const bool made = c.become("dense", {{"units", units}, {"bias", bias >= 0}, {"per_position", rank > 1}}, {layer});
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
    const bool q = op == "QLinearMatMul" || op == "QGemm";
    if (q || op == "MatMulInteger" || op == "DynamicQuantizeMatMul" || op == "MatMulIntegerToFloat")
        c.note("it computes with integers, here with the precision of the others.", "Read its time with that in mind.");
    const int bias = op == "DynamicQuantizeMatMul"                   ? c.input(4)
                     : op == "QGemm" || op == "MatMulIntegerToFloat" ? c.input(6)
                                                                     : -1;
    return product_with(c, c.input(0), c.input(q ? 3 : 1), bias >= 0 && c.is_stored(bias) ? bias : -1,
                        c.integer("transA", 0) != 0, c.integer("transB", 0) != 0);
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

/// The equation of an Einsum without blanks.
std::string equation_of(Converter& c) {
    std::string equation = c.node().said("equation").text;
    std::erase(equation, ' ');
    return equation;
}

/// Subscripts that are a product of two tensors after all: "bij,bjk->bik" and the like.
bool einsum_of_matrices(Converter& c) {
    if (c.item().inputs.size() != 2) return false;
    const std::string e = equation_of(c);
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

/// Letters for the axes of each input and of the output; "..." gets letters of its own, an output left out its own
/// rule.
std::optional<std::vector<std::string>> subscripts(Converter& c) {
    const std::string e = equation_of(c);
    const auto arrow = e.find("->");
    std::vector<std::string> parts{""};
    for (const char x : e.substr(0, arrow)) {
        if (x == ',')
            parts.emplace_back();
        else
            parts.back() += x;
    }
    if (parts.size() != c.item().inputs.size()) return std::nullopt;
    std::string output = arrow == std::string::npos ? std::string() : e.substr(arrow + 2);
    if (arrow == std::string::npos) {
        std::string all = e;
        std::ranges::sort(all);
        for (const char x : all)
            if (std::isalpha(static_cast<unsigned char>(x)) && std::ranges::count(all, x) == 1) output += x;
    }
    parts.push_back(output);
    std::string fresh;
    for (char x = 'A'; x <= 'Z'; ++x)
        if (e.find(x) == std::string::npos) fresh += x;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const int s = i + 1 < parts.size() ? c.input(i) : c.output();
        const std::size_t rank = c.value(s).dims.size();
        if (const auto dots = parts[i].find("..."); dots != std::string::npos) {
            const std::size_t letters = parts[i].size() - 3;
            if (rank < letters || rank - letters > fresh.size()) return std::nullopt;
            const std::size_t n = rank - letters;
            std::string some = fresh.substr(0, fresh.size() / 2);  // aligned at their end
            if (n > some.size()) return std::nullopt;
            parts[i].replace(dots, 3, some.substr(some.size() - n));
        }
        if (parts[i].size() != rank) return std::nullopt;
    }
    return parts;
}

/// Any other sum over one or two tensors, the samples' letter in front.
bool einsum(Converter& c) {
    if (einsum_of_matrices(c)) return true;
    auto parts = subscripts(c);
    if (!parts || parts->size() > 3) return false;
    const Sample out = c.sample(c.output());
    const char batch = out.batch < 0 ? '\0' : parts->back()[static_cast<std::size_t>(out.batch)];
    if (out.batch >= 0 && out.dims[static_cast<std::size_t>(out.batch)] != 1) return false;
    std::vector<std::size_t> layers;
    std::string equation;
    for (std::size_t i = 0; i < parts->size(); ++i) {
        std::string& letters = (*parts)[i];
        const bool last = i + 1 == parts->size();
        const int s = last ? c.output() : c.input(i);
        const Sample is = c.sample(s);
        if (is.batch >= 0 && letters[static_cast<std::size_t>(is.batch)] != batch) return false;
        if (is.batch < 0 && batch != '\0' && letters.find(batch) != std::string::npos) return false;
        std::string ours;
        Shape shape;
        for (std::size_t k = 0; k < letters.size(); ++k) {
            if (static_cast<int>(k) == is.batch) continue;
            ours += letters[k];
            shape.push_back(is.dims[k]);
        }
        if (is.batch >= 0) ours.insert(ours.begin(), batch);
        equation += (last ? "->" : i > 0 ? "," : "") + ours;
        if (!last) layers.push_back(c.shown_as(c.natural(s), shape));
    }
    return c.become("einsum", {{"equation", equation}}, layers);
}

constexpr ConversionRow product_rows[] = {
    {matmul, "MatMul FusedMatMul MatMulInteger QLinearMatMul DynamicQuantizeMatMul MatMulIntegerToFloat QGemm"},
    {packed_matmul, "MatMulNBits"},
    {gemm, "Gemm FusedGemm"},
    {einsum, "Einsum"},
};

}  // namespace

std::span<const ConversionRow> product_conversions() { return product_rows; }

}  // namespace scalescope::formats::onnx
