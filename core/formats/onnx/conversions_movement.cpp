// SPDX-License-Identifier: GPL-3.0-or-later
// Views, and operators that join tensors and make fewer numbers of them.
#include <algorithm>

#include "core/formats/onnx/converter.hpp"
#include "core/formats/onnx/operator_words.hpp"

namespace scalescope::formats::onnx {
namespace {

bool reshaped_view(Converter& c) {
    if (c.sample(c.output()).batch < 0 && c.sample(c.input(0)).batch >= 0) return false;
    c.view(c.input(0));
    return true;
}

/// Only the order of the axes changes; whoever needs another order moves the elements.
bool turned(Converter& c) {
    const int in = c.input(0);
    const std::size_t rank = c.value(in).dims.size();
    Dims perm;
    if (const Attribute* a = c.node().find("perm"))
        perm = a->integers;
    else
        for (std::size_t i = rank; i > 0; --i) perm.push_back(static_cast<std::int64_t>(i - 1));
    Order order;
    for (const std::size_t axis : c.place(in).order)
        for (std::size_t k = 0; k < perm.size(); ++k)
            if (perm[k] == static_cast<std::int64_t>(axis)) order.push_back(k);
    if (order.size() != rank) return false;
    c.alias(in, std::move(order));
    return true;
}

/// Repeated along some axes: each stands behind one of its own that is repeated. Where nothing is, it is a view.
bool expanded(Converter& c) {
    const int in = c.input(0);
    const Sample from = c.sample(in), to = c.sample(c.output());
    std::int64_t before = 1, after = 1;
    for (const auto d : from.dims) before *= d;
    for (const auto d : to.dims) after *= d;
    if (before == after) return reshaped_view(c);
    if (from.dims.size() > to.dims.size() || to.batch < 0) return false;
    const std::size_t fresh = to.dims.size() - from.dims.size();
    if (from.batch >= 0 && from.batch + static_cast<int>(fresh) != to.batch) return false;
    Shape split, repeated;
    for (std::size_t i = 0; i < to.dims.size(); ++i) {
        const std::int64_t d = i < fresh ? 1 : from.dims[i - fresh], n = to.dims[i];
        if (d < 1 || n % d != 0) return false;
        if (static_cast<int>(i) == to.batch) {
            if (d != n) return false;
            if (n == 1) continue;
        }
        if (d != n && d != 1) {
            split.push_back(1);
            repeated.push_back(n / d);
            split.push_back(d);
            repeated.push_back(d);
        } else if (n > 1) {
            split.push_back(d);
            repeated.push_back(n);
        }
    }
    const Order order = natural_order(to.dims.size());
    const std::size_t image = c.shown_as(c.natural(in), split);
    if (to.shape(order) == repeated) return c.become("expand", {{"shape", batch_of(repeated)}}, {image});
    return c.become_shown("expand", {{"shape", batch_of(repeated)}}, {image});
}

/// All that is left out is nothing: the same tensor.
bool whole_part(Converter& c) {
    if (c.item().outputs.size() != 1 || c.value(c.input(0)).dims != c.value(c.output()).dims) return false;
    c.alias(c.input(0), c.place(c.input(0)).order);
    return true;
}

/// A row of elements along one axis; `begin` counted from the front.
bool part_of(Converter& c, std::size_t axis, std::int64_t begin, std::int64_t size, std::int64_t step, std::size_t o) {
    const int in = c.input(0);
    const Sample is = c.sample(in);
    if (static_cast<int>(axis) == is.batch || begin < 0 || step < 1) return false;
    const Converter::Place at = c.place(in);
    return c.become("slice", {{"axis", our_axis(is, at.order, axis)}, {"start", begin}, {"size", size}, {"step", step}},
                    {at.layer}, at.order, o);
}

/// The only axis along which both differ.
std::optional<std::size_t> differing(const Dims& a, const Dims& b) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (found) return std::nullopt;
        found = i;
    }
    return found;
}

bool sliced(Converter& c) {
    if (whole_part(c)) return true;
    const Dims &from = c.value(c.input(0)).dims, &to = c.value(c.output()).dims;
    const auto axis = differing(from, to);
    if (!axis) return false;
    const Dims starts = c.numbers(1, "starts"), steps = c.numbers(4, "steps");
    Dims axes = c.numbers(3, "axes");
    if (axes.empty())
        for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < axes.size() && i < starts.size(); ++i) {
        if (axis_of(axes[i], from.size()) != axis) continue;
        const std::int64_t d = from[*axis], step = i < steps.size() ? steps[i] : 1;
        const std::int64_t begin = std::clamp<std::int64_t>(starts[i] < 0 ? starts[i] + d : starts[i], 0, d);
        // Backwards it is as many elements: where they begin does not matter for their time.
        const std::int64_t by = std::max<std::int64_t>(step < 0 ? -step : step, 1);
        return part_of(c, *axis, step > 0 ? begin : 0, to[*axis], by, 0);
    }
    return part_of(c, *axis, 0, to[*axis], 1, 0);  // a part of a loop
}

