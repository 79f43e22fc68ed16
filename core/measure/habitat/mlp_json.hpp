// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/measure/habitat/mlp.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace scalescope::habitat {

/// Networks by operation: {"conv2d": {"features": […], "layers": 8, "layer_size": 1024, "mu": […], "sigma": […],
/// "parameters": {"fc1.weight": [[…]…], "fc1.bias": […], "mlp.layers.0.weight": …, "fc2.weight": …, "fc2.bias": …}}}.
/// `layers` counts the hidden layers after the first, which are named mlp.layers.0, .2, .4 … Weights are
/// [outputs][inputs]. Problems, with line and column: what is missing, of a wrong size, no number of single precision,
/// or a sigma of 0.
Result<MlpModels> read_mlp_models(std::string_view text, std::string file, const Watch& watch = {});

/// One network of such a file; nothing, and problems, if it is broken.
std::optional<Mlp> read_mlp(formats::JsonValue value, const std::string& path, formats::ProblemList& problems);

/// The layers of such a file's "parameters".
std::optional<std::vector<MlpLayer>> read_mlp_layers(formats::JsonValue parameters, const std::string& path,
                                                     std::size_t features, std::size_t hidden_blocks, std::size_t width,
                                                     formats::ProblemList& problems);

/// Reads back as the same networks, bit for bit.
std::string write_mlp_models(const MlpModels& models);

}  // namespace scalescope::habitat
