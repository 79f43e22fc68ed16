// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/step.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/onnx/value.hpp"

namespace scalescope::formats::onnx {

const Value& Step::in(std::size_t i) const {
    static const Value none;
    return i < inputs_.size() && inputs_[i] ? *inputs_[i] : none;
}

void Step::set(std::size_t i, Value value) {
    if (i < outputs_.size()) outputs_[i] = std::move(value);
}

std::int64_t Step::integer(std::string_view name, std::int64_t otherwise) const {
    const Attribute* a = node_.find(name);
    return a ? a->integer : otherwise;
}

double Step::number(std::string_view name, double otherwise) const {
    const Attribute* a = node_.find(name);
    return a ? a->number : otherwise;
}

std::string Step::text(std::string_view name, std::string_view otherwise) const {
    const Attribute* a = node_.find(name);
    return a ? a->text : std::string(otherwise);
}

std::optional<Dims> Step::integers(std::string_view name) const {
    const Attribute* a = node_.find(name);
    if (!a) return std::nullopt;
    return a->integers;
}

std::optional<Dims> Step::numbers(std::size_t i, std::string_view attribute) const {
    if (has(i)) {
        const Value& v = in(i);
        if (!v.known || v.is_real()) return std::nullopt;
        return v.whole;
    }
    return attribute.empty() ? std::nullopt : integers(attribute);
}

void Step::wrong(std::string what) {
    if (trouble_.empty()) trouble_ = std::move(what);
}

std::optional<std::size_t> Step::axis(std::int64_t asked, std::size_t rank) {
    const auto found = axis_of(asked, rank);
    if (!found) wrong("there is no axis " + std::to_string(asked));
    return found;
}

void Step::open(std::size_t output, int element) { set(output, unranked(element)); }

Rule find_rule(std::string_view domain, std::string_view op) {
    static const FamilyTable<Rule> table{elementwise_rules(), shape_rules(),  movement_rules(), reduction_rules(),
                                         product_rules(),     window_rules(), sequence_rules(), contributed_rules()};
    if (domain == own_domain) return own_rule(op);
    // Names of ONNX's own domains and of the ones its runtimes add do not collide.
    const bool ours = domain.empty() || domain == "com.microsoft" || domain.starts_with("ai.onnx.preview") ||
                      domain == "onnx.brevitas" || domain == "qonnx.custom_op.general" || domain == "ai.onnx.ml";
    return ours ? table.find(op) : nullptr;
}

bool Value::closed() const {
    return ranked && std::ranges::all_of(dims, [](std::int64_t d) { return d >= 0; });
}

std::int64_t Value::count() const {
    if (!closed()) return -1;
    std::int64_t n = 1;
    for (const auto d : dims) {
        if (d == 0) return 0;
        n = n > limits::elements / d ? limits::elements + 1 : n * d;
    }
    return n;
}

bool Value::small() const {
    if (!closed()) return false;
    std::int64_t n = 1;  // an empty tensor may have long dimensions too
    for (const auto d : dims) {
        if (d > most_known || n * std::max<std::int64_t>(d, 1) > most_known) return false;
        n *= std::max<std::int64_t>(d, 1);
    }
    return true;
}

void Value::append(const Value& other, std::size_t i) {
    if (other.is_real())
        real.push_back(other.real[i]);
    else
        whole.push_back(other.whole[i]);
}

Value tensor_value(int element, Dims dims) {
    Value v;
    v.form = Value::Form::tensor;
    v.element = element;
    v.ranked = true;
    v.dims = std::move(dims);
    return v;
}

Value unranked(int element) {
    Value v;
    v.form = Value::Form::tensor;
    v.element = element;
    return v;
}

Value whole_value(int element, Dims dims, std::vector<std::int64_t> numbers) {
    Value v = tensor_value(element, std::move(dims));
    v.known = v.small() && v.count() == static_cast<std::int64_t>(numbers.size());
    if (v.known) v.whole = std::move(numbers);
    return v;
}

Value real_value(int element, Dims dims, std::vector<double> numbers) {
    Value v = tensor_value(element, std::move(dims));
    v.known = v.small() && v.count() == static_cast<std::int64_t>(numbers.size());
    if (v.known) v.real = std::move(numbers);
    return v;
}

Value value_of(const Tensor& t) {
    constexpr std::size_t most_real = 256;  // factors and bounds; more are weights
    if (!t.kept || t.real.size() > most_real) return tensor_value(t.element, t.dims);
    return onnx::is_real(t.element) ? real_value(t.element, t.dims, t.real) : whole_value(t.element, t.dims, t.whole);
}

Value without_numbers(const Value& v) { return v.ranked ? tensor_value(v.element, v.dims) : unranked(v.element); }

bool lengthen(std::int64_t& d, std::int64_t more) {
    if (d >= 0 && more >= 0) return !__builtin_add_overflow(d, more, &d);
    d = open_dimension;
    return true;
}

bool multiply(std::int64_t& d, std::int64_t times) {
    if (d >= 0 && times >= 0) return !__builtin_mul_overflow(d, times, &d);
    d = open_dimension;
    return true;
}

std::optional<Dims> broadcast_dims(const Dims& a, const Dims& b) {
    Dims out = a.size() >= b.size() ? a : b;
    const Dims& less = a.size() >= b.size() ? b : a;
    for (std::size_t i = 1; i <= less.size(); ++i) {
        std::int64_t& d = out[out.size() - i];
        const std::int64_t other = less[less.size() - i];
        if (d == other || other == 1) continue;
        if (d == 1) {
            d = other;
        } else if (d < 0 || other < 0) {
            d = std::max(d, other);
        } else {
            return std::nullopt;
        }
    }
    return out;
}

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
    const auto r = static_cast<std::int64_t>(rank);
    if (axis < -r || axis >= r) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + r : axis);
}

}  // namespace scalescope::formats::onnx
