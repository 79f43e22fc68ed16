// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/verbs.hpp"

#include "app/commands/all_verbs.hpp"

namespace scalescope::app {

CommandLine command_line_without_display() {
    return {{estimate_command,
             best_command,
             compare_command,
             sweep_command,
             search_command,
             sensitivity_command,
             walls_command,
             staleness_command,
             network_command,
             check_command,
             convert_command,
             list_command,
             fit_command,
             calibrate_command,
             predict_command,
             validate_command,
             paleo_profile_command,
             paleo_simulate_command,
             habitat_occupancy_command,
             habitat_scale_command,
             habitat_mlp_command,
             habitat_train_command,
             habitat_trace_command,
             cpu_cluster_command,
             cpu_machine_command},
            {{"analyse", "one scenario or network in depth"},
             {"measure", "models from measured runs, and how good they are"},
             {"paleo", "PALEO as it was published"},
             {"habitat", "Habitat's steps one by one"},
             {"cpu", "CPU machines with parameter servers"}},
            {{"sensitivity", "analyse sensitivity"},
             {"walls", "analyse walls"},
             {"staleness", "analyse staleness"},
             {"summary", "analyse network"},
             {"lesson check", "check --lesson"},
             {"link", "convert --to link"},
             {"fit", "measure fit"},
             {"calibrate", "measure calibrate"},
             {"predict", "measure predict"},
             {"validate", "measure validate"},
             {"cpu-cluster", "cpu cluster"},
             {"cpu-machine", "cpu machine"}}};
}

}  // namespace scalescope::app
