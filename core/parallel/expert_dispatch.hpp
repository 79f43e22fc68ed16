// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace scalescope {

/// Tokens on their way to experts that lie on `ranks` ranks, with even routing (specification: composed parallelism,
/// section 4). A combine sends as much back.
struct ExpertDispatch {
    std::int64_t ranks = 1, experts = 1, chosen = 1;  ///< `chosen` experts for each token
    std::int64_t tokens = 0;                          ///< of one rank

    /// Copies that leave a rank: one for each chosen expert elsewhere.
    double copies() const;
    /// The same if a token goes to a rank once, however many of its experts are there.
    double once_per_rank() const { return once_per(ranks); }
    /// Tokens of one rank that leave its box, if each token goes to a box only once. All `boxes` have equally many
    /// ranks.
    double once_per_box(std::int64_t boxes) const { return once_per(boxes); }
    /// With room for `factor` times the even share of each expert, and empty places sent too: places of one expert for
    /// the tokens of one rank, and places that leave a rank.
    std::int64_t capacity(double factor) const;
    std::int64_t places(double factor) const { return (ranks - 1) * (experts / ranks) * capacity(factor); }

private:
    double once_per(std::int64_t parts) const;
};

}  // namespace scalescope
