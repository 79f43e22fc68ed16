// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/formats/onnx/reading.hpp"

namespace scalescope::formats::onnx {

/// The model at the sizes that `given` names. What else the file leaves open has a likely size; where the operators do
/// not fit together at that, the size is looked for: among those of the tensors at the operator that does not fit, as
/// channels are decided by the filters that read them, then among those that images and sequences often have.
Result<Reading> read_fitting(const Model& model, const std::string& file, std::span<const Binding> given,
                             const Watch& watch);

}  // namespace scalescope::formats::onnx
