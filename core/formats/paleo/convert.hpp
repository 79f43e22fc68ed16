// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/paleo/net.hpp"
#include "core/network/network.hpp"

namespace scalescope::formats {

/// A network in PALEO's terms, so that PALEO's model can price it. What PALEO has no word for but can do without
/// becomes a warning in Net::warnings (biases that are left out, weights of normalizations); what it cannot express is
/// a Problem (groups, dilation, uneven padding that is neither SAME nor VALID). The first input is called "data".
Result<paleo::Net> to_paleo(const Network& network);

/// A network file of either kind: PALEO's own, or Scalescope's turned into it.
Result<paleo::Net> read_as_paleo(std::string_view text, std::string file);

}  // namespace scalescope::formats
