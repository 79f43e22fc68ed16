// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>

#include "app/commands/output.hpp"
#include "core/measure/fit/fit.hpp"

namespace scalescope::app {

/// Writes what `show` names ("constants", "factors", "metrics", "runs", "speedup"), or for people ("all" as a table)
/// the first three and the speedup with headings.
void write_fit(std::ostream& out, const measure::Fit& fit, const measure::Runs& runs, const std::string& show,
               OutputFormat format);

}  // namespace scalescope::app
