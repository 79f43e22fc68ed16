// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/network/network.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// Help for readers of other programs' networks, which make a draft layer by layer and need each layer's shape at once
/// to go on.
namespace scalescope::formats {

/// The attribute of `kind` called `name`, or nullptr.
const AttributeInfo* find_attribute(const Kind& kind, std::string_view name);

/// A shape as an attribute says it: the batch, then the dimensions of one sample; a scalar has one dimension.
std::vector<Dim> batch_of(const Shape& sample);

class DraftBuilder {
public:
    explicit DraftBuilder(ProblemList& problems) : problems_(problems) {}

    struct Given {
        std::string_view name;
        AttributeValue value;
    };
    using Givens = std::vector<Given>;

    /// `name`, or `otherwise` for a layer without one, made unique by a number.
    std::string unique_name(std::string name, const std::string& otherwise);

    /// Adds a layer that reads those at the positions `inputs`; attributes not given have their defaults. Returns its
    /// position, or nothing if the kind refuses the layer, which is reported at `at`.
    std::optional<std::size_t> add(std::string name, SourcePosition at, std::string_view kind, const Givens& given,
                                   const std::vector<std::size_t>& inputs);

    /// The same, but what the kind has against the layer is returned and not reported, and a layer whose output is not
    /// `expected` (dimensions of 1 aside) is none: for readers that know the shape and have another kind to try.
    Result<std::size_t> try_add(const std::string& name, const SourcePosition& at, std::string_view kind,
                                const Givens& given, const std::vector<std::size_t>& inputs,
                                const Shape* expected = nullptr);
    /// From now on the layer at `position` uses the weights of the one at `owner`, which was added before.
    void share_weights(std::size_t position, std::size_t owner) {
        draft_.layers[position].shares_weights_with = draft_.layers[owner].id;
    }

    std::size_t size() const { return facts_.size(); }
    const Layer& layer(std::size_t position) const { return draft_.layers[position]; }
    const LayerFacts& facts(std::size_t position) const { return facts_[position]; }
    const Shape& shape(std::size_t position) const { return facts_[position].output; }

    /// Name, source and symbols are set here; layers are added above, with the symbols they use known before.
    NetworkDraft& draft() { return draft_; }
    /// Forgets all layers, not their names.
    void clear();

private:
    ProblemList& problems_;
    NetworkDraft draft_;
    std::vector<LayerFacts> facts_;  ///< of the draft's layers
    std::unordered_set<std::string> names_;
    std::unordered_map<std::string, int> next_number_;
};

/// The attributes of a layer: those given, and the defaults of all others.
std::vector<AttributeValue> attributes_of(const Kind& kind, const DraftBuilder::Givens& given);

/// What a reader returns in the end: the draft, with the warnings moved to `warnings` if it is given; or the problems.
Result<NetworkDraft> finished_import(std::optional<NetworkDraft> draft, ProblemList& problems, Problems* warnings);

}  // namespace scalescope::formats
