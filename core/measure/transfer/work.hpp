// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/kineto/digest.hpp"
#include "core/measure/operators/times.hpp"
#include "core/network/network.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace scalescope::transfer {

/// Nothing where it is unknown. A batch norm is what it reads and writes.
using Shape = std::variant<std::monostate, operators::Convolution, operators::Matmul, operators::Elementwise>;

/// Which products an operation computes. A convolution's backward operator computes both gradients.
struct Passes {
    bool forward = false, input_gradient = false, weight_gradient = false;
};

/// Where a shape comes from.
enum class ShapeSource { none, recorded, aligned };

/// What an operation of a trace computes.
struct Work {
    Shape shape;
    Passes passes;
    ShapeSource source = ShapeSource::none;
    std::string layer;  ///< of the network it was aligned with
    bool bias = false;  ///< of a convolution or linear layer, as far as the network tells
    bool known() const { return !std::holds_alternative<std::monostate>(shape); }
};

/// "conv 64→256 1×1 on 56×56, batch 32", "product 32×1000×2048", "25690112 elements"; empty if it is unknown.
std::string text_of(const Work& work);

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
