// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace scalescope::ui {

/// The languages there are; a new one is a value here, its row in language.cpp, a .ts and a folder of templates.
enum class Language { system, english, german };

/// Its short name in the settings: "", "en", "de".
QString code_of(Language language);
Language language_of(const QString& code);
/// What `system` stands for: the first language of the desktop that there is.
Language language_of_system();

/// From here on the program speaks it: texts of ui, of Qt, and what core says. To be called before the first window;
/// windows that are there keep theirs.
void use_language(Language language);

}  // namespace scalescope::ui
