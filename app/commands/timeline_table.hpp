// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

#include "app/commands/output.hpp"
#include "core/estimate/estimate.hpp"

/// The timeline of a step, piece by piece.
namespace scalescope::app {

/// A row per piece, in the order in which they are drawn.
Table timeline_table(const Scenario& scenario, const Plan& plan, const Estimate& e);
/// The same as a trace that Perfetto and chrome://tracing open (Trace Event Format, complete events).
void write_trace(std::ostream& out, const Scenario& scenario, const Plan& plan, const Estimate& e);

}  // namespace scalescope::app
