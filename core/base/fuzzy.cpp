// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/fuzzy.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/sequences.hpp"

namespace scalescope {
namespace {

constexpr int found_worth = 16, start_worth = 8, first_worth = 10, next_worth = 12, gap_cost = 3;
constexpr int not_found = std::numeric_limits<int>::min() / 2;

bool is_upper(char16_t c) { return (c >= u'A' && c <= u'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7); }

/// Latin capitals to small letters, which are all that the names of this program have.
char16_t folded(char16_t c) { return is_upper(c) ? static_cast<char16_t>(c + 0x20) : c; }

bool is_letter(char16_t c) { return folded(c) != c || (c >= u'a' && c <= u'z') || c >= 0xDF; }
bool is_digit(char16_t c) { return c >= u'0' && c <= u'9'; }
bool is_space(char16_t c) { return c == u' ' || c == u'\t' || c == 0xA0; }

std::uint64_t bit_of(char16_t c) { return std::uint64_t{1} << (c % 64U); }

std::uint64_t bits_of(std::u16string_view letters) {
    std::uint64_t bits = 0;
    for (const char16_t c : letters) bits |= bit_of(c);
    return bits;
}

}  // namespace

FuzzyText::FuzzyText(std::u16string_view text) {
    text = text.substr(0, FuzzyText::longest);
    letters_.reserve(text.size());
    starts_.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char16_t c = text[i], before = i ? text[i - 1] : u' ';
        const bool word = is_letter(c) || is_digit(c);
        const bool start = word && ((!is_letter(before) && !is_digit(before)) || is_digit(c) != is_digit(before) ||
                                    (is_upper(c) && !is_upper(before)));
        starts_.push_back(static_cast<std::int8_t>(!start ? 0 : i == 0 ? first_worth : start_worth));
        letters_.push_back(folded(c));
    }
    present_ = bits_of(letters_);
}

FuzzyQuery::FuzzyQuery(std::u16string_view typed) {
    typed = typed.substr(0, FuzzyQuery::longest);
    for (std::size_t i = 0; i < typed.size();) {
        if (is_space(typed[i])) {
            ++i;
            continue;
        }
        Word word;
        for (; i < typed.size() && !is_space(typed[i]); ++i) word.letters.push_back(folded(typed[i]));
        word.present = bits_of(word.letters);
        words_.push_back(std::move(word));
    }
}

/// Row by row over the letters of the word: `with[j]` is the best worth of the word so far if its last letter is the
/// text's j-th.
int FuzzyQuery::best(const Word& word, const FuzzyText& text, std::vector<std::size_t>* places) {
    if ((word.present & ~text.present_) != 0) return not_found;
    const std::size_t n = text.size(), m = word.letters.size();
    if (m > n) return not_found;
    std::size_t seen = 0;
    for (std::size_t j = 0; j < n && seen < m; ++j) seen += text.letters_[j] == word.letters[seen] ? 1U : 0U;
    if (seen < m) return not_found;

    std::array<int, FuzzyText::longest> rows[2];
    int *with = rows[0].data(), *before = rows[1].data();
    std::fill_n(with, n, not_found);
    std::vector<std::uint16_t> from(places ? n * m : 0);
    for (std::size_t i = 0; i < m; ++i) {
        int furthest = not_found;  // the best of all places further back than the neighbour
        std::size_t furthest_at = 0;
        std::swap(with, before);
        for (std::size_t j = 0; j < n; ++j) {
            with[j] = not_found;
            if (j >= 2 && before[j - 2] > furthest) furthest = before[j - 2], furthest_at = j - 2;
            if (text.letters_[j] != word.letters[i]) continue;
            const int here = found_worth + text.starts_[j];
            if (i == 0) {
                with[j] = here;
                continue;
            }
            const int near = j > 0 ? before[j - 1] + next_worth : not_found, far = furthest - gap_cost;
            if (std::max(near, far) < 0) continue;
            with[j] = here + std::max(near, far);
            if (places) from[i * n + j] = static_cast<std::uint16_t>(near >= far ? j - 1 : furthest_at);
        }
    }
    const int* last = std::max_element(with, with + n);
    if (*last < 0) return not_found;
    if (places) {
        auto at = static_cast<std::size_t>(last - with);
        for (std::size_t i = m; i-- > 0; at = from[i * n + at]) places->push_back(at);
    }
    return *last;
}

/// Letter by letter and from the beginning of a word: in long texts scattered letters are found everywhere.
int FuzzyQuery::beginning(const Word& word, const FuzzyText& text) {
    if ((word.present & ~text.present_) != 0) return not_found;
    int most = not_found;
    for (std::size_t at = text.letters_.find(word.letters); at != std::u16string::npos;
         at = text.letters_.find(word.letters, at + 1))
        if (text.starts_[at] > 0) {
            int worth = 0;
            for (std::size_t i = 0; i < word.letters.size(); ++i)
                worth += found_worth + text.starts_[at + i] + (i ? next_worth : 0);
            most = std::max(most, worth);
        }
    return most;
}

std::optional<int> FuzzyQuery::score(const FuzzyText& name, const FuzzyText& about) const {
    int sum = 0;
    for (const Word& word : words_) {
        const int in_name = best(word, name, nullptr), in_about = beginning(word, about);
        if (in_name < 0 && in_about < 0) return std::nullopt;
        sum += std::max(in_name, in_about / 2);
    }
    return sum;
}

std::vector<std::size_t> FuzzyQuery::places(const FuzzyText& name) const {
    std::vector<std::size_t> all;
    for (const Word& word : words_) best(word, name, &all);
    sort_once(all);
    return all;
}

}  // namespace scalescope
