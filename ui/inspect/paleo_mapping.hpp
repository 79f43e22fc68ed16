// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {

/// Waterfall from the step time of PALEO's own code to the corrected one, a bar for each correction of the scenario.
/// Empty if the request did not ask for it.
WaterfallData paleo_data(const LiveResult& result);

}  // namespace scalescope::ui
