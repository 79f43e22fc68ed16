// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalescope::habitat {

/// True for the operations that Habitat has networks for: conv2d, linear, bmm, lstm.
bool goes_by_network(std::string_view operation);

/// The features of such an operation from its arguments, in the order its network takes them. Tensors are given by
/// their sizes: `input` and `weight`, bmm's `input` and `mat2`. As published: a convolution's image is square, dilation
/// and groups do not count, and an lstm has a bias if one is mentioned. Nothing, and problems, if one is missing.
std::optional<std::vector<double>> operation_features(std::string_view operation, formats::JsonValue arguments,
                                                      const std::string& path, formats::ProblemList& problems);

}  // namespace scalescope::habitat
