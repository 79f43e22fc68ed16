// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that read, make and change shapes.
#include <algorithm>
#include <cmath>

#include "core/base/limits.hpp"
#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr int int64_element = static_cast<int>(Element::int64);
constexpr int float_element = static_cast<int>(Element::float32);

void shape(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, int64_element);
    const auto rank = in.rank();
    const auto bound = [&](std::int64_t at) { return std::clamp(at < 0 ? at + rank : at, std::int64_t{0}, rank); };
    const std::int64_t begin = bound(s.integer("start", 0)), end = bound(s.integer("end", rank));
    Dims part;
    for (std::int64_t i = begin; i < end; ++i) part.push_back(in.dims[static_cast<std::size_t>(i)]);
    const bool closed = std::ranges::all_of(part, [](std::int64_t d) { return d >= 0; });
    const auto n = static_cast<std::int64_t>(part.size());
    s.set(0, closed ? whole_value(int64_element, {n}, std::move(part)) : tensor_value(int64_element, {n}));
}

void size(Step& s) {
    const std::int64_t n = s.in(0).count();
    s.set(0, n >= 0 ? whole_value(int64_element, {}, {n}) : tensor_value(int64_element, {}));
}

/// The same numbers in another shape.
void put_shaped(Step& s, Dims dims) {
    Value out = s.in(0);
    out.ranked = true;
    out.dims = std::move(dims);
    s.set(0, std::move(out));
}

void reshape(Step& s) {
    const Value& in = s.in(0);
    const auto target = s.numbers(1, "shape");
    if (!target) {
        // Only how many dimensions there are is known.
        const Value& asked = s.in(1);
        if (asked.closed() && asked.dims.size() == 1 && asked.dims[0] <= limits::rank)
            return s.set(0, tensor_value(in.element, Dims(static_cast<std::size_t>(asked.dims[0]), open_dimension)));
        return s.open(0, in.element);
    }
    const bool keep_zero = s.integer("allowzero", 0) != 0;
    Dims out;
    std::optional<std::size_t> free;
    std::int64_t product = 1;
    bool all = true;
    for (std::size_t i = 0; i < target->size(); ++i) {
        std::int64_t d = (*target)[i];
        if (d == 0 && !keep_zero) {
            d = in.ranked && i < in.dims.size() ? in.dims[i] : open_dimension;
            if (in.ranked && i >= in.dims.size()) return s.wrong("its shape keeps a dimension that the input has not");
        } else if (d == -1) {
            if (free) return s.wrong("its shape leaves two dimensions open");
            free = i;
        } else if (d < 0) {
            return s.wrong("its shape has a dimension of " + std::to_string(d));
        }
        if (d >= 0 && __builtin_mul_overflow(product, d, &product)) return s.wrong("its shape is too large");
        all = all && (d >= 0 || free == i);
        out.push_back(d);
    }
    const std::int64_t count = in.count();
    if (free && all && count >= 0) {
        if (product == 0 || count % product != 0)
            return s.wrong(std::to_string(count) + " elements do not divide by " + std::to_string(product));
        out[*free] = count / product;
    } else if (!free && all && count >= 0 && count != product) {
        return s.wrong("its shape has " + std::to_string(product) + " elements, its input " + std::to_string(count));
    }
    put_shaped(s, std::move(out));
}

void flatten(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.set(0, tensor_value(in.element, {open_dimension, open_dimension}));
    const std::int64_t rank = in.rank(), axis = s.integer("axis", 1), at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at > rank) return s.wrong("there is no axis " + std::to_string(axis));
    Dims out{1, 1};
    for (std::int64_t i = 0; i < rank; ++i)
        if (!multiply(out[i < at ? 0 : 1], in.dims[static_cast<std::size_t>(i)])) return s.wrong("it is too large");
    put_shaped(s, std::move(out));
}

void squeeze(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    std::vector<bool> drop(in.dims.size(), false);
    if (s.left_out(1, "axes")) {
        for (std::size_t i = 0; i < drop.size(); ++i) drop[i] = in.dims[i] == 1;
    } else {
        const auto axes = s.numbers(1, "axes");
        if (!axes) return s.open(0, in.element);
        for (const auto axis : *axes) {
            const auto at = s.axis(axis, in.dims.size());
            if (!at) return;
            if (in.dims[*at] > 1) return s.wrong("axis " + std::to_string(axis) + " is not 1");
            drop[*at] = true;
        }
    }
    Dims out;
    for (std::size_t i = 0; i < drop.size(); ++i)
        if (!drop[i]) out.push_back(in.dims[i]);
    put_shaped(s, std::move(out));
}

