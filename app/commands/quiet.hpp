// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>

#include "core/estimate/estimate.hpp"
#include "core/hardware/catalogue.hpp"

namespace scalescope::app {

/// What --quiet takes, for the help of a verb.
inline constexpr const char* quiet_help =
    "print this number alone, exactly: a figure of the table, or what conditions of lessons can name, such as mfu, "
    "memory, cost or layer.NAME.forward";

/// Writes one figure of an estimate to `out` as a bare number: the shortest that reads back the same, in the unit of
/// the table of `estimate`, else in that of lessons (core/lessons/names.hpp). Returns the exit code; for an unknown
/// name, `err` gets the closest one.
int write_figure(const std::string& verb, const std::string& name, const Scenario& scenario, const Estimate& e,
                 const Catalogue& catalogue, std::ostream& out, std::ostream& err);

}  // namespace scalescope::app
