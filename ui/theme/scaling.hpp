// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace scalescope::ui {

/// What set_type_scale() does before the style sheet is applied anew: fonts, fixed sizes and icons of every widget that
/// there is. False if that is the scale already.
bool rescale(QApplication& app, double scale);

}  // namespace scalescope::ui
