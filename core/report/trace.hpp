// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/estimate/timeline.hpp"

/// The timeline of a step for other programs.
namespace scalescope::report {

/// "forward", "hidden communication": in files, English in every language.
std::string_view word_of(Activity activity);
/// Name of the layer of an interval; empty if it is of no single one.
std::string layer_of(const Scenario& scenario, const Interval& interval);
/// A trace that Perfetto and chrome://tracing open (Trace Event Format: complete events, microseconds), a thread for
/// each row. Of a CPU cluster, which has no timeline, a trace without events.
std::string trace_json(const Scenario& scenario, const Plan& plan, const Estimate& estimate);

}  // namespace scalescope::report
