// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/walls_command.hpp"

#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/base/limits.hpp"
#include "core/search/walls.hpp"

namespace scalescope::app {

const Command walls_command{"walls", "the worker counts at which growing stops paying",
                            "scalescope walls example --efficiency 60 --set training.batch_rule=total", run_walls};

namespace {

Cell crossing_cell(std::int64_t count) {
    if (count == 0) return {};
    return count;
}

Table wall_table(const search::Walls& found) {
    Table table{{"wall", "first_at_workers", "for_good_from_workers", "note"}, {}};
    for (const auto& wall : found.walls)
        table.rows.push_back(
            {std::string(name_of(wall.kind)), crossing_cell(wall.first), crossing_cell(wall.for_good), wall.sentence});
    for (const auto& left : found.left_out)
        table.rows.push_back({left.label, Cell(), Cell(), "Left out: " + left.reason});
    return table;
}

}  // namespace

int run_walls(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(walls_command);
    options.positional("SCENARIO", scenario_help);
    options.number("efficiency", "percent below which the efficiency is too low (50)", 0.1, 100);
    options.integer("up-to", "the most workers looked at; every count up to it is (1024)", 1, limits::workers);
    options.values("set", "PATH=VALUE",
                   "change a field first (scalescope list fields), or cluster=NAME, network=NAME or network=FILE");
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    const auto scenario = scenario_to_use("walls", *arguments, library, err);
    if (!scenario) return scenario.error();
    search::WallOptions asked;
    asked.efficiency = arguments->number("efficiency").value_or(50) / 100.0;
    asked.up_to = arguments->integer("up-to").value_or(asked.up_to);
    const auto found = search::find_walls(*scenario, asked);
    if (!found) return report(err, found.error());
    write_table(out, wall_table(*found), arguments->format());
    return exit_done;
}

}  // namespace scalescope::app
