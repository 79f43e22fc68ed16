// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/output.hpp"

namespace scalescope::app {

/// The table with times and amounts of memory in units that suit their size, for people: a column "epoch_s" of days
/// becomes "epoch_d". A column keeps its unit while its largest value is between 0.1 and 10,000; a table of figures,
/// values and units is changed row by row.
Table with_readable_units(Table table);

}  // namespace scalescope::app
