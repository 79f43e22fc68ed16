// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that take parts of tensors, join them, and put them elsewhere.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/limits.hpp"
#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

/// The product of the dimensions from `begin` to `end`.
std::size_t volume(const Dims& dims, std::size_t begin, std::size_t end) {
    std::size_t n = 1;
    for (std::size_t i = begin; i < end; ++i) n *= static_cast<std::size_t>(dims[i]);
    return n;
}

Dims first_axes(std::size_t count) {
    Dims axes(count);
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

void transpose(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    auto order = s.integers("perm");
    if (!order) {
        order = first_axes(in.dims.size());
        std::ranges::reverse(*order);
    }
    std::vector<bool> used(in.dims.size(), false);
    if (order->size() != in.dims.size()) return s.wrong("its order is not as long as its input has dimensions");
    Value out = tensor_value(in.element, {});
    for (const auto axis : *order) {
        if (axis < 0 || axis >= in.rank() || used[static_cast<std::size_t>(axis)])
            return s.wrong("its order names no axis " + std::to_string(axis));
        used[static_cast<std::size_t>(axis)] = true;
        out.dims.push_back(in.dims[static_cast<std::size_t>(axis)]);
    }
    if (in.known) {
        out.known = true;
        for (std::size_t i = 0; i < static_cast<std::size_t>(in.count()); ++i) {
            std::size_t left = i;
            Dims place(in.dims.size());
            for (std::size_t k = out.dims.size(); k > 0; --k) {
                place[static_cast<std::size_t>((*order)[k - 1])] =
                    static_cast<std::int64_t>(left % static_cast<std::size_t>(out.dims[k - 1]));
                left /= static_cast<std::size_t>(out.dims[k - 1]);
            }
            std::size_t from = 0;
            for (std::size_t k = 0; k < place.size(); ++k)
                from = from * static_cast<std::size_t>(in.dims[k]) + static_cast<std::size_t>(place[k]);
            out.append(in, from);
        }
    }
    s.set(0, std::move(out));
}

void concat(Step& s) {
    Value out = s.in(0);
    if (s.count() == 0 || !out.ranked) return s.open(0, out.element);
    const auto axis = s.axis(s.integer("axis", 1), out.dims.size());
    if (!axis) return;
    bool known = out.known;
    for (std::size_t i = 1; i < s.count(); ++i) {
        const Value& v = s.in(i);
        if (!v.ranked) return s.open(0, out.element);
        if (v.dims.size() != out.dims.size()) return s.wrong("the inputs have not as many dimensions");
        for (std::size_t k = 0; k < out.dims.size(); ++k) {
            if (k == *axis) {
                if (!lengthen(out.dims[k], v.dims[k])) return s.wrong("it is too large");
            } else if (out.dims[k] < 0) {
                out.dims[k] = v.dims[k];
            } else if (v.dims[k] >= 0 && v.dims[k] != out.dims[k]) {
                return s.wrong("the inputs do not fit together");
            }
        }
        known = known && v.known;
    }
    out.known = known && out.small();
    out.whole.clear();
    out.real.clear();
    if (out.known) {
        const std::size_t outer = volume(out.dims, 0, *axis);
        for (std::size_t o = 0; o < outer; ++o)
            for (std::size_t i = 0; i < s.count(); ++i) {
                const std::size_t row = volume(s.in(i).dims, *axis, out.dims.size());
                for (std::size_t k = 0; k < row; ++k) out.append(s.in(i), o * row + k);
            }
    }
    s.set(0, std::move(out));
}

/// `count` places of `axis` from `begin`, each `by` further.
Value taken(const Value& in, std::size_t axis, std::int64_t begin, std::int64_t count, std::int64_t by) {
    Value out = tensor_value(in.element, in.dims);
    out.dims[axis] = count;
    if (!in.known) return out;
    out.known = true;
    const std::size_t outer = volume(in.dims, 0, axis), inner = volume(in.dims, axis + 1, in.dims.size());
    for (std::size_t o = 0; o < outer; ++o)
        for (std::int64_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < inner; ++i)
                out.append(
                    in,
                    (o * static_cast<std::size_t>(in.dims[axis]) + static_cast<std::size_t>(begin + k * by)) * inner +
                        i);
    return out;
}

void split(Step& s) {
    const Value& in = s.in(0);
    const std::size_t parts = s.outputs().size();
    const auto open_all = [&] {
        for (std::size_t i = 0; i < parts; ++i) s.open(i, in.element);
    };
    if (!in.ranked) return open_all();
    const auto axis = s.axis(s.integer("axis", 0), in.dims.size());
    if (!axis) return;
    const std::int64_t all = in.dims[*axis];
    Dims sizes;
    if (s.left_out(1, "split")) {
        const auto n = static_cast<std::int64_t>(parts);
        const std::int64_t each = all < 0 ? open_dimension : (all + n - 1) / n;
        for (std::int64_t i = 0; i < n; ++i)
            sizes.push_back(all < 0 ? each : std::clamp<std::int64_t>(all - i * each, 0, each));
    } else {
        const auto given = s.numbers(1, "split");
        sizes = given ? *given : Dims(parts, open_dimension);
    }
    std::int64_t at = 0;
    for (std::size_t i = 0; i < parts && i < sizes.size(); ++i) {
        const bool inside = sizes[i] >= 0 && all >= 0 && sizes[i] <= all - at;
        if (!inside && sizes[i] >= 0 && all >= 0) return s.wrong("its parts are more than there is");
        if (inside) {
            s.set(i, taken(in, *axis, at, sizes[i], 1));
            at += sizes[i];
        } else {
            Dims dims = in.dims;
            dims[*axis] = sizes[i];
            s.set(i, tensor_value(in.element, std::move(dims)));
        }
    }
}

void slice(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    const auto starts = s.numbers(1, "starts"), ends = s.numbers(2, "ends");
    std::optional<Dims> axes = s.numbers(3, "axes"), steps = s.numbers(4);
    const std::size_t n = starts ? starts->size() : ends ? ends->size() : 0;
    if (s.left_out(3, "axes")) axes = first_axes(n);
    if (!s.has(4)) steps = Dims(n, 1);
    if (!axes) return s.set(0, tensor_value(in.element, Dims(in.dims.size(), open_dimension)));
    const bool told = starts && ends && steps && starts->size() == axes->size() && ends->size() == axes->size() &&
                      steps->size() == axes->size();
    if (!told && starts && ends && steps) return s.wrong("its starts, ends, axes and steps are not as many");
    Value out = in;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = s.axis((*axes)[i], in.dims.size());
        if (!axis) return;
        const std::int64_t d = out.dims[*axis];
        if (!told || d < 0) {
            out = tensor_value(in.element, out.dims);
            out.dims[*axis] = open_dimension;
            continue;
        }
        if (d == 0) continue;
        const std::int64_t by = (*steps)[i];
        if (by == 0 || by == INT64_MIN) return s.wrong("its step is " + std::to_string(by));
        const auto place = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
            return std::clamp(at < 0 ? at + d : at, low, high);
        };
        const std::int64_t begin = by > 0 ? place((*starts)[i], 0, d) : place((*starts)[i], 0, d - 1),
                           end = by > 0 ? place((*ends)[i], 0, d) : place((*ends)[i], -1, d - 1);
        const std::int64_t room = by > 0 ? end - begin : begin - end, step = by > 0 ? by : -by;
        out = taken(out, *axis, begin, room > 0 ? (room - 1) / step + 1 : 0, by);
    }
    s.set(0, std::move(out));
}

