// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices and of tensors by their subscripts, and recurrent networks: every state, and the last one.
#include <map>

#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

void product(Step& s, const Value& first, const Value& second, int element) {
    if (!first.ranked || !second.ranked) return s.open(0, element);
    Dims a = first.dims, b = second.dims;
    const auto swap_last = [](Dims& d) {
        if (d.size() >= 2) std::swap(d[d.size() - 1], d[d.size() - 2]);
    };
    if (s.integer("transA", 0) != 0) swap_last(a);
    if (s.integer("transB", 0) != 0) swap_last(b);
    if (a.empty() || b.empty()) return s.wrong("a number is no matrix");
    const bool row = a.size() == 1, column = b.size() == 1;
    if (row) a.insert(a.begin(), 1);
    if (column) b.push_back(1);
    const std::int64_t inner = a.back(), other = b[b.size() - 2];
    if (inner >= 0 && other >= 0 && inner != other)
        return s.wrong("its inputs do not fit together: " + std::to_string(inner) + " columns meet " +
                       std::to_string(other) + " rows");
    auto out = broadcast_dims(Dims(a.begin(), a.end() - 2), Dims(b.begin(), b.end() - 2));
    if (!out) return s.wrong("the leading dimensions of its inputs do not fit together");
    if (!row) out->push_back(a[a.size() - 2]);
    if (!column) out->push_back(b.back());
    s.set(0, tensor_value(element, std::move(*out)));
}

void matmul(Step& s) { product(s, s.in(0), s.in(1), s.in(0).element); }
void matmul_integer(Step& s) { product(s, s.in(0), s.in(1), static_cast<int>(Element::int32)); }
void qlinear_matmul(Step& s) { product(s, s.in(0), s.in(3), s.has(7) ? s.in(7).element : s.in(0).element); }
/// The contributed product of integers that gives floats.
void matmul_integer_to_float(Step& s) { product(s, s.in(0), s.in(1), static_cast<int>(Element::float32)); }

void gemm(Step& s) {
    // Before opset 7 the first input was flattened by some exporters' Gemm of images: two dimensions are what counts.
    product(s, s.in(0), s.in(1), s.in(0).element);
}

void qgemm(Step& s) { product(s, s.in(0), s.in(3), s.has(8) ? s.in(8).element : static_cast<int>(Element::float32)); }

void matmul_nbits(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked || in.dims.empty()) return s.open(0, in.element);
    Dims out = in.dims;
    out.back() = s.integer("N", open_dimension);
    s.set(0, tensor_value(in.element, std::move(out)));
}

/// Subscripts: letters, and "..." for the axes in front.
void einsum(Step& s) {
    std::string equation;
    for (const char c : s.text("equation"))
        if (c != ' ') equation += c;
    const auto arrow = equation.find("->");
    const std::string left = equation.substr(0, arrow);
    std::map<char, std::int64_t> sizes;
    std::map<char, int> seen;
    Dims lead;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < s.count(); ++i) {
        const auto comma = left.find(',', begin);
        std::string term = left.substr(begin, comma == std::string::npos ? comma : comma - begin);
        begin = comma == std::string::npos ? left.size() : comma + 1;
        const Value& in = s.in(i);
        if (!in.ranked) return s.open(0, s.in(0).element);
        const auto dots = term.find("...");
        const std::size_t letters = dots == std::string::npos ? term.size() : term.size() - 3;
        if (letters > in.dims.size() || (dots == std::string::npos && letters != in.dims.size()))
            return s.wrong("its equation has not the dimensions of input " + std::to_string(i + 1));
        const std::size_t extra = in.dims.size() - letters;
        std::size_t axis = 0;
        for (std::size_t k = 0; k < term.size(); ++k) {
            if (k == dots) {
                const auto from = in.dims.begin() + static_cast<std::ptrdiff_t>(axis);
                auto both = broadcast_dims(lead, Dims(from, from + static_cast<std::ptrdiff_t>(extra)));
                if (!both) return s.wrong("the leading dimensions of its inputs do not fit together");
                lead = std::move(*both);
                axis += extra;
                k += 2;
                continue;
            }
            const std::int64_t d = in.dims[axis++];
            auto [it, fresh] = sizes.emplace(term[k], d);
            ++seen[term[k]];
            if (!fresh && (it->second < 0 || it->second == 1))
                it->second = d;
            else if (!fresh && d >= 0 && d != 1 && d != it->second)
                return s.wrong(std::string("the dimension ") + term[k] + " of its equation is " +
                               std::to_string(it->second) + " and " + std::to_string(d));
        }
    }
    Dims out;
    if (arrow == std::string::npos) {
        out = lead;
        for (const auto& [letter, times] : seen)
            if (times == 1) out.push_back(sizes[letter]);
    } else {
        const std::string right = equation.substr(arrow + 2);
        for (std::size_t k = 0; k < right.size(); ++k) {
            if (right[k] == '.') {
                out.insert(out.end(), lead.begin(), lead.end());
                k += 2;
            } else if (const auto it = sizes.find(right[k]); it != sizes.end()) {
                out.push_back(it->second);
            } else {
                return s.wrong(std::string("no input has the dimension ") + right[k]);
            }
        }
    }
    s.set(0, tensor_value(s.in(0).element, std::move(out)));
}

