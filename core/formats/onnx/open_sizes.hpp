// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/formats/onnx/reading.hpp"

namespace scalescope::formats::onnx {

/// Makes symbols of what the file leaves open, in the draft of `base`: the model is read at other sizes, and a
/// dimension that grows in proportion to one of them is that size from then on. The draft is then compared with what
/// the file is at further sizes. Where a size changes more than dimensions (a slice ends elsewhere, a loop goes round
/// more often), the draft is remade by the file. A size that the model cannot have another value of stays a number.
/// What was done is said in the warnings of `base`; sizes that are `given` stay symbols, and nothing is said of them.
void open_sizes(Reading& base, std::shared_ptr<const Model> model, const std::string& file,
                std::span<const Binding> given, const Watch& watch);

}  // namespace scalescope::formats::onnx
