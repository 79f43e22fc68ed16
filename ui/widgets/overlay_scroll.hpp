// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractScrollArea;

namespace scalescope::ui {

/// Gives an area a vertical scroll bar that lies over its right edge instead of taking room from it: content keeps its
/// width whether it scrolls or not. `inset` px from the edge, 6 px wide: the content's right margin should hold both.
void use_overlay_scroll_bar(QAbstractScrollArea& area, int inset);

}  // namespace scalescope::ui
