// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/phrase.hpp"

#include <algorithm>
#include <set>

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

namespace {

/// Places of a literal that are tried before a sentence counts as another one: what is told must never hang.
constexpr int most_tries = 200;

struct Marked {
    std::size_t at = std::string_view::npos;
    Hole hole = Hole::said;
    std::size_t size = 0;
};

Marked next_hole(std::string_view text, std::size_t from) {
    for (std::size_t at = text.find('{', from); at != std::string_view::npos; at = text.find('{', at + 1)) {
        const std::string_view rest = text.substr(at);
        if (rest.starts_with("{}")) return {at, Hole::said, 2};
        if (rest.starts_with("{=}")) return {at, Hole::kept, 3};
        if (rest.starts_with("{#}")) return {at, Hole::number, 3};
    }
    return {};
}

bool is_number(std::string_view text) {
    if (text.find(' ') != std::string_view::npos) return false;
    constexpr std::string_view minus = "\u2212";
    if (text.starts_with(minus)) text.remove_prefix(minus.size());
    if (!text.empty() && (text[0] == '-' || text[0] == '+' || text[0] == '$')) text.remove_prefix(1);
    return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

}  // namespace

std::optional<Phrase> Phrase::make(std::string_view english, std::string_view other, std::string& wrong) {
    const auto refuse = [&wrong](std::string why) {
        wrong = std::move(why);
        return std::nullopt;
    };
    Phrase p;
    std::size_t from = 0;
    for (Marked m = next_hole(english, 0); m.at != std::string_view::npos; m = next_hole(english, from)) {
        p.literals_.emplace_back(english.substr(from, m.at - from));
        if (!p.holes_.empty() && p.literals_.back().empty()) return refuse("Two holes touch each other.");
        p.holes_.push_back(m.hole);
        from = m.at + m.size;
    }
    p.literals_.emplace_back(english.substr(from));
    for (const std::string& literal : p.literals_) p.literal_bytes_ += literal.size();
    if (p.literal_bytes_ == 0) return refuse("There is nothing beside the holes.");
    if (other.empty()) return refuse("It is not translated.");
    std::set<std::size_t> used;
    from = 0;
    for (std::size_t at = other.find('{'); at != std::string_view::npos; at = other.find('{', at + 1)) {
        if (at + 2 >= other.size() || other[at + 2] != '}' || other[at + 1] < '1' || other[at + 1] > '9') continue;
        const auto hole = static_cast<std::size_t>(other[at + 1] - '0');
        if (hole > p.holes_.size()) return refuse("The translation has a hole too many.");
        p.other_.push_back({std::string(other.substr(from, at - from)), hole});
        used.insert(hole);
        from = at + 3;
    }
    p.other_.push_back({std::string(other.substr(from)), 0});
    if (used.size() != p.holes_.size()) return refuse("The translation leaves a hole out.");
    return p;
}

bool Phrase::match(std::string_view said, std::vector<std::string_view>& contents) const {
    if (!said.starts_with(literals_.front()) || !said.ends_with(literals_.back())) return false;
    if (said.size() < literal_bytes_ + holes_.size()) return false;
    contents.resize(holes_.size());
    if (holes_.empty()) return said.size() == literal_bytes_;
    int tries = most_tries;
    return fill(0, said.substr(literals_.front().size()), contents, tries);
}

bool Phrase::fill(std::size_t hole, std::string_view rest, std::vector<std::string_view>& contents, int& tries) const {
    const std::string& next = literals_[hole + 1];
    const auto take = [&](std::string_view content) {
        if (content.empty() || (holes_[hole] == Hole::number && !is_number(content))) return false;
        contents[hole] = content;
        return true;
    };
    if (hole + 1 == holes_.size())
        return rest.size() > next.size() && rest.ends_with(next) && take(rest.substr(0, rest.size() - next.size()));
    for (std::size_t at = rest.find(next, 1); at != std::string_view::npos; at = rest.find(next, at + 1)) {
        if (--tries < 0) return false;
        if (take(rest.substr(0, at)) && fill(hole + 1, rest.substr(at + next.size()), contents, tries)) return true;
    }
    return false;
}

bool Phrase::ends_in_list() const {
    return std::ranges::any_of(other_,
                               [&](const Piece& p) { return p.hole == holes_.size() && p.text.ends_with(": "); });
}

std::string Phrase::compose(const std::vector<std::string>& contents) const {
    std::string text;
    for (const Piece& piece : other_) {
        text += piece.text;
        if (piece.hole > 0) text += contents[piece.hole - 1];
    }
    return text;
}

}  // namespace scalescope::language
