// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/decimal.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"

#include <optional>
#include <string_view>

/// Numbers whose unit in the file is 10^power times the program's: exact in both directions (see base/decimal.hpp).
namespace scalescope::formats {

/// `low` and `high` are in the file's unit. Nothing if the member is missing, null or wrong; wrong ones are reported.
inline std::optional<double> optional_scaled(JsonFields& fields, std::string_view name, int power, double low,
                                             double high) {
    if (!fields.optional_number(name, low, high)) return std::nullopt;
    return parse_decimal(fields.value().find(name)->source(), power);
}

/// The same for a member that must be there.
inline std::optional<double> scaled(JsonFields& fields, std::string_view name, int power, double low, double high) {
    if (!fields.number(name, low, high)) return std::nullopt;
    return parse_decimal(fields.value().find(name)->source(), power);
}

inline void write_scaled(JsonWriter& out, std::string_view name, double value, int power) {
    out.raw(name, shortest_decimal(value, power));
}

}  // namespace scalescope::formats
