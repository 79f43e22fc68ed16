// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that choose, order or count along an axis, and those that pick single elements.

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

/// The axis an operator works along, if it is none of the samples.
std::optional<std::size_t> axis_within(Converter& c, std::int64_t otherwise) {
    const Sample is = c.sample(c.input(0));
    const auto axis = axis_of(c.integer("axis", otherwise), is.dims.size());
    return axis && static_cast<int>(*axis) != is.batch ? axis : std::nullopt;
}

/// That axis as our layer has it, which lies as `at`.
std::int64_t axis_at(Converter& c, const Converter::Place& at, std::size_t axis) {
    return our_axis(c.sample(c.input(0)), at.order, axis);
}

bool best_of(Converter& c) {
    const auto axis = axis_within(c, 0);
    if (!axis) return false;
    const Converter::Place at = c.place(c.input(0));
    const bool keep = c.integer("keepdims", 1) != 0;
    return c.become("argmax", {{"axis", axis_at(c, at, *axis)}, {"keep_dims", keep}}, {at.layer},
                    order_without(at.order, {*axis}, keep));
}

bool best_few(Converter& c) {
    const auto axis = axis_within(c, -1);
    if (!axis) return false;
    const Converter::Place at = c.place(c.input(0));
    const std::size_t o = c.output(0) >= 0 ? 0 : 1;
    const std::int64_t k = c.value(c.output(o)).dims[*axis];
    return k > 0 && c.become("top_k", {{"k", k}, {"axis", axis_at(c, at, *axis)}}, {at.layer}, at.order, o);
}

bool running_sum(Converter& c) {
    const int along = c.input(1);
    const Sample is = c.sample(c.input(0));
    if (along < 0 || !c.value(along).known || c.value(along).count() != 1 || c.value(along).is_real()) return false;
    const auto axis = axis_of(c.value(along).whole[0], is.dims.size());
    if (!axis || static_cast<int>(*axis) == is.batch) return false;
    const Converter::Place at = c.place(c.input(0));
    return c.become("cumulative_sum", {{"axis", our_axis(is, at.order, *axis)}}, {at.layer}, at.order);
}

/// A row of zeros and a one for each number: it is read, and the rows are written.
bool one_hot(Converter& c) {
    const int in = c.input(0);
    const Sample out = c.sample(c.output());
    const auto axis = axis_of(c.integer("axis", -1), out.dims.size());
    if (!axis || !c.is_data(in)) return false;
    Dims with_one = out.dims;
    with_one[*axis] = 1;
    const Order order = natural_order(out.dims.size());
    const Shape shape = out.shape(order), single = Sample{with_one, out.batch}.shape(order);
    if (shape.size() != single.size()) return false;
    return c.become("expand", {{"shape", batch_of(shape)}}, {c.shown_as(c.natural(in), single)}, order);
}

/// As many elements along the axis as there are indices; the other axes of both are alike.
bool picked_one_by_one(Converter& c) {
    const int in = c.input(0), index = c.input(1);
    if (index < 0 || !c.is_data(in)) return false;
    const Sample is = c.sample(in), at = c.sample(index);
    const auto axis = axis_within(c, 0);
    if (!axis || at.dims.size() != is.dims.size()) return false;
    for (std::size_t a = 0; a < is.dims.size(); ++a)
        if (a != *axis && is.dims[a] != at.dims[a]) return false;
    const Order order = natural_order(is.dims.size());
    std::vector<std::size_t> inputs{c.natural(in)};
    if (c.is_data(index)) inputs.push_back(c.natural(index));
    return c.become("gather", {{"axis", our_axis(is, order, *axis)}, {"size", at.dims[*axis]}}, inputs, order);
}

/// Indices of several axes: these are one axis of all places.
bool picked_by_places(Converter& c) {
    const int in = c.input(0), index = c.input(1);
    if (index < 0 || !c.is_data(in) || c.value(index).dims.empty()) return false;
    const Sample is = c.sample(in), at = c.sample(index), out = c.sample(c.output());
    const std::int64_t lead = c.integer("batch_dims", 0), places = c.value(index).dims.back();
    // The samples stand beside each other in both, or in neither.
    const bool apart = is.batch == 0 && lead == 1 && (at.batch == 0 || at.dims[0] == 1);
    const bool none = is.batch < 0 && lead == 0;
    if ((!apart && !none) || lead + places > static_cast<std::int64_t>(is.dims.size())) return false;
    std::int64_t rows = 1, taken = 1;
    Shape flat{1};
    for (std::size_t a = static_cast<std::size_t>(lead); a < is.dims.size(); ++a) {
        if (a < static_cast<std::size_t>(lead + places))
            rows *= is.dims[a];
        else
            flat.push_back(is.dims[a]);
    }
    flat[0] = rows;
    for (std::size_t a = static_cast<std::size_t>(lead); a + 1 < at.dims.size(); ++a) taken *= at.dims[a];
    std::vector<std::size_t> inputs{c.shown_as(c.natural(in), flat)};
    if (c.is_data(index)) inputs.push_back(c.natural(index));
    return c.become_shown("gather", {{"axis", 1}, {"size", taken}}, inputs);
}

/// Elements put into a copy of others; whether they take the place of what stood there or are added to it. The samples
/// stand beside each other in both, or in neither.
bool put_in(Converter& c) {
    const bool tensor = c.node().op == "TensorScatter";
    const int in = c.input(0), put = c.input(tensor ? 1 : 2), index = c.input(tensor ? 2 : 1);
    if (in < 0 || put < 0) return false;
    const Sample is = c.sample(in), parts = c.sample(put);
    if ((is.batch < 0) != (parts.batch < 0)) return false;
    const bool elements = c.node().op == "ScatterElements" || c.node().op == "Scatter";
    if (elements && !axis_within(c, 0)) return false;  // each row would look at all samples
    std::vector<std::size_t> inputs{c.natural(in), c.natural(put)};
    if (index >= 0 && c.is_data(index)) inputs.push_back(c.natural(index));
    return c.become("scatter", {}, inputs, natural_order(is.dims.size()));
}

/// Rows of length 1.
bool of_length_one(Converter& c) {
    const auto axis = axis_within(c, -1);
    if (!axis) return false;
    const Converter::Place at = c.place(c.input(0));
    return c.become("l2_normalize", {{"axis", axis_at(c, at, *axis)}}, {at.layer}, at.order);
}

constexpr ConversionRow choice_rows[] = {
    {best_of, "ArgMax ArgMin"},
    {best_few, "TopK"},
    {running_sum, "CumSum"},
    {one_hot, "OneHot"},
    {picked_one_by_one, "GatherElements"},
    {picked_by_places, "GatherND"},
    {put_in, "Scatter ScatterElements ScatterND TensorScatter"},
    {of_length_one, "LpNormalization"},
};

}  // namespace

std::span<const ConversionRow> choice_conversions() { return choice_rows; }

}  // namespace scalescope::formats::onnx