void unsqueeze(Step& s) {
    const Value& in = s.in(0);
    const auto axes = s.numbers(1, "axes");
    if (!in.ranked || !axes) return s.open(0, in.element);
    const std::size_t rank = in.dims.size() + axes->size();
    std::vector<bool> fresh(rank, false);
    for (const auto axis : *axes) {
        const auto at = axis_of(axis, rank);
        if (!at || fresh[*at]) return s.wrong("axis " + std::to_string(axis) + " cannot be added");
        fresh[*at] = true;
    }
    Dims out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) out.push_back(fresh[i] ? 1 : in.dims[next++]);
    put_shaped(s, std::move(out));
}

void constant(Step& s) {
    if (const Attribute* a = s.node().find("value"); a && a->tensor) return s.set(0, value_of(*a->tensor));
    if (const Attribute* a = s.node().find("sparse_value"); a && a->tensor) return s.set(0, value_of(*a->tensor));
    if (const Attribute* a = s.node().find("value_int")) return s.set(0, whole_value(int64_element, {}, {a->integer}));
    if (const Attribute* a = s.node().find("value_float")) return s.set(0, real_value(float_element, {}, {a->number}));
    if (const Attribute* a = s.node().find("value_ints"))
        return s.set(0, whole_value(int64_element, {static_cast<std::int64_t>(a->integers.size())}, a->integers));
    if (const Attribute* a = s.node().find("value_floats"))
        return s.set(0, real_value(float_element, {static_cast<std::int64_t>(a->numbers.size())}, a->numbers));
    const int text = static_cast<int>(Element::text);
    if (s.node().find("value_string")) return s.set(0, tensor_value(text, {}));
    if (const Attribute* a = s.node().find("value_strings"))
        return s.set(0, tensor_value(text, {static_cast<std::int64_t>(a->texts.size())}));
    s.wrong("it has no value");
}

/// The known numbers as dimensions, or dimensions left open.
std::optional<Dims> asked_dims(Step& s, std::size_t input) {
    if (auto dims = s.numbers(input)) {
        for (const auto d : *dims)
            if (d < 0) return std::nullopt;
        return dims;
    }
    const Value& v = s.in(input);
    if (v.closed() && v.dims.size() == 1 && v.dims[0] <= limits::rank)
        return Dims(static_cast<std::size_t>(v.dims[0]), open_dimension);
    return std::nullopt;
}

void constant_of_shape(Step& s) {
    const Attribute* a = s.node().find("value");
    const int element = a && a->tensor ? a->tensor->element : float_element;
    const auto dims = asked_dims(s, 0);
    if (!dims) return s.open(0, element);
    Value out = tensor_value(element, *dims);
    const std::int64_t n = out.count();
    if (out.small() && (is_real(element) || is_whole(element))) {
        out.known = true;
        if (out.is_real())
            out.real.assign(static_cast<std::size_t>(n),
                            a && a->tensor && !a->tensor->real.empty() ? a->tensor->real[0] : 0.0);
        else
            out.whole.assign(static_cast<std::size_t>(n),
                             a && a->tensor && !a->tensor->whole.empty() ? a->tensor->whole[0] : 0);
    }
    s.set(0, std::move(out));
}

void expand(Step& s) {
    const Value& in = s.in(0);
    const auto target = asked_dims(s, 1);
    if (!in.ranked || !target) return s.open(0, in.element);
    auto dims = broadcast_dims(in.dims, *target);
    if (!dims) return s.wrong("the shape asked for does not fit the input");
    Value out = tensor_value(in.element, std::move(*dims));
    if (in.known && in.count() == 1 && out.small()) {
        out.known = true;
        if (in.is_real())
            out.real.assign(static_cast<std::size_t>(out.count()), in.real[0]);
        else
            out.whole.assign(static_cast<std::size_t>(out.count()), in.whole[0]);
    } else if (in.known && in.dims == out.dims) {
        out = in;
    }
    s.set(0, std::move(out));
}

