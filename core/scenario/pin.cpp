// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/pin.hpp"

#include <algorithm>

#include "core/scenario/differences.hpp"

namespace scalescope {

std::string name_of_new_pin(const Scenario& scenario, const Pins& pins) {
    constexpr std::size_t told = 2;
    for (const Pin& pin : pins) {
        Scenario then = *pin.scenario, now = scenario;
        then.name = now.name = pin.name;
        if (pin.name != scenario.name && name_after(then, now) != scenario.name)
            continue;  // neither its name nor what became of it
        const auto all = differences(*pin.scenario, scenario);
        if (all.empty()) break;
        std::string name;
        for (std::size_t i = 0; i < std::min(told, all.size()); ++i)
            name += (i > 0 ? ", " : "") + all[i].label + (all[i].to.empty() ? "" : " " + all[i].to);
        return all.size() > told ? name + " \u2026" : name;
    }
    return scenario.name;
}

}  // namespace scalescope