/// One step of what a scan goes through: its axis is gone.
bool one_taken(Converter& c) {
    const int in = c.input(0);
    const Sample is = c.sample(in);
    const auto axis = axis_of(c.integer("axis", 0), is.dims.size());
    if (!axis || static_cast<int>(*axis) == is.batch) return false;
    const Order order = natural_order(is.dims.size());
    return c.become_shown("slice", {{"axis", our_axis(is, order, *axis)}, {"start", 0}, {"size", 1}}, {c.natural(in)});
}

/// What the rounds of a loop made, one behind the other. In front of the samples, they are put together beside each
/// other.
bool stacked_up(Converter& c) {
    const Sample out = c.sample(c.output());
    const auto axis = axis_of(c.integer("axis", 0), out.dims.size());
    if (!axis || static_cast<int>(*axis) == out.batch) return false;
    const Order order = natural_order(out.dims.size());
    Dims one = out.dims;
    one[*axis] = 1;
    const Shape shape = Sample{one, out.batch}.shape(order);
    std::vector<std::size_t> layers;
    for (const int s : c.item().inputs) {
        if (!c.is_data(s)) return false;
        layers.push_back(c.shown_as(c.natural(s), shape));
    }
    if (layers.size() == 1) {
        c.set_place(c.output(), layers[0]);
        return true;
    }
    return c.become("concat", {{"axis", our_axis(out, order, *axis)}}, layers);
}

bool divided(Converter& c) {
    if (whole_part(c)) return true;  // of a batch of one, its one sample
    const Dims& from = c.value(c.input(0)).dims;
    const auto axis = axis_of(c.integer("axis", 0), from.size());
    if (!axis) return false;
    std::int64_t begin = 0;
    for (std::size_t o = 0; o < c.item().outputs.size(); ++o) {
        if (c.output(o) < 0 || c.value(c.output(o)).dims.size() != from.size()) return false;
        const std::int64_t size = c.value(c.output(o)).dims[*axis];
        if (c.is_read(c.output(o)) || c.item().outputs.size() == 1)
            if (!part_of(c, *axis, begin, size, 1, o)) return false;
        begin += size;
    }
    return true;
}

bool padded(Converter& c) {
    if (whole_part(c)) return true;
    const int in = c.input(0);
    const Sample is = c.sample(in);
    const Dims pads = c.numbers(1, "pads");
    if (pads.size() != 2 * is.dims.size() || c.input(3) >= 0) return false;
    const Converter::Place at = c.place(in);
    std::vector<std::int64_t> before, after;
    for (const std::size_t a : at.order) {
        if (static_cast<int>(a) == is.batch && is.dims[a] == 1) continue;
        before.push_back(pads[a]);
        after.push_back(pads[a + is.dims.size()]);
        if (before.back() < 0 || after.back() < 0) return false;
    }
    return c.become("pad", {{"before", before}, {"after", after}}, {at.layer}, at.order);
}

bool joined(Converter& c) {
    const Sample out = c.sample(c.output());
    const auto axis = axis_of(c.integer("axis", 1), out.dims.size());
    if (!axis || static_cast<int>(*axis) == out.batch) return false;
    if (c.item().inputs.size() == 1) return whole_part(c);
    Order order;
    for (const int s : c.item().inputs)
        if (c.is_data(s)) {
            order = c.place(s).order;
            break;
        }
    std::vector<std::size_t> layers;
    for (const int s : c.item().inputs) {
        if (s < 0) return false;
        Sample is = c.sample(s);
        // A batch written into a stored value has no place in one sample.
        if (out.batch >= 0 && is.batch < 0) {
            const auto b = static_cast<std::size_t>(out.batch);
            if (is.dims[b] != out.dims[b] && !c.is_stored(s)) return false;
            if (c.is_stored(s) && is.dims[b] != 1) {
                is.dims[b] = 1;
                is.batch = out.batch;
                const auto made = c.stored_sample(s, is, order);
                if (!made) return false;
                layers.push_back(*made);
                continue;
            }
            is.batch = out.batch;
        }
        layers.push_back(c.shown_as(c.arranged(s, order), is.shape(order)));
    }
    return c.become("concat", {{"axis", our_axis(out, order, *axis)}}, layers, order);
}

