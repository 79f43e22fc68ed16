// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/yan/layers.hpp"

/// Which part of a tensor a segment needs, as shares of its rows. Segment s of p has [s/p, (s+1)/p); one that needs
/// rows of its neighbours needs half of them on each side, also at the border, as section 3 of the method counts.
namespace scalescope::yan {

/// Shares smaller than this are rounding.
inline constexpr double least_share = 1e-12;

/// Whether the segment needs the whole tensor.
inline bool needs_everything(const Need& need, std::int64_t split) {
    return need.reach == Reach::everything || 1.0 / static_cast<double>(split) + need.halo >= 1.0;
}

/// Calls `take(t, share, again)` for every one of `q` segments of the tensor that segment `s` of `p` needs a part of,
/// its own place included; a border is passed as if the last row were before the first. `again`: this one had its turn,
/// on the other side. Not for needs_everything().
template <class Take>
void for_each_overlap(const Need& need, std::int64_t s, std::int64_t p, std::int64_t q, Take take) {
    const double low = static_cast<double>(s) / static_cast<double>(p) - need.halo / 2.0,
                 high = static_cast<double>(s + 1) / static_cast<double>(p) + need.halo / 2.0,
                 parts = static_cast<double>(q);
    const auto first = static_cast<std::int64_t>(std::floor(low * parts)),
               last = static_cast<std::int64_t>(std::ceil(high * parts)) - 1;
    std::int64_t begun = last + 1;
    for (std::int64_t t = first; t <= last; ++t) {
        const double share =
            std::min(high, static_cast<double>(t + 1) / parts) - std::max(low, static_cast<double>(t) / parts);
        if (share <= least_share) continue;
        begun = std::min(begun, t);
        take(((t % q) + q) % q, share, t - begun >= q);
    }
}

inline bool connected(const Need& need, std::int64_t s, std::int64_t p, std::int64_t t, std::int64_t q) {
    if (needs_everything(need, p)) return true;
    bool found = false;
    for_each_overlap(need, s, p, q, [&](std::int64_t other, double, bool) { found = found || other == t; });
    return found;
}

}  // namespace scalescope::yan
