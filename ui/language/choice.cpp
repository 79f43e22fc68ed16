// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/choice.hpp"

#include <string>

#include "core/drawing/caption.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {

/// Core names pins by label and choice, so that the language knows the two together.
QString told_choice(const Field& field, std::string_view choice) {
    const std::string words = drawing::spoken(choice);
    const QString before = told_word(field.label) + QLatin1Char(' ');
    const QString both = told_word(std::string(field.label) + ' ' + words);
    return both.startsWith(before) ? both.mid(before.size()) : QString::fromStdString(words);
}

}  // namespace scalescope::ui
