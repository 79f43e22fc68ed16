// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace scalescope {

std::string shortest_decimal(double value, int power) {
    if (!std::isfinite(value)) return "null";
    if (value == 0.0) return "0";
    std::array<char, 40> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
    std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    std::string out;
    if (text.front() == '-') {
        out += '-';
        text.remove_prefix(1);
    }
    const auto e = text.find('e');
    const auto* exponent_text = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    int exponent = 0;
    std::from_chars(exponent_text, text.data() + text.size(), exponent);
    std::string digits(text.substr(0, 1));
    if (e > 2) digits += text.substr(2, e - 2);
    exponent -= power;  // value = d.ddd · 10^exponent in the unit wanted
    const int count = static_cast<int>(digits.size());
    if (exponent >= 21 || exponent < -7) {
        out += digits[0];
        if (count > 1) out += '.' + digits.substr(1);
        return out + 'e' + std::to_string(exponent);
    }
    if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    if (count <= exponent + 1) return out + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
    const auto point = static_cast<std::size_t>(exponent) + 1;
    return out + digits.substr(0, point) + '.' + digits.substr(point);
}

std::optional<double> parse_decimal(std::string_view text, int power) {
    if (text.empty() || text.size() > 4096) return std::nullopt;
    const std::size_t first = text[0] == '-' ? 1 : 0;
    if (first == text.size() || !((text[first] >= '0' && text[first] <= '9') || text[first] == '.'))
        return std::nullopt;
    const auto e = text.find_first_of("eE");
    int exponent = 0;
    if (e != std::string_view::npos) {
        auto digits = text.substr(e + 1);
        if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
        if (digits.empty() || digits.find_first_not_of("-0123456789") != std::string_view::npos) return std::nullopt;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        if (read.ec == std::errc::result_out_of_range) {
            exponent = digits[0] == '-' ? -100000 : 100000;
        } else if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size()) {
            return std::nullopt;
        }
        exponent = std::clamp(exponent, -100000, 100000);
    }
    std::string shifted(text.substr(0, e));
    shifted += 'e' + std::to_string(exponent + power);
    double value = 0;
    const auto read = std::from_chars(shifted.data(), shifted.data() + shifted.size(), value);
    if (read.ptr != shifted.data() + shifted.size()) return std::nullopt;
    if (read.ec == std::errc::result_out_of_range) {
        // Too small for a double is zero; too large is no number. from_chars does not say which of the two it was.
        const auto digit = shifted.find_first_of("123456789");
        const auto point = std::min(shifted.find('.'), shifted.find('e'));
        const long magnitude = static_cast<long>(point) - static_cast<long>(digit) + exponent + power;
        if (magnitude > 0) return std::nullopt;
        return 0.0;
    }
    if (read.ec != std::errc{} || !std::isfinite(value)) return std::nullopt;
    return value == 0.0 ? 0.0 : value;
}

}  // namespace scalescope
