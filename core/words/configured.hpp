// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/formats/scenario_json.hpp"
#include "core/formats/trainers/reading.hpp"
#include "core/formats/trainers/writing.hpp"

/// Training configurations of other programs as scenarios, and back (docs/decisions/configurations.md).
namespace scalescope {

/// The scenario that a configuration describes: its network by its sizes or its name, its division of the work, its
/// batch. A configuration names no hardware: devices and links are those of a DGX H100. What is assumed, contradicts
/// itself or has no field is a warning; nothing is left out silently.
Result<formats::ReadScenario> scenario_configured(const formats::trainers::Reading& reading,
                                                  const formats::Library& library);

/// A configuration that was opened.
struct ConfiguredScenario {
    formats::ReadScenario read;
    formats::trainers::TrainerName trainer;              ///< as whose configuration it was read
    std::vector<formats::trainers::TrainerName> others;  ///< whose it could be as well
};

/// Whether a text is a training configuration of a known trainer, and not a file of Scalescope's own.
bool is_configured_scenario(std::string_view text);
/// read_configuration() and scenario_configured(). The scenario has the name that the configuration gives its run; else
/// that of `file` without its ending, if that is a path; else one made of network and devices. The first warning names
/// the trainer, and others that fit. `trainer`: the id of one of those to read it as.
Result<ConfiguredScenario> read_configured_scenario(std::string_view text, const std::string& file,
                                                    const formats::Library& library, std::string_view trainer = {});

/// Whether a text that is pasted is a scenario: a link, or a training configuration.
bool is_scenario_text(std::string_view text);
Result<formats::ReadScenario> scenario_from_text(std::string_view text, const std::string& name,
                                                 const formats::Library& library, const Watch& watch = {});

/// The scenario in the figures of trainers' descriptions.
formats::trainers::Figures figures_of(const Scenario& scenario);

/// The scenario as a configuration for the trainer with this id, such as "megatron". Lists what the trainer cannot
/// express in the text and as warnings. Fails for trainers that are only read, and scenarios that no trainer of
/// transformers can run.
/// `program`: who writes it, "Scalescope 0.1.0".
Result<formats::trainers::Written> configuration_for(std::string_view trainer, const Scenario& scenario,
                                                     std::string_view program);

/// The ids of the trainers that configuration_for() knows.
std::vector<std::string> written_trainers();

}  // namespace scalescope
