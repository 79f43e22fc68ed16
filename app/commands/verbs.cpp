// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/verbs.hpp"

#include "app/commands/calibrate_command.hpp"
#include "app/commands/check_command.hpp"
#include "app/commands/compare_command.hpp"
#include "app/commands/convert_command.hpp"
#include "app/commands/cpu_cluster_command.hpp"
#include "app/commands/cpu_machine_command.hpp"
#include "app/commands/estimate_command.hpp"
#include "app/commands/fit_command.hpp"
#include "app/commands/habitat_commands.hpp"
#include "app/commands/habitat_train_command.hpp"
#include "app/commands/lesson_command.hpp"
#include "app/commands/link_command.hpp"
#include "app/commands/list_command.hpp"
#include "app/commands/paleo_commands.hpp"
#include "app/commands/predict_command.hpp"
#include "app/commands/search_command.hpp"
#include "app/commands/sensitivity_command.hpp"
#include "app/commands/staleness_command.hpp"
#include "app/commands/summary_command.hpp"
#include "app/commands/sweep_command.hpp"
#include "app/commands/validate_command.hpp"
#include "app/commands/walls_command.hpp"

namespace scalescope::app {

std::vector<Command> verbs_without_display() {
    return {estimate_command,      compare_command,       sweep_command,          search_command,
            sensitivity_command,   walls_command,         staleness_command,      summary_command,
            check_command,         convert_command,       link_command,           list_command,
            lesson_check_command,  fit_command,           calibrate_command,      predict_command,
            validate_command,      paleo_profile_command, paleo_simulate_command, habitat_occupancy_command,
            habitat_scale_command, habitat_mlp_command,   habitat_train_command,  habitat_trace_command,
            cpu_cluster_command,   cpu_machine_command};
}

}  // namespace scalescope::app
