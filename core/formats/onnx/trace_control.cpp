// SPDX-License-Identifier: GPL-3.0-or-later
// Functions, branches and loops: what is inside them is carried out node by node. Sequences of tensors whose length is
// known: what is taken out of one is the tensor that was put in.
#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/onnx/plan.hpp"
#include "core/formats/onnx/tracer.hpp"

namespace scalescope::formats::onnx {
namespace {

/// A loop of more operators than these in all is carried out once, which is said.
constexpr std::size_t most_unrolled = 20'000;

}  // namespace

void Tracer::call(const Item& item, const Function& f, Scope& scope, int depth) {
    Scope inner;  // a function sees its inputs alone
    for (std::size_t i = 0; i < f.inputs.size(); ++i)
        if (i < item.inputs.size() && item.inputs[i] >= 0) inner.names[f.inputs[i]] = item.inputs[i];
    const std::int64_t outside = opset_;
    if (const auto it = f.opsets.find(""); it != f.opsets.end()) opset_ = it->second;
    for (const Node& n : f.nodes) {
        if (stopped()) break;
        trace_.calls.push_back(n);
        Node& copy = trace_.calls.back();
        for (Attribute& a : copy.attributes) {
            if (a.reference.empty()) continue;
            const std::string name = a.name;
            const Attribute* from = item.node->find(a.reference);
            for (const Attribute& d : f.defaults)
                if (!from && d.name == a.reference) from = &d;
            if (from) a = *from;
            a.name = from ? name : std::string();
            a.reference.clear();
        }
        // An input left out by the call is left out inside.
        for (std::string& input : copy.inputs)
            if (std::ranges::find(f.inputs, input) != f.inputs.end() && inner.names.count(input) == 0) input.clear();
        node(copy, inner, join(item), depth + 1);
    }
    opset_ = outside;
    pass(item, inner, f.outputs, scope);
}

void Tracer::pass(const Item& item, const Scope& inner, const std::vector<std::string>& names, Scope& scope) {
    const Node& n = *item.node;
    for (std::size_t o = 0; o < n.outputs.size(); ++o) {
        const int from = o < names.size() ? inner.find(names[o]) : -1;
        if (from >= 0)
            scope.names[n.outputs[o]] = from;
        else
            broken_.emplace(n.outputs[o], true);
    }
}

const Graph* Tracer::subgraph(const Node& n, std::string_view name) {
    const Attribute* a = n.find(name);
    if (a && a->graph) return a->graph.get();
    error(n, "It has no subgraph " + formats::quoted(name) + ".", "Export the model again.");
    give_up(n);
    return nullptr;
}

void Tracer::branch(const Item& item, Scope& scope, int depth) {
    const Node& n = *item.node;
    const Value* condition = item.inputs.empty() || item.inputs[0] < 0 ? nullptr : &slot(item.inputs[0]).base();
    const bool told = condition && condition->known && condition->count() == 1;
    const Graph *yes = subgraph(n, "then_branch"), *no = yes ? subgraph(n, "else_branch") : nullptr;
    if (!yes || !no) return;
    const Graph* taken = told                                    ? (condition->number(0) != 0 ? yes : no)
                         : yes->nodes.size() >= no->nodes.size() ? yes
                                                                 : no;
    if (!told)
        warning(n, "Which way it goes depends on the data; the longer one is taken.",
                "Export the model for one way if it is the other.");
    trace_.untaken.push_back(taken == yes ? no : yes);
    Scope inner = open_scope(*taken, &scope);
    nodes(taken->nodes, inner, join(item), depth + 1);
    pass(item, inner, output_names(*taken), scope);
}

int Tracer::stacked(const Item& item, std::size_t output, const std::vector<int>& each, std::int64_t times,
                    std::int64_t axis) {
    Slot out;
    out.name = item.node->outputs[output];
    out.stored = std::ranges::all_of(each, [&](int i) { return slot(i).stored; });
    for (std::size_t run = 0; run < given_.runs; ++run) {
        const Value v = each.empty() ? unranked(0) : slot(each.back()).runs[run];
        Value all = unranked(v.element);
        if (v.ranked) {
            const auto at = axis_of(axis, v.dims.size() + 1).value_or(0);
            Dims dims = v.dims;
            dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at), times);
            all = tensor_value(v.element, std::move(dims));
        }
        out.runs.push_back(std::move(all));
    }
    const int made = add(std::move(out));
    made_of("Stack", each, {made}, axis);
    return made;
}

