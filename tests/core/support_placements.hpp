// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "core/parallel/shardings.hpp"

/// What tests of placements share.
namespace support {

inline constexpr std::array all_placements{scalescope::Placement::whole, scalescope::Placement::features,
                                           scalescope::Placement::positions, scalescope::Placement::partial};

inline scalescope::ShardingOption option(scalescope::Placement in, scalescope::Placement out,
                                         scalescope::Placement gradient, double seconds, int weights = 0) {
    return {in, out, gradient, weights, seconds};
}

/// Keeps what layers of a hand-made problem read.
class Reads {
public:
    std::span<const int> operator()(std::vector<int> layers) { return all_.emplace_back(std::move(layers)); }

private:
    std::deque<std::vector<int>> all_;
};

}  // namespace support