/// A mean over the whole image is global pooling.
bool reduced(Converter& c) {
    const int in = c.input(0);
    const Sample is = c.sample(in);
    const std::string& op = c.node().op;
    const bool told = c.node().find("axes") || c.input(1) < 0;
    const Dims axes = told ? c.node().said("axes").integers : c.value(c.input(1)).whole;
    std::vector<std::size_t> over;
    for (const auto a : axes)
        if (const auto at = axis_of(a, is.dims.size())) over.push_back(*at);
    std::ranges::sort(over);
    if (over.empty() && is.batch < 0)
        for (std::size_t a = 0; a < is.dims.size(); ++a) over.push_back(a);
    const bool space = is.dims.size() == 4 && over == std::vector<std::size_t>{2, 3} && is.batch == 0;
    if (!space || (op != "ReduceMean" && op != "ReduceMax")) {
        if (over.empty() ||
            (is.batch >= 0 && std::ranges::find(over, static_cast<std::size_t>(is.batch)) != over.end()))
            return false;
        const Converter::Place at = c.place(in);
        std::vector<std::int64_t> ours;
        for (const std::size_t a : over) ours.push_back(our_axis(is, at.order, a));
        const std::string operation(ours_for(op, reduction_words).value_or(""));
        const bool keep = c.integer("keepdims", 1) != 0;
        return c.become("reduce", {{"operation", operation}, {"axes", ours}, {"keep_dims", keep}}, {at.layer},
                        order_without(at.order, over, keep));
    }
    const Order out =
        c.value(c.output()).dims.size() == 4 ? channels_last(4) : natural_order(c.value(c.output()).dims.size());
    return c.become("global_pooling", {{"mode", std::string(op == "ReduceMax" ? "max" : "average")}},
                    {c.arranged(in, channels_last(4))}, out);
}

bool cross_entropy(Converter& c) {
    const int in = c.input(0);
    return c.become("cross_entropy", {}, {c.arranged(in, c.place(in).order)});
}

/// Elements of the data at places that other data say, the same axis for all samples.
bool picked_by_data(Converter& c, int in, int index) {
    const Sample is = c.sample(in), at = c.sample(index);
    const auto axis = axis_of(c.integer("axis", 0), is.dims.size());
    if (!axis || static_cast<int>(*axis) == is.batch) return false;
    // Each sample has its own places only where not both have a batch: else each row would look at all samples.
    if (is.batch >= 0 && at.batch >= 0) return false;
    const std::size_t from = c.shown_as(c.natural(in), c.sample_shape(in)), places = c.natural(index);
    const std::int64_t ours = our_axis(is, natural_order(is.dims.size()), *axis);
    return c.become("gather", {{"axis", ours}, {"size", elements(c.sample_shape(index))}}, {from, places}) ||
           c.become("gather", {{"axis", ours}, {"size", 0}}, {from, places});
}

/// Elements of the data at places that the file says.
bool picked(Converter& c) {
    const int in = c.input(0), index = c.input(1);
    if (index < 0) return false;
    if (c.is_data(index)) return picked_by_data(c, in, index);
    if (!c.is_data(in)) return false;
    const Sample is = c.sample(in);
    const auto axis = axis_of(c.integer("axis", 0), is.dims.size());
    const std::int64_t n = c.value(index).count();
    if (!axis || static_cast<int>(*axis) == is.batch || n < 1) return false;
    if (c.value(index).dims.size() > 1)
        return c.become_shown("gather", {{"axis", our_axis(is, natural_order(is.dims.size()), *axis)}, {"size", n}},
                              {c.natural(in)});
    const Converter::Place at = c.place(in);
    // A single place leaves no axis.
    const Order order = order_without(at.order, {*axis}, !c.value(index).dims.empty());
    const std::int64_t ours = our_axis(is, at.order, *axis);
    const Value& place = c.value(index);
    if (n == 1 && place.known && !place.is_real()) {
        const std::int64_t begin = place.whole[0] < 0 ? place.whole[0] + is.dims[*axis] : place.whole[0];
        return c.become("slice", {{"axis", ours}, {"start", begin}, {"size", 1}}, {at.layer}, order);
    }
    return c.become("gather", {{"axis", ours}, {"size", n}}, {at.layer}, order);
}

bool blocks(Converter& c) {
    const int in = c.input(0);
    const Order order = channels_last(4);
    const Sample is = c.sample(in);
    if (is.dims.size() != 4 || is.batch > 0 || is.dims[0] != 1) return false;
    return c.become(c.node().op == "SpaceToDepth" ? "space_to_depth" : "depth_to_space",
                    {{"block", c.integer("blocksize", 1)}},
                    {c.shown_as(c.arranged(in, order), {is.dims[2], is.dims[3], is.dims[1]})}, order);
}

constexpr ConversionRow movement_rows[] = {
    {reshaped_view, "Reshape Flatten Squeeze Unsqueeze"},
    {turned, "Transpose"},
    {expanded, "Expand Tile"},
    {sliced, "Slice"},
    {divided, "Split"},
    {one_taken, "TakeOne"},
    {stacked_up, "Stack"},
    {padded, "Pad"},
    {blocks, "DepthToSpace SpaceToDepth"},
    {joined, "Concat"},
    {reduced,
     "ReduceMean ReduceMax ReduceMin ReduceSum ReduceProd ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum "
     "ReduceLogSumExp"},
    {cross_entropy, "SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss"},
};

}  // namespace

bool pick(Converter& c) { return picked(c); }

std::span<const ConversionRow> movement_conversions() { return movement_rows; }

}  // namespace scalescope::formats::onnx
