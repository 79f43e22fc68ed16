// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/base/limits.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/walls.hpp"

namespace scalescope::app {

namespace {

Cell crossing_cell(std::int64_t count) {
    if (count == 0) return {};
    return count;
}

Table wall_table(const search::Walls& found, const WorkerWords& words) {
    const std::string many(words.many);
    Table table{{"wall", "first_at_" + many, "for_good_from_" + many, "note"}, {}};
    for (const auto& wall : found.walls)
        table.rows.push_back(
            {std::string(name_of(wall.kind)), crossing_cell(wall.first), crossing_cell(wall.for_good), wall.sentence});
    for (const auto& left : found.left_out)
        table.rows.push_back({left.label, Cell(), Cell(), "Left out: " + left.reason});
    return table;
}

int run_walls(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(walls_command);
    options.number("efficiency", "percent below which the efficiency is too low (50)", 0.1, 100);
    options.integer("up-to", "the most workers looked at; every count up to it is (1024)", 1, limits::workers);
    const auto call = scenario_call(std::move(options), words, out, err);
    if (!call) return call.error();
    search::WallOptions asked;
    asked.efficiency = call->arguments.number("efficiency").value_or(50) / 100.0;
    asked.up_to = call->arguments.integer("up-to").value_or(asked.up_to);
    const auto found = search::find_walls(call->scenario, asked);
    if (!found) return report(err, found.error());
    write_table(out, wall_table(*found, worker_words(call->scenario)), call->arguments.format());
    return exit_done;
}

}  // namespace

const Command walls_command{"analyse walls", "the worker counts at which growing stops paying",
                            "scalescope analyse walls example --efficiency 60 --set training.batch_rule=total",
                            run_walls};

}  // namespace scalescope::app
