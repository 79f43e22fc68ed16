// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/rebatch.hpp"

#include <algorithm>
#include <optional>

namespace scalescope::formats::onnx {
namespace {

struct Place {
    std::size_t axis;
    std::int64_t outer;
};

/// The axis of `dims` in which an index stands that has `before` elements in front and takes `n` values: row-major
/// order does not change when a tensor is seen in another shape. Where both neighbours could hold it, it goes to an
/// axis of its own first, then to the axis in front, as in sequence × batch.
std::optional<Place> place_of(const Dims& dims, std::int64_t before, std::int64_t n) {
    for (const int way : {0, 1, 2}) {
        std::int64_t front = 1;
        for (std::size_t t = 0; t < dims.size(); ++t) {
            const std::int64_t d = dims[t];
            if (d < 1) return std::nullopt;
            const bool starts = front == before,
                       inside = front < before && front * d >= before * n && before % front == 0;
            if (way == 0 ? starts && d == n : way == 1 ? inside : starts && d % n == 0) return Place{t, before / front};
            front *= d;
            if (front > before * std::max<std::int64_t>(n, 1)) break;
        }
    }
    return std::nullopt;
}

bool doubled(const Value& a, const Value& b, std::size_t axis) {
    return b.dims[axis] == 2 * a.dims[axis] && a.dims[axis] > 0;
}

void set_axis(Slot& slot, std::size_t axis) {
    Value& v = slot.runs[1];
    v = tensor_value(slot.base().element, slot.base().dims);
    v.dims[axis] *= 2;
}

void reshaped(Trace& trace, const Item& item, Slot& out) {
    const Slot& in = trace.tensors[static_cast<std::size_t>(item.inputs[0])];
    const int axis = trace.axis(item.inputs[0], 1);
    if (axis < 0) return;
    std::int64_t before = in.outer;
    for (int i = 0; i < axis; ++i) before *= in.base().dims[static_cast<std::size_t>(i)];
    // What the batch is on run 0 follows from the inputs of the model alone.
    std::int64_t batch = in.base().dims[static_cast<std::size_t>(axis)];
    for (const int i : trace.inputs)
        if (const int a = trace.axis(i, 1); a >= 0)
            batch = trace.tensors[static_cast<std::size_t>(i)].base().dims[static_cast<std::size_t>(a)];
    const auto place = place_of(out.base().dims, before, batch);
    if (!place) return;
    const bool fixed = item.inputs.size() < 2 || item.inputs[1] < 0 || !trace.depends(item.inputs[1], 1);
    if (fixed) set_axis(out, place->axis);
    if (trace.axis(item.outputs[0], 1) == static_cast<int>(place->axis)) out.outer = place->outer;
}

/// Inputs of which some hold the batch and some a number as large: the number stands for it.
void widened(Trace& trace, const Item& item, Slot& out) {
    if (!out.base().closed()) return;
    Dims dims = out.base().dims;
    bool changed = false;
    for (const int i : item.inputs) {
        const int axis = i < 0 ? -1 : trace.axis(i, 1);
        if (axis < 0) continue;
        const Dims& from = trace.tensors[static_cast<std::size_t>(i)].base().dims;
        const std::size_t back = from.size() - static_cast<std::size_t>(axis);
        if (back > dims.size()) continue;
        const std::size_t at = dims.size() - back;
        if (dims[at] != from[static_cast<std::size_t>(axis)] || changed) continue;
        dims[at] *= 2;
        changed = true;
    }
    if (changed) out.runs[1] = tensor_value(out.base().element, std::move(dims));
}

}  // namespace

void rebatch(Trace& trace, const Item& item) {
    if (item.outputs.empty() || item.outputs[0] < 0 || item.inputs.empty() || item.inputs[0] < 0) return;
    Slot& out = trace.tensors[static_cast<std::size_t>(item.outputs[0])];
    if (out.runs.size() < 2 || !out.base().closed()) return;
    const std::string& op = item.node->op;
    const bool joins =
        op == "Concat" || op == "Add" || op == "Mul" || op == "Sub" || op == "Div" || op == "Where" || op == "Sum";
    Value& second = out.runs[1];
    const bool broken = !second.ranked || second.dims.size() != out.base().dims.size();
    if (op == "Reshape") {
        reshaped(trace, item, out);
    } else if (op == "Resize" && !broken) {
        const int axis = trace.axis(item.inputs[0], 1);
        const Slot& in = trace.tensors[static_cast<std::size_t>(item.inputs[0])];
        const auto a = static_cast<std::size_t>(std::max(axis, 0));
        if (axis >= 0 && out.base().dims[a] == in.base().dims[a] && !doubled(out.base(), second, a)) set_axis(out, a);
    } else if (broken && joins) {
        widened(trace, item, out);
    }
    if (op == "Reshape") return;
    // The batch stands beside the same factor as in the input it comes from.
    const int axis = trace.axis(item.outputs[0], 1);
    if (axis < 0) return;
    for (const int i : item.inputs) {
        if (i < 0) continue;
        const Slot& in = trace.tensors[static_cast<std::size_t>(i)];
        const int from = trace.axis(i, 1);
        if (from >= 0 &&
            in.base().dims[static_cast<std::size_t>(from)] == out.base().dims[static_cast<std::size_t>(axis)])
            out.outer = in.outer;
    }
}

}  // namespace scalescope::formats::onnx
