// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/estimate_command.hpp"

#include <ostream>

#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"

namespace scalescope::app {

const Command estimate_command{"estimate", "every figure of one scenario",
                               "scalescope estimate example --set cluster.workers=64", run_estimate};

int run_estimate(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(estimate_command);
    options.positional("SCENARIO", scenario_help);
    options.values("set", "PATH=VALUE",
                   "change a field first (scalescope list fields), or cluster=NAME, network=NAME or network=FILE");
    options.flag("layers", "the time of every layer instead");
    options.flag("messages", "everything that is sent instead");
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    if (arguments->has("layers") && arguments->has("messages")) {
        err << "scalescope estimate: --layers and --messages are two tables; ask for one at a time\n";
        return exit_usage;
    }
    const auto library = load_library(err);
    const auto scenario = scenario_to_use("estimate", *arguments, library, err);
    if (!scenario) return scenario.error();
    const auto e = estimate(*scenario);
    if (!e) return report(err, e.error());
    report(err, e->notes);
    const Table table = arguments->has("layers")     ? layer_table(*scenario, *e)
                        : arguments->has("messages") ? message_table(*scenario, *e)
                                                     : figure_table(*scenario, *e);
    if (PriceNotes prices; e->epoch_cost && has_epochs(*scenario)) {
        prices.add(*scenario);
        write_prices(err, prices, "epoch_cost");
    }
    write_table(out, table, arguments->format());
    return exit_done;
}

}  // namespace scalescope::app
