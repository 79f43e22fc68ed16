// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/estimate/estimate.hpp"
#include "core/hardware/catalogue.hpp"

/// What conditions and assertions may speak of.
///
///     step, speedup, efficiency, memory …   figures of the estimate, called as in the Numbers panel; times in ms,
///                                           memory in GB, shares in %
///     communication_share, cost_per_hour …  others, see all_names()
///     cluster.workers, training.batch …     fields of the table, in their units; on and off are 1 and 0
///     parallelism.fill == tensor            choices, compared with their words; also presets (cluster.device ==
///                                           a100_sxm_80gb) and layers (parallelism.cut == fc6), with _ for what is
///                                           neither letter nor digit
///     layer.conv1.forward                   figures of a layer, called likewise
///     start.step, A.step                    any of them, of the scenario with which the step began, of pin A to D
namespace scalescope::lessons {

/// A scenario and its estimate; both outlive it.
struct Design {
    const Scenario* scenario = nullptr;
    const Estimate* estimate = nullptr;  ///< nullptr: there is none, and with it no figure
    bool is_there() const { return scenario != nullptr; }
};

/// What else a condition may compare with.
struct Surroundings {
    Design start;
    std::vector<Design> pins;  ///< A, B, …
};

struct Name {
    enum class Kind { figure, field, layer };
    Kind kind = Kind::figure;
    std::string name;                ///< "communication_share"
    std::string label;               ///< "Share of communication"
    std::string unit;                ///< "%"; empty for counts and ratios
    std::string text;                ///< a sentence on what it is
    std::vector<std::string> words;  ///< of a choice: what it can be compared with; then it is no number
};

/// All that can be said of this scenario, figures first: for those who write a condition. Fields that have words but no
/// fixed ones (devices, links, layers) list those of the catalogue and of the network.
std::vector<Name> all_names(const Scenario& scenario, const Catalogue& catalogue);

/// A preset's id or a layer's name as expressions have it: "a100-sxm-80gb" is a100_sxm_80gb.
std::string word_of(std::string_view text);

}  // namespace scalescope::lessons
