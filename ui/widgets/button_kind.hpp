// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyle>
#include <QWidget>

namespace scalescope::ui {

/// "primary": what a person does next; empty: any other button. The style sheet reads it only when it polishes.
inline void set_kind(QWidget& button, const QString& kind) {
    if (button.property("kind").toString() == kind) return;
    button.setProperty("kind", kind);
    button.style()->unpolish(&button);
    button.style()->polish(&button);
}

}  // namespace scalescope::ui
