// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

/// Controls that something else than their panel hides: a lesson that is about others. The panel goes on saying which
/// of its controls make sense; once the curtain is gone, those are shown again.
namespace scalescope::ui {

/// What a panel calls instead of setVisible().
void set_wanted(QWidget& widget, bool wanted);
bool is_curtained(const QWidget& widget);
/// The row of a form or, anywhere else, the control with the label beside it.
void set_curtained(QWidget& control, bool on);

}  // namespace scalescope::ui
