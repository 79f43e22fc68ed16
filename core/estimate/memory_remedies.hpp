// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/estimate/estimate.hpp"

/// What makes a step fit into a device that has too little memory for it. Every remedy was scored; none is a rule of
/// thumb.
namespace scalescope {

struct MemoryRemedy {
    Point point;                    ///< the estimate's own but for what the remedy changes
    std::int64_t accumulation = 1;  ///< micro-steps, as Training::accumulation
    Bytes peak{0};                  ///< with the remedy; at most the room
    std::string words;              ///< "use 64 workers"
};

/// At most one of each kind, each a change of one field: a smaller batch, more micro-steps, another number of workers
/// (up to 1,024, or 16 times as many), another strategy. Overwrites `scratch`.
std::vector<MemoryRemedy> memory_remedies(const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch);

/// The remedies in a sentence's end, after them the device that would do; says so if nothing else helps.
std::string memory_remedy(const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch);

}  // namespace scalescope
