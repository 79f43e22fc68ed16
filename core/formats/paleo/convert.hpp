// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/formats/paleo/net.hpp"
#include "core/network/network.hpp"

namespace scalescope::formats {

/// A network in PALEO's terms, so that PALEO's model can price it. What PALEO has no word for but can do without
/// becomes a warning in Net::warnings (biases that are left out, weights of normalizations); what it cannot express is
/// a Problem (groups, dilation, uneven padding that is neither SAME nor VALID). The first input is called "data".
Result<paleo::Net> to_paleo(const Network& network);

/// A network file of either kind: PALEO's own, or Scalescope's turned into it.
Result<paleo::Net> read_as_paleo(std::string_view text, std::string file);

/// The network as PALEO's file. Reading it gives layers with the same parameters and multiply-adds. Layers for which
/// PALEO has no word are a Problem that names them; if it can do without (normalizations, activations of their own,
/// biases counted where there are none …) and `lossy` is set, they are written as what costs nothing there, with a
/// warning.
Result<std::string> export_paleo_network(const Network& network, bool lossy, Problems& warnings);

}  // namespace scalescope::formats
