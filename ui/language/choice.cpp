// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/language/choice.hpp"

#include <string>

#include "core/drawing/caption.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {

QString told_choice(const Field& field, std::string_view choice) {
    return told_value(field.label, drawing::spoken(choice));
}

/// Core names pins by label and value, so that the language knows the two together.
QString told_value(std::string_view label, std::string_view value) {
    const QString before = told_word(label) + QLatin1Char(' ');
    const QString both = told_word(std::string(label) + ' ' + std::string(value));
    return both.startsWith(before) ? both.mid(before.size()) : told(value);
}

}  // namespace scalescope::ui
