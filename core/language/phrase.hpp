// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What core says is English. Another language comes from a catalogue of templates, so that core says each thing once
/// and knows nothing of languages.
namespace scalescope::language {

/// How a language writes numbers: 1,024.5 in English, 1.024,5 in German.
struct NumberMarks {
    char decimal = '.', group = ',';
    bool operator==(const NumberMarks&) const = default;
};

/// `text` with its numbers, as core/base/format writes them, in other marks. A run of digits that belongs to a word
/// ("conv1.5", "v3.1") or is not a number ("1.2.3", "1,2") stays.
std::string with_marks(std::string_view text, NumberMarks marks);

/// What somebody typed in these marks, as core reads numbers. Without the language's own decimal mark a dot is one too,
/// unless it stands where thousands are grouped.
std::string without_marks(std::string_view typed, NumberMarks marks);

/// What may stand in a hole of a template.
enum class Hole {
    said,   ///< `{}`: any text; told in turn
    kept,   ///< `{=}`: any text, such as a name; stays as it is, but for the marks of numbers without words
    number  ///< `{#}`: a number without a space, which gets the language's marks
};

/// A sentence with holes, and the same sentence in another language, whose holes are numbered from 1: "The layer {=}
/// has no weights." and "Die Schicht {1} hat keine Gewichte."
class Phrase {
public:
    /// Nothing, and why in `wrong`, if the two do not belong together.
    static std::optional<Phrase> make(std::string_view english, std::string_view other, std::string& wrong);

    const std::string& beginning() const { return literals_.front(); }
    const std::vector<Hole>& holes() const { return holes_; }
    /// Bytes outside of holes: of two templates that match, the one with more of them says more exactly what was meant.
    std::size_t literal_bytes() const { return literal_bytes_; }
    /// Whether its last hole is a list, which stands behind a colon in the other language: "use one of {=}", "eines
    /// davon verwenden: {1}".
    bool ends_in_list() const;
    /// Fills `contents` with what stands in the holes; false if `said` is another sentence. Holes are as short as can
    /// be, from the left; none is empty.
    bool match(std::string_view said, std::vector<std::string_view>& contents) const;
    std::string compose(const std::vector<std::string>& contents) const;

private:
    struct Piece {
        std::string text;
        std::size_t hole = 0;  ///< that follows the text, from 1; 0: none
    };
    std::vector<std::string> literals_;  ///< one more than holes
    std::vector<Hole> holes_;
    std::vector<Piece> other_;
    std::size_t literal_bytes_ = 0;

    bool fill(std::size_t hole, std::string_view rest, std::vector<std::string_view>& contents, int& tries) const;
};

}  // namespace scalescope::language
