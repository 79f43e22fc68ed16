// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/formats/onnx/reading.hpp"

namespace scalescope::formats::onnx {

/// The model at the sizes that `given` names. What else the file leaves open has a likely size; where the operators do
/// not fit together at that, the size is derived from the operator that does not fit: filters decide the channels, a
/// table of positions the length of a sequence or the sides of an image, a recurrent state follows the batch. Where
/// that fails, the numbers at that operator are tried, then sizes that images and sequences often have, and at last 1,
/// with a warning.
Result<Reading> read_fitting(const Model& model, const std::string& file, std::span<const Binding> given,
                             const Watch& watch);

}  // namespace scalescope::formats::onnx
