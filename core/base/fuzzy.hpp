// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Finding by a few letters. The rule:
///  - What is typed is cut at spaces into words. Every word must be found; they need no order.
///  - A word is found in a text that has its letters in that order. Capitals do not count.
///  - Each letter found is worth 16; 8 more at the beginning of a word of the text (10 at that of the text), 12 more
///    right behind the letter found before. A gap between two letters costs 3, however long it is. Of all places the
///    best ones count.
///  - A word that the name lacks may be the beginning of a word of what else is known of the entry, at half its worth.
///  - What was used lately is worth more by recency_bonus(), which breaks ties and little else.
/// Texts are UTF-16, as those of windows are, so that places are theirs too.
namespace scalescope {

/// A text made ready to be searched again and again.
class FuzzyText {
public:
    FuzzyText() = default;
    explicit FuzzyText(std::u16string_view text);

    std::size_t size() const { return letters_.size(); }
    /// What lies behind so many letters is not searched.
    static constexpr std::size_t longest = 256;

private:
    friend class FuzzyQuery;
    std::u16string letters_;           ///< folded
    std::vector<std::int8_t> starts_;  ///< what each place is worth as a beginning
    std::uint64_t present_ = 0;        ///< a bit for every letter that occurs, so that most texts are refused at once
};

class FuzzyQuery {
public:
    explicit FuzzyQuery(std::u16string_view typed);

    bool empty() const { return words_.empty(); }
    static constexpr std::size_t longest = 128;
    /// Nothing if a word is found in neither of them; 0 for an empty query.
    std::optional<int> score(const FuzzyText& name, const FuzzyText& about) const;
    /// The letters of the name that were found, in order: for emphasis.
    std::vector<std::size_t> places(const FuzzyText& name) const;

private:
    struct Word {
        std::u16string letters;
        std::uint64_t present = 0;
    };
    std::vector<Word> words_;

    static int beginning(const Word& word, const FuzzyText& text);
    static int best(const Word& word, const FuzzyText& text, std::vector<std::size_t>* places);
};

/// For what was used `uses_ago` uses ago; 0: the last one.
constexpr int recency_bonus(std::size_t uses_ago) {
    constexpr int most = 10;
    return uses_ago < most ? most - static_cast<int>(uses_ago) : 0;
}

}  // namespace scalescope
