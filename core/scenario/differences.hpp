// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"
#include "core/scenario/scenario.hpp"

/// In what two scenarios differ, thing by thing, and how one is led into the other.
namespace scalescope {

/// One thing in which two scenarios differ.
struct Difference {
    /// Of a field, "symbols.NAME" among them; "network" for the workload, with all that names its layers; "rest" for
    /// what no field says, such as the figures that a preset has beside those of the table.
    std::string path;
    std::string label;     ///< "Workers"
    std::string from, to;  ///< with units, as people read them: "8", "Tesla K40", "12 GB/s"
    bool operator==(const Difference&) const = default;
};

inline constexpr std::string_view workload_path = "network", rest_path = "rest";

/// Everything that changes a number, in the order of the field table, the network first. Names and descriptions of
/// scenarios change none. Taking over each of them, in whatever order, gives a scenario with the numbers of `to`.
std::vector<Difference> differences(const Scenario& from, const Scenario& to);

/// Gives `scenario` what `to` has there. A Problem where it cannot be had alone, such as a cut in a network that
/// `scenario` does not have; nothing changes then. "rest" takes over everything.
Result<void> take_over(Scenario& scenario, const Difference& difference, const Scenario& to);

/// "Collective ring → tree"
std::string to_text(const Difference& difference);
/// Every difference as such a line.
std::vector<std::string> difference_lines(const Scenario& from, const Scenario& to);

}  // namespace scalescope
