// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_tooltip.hpp"

namespace scalescope::ui {

class BoxItem;
class CanvasScene;

/// What is said of a box under the pointer.
TooltipText canvas_tip(const CanvasScene& scene, const BoxItem& box);

}  // namespace scalescope::ui
