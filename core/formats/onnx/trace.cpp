// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/trace.hpp"

#include <algorithm>
#include <optional>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/onnx/tracer.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr int deepest_scope = 24;
constexpr std::size_t most_items = limits::layers;

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

/// Shapes written for one batch, made to follow another: after the operator `item` was carried out on every run, its
/// outputs on run 1 (the batch doubled) are corrected where a number in the file holds the batch of run 0.
void rebatch(Trace& trace, const Item& item) {
    if (item.outputs.empty() || item.outputs[0] < 0 || item.inputs.empty() || item.inputs[0] < 0) return;
    Slot& out = trace.tensors[static_cast<std::size_t>(item.outputs[0])];
    if (out.runs.size() < 2 || !out.base().closed()) return;
    const std::string& op = item.node->op;
    const bool joins = is_among(op, "Concat Add Mul Sub Div Where Sum");
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

}  // namespace

Trace Tracer::run() {
    const auto opset = model_.opsets.find("");
    opset_ = opset == model_.opsets.end() ? 1 : opset->second;
    Scope scope = open_scope(model_.graph, nullptr);
    for (const ValueInfo& input : model_.graph.inputs) {
        if (scope.names.count(input.name) != 0) continue;  // an initializer with a name: old files list both
        const auto it = given_.inputs.find(input.name);
        Slot slot;
        slot.name = input.name;
        slot.runs =
            it == given_.inputs.end() ? std::vector<Value>(given_.runs, unranked(input.element)) : it->second.runs;
        slot.stored = slot.initial = it != given_.inputs.end() && it->second.weights;
        scope.names[input.name] = add(std::move(slot));
        trace_.inputs.push_back(scope.names[input.name]);
    }
    nodes(model_.graph.nodes, scope, {}, 0);
    for (const ValueInfo& output : model_.graph.outputs)
        if (const int slot = scope.find(output.name); slot >= 0) trace_.outputs.push_back(slot);
    return std::move(trace_);
}

Scope Tracer::open_scope(const Graph& graph, const Scope* outer) {
    Scope scope{outer, {}, {}};
    for (const auto* list : {&graph.values, &graph.outputs})
        for (const ValueInfo& v : *list) scope.declared.emplace(v.name, &v);
    for (const Tensor& t : graph.initializers) {
        auto& known = stored_[&t];
        if (known == 0) known = add_stored(t.name, value_of(t), true) + 1;
        scope.names[t.name] = known - 1;
    }
    return scope;
}

bool Tracer::stopped() {
    if (stop_) return true;
    if ((trace_.items.size() & 63) == 0) {
        watch_.progress(std::min(
            1.0, static_cast<double>(trace_.items.size()) / static_cast<double>(model_.graph.nodes.size() + 1)));
        if (watch_.cancel.cancelled()) {
            problems_.error({file_, 0, 0}, {}, "Reading was cancelled.", "Open the file again to read all of it.");
            stop_ = true;
        }
    }
    if (trace_.items.size() >= most_items || trace_.tensors.size() >= 4 * most_items) {
        problems_.error({file_, 0, 0}, {},
                        "The model carries out more than " + std::to_string(most_items) + " operators.",
                        "Open a smaller model.");
        stop_ = true;
    }
    if (problems_.errors() >= limits::problems) stop_ = true;
    return stop_;
}

void Tracer::nodes(const std::vector<Node>& all, Scope& scope, const std::string& path, int depth) {
    for (const Node& n : all) {
        if (stopped()) return;
        node(n, scope, path, depth);
    }
}

void Tracer::node(const Node& n, Scope& scope, const std::string& path, int depth) {
    Item item;
    item.node = &n;
    item.path = path;
    item.opset = opset_;
    bool missing = false;
    for (const std::string& name : n.inputs) {
        const int i = name.empty() ? -1 : scope.find(name);
        if (!name.empty() && i < 0) {
            missing = true;
            if (broken_.count(name) == 0)
                error(n, "No node before it makes its input " + formats::quoted(name) + ".",
                      "Export the model again; its nodes must stand in the order they are carried out.");
        }
        item.inputs.push_back(i);
    }
    if (missing) return give_up(n);
    if (depth > deepest_scope) {
        error(n, "Functions and subgraphs stand inside each other too deep.", "Export the model without them.");
        return give_up(n);
    }
    if (n.domain.empty() && n.op == "If") return branch(item, scope, depth);
    if (n.domain.empty() && n.op == "Loop") return loop(item, scope, depth);
    if (n.domain.empty() && n.op == "Scan" && opset_ >= 9) return scan(item, scope, depth);
    if (n.domain.empty() && n.op == "SequenceMap") return map(item, scope, depth);
    const Rule rule = find_rule(n.domain, n.op);
    if (const Function* f = rule ? nullptr : function(n)) return call(item, *f, scope, depth);
    if (sequence(item, rule, scope)) return;
    apply(item, rule, scope);
}

const Function* Tracer::function(const Node& n) const {
    return find_where(model_.functions, [&](const Function& f) { return f.name == n.op && f.domain == n.domain; });
}

