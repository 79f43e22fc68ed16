// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "core/network/network.hpp"

/// Files know layers by their names only: whose states of one drawing they are must be said, and is found again here.
namespace scalescope::editing {

/// Names in the draft of layers that have another name in the network it was drawn from.
std::map<std::string, std::string> renamed_in(const NetworkDraft& draft, const Network& network);

/// A draft that was read, with layers of `network` known again: those of the same name and kind, and those that
/// `renamed` (as renamed_in gives it) names, get their ids; all others get ids that the network does not have.
NetworkDraft related_to(NetworkDraft draft, const Network& network, const std::map<std::string, std::string>& renamed);

}  // namespace scalescope::editing
