// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/xy_chart.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {

/// The operations of a design under the ceilings of its device: hollow where one device did all of them, filled where
/// its share is, joined by a line. A point's id is the key of the layer that takes longest.
XyData roofline_data(const LiveResult& result);

}  // namespace scalescope::ui
