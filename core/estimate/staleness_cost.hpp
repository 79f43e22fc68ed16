// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/staleness.hpp"

namespace scalescope {

/// The lesson with another cost of staleness, which nothing but efficiency, progress and the best count depend on: for
/// a hand that drags it. As staleness_lesson() of the scenario with that cost, bit for bit.
StalenessLesson with_cost(StalenessLesson lesson, Fraction cost);

}  // namespace scalescope
