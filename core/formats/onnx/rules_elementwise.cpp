// SPDX-License-Identifier: GPL-3.0-or-later
// Operators on each element, with the numbers of small tensors, since shapes are computed by them.
#include <algorithm>
#include <cmath>

#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr int boolean_element = static_cast<int>(Element::boolean);

void same(Step& s) {
    Value v = s.in(0);
    v.known = false;
    v.whole.clear();
    v.real.clear();
    s.set(0, std::move(v));
}

void identity(Step& s) { s.set(0, s.in(0)); }

/// Where an element of the broadcast result lies in an operand.
std::size_t source_index(std::size_t at, const Dims& out, const Dims& in) {
    std::size_t index = 0, stride = 1;
    for (std::size_t k = out.size(); k > 0; --k) {
        const auto extent = static_cast<std::size_t>(out[k - 1]), here = at % extent;
        at /= extent;
        const std::size_t back = out.size() - k;
        if (back >= in.size()) continue;
        const std::int64_t d = in[in.size() - 1 - back];
        if (d != 1) index += here * stride;
        stride *= static_cast<std::size_t>(d);
    }
    return index;
}

template <class Number>
std::optional<std::int64_t> compared(std::string_view op, Number a, Number b) {
    if (op == "Equal") return a == b;
    if (op == "Greater") return a > b;
    if (op == "Less") return a < b;
    if (op == "GreaterOrEqual") return a >= b;
    if (op == "LessOrEqual") return a <= b;
    return std::nullopt;
}

std::optional<std::int64_t> whole_result(std::string_view op, std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (op == "Add") return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    if (op == "Sub") return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    if (op == "Mul") return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    if (op == "Div" || op == "Mod") {
        if (b == 0 || b == -1) return b == 0 ? std::nullopt : std::optional(op == "Mod" ? 0 : a == INT64_MIN ? a : -a);
        if (op == "Div") return a / b;
        return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
    }
    if (op == "Max") return std::max(a, b);
    if (op == "Min") return std::min(a, b);
    if (op == "Pow") {
        std::int64_t p = 1;
        if (b < 0 || b > 62) return std::nullopt;
        for (std::int64_t i = 0; i < b; ++i)
            if (__builtin_mul_overflow(p, a, &p)) return std::nullopt;
        return p;
    }
    if (op == "And") return a != 0 && b != 0;
    if (op == "Or") return a != 0 || b != 0;
    if (op == "Xor") return (a != 0) != (b != 0);
    return compared(op, a, b);
}

std::optional<double> real_result(std::string_view op, double a, double b) {
    if (op == "Add") return a + b;
    if (op == "Sub") return a - b;
    if (op == "Mul") return a * b;
    if (op == "Div") return a / b;
    if (op == "Max") return std::max(a, b);
    if (op == "Min") return std::min(a, b);
    if (op == "Pow") return std::pow(a, b);
    if (op == "Mod") return std::fmod(a, b);
    return std::nullopt;
}

/// The numbers of `op` on two known operands.
void compute(Value& out, std::string_view op, const Value& a, const Value& b) {
    const std::int64_t n = out.count();
    if (!a.known || !b.known || !out.small()) return;
    Value made;
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        const std::size_t x = source_index(i, out.dims, a.dims), y = source_index(i, out.dims, b.dims);
        if (out.is_real()) {
            const auto r = real_result(op, a.number(x), b.number(y));
            if (!r) return;
            made.real.push_back(*r);
        } else {
            const auto r = a.is_real() || b.is_real() ? compared(op, a.number(x), b.number(y))
                                                      : whole_result(op, a.whole[x], b.whole[y]);
            if (!r) return;
            made.whole.push_back(*r);
        }
    }
    out.known = true;
    out.whole = std::move(made.whole);
    out.real = std::move(made.real);
}

/// Two or more operands, repeated by NumPy's rule; before opset 7 by `axis`.
void many(Step& s) {
    Value out = s.in(0);
    if (out.form != Value::Form::tensor) return;
    if (is_among(s.node().op, "Equal Greater Less GreaterOrEqual LessOrEqual And Or Xor")) {
        out.element = boolean_element;
        out.known = false;
    }
    for (std::size_t i = 1; i < s.count(); ++i) {
        const Value& b = s.in(i);
        Value both = unranked(out.element);
        if (out.ranked && b.ranked) {
            auto dims = broadcast_dims(out.dims, b.dims);
            if (!dims && s.opset() < 7 && out.dims.size() >= b.dims.size()) dims = out.dims;
            if (!dims) return s.wrong("the inputs do not fit together");
            both = tensor_value(out.element, std::move(*dims));
            compute(both, s.node().op, i == 1 ? s.in(0) : out, b);
        }
        out = std::move(both);
    }
    s.set(0, std::move(out));
}

void where(Step& s) {
    const Value &c = s.in(0), &a = s.in(1), &b = s.in(2);
    if (!c.ranked || !a.ranked || !b.ranked) return s.open(0, a.element);
    auto dims = broadcast_dims(a.dims, b.dims);
    if (dims) dims = broadcast_dims(*dims, c.dims);
    if (!dims) return s.wrong("the inputs do not fit together");
    Value out = tensor_value(a.element, std::move(*dims));
    const std::int64_t n = out.count();
    if (c.known && a.known && b.known && out.small()) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            const bool first = c.whole[source_index(i, out.dims, c.dims)] != 0;
            const Value& from = first ? a : b;
            const std::size_t at = source_index(i, out.dims, from.dims);
            if (out.is_real())
                out.real.push_back(from.number(at));
            else
                out.whole.push_back(from.whole[at]);
        }
        out.known = true;
    }
    s.set(0, std::move(out));
}