void gather(Step& s) {
    const Value &in = s.in(0), &index = s.in(1);
    if (!in.ranked || !index.ranked) return s.open(0, in.element);
    const auto axis = s.axis(s.integer("axis", 0), in.dims.size());
    if (!axis) return;
    Value out = tensor_value(in.element, Dims(in.dims.begin(), in.dims.begin() + static_cast<std::ptrdiff_t>(*axis)));
    out.dims.insert(out.dims.end(), index.dims.begin(), index.dims.end());
    out.dims.insert(out.dims.end(), in.dims.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, in.dims.end());
    if (in.known && index.known && !index.is_real() && out.small()) {
        const std::size_t outer = volume(in.dims, 0, *axis), inner = volume(in.dims, *axis + 1, in.dims.size());
        out.known = true;
        for (std::size_t o = 0; o < outer; ++o)
            for (const std::int64_t at : index.whole) {
                const auto place = axis_of(at, static_cast<std::size_t>(in.dims[*axis]));
                if (!place)
                    return s.wrong("it asks for place " + std::to_string(at) + ", and there are " +
                                   std::to_string(in.dims[*axis]));
                for (std::size_t i = 0; i < inner; ++i)
                    out.append(in, (o * static_cast<std::size_t>(in.dims[*axis]) + *place) * inner + i);
            }
    }
    s.set(0, std::move(out));
}

void gather_elements(Step& s) {
    const Value& index = s.in(1);
    s.set(0, index.ranked ? tensor_value(s.in(0).element, index.dims) : unranked(s.in(0).element));
}

