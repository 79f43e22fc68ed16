// SPDX-License-Identifier: GPL-3.0-or-later
// Operators on each element: activations, sums and products.
#include <algorithm>

#include "core/formats/onnx/converter.hpp"
#include "core/formats/onnx/operator_words.hpp"

namespace scalescope::formats::onnx {
namespace {

bool unary(Converter& c) {
    const int in = c.input(0);
    const Converter::Place at = c.place(in);
    std::string function(ours_for(c.node().op, function_words).value_or(""));
    if (c.node().op == "Clip" && c.number(1, "min") == 0.0 && c.number(2, "max") == 6.0) function = "relu6";
    const int bias = c.node().op == "BiasGelu" || c.node().op == "FastGelu" ? c.input(1) : -1;
    if (bias >= 0 && c.is_stored(bias)) {
        const auto shifted = c.helper("bias", "scale", {{"scale", false}, {"bias", true}}, {c.natural(in)});
        if (!shifted) return false;
        c.weights({bias});
        return c.become("activation", {{"function", function}}, {*shifted});
    }
    return c.become("activation", {{"function", function}}, {at.layer}, at.order);
}

bool slopes(Converter& c) {
    const int in = c.input(0), slope = c.input(1);
    if (slope < 0 || c.is_data(slope)) return false;
    const std::size_t rank = c.value(in).dims.size();
    const Order order = channels_last(rank);
    if (c.value(slope).count() == 1)
        return c.become("activation", {{"function", "leaky_relu"}}, {c.arranged(in, order)}, order);
    if (rank == 0 || c.value(slope).count() != c.sample(in).shape(order).back()) return false;
    return c.become("activation", {{"function", "prelu"}}, {c.arranged(in, order)}, order) && c.weights({slope});
}

/// Numbers that are compared, rounded or tested: each is looked at once.
bool looked_at(Converter& c, Converter::Place at) {
    return c.become("activation", {{"function", "linear"}}, {at.layer}, at.order);
}

/// The same tensor as far as time goes: another name, another type, a number for each.
bool same_tensor(Converter& c) {
    if (c.node().op.find("uantize") != std::string::npos || c.node().op.find("Quant") != std::string::npos)
        c.note("it turns numbers to integers or back, which costs nothing here.",
               "Read the times as those of the network in floating point.");
    c.alias(c.input(0), c.place(c.input(0)).order);
    return true;
}

/// The numbers that say how are few, and follow from the data.
bool quantized_now(Converter& c) {
    for (std::size_t o = 1; o < 3; ++o)
        if (c.output(o) >= 0) c.set_aside(c.output(o));
    return same_tensor(c);
}

bool drop_out(Converter& c) {
    const Converter::Place at = c.place(c.input(0));
    double rate = c.number(1, "ratio").value_or(0.5);
    if (!(rate >= 0 && rate < 1)) rate = 0.5;
    return c.become("dropout", {{"rate", rate}}, {at.layer}, at.order);
}

/// A vector for one axis, or a tensor, that is trained with the network: real, and more than a number.
bool is_trained(Converter& c, int s) {
    const Value& v = c.value(s);
    return v.is_real() && v.count() > 1 && c.is_full(s) && !c.is_written(s);
}

/// The one axis of the output along which `s` differs.
std::optional<std::size_t> only_axis(Converter& c, int s) {
    const Dims &d = c.value(s).dims, &out = c.value(c.output()).dims;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] == 1) continue;
        if (found) return std::nullopt;
        found = i + out.size() - d.size();
    }
    return found;
}

/// With a value of the file: a scale or shift of channels, a trained tensor, or a number that costs a look at each
/// element.
bool with_stored(Converter& c, int data, int stored) {
    const Converter::Place at = c.place(data);
    const Sample out = c.sample(c.output()), in = c.sample(data);
    if (in.dims.size() > out.dims.size() || c.value(stored).dims.size() > out.dims.size()) return false;
    const std::string& op = c.node().op;
    const bool sum = op == "Add" || op == "Sub", product = op == "Mul" || op == "Div";
    const bool same_shape = in.dims == out.dims;
    if (!is_trained(c, stored) || !(sum || product)) {
        return same_shape && looked_at(c, at);
    }
    if (const auto axis = only_axis(c, stored); axis && same_shape && c.value(stored).count() == out.dims[*axis]) {
        Order order = at.order;
        order.erase(std::ranges::find(order, *axis));
        order.push_back(*axis);
        if (c.become("scale", {{"scale", product}, {"bias", sum}}, {c.arranged(data, order)}, order))
            return c.weights({stored});
    }
    const Order plain = natural_order(out.dims.size());
    const std::size_t skip = out.dims.size() - in.dims.size(), less = out.dims.size() - c.value(stored).dims.size();
    const auto aligned = [&](int s, std::size_t missing) {
        Shape shape;
        const Sample is = c.sample(s);
        for (std::size_t i = 0; i < is.dims.size(); ++i)
            if (static_cast<int>(i + missing) != out.batch || is.dims[i] != 1) shape.push_back(is.dims[i]);
        if (shape.empty()) shape.push_back(1);
        return c.shown_as(c.natural(s), shape);
    };
    // A batch written into the stored value has no place in one sample.
    if (out.batch >= static_cast<int>(less) && out.batch >= 0 &&
        c.value(stored).dims[static_cast<std::size_t>(out.batch) - less] != 1)
        return same_shape && looked_at(c, at);
    const std::size_t first = aligned(data, skip), second = aligned(stored, less);
    return c.become("elementwise", {{"operation", std::string(ours_for(op, operation_words).value_or(""))}},
                    {first, second}, plain);
}

