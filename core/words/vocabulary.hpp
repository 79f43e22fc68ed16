// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/words/pieces.hpp"

namespace scalescope {

/// The meanings of one kind of words: precisions, columns of tables, … (presets/words).
struct WordKind {
    /// A meaning and its phrases. A phrase matches a text that contains all its words, in any order.
    struct Entry {
        std::string means;
        std::vector<std::string> phrases;
    };
    std::vector<Entry> entries;
    bool first = false;     ///< the first matching entry wins, not the one that spells most of the text
    bool in_order = false;  ///< words of a phrase follow each other, with nothing but fillers between them
};

/// The meaning that was found for a text.
struct WordReading {
    std::string means;     ///< empty if nothing matches, or several meanings match equally well
    double explained = 0;  ///< share of the letters and digits that the words of the meaning spell
};

/// The share of the words that `letters` are, not counting those that say nothing by themselves; at most 1.
double share_of_words(const std::vector<Piece>& pieces, std::size_t letters);

/// Words by kind: "precision", "recompute", "sharding", "column", "metric".
class Vocabulary {
public:
    /// The meaning whose words spell most of the text. Letter case, separators and order do not matter. If no meaning
    /// matches, the kind "… otherwise" is tried, which has vague words such as "mixed".
    WordReading read(std::string_view kind, std::string_view text) const;
    /// Only meanings that are accepted count, if there is a condition.
    WordReading read(std::string_view kind, const std::vector<Piece>& pieces,
                     const std::function<bool(std::string_view)>& accepts = {}) const;
    /// The same without the vague words.
    WordReading read_strictly(std::string_view kind, const std::vector<Piece>& pieces,
                              const std::function<bool(std::string_view)>& accepts = {}) const;
    /// The number that the word spells, such as 2 for "two"; 0 if it does not.
    double number_called(std::string_view word) const;
    /// Whether the word says nothing by itself: "per", "average".
    bool is_filler(std::string_view word) const;

    std::map<std::string, WordKind, std::less<>> kinds;
};

/// Reads a file of words (presets/schema/words.schema.json). Reports every problem with its position.
Result<Vocabulary> read_vocabulary(std::string_view text, std::string file);
/// The shipped vocabulary, read on first use.
const Vocabulary& shipped_vocabulary();

}  // namespace scalescope
