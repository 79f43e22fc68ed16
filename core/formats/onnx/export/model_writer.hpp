// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/formats/onnx/model.hpp"

namespace scalescope::formats::onnx {

/// The model as a file. read_model of it gives the model again. A tensor whose numbers are not kept is written as a
/// sparse one without entries: zero everywhere, in a few bytes, and so a whole model for whoever reads or checks it.
/// Functions and subgraphs are not written.
std::string write_model(const Model& model);

}  // namespace scalescope::formats::onnx
