// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/calibration.hpp"

#include <array>

namespace scalescope {

std::string_view name_of(Verdict v) {
    constexpr std::array<std::string_view, 3> names{"determined", "partly determined", "not determined"};
    return names[static_cast<std::size_t>(v)];
}

const CalibratedConstant* Calibration::constant(std::string_view field) const {
    for (const CalibratedConstant& c : constants)
        if (c.field == field) return &c;
    return nullptr;
}

}  // namespace scalescope
