// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/network/kind.hpp"

/// The attribute tables of the kinds, asked about single values.
namespace scalescope {

/// Index of the attribute called `name` in the kind's table, or -1.
int attribute_index(const Kind& kind, std::string_view name);

/// The words of an attribute with a choice.
std::vector<std::string_view> choices_of(const AttributeInfo& info);

/// Why `value` cannot be the value of the attribute; nothing if it can. `symbols`: names that a shape may use beside
/// "batch".
std::optional<Problem> about_value(const AttributeInfo& info, const AttributeValue& value,
                                   std::span<const std::string_view> symbols = {});

/// Whether the value is of the attribute's type, in or out of its range.
bool has_type(const AttributeInfo& info, const AttributeValue& value);

/// The problem of the first attribute that has no value, or one of another type.
std::optional<Problem> first_without_value(const Layer& layer);

}  // namespace scalescope
