// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "core/network/kind.hpp"

namespace scalescope {

/// What ranks send that divide an image along its rows, so that each has the rows that its windows reach into
/// (specification: composed parallelism, section 3; Dryden et al., IPDPS 2019). Backward the gradients of these rows
/// go the other way.
struct Halo {
    std::int64_t rows = 0;  ///< that the busiest rank sends or receives, to and from both neighbours together
    std::int64_t held = 0;  ///< rows of the input that the fullest rank has, with those of its neighbours
    bool operator==(const Halo&) const = default;
};
/// Each rank has consecutive rows of input and output, the first ones a row more where they do not divide, and needs
/// all rows from the first to the last one that its windows reach. Nothing if a window reaches beyond a neighbour.
std::optional<Halo> halo_of(const RowWindow& window, std::int64_t out, std::int64_t ranks);

}  // namespace scalescope