void range(Step& s) {
    const Value &first = s.in(0), &limit = s.in(1), &step = s.in(2);
    const auto single = [](const Value& v) { return v.known && v.count() == 1; };
    if (!single(first) || !single(limit) || !single(step))
        return s.set(0, tensor_value(first.element, {open_dimension}));
    const double by = step.number(0), n = std::ceil((limit.number(0) - first.number(0)) / by);
    if (by == 0 || !(n < 1e15)) return s.wrong("its step leads nowhere");
    const auto count = static_cast<std::int64_t>(std::max(n, 0.0));
    Value out = tensor_value(first.element, {count});
    const bool alike = first.is_real() == step.is_real() && (first.is_real() || std::abs(by) < 1e12) &&
                       std::abs(first.number(0)) < 1e17;
    out.known = count <= most_known && alike;
    for (std::int64_t i = 0; out.known && i < count; ++i) {
        if (out.is_real())
            out.real.push_back(first.real[0] + static_cast<double>(i) * by);
        else
            out.whole.push_back(first.whole[0] + i * step.whole[0]);
    }
    s.set(0, std::move(out));
}

void random_of_shape(Step& s) {
    s.set(0, tensor_value(static_cast<int>(s.integer("dtype", 1)), s.integers("shape").value_or(Dims{})));
}

void one_hot(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, s.in(2).element);
    const Value& depth = s.in(1);
    const std::int64_t n = depth.known && depth.count() == 1 && std::abs(depth.number(0)) < 1e15
                               ? static_cast<std::int64_t>(depth.number(0))
                               : open_dimension;
    const auto at = axis_of(s.integer("axis", -1), in.dims.size() + 1);
    if (!at) return s.wrong("there is no such axis");
    Dims out = in.dims;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(*at), n);
    s.set(0, tensor_value(s.in(2).element, std::move(out)));
}

void non_zero(Step& s) {
    const Value& in = s.in(0);
    if (!in.known)
        return s.set(0, tensor_value(int64_element, {in.ranked ? in.rank() : open_dimension, open_dimension}));
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(in.count()); ++i)
        if (in.number(i) != 0) found.push_back(static_cast<std::int64_t>(i));
    const auto n = static_cast<std::int64_t>(found.size());
    std::vector<std::int64_t> places(in.dims.size() * found.size());
    for (std::size_t f = 0; f < found.size(); ++f) {
        std::int64_t left = found[f];
        for (std::size_t k = in.dims.size(); k > 0; --k) {
            places[(k - 1) * found.size() + f] = left % in.dims[k - 1];
            left /= in.dims[k - 1];
        }
    }
    s.set(0, whole_value(int64_element, {in.rank(), n}, std::move(places)));
}

void multinomial(Step& s) {
    const Value& in = s.in(0);
    const std::int64_t rows = in.ranked && !in.dims.empty() ? in.dims[0] : open_dimension;
    s.set(0, tensor_value(static_cast<int>(s.integer("dtype", 6)), {rows, s.integer("sample_size", 1)}));
}

void window_function(Step& s) {
    const auto n = s.numbers(0);
    s.set(0, tensor_value(static_cast<int>(s.integer("output_datatype", 1)),
                          {n && n->size() == 1 ? (*n)[0] : open_dimension}));
}

void det(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked || in.dims.size() < 2) return s.open(0, in.element);
    s.set(0, tensor_value(in.element, Dims(in.dims.begin(), in.dims.end() - 2)));
}

constexpr RuleRow rules_of_shapes[] = {
    {shape, "Shape"},
    {size, "Size"},
    {reshape, "Reshape"},
    {flatten, "Flatten"},
    {squeeze, "Squeeze"},
    {unsqueeze, "Unsqueeze"},
    {constant, "Constant"},
    {constant_of_shape, "ConstantOfShape"},
    {expand, "Expand"},
    {range, "Range"},
    {random_of_shape, "RandomNormal RandomUniform"},
    {one_hot, "OneHot"},
    {non_zero, "NonZero"},
    {multinomial, "Multinomial"},
    {window_function, "HannWindow HammingWindow BlackmanWindow"},
    {det, "Det"},
};

}  // namespace

std::span<const RuleRow> shape_rules() { return rules_of_shapes; }

}  // namespace scalescope::formats::onnx
