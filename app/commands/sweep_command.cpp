// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <ostream>

#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "app/commands/varied.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/search/space.hpp"

namespace scalescope::app {

namespace {

constexpr std::size_t most_rows = 1'000'000;

std::string one_line(const Problems& problems) {
    for (const Problem& problem : problems)
        if (problem.severity == Severity::error) {
            const auto remedy = problem.remedy.empty() ? std::string() : "; " + problem.remedy;
            return problem.what + remedy;
        }
    return {};
}

/// What the estimate says of its memory.
std::string does_not_fit(const Estimate& e) {
    for (const Problem& note : e.notes)
        if (note.where == "cluster.device") return note.what;
    return "The step does not fit into memory.";
}

/// The scenario of one combination, set field by field in the order given, and its row.
std::vector<Cell> sweep_row(const Scenario& base, const std::vector<VariedAxis>& axes,
                            const std::vector<std::size_t>& at, Setter& setter, std::size_t figures, Sweep& sweep,
                            std::size_t& too_large, PriceNotes& prices) {
    Scenario scenario = base;
    Problems wrong;
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (auto set = setter.set(scenario, axes[a].path, axes[a].values[at[a]]); !set) wrong = set.error();
    std::vector<Cell> row;
    for (std::size_t a = 0; a < axes.size(); ++a)
        row.push_back(wrong.empty() ? axis_cell(axes[a], axes[a].values[at[a]], scenario)
                                    : Cell(axes[a].values[at[a]]));
    const auto e = wrong.empty() ? sweep.estimate(scenario) : Result<Estimate>(fail(wrong));
    if (e) {
        const bool fits = fits_device(scenario, e->memory);
        if (!fits) ++too_large;
        if (e->epoch_cost && has_epochs(scenario)) prices.add(scenario);
        for (auto& figure : key_figures(scenario, *e)) row.push_back(std::move(figure.value));
        row.emplace_back(std::string(word_of(evidence_of(scenario).state)));
        row.emplace_back(fits ? Cell() : Cell(does_not_fit(*e)));
    } else {
        row.resize(row.size() + figures + 1);
        row.emplace_back(one_line(e.error()));
    }
    return row;
}

/// A row per combination; the last field varies fastest.
Table sweep_table(const Scenario& base, const std::vector<VariedAxis>& axes, Setter& setter, std::size_t& too_large,
                  PriceNotes& prices) {
    Table table;
    for (const auto& axis : axes) table.columns.push_back(column_of(axis));
    const auto figures = key_figures({}, {});
    for (const auto& figure : figures) table.columns.push_back(figure.column());
    table.columns.emplace_back("evidence");
    table.columns.emplace_back("reason");
    std::vector<std::size_t> at(axes.size(), 0);
    Sweep sweep;
    for (;;) {
        table.rows.push_back(sweep_row(base, axes, at, setter, figures.size(), sweep, too_large, prices));
        std::size_t a = axes.size();
        while (a > 0 && ++at[a - 1] == axes[a - 1].values.size()) at[--a] = 0;
        if (a == 0) return table;
    }
}

Result<std::vector<VariedAxis>> read_axes(const std::vector<Assignment>& varied, const Scenario& scenario,
                                          const SymbolFields& symbols, Setter& setter) {
    std::vector<VariedAxis> axes;
    std::size_t rows = 1;
    for (const auto& vary : varied) {
        auto axis = read_varied(vary, scenario, symbols, setter);
        if (!axis) return fail(axis.error());
        if (auto checked = check_values(*axis, scenario, setter); !checked) return fail(checked.error());
        if (axis->values.size() > most_rows / rows)
            return fail(make_error("These are more than " + std::to_string(most_rows) + " combinations.",
                                   "vary fewer fields or values; a range may grow by a factor: 1..1024*2", {},
                                   vary.path));
        rows *= axis->values.size();
        axes.push_back(std::move(*axis));
    }
    return axes;
}

int run_sweep(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(sweep_command);
    options.positional("SCENARIO", scenario_help);
    options
        .values(
            "vary", "PATH=A,B,C",
            "values for a field, or names of clusters, ways or networks (cluster=A,B,C); whole numbers may be ranges: "
            "1..8 (every "
            "one), 1..1024*2 (doubling). "
            "Several: every combination, the last one varying fastest")
        .required();
    declare_set(options);
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto varied = assignments("sweep", "vary", *arguments, err);
    if (!varied) return varied.error();
    const auto library = load_library(err);
    const auto changes = assignments("sweep", "set", *arguments, err);
    if (!changes) return changes.error();
    const auto scenario = scenario_to_use("sweep", *arguments, library, err, 0, *varied);
    if (!scenario) return scenario.error();
    const SymbolFields symbols(*scenario);
    Setter setter(library, sizes_in(*changes), sizes_in(*changes, *varied), read_as(*arguments));
    std::vector<std::string> paths;
    for (const Assignment& vary : *varied) paths.push_back(vary.path);
    if (const Problems wrong = search::clashes(paths); !wrong.empty()) return report(err, wrong);
    const auto axes = read_axes(*varied, *scenario, symbols, setter);
    if (!axes) return report(err, axes.error());
    if (const auto known = setter.check_sizes(*scenario); !known) return report(err, known.error());
    report(err, setter.take_warnings());
    std::size_t too_large = 0;
    PriceNotes prices;
    const Table table = sweep_table(*scenario, *axes, setter, too_large, prices);
    if (too_large > 0)
        report(err, {make_warning(std::to_string(too_large) + " of " + std::to_string(table.rows.size()) +
                                      " combinations do not fit into the memory of their device.",
                                  "the column reason says which")});
    write_prices(err, prices, "epoch_cost");
    write_table(out, table, arguments->format());
    return exit_done;
}

}  // namespace

const Command sweep_command{
    "sweep", "key figures of every combination of values",
    "scalescope sweep example --vary cluster.workers=1..64*2 --vary parallelism.segments=false,true", run_sweep};

}  // namespace scalescope::app
