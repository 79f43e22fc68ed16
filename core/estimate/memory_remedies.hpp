// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/estimate/estimate.hpp"

/// Changes that make a step fit into a device that has too little memory for it. Each was scored; none is a rule of
/// thumb.
namespace scalescope {

struct MemoryRemedy {
    Scenario scenario;  ///< with the remedy
    Bytes peak{0};      ///< of it; at most the room
    std::string words;  ///< "use 64 workers"
};

/// At most one of each kind, each a change of one field: a smaller batch, smaller pieces of it, another schedule,
/// recomputation, sharded states, larger degrees, another number of workers (up to 1,024, or 16 times as many), another
/// strategy. If none suffices: one of several changes together, if there is any. Overwrites `scratch`.
std::vector<MemoryRemedy> memory_remedies(const Scenario& scenario, const Plan& plan, const Estimate& e, Bytes room,
                                          Scratch& scratch);

/// The remedies in a sentence's end, after them the device that would do; says so if nothing else helps.
std::string memory_remedy(const Scenario& scenario, const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch);

}  // namespace scalescope
