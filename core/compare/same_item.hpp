// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "core/estimate/explain.hpp"

namespace scalescope::compare {

/// How a layer is recognized in the other design: by its name, or by its id where the other network is this one edited.
enum class SameLayer { by_name, by_id };

/// Position in `there` of the layer at `position` in `here`.
std::optional<int> same_layer(const Network& here, int position, const Network& there, SameLayer same);

/// The figure of another design that says what `item` says of this one: a layer is found by its name. Nothing where the
/// other has no such layer, or where the item counts what each design has of its own (messages, pieces of a sum).
std::optional<Item> same_item(const Item& item, const Scenario& scenario, const Scenario& other);

/// For each layer of `estimate` its counterpart in another design: the layer of the same name in the same part of the
/// workload. Null where there is none. `estimate` and `other_estimate` are those of the scenarios.
std::vector<const LayerEstimate*> counterparts(const Scenario& scenario, const Estimate& estimate,
                                               const Scenario& other, const Estimate& other_estimate);

}  // namespace scalescope::compare
