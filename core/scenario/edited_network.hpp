// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/scenario/scenario.hpp"

namespace scalescope {

/// The scenario with another state of one of its networks, as an edit left it; it is no longer the file or preset it
/// came from. What the scenario says about single layers goes on being said of those of the same LayerId. Frozen layers
/// that are gone are left out; a cut or a stage that began with one begins with the next layer that is still there.
Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network);

}  // namespace scalescope
