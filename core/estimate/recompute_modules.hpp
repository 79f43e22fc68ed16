// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/network/network.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// A module of a block that can be recomputed alone.
struct ModulePiece {
    RecomputeModule module = RecomputeModule::core_attn;
    std::vector<int> layers;  ///< positions, ascending
    int to = 0;               ///< position behind the last layer that needs what they compute again
    bool messages = false;    ///< their outputs are sent again, too
    bool part = false;        ///< of its only layer the function within experts
};

/// All modules of a network, found by its graph and the facts of its layers, not by names.
std::vector<ModulePiece> find_modules(const Network& network);

}  // namespace scalescope
