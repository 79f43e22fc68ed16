// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/link_command.hpp"

#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/formats/scenario_text.hpp"

namespace scalescope::app {

const Command link_command{"link", "a scenario as text to paste", "scalescope link example --set cluster.workers=64",
                           run_link};

int run_link(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(link_command);
    options.positional("SCENARIO", scenario_help);
    declare_set(options);
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    const auto scenario = scenario_to_use("link", *arguments, library, err);
    if (!scenario) return scenario.error();
    const auto link = formats::to_link(*scenario, library);
    if (!link) return report(err, link.error());
    out << *link << '\n';
    return exit_done;
}

}  // namespace scalescope::app
