// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/rows.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

/// Rows from the first one up to, not including, the last.
struct Range {
    std::int64_t from, to;
    std::int64_t size() const { return std::max<std::int64_t>(0, to - from); }
};
Range both(Range a, Range b) { return {std::max(a.from, b.from), std::min(a.to, b.to)}; }

Range part(std::int64_t rows, std::int64_t ranks, std::int64_t rank) {
    const auto first = [&](std::int64_t r) { return r * (rows / ranks) + std::min(r, rows % ranks); };
    return {first(rank), first(rank + 1)};
}

/// Of the input, for these rows of the output.
Range needed(const RowWindow& w, Range out) {
    Range in{out.from * w.stride - w.before, (out.to - 1) * w.stride - w.before + w.span};
    if (w.transposed)
        in = {ceil_div(std::max<std::int64_t>(0, out.from + w.before - w.span + 1), w.stride),
              (out.to - 1 + w.before) / w.stride + 1};
    return both(in, {0, w.in});
}

}  // namespace

std::optional<Halo> halo_of(const RowWindow& w, std::int64_t out, std::int64_t ranks) {
    Halo halo;
    bool near = true;
    /// Rows that `rank` needs of those before its own (−1) or behind them (+1).
    const auto borrowed = [&](std::int64_t rank, std::int64_t side) -> std::int64_t {
        if (rank < 0 || rank >= ranks) return 0;
        const Range own = part(w.in, ranks, rank), next = part(w.in, ranks, rank + side),
                    beyond = side < 0 ? Range{0, own.from} : Range{own.to, w.in},
                    all = both(needed(w, part(out, ranks, rank)), beyond);
        near = near && all.size() == both(all, next).size();
        return all.size();
    };
    for (std::int64_t r = 0; r < ranks; ++r) {
        const std::int64_t received = borrowed(r, -1) + borrowed(r, 1), sent = borrowed(r - 1, 1) + borrowed(r + 1, -1);
        halo.rows = std::max({halo.rows, sent, received});
        halo.held = std::max(halo.held, part(w.in, ranks, r).size() + received);
    }
    return near ? std::optional(halo) : std::nullopt;
}

}  // namespace scalescope
