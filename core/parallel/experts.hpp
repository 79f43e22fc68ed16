// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/network/kind.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// Places that all experts of a mixture have together for `positions` positions of one rank: with a capacity,
/// E·⌈c·k·n/E⌉, taken or not; otherwise as many as are needed, k·n (specification: composed parallelism, section 4).
double places(const ExpertFacts& experts, double positions);

/// Of as many equal parts of the experts, those that hold any of a position's, on average: where every expert is as
/// likely, p·(1 − C(E − E/p, k)/C(E, k)) (specification: composed parallelism, section 2). Where the choice is among
/// the experts of some groups (DeepSeek-V3), groups are as likely, and then the experts in them.
double parts_reached(const ExpertFacts& experts, std::int64_t parts);

/// What a rank sends of each of its `positions` positions, in copies, if `ranks` ranks divide the experts. Empty places
/// travel only where each expert has its own copies.
double copies_sent(const ExpertFacts& experts, Dispatch dispatch, std::int64_t ranks, double positions);

}  // namespace scalescope
