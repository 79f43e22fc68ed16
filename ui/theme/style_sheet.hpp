// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace scalescope::ui {

struct Theme;

/// resources/style/scalescope.qss with every @name replaced by that colour of the theme.
QString style_sheet_of(const Theme& theme);

}  // namespace scalescope::ui
