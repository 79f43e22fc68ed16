// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/input.hpp"
#include "app/commands/output.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/search/axis.hpp"

/// What --vary says: fields and the values they take, and their columns in a table.
namespace scalescope::app {

struct VariedAxis : search::Axis {
    const Field* field = nullptr;  ///< none for cluster, network and calibration
};

/// Reads one --vary. A field is known to `symbols` or to the table; an unknown one is a Problem that says the closest.
Result<VariedAxis> read_varied(const Assignment& vary, const Scenario& scenario, const SymbolFields& symbols,
                               Setter& setter);
/// Every value must be one that the field takes in the scenario as it is.
Result<void> check_values(const VariedAxis& axis, const Scenario& scenario, Setter& setter);

/// The path, with its unit where the path does not end with it.
std::string column_of(const VariedAxis& axis);
Cell axis_cell(const VariedAxis& axis, const std::string& text, const Scenario& scenario);

}  // namespace scalescope::app
