// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/pieces.hpp"

#include <algorithm>

#include "core/base/decimal.hpp"
#include "core/base/letters.hpp"
#include "core/words/vocabulary.hpp"

namespace scalescope {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }
constexpr std::size_t shortest_plural = 3;

/// Signs, and words in other alphabets, with what they are read as; the longest first.
const std::vector<std::pair<std::string, std::string>>& signs() {
    static const auto all = [] {
        std::vector<std::pair<std::string, std::string>> list;
        for (const WordKind::Entry& entry : shipped_vocabulary().kinds.at("sign").entries)
            for (const std::string& sign : entry.phrases)
                list.emplace_back(sign, entry.means.size() == 1 ? entry.means : ' ' + entry.means + ' ');
        std::stable_sort(list.begin(), list.end(),
                         [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
        return list;
    }();
    return all;
}

/// Whether '*' between the texts means "times": "2 * HDR", "T4 * 8". It also marks bold text and entries of lists.
bool stands_for_times(std::string_view before, std::string_view after) {
    constexpr std::string_view blanks = " \t_";
    const std::size_t last = before.find_last_not_of(blanks), first = after.find_first_not_of(blanks);
    return last != before.npos && first != after.npos && before[last] != '\n' && before[last] != '*' &&
           (is_digit(before[last]) || is_digit(after[first]));
}

std::string with_plain_signs(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const bool ascii = static_cast<unsigned char>(text.front()) < 0x80;
        const auto sign = ascii ? signs().end() : std::find_if(signs().begin(), signs().end(), [&](const auto& s) {
            return text.starts_with(s.first);
        });
        const bool times = text.front() == '*' && stands_for_times(plain, text.substr(1));
        plain += times ? "x " : sign == signs().end() ? text.substr(0, 1) : sign->second;
        text.remove_prefix(sign == signs().end() ? 1 : sign->first.size());
    }
    return plain;
}

/// The end of the number that begins at `at`. It consists of digits and, unless letters precede it ("p3.2xlarge"), of
/// groups of three digits after commas and a fraction.
std::size_t end_of_number(std::string_view text, std::size_t at, bool behind_letters) {
    const auto digits = [&](std::size_t from) {
        while (from < text.size() && is_digit(text[from])) ++from;
        return from;
    };
    std::size_t end = digits(at);
    if (behind_letters) return end;
    while (end - at <= 3 && end < text.size() && text[end] == ',' && digits(end + 1) == end + 4) at = end + 1, end += 4;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) end = digits(end + 1);
    return end;
}

}  // namespace

std::vector<Piece> pieces_of(std::string_view written) {
    const std::string text = with_plain_signs(written);
    std::vector<Piece> pieces;
    bool glued = false;
    const auto add = [&](std::string_view piece, bool number) {
        Piece p{.text = in_small_letters(piece), .written = std::string(piece), .number = number, .glued = glued};
        if (number) {
            std::erase(p.text, ',');
            p.value = parse_decimal(p.text).value_or(0.0);
        }
        pieces.push_back(std::move(p));
        glued = true;
    };
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 1;
        if (text.substr(i, 3) == "<br" || text.substr(i, 4) == "</br") {  // pasted from a web page
            glued = false;
            i = std::min(text.find('>', i), text.size() - 1) + 1;
            continue;
        }
        if (is_digit(text[i])) {
            end = end_of_number(text, i, glued && !pieces.back().number);
            add(std::string_view(text).substr(i, end - i), true);
        } else if (is_letter(text[i])) {
            // "NVLink" is NV and Link; "GPUs" and "TFLOPs" are one word each.
            while (end < text.size() && is_letter(text[end])) {
                const bool camel = is_capital(text[end]) && !is_capital(text[end - 1]);
                const bool ends_capitals = is_capital(text[end]) && is_capital(text[end - 1]) &&
                                           end + 2 < text.size() && is_letter(text[end + 1]) &&
                                           !is_capital(text[end + 1]) && is_letter(text[end + 2]) &&
                                           !is_capital(text[end + 2]);
                if (camel || ends_capitals) break;
                ++end;
            }
            // The x in "8xH100" is a separate piece: it marks a count.
            if (glued && pieces.back().number && small_letter(text[i]) == 'x') end = i + 1;
            add(std::string_view(text).substr(i, end - i), false);
        } else {
            glued = false;
            if (text[i] == '/') add("per", false), glued = false;
            if (text[i] == '%') add("%", false);
        }
        i = end;
    }
    return pieces;
}

std::size_t PieceMatcher::length_at(std::string_view word, std::size_t from) const {
    std::size_t spelled = 0;
    for (std::size_t i = from; i < pieces_.size() && !taken_[i]; ++i) {
        const std::string& text = pieces_[i].text;
        const std::string_view rest = word.substr(spelled);
        if (rest == text || (rest.size() >= shortest_plural && text.size() == rest.size() + 1 && text.ends_with('s') &&
                             text.starts_with(rest)))
            return i - from + 1;
        if (text.size() >= rest.size() || !rest.starts_with(text)) return 0;
        spelled += text.size();
    }
    return 0;
}

std::size_t PieceMatcher::find_at(std::string_view word) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (length_at(word, i) > 0) return i;
    return no_place;
}

bool PieceMatcher::take(std::string_view word) {
    const std::size_t at = find_at(word);
    if (at == no_place) return false;
    const std::size_t length = length_at(word, at);
    for (std::size_t i = 0; i < length; ++i) taken_[at + i] = true;
    return true;
}

}  // namespace scalescope
