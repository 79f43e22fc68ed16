// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/name_list.hpp"

namespace scalescope {
namespace {

/// Beyond this a plain number is unreadable anyway, and its text would not fit the buffer below.
constexpr double largest_plain = 1e18;

std::string plain(double magnitude, int decimals) {
    std::array<char, 64> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

std::string scientific(double magnitude, int digits) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude,
                                   std::chars_format::scientific, digits - 1);
    return {buffer.data(), end.ptr};
}

/// Power of ten of `magnitude` once it is rounded to `digits` digits: 99.96 has 2 with three digits.
int rounded_exponent(double magnitude, int digits) {
    const std::string text = scientific(magnitude, digits);
    int exponent = 0;
    const char* from = text.data() + text.find('e') + 1;
    if (*from == '+') ++from;
    std::from_chars(from, text.data() + text.size(), exponent);
    return exponent;
}

int decimals_for(double magnitude, int digits, int max_decimals) {
    if (magnitude == 0.0) return 0;
    return std::clamp(digits - 1 - rounded_exponent(magnitude, digits), 0, std::max(max_decimals, 0));
}

std::string grouped(std::string text) {
    const auto point = text.find('.');
    auto at = point == std::string::npos ? text.size() : point;
    while (at > 3) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

void drop_trailing_zeros(std::string& text) {
    if (text.find('.') == std::string::npos) return;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
}

bool is_zero_text(std::string_view text) { return text.find_first_of("123456789") == std::string_view::npos; }

/// The text of |value| with the right sign; what rounds to nothing has none.
std::string with_sign(double value, const std::string& magnitude, bool plus) {
    if (is_zero_text(magnitude)) return magnitude;
    if (value < 0.0) return std::string(minus_sign) + magnitude;
    return plus ? '+' + magnitude : magnitude;
}

std::string number(double value, int digits, int max_decimals, bool plus) {
    const double magnitude = std::abs(value);
    if (magnitude >= largest_plain) return with_sign(value, scientific(magnitude, digits), plus);
    return with_sign(value, grouped(plain(magnitude, decimals_for(magnitude, digits, max_decimals))), plus);
}

std::string join(std::string text, std::string_view unit) { return text.append(no_break_space).append(unit); }

std::string prefixed(double value, std::string_view unit, int digits, bool trim, bool binary) {
    if (!std::isfinite(value)) return std::string(no_value);
    const double base = binary ? 1024.0 : 1000.0, magnitude = std::abs(value);
    std::string_view prefixes = binary ? " Ki Mi Gi Ti Pi" : " k M G T P E", prefix = next_name(prefixes);
    double factor = 1.0;
    // The largest prefix that leaves at least 1 after rounding: 999.96 k becomes 1.00 M.
    while (!prefixes.empty()) {
        const double scaled = magnitude / factor;
        const bool carries = !binary && scaled > 0.0 && rounded_exponent(scaled, digits) >= 3;
        if (scaled < base && !carries) break;
        prefix = next_name(prefixes);
        factor *= base;
    }
    std::string text = number(value / factor, digits, digits - 1, false);
    if (trim || factor == 1.0) drop_trailing_zeros(text);  // three bytes are "3 B", not "3.00 B"
    const std::string name = std::string(prefix) + std::string(unit);
    return name.empty() ? text : join(text, name);
}

/// "3 min 05 s": the larger unit, then the smaller one in two places.
std::string two_units(std::int64_t total_small, std::int64_t per_large, std::string_view large,
                      std::string_view small) {
    std::string rest = std::to_string(total_small % per_large);
    if (rest.size() < 2) rest.insert(0, 1, '0');
    return join(format_count(total_small / per_large), large) + ' ' + join(rest, small);
}

std::string positive_time(double s, int digits) {
    if (s == 0.0) return join("0", "ms");
    if (s < 99.95e-9) return join(number(s * 1e9, digits, 2, false), "ns");
    if (s < 99.95e-6) return join(number(s * 1e6, digits, 2, false), "µs");
    if (rounded_exponent(s, digits) < 0) return join(number(s * 1e3, digits, digits - 1, false), "ms");
    // Whole numbers from here on round as a person rounds a clock; 59.96 s with three digits is already a minute.
    if (rounded_exponent(s, digits) < 2 && std::round(s * 10.0) < 600.0)
        return join(number(s, digits, digits - 1, false), "s");
    if (std::round(s) < 3600.0) return two_units(static_cast<std::int64_t>(std::round(s)), 60, "min", "s");
    if (std::round(s / 60.0) < 1440.0)
        return two_units(static_cast<std::int64_t>(std::round(s / 60.0)), 60, "h", "min");
    if (s / 3600.0 < largest_plain / 10.0)
        return two_units(static_cast<std::int64_t>(std::round(s / 3600.0)), 24, "d", "h");
    return join(number(s, digits, 2, false), "s");
}

std::string signed_percent(Fraction share, std::string_view unit, int decimals) {
    if (!std::isfinite(share.value)) return std::string(no_value);
    const double percent = share.value * 100.0;
    if (percent == 0.0) return join("0", unit);
    return join(with_sign(percent, grouped(plain(std::min(std::abs(percent), largest_plain), decimals)), true), unit);
}

}  // namespace

std::string format_number(double value, int digits, int max_decimals) {
    return std::isfinite(value) ? number(value, digits, max_decimals, false) : std::string(no_value);
}

std::string format_fixed(double value, int decimals) {
    if (!std::isfinite(value)) return std::string(no_value);
    const double magnitude = std::abs(value);
    if (magnitude >= largest_plain) return number(value, std::max(decimals, 3), 0, false);
    return with_sign(value, grouped(plain(magnitude, std::clamp(decimals, 0, 20))), false);
}

std::string format_signed(double value, int digits, int max_decimals) {
    return std::isfinite(value) ? number(value, digits, max_decimals, true) : std::string(no_value);
}

std::string format_large_count(double value, int digits, bool trim) {
    std::string text = prefixed(value, "", digits, trim, false);
    if (text.ends_with('G')) text.back() = 'B';
    return text;
}

std::string format_time(Seconds t, int digits) {
    if (!std::isfinite(t.value)) return std::string(no_value);
    const std::string text = positive_time(std::abs(t.value), digits);
    return t.value < 0.0 ? std::string(minus_sign) + text : text;
}

std::string format_bytes(Bytes b, int digits) { return prefixed(b.value, "B", digits, false, false); }
std::string format_bytes_binary(Bytes b, int digits) { return prefixed(b.value, "B", digits, false, true); }
std::string format_rate(BytesPerSecond r, int digits) { return prefixed(r.value, "B/s", digits, false, false); }
std::string format_bit_rate(BytesPerSecond r, int digits) {
    return prefixed(r.value * 8.0, "b/s", digits, true, false);
}
std::string format_rate(FlopsPerSecond r, int digits) { return prefixed(r.value, "FLOP/s", digits, false, false); }

std::string format_rate(SamplesPerSecond r, std::string_view unit, int digits) {
    return std::isfinite(r.value) ? join(number(r.value, digits, 2, false), unit) : std::string(no_value);
}

std::string format_work(Flops f, int digits) { return prefixed(f.value, "FLOP", digits, false, false); }

std::string format_count(std::int64_t n) {
    const std::string text = std::to_string(n);
    return n < 0 ? std::string(minus_sign) + grouped(text.substr(1)) : grouped(text);
}

std::string format_ratio(double ratio, int digits) {
    return std::isfinite(ratio) ? number(ratio, digits, 2, false).append(times_sign) : std::string(no_value);
}

std::string format_percent(Fraction share, int decimals) {
    return std::isfinite(share.value) ? join(format_fixed(share.value * 100.0, decimals), "%") : std::string(no_value);
}

std::string format_change(Fraction change, int decimals) { return signed_percent(change, "%", decimals); }
std::string format_points(Fraction difference, int decimals) { return signed_percent(difference, "pp", decimals); }

std::string format_shape(std::span<const std::int64_t> sizes) {
    // One size is a count and takes comma groups; several are a shape, where commas would blur the sizes.
    if (sizes.size() == 1) return format_count(sizes[0]);
    std::string text;
    for (const std::int64_t size : sizes) {
        if (!text.empty()) text += times_sign;
        text += std::to_string(size);
    }
    return text;
}

std::string format_shape(std::int64_t batch, std::span<const std::int64_t> sizes) {
    const std::string rest = format_shape(sizes);
    if (rest.empty()) return format_count(batch);
    return std::to_string(batch).append(no_break_space).append(times_sign).append(no_break_space) + rest;
}

}  // namespace scalescope
