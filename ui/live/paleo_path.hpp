// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "core/paleo/method.hpp"
#include "core/scenario/scenario.hpp"

/// The way from PALEO, as it was published, to the corrected time of the same training step.
namespace scalescope::ui {

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
    std::vector<PaleoStep> steps;  ///< the corrections that are on, in their order
    QStringList left_out;          ///< what of the scenario PALEO has no word for: "fp16 (fp32 instead)"
};

/// The scenario in PALEO's terms, priced once as published and once more for each correction. A scenario it has no
/// words for gives a Problem.
Result<PaleoPath> paleo_path(const Scenario& scenario, const PaleoQuestion& question);

}  // namespace scalescope::ui
