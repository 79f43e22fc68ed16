// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/scenario/fields.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// What a field is called in texts about one scenario: the workers of a CPU cluster are machines.
inline std::string label_in(const Scenario& scenario, const Field& field) {
    return scenario.model.method == Method::cpu_cluster && field.path == "cluster.workers" ? "Machines"
                                                                                           : std::string(field.label);
}

}  // namespace scalescope