void Tracer::made_of(const char* op, const std::vector<int>& from, const std::vector<int>& made, std::int64_t axis) {
    Node n;
    n.op = op;
    n.name = slot(made.front()).name;
    n.attributes.emplace_back().name = "axis";
    n.attributes.back().integer = axis;
    trace_.calls.push_back(std::move(n));
    for (const int m : made) slot(m).made_by = static_cast<std::int64_t>(trace_.items.size());
    trace_.items.push_back({&trace_.calls.back(), {}, opset_, from, made, true});
}

std::int64_t Tracer::asked(const Node& n, const Graph& body) {
    auto& name = asked_[&body];
    const auto known = [&](const std::string& wanted) {
        return std::ranges::find(trace_.rounds, wanted, &Symbol::name);
    };
    if (!name.empty()) return known(name)->initial;
    const std::string plain = symbol_name(n.name.empty() ? "rounds" : n.name + "_rounds");
    name = plain;
    for (int i = 2; known(name) != trace_.rounds.end(); ++i) name = plain + '_' + std::to_string(i);
    std::int64_t times = 1;
    for (const Binding& b : given_.rounds)
        if (b.symbol == name) times = b.value;
    trace_.rounds.push_back({name, times, "rounds of " + node_name(n) + ", which depend on the data"});
    return times;
}

std::int64_t Tracer::rounds(const Node& n, const Graph& body, std::optional<std::int64_t> times) {
    if (!times) times = asked(n, body);
    if (*times >= 0 && static_cast<std::uint64_t>(*times) <= most_unrolled &&
        static_cast<std::size_t>(*times) * std::max<std::size_t>(body.nodes.size(), 1) <= most_unrolled)
        return *times;
    warning(n, "It goes round " + std::to_string(*times) + " times; one round is counted here.",
            "Multiply what it takes, or export a shorter sequence.");
    if (trace_.shortened.size() < limits::problems) trace_.shortened.push_back(node_name(n));
    return 1;
}

void Tracer::loop(const Item& item, Scope& scope, int depth) {
    const Node& n = *item.node;
    const Graph* body = subgraph(n, "body");
    if (!body) return;
    if (body->inputs.size() < 2 || body->outputs.empty() || item.inputs.size() < 2 ||
        body->inputs.size() != item.inputs.size() || body->outputs.size() + 1 < body->inputs.size()) {
        error(n, "Its body does not take what the loop hands on.", "Export the model again.");
        return give_up(n);
    }
    std::optional<std::int64_t> limit;
    if (item.inputs[0] >= 0) {
        const Value& m = slot(item.inputs[0]).base();
        if (m.known && m.count() == 1 && !m.is_real()) limit = m.whole[0];
    }
    const std::size_t states = body->inputs.size() - 2;
    std::vector<int> carried(item.inputs.begin() + 2, item.inputs.end());
    std::vector<std::vector<int>> scans(body->outputs.size() - 1 - states);
    int condition = item.inputs[1];
    const auto holds = [&]() -> std::optional<bool> {
        if (condition < 0) return true;
        const Value& c = slot(condition).base();
        if (!c.known || c.count() != 1) return std::nullopt;
        return c.number(0) != 0;
    };
    std::optional<bool> go = holds();
    // With a condition that is known, rounds are counted as they go.
    const bool counting = limit.has_value() && go.has_value(), none = go && !*go;
    const std::size_t shortened = trace_.shortened.size();
    const std::int64_t most = none ? 0 : rounds(n, *body, limit);
    const bool whole = trace_.shortened.size() == shortened;
    std::int64_t round = 0;
    for (; round < most && !stop_; ++round) {
        Scope inner = open_scope(*body, &scope);
        const std::string& number = body->inputs[0].name;
        inner.names[number] = add_stored(number, whole_value(static_cast<int>(Element::int64), {}, {round}));
        if (condition < 0) condition = add_stored({}, whole_value(static_cast<int>(Element::boolean), {}, {1}));
        inner.names[body->inputs[1].name] = condition;
        for (std::size_t i = 0; i < states; ++i)
            if (carried[i] >= 0) inner.names[body->inputs[i + 2].name] = carried[i];
        const bool numbered = most > 1 || !limit;
        nodes(body->nodes, inner, join(item) + (numbered ? "/" + std::to_string(round + 1) : ""), depth + 1);
        const auto names = output_names(*body);
        condition = inner.find(names[0]);
        for (std::size_t i = 0; i < states; ++i) carried[i] = inner.find(names[i + 1]);
        for (std::size_t i = 0; i < scans.size(); ++i)
            if (const int made = inner.find(names[i + 1 + states]); made >= 0) scans[i].push_back(made);
        if (condition < 0 || std::ranges::any_of(carried, [](int c) { return c < 0; })) return give_up(n);
        go = holds();
        if (go && !*go) {
            ++round;
            break;
        }
    }
    // How often it went round is known, or was asked.
    const bool told = go && !*go ? true : limit ? counting && round == *limit : whole;
    hand_on(item, carried, scans, told ? round : limit.value_or(open_dimension), {}, scope);
}

