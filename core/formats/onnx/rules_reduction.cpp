// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that make one number of many, and the normalizations.
#include <algorithm>

#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

void reduce(Step& s) {
    const Value& in = s.in(0);
    if (!in.ranked) return s.open(0, in.element);
    const bool keep = s.integer("keepdims", 1) != 0;
    std::vector<bool> over(in.dims.size(), false);
    const bool none = s.left_out(1, "axes");
    const auto axes = none ? std::optional<Dims>(Dims{}) : s.numbers(1, "axes");
    if (!axes) return s.open(0, in.element);
    for (const auto axis : *axes) {
        const auto at = s.axis(axis, in.dims.size());
        if (!at) return;
        over[*at] = true;
    }
    if (axes->empty()) {
        if (s.integer("noop_with_empty_axes", 0) != 0) return s.set(0, in);
        over.assign(in.dims.size(), true);
    }
    Value out = tensor_value(in.element, {});
    bool all = true;
    for (std::size_t i = 0; i < over.size(); ++i) {
        all = all && over[i];
        if (!over[i])
            out.dims.push_back(in.dims[i]);
        else if (keep)
            out.dims.push_back(1);
    }
    // Sizes are multiplied and compared so.
    if (in.known && out.count() == in.count()) {
        out.known = true;
        out.whole = in.whole;
        out.real = in.real;
    } else if (all && in.known && in.is_real() && in.count() > 0 &&
               (s.node().op == "ReduceMax" || s.node().op == "ReduceMin")) {
        out.known = true;
        const auto bounds = std::ranges::minmax_element(in.real);
        out.real = {s.node().op == "ReduceMax" ? *bounds.max : *bounds.min};
    } else if (all && in.known && !in.is_real() && in.count() > 0) {
        const std::string& op = s.node().op;
        std::int64_t r = in.whole[0];
        bool fits = op == "ReduceProd" || op == "ReduceSum" || op == "ReduceMax" || op == "ReduceMin";
        for (std::size_t i = 1; fits && i < in.whole.size(); ++i) {
            const std::int64_t v = in.whole[i];
            if (op == "ReduceProd")
                fits = !__builtin_mul_overflow(r, v, &r);
            else if (op == "ReduceSum")
                fits = !__builtin_add_overflow(r, v, &r);
            else
                r = op == "ReduceMax" ? std::max(r, v) : std::min(r, v);
        }
        if (fits) {
            out.known = true;
            out.whole = {r};
        }
    }
    s.set(0, std::move(out));
}

void arg(Step& s) {
    const Value& in = s.in(0);
    const int index = static_cast<int>(Element::int64);
    if (!in.ranked) return s.open(0, index);
    const auto axis = s.axis(s.integer("axis", 0), in.dims.size());
    if (!axis) return;
    Dims out = in.dims;
    if (s.integer("keepdims", 1) != 0)
        out[*axis] = 1;
    else
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(*axis));
    s.set(0, tensor_value(index, std::move(out)));
}

void batch_normalization(Step& s) {
    s.set(0, without_numbers(s.in(0)));
    // Running statistics, and (before opset 14) those of the batch.
    for (std::size_t i = 1; i < s.outputs().size(); ++i) s.set(i, without_numbers(s.in(i % 2 == 1 ? 3 : 4)));
}

/// Mean and deviation keep the axes before `axis`, and ones behind.
void layer_normalization(Step& s) {
    const Value& in = s.in(0);
    s.set(0, without_numbers(in));
    if (!in.ranked) return;
    const auto axis = axis_of(s.integer("axis", -1), in.dims.size());
    if (!axis) return s.wrong("there is no such axis");
    Dims rows = in.dims;
    std::fill(rows.begin() + static_cast<std::ptrdiff_t>(*axis), rows.end(), 1);
    s.set(1, tensor_value(static_cast<int>(s.integer("stash_type", 1)), rows));
    s.set(2, tensor_value(static_cast<int>(s.integer("stash_type", 1)), std::move(rows)));
}

/// Losses: one number, or (reduction "none") one for each label.
void loss(Step& s) {
    const Value &scores = s.in(0), &labels = s.in(1);
    const bool none = s.text("reduction", "mean") == "none";
    Value each = without_numbers(labels);
    each.element = scores.element;
    s.set(0, none ? each : tensor_value(scores.element, {}));
    s.set(1, without_numbers(scores));
}

constexpr RuleRow rules_of_reduction[] = {
    {reduce,
     "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp "
     "ReduceSumSquare"},
    {arg, "ArgMax ArgMin"},
    {batch_normalization, "BatchNormalization"},
    {layer_normalization, "LayerNormalization"},
    {loss, "SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss"},
};

}  // namespace

std::span<const RuleRow> reduction_rules() { return rules_of_reduction; }

}  // namespace scalescope::formats::onnx
