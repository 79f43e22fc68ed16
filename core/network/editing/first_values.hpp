// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"
#include "core/network/sketch.hpp"

/// What a layer that somebody has just put into a network is called and set to.
namespace scalescope::editing {

/// Where the new layer will be.
struct Surroundings {
    const Layer* model = nullptr;  ///< the nearest layer of the same kind before it
    std::vector<Shape> inputs;     ///< shapes of its inputs as far as they are known
};
Surroundings surroundings_of(const Sketch& sketch, const Kind& kind, std::span<const LayerId> sources);

/// The layer with values to begin with, in several ways, the likeliest first: like its model or what is usual, then so
/// that its output has the shape of its input.
std::vector<Layer> with_first_values(const Layer& blank, const Surroundings& around);

/// What layers of the kind are called before their number: "conv". With a model, as that one is.
std::string name_stem(const Kind& kind, const Layer* model);

}  // namespace scalescope::editing