void gather_nd(Step& s) {
    const Value &in = s.in(0), &index = s.in(1);
    const std::int64_t lead = s.integer("batch_dims", 0);
    if (!in.ranked || !index.ranked || index.dims.empty() || index.dims.back() < 0) return s.open(0, in.element);
    if (lead < 0 || lead > in.rank()) return s.wrong("it has not so many leading dimensions");
    const std::int64_t skip = lead + index.dims.back();
    if (skip < 0 || skip > in.rank()) return s.wrong("its indices have more places than its input dimensions");
    Dims dims(index.dims.begin(), index.dims.end() - 1);
    dims.insert(dims.end(), in.dims.begin() + static_cast<std::ptrdiff_t>(skip), in.dims.end());
    s.set(0, tensor_value(in.element, std::move(dims)));
}

void tile(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    Dims times(in.dims.size(), open_dimension);
    if (s.opset() < 6 && s.count() == 3) {  // opset 1: how often, and along which axis
        const auto often = s.numbers(1), along = s.numbers(2);
        if (often && along && often->size() == 1 && along->size() == 1) {
            const auto axis = axis_of((*along)[0], in.dims.size());
            if (!axis) return s.wrong("there is no such axis");
            times.assign(in.dims.size(), 1);
            times[*axis] = (*often)[0];
        }
    } else if (const auto given = s.numbers(1)) {
        if (given->size() != in.dims.size()) return s.wrong("its repeats are not as many as its input's dimensions");
        times = *given;
    }
    Value out = tensor_value(in.element, in.dims);
    for (std::size_t i = 0; i < out.dims.size(); ++i)
        if (!multiply(out.dims[i], times[i])) return s.wrong("it is too large");
    if (in.known && in.dims.size() == 1 && out.small()) {
        out.known = true;
        for (std::int64_t r = 0; r < times[0]; ++r)
            for (std::size_t i = 0; i < static_cast<std::size_t>(in.count()); ++i) out.append(in, i);
    }
    s.set(0, std::move(out));
}

