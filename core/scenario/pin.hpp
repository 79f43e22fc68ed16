// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/limits.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope {

/// A design that is kept beside the one that is worked on, to be compared with it. Its letter is its place: A to D.
struct Pin {
    std::string name;
    std::shared_ptr<const Scenario> scenario;  ///< never null
    bool operator==(const Pin& o) const {
        return name == o.name && (scenario == o.scenario || *scenario == *o.scenario);
    }
};

/// At most limits::pins.
using Pins = std::vector<Pin>;

/// What a new pin is called at first: as the scenario, or, where a pin is called so already, after what it has other
/// than that: "Workers 64, Device Tesla K80".
std::string name_of_new_pin(const Scenario& scenario, const Pins& pins);

/// 'A' for the first.
constexpr char letter_of_pin(std::size_t index) { return static_cast<char>('A' + index); }

}  // namespace scalescope
