// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/caffe/net.hpp"
#include "core/network/network.hpp"

#include <string>
#include <string_view>

/// Caffe's nets (train_val.prototxt, deploy.prototxt, a solver with its net inside) as Scalescope's own. What Caffe
/// leaves open and what was chosen: docs/decisions/caffe.md.
namespace scalescope::formats {

/// True if the text begins like a text message of protocol buffers: the only such files this program reads are Caffe's.
bool is_caffe_network(std::string_view text);

/// The net as layers of this program, for the phase the file was read in. Layer types without a kind here become layers
/// of kind "unknown". All warnings are appended to `warnings` if it is given.
Result<NetworkDraft> import_caffe_network(std::string_view text, std::string file, Problems* warnings = nullptr,
                                          const Watch& watch = {});

}  // namespace scalescope::formats
