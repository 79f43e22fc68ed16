// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/explain.hpp"

namespace scalescope::compare {

/// The figure of another design that says what `item` says of this one: a layer is found by its name. Nothing where the
/// other has no such layer, or where the item counts what each design has of its own (messages, pieces of a sum).
std::optional<Item> same_item(const Item& item, const Scenario& scenario, const Scenario& other);

}  // namespace scalescope::compare
