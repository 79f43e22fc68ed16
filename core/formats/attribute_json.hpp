// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/network/kind.hpp"

#include <span>
#include <string_view>

/// Values of layer attributes in JSON, by the type that the kind's table gives them.
namespace scalescope::formats {

/// The attribute `info` of the layer `fields`, its initial value if it is left out. What is wrong is reported, and the
/// value is then an empty one. `symbols` are the names a shape may use.
AttributeValue decode_attribute(JsonFields& fields, const AttributeInfo& info,
                                std::span<const std::string_view> symbols);

void encode_attribute(JsonWriter& out, const AttributeValue& value);

}  // namespace scalescope::formats
