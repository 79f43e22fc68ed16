// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/once.hpp"
#include "core/network/inference.hpp"
#include "core/network/symbols.hpp"

namespace scalescope {

class NetworkSource;

/// What a file or the canvas says before it is checked.
struct NetworkDraft {
    std::string name, description, source;
    std::vector<Symbol> symbols;
    std::vector<Layer> layers;
    /// Where other sizes give other layers, who makes them: the layers are those of the symbols' initial values, and
    /// say nothing of the symbols themselves. Lost when the layers are written or edited (settled()).
    std::shared_ptr<const NetworkSource> remade_by{};
};

/// Makes a network's layers anew for other sizes of it, as a file does in which a loop goes round once for each step.
class NetworkSource {
public:
    virtual ~NetworkSource() = default;
    /// The same symbols in the same order, with these values as their initial ones; layers of the same name keep their
    /// id. `sizes` has a value for every symbol but the batch. Sizes that do not fit together are Problems.
    virtual Result<NetworkDraft> at(std::span<const Binding> sizes) const = 0;
};

/// The draft with layers that nobody makes anew: sizes that only its source could change are numbers from now on.
NetworkDraft settled(NetworkDraft draft);

/// A layer that needs weights of another one, which come before it: it shares them, or reads a trained tensor.
struct WeightUse {
    int owner = 0, layer = 0;
    bool reads = false;  ///< an input of it is the owner's output
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
    bool same_draft(const Network& other) const {
        return draft_ == other.draft_ || (draft_->remade_by && draft_->remade_by == other.draft_->remade_by);
    }
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

    /// Who needs weights of another layer; ordered by owner, then by layer.
    std::span<const WeightUse> weight_uses() const { return uses_; }
    /// Where the weights of the layer at `position` count: itself, or the layer it shares them with.
    int weights_owner(int position) const;
    /// Weights are frozen wherever they are used if one of the layers that share them is in `frozen` (ascending).
    bool frozen(int position, std::span<const LayerId> frozen) const;

    /// In logarithmic time.
    std::optional<int> position(LayerId id) const;
    std::optional<int> position(std::string_view name) const;

    /// What `find` finds out about the network, once for all that ask.
    template <class T>
    const T& found(T (*find)(const Network&)) const {
        return findings_.get(find, *this);
    }

    std::int64_t parameters() const { return parameters_; }        ///< shared ones once
    std::int64_t multiply_adds() const { return multiply_adds_; }  ///< forward, one sample
    std::int64_t default_batch() const;
    /// Layers of no kind that the program knows, which it prices by their bytes alone.
    int unknown_kinds() const { return unknown_kinds_; }
    /// What their author calls them, each once, in alphabetical order.
    std::vector<std::string_view> unknown_types() const;

private:
    Network() = default;
    static Result<std::shared_ptr<const Network>> check(NetworkDraft draft, std::span<const Binding> bindings);
    Result<void> measure(std::span<const Binding> bindings);
    void find_roots();
    void index();
    std::shared_ptr<const NetworkDraft> draft_;  ///< shared by all that `with` made of it
    std::vector<Binding> bindings_;
    std::vector<LayerFacts> facts_;
    Rows inputs_, reads_;
    std::vector<WeightUse> uses_;
    std::vector<int> root_, by_id_, by_name_;  ///< the last two: positions, sorted
    FoundOnce<Network> findings_;
    std::int64_t parameters_ = 0, multiply_adds_ = 0;
    int unknown_kinds_ = 0;
};

/// For each position, the first layer with equal facts whose inputs and reads have equal facts too: what is computed
/// for one of several equal blocks holds for the others.
std::vector<int> find_alike(const Network& network);

/// "2 layers of unknown kind (types Foo and Bar) are priced by the bytes they move.", or nothing if there are none.
std::string about_unknown_kinds(const Network& network);

/// Why the figures of a layer are a guess: what was assumed when it was read, or that its kind is not known. Empty if
/// they are not. `facts` may be nullptr.
std::string about_guess(const Layer& layer, const LayerFacts* facts);

/// The last shown name of a block path: "Mixed_5b/branch1x1" → "branch1x1".
std::string_view leaf_name(std::string_view name);

/// Whether two networks have the same layers by their names: kinds, attributes, inputs, shared weights and the initial
/// values of symbols, whatever ids they have and wherever they came from. What they are bound to is not compared.
bool same_layers(const Network& a, const Network& b);

}  // namespace scalescope
