// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/hardware/catalogue.hpp"
#include "core/scenario/scenario.hpp"

/// Ways to divide the work as presets (presets/ways): fields of `parallelism` with their values.
namespace scalescope {

/// What a way may set.
inline constexpr std::string_view way_fields = "parallelism.";

/// Sets one field as a way says it. A value that the field refuses is a Problem, and changes nothing.
Result<void> set_of_way(Scenario& scenario, const Way::Setting& setting);

/// The scenario with its work divided as `way` says. What decides the mesh and what is not named there is as in a new
/// scenario: nothing else is divided, and all workers update in step. The rest (messages, schedule, recomputation)
/// stays, unless the way names it.
Scenario divided_as(const Way& way, Scenario scenario);

/// The scenario with the memory of a trainer; what the trainer does not name is as in a new scenario.
Scenario as_trained_by(const Trainer& trainer, Scenario scenario);

/// The first way that divides the scenario's work on the same mesh; nullptr if there is none.
const Way* way_of(const Scenario& scenario, std::span<const Way> ways);
/// The first trainer that holds what the scenario says; nullptr if there is none.
const Trainer* trainer_of(const Scenario& scenario, std::span<const Trainer> trainers);

}  // namespace scalescope
