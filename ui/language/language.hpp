// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>

namespace scalescope::ui {

/// The languages there are; a new one is a value here, its row in language.cpp, a .ts and a folder of templates.
enum class Language { system, english, german };
/// Those that can be spoken.
inline constexpr std::array<Language, 2> all_languages{Language::english, Language::german};

/// Its short name in the settings: "", "en", "de".
QString code_of(Language language);
Language language_of(const QString& code);
/// In itself: "Deutsch".
QString name_of(Language language);
/// What `system` stands for: the first language of the desktop that there is.
Language language_of_system();

/// From here on the program speaks it: texts of ui, of Qt, and what core says. To be called before the first window;
/// windows that are there keep theirs.
void use_language(Language language);
/// Whether the windows that are there speak it.
bool is_spoken(Language language);

}  // namespace scalescope::ui
