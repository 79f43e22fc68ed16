// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/output.hpp"
#include "core/estimate/estimate.hpp"

/// The timeline of a step, piece by piece.
namespace scalescope::app {

/// A row per piece, in the order in which they are drawn.
Table timeline_table(const Scenario& scenario, const Plan& plan, const Estimate& e);

}  // namespace scalescope::app
