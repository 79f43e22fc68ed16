// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of tensors whose length is known: what is taken out of one is the tensor that was put in.
#include <algorithm>

#include "core/formats/onnx/tracer.hpp"

namespace scalescope::formats::onnx {

void Tracer::keep_items(const Item& item, const Scope& scope, std::vector<int> items) {
    const int made = scope.find(item.node->outputs[0]);
    if (made < 0) return;
    const Value& v = slot(made).base();
    if (v.form != Value::Form::sequence || !v.counted || v.items.size() != items.size()) return;
    slot(made).items = std::move(items);
    slot(made).itemized = true;
}

std::optional<std::size_t> Tracer::place_in(const Item& item, std::size_t input, std::size_t size, bool end) const {
    const int s = input < item.inputs.size() ? item.inputs[input] : -1;
    if (s < 0) return end ? size : size - 1;
    const Value& v = trace_.tensors[static_cast<std::size_t>(s)].base();
    if (!v.known || v.is_real() || v.count() != 1) return std::nullopt;
    if (end && v.whole[0] == static_cast<std::int64_t>(size)) return size;
    return axis_of(v.whole[0], size);
}

/// The parts of a tensor, as one operator that cuts it or one for each row without its axis.
std::vector<int> Tracer::parts_of(const Item& item, const Scope& scope) {
    const int made = scope.find(item.node->outputs[0]);
    const Value::Form sequence = Value::Form::sequence;
    if (made < 0 || slot(made).base().form != sequence || !slot(made).base().counted) return {};
    const std::size_t n = slot(made).base().items.size(), rank = slot(item.inputs[0]).base().dims.size();
    const Attribute* a = item.node->find("axis");
    std::vector<int> parts;
    bool whole = true;  // each part has all axes
    for (std::size_t i = 0; i < n; ++i) {
        Slot part;
        part.name = item.node->outputs[0] + '/' + std::to_string(i + 1);
        part.stored = slot(made).stored;
        for (const Value& v : slot(made).runs)
            part.runs.push_back(i < v.items.size() ? v.items[i] : unranked(v.element));
        whole = whole && part.base().dims.size() == rank;
        parts.push_back(add(std::move(part)));
    }
    if (whole)
        made_of("Split", {item.inputs[0]}, parts, a ? a->integer : 0);
    else
        for (const int p : parts) made_of("TakeOne", {item.inputs[0]}, {p}, a ? a->integer : 0);
    return parts;
}

bool Tracer::sequence(Item& item, Rule rule, Scope& scope) {
    const Node& n = *item.node;
    if (!n.domain.empty() || n.outputs.empty() || !rule) return false;
    const auto itemized = [&](std::size_t i) {
        return i < item.inputs.size() && item.inputs[i] >= 0 && slot(item.inputs[i]).itemized;
    };
    const auto all_given = [&] {
        return std::all_of(item.inputs.begin(), item.inputs.end(), [](int s) { return s >= 0; });
    };
    if ((n.op == "SequenceConstruct" && all_given()) || n.op == "SequenceEmpty") {
        Item made = item;
        apply(made, rule, scope);
        keep_items(item, scope, n.op == "SequenceEmpty" ? std::vector<int>{} : item.inputs);
        return true;
    }
    if (n.op == "SplitToSequence" && !item.inputs.empty() && item.inputs[0] >= 0) {
        Item made = item;
        apply(made, rule, scope);
        keep_items(item, scope, parts_of(item, scope));
        return true;
    }
    if (!itemized(0)) return false;
    std::vector<int> items = slot(item.inputs[0]).items;
    if (n.op == "SequenceAt") {
        const auto i = items.empty() ? std::nullopt : place_in(item, 1, items.size(), false);
        if (i) scope.names[n.outputs[0]] = items[*i];
        return i.has_value();
    }
    if (n.op == "SequenceInsert" && item.inputs.size() > 1 && item.inputs[1] >= 0) {
        const auto i = place_in(item, 2, items.size(), true);
        if (!i) return false;
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(*i), item.inputs[1]);
    } else if (n.op == "SequenceErase") {
        const auto i = items.empty() ? std::nullopt : place_in(item, 1, items.size(), false);
        if (!i) return false;
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(*i));
    } else if (n.op == "ConcatFromSequence" && !items.empty()) {
        const Attribute *axis = n.find("axis"), *fresh = n.find("new_axis");
        if (fresh && fresh->integer != 0) {
            scope.names[n.outputs[0]] =
                stacked(item, 0, items, static_cast<std::int64_t>(items.size()), axis ? axis->integer : 0);
            return true;
        }
        trace_.calls.push_back(n);
        trace_.calls.back().op = "Concat";
        Item joined = item;
        joined.node = &trace_.calls.back();
        joined.inputs = items;
        apply(joined, find_rule({}, "Concat"), scope);
        return true;
    } else {
        return false;
    }
    Item made = item;
    apply(made, rule, scope);
    keep_items(item, scope, std::move(items));
    return true;
}

}  // namespace scalescope::formats::onnx
