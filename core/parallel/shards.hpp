// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace scalescope {

/// The fullest of the parameter servers among which the weights of a network's layers lie: it is what a worker's
/// exchange with all of them waits for.
struct LargestShard {
    double weights = 0;         ///< on that server
    std::vector<double> share;  ///< of each layer's weights that is there
};

/// Every layer's weights cut evenly over all servers, as key ranges are (Li et al., OSDI 2014, section 4.3).
LargestShard even_shards(std::span<const double> layers, std::int64_t servers);

/// Whole layers, the largest first, each to the server that has least (Graham, SIAM J. Appl. Math. 1969: at most a
/// third more than the best there is). Of layers as large as each other the first goes first, of servers that have as
/// much the first gets it, and of the fullest the first is told.
LargestShard dealt_shards(std::span<const double> layers, std::int64_t servers);
/// Its weights alone, of layers in descending order; `loads` is scratch.
double largest_dealt(std::span<const double> descending, std::int64_t servers, std::vector<double>& loads);

}  // namespace scalescope
