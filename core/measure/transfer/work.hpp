// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/operators/shapes.hpp"

#include <string>
#include <variant>

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

}  // namespace scalescope::transfer
