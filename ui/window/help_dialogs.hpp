// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenuBar;
class QWidget;

namespace scalescope::ui {

/// Every shortcut of the menus, read from the menus themselves, and the keys of slider, charts and lists.
void show_shortcuts(QWidget* parent, const QMenuBar& menus);
void show_about(QWidget* parent);

}  // namespace scalescope::ui
