// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/formats/onnx/step.hpp"
#include "core/formats/onnx/trace.hpp"

namespace scalescope::formats::onnx {

/// The names that the nodes of one graph see: its own, and those of the graphs around it.
struct Scope {
    const Scope* outer = nullptr;
    std::unordered_map<std::string, int> names;
    std::unordered_map<std::string, const ValueInfo*> declared;

    int find(const std::string& name) const {
        for (const Scope* s = this; s; s = s->outer)
            if (const auto it = s->names.find(name); it != s->names.end()) return it->second;
        return -1;
    }
};

/// Carries out a model node by node (trace.cpp); functions, subgraphs and sequences of tensors are followed in
/// trace_control.cpp.
class Tracer {
public:
    Tracer(const Model& model, const TraceInputs& given, const std::string& file, ProblemList& problems,
           const Watch& watch)
        : model_(model), given_(given), file_(file), problems_(problems), watch_(watch) {}

    Trace run();

private:
    /// A value that the file decides alone, the same on all runs.
    int add_stored(const std::string& name, Value value, bool initial = false) {
        return add({name, std::vector(given_.runs, std::move(value)), true, initial});
    }
    int add(Slot slot) {
        trace_.tensors.push_back(std::move(slot));
        return static_cast<int>(trace_.tensors.size()) - 1;
    }
    Slot& slot(int i) { return trace_.tensors[static_cast<std::size_t>(i)]; }
    /// What the nodes of a graph see before the first of them.
    Scope open_scope(const Graph& graph, const Scope* outer);
    void error(const Node& node, std::string what, std::string remedy) {
        problems_.error({file_, 0, 0}, node_path(node), std::move(what), std::move(remedy));
    }
    void warning(const Node& node, std::string what, std::string remedy) {
        problems_.warning({file_, 0, 0}, node_path(node), std::move(what), std::move(remedy));
    }
    bool stopped();
    void nodes(const std::vector<Node>& all, Scope& scope, const std::string& path, int depth);
    void node(const Node& n, Scope& scope, const std::string& path, int depth);
    void give_up(const Node& n) {
        for (const std::string& name : n.outputs) broken_.emplace(name, true);
    }
    const Function* function(const Node& n) const;

    // --- one operator ---
    void apply(Item& item, Rule rule, Scope& scope);
    static std::string capital(std::string text) {
        if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
        return text;
    }
    /// What the file declares of a value fills in what its operator's rule leaves open.
    void complete(Value& v, const std::string& name, const Scope& scope, std::size_t run);
    /// Makes the other runs agree with the first: a shape that holds the batch as a number follows it.
    void settle(const Item& item);

    // --- functions and subgraphs ---
    void call(const Item& item, const Function& f, Scope& scope, int depth);
    static std::string join(const Item& item) {
        const std::string name = item.node->name.empty() ? item.node->op : item.node->name;
        return item.path.empty() ? name : item.path + '/' + name;
    }
    /// The outputs of a subgraph under the names of the node that holds it.
    void pass(const Item& item, const Scope& inner, const std::vector<std::string>& names, Scope& scope);
    static std::vector<std::string> output_names(const Graph& g) {
        std::vector<std::string> names;
        for (const ValueInfo& v : g.outputs) names.push_back(v.name);
        return names;
    }
    const Graph* subgraph(const Node& n, std::string_view name);
    void branch(const Item& item, Scope& scope, int depth);
    /// Outputs that are the states of a loop put together get an axis of their own.
    int stacked(const Item& item, std::size_t output, const std::vector<int>& each, std::int64_t times,
                std::int64_t axis);
    /// What a loop does beside its body is an operator too.
    void made_of(const char* op, const std::vector<int>& from, const std::vector<int>& made, std::int64_t axis);
    /// What a person said of a loop whose rounds only the data know; once until then. It is a symbol of the network.
    std::int64_t asked(const Node& n, const Graph& body);
    /// How often `body` is carried out: `times`, or as asked; once where that is too often, which is said.
    std::int64_t rounds(const Node& n, const Graph& body, std::optional<std::int64_t> times);
    /// The outputs of a loop: its states, and what its rounds made, put together along `axes`.
    void hand_on(const Item& item, const std::vector<int>& states, const std::vector<std::vector<int>>& scans,
                 std::int64_t times, const Dims& axes, Scope& scope);
    void loop(const Item& item, Scope& scope, int depth);
    void scan(const Item& item, Scope& scope, int depth);
    void map(const Item& item, Scope& scope, int depth);

    // --- sequences ---
    /// Carries out what puts tensors into a sequence or takes them out, if it is known which; else nothing happened.
    bool sequence(Item& item, Rule rule, Scope& scope);
    /// Item `i` of the sequence `from`, as far as it is known.
    int add_part(std::string name, int from, std::size_t i) {
        Slot part{std::move(name), {}, slot(from).stored};
        for (const Value& v : slot(from).runs)
            part.runs.push_back(i < v.items.size() ? v.items[i] : unranked(v.element));
        return add(std::move(part));
    }
    /// The sequence that `item` made holds these slots.
    void keep_items(const Item& item, const Scope& scope, std::vector<int> items);
    std::vector<int> parts_of(const Item& item, const Scope& scope);
    /// The place that an input says, the last one or (`end`) the one behind if it is left out; nothing: not known.
    std::optional<std::size_t> place_in(const Item& item, std::size_t input, std::size_t size, bool end) const;

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
    std::map<const Graph*, std::string> asked_;  ///< symbols of loops, by their bodies
};

}  // namespace scalescope::formats::onnx
