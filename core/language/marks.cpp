// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/marks.hpp"

#include <algorithm>

namespace scalescope::language {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Bytes of letters beyond ASCII count as such: a number never touches them, but for signs such as × and spaces.
bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Digits, grouped by thousands or not at all, and decimals or none; of the two marks one at least.
bool is_marked_number(std::string_view run, char decimal, char group) {
    const std::size_t point = run.find(decimal);
    const std::string_view whole = run.substr(0, point);
    if (point != std::string_view::npos) {
        const std::string_view rest = run.substr(point + 1);
        if (rest.empty() || !std::ranges::all_of(rest, is_digit)) return false;
    }
    std::size_t digits = 0, groups = 0;
    for (const char c : whole) {
        if (c != group) {
            if (++digits > 3 && groups > 0) return false;
            continue;
        }
        if (digits == 0 || digits > 3 || (groups > 0 && digits != 3)) return false;
        ++groups;
        digits = 0;
    }
    if (groups > 0 && digits != 3) return false;
    return digits > 0 && (groups > 0 || point != std::string_view::npos);
}

}  // namespace

std::string with_marks(std::string_view text, NumberMarks marks) {
    constexpr NumberMarks plain;
    std::string out(text);
    if (marks == plain) return out;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (is_digit(text[end]) || text[end] == plain.decimal || text[end] == plain.group))
            ++end;
        const std::size_t next = end;
        while (!is_digit(text[end - 1])) --end;  // "1,024, 12": the comma behind it is the sentence's
        const bool inside = at > 0 && (is_word(text[at - 1]) || text[at - 1] == '.');
        if (!inside && is_marked_number(text.substr(at, end - at), plain.decimal, plain.group))
            for (std::size_t i = at; i < end; ++i)
                out[i] = text[i] == plain.decimal ? marks.decimal : text[i] == plain.group ? marks.group : text[i];
        at = next;
    }
    return out;
}

std::string without_marks(std::string_view typed, NumberMarks marks) {
    constexpr NumberMarks plain;
    if (marks == plain) return std::string(typed);
    const bool has_decimal = typed.find(marks.decimal) != std::string_view::npos;
    std::size_t begin = 0, end = typed.size();
    while (begin < end && !is_digit(typed[begin])) ++begin;
    while (end > begin && !is_digit(typed[end - 1])) --end;
    const std::string_view number = typed.substr(begin, end - begin);
    const bool grouped =
        number.find(marks.group) != std::string_view::npos && is_marked_number(number, marks.decimal, marks.group);
    std::string out;
    for (const char c : typed) {
        if (c == marks.group && (grouped || has_decimal)) {
            if (!grouped) return std::string(typed);  // "1.2,5" is not a number in any language
            continue;
        }
        out += c == marks.decimal ? plain.decimal : c;
    }
    return out;
}

}  // namespace scalescope::language
