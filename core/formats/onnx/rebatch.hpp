// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/trace.hpp"

namespace scalescope::formats::onnx {

/// Shapes written for one batch, made to follow another: after the operator `item` was carried out on every run, its
/// outputs on run 1 (the batch doubled) are corrected where a number in the file holds the batch of run 0.
void rebatch(Trace& trace, const Item& item);

}  // namespace scalescope::formats::onnx
