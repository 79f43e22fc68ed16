// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/dividing.hpp"
#include "core/network/sketch.hpp"
#include "ui/canvas/border_item.hpp"

namespace scalescope::ui {

/// The borders of the work in the words and positions of the canvas. `sketch` may be a draft of `network`: then they
/// are shown, but stay where they are.
std::vector<CanvasBorder> canvas_borders(const Dividing& dividing, const Scenario& scenario, const Network& network,
                                         const Sketch& sketch, bool draft);

}  // namespace scalescope::ui
