// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/formats/onnx/model.hpp"
#include "core/network/network.hpp"

namespace scalescope::formats {

/// The network as an ONNX model: its structure, with tensors of the right shapes that are zero everywhere. Opset 17,
/// channels before the other axes where ONNX wants them so, the batch open as "N" and symbols under their names.
/// Reading it gives the network again, draft for draft, unless somebody has changed the operators: then it gives what
/// they say. What ONNX has no word for becomes an operator of the domain org.scalescope, which a warning says
/// (docs/decisions/onnx-export.md).
std::string write_onnx_network(const Network& network, Problems* warnings = nullptr);

}  // namespace scalescope::formats

/// A network kept beside its operators, in the metadata of an ONNX file: operators say less than layers do (what is
/// done in place, which symbols have which default), so that they alone would not read back equal.
namespace scalescope::formats::onnx {

/// Adds the network and a digest of the operators that stand for it.
void keep_network(Model& model, const NetworkDraft& draft);

/// The text of the network kept in the model. Nothing if there is none, or if the operators are no longer those that it
/// was written with: then `changed` is set, and the operators count.
std::optional<std::string> kept_network(const Model& model, bool& changed);

}  // namespace scalescope::formats::onnx
