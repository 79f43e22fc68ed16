// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QString>
#include <functional>
#include <vector>

namespace scalescope::ui {

/// One line of the command palette.
struct Command {
    QString id;                       ///< the same in every run: by it, what was used lately is known again
    QString title;                    ///< "Save as…"
    QString place;                    ///< where it stands otherwise, or what it is one of: "File ▸ Export", "Device"
    QString keys;                     ///< "Ctrl+S"; empty if it has none
    QString about;                    ///< further words by which it is found, not shown
    QString why_not;                  ///< while it is off: why; may be empty
    bool enabled = true, on = false;  ///< on: it is chosen already, or switched on
    std::function<void()> run;
};
using Commands = std::vector<Command>;

/// Says why an action is switched off, for as long as it is.
inline constexpr const char* why_not_property = "whyNot";
inline void set_why_not(QAction& action, const QString& reason) { action.setProperty(why_not_property, reason); }

}  // namespace scalescope::ui