void Tracer::hand_on(const Item& item, const std::vector<int>& states, const std::vector<std::vector<int>>& scans,
                     std::int64_t times, const Dims& axes, Scope& scope) {
    const auto& outputs = item.node->outputs;
    for (std::size_t o = 0; o < outputs.size() && o < states.size() + scans.size(); ++o) {
        if (outputs[o].empty()) continue;
        const std::size_t s = o - states.size();
        scope.names[outputs[o]] =
            o < states.size() ? states[o] : stacked(item, o, scans[s], times, s < axes.size() ? axes[s] : 0);
    }
}

/// The body once for each item of the first sequence; other sequences go along with it, tensors stay.
void Tracer::map(const Item& item, Scope& scope, int depth) {
    const Node& n = *item.node;
    const Graph* body = subgraph(n, "body");
    if (!body) return;
    if (item.inputs.empty() || item.inputs[0] < 0 || body->inputs.size() != item.inputs.size() ||
        body->outputs.size() < n.outputs.size()) {
        error(n, "Its body does not take the items of the sequence.", "Export the model again.");
        return give_up(n);
    }
    const Value& first = slot(item.inputs[0]).base();
    const std::size_t times = first.counted ? first.items.size() : 0;
    const auto names = output_names(*body);
    std::vector<Slot> made(n.outputs.size());
    for (std::size_t o = 0; o < made.size(); ++o) {
        Value v;
        v.form = Value::Form::sequence;
        v.counted = first.counted;
        made[o].runs.assign(given_.runs, v);
        made[o].name = n.outputs[o];
        made[o].itemized = first.counted;
    }
    for (std::size_t round = 0; round < times && !stopped(); ++round) {
        Scope inner = open_scope(*body, &scope);
        for (std::size_t i = 0; i < item.inputs.size(); ++i) {
            const int from = item.inputs[i];
            if (from < 0) continue;
            if (slot(from).base().form != Value::Form::sequence) {
                inner.names[body->inputs[i].name] = from;
                continue;
            }
            if (slot(from).itemized && round < slot(from).items.size()) {
                inner.names[body->inputs[i].name] = slot(from).items[round];
                continue;
            }
            const int part = add_part(body->inputs[i].name, from, round);
            inner.names[body->inputs[i].name] = part;
            made_of("SequenceAt", {from}, {part}, 0);
        }
        nodes(body->nodes, inner, join(item) + "/" + std::to_string(round + 1), depth + 1);
        for (std::size_t o = 0; o < made.size(); ++o) {
            const int is = inner.find(names[o]);
            if (is < 0) return give_up(n);
            for (std::size_t run = 0; run < given_.runs; ++run) {
                Value& all = made[o].runs[run];
                all.items.push_back(slot(is).runs[run]);
                all.element = all.items.back().element;
            }
            made[o].items.push_back(is);
        }
    }
    for (std::size_t o = 0; o < made.size(); ++o)
        if (!n.outputs[o].empty()) scope.names[n.outputs[o]] = add(std::move(made[o]));
}

