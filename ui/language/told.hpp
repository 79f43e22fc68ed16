// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace scalescope::ui {

/// What free functions say, in the language of the window: classes have a tr() of their own.
QString tr(const char* text);

/// Names, ids and texts of files, which are the same in every language.
QString plain(std::string_view s);

/// What core says, in the language of the window: sentences, titles, labels. Names and ids pass through as they are: a
/// single word in small letters is taken for one, as are texts of files.
QString told(std::string_view said);
/// The same for what is known to be a word of core's and no name: "workers", "stride", "exact".
QString told_word(std::string_view said);

/// The text with its numbers in the decimal and group marks of the window's language, and nothing translated.
QString with_marks(const QString& text);
/// What somebody typed in those marks, as numbers are read.
QString without_marks(const QString& typed);

/// A line of arithmetic, "= 0.500 s + 2 layers": its words where they are known, and its numbers in those marks.
QString told_line(std::string_view line);

/// Many of something: "61.1 M", "70.6 B", in German "70,6 Mrd.". Not for told(), which would take B for bytes.
QString told_large_count(double value, int digits = 3, bool trim = false);

/// The name of something, in any language, as it goes on a sentence: nouns have a capital letter in some languages, and
/// where they have none, names such as "GPU" keep theirs.
QString inside_sentence(const QString& name);

/// Which language that is: "en", "de".
QString language_told();

/// The language from now on, such as "de"; empty: as core says it. Only for use_language.
void tell_in(const QString& code);

}  // namespace scalescope::ui
