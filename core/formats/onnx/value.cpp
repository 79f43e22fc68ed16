// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/value.hpp"

#include <algorithm>

#include "core/base/limits.hpp"

namespace scalescope::formats::onnx {

bool Value::closed() const {
    return ranked && std::all_of(dims.begin(), dims.end(), [](std::int64_t d) { return d >= 0; });
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
