// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {

/// From PALEO's number for the scenario to what the scenario's corrections make of it, one by one. Empty where the
/// answer was not asked for it.
WaterfallData paleo_data(const LiveResult& result);

}  // namespace scalescope::ui
