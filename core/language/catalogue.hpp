// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/language/phrase.hpp"

namespace scalescope::language {

/// All templates of one language. Immutable once it is filled; telling allocates, reads nothing else and may be done by
/// any number of threads.
class Catalogue {
public:
    /// Why it cannot be added; empty if it was. A sentence that is there already is replaced by the same only.
    std::string add(std::string_view english, std::string_view other);
    /// To be called once, after the last `add`.
    void sort();
    std::size_t size() const { return whole_.size() + phrases_.size(); }

    /// `said` in this language: the template with the most text of its own that matches, its holes told in turn; else
    /// sentence by sentence, or the members of a list; what is not known stays as it is. Numbers get the language's
    /// marks where they stand alone ("1,024.5 ms") or in the hole of a template; names keep theirs.
    std::string tell(std::string_view said) const;

    void set_marks(NumberMarks marks) { marks_ = marks; }
    NumberMarks marks() const { return marks_; }

    /// Words of `said` that nothing in the catalogue matches, each once: for the tests that keep it complete. Names,
    /// which the templates keep, are none.
    std::vector<std::string> unknown(std::string_view said) const;

private:
    struct Told {
        std::string text;
        bool known = false;
    };
    std::map<std::string, std::string, std::less<>> whole_;  ///< sentences without holes
    std::vector<Phrase> phrases_;                            ///< sorted by their beginning
    NumberMarks marks_;

    Told tell(std::string_view said, int depth, std::vector<std::string>* unknown) const;
    Told told_in_full(std::string_view said, int depth, bool frames, std::vector<std::string>* unknown) const;
    Told told_in_other_form(std::string_view said, int depth, std::vector<std::string>* unknown) const;
    Told told_in_parts(std::string_view said, int depth, std::vector<std::string>* unknown) const;
    const Phrase* find(std::string_view said, bool frames, std::vector<std::string_view>& contents) const;
};

/// The catalogue of a language that is compiled in, such as "de"; problems name file and line.
Result<Catalogue> shipped_catalogue(std::string_view code);

/// Adds what a file of the format scalescope-language says.
Problems read_language(std::string_view text, std::string file, Catalogue& into);

}  // namespace scalescope::language
