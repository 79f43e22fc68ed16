// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network.hpp"

namespace scalescope {

/// Whether two networks have the same layers by their names: kinds, attributes, inputs, shared weights and the initial
/// values of symbols, whatever ids they have and wherever they came from. What they are bound to is not compared.
bool same_layers(const Network& a, const Network& b);

}  // namespace scalescope
