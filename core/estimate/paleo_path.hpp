// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/estimate/paleo_method.hpp"

/// The way from PALEO, as it was published, to the corrected time of the same training step.
namespace scalescope {

/// Which PALEO, and which of its corrections are switched on.
struct PaleoQuestion {
    paleo::Era era = paleo::Era::head;
    paleo::Corrections corrections = paleo::all_corrections();
    bool operator==(const PaleoQuestion&) const = default;
};

struct PaleoStep {
    const paleo::Correction* correction = nullptr;
    Seconds change;  ///< what it adds, or takes, after all before it
};

struct PaleoPath {
    Seconds published, reached;
    /// With all corrections on: what the step of the scenario takes beyond `reached`, by what PALEO has no word for.
    /// The two models agree where both apply, so that less than 1e-9 of the step is no difference, and is left out.
    std::optional<Seconds> beyond(Seconds step) const;
    std::vector<PaleoStep> steps;       ///< the corrections that are on, in their order
    std::vector<std::string> left_out;  ///< what of the scenario PALEO does not hear, as unheard_by_paleo
};

/// The scenario in PALEO's terms, priced once as published and once more for each correction. The all-reduces of today
/// become PALEO's tree, its nearest. A scenario it has no words for gives a Problem.
Result<PaleoPath> paleo_path(const Scenario& scenario, const PaleoQuestion& question);

/// The PALEO a scenario is priced with; as published, if it is priced by the pipeline.
PaleoQuestion paleo_question(const ModelOptions& model);
/// The scenario priced by that PALEO: the strategy becomes data parallel with synchronous updates, and the all-reduce a
/// tree where PALEO knows no other.
Scenario with_paleo(Scenario scenario, const PaleoQuestion& question);

}  // namespace scalescope
