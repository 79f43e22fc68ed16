// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace scalescope {

/// Attention over a sequence that lies on `ranks` ranks, keys and values going round the ring (Liu et al., Ring
/// Attention, 2023; specification: composed parallelism, section 3).
struct ContextRing {
    std::int64_t ranks = 1, sequence = 1;
    bool causal = true;
    bool zigzag = true;  ///< rank r has blocks r and 2·ranks − 1 − r of 2·ranks, so that causal work is even

    /// Pairs of a query and a key that the busiest rank computes; those of ring steps in which all wait for the
    /// slowest.
    struct Pairs {
        double all = 0, busiest = 0, in_step = 0;
    };
    Pairs pairs() const;
    /// Elements of keys and values, of `width` each a token, that a rank sends in forward.
    std::int64_t sent(std::int64_t width) const { return (ranks - 1) * 2 * (sequence / ranks) * width; }
};

/// The same with heads instead of tokens during attention (DeepSpeed-Ulysses, Jacobs et al., 2023): elements that a
/// rank sends of queries and of the output, and of keys or of values, whose heads are repeated where there are fewer
/// than ranks.
struct ContextHeads {
    std::int64_t ranks = 1, sequence = 1, heads = 1, key_heads = 1, head_width = 1;

    std::int64_t query_sent() const { return sent(heads); }
    std::int64_t key_sent() const { return sent(key_heads < ranks ? ranks : key_heads); }

private:
    std::int64_t sent(std::int64_t of) const { return sequence / ranks * of * head_width * (ranks - 1) / ranks; }
};

}  // namespace scalescope
