// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/trace.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/base/limits.hpp"
#include "core/formats/onnx/rebatch.hpp"
#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

constexpr int deepest_scope = 24;
constexpr std::size_t most_items = limits::layers;
/// A loop of more operators than these in all is carried out once, which is said.
constexpr std::size_t most_unrolled = 20'000;

struct Scope {
    const Scope* outer = nullptr;
    const Graph* graph = nullptr;
    std::unordered_map<std::string, int> names;
    std::unordered_map<std::string, const ValueInfo*> declared;

    int find(const std::string& name) const {
        for (const Scope* s = this; s; s = s->outer)
            if (const auto it = s->names.find(name); it != s->names.end()) return it->second;
        return -1;
    }
};

class Tracer {
public:
    Tracer(const Model& model, const TraceInputs& given, const std::string& file, ProblemList& problems,
           const Watch& watch)
        : model_(model), given_(given), file_(file), problems_(problems), watch_(watch) {}

    Trace run() {
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

private:
    int add(Slot slot) {
        trace_.tensors.push_back(std::move(slot));
        return static_cast<int>(trace_.tensors.size()) - 1;
    }
    Slot& slot(int i) { return trace_.tensors[static_cast<std::size_t>(i)]; }

    void open_scope(Scope& scope, const Graph& graph, const Scope* outer) {
        scope.outer = outer;
        scope.graph = &graph;
        for (const auto* list : {&graph.values, &graph.outputs})
            for (const ValueInfo& v : *list) scope.declared.emplace(v.name, &v);
    }

    void add_initializers(Scope& scope, const Graph& graph) {
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

    void error(const Node& node, std::string what, std::string remedy) {
        problems_.error({file_, 0, 0}, join_path("nodes", node_name(node)), std::move(what), std::move(remedy));
    }
    void warning(const Node& node, std::string what, std::string remedy) {
        problems_.warning({file_, 0, 0}, join_path("nodes", node_name(node)), std::move(what), std::move(remedy));
    }

    bool stopped() {
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

    void nodes(const std::vector<Node>& all, Scope& scope, const std::string& path, int depth) {
        for (const Node& n : all) {
            if (stopped()) return;
            node(n, scope, path, depth);
        }
    }

    void node(const Node& n, Scope& scope, const std::string& path, int depth) {
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
        const Rule rule = find_rule(n.domain, n.op);
        if (const Function* f = rule ? nullptr : function(n)) return call(item, *f, scope, depth);
        apply(item, rule, scope);
    }

    void give_up(const Node& n) {
        for (const std::string& name : n.outputs) broken_.emplace(name, true);
    }

    const Function* function(const Node& n) const {
        for (const Function& f : model_.functions)
            if (f.name == n.op && f.domain == n.domain) return &f;
        return nullptr;
    }

    // --- one operator ---

    void apply(Item& item, Rule rule, Scope& scope) {
        const Node& n = *item.node;
        item.known = rule != nullptr;
        const bool sized = n.op == "Shape" || n.op == "Size";
        const bool stored = sized || std::all_of(item.inputs.begin(), item.inputs.end(),
                                                 [&](int i) { return i < 0 || slot(i).stored; });
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
            return give_up(n);
        }
        settle(item);
        for (std::size_t o = 0; o < item.outputs.size(); ++o)
            if (item.outputs[o] >= 0) scope.names[n.outputs[o]] = item.outputs[o];
        trace_.items.push_back(std::move(item));
    }

    static std::string capital(std::string text) {
        if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
        return text;
    }

    /// What the file declares of a value fills in what its operator's rule leaves open.
    void complete(Value& v, const std::string& name, const Scope& scope, std::size_t run) {
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

    /// Makes the other runs agree with the first: a shape that holds the batch as a number follows it.
    void settle(const Item& item) {
        if (given_.runs < 2) return;
        rebatch(trace_, item);
        for (const int o : item.outputs) {
            if (o < 0) continue;
            for (std::size_t run = 1; run < given_.runs; ++run) {
                Value& v = slot(o).runs[run];
                const Value& base = slot(o).base();
                const bool same_form =
                    v.form == base.form && v.ranked == base.ranked && v.dims.size() == base.dims.size();
                if (same_form && (!base.closed() || v.closed())) continue;
                v = base;
                if (run == 1 && trace_.kept_batch.size() < limits::problems)
                    trace_.kept_batch.push_back(node_name(*item.node));
            }
        }
    }

    // --- functions and subgraphs ---

    void call(const Item& item, const Function& f, Scope& scope, int depth) {
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
                if (std::find(f.inputs.begin(), f.inputs.end(), input) != f.inputs.end() &&
                    inner.names.count(input) == 0)
                    input.clear();
            node(copy, inner, join(item), depth + 1);
        }
        opset_ = outside;
        pass(item, inner, f.outputs, scope);
    }

    static std::string join(const Item& item) {
        const std::string name = item.node->name.empty() ? item.node->op : item.node->name;
        return item.path.empty() ? name : item.path + '/' + name;
    }

    /// The outputs of a subgraph under the names of the node that holds it.
    void pass(const Item& item, const Scope& inner, const std::vector<std::string>& names, Scope& scope) {
        const Node& n = *item.node;
        for (std::size_t o = 0; o < n.outputs.size(); ++o) {
            const int from = o < names.size() ? inner.find(names[o]) : -1;
            if (from >= 0)
                scope.names[n.outputs[o]] = from;
            else
                broken_.emplace(n.outputs[o], true);
        }
    }

    static std::vector<std::string> output_names(const Graph& g) {
        std::vector<std::string> names;
        for (const ValueInfo& v : g.outputs) names.push_back(v.name);
        return names;
    }

    const Graph* subgraph(const Node& n, std::string_view name) {
        const Attribute* a = n.find(name);
        if (a && a->graph) return a->graph.get();
        error(n, "It has no subgraph " + formats::quoted(name) + ".", "Export the model again.");
        give_up(n);
        return nullptr;
    }

    void branch(const Item& item, Scope& scope, int depth) {
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
        Scope inner;
        open_scope(inner, *taken, &scope);
        add_initializers(inner, *taken);
        nodes(taken->nodes, inner, join(item), depth + 1);
        pass(item, inner, output_names(*taken), scope);
    }

    /// Outputs that are the states of a loop put together get an axis of their own.
    int stacked(const Item& item, std::size_t output, const std::vector<int>& each, std::int64_t times,
                std::int64_t axis) {
        Slot out;
        out.name = item.node->outputs[output];
        out.stored = std::all_of(each.begin(), each.end(), [&](int i) { return slot(i).stored; });
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
        made_of("Stack", each, made);
        return made;
    }

    /// What a loop does beside its body is an operator too.
    void made_of(const char* op, const std::vector<int>& from, int made) {
        Node n;
        n.op = op;
        n.name = slot(made).name;
        trace_.calls.push_back(std::move(n));
        Item item;
        item.node = &trace_.calls.back();
        item.opset = opset_;
        item.inputs = from;
        item.outputs = {made};
        slot(made).made_by = static_cast<std::int64_t>(trace_.items.size());
        trace_.items.push_back(std::move(item));
    }

    /// Carries out `body` `times` times, or once where that is too often or not known; which is said.
    std::int64_t rounds(const Node& n, const Graph& body, std::optional<std::int64_t> times) {
        if (times && *times >= 0 && static_cast<std::uint64_t>(*times) <= most_unrolled &&
            static_cast<std::size_t>(*times) * std::max<std::size_t>(body.nodes.size(), 1) <= most_unrolled)
            return *times;
        if (times)
            warning(n, "It goes round " + std::to_string(*times) + " times; one round is counted here.",
                    "Multiply what it takes, or export a shorter sequence.");
        else
            warning(n, "How often it goes round depends on the data; one round is counted here.",
                    "Multiply what it takes by the rounds you expect.");
        return 1;
    }

    void loop(const Item& item, Scope& scope, int depth) {
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
        const bool counting = limit.has_value() && go.has_value();
        const std::int64_t most = go && !*go ? 0 : rounds(n, *body, counting ? limit : limit ? limit : std::nullopt);
        std::int64_t round = 0;
        for (; round < most && !stop_; ++round) {
            Scope inner;
            open_scope(inner, *body, &scope);
            add_initializers(inner, *body);
            Slot number;
            number.name = body->inputs[0].name;
            number.stored = true;
            number.runs.assign(given_.runs, whole_value(static_cast<int>(Element::int64), {}, {round}));
            inner.names[body->inputs[0].name] = add(std::move(number));
            if (condition < 0) {
                Slot truth;
                truth.stored = true;
                truth.runs.assign(given_.runs, whole_value(static_cast<int>(Element::boolean), {}, {1}));
                condition = add(std::move(truth));
            }
            inner.names[body->inputs[1].name] = condition;
            for (std::size_t i = 0; i < states; ++i)
                if (carried[i] >= 0) inner.names[body->inputs[i + 2].name] = carried[i];
            nodes(body->nodes, inner, join(item) + (most > 1 ? "/" + std::to_string(round + 1) : ""), depth + 1);
            const auto names = output_names(*body);
            condition = inner.find(names[0]);
            for (std::size_t i = 0; i < states; ++i) carried[i] = inner.find(names[i + 1]);
            for (std::size_t i = 0; i < scans.size(); ++i)
                if (const int made = inner.find(names[i + 1 + states]); made >= 0) scans[i].push_back(made);
            if (condition < 0 || std::any_of(carried.begin(), carried.end(), [](int c) { return c < 0; }))
                return give_up(n);
            go = holds();
            if (go && !*go) {
                ++round;
                break;
            }
        }
        const bool told = (counting || (go && !*go)) && (!limit || round == *limit || (go && !*go));
        for (std::size_t o = 0; o < n.outputs.size(); ++o) {
            if (n.outputs[o].empty()) continue;
            if (o < states)
                scope.names[n.outputs[o]] = carried[o];
            else if (o - states < scans.size())
                scope.names[n.outputs[o]] =
                    stacked(item, o, scans[o - states], told ? round : limit.value_or(open_dimension), 0);
        }
    }

    void scan(const Item& item, Scope& scope, int depth) {
        const Node& n = *item.node;
        const Graph* body = subgraph(n, "body");
        if (!body) return;
        const Attribute* count = n.find("num_scan_inputs");
        const auto scanned = static_cast<std::size_t>(std::clamp<std::int64_t>(count ? count->integer : 0, 0, 1 << 20));
        if (scanned == 0 || scanned > item.inputs.size() || body->inputs.size() != item.inputs.size() ||
            body->outputs.size() < item.inputs.size() - scanned) {
            error(n, "Its body does not take what the scan hands on.", "Export the model again.");
            return give_up(n);
        }
        const std::size_t states = item.inputs.size() - scanned;
        const auto axes_of = [&](std::string_view name) {
            const Attribute* a = n.find(name);
            return a ? a->integers : Dims{};
        };
        const Dims in_axes = axes_of("scan_input_axes"), out_axes = axes_of("scan_output_axes");
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
            made_of("Slice", {from}, parts.back());
        }
        std::vector<int> carried(item.inputs.begin(), item.inputs.begin() + static_cast<std::ptrdiff_t>(states));
        std::vector<std::vector<int>> scans(body->outputs.size() - states);
        const std::int64_t most = rounds(n, *body, times);
        const auto names = output_names(*body);
        for (std::int64_t round = 0; round < most && !stop_; ++round) {
            Scope inner;
            open_scope(inner, *body, &scope);
            add_initializers(inner, *body);
            for (std::size_t i = 0; i < states; ++i)
                if (carried[i] >= 0) inner.names[body->inputs[i].name] = carried[i];
            for (std::size_t i = 0; i < scanned; ++i) inner.names[body->inputs[states + i].name] = parts[i];
            nodes(body->nodes, inner, join(item) + (most > 1 ? "/" + std::to_string(round + 1) : ""), depth + 1);
            for (std::size_t i = 0; i < states; ++i) carried[i] = inner.find(names[i]);
            for (std::size_t i = 0; i < scans.size(); ++i)
                if (const int made = inner.find(names[states + i]); made >= 0) scans[i].push_back(made);
            if (std::any_of(carried.begin(), carried.end(), [](int c) { return c < 0; })) return give_up(n);
        }
        for (std::size_t o = 0; o < n.outputs.size(); ++o) {
            if (n.outputs[o].empty()) continue;
            if (o < states)
                scope.names[n.outputs[o]] = carried[o];
            else if (o - states < scans.size())
                scope.names[n.outputs[o]] = stacked(item, o, scans[o - states], times.value_or(open_dimension),
                                                    o - states < out_axes.size() ? out_axes[o - states] : 0);
        }
    }

    const Model& model_;
    const TraceInputs& given_;
    const std::string& file_;
    ProblemList& problems_;
    const Watch& watch_;
    Trace trace_;
    std::int64_t opset_ = 1;
    bool stop_ = false;
    std::unordered_map<const Tensor*, int> stored_;
    std::unordered_map<std::string, bool> broken_;
};

}  // namespace

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
    return node.name.empty() ? node.op : node.op + ' ' + formats::quoted(node.name);
}

Trace trace_model(const Model& model, const TraceInputs& inputs, const std::string& file, ProblemList& problems,
                  const Watch& watch) {
    return Tracer(model, inputs, file, problems, watch).run();
}

}  // namespace scalescope::formats::onnx
