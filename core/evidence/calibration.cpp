// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evidence/calibration.hpp"

#include "core/base/sequences.hpp"

namespace scalescope {

std::string_view name_of(Verdict v) { return one_of(v, "determined", "partly determined", "not determined"); }

const CalibratedConstant* Calibration::constant(std::string_view field) const {
    return find_by(constants, field, &CalibratedConstant::field);
}

}  // namespace scalescope
