// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/command.hpp"

/// Every verb, most of them in a file of its own: NAME_command.cpp. What each one does stands in its summary.
namespace scalescope::app {

extern const Command estimate_command, best_command, compare_command, sweep_command, search_command;
extern const Command sensitivity_command, walls_command, staleness_command, network_command;
extern const Command check_command, convert_command, list_command;
/// About measurements.
extern const Command fit_command, calibrate_command, predict_command, validate_command;
/// PALEO as published, and Habitat step by step.
extern const Command paleo_profile_command, paleo_simulate_command;
extern const Command habitat_occupancy_command, habitat_scale_command, habitat_mlp_command, habitat_train_command,
    habitat_trace_command;
/// CPU machines with parameter servers, after Yan et al. 2015 (re-derived).
extern const Command cpu_cluster_command, cpu_machine_command;
/// These draw charts and need Qt, but no display: they belong to the program, where it has a window.
extern const Command render_command, report_command;

}  // namespace scalescope::app
