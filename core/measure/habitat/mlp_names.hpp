// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace scalescope::habitat {

enum class Parameter { weight, bias };

/// What files of networks call the parameters of a layer: "fc1.weight", then "mlp.layers.0.weight", ".2" … (the ReLU
/// between them have the odd numbers), then "fc2.weight".
inline std::string parameter_name(std::size_t layer, std::size_t hidden_blocks, Parameter which) {
    const char* const end = which == Parameter::weight ? ".weight" : ".bias";
    if (layer == 0) return std::string("fc1") + end;
    return layer > hidden_blocks ? std::string("fc2") + end : "mlp.layers." + std::to_string(2 * (layer - 1)) + end;
}

}  // namespace scalescope::habitat