void Tracer::apply(Item& item, Rule rule, Scope& scope) {
    const Node& n = *item.node;
    item.known = rule != nullptr;
    const bool sized = n.op == "Shape" || n.op == "Size" || n.op == "SequenceLength";
    const bool stored = sized || std::ranges::all_of(item.inputs, [&](int i) { return i < 0 || slot(i).stored; });
    const std::size_t first = trace_.tensors.size();
    for (const std::string& name : n.outputs) {
        if (name.empty()) {
            item.outputs.push_back(-1);
            continue;
        }
        Slot out;
        out.name = name;
        out.stored = stored;
        out.made_by = static_cast<std::int64_t>(trace_.items.size());
        out.runs.resize(given_.runs);
        item.outputs.push_back(add(std::move(out)));
    }
    bool sound = true;
    for (std::size_t run = 0; run < given_.runs && sound; ++run) {
        std::vector<const Value*> in;
        for (const int i : item.inputs) in.push_back(i < 0 ? nullptr : &slot(i).runs[run]);
        Step step(n, item.opset, in);
        if (rule && !n.outputs.empty()) rule(step);
        if (!step.trouble().empty() && run == 0) {
            error(n, capital(step.trouble()) + ".", "Export the model again, or correct the node.");
            sound = false;
        }
        for (std::size_t o = 0; o < item.outputs.size(); ++o) {
            if (item.outputs[o] < 0) continue;
            Value v = std::move(step.outputs()[o]);
            if (!v.present()) v = unranked(0);
            for (std::int64_t& d : v.dims)
                if (d < 0 || d > limits::elements) d = open_dimension;
            complete(v, n.outputs[o], scope, run);
            slot(item.outputs[o]).runs[run] = std::move(v);
        }
    }
    if (!sound) {
        trace_.tensors.resize(first);
        item.outputs.clear();
        trace_.refused.push_back(std::move(item));
        return give_up(n);
    }
    settle(item);
    for (std::size_t o = 0; o < item.outputs.size(); ++o)
        if (item.outputs[o] >= 0) scope.names[n.outputs[o]] = item.outputs[o];
    trace_.items.push_back(std::move(item));
}

void Tracer::complete(Value& v, const std::string& name, const Scope& scope, std::size_t run) {
    const auto it = scope.declared.find(name);
    if (it == scope.declared.end() || v.form != Value::Form::tensor || v.closed()) return;
    const ValueInfo& said = *it->second;
    if (!said.has_shape || said.form != ValueInfo::Form::tensor) return;
    if (v.element == 0) v.element = said.element;
    if (v.ranked && v.dims.size() != said.dims.size()) return;
    if (!v.ranked) v.dims.assign(said.dims.size(), open_dimension);
    v.ranked = true;
    for (std::size_t i = 0; i < said.dims.size(); ++i) {
        if (v.dims[i] >= 0) continue;
        const auto symbol = given_.symbols.find(said.dims[i].symbol);
        if (said.dims[i].value >= 0)
            v.dims[i] = said.dims[i].value;
        else if (symbol != given_.symbols.end())
            v.dims[i] = symbol->second[run];
    }
}

void Tracer::settle(const Item& item) {
    if (given_.runs < 2) return;
    rebatch(trace_, item);
    for (const int o : item.outputs) {
        if (o < 0) continue;
        for (std::size_t run = 1; run < given_.runs; ++run) {
            Value& v = slot(o).runs[run];
            const Value& base = slot(o).base();
            const bool same_form = v.form == base.form && v.ranked == base.ranked && v.dims.size() == base.dims.size();
            if (same_form && (!base.closed() || v.closed())) continue;
            v = base;
            if (run == 1 && trace_.kept_batch.size() < limits::problems)
                trace_.kept_batch.push_back(node_name(*item.node));
        }
    }
}

int Trace::axis(int slot, std::size_t run) const {
    const Slot& s = tensors[static_cast<std::size_t>(slot)];
    if (run >= s.runs.size() || !s.base().ranked) return -1;
    const Dims &a = s.base().dims, &b = s.runs[run].dims;
    int found = -1;
    for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (found >= 0 || b[i] != 2 * a[i]) return -1;
        found = static_cast<int>(i);
    }
    return found;
}

bool Trace::depends(int slot, std::size_t run) const {
    const Slot& s = tensors[static_cast<std::size_t>(slot)];
    if (run >= s.runs.size()) return false;
    const Value &a = s.base(), &b = s.runs[run];
    return a.dims != b.dims || a.whole != b.whole || a.real != b.real;
}

std::string node_name(const Node& node) {
    if (!node.name.empty()) return node.op + ' ' + formats::quoted(node.name);
    return node.number > 0 ? node.op + " #" + std::to_string(node.number) : node.op;
}

std::string node_path(const Node& node) {
    const std::string number = node.number > 0 ? std::to_string(node.number) : std::string();
    const std::string name = node.name.empty() ? node.op : node_name(node);
    return join_path(number.empty() ? "nodes" : join_path("nodes", number), name);
}

Trace trace_model(const Model& model, const TraceInputs& inputs, const std::string& file, ProblemList& problems,
                  const Watch& watch) {
    return Tracer(model, inputs, file, problems, watch).run();
}

}  // namespace scalescope::formats::onnx
