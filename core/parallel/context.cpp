// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/context.hpp"

#include <algorithm>

namespace scalescope {

ContextRing::Pairs ContextRing::pairs() const {
    const std::int64_t blocks = zigzag ? 2 : 1;  // of a rank
    const double size = static_cast<double>(sequence) / static_cast<double>(blocks * ranks);
    const auto block = [&](std::int64_t rank, std::int64_t k) { return k == 0 ? rank : 2 * ranks - 1 - rank; };
    const auto between = [&](std::int64_t queries, std::int64_t keys) {
        if (!causal || queries > keys) return size * size;
        return queries == keys ? size * (size + 1) / 2 : 0.0;
    };
    Pairs p;
    for (std::int64_t step = 0; step < ranks; ++step) {
        double slowest = 0;
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            const std::int64_t keys_of = (rank - step + ranks) % ranks;
            double here = 0;
            for (std::int64_t q = 0; q < blocks; ++q)
                for (std::int64_t k = 0; k < blocks; ++k) here += between(block(rank, q), block(keys_of, k));
            slowest = std::max(slowest, here);
            p.all += here;
        }
        p.in_step += slowest;
    }
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        double here = 0;
        for (std::int64_t q = 0; q < blocks; ++q) {
            const auto b = static_cast<double>(block(rank, q));
            here += causal ? size * size * b + size * (size + 1) / 2 : size * static_cast<double>(sequence);
        }
        p.busiest = std::max(p.busiest, here);
    }
    return p;
}

}  // namespace scalescope
