// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit/forms.hpp"

namespace scalescope::measure {

/// t = base[tier of the working set] · (1 + κ·(threads − 1)), in the last tier at least bytes · threads / bandwidth:
/// caches first, then memory that all threads share (Yan et al., KDD 2015, measure such tables).
Result<std::unique_ptr<Form>> make_tiers_form(const FormChoice& choice, const Runs& runs);

}  // namespace scalescope::measure
