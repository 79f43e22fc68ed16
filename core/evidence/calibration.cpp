// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/calibration.hpp"

#include <array>

#include "core/base/sequences.hpp"

namespace scalescope {

std::string_view name_of(Verdict v) {
    constexpr std::array<std::string_view, 3> names{"determined", "partly determined", "not determined"};
    return names[static_cast<std::size_t>(v)];
}

const CalibratedConstant* Calibration::constant(std::string_view field) const {
    return find_by(constants, field, &CalibratedConstant::field);
}

}  // namespace scalescope