void pad(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    auto pads = s.numbers(1, "pads");
    if (!s.has(1) && !pads) pads = s.integers("paddings");
    const auto axes = s.has(3) ? s.numbers(3) : std::optional(first_axes(in.dims.size()));
    if (!axes || !pads) return s.set(0, tensor_value(in.element, Dims(in.dims.size(), open_dimension)));
    if (pads->size() != 2 * axes->size()) return s.wrong("its pads are not two for each dimension");
    Dims out = in.dims;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = s.axis((*axes)[i], out.size());
        if (!axis) return;
        if (out[*axis] < 0) continue;
        std::int64_t sum = 0;
        if (__builtin_add_overflow((*pads)[i], (*pads)[i + axes->size()], &sum) ||
            __builtin_add_overflow(out[*axis], sum, &out[*axis]) || out[*axis] < 0)
            return s.wrong("its pads leave nothing");
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

/// The middle of each axis of `axes`, or all of it among zeros (opset 18).
void center_crop_pad(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    const auto sizes = s.numbers(1);
    const Dims axes = s.integers("axes").value_or(first_axes(in.dims.size()));
    Dims out = in.dims;
    if (sizes && sizes->size() != axes.size()) return s.wrong("its sizes are not as many as its axes");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = s.axis(axes[i], out.size());
        if (!axis) return;
        out[*axis] = sizes ? (*sizes)[i] : open_dimension;
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

}  // namespace

std::size_t place_of_factors(const Node& node, std::int64_t opset) {
    return node.op == "Upsample" || opset < 11 ? 1 : 2;
}

std::vector<double> resize_factors(const Node& node, const Value& given, std::size_t rank) {
    if (given.known && given.is_real() && !given.real.empty()) return given.real;
    if (const Attribute* a = node.find("scales")) return a->numbers;
    const Attribute *high = node.find("height_scale"), *wide = node.find("width_scale");
    if (!high || rank != 4) return {};
    return {1, 1, high->number, wide ? wide->number : 1};
}

namespace {

/// Sizes, or factors: of all axes, or of `axes`.
void resize(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    const auto sizes = s.numbers(3);
    const Dims axes = s.integers("axes").value_or(first_axes(in.dims.size()));
    Dims out = in.dims;
    const auto scale = resize_factors(s.node(), s.in(place_of_factors(s.node(), s.opset())), out.size());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = s.axis(axes[i], out.size());
        if (!axis) return;
        std::int64_t& d = out[*axis];
        if (sizes && i < sizes->size()) {
            d = std::max<std::int64_t>((*sizes)[i], 0);
        } else if (i < scale.size() && d >= 0) {
            const double to = std::floor(static_cast<double>(d) * scale[i]);
            if (!(to >= 0 && to < 1e15)) return s.wrong("its factor is " + std::to_string(scale[i]));
            d = static_cast<std::int64_t>(to);
        } else {
            d = open_dimension;
        }
    }
    const std::string policy = s.text("keep_aspect_ratio_policy", "stretch");
    if (sizes && policy != "stretch" && in.closed()) {
        double ratio = 0;
        for (std::size_t i = 0; i < axes.size() && i < sizes->size(); ++i) {
            const auto d = in.dims[*axis_of(axes[i], out.size())];
            const double r = static_cast<double>((*sizes)[i]) / static_cast<double>(std::max<std::int64_t>(d, 1));
            ratio = i == 0 ? r : policy == "not_larger" ? std::min(ratio, r) : std::max(ratio, r);
        }
        for (std::size_t i = 0; i < axes.size() && ratio >= 0 && ratio < 1e6; ++i) {
            const auto at = *axis_of(axes[i], out.size());
            out[at] = static_cast<std::int64_t>(std::floor(static_cast<double>(in.dims[at]) * ratio + 0.5));
        }
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

void depth_to_space(Step& s) {
    const Value& in = s.in(0);
    const std::int64_t block = s.integer("blocksize", 1);
    if (!in.ranked || in.dims.size() != 4) return s.open(0, in.element);
    if (block < 1 || block > limits::dimension) return s.wrong("its block is " + std::to_string(block));
    Dims out = in.dims;
    const bool deep = s.node().op == "SpaceToDepth";
    for (std::size_t i = 1; i < 4; ++i) {
        if (out[i] < 0) continue;
        const std::int64_t by = i == 1 ? block * block : block;
        const bool shrink = (i == 1) != deep;
        if (shrink && out[i] % by != 0) return s.wrong("its sizes do not divide by the block");
        if (shrink) out[i] /= by;
        if (!shrink && !multiply(out[i], by)) return s.wrong("it is too large");
    }
    s.set(0, tensor_value(in.element, std::move(out)));
}

void compress(Step& s) {
    const Value &in = s.in(0), &choice = s.in(1);
    const std::int64_t n =
        choice.known ? std::ranges::count_if(choice.whole, [](auto v) { return v != 0; }) : open_dimension;
    const Attribute* a = s.node().find("axis");
    if (!a) return s.set(0, tensor_value(in.element, {n}));
    if (!in.ranked) return s.open(0, in.element);
    const auto axis = axis_of(a->integer, in.dims.size());
    if (!axis) return s.wrong("there is no such axis");
    Dims out = in.dims;
    out[*axis] = n;
    s.set(0, tensor_value(in.element, std::move(out)));
}

void unique(Step& s) {
    const Value& in = s.in(0);
    Dims out{open_dimension};
    const Attribute* a = s.node().find("axis");
    if (!a && in.known) {
        std::vector<double> all;
        for (std::size_t i = 0; i < static_cast<std::size_t>(in.count()); ++i) all.push_back(in.number(i));
        std::ranges::sort(all);
        out[0] = std::unique(all.begin(), all.end()) - all.begin();
    }
    const std::int64_t n = out[0];
    if (a && in.ranked) {
        const auto axis = axis_of(a->integer, in.dims.size());
        if (!axis) return s.wrong("there is no such axis");
        out = in.dims;
        out[*axis] = open_dimension;
    }
    const int index = static_cast<int>(Element::int64);
    s.set(0, tensor_value(in.element, std::move(out)));
    s.set(1, tensor_value(index, {n}));
    s.set(2, tensor_value(index, {a ? open_dimension : in.count()}));
    s.set(3, tensor_value(index, {n}));
}

void top_k(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) {
        s.open(0, in.element);
        return s.open(1, static_cast<int>(Element::int64));
    }
    const auto axis = axis_of(s.integer("axis", -1), in.dims.size());
    if (!axis) return s.wrong("there is no such axis");
    const auto k = s.has(1) ? s.numbers(1) : std::optional<Dims>(Dims{s.integer("k", open_dimension)});
    Dims out = in.dims;
    out[*axis] = k && k->size() == 1 ? (*k)[0] : open_dimension;
    s.set(0, tensor_value(in.element, out));
    s.set(1, tensor_value(static_cast<int>(Element::int64), std::move(out)));
}

/// Boxes kept are as many as the data say.
void suppression(Step& s) { s.set(0, tensor_value(static_cast<int>(Element::int64), {open_dimension, 3})); }

constexpr RuleRow rules_of_movement[] = {
    {transpose, "Transpose"},
    {concat, "Concat"},
    {split, "Split"},
    {slice, "Slice"},
    {gather, "Gather"},
    {gather_elements, "GatherElements"},
    {gather_nd, "GatherND"},
    {tile, "Tile"},
    {pad, "Pad"},
    {resize, "Resize Upsample"},
    {center_crop_pad, "CenterCropPad"},
    {depth_to_space, "DepthToSpace SpaceToDepth"},
    {compress, "Compress"},
    {unique, "Unique"},
    {top_k, "TopK"},
    {suppression, "NonMaxSuppression"},
};

}  // namespace

std::span<const RuleRow> movement_rules() { return rules_of_movement; }

}  // namespace scalescope::formats::onnx
