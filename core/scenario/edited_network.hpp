// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.hpp"

namespace scalescope {

/// The scenario with an edited network in the place of the one it was made from: layers that are still there stay
/// frozen and begin their stages, and what names a layer that is gone is forgotten (a cut is then chosen by itself).
/// The network is no longer the file or preset it came from.
Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network);

}  // namespace scalescope
