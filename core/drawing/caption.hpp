// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/kind.hpp"

/// The few words that stand on a layer's box.
namespace scalescope::drawing {

/// What makes the layer what it is: sizes first, then what must be given, then what is not as usual:
/// "3×3, 96, stride 2". Read from the attribute tables, so that a new kind has its caption too.
std::string caption(const Layer& layer);

/// A word of a table or file as people write it: "leaky_relu" → "leaky relu".
std::string spoken(std::string_view word);

/// An attribute's value as people write it: "3×3", "same", "224×224×3", "yes"; empty where it has none.
std::string value_text(const AttributeValue& value);

/// What an attribute is, and which values it takes, for who is about to change it: "Output channels. A whole number, 1
/// or more."
std::string about(const AttributeInfo& info);

/// What a value of the attribute counts: "cells", "channels"; empty where it has no unit, or its name is one.
std::string_view unit_of(const AttributeInfo& info);

/// How many axes the window of a convolution or a pooling has, for which its other sizes are given too; 0: it has none.
std::size_t window_axes(const Layer& layer);

/// A shape as people write it, "224×224×3", "224 x 224 x 3" or "224, 224, 3", with names of symbols where it has some.
/// The batch is put before it unless it is said. Nothing for a text that is no shape.
std::optional<std::vector<Dim>> shape_from_text(std::string_view text);

}  // namespace scalescope::drawing
