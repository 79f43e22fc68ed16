// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/key_settings.hpp"

#include <string_view>

#include "core/scenario/fields.hpp"

namespace scalescope {

std::string key_settings(const Scenario& scenario) {
    constexpr std::string_view paths[] = {"cluster.device",  "cluster.machine",          "cluster.inside",
                                          "cluster.between", "cluster.devices_per_node", "cluster.workers",
                                          "training.batch",  "training.batch_rule",      "training.precision"};
    const bool machines = scenario.model.method == Method::cpu_cluster;
    std::string text;
    for (const std::string_view path : paths) {
        const Field* field = find_field(path);
        const bool of_machines = path == "cluster.machine",
                   of_devices = path.starts_with("cluster.") && !of_machines && path != "cluster.workers";
        if (!field || (machines ? of_devices || path == "training.precision" : of_machines)) continue;
        text += (text.empty() ? "" : ", ") + std::string(path) + '=' + field_text(*field, scenario);
    }
    return text;
}

}  // namespace scalescope