bool of_several(Converter& c) {
    std::vector<int> data, stored;
    const bool quantized = c.node().op == "QLinearAdd" || c.node().op == "QLinearMul";
    for (std::size_t i = 0; i < c.item().inputs.size(); ++i) {
        if (quantized && i != 0 && i != 3) continue;
        const int s = c.input(i);
        if (s >= 0) (c.is_data(s) ? data : stored).push_back(s);
    }
    if (data.empty()) return false;
    const std::string op = c.node().op;
    if (data.size() == 1) {
        if (stored.empty()) return same_tensor(c);
        return with_stored(c, data[0], stored[0]);
    }
    const Sample out = c.sample(c.output());
    for (const int s : data)
        if (c.value(s).dims.size() > out.dims.size()) return false;
    const Converter::Place first = c.place(data[0]);
    const std::string operation(ours_for(op, operation_words).value_or("where"));
    const Converter::Givens given{{"operation", operation}};
    const bool sum = operation == "add";
    if (c.all_alike(data)) {
        std::vector<std::size_t> layers;
        for (const int s : data) layers.push_back(c.arranged(s, first.order));
        return sum ? c.become("add", {}, layers, first.order) : c.become("elementwise", given, layers, first.order);
    }
    // By NumPy's rule, in the order of the first that has the shape of the output.
    Order order = natural_order(out.dims.size());
    for (const int s : data)
        if (c.sample(s).dims == out.dims) {
            order = c.place(s).order;
            break;
        }
    std::vector<std::size_t> layers;
    for (const int s : data) {
        const Sample is = c.sample(s);
        const std::size_t missing = out.dims.size() - is.dims.size();
        Order own;
        Shape shape;
        bool begun = false;
        for (const std::size_t a : order) {
            if (a < missing) {
                if (begun) shape.push_back(1);
                continue;
            }
            own.push_back(a - missing);
            if (static_cast<int>(a) == out.batch && out.dims[a] == 1) continue;
            shape.push_back(is.dims[a - missing]);
            begun = true;
        }
        if (shape.empty()) shape.push_back(1);
        layers.push_back(c.shown_as(c.arranged(s, own), shape));
    }
    return c.become("elementwise", given, layers, order);
}

bool each_looked_at(Converter& c) { return looked_at(c, c.place(c.input(0))); }

bool soft_max(Converter& c) {
    const int in = c.input(0);
    const std::size_t rank = c.value(in).dims.size();
    const auto axis = axis_of(c.integer("axis", c.item().opset < 13 ? 1 : -1), rank);
    if (!axis) return false;
    Order order = c.place(in).order;
    if (c.item().opset >= 13) {
        order.erase(std::ranges::find(order, *axis));
        order.push_back(*axis);
    }
    return c.become(c.node().op == "LogSoftmax" ? "log_softmax" : "softmax", {}, {c.arranged(in, order)}, order);
}

constexpr ConversionRow elementwise_rows[] = {
    {unary,
     "Relu LeakyRelu ThresholdedRelu Elu Celu Selu Sigmoid HardSigmoid HardSwish Tanh Softplus Softsign Gelu FastGelu "
     "BiasGelu QuickGelu Mish Swish Exp Log Sqrt Erf Abs Sin Cos Clip Shrink QLinearSigmoid QLinearLeakyRelu Neg "
     "Trilu"},
    {slopes, "PRelu"},
    {same_tensor, "Identity Cast CastLike QuantizeLinear DequantizeLinear Quant BipolarQuant Trunc"},
    {quantized_now, "DynamicQuantizeLinear"},
    {drop_out, "Dropout"},
    {of_several,
     "Add Sub Mul Div Pow Max Min Mean Sum Where QLinearAdd QLinearMul Equal Greater Less GreaterOrEqual LessOrEqual "
     "And Or Xor Mod BitShift BitwiseAnd BitwiseOr BitwiseXor"},
    {each_looked_at,
     "Not Floor Ceil Round Sign Reciprocal IsNaN IsInf BitwiseNot Tan Sinh Cosh Asin Acos Atan Asinh Acosh Atanh "
     "Hardmax ReverseSequence Bernoulli QLinearSoftmax Binarizer Scaler ScaledTanh ParametricSoftplus Affine"},
    {soft_max, "Softmax LogSoftmax"},
};

}  // namespace

std::span<const ConversionRow> elementwise_conversions() { return elementwise_rows; }

}  // namespace scalescope::formats::onnx
