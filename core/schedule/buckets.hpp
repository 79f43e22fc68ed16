// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <span>

#include "core/pricing/collectives.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// Gradients that are added up in messages of their own, over one group.
struct GradientStream {
    std::span<const double> bytes;      ///< by layer
    const MessageCost* cost = nullptr;  ///< null: nothing is sent
    /// Of what each message leaves a rank with, one of `pieces`: added up over other groups while no message of any
    /// stream has the link; null: nothing is.
    const MessageCost* after = nullptr;
    double pieces = 1;
    Seconds of(Bytes buffer) const { return cost ? cost->at(buffer) : Seconds{0}; }
    Seconds after_of(Bytes buffer) const { return after ? after->at(Bytes{buffer.value / pieces}) : Seconds{0}; }
};
/// One message of several layers' gradients.
struct Bucket {
    int first = 0, last = 0;  ///< positions; `last` (deepest) is ready first
    Bytes bytes{0};
    Seconds ready{0}, start{0}, end{0};
    int stream = 0;
};

struct GradientSync {
    Seconds total{0};                          ///< of all messages
    Seconds exposed{0};                        ///< what comes after the end of backward
    Seconds backward{0};                       ///< when backward ends, on the clock of the buckets
    Seconds after_total{0}, after_exposed{0};  ///< of what is added up over other groups; exposed: after all messages
    void add(const GradientSync& other) {
        total += other.total;
        exposed += other.exposed;
    }
    /// What is left of the total; differences within rounding are nothing.
    Seconds hidden() const { return total - exposed > 1e-12 * total ? total - exposed : Seconds{0}; }
};

/// What of a message hides, and what that costs. `share` of each may travel under the backward pass; while it does, the
/// backward pass takes `interference` of that time longer (processors that move bytes do not compute). The device
/// copies gradients into the message and back in `copying` seconds a byte, when it could compute.
struct Hiding {
    double share = 1, interference = 0, copying = 0;
    /// Seconds waited for, of a message or all of them, that take `total` and of whose share under the backward pass
    /// `outside` comes after it.
    Seconds exposed(Seconds total, Seconds outside) const {
        if (share == 1 && interference == 0) return outside;
        return outside + (1 - share) * total + interference * (share * total - outside);
    }
};

/// Receives every bucket; may be null.
struct BucketSink {
    virtual void add(const Bucket&) = 0;
    virtual ~BucketSink() = default;
};

/// All-reduce of gradients during backward (Li et al., PyTorch Distributed, VLDB 2020, section 3.2). Layers [from, to)
/// go through backward from the last to the first in `backward` seconds each and hand in their gradients. `off` sends
/// one message of each stream after backward; `buckets` sends a message whenever `bucket` bytes of a stream have
/// gathered, one at a time; `perfect` hides all that fits under the backward pass.
GradientSync sync_gradients(std::span<const double> backward, std::span<const GradientStream> streams, int from, int to,
                            Overlap overlap, Bytes bucket, BucketSink* sink);

/// What is waited for of one message of `length` after a backward pass, or under it.
inline Seconds exposed_of_whole(Seconds length, Seconds backward, Overlap overlap) {
    return overlap == Overlap::off ? length : std::max(Seconds{0}, length - backward);
}
/// The same with one message, not `buckets`, from sums: `bytes` of gradients, `backward` seconds.
inline GradientSync sync_whole(int from, int to, Bytes bytes, Seconds backward, Overlap overlap,
                               const MessageCost& cost, BucketSink* sink) {
    GradientSync sync;
    if (bytes.value <= 0) return sync;
    sync.total = cost.at(bytes);
    sync.backward = backward;
    sync.exposed = exposed_of_whole(sync.total, backward, overlap);
    const Seconds start = overlap == Overlap::off ? backward : backward + sync.exposed - sync.total;
    if (sink) sink->add({from, to - 1, bytes, backward, start, backward + sync.exposed});
    return sync;
}

/// The exposed seconds of sync_gradients(…, 0, to, …) for every `to` from 0 to `layers` at once, in linear time.
/// `scratch` needs as many entries as `exposed`: layers + 1.
void exposed_by_end(std::span<const double> backward, std::span<const double> gradient_bytes, int layers,
                    Overlap overlap, Bytes bucket, const MessageCost& cost, std::span<double> exposed,
                    std::span<double> scratch);

}  // namespace scalescope
