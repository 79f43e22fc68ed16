// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/units/units.hpp"

/// How the whole program writes numbers for people: three significant digits, comma groups from 1,000, U+2212 for
/// minus, U+00A0 before a unit and nothing before ×. Text is UTF-8 and the same under every locale. A number that is
/// not finite is "–" everywhere. Files are not written with these: there a double is the shortest text that reads back
/// the same.
namespace scalescope {

inline constexpr std::string_view no_value = "\u2013";
inline constexpr std::string_view no_break_space = "\u00a0";
inline constexpr std::string_view minus_sign = "\u2212";
inline constexpr std::string_view times_sign = "\u00d7";

/// `digits` significant digits, at most `max_decimals` of them behind the point; whole digits are never rounded away:
/// 0.47, 12.4, 239, 17,144. Exactly zero is "0", something smaller than can be shown is "0.00".
std::string format_number(double value, int digits = 3, int max_decimals = 2);
/// Always `decimals` digits behind the point: 8.92, 1,124.00.
std::string format_fixed(double value, int decimals);
/// As format_number, with a sign before it whatever it is: +21.5, −17.7, 0.
std::string format_signed(double value, int digits = 3, int max_decimals = 2);

/// Many of something, as people say it: "61.1 M", "70.6 B" (billions), "1.04 T". `trim` drops zeros behind the point.
std::string format_large_count(double value, int digits = 3, bool trim = false);

/// "21.3 µs" below 0.1 ms, "0.47 ms", "239 ms", "1.28 s", "3 min 05 s", "2 h 05 min", "4 d 07 h".
std::string format_time(Seconds t, int digits = 3);
/// Powers of 10: "97.2 kB", "3.21 GB".
std::string format_bytes(Bytes b, int digits = 3);
/// Powers of 2: "1.50 GiB".
std::string format_bytes_binary(Bytes b, int digits = 3);
/// "8.75 GB/s".
std::string format_rate(BytesPerSecond r, int digits = 3);
/// Links are sold in bits: "20 Gb/s".
std::string format_bit_rate(BytesPerSecond r, int digits = 3);
/// "6.14 TFLOP/s".
std::string format_rate(FlopsPerSecond r, int digits = 3);
/// "17,144 img/s".
std::string format_rate(SamplesPerSecond r, std::string_view unit = "img/s", int digits = 3);
/// "53.2 GFLOP".
std::string format_work(Flops f, int digits = 3);

/// "65,536".
std::string format_count(std::int64_t n);
/// "16.6×".
std::string format_ratio(double ratio, int digits = 3);
/// "51.9 %".
std::string format_percent(Fraction share, int decimals = 1);
/// A relative change: "−17.7 %", "+21.5 %", "0 %".
std::string format_change(Fraction change, int decimals = 1);
/// A difference of two percentages: "−8.5 pp".
std::string format_points(Fraction difference, int decimals = 1);
/// "4,096", "26×26×192"; with a batch "128 × 26×26×192".
std::string format_shape(std::span<const std::int64_t> sizes);
std::string format_shape(std::int64_t batch, std::span<const std::int64_t> sizes);

}  // namespace scalescope
