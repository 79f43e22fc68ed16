// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/measure/habitat/mlp.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace scalescope::habitat {

/// Networks by operation: {"conv2d": {"features": […], "layers": 8, "layer_size": 1024, "mu": […], "sigma": […],
/// "parameters": {"fc1.weight": [[…]…], "fc1.bias": […], "mlp.layers.0.weight": …, "fc2.weight": …, "fc2.bias": …}}}.
/// `layers` counts the hidden layers after the first, which are named mlp.layers.0, .2, .4 … Weights are
/// [outputs][inputs].
///
/// The file is read piece by piece, packed by gzip or not, and a number becomes a float at once: reading takes four
/// bytes for each number (of at most limits::model_numbers), up to twelve for those of the one list that grows, and
/// little besides, however long the text is (at most limits::model_bytes). Problems, with line and column: what is no
/// JSON, missing, of a wrong size, no number of single precision, a name used twice, or a sigma of 0; that `watch`
/// ended it.
Result<MlpModels> read_mlp_models(const std::filesystem::path& path, const Watch& watch = {});
Result<MlpModels> parse_mlp_models(std::string_view text, std::string file, const Watch& watch = {});

/// Reads back as the same networks, bit for bit.
std::string write_mlp_models(const MlpModels& models);

}  // namespace scalescope::habitat
