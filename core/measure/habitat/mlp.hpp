// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/measure/habitat/device.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The networks that tell how long a kernel-varying operation takes on a device: convolutions, matrix products and
/// recurrent layers run other kernels on other devices, so that no kernel can be scaled.
namespace scalescope::habitat {

/// A fully connected layer: outputs = weights · inputs + bias, in single precision.
struct MlpLayer {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    std::vector<float> weights;  ///< [outputs][inputs]
    std::vector<float> bias;     ///< [outputs]
};

/// Layers one after the other, with ReLU between them and one output: forward and backward time together.
struct Mlp {
    std::vector<std::string> features;  ///< the operation's own, then mem, mem_bw, num_sm, single of the device
    std::vector<double> mu, sigma;      ///< of each feature: the input is (x − mu) / sigma
    std::vector<MlpLayer> layers;
};

/// By the name of the operation: "conv2d".
using MlpModels = std::map<std::string, Mlp, std::less<>>;

inline constexpr std::size_t device_features = 4;

/// What a network may have; Habitat's own have 8 hidden layers after the first, all 1024 wide.
inline constexpr std::int64_t most_hidden_layers = 1000;
inline constexpr std::int64_t most_layer_width = 1 << 16;

/// mem (GB), mem_bw (GB/s), num_sm, single (TFLOP/s).
std::vector<double> features_of(const MlpDevice& device);

/// The inputs as the network gets them: normalised in double precision, then rounded.
std::vector<float> normalised(const Mlp& mlp, std::span<const double> features);

/// One pass through the layers, in single precision. `inputs` is as wide as the first layer.
float run(const std::vector<MlpLayer>& layers, std::span<const float> inputs);

/// The predicted time. Problems: not as many features as the network has; a result that is no number.
Result<Milliseconds> predict(const Mlp& mlp, std::span<const double> features);

/// The same for an operation's own features on a device. Problem: the device has no figures for networks.
Result<Milliseconds> predict(const Mlp& mlp, std::span<const double> own_features, const Device& device);

enum class Parameter { weight, bias };

/// What files of networks call the parameters of a layer: "fc1.weight", then "mlp.layers.0.weight", ".2" … (the ReLU
/// between them have the odd numbers), then "fc2.weight".
inline std::string parameter_name(std::size_t layer, std::size_t hidden_blocks, Parameter which) {
    const char* const end = which == Parameter::weight ? ".weight" : ".bias";
    if (layer == 0) return std::string("fc1") + end;
    return layer > hidden_blocks ? std::string("fc2") + end : "mlp.layers." + std::to_string(2 * (layer - 1)) + end;
}

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
