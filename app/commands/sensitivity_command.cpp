// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <cmath>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/output.hpp"
#include "core/search/sensitivity.hpp"

namespace scalescope::app {

namespace {

using search::Metric;

/// Counts are written as such.
Cell moved_value_cell(const search::SensitivityRow& row, double value) {
    if (row.whole) return static_cast<std::int64_t>(std::llround(value));
    return value;
}

Cell change_cell(const std::optional<double>& change) {
    if (!change) return {};
    return *change * 100.0;
}

std::vector<Cell> sensitivity_cells(const search::SensitivityRow& row) {
    std::string note = row.sentence;
    for (const auto* end : {&row.less, &row.more})
        if (!end->problem.empty())
            note += (end == &row.less ? " Less is not possible: " : " More is not possible: ") + end->problem;
    return {row.path,
            row.label,
            moved_value_cell(row, row.value),
            row.unit,
            row.less.change ? moved_value_cell(row, row.less.value) : Cell(),
            change_cell(row.less.change),
            row.more.change ? moved_value_cell(row, row.more.value) : Cell(),
            change_cell(row.more.change),
            row.elasticity,
            std::move(note)};
}

Table sensitivity_table(const search::Sensitivity& found, bool all) {
    Table table{{"field", "label", "value", "unit", "less", "change_at_less_percent", "more", "change_at_more_percent",
                 "elasticity", "note"},
                {}};
    for (const auto& row : found.rows) table.rows.push_back(sensitivity_cells(row));
    if (found.doubling) table.rows.push_back(sensitivity_cells(*found.doubling));
    if (!all) return table;
    for (const auto& left : found.left_out) {
        std::vector<Cell> row(table.columns.size());
        row[0] = left.path;
        row[1] = left.label;
        row.back() = "Left out: " + left.reason;
        table.rows.push_back(std::move(row));
    }
    return table;
}

int run_sensitivity(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(sensitivity_command);
    std::vector<std::string> objectives;
    for (const auto& metric : search::all_metrics()) objectives.emplace_back(metric.name);
    options.choice("objective", std::move(objectives), "what is looked at (step)");
    options.number("by", "percent by which every field is moved, down and up (10)", 0.1, 90);
    options.number("goal", "samples to train on, for time, cost and energy (one epoch)", 1, 1e15);
    options.flag("all", "list the fields too that do not count here, and why");
    const auto call = scenario_call(std::move(options), words, out, err);
    if (!call) return call.error();
    search::SensitivityOptions asked;
    asked.objective = search::metric_named(call->arguments.value("objective").value_or("step")).value_or(Metric::step);
    asked.by = call->arguments.number("by").value_or(10) / 100.0;
    asked.goal = call->arguments.number("goal").value_or(0);
    const auto found = search::sensitivity(call->scenario, asked);
    if (!found) return report(err, found.error());
    write_table(out, sensitivity_table(*found, call->arguments.has("all")), call->arguments.format());
    return exit_done;
}

}  // namespace

const Command sensitivity_command{"analyse sensitivity", "what 10 % more or less of everything does",
                                  "scalescope analyse sensitivity example --objective throughput --by 20",
                                  run_sensitivity};

}  // namespace scalescope::app
