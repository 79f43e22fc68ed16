// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/scenario/scenario.hpp"

namespace scalescope {

/// Hardware, links, batch and precision as --set takes them, for the comment of an exported table:
/// "cluster.device=a100-sxm-80gb, training.batch=128, …".
std::string key_settings(const Scenario& scenario);

}  // namespace scalescope
