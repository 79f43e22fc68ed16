// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/trace.hpp"

#include <algorithm>

#include "core/base/limits.hpp"
#include "core/formats/onnx/rebatch.hpp"
#include "core/formats/onnx/tracer.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr int deepest_scope = 24;
constexpr std::size_t most_items = limits::layers;

}  // namespace

Trace Tracer::run() {
    const auto opset = model_.opsets.find("");
    opset_ = opset == model_.opsets.end() ? 1 : opset->second;
    Scope scope;
    open_scope(scope, model_.graph, nullptr);
    add_initializers(scope, model_.graph);
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

void Tracer::open_scope(Scope& scope, const Graph& graph, const Scope* outer) {
    scope.outer = outer;
    scope.graph = &graph;
    for (const auto* list : {&graph.values, &graph.outputs})
        for (const ValueInfo& v : *list) scope.declared.emplace(v.name, &v);
}

void Tracer::add_initializers(Scope& scope, const Graph& graph) {
    for (const Tensor& t : graph.initializers) {
        auto& known = stored_[&t];
        if (known == 0) {
            Slot s;
            s.name = t.name;
            s.runs.assign(given_.runs, value_of(t));
            s.stored = s.initial = true;
            known = add(std::move(s)) + 1;
        }
        scope.names[t.name] = known - 1;
    }
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
    for (const Function& f : model_.functions)
        if (f.name == n.op && f.domain == n.domain) return &f;
    return nullptr;
}

void Tracer::apply(Item& item, Rule rule, Scope& scope) {
    const Node& n = *item.node;
    item.known = rule != nullptr;
    const bool sized = n.op == "Shape" || n.op == "Size" || n.op == "SequenceLength";
    const bool stored =
        sized || std::all_of(item.inputs.begin(), item.inputs.end(), [&](int i) { return i < 0 || slot(i).stored; });
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
