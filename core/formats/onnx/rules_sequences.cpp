// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of tensors, and values that may be absent.
#include <algorithm>

#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

Value sequence_of(int element) {
    Value v;
    v.form = Value::Form::sequence;
    v.element = element;
    return v;
}

std::optional<std::size_t> place(const Step& s, std::size_t input, std::size_t size, bool end) {
    if (!s.has(input)) return end ? size : size - 1;
    const auto at = s.numbers(input);
    if (!at || at->size() != 1) return std::nullopt;
    if (end && (*at)[0] == static_cast<std::int64_t>(size)) return size;
    return axis_of((*at)[0], size);
}

void construct(Step& s) {
    Value v = sequence_of(s.in(0).element);
    v.counted = s.count() <= most_known;
    for (std::size_t i = 0; i < s.count() && v.counted; ++i) {
        v.items.push_back(s.in(i));
        v.counted = s.in(i).form == Value::Form::tensor;
    }
    s.set(0, std::move(v));
}

void empty(Step& s) {
    Value v = sequence_of(static_cast<int>(s.integer("dtype", 1)));
    v.counted = true;
    s.set(0, std::move(v));
}

void at(Step& s) {
    const Value& v = s.in(0);
    const auto i = v.counted && !v.items.empty() ? place(s, 1, v.items.size(), false) : std::nullopt;
    s.set(0, i ? v.items[*i] : unranked(v.element));
}

void insert(Step& s) {
    Value v = s.in(0);
    const auto i = v.counted ? place(s, 2, v.items.size(), true) : std::nullopt;
    if (i && v.items.size() < most_known && s.in(1).form == Value::Form::tensor)
        v.items.insert(v.items.begin() + static_cast<std::ptrdiff_t>(*i), s.in(1));
    else
        v.counted = false;
    v.element = s.in(1).element;
    s.set(0, std::move(v));
}

void erase(Step& s) {
    Value v = s.in(0);
    const auto i = v.counted && !v.items.empty() ? place(s, 1, v.items.size(), false) : std::nullopt;
    if (i)
        v.items.erase(v.items.begin() + static_cast<std::ptrdiff_t>(*i));
    else
        v.counted = false;
    s.set(0, std::move(v));
}

void length(Step& s) {
    const Value& v = s.in(0);
    const int index = static_cast<int>(Element::int64);
    s.set(0, v.counted ? whole_value(index, {}, {static_cast<std::int64_t>(v.items.size())}) : tensor_value(index, {}));
}

void join(Step& s) {
    const Value& v = s.in(0);
    if (!v.counted || v.items.empty()) return s.open(0, v.element);
    const bool fresh = s.integer("new_axis", 0) != 0;
    for (const Value& item : v.items)
        if (!item.ranked || item.dims.size() != v.items[0].dims.size()) return s.open(0, v.element);
    Dims out = v.items[0].dims;
    const auto axis = axis_of(s.integer("axis", 0), out.size() + (fresh ? 1 : 0));
    if (!axis) return s.wrong("there is no such axis");
    if (fresh) {
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(*axis), static_cast<std::int64_t>(v.items.size()));
    } else {
        for (std::size_t i = 1; i < v.items.size(); ++i)
            if (!lengthen(out[*axis], v.items[i].dims[*axis])) return s.wrong("it is too large");
    }
    s.set(0, tensor_value(v.items[0].element, std::move(out)));
}

void divide(Step& s) {
    const Value& in = s.in(0);
    Value v = sequence_of(in.element);
    const auto axis = axis_of(s.integer("axis", 0), in.dims.size());
    if (in.ranked && !axis) return s.wrong("there is no such axis");
    if (in.ranked && in.dims[*axis] >= 0 && in.dims[*axis] <= most_known) {
        const std::int64_t all = in.dims[*axis];
        Dims sizes;
        if (!s.has(1)) {
            sizes = Dims(static_cast<std::size_t>(all), 1);
        } else if (const auto given = s.numbers(1)) {
            sizes = *given;
            if (s.in(1).dims.empty() && given->size() == 1 && (*given)[0] > 0) {
                sizes.clear();
                for (std::int64_t done = 0; done < all; done += (*given)[0])
                    sizes.push_back(std::min((*given)[0], all - done));
            }
        }
        const bool drop = !s.has(1) && s.integer("keepdims", 1) == 0;
        for (const auto n : sizes) {
            Dims dims = in.dims;
            if (drop)
                dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*axis));
            else
                dims[*axis] = n;
            v.items.push_back(tensor_value(in.element, std::move(dims)));
        }
        v.counted = !s.has(1) || s.numbers(1).has_value();
    }
    s.set(0, std::move(v));
}

void optional(Step& s) {
    Value v;
    v.form = Value::Form::optional;
    v.counted = true;
    if (s.has(0)) v.items.push_back(s.in(0));
    v.element = s.in(0).element;
    s.set(0, std::move(v));
}

void optional_element(Step& s) {
    const Value& v = s.in(0);
    if (v.form != Value::Form::optional) return s.set(0, v);
    s.set(0, v.items.empty() ? unranked(v.element) : v.items[0]);
}

void optional_has(Step& s) {
    const Value& v = s.in(0);
    const bool told = v.form != Value::Form::optional || v.counted;
    const bool there = v.form == Value::Form::optional ? !v.items.empty() : v.present();
    const int truth = static_cast<int>(Element::boolean);
    s.set(0, told ? whole_value(truth, {}, {there}) : tensor_value(truth, {}));
}

constexpr RuleRow rules_of_sequences[] = {
    {construct, "SequenceConstruct"},
    {empty, "SequenceEmpty"},
    {at, "SequenceAt"},
    {insert, "SequenceInsert"},
    {erase, "SequenceErase"},
    {length, "SequenceLength"},
    {join, "ConcatFromSequence"},
    {divide, "SplitToSequence"},
    {optional, "Optional"},
    {optional_element, "OptionalGetElement"},
    {optional_has, "OptionalHasElement"},
};

}  // namespace

std::span<const RuleRow> sequence_rules() { return rules_of_sequences; }

}  // namespace scalescope::formats::onnx
