// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/network/network.hpp"

namespace scalescope::formats {

/// The network as PALEO's file. Reading it gives layers with the same parameters and multiply-adds. Layers for which
/// PALEO has no word are a Problem that names them; if it can do without (normalizations, activations of their own,
/// biases counted where there are none …) and `lossy` is set, they are written as what costs nothing there, with a
/// warning.
Result<std::string> export_paleo_network(const Network& network, bool lossy, Problems& warnings);

}  // namespace scalescope::formats
