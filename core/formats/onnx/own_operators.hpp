// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/step.hpp"

/// Operators of this program's own, as its models have them where ONNX has no word: a kind of layer, its attributes
/// under their names, and all its weights in one row as the last input.
namespace scalescope::formats::onnx {

class Converter;

/// The shape rule of the operator called `op` of that domain, or nullptr.
Rule own_rule(std::string_view op);
/// The layer that the node at hand was written from, with what was changed since.
bool own_layer(Converter& converter);

}  // namespace scalescope::formats::onnx
