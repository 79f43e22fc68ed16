// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace scalescope::ui {

/// What the program is, its version, methods and licence.
void show_about(QWidget* parent);

}  // namespace scalescope::ui