void cast(Step& s) {
    const Value& in = s.in(0);
    if (in.form != Value::Form::tensor) return;
    Value out = in;
    out.element = s.node().op == "CastLike" ? s.in(1).element : static_cast<int>(s.integer("to", 1));
    if (in.known) {
        const bool real = out.is_real();
        out.known = is_real(out.element) || is_whole(out.element);
        out.whole.clear();
        out.real.clear();
        for (std::size_t i = 0; out.known && i < static_cast<std::size_t>(in.count()); ++i) {
            const double v = in.number(i);
            if (real)
                out.real.push_back(v);
            else if (out.element == boolean_element)
                out.whole.push_back(v != 0);
            else if (!in.is_real())
                out.whole.push_back(in.whole[i]);
            else
                out.whole.push_back(std::abs(v) < 9e18 ? static_cast<std::int64_t>(v) : 0);
        }
    }
    s.set(0, std::move(out));
}

/// Functions of one number.
struct RealFunction {
    std::string_view op;
    double (*of)(double);
};
constexpr RealFunction real_functions[] = {{"Floor", [](double v) { return std::floor(v); }},
                                           {"Ceil", [](double v) { return std::ceil(v); }},
                                           {"Round", [](double v) { return std::nearbyint(v); }},
                                           {"Sqrt", [](double v) { return std::sqrt(v); }},
                                           {"Neg", [](double v) { return -v; }},
                                           {"Abs", [](double v) { return std::abs(v); }},
                                           {"Reciprocal", [](double v) { return 1 / v; }},
                                           {"Log", [](double v) { return std::log(v); }},
                                           {"Exp", [](double v) { return std::exp(v); }},
                                           {"Relu", [](double v) { return std::max(v, 0.0); }}};

/// One operand whose numbers shapes may depend on.
void one(Step& s) {
    Value out = s.in(0);
    const std::string_view op = s.node().op;
    for (const RealFunction& f : real_functions)
        if (f.op == op) std::ranges::transform(out.real, out.real.begin(), f.of);
    for (std::int64_t& v : out.whole) {
        if (op == "Not")
            v = v == 0;
        else if (op == "Relu")
            v = std::max<std::int64_t>(v, 0);
        else if ((op == "Neg" || (op == "Abs" && v < 0)) && v != INT64_MIN)
            v = -v;
    }
    s.set(0, std::move(out));
}

void truth_of(Step& s) {
    same(s);
    s.outputs()[0].element = boolean_element;
}

/// Masks and second results have the shape of the first.
void same_and_mask(Step& s) {
    identity(s);
    if (s.outputs().size() > 1) {
        same(s);
        Value mask = s.outputs()[0];
        s.set(0, s.in(0));
        mask.element = s.opset() >= 10 ? boolean_element : mask.element;
        s.set(1, std::move(mask));
    }
}

void quantize(Step& s) {
    same(s);
    const int asked = static_cast<int>(s.integer("output_dtype", 0));
    s.outputs()[0].element = s.has(2) ? s.in(2).element : asked != 0 ? asked : static_cast<int>(Element::uint8);
}

void dequantize(Step& s) {
    same(s);
    const int asked = static_cast<int>(s.integer("output_dtype", 0));
    s.outputs()[0].element = asked != 0 ? asked : s.in(1).element;
}

void dynamic_quantize(Step& s) {
    quantize(s);
    s.outputs()[0].element = static_cast<int>(Element::uint8);
    s.set(1, tensor_value(static_cast<int>(Element::float32), {}));
    s.set(2, tensor_value(static_cast<int>(Element::uint8), {}));
}

/// Shape of the first input, in the type the attribute names.
void like(Step& s) {
    same(s);
    s.outputs()[0].element = static_cast<int>(s.integer("dtype", s.in(0).element));
}

constexpr RuleRow rules_of_elements[] = {
    {many,
     "Add Sub Mul Div Mod Pow Max Min Mean Sum Equal Greater Less GreaterOrEqual LessOrEqual And Or Xor BitShift "
     "BitwiseAnd BitwiseOr BitwiseXor"},
    {same,
     "PRelu BitwiseNot Sign LeakyRelu Elu Celu Selu Sigmoid HardSigmoid HardSwish Tanh Softplus Softsign Gelu FastGelu "
     "BiasGelu QuickGelu Mish Swish ThresholdedRelu Shrink Clip Erf Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh "
     "Atanh Softmax LogSoftmax Hardmax CumSum Trilu LRN LpNormalization MeanVarianceNormalization "
     "InstanceNormalization GroupNormalization RMSNormalization SimplifiedLayerNormalization ScatterElements Scatter "
     "ScatterND Quant BipolarQuant Trunc ReverseSequence ImageScaler ParametricSoftplus ScaledTanh Affine Scaler "
     "Normalizer RotaryEmbedding TensorScatter"},
    {where, "Where"},
    {cast, "Cast CastLike"},
    {identity, "Identity"},
    {one, "Floor Ceil Round Sqrt Neg Abs Not Reciprocal Log Exp Relu"},
    {truth_of, "IsNaN IsInf Binarizer"},
    {same_and_mask, "Dropout"},
    {quantize, "QuantizeLinear"},
    {dequantize, "DequantizeLinear"},
    {dynamic_quantize, "DynamicQuantizeLinear"},
    {like, "RandomNormalLike RandomUniformLike EyeLike Bernoulli"},
};

}  // namespace

std::span<const RuleRow> elementwise_rules() { return rules_of_elements; }

}  // namespace scalescope::formats::onnx