void Tracer::scan(const Item& item, Scope& scope, int depth) {
    const Node& n = *item.node;
    const Graph* body = subgraph(n, "body");
    if (!body) return;
    const auto scanned =
        static_cast<std::size_t>(std::clamp<std::int64_t>(n.said("num_scan_inputs").integer, 0, 1 << 20));
    if (scanned == 0 || scanned > item.inputs.size() || body->inputs.size() != item.inputs.size() ||
        body->outputs.size() < item.inputs.size() - scanned) {
        error(n, "Its body does not take what the scan hands on.", "Export the model again.");
        return give_up(n);
    }
    const std::size_t states = item.inputs.size() - scanned;
    const Dims &in_axes = n.said("scan_input_axes").integers, &out_axes = n.said("scan_output_axes").integers;
    std::optional<std::int64_t> times;
    std::vector<int> parts;  // one step of each input that is gone through
    for (std::size_t i = 0; i < scanned; ++i) {
        const int from = item.inputs[states + i];
        Slot part;
        part.stored = from >= 0 && slot(from).stored;
        part.name = body->inputs[states + i].name;
        for (std::size_t run = 0; run < given_.runs; ++run) {
            const Value v = from < 0 ? unranked(0) : slot(from).runs[run];
            const auto axis = v.ranked ? axis_of(i < in_axes.size() ? in_axes[i] : 0, v.dims.size()) : std::nullopt;
            if (!axis) {
                part.runs.push_back(unranked(v.element));
                continue;
            }
            if (run == 0 && v.dims[*axis] >= 0) times = v.dims[*axis];
            Dims dims = v.dims;
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*axis));
            part.runs.push_back(tensor_value(v.element, std::move(dims)));
        }
        parts.push_back(add(std::move(part)));
        made_of("TakeOne", {from}, {parts.back()}, i < in_axes.size() ? in_axes[i] : 0);
    }
    std::vector<int> carried(item.inputs.begin(), item.inputs.begin() + static_cast<std::ptrdiff_t>(states));
    std::vector<std::vector<int>> scans(body->outputs.size() - states);
    const std::int64_t most = rounds(n, *body, times);
    const bool numbered = most > 1 || !times;
    if (!times && trace_.shortened.empty()) times = most;
    const auto names = output_names(*body);
    for (std::int64_t round = 0; round < most && !stop_; ++round) {
        Scope inner = open_scope(*body, &scope);
        for (std::size_t i = 0; i < states; ++i)
            if (carried[i] >= 0) inner.names[body->inputs[i].name] = carried[i];
        for (std::size_t i = 0; i < scanned; ++i) inner.names[body->inputs[states + i].name] = parts[i];
        nodes(body->nodes, inner, join(item) + (numbered ? "/" + std::to_string(round + 1) : ""), depth + 1);
        for (std::size_t i = 0; i < states; ++i) carried[i] = inner.find(names[i]);
        for (std::size_t i = 0; i < scans.size(); ++i)
            if (const int made = inner.find(names[states + i]); made >= 0) scans[i].push_back(made);
        if (std::ranges::any_of(carried, [](int c) { return c < 0; })) return give_up(n);
    }
    hand_on(item, carried, scans, times.value_or(open_dimension), out_axes, scope);
}

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
    const std::int64_t axis = item.node->said("axis").integer;
    std::vector<int> parts;
    bool whole = true;  // each part has all axes
    for (std::size_t i = 0; i < n; ++i) {
        parts.push_back(add_part(item.node->outputs[0] + '/' + std::to_string(i + 1), made, i));
        whole = whole && slot(parts.back()).base().dims.size() == rank;
    }
    if (whole)
        made_of("Split", {item.inputs[0]}, parts, axis);
    else
        for (const int p : parts) made_of("TakeOne", {item.inputs[0]}, {p}, axis);
    return parts;
}

bool Tracer::sequence(Item& item, Rule rule, Scope& scope) {
    const Node& n = *item.node;
    if (!n.domain.empty() || n.outputs.empty() || !rule) return false;
    const auto itemized = [&](std::size_t i) {
        return i < item.inputs.size() && item.inputs[i] >= 0 && slot(item.inputs[i]).itemized;
    };
    const auto all_given = [&] { return std::ranges::all_of(item.inputs, [](int s) { return s >= 0; }); };
    const auto apply_to_copy = [&] {
        Item made = item;
        apply(made, rule, scope);
    };
    if ((n.op == "SequenceConstruct" && all_given()) || n.op == "SequenceEmpty") {
        apply_to_copy();
        keep_items(item, scope, n.op == "SequenceEmpty" ? std::vector<int>{} : item.inputs);
        return true;
    }
    if (n.op == "SplitToSequence" && !item.inputs.empty() && item.inputs[0] >= 0) {
        apply_to_copy();
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
        if (n.said("new_axis").integer != 0) {
            scope.names[n.outputs[0]] =
                stacked(item, 0, items, static_cast<std::int64_t>(items.size()), n.said("axis").integer);
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
    apply_to_copy();
    keep_items(item, scope, std::move(items));
    return true;
}

}  // namespace scalescope::formats::onnx
