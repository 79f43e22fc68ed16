// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/network/kind.hpp"

/// How sentences speak of layers.
namespace scalescope {

/// "A dense layer", "An add layer", "An lstm layer": as it is said at the head of a sentence.
std::string a_layer(const Kind& kind);

}  // namespace scalescope
