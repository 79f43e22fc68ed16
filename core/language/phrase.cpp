// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/language/phrase.hpp"

#include <algorithm>
#include <set>

namespace scalescope::language {
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
