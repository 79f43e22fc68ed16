// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/units/units.hpp"

namespace scalescope {

/// `slices` pieces of work of the same length, each preceded by a transfer `in` and followed by a transfer `out` on one
/// link. While a slice works, the link carries the next slice's `in` and the previous one's `out`; what exceeds the
/// work is waited for, and so are the first `in` and the last `out` (Krizhevsky, arXiv:1404.5997, 2014;
/// docs/decisions/dividing-work.md).
struct SliceSchedule {
    Seconds span{0};     ///< from the first transfer's start to the last one's end
    Seconds exposed{0};  ///< of it, waiting for transfers
    Seconds total{0};    ///< all transfers together
};

inline SliceSchedule schedule_slices(std::int64_t slices, Seconds work, Seconds in, Seconds out) {
    SliceSchedule s;
    if (slices < 1) return s;
    const double n = static_cast<double>(slices);
    auto excess = [&](Seconds transfers) { return std::max(Seconds{0}, transfers - work); };
    s.exposed = in + out;
    if (slices >= 2) s.exposed += excess(in) + excess(out) + (n - 2) * excess(in + out);
    s.total = n * (in + out);
    s.span = n * work + s.exposed;
    return s;
}

}  // namespace scalescope
