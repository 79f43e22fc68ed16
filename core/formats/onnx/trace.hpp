// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/onnx/value.hpp"
#include "core/network/symbols.hpp"

/// A model carried out on shapes alone, on two runs at once: the second with the batch doubled. What doubles with it is
/// a multiple of it; so the batch is found wherever it stands, and a condition, a loop or a shape computed from shapes
/// needs no algebra of its own. Subgraphs and functions are followed to the single operator.
namespace scalescope::formats::onnx {

/// One tensor or sequence.
struct Slot {
    std::string name;
    std::vector<Value> runs;
    bool stored = false;        ///< follows from the file alone, whatever the data are
    bool initial = false;       ///< an initializer, or an input that holds weights
    std::int64_t made_by = -1;  ///< the item that makes it
    std::vector<int> items{};   ///< slots of what a sequence holds, if all of them are known
    bool itemized = false;
    std::int64_t outer = 1;  ///< in the axis that holds the batch, so many stand before it
    const Value& base() const { return runs.front(); }
};

/// One operator carried out.
struct Item {
    const Node* node = nullptr;
    std::string path;  ///< of the functions and subgraphs it stands in
    std::int64_t opset = 0;
    std::vector<int> inputs, outputs;  ///< slots; −1: left out
    bool known = true;                 ///< there is a rule for it
};

struct Trace {
    std::vector<Slot> tensors;
    std::vector<Item> items;
    std::vector<int> inputs, outputs;     ///< of the model, in its order
    std::deque<Node> calls;               ///< nodes of functions with their attributes filled in
    std::vector<Item> refused;            ///< operators whose inputs do not fit together, without outputs
    std::vector<const Graph*> untaken;    ///< branches that are not carried out
    std::vector<std::string> kept_batch;  ///< nodes whose shape could not follow another batch
    std::vector<Symbol> rounds;           ///< of loops whose number of rounds only the data know, as taken here
    std::vector<std::string> shortened;   ///< loops that go round more often than is carried out
    /// Axis of the slot that doubles on run `run`; −1: none, or more than one.
    int axis(int slot, std::size_t run) const;
    bool depends(int slot, std::size_t run) const;
};

/// What an input of the model is on each run.
struct Given {
    std::vector<Value> runs;
    bool weights = false;
};

struct TraceInputs {
    std::size_t runs = 1;
    std::map<std::string, Given> inputs;
    std::map<std::string, std::vector<std::int64_t>> symbols;  ///< of each run
    std::vector<Binding> rounds;                               ///< asked of loops; those not named go round once
};

/// Errors (an operator whose inputs do not fit, a tensor that nobody makes) and warnings go to `problems`.
Trace trace_model(const Model& model, const TraceInputs& inputs, const std::string& file, ProblemList& problems,
                  const Watch& watch = {});

/// "Conv \"layer1/conv\"", or "Conv #12" if it has no name: how messages name a node.
std::string node_name(const Node& node);
/// "nodes › 12 › Conv \"layer1/conv\"": where it stands in its graph.
std::string node_path(const Node& node);

/// Several operators that exporters write for one.
struct Fused {
    enum class What { layer_norm, rms_norm, activation };
    What what = What::activation;
    std::string function;       ///< of an activation
    int input = -1;             ///< slot
    int scale = -1, bias = -1;  ///< slots of a normalization's weights
};

struct Patterns {
    std::map<std::size_t, Fused> fused;  ///< by the last item of each
    std::set<std::size_t> absorbed;      ///< items that are part of one, the last one aside
};

/// Finds what is read by nobody outside of it.
Patterns find_patterns(const Trace& trace);

/// For each slot, the items that read it; outputs of the model count as one more.
std::vector<std::vector<std::size_t>> readers_of(const Trace& trace);

}  // namespace scalescope::formats::onnx
