// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit/forms.hpp"

namespace scalescope::measure {

/// What a column can be in a form.
enum class FactorRole {
    none,
    power,      ///< what is computed, as a power
    level,      ///< what is computed, a constant for every value
    extrinsic,  ///< scales the work
    traffic,    ///< two-term: what is sent
};

/// The usual scaling factors that vary among the runs: workers, batch (the one that stands first), chunks.
std::vector<std::string> usual_extrinsic(const Runs& runs, const FormChoice& choice);

/// The columns that can play a part at all: those that vary, and of words those with at most 24 values.
std::vector<std::string> candidate_factors(const Runs& runs);

/// A form to begin with: the usual extrinsic factors, then columns in their order, numbers with three values or more as
/// powers and words with at most a dozen as levels, as long as there are three runs for each constant.
FormChoice suggest_form(const Runs& runs, FormKind kind);

FactorRole role_of(const FormChoice& choice, const Runs& runs, std::string_view column);
/// Gives `column` that role in `choice`, and takes any other from it.
void set_role(FormChoice& choice, const Runs& runs, const std::string& column, FactorRole role);

/// The roles a column may have in a form of this kind.
std::vector<FactorRole> roles_in(FormKind kind, const RunColumn& column);

}  // namespace scalescope::measure
