// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Numbers as files and fields write them: locale-free, and exact in both directions even where the file's unit is a
/// power of ten apart from the program's (GB/s and bytes per second, percent and fraction). Multiplying by 1e9 would
/// lose a bit now and then; moving the decimal point in the text loses nothing.
namespace scalescope {

/// value · 10^-power as the shortest text for which parse_decimal(text, power) gives the same bits. "0" for both zeros,
/// "null" for what is not finite. Between 1e-7 and 1e21 it is written without an exponent.
std::string shortest_decimal(double value, int power = 0);

/// The number `text` times 10^power, correctly rounded. Nothing if the text is not wholly one decimal number (an
/// exponent is allowed, "inf" and "nan" are not), or if no finite double can hold the result.
std::optional<double> parse_decimal(std::string_view text, int power = 0);

}  // namespace scalescope
