// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/formats/library.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope::formats {

/// Sets what a person names by path: any field of the table (core/scenario/fields.hpp); "cluster", all that the cluster
/// of that name says, about as many workers kept; "way", the work divided as the way of that name does; "network", the
/// network of that name instead of what the step runs; "adapters", which adds low-rank adapters to the named products
/// and freezes all other weights (core/scenario/adapters.hpp); "calibration", the constants of the user's calibration
/// of that name. An unknown name is a Problem that names the closest one; the scenario is then unchanged.
Result<void> set_by_name(Scenario& scenario, const std::string& path, const std::string& value, const Library& library);

/// One's own calibration of that name; a Problem that says the closest one if there is none.
Result<Calibration> own_calibration(const std::string& name, const Library& library);

/// Writes a calibration into a person's folder and puts it into the library, in place of the one with the same name.
/// Its id is made from its name. Gives the file.
Result<std::string> keep_calibration(Calibration calibration, const std::filesystem::path& own_folder,
                                     Library& library);

}  // namespace scalescope::formats
