// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/network/network.hpp"

namespace scalescope::formats {

/// The network as an ONNX model: its structure, with tensors of the right shapes that are zero everywhere. Opset 17,
/// channels before the other axes where ONNX wants them so, the batch open as "N" and symbols under their names.
/// Reading it gives the network again, draft for draft, unless somebody has changed the operators: then it gives what
/// they say. What ONNX has no word for becomes an operator of the domain org.scalescope, which a warning says
/// (docs/decisions/onnx-export.md).
std::string write_onnx_network(const Network& network, Problems* warnings = nullptr);

}  // namespace scalescope::formats
