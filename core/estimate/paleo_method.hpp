// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/paleo/simulate.hpp"
#include "core/scenario/scenario.hpp"

/// PALEO as a method for whole steps: what the room `paleo` needs to price a scenario, made once for a plan.
namespace scalescope {

/// One network of the workload in PALEO's terms.
struct PaleoPart {
    std::shared_ptr<const paleo::Net> net;
    paleo::Plan plan;
    std::vector<int> layer_at;       ///< place in the net of each layer of the network, by position
    std::vector<double> parameters;  ///< as PALEO counts them, by position
};

struct PaleoMethod {
    std::vector<PaleoPart> parts;
    paleo::Setup inside, between;       ///< the same but for the link
    std::int64_t devices_per_node = 1;  ///< so many workers need no link but the one inside
    paleo::Scaling scaling = paleo::Scaling::weak;

    /// PALEO knows one link: the one inside a node as long as that holds all workers.
    const paleo::Setup& setup(std::int64_t workers) const { return workers > devices_per_node ? between : inside; }
};

/// Null for the pipeline. Problems: what PALEO has no word for (groups, dilation …), an unknown correction.
Result<std::shared_ptr<const PaleoMethod>> make_paleo_method(const Scenario& scenario);

/// The scheme of that name; PALEO knows no others than its own four.
std::optional<paleo::Scheme> paleo_scheme(Collective collective);

/// One pass of one layer. With `pipeline`, PALEO takes the larger of arithmetic and memory of both gradients together;
/// each gradient is given its share of that, by its own sum of the two.
struct PaleoLayerTimes {
    std::array<double, paleo::pass_count> seconds{};
};
PaleoLayerTimes paleo_layer_times(const paleo::LayerCost& cost, bool pipeline);

/// What of a scenario PALEO does not hear, in words: "Adam", "the overlap of messages with backward".
std::vector<std::string> unheard_by_paleo(const Scenario& scenario);
/// The scenario as PALEO hears it.
Scenario heard_by_paleo(Scenario scenario);

// The way from PALEO, as it was published, to the corrected time of the same training step.

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
    std::vector<PaleoStep> steps;       ///< the corrections that are on, in their order
    std::vector<std::string> left_out;  ///< what of the scenario PALEO does not hear, as unheard_by_paleo
};

/// The scenario in PALEO's terms, priced once as published and once more for each correction. The all-reduces of today
/// become PALEO's tree, its nearest. A scenario it has no words for gives a Problem.
Result<PaleoPath> paleo_path(const Scenario& scenario, const PaleoQuestion& question);

/// The PALEO a scenario is priced with; as published, if it is priced by the pipeline.
PaleoQuestion paleo_question(const ModelOptions& model);
/// The scenario priced by that PALEO: the work is divided by data alone with synchronous updates, and the all-reduce a
/// tree where PALEO knows no other.
Scenario with_paleo(Scenario scenario, const PaleoQuestion& question);

}  // namespace scalescope