void recurrent(Step& s) {
    const Value &in = s.in(0), &weights = s.in(2);
    const int element = in.element;
    std::int64_t width = s.integer("hidden_size", open_dimension);
    if (width < 0 && weights.ranked && weights.dims.size() == 3) width = weights.dims[2];
    const std::int64_t directions = s.text("direction", "forward") == "bidirectional" ? 2 : 1;
    if (!in.ranked) return;
    if (in.dims.size() != 3) return s.wrong("its input has not three dimensions");
    const bool batch_first = s.integer("layout", 0) != 0;
    const Value& filter = s.in(1);
    const bool turned = s.node().op == "DynamicQuantizeLSTM";
    if (!turned && filter.rank() == 3 && in.dims[2] >= 0 && filter.dims[2] >= 0 && in.dims[2] != filter.dims[2])
        return s.wrong("its input has " + std::to_string(in.dims[2]) + " channels, its weights are for " +
                       std::to_string(filter.dims[2]));
    const std::size_t batch_axis = batch_first ? 0 : 1;
    for (const std::size_t state : {std::size_t{5}, std::size_t{6}}) {
        const Value& v = s.in(state);
        if (v.rank() != 3 || v.dims[batch_axis] < 0 || in.dims[batch_axis] < 0) continue;
        // Where the file has the batch as a number, the second run doubles the data alone.
        if (v.dims[batch_axis] != in.dims[batch_axis] && 2 * v.dims[batch_axis] != in.dims[batch_axis])
            return s.wrong("its state is of " + std::to_string(v.dims[batch_axis]) + " samples, its input of " +
                           std::to_string(in.dims[batch_axis]));
    }
    const std::int64_t steps = in.dims[batch_first ? 1 : 0], batch = in.dims[batch_first ? 0 : 1];
    s.set(0, tensor_value(element,
                          batch_first ? Dims{batch, steps, directions, width} : Dims{steps, directions, batch, width}));
    for (std::size_t i = 1; i < 3; ++i)
        s.set(i, tensor_value(element, batch_first ? Dims{batch, directions, width} : Dims{directions, batch, width}));
}

constexpr RuleRow rules_of_products[] = {
    {matmul, "MatMul FusedMatMul"},
    {matmul_integer, "MatMulInteger"},
    {qlinear_matmul, "QLinearMatMul"},
    {matmul_integer_to_float, "DynamicQuantizeMatMul MatMulIntegerToFloat"},
    {gemm, "Gemm FusedGemm"},
    {qgemm, "QGemm"},
    {matmul_nbits, "MatMulNBits"},
    {einsum, "Einsum"},
    {recurrent, "LSTM GRU RNN DynamicQuantizeLSTM"},
};

}  // namespace

std::span<const RuleRow> product_rules() { return rules_of_products; }

}  // namespace scalescope::formats::onnx
