// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yan/model.hpp"

namespace scalescope::yan {

/// Warnings about a configuration that does not fit, one for the machines of a replica and one for parameter servers
/// that have machines of their own (its `where` is "servers"); none if it fits. Each names remedies that were tried:
/// other numbers of machines per replica, threads or servers, one of them at a time. More machines per replica need no
/// more machines where fewer replicas will do. `alone`: while there is a single machine, there are no servers.
/// The configuration must pass check().
Problems memory_notes(const PreparedNetwork& prepared, const Configuration& configuration, bool alone = false);

}  // namespace scalescope::yan
