// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/words/pieces.hpp"

namespace scalescope {

/// What words mean of one kind: precisions, columns of tables, … (presets/words).
struct WordKind {
    /// A meaning and what people call it: each phrase is words of which all must stand in a text, in any order.
    struct Entry {
        std::string means;
        std::vector<std::string> phrases;
    };
    std::vector<Entry> entries;
    bool first = false;  ///< the first entry that stands in a text counts, not the one that spells most of it
};

/// What a text was taken for.
struct WordReading {
    std::string means;                ///< empty if nothing fits, or several meanings fit alike
    double explained = 0;             ///< share of the letters and digits that the meaning's words spell
    std::vector<std::string> others;  ///< the other meanings that fit alike, or fit less well
};

/// The vocabulary by kind: "precision", "recompute", "sharding", "column", "metric".
class Vocabulary {
public:
    /// The meaning whose words spell most of the text. Letter case, separators and order do not count. Where none fits,
    /// the kind "… otherwise" is asked: words that say little, such as "mixed".
    WordReading read(std::string_view kind, std::string_view text) const;
    WordReading read(std::string_view kind, const std::vector<Piece>& pieces) const;

    std::map<std::string, WordKind, std::less<>> kinds;
};

/// A file of words (presets/schema/words.schema.json). Every problem is reported, with its place.
Result<Vocabulary> read_vocabulary(std::string_view text, std::string file);
/// The one that is shipped; read once.
const Vocabulary& shipped_vocabulary();

}  // namespace scalescope
