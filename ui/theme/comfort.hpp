// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QApplication;
class QWidget;

/// How the program is handled, apart from its colours: whether things move by themselves, and how large is what a hand
/// can hit. Applied to everything that is open, at once.
namespace scalescope::ui {

enum class Motion { as_desktop, full, less };

/// Least side of a control for a finger, in px at 100 %.
inline constexpr int touch_size = 44;

/// Nothing slides, fades or scrolls by itself.
bool less_motion();
bool large_controls();
/// Call it before apply_theme(), which lays everything out anew.
void set_comfort(QApplication& app, Motion motion, bool large);

/// What a desktop says of animations in its files under `config` (~/.config): KDE's AnimationDurationFactor, GTK's
/// gtk-enable-animations. Desktops that keep it elsewhere are not known, and are taken to want them.
bool desktop_wants_less_motion(const QString& config);

/// Gives a widget that has a height of its own the one for a mouse or for a finger; called by the style.
void fit_to_hand(QWidget& widget);
/// Rules that follow those of the style sheet while controls are large.
QString sheet_for_fingers();

}  // namespace scalescope::ui
