// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/random.hpp"

namespace scalescope::measure {

std::vector<double> latin_hypercube(std::size_t count, std::size_t dimensions, Draws draws) {
    std::vector<double> points(count * dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
        const auto slices = draws.permutation(count);
        for (std::size_t i = 0; i < count; ++i)
            points[i * dimensions + d] =
                (static_cast<double>(slices[i]) + draws.uniform()) / static_cast<double>(count);
    }
    return points;
}

}  // namespace scalescope::measure
