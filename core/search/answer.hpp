// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/search/findings.hpp"

namespace scalescope::search {

/// The mesh as an equation: "512 = 16 data × 4 pipeline × 8 tensor"; without degrees of 1: "512 = 512 data". Of what
/// has no mesh, the number of devices.
std::string mesh_equation(const Scenario& scenario);

/// What a search found, in two sentences.
struct Answer {
    std::string best;       ///< "The best is 512 = 64 data × 8 tensor: 366 d."; empty if nothing was found
    std::string runner_up;  ///< the best of those that differ in what was asked; empty if there is none
    std::optional<std::uint64_t> runner_up_index;  ///< in the space
};
/// The next best design differs from the best in the first axis that has several values and does not belong to the
/// mesh, such as the number of devices or their kind. If there is no such axis, it has another mesh.
Answer answer_of(const Findings& findings, const formats::Library& library);

}  // namespace scalescope::search
