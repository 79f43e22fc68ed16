// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>

#include "app/commands/output.hpp"
#include "core/measure/fit/fitted_runs.hpp"

namespace scalescope::app {

/// Writes what `show` names ("constants", "factors", "metrics", "runs", "speedup"), or for people ("all" as a table)
/// the first three and the speedup with headings.
void write_fit(std::ostream& out, const measure::Fit& fit, const measure::Runs& runs, const std::string& show,
               OutputFormat format);

/// The same for what a saved fit says of other runs: "runs", "metrics", "constants", "factors", or for people ("all" as
/// a table) the errors and the runs; "all" otherwise means the runs. `same`: they are those that it was fitted to.
void write_applied(std::ostream& out, const measure::FittedRuns& fitted, const measure::Runs& runs,
                   const measure::AppliedFit& applied, bool same, const std::string& show, OutputFormat format);

}  // namespace scalescope::app
