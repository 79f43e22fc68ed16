// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/kineto/digest.hpp"
#include "core/measure/transfer/work.hpp"
#include "core/network/network.hpp"

#include <cstdint>
#include <vector>

namespace scalescope::transfer {

/// What each operation of a digest computes, in its order; unknown where nobody says.
using Works = std::vector<Work>;

/// From the shapes that the profiler recorded (record_shapes=True), of convolutions and matrix products.
Works recorded_works(const kineto::Trace& trace, const kineto::Digest& digest);

/// Fills in what is unknown by aligning the operations of every step with a network: its convolutions, batch norms and
/// linear layers stand against the trace's, forward in an order in which the network can run, backward the other way
/// round. Branches are told apart by what their batch norms' kernels show of their channels, else taken depth first, as
/// programs write them. A step may run the network several times. Problems: other counts than the network's, channels
/// that contradict it.
Result<void> align(Works& works, const kineto::Trace& trace, const kineto::Digest& digest, const Network& network,
                   std::int64_t batch);

}  // namespace scalescope::transfer
