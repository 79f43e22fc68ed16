// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/units/units.hpp"

/// Times as Habitat's files give them. They are not turned into seconds and back, so that a time no rule touches comes
/// out with the same bits.
namespace scalescope::habitat {

using Nanoseconds = Quantity<struct NanosecondsTag>;
using Milliseconds = Quantity<struct MillisecondsTag>;
using Megahertz = Quantity<struct MegahertzTag>;

constexpr Nanoseconds in_nanoseconds(Milliseconds t) { return Nanoseconds{t.value * 1e6}; }
constexpr Milliseconds in_milliseconds(Nanoseconds t) { return Milliseconds{t.value / 1e6}; }

}  // namespace scalescope::habitat
