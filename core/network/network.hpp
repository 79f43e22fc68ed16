// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/kind.hpp"

namespace scalescope {

struct Symbol {
    std::string name;  ///< "batch" is always there
    std::int64_t initial = 1;
    std::string description;
};

/// The value of a symbol in one network. The batch has none: it is the axis of the samples.
struct Binding {
    std::string symbol;
    std::int64_t value = 1;
    bool operator==(const Binding&) const = default;
};

/// What a file or the canvas says before it is checked.
struct NetworkDraft {
    std::string name, description, source;
    std::vector<Symbol> symbols;
    std::vector<Layer> layers;
};

/// A checked, immutable network: an acyclic graph in topological order with the shape and work of every layer. Shared
/// by pointer, so that scenarios and undo steps are cheap to keep.
class Network {
public:
    /// Checks names, inputs, cycles, attributes and shapes. Returns every problem found, each with layer and position.
    /// Symbols that `bindings` leave out have their initial value.
    static Result<std::shared_ptr<const Network>> make(NetworkDraft draft, std::span<const Binding> bindings = {});
    /// The same layers measured with other values; symbols that are left out keep theirs. A symbol that the network
    /// does not have, or a size that does not fit, is a Problem.
    Result<std::shared_ptr<const Network>> with(std::span<const Binding> bindings) const;

    const std::string& name() const { return draft_->name; }
    const NetworkDraft& draft() const { return *draft_; }
    /// A value for every symbol but the batch, in the order of the draft.
    std::span<const Binding> bindings() const { return bindings_; }
    /// Whether both are the same layers, apart from the values of their symbols.
    bool same_draft(const Network& other) const { return draft_ == other.draft_; }
    /// Layers in topological order (file order where it is one already). Index into this span is a *position*.
    std::span<const Layer> layers() const { return draft_->layers; }
    std::span<const LayerFacts> facts() const { return facts_; }
    /// Positions of the inputs of the layer at `position`.
    std::span<const int> inputs(int position) const { return inputs_.row(position); }
    /// Views hand on their input's tensor: the position of the layer that made what the layer at `position` hands on.
    int root(int position) const { return root_[static_cast<std::size_t>(position)]; }
    /// Roots of the inputs of the layer at `position`, without repeats.
    std::span<const int> reads(int position) const { return reads_.row(position); }
    int size() const { return static_cast<int>(draft_->layers.size()); }

    /// In logarithmic time.
    std::optional<int> position(LayerId id) const;
    std::optional<int> position(std::string_view name) const;

    std::int64_t parameters() const { return parameters_; }
    std::int64_t multiply_adds() const { return multiply_adds_; }  ///< forward, one sample
    std::int64_t default_batch() const;
    /// Layers of no kind that the program knows, which it prices by their bytes alone.
    int unknown_kinds() const { return unknown_kinds_; }
    /// What their author calls them, each once, in alphabetical order.
    std::vector<std::string_view> unknown_types() const;

private:
    /// One short list for each position, all in one piece of memory.
    struct Rows {
        std::vector<int> items, begin{0};
        std::span<const int> row(int position) const {
            const auto p = static_cast<std::size_t>(position);
            return {items.data() + begin[p], items.data() + begin[p + 1]};
        }
        void close() { begin.push_back(static_cast<int>(items.size())); }
    };

    Network() = default;
    Result<void> bind(std::span<const Binding> bindings);
    Result<void> measure();
    void find_roots();
    void index();
    std::shared_ptr<const NetworkDraft> draft_;  ///< shared by all that `with` made of it
    std::vector<Binding> bindings_;
    std::vector<LayerFacts> facts_;
    Rows inputs_, reads_;
    std::vector<int> root_, by_id_, by_name_;  ///< the last two: positions, sorted
    std::int64_t parameters_ = 0, multiply_adds_ = 0;
    int unknown_kinds_ = 0;
};

/// "2 layers of unknown kind (types Foo and Bar) are priced by the bytes they move.", or nothing if there are none.
std::string about_unknown_kinds(const Network& network);

/// The last shown name of a block path: "Mixed_5b/branch1x1" → "branch1x1".
std::string_view leaf_name(std::string_view name);
/// The block a layer belongs to: "Mixed_5b/branch1x1" → "Mixed_5b"; empty without one.
std::string_view block_name(std::string_view name);

}  // namespace scalescope
