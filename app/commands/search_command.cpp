// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>
#include <thread>

#include "app/commands/figures.hpp"
#include "app/commands/interrupt.hpp"
#include "app/commands/options.hpp"
#include "app/commands/varied.hpp"
#include "core/formats/named_settings.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/differences.hpp"
#include "core/search/admit.hpp"
#include "core/search/reasons.hpp"
#include "core/words/written_values.hpp"

namespace scalescope::app {

namespace {

using namespace search;

Options search_options() {
    Options options(search_command);
    options.positional("SCENARIO", scenario_help);
    options
        .values(
            "vary", "PATH=A,B,C",
            "values for a field, or names of clusters, ways or networks (cluster=A,B,C); whole numbers may be ranges: "
            "1..8 (every one), 1..1024*2 (doubling); * is every choice, device, link or cut")
        .required();
    options.values("where", "CONSTRAINT",
                   "what must hold: \"step <= 250 ms\", \"memory < 16 GB\", \"cost <= 100\", \"cluster.workers >= 8\", "
                   "\"training.batch % cluster.workers == 0\"");
    std::vector<std::string> metrics;
    for (const MetricInfo& info : all_metrics()) metrics.emplace_back(info.name);
    options.words("objective", metrics,
                  "what is to be best (default time); several have a Pareto front, which is shown instead");
    options.integer("top", "so many rows (default 10)", 1, 100'000);
    options.integer("samples", "how many samples to train on, for time, cost and energy (default: one epoch)", 1,
                    1LL << 52);
    options.flag("any-memory", "also what does not fit in the memory of the device");
    options.choice(
        "show", {"best", "front", "grid", "why"},
        "best: the ranked rows. front: of several objectives (default then). grid: the best for each pair of "
        "values of the first two that are varied. why: reasons for the first row");
    options.integer(
        "most",
        "spaces up to so many combinations are looked at whole (default 1,000,000,000); larger ones from many "
        "starts, which proves nothing",
        1, 1'000'000'000'000'000);
    options.integer("threads", "how many threads work (default: all cores)", 1, 1024);
    declare_set(options);
    options.table_format();
    return options;
}

Table found_table(const Space& space, const std::vector<VariedAxis>& axes, const Question& q,
                  const std::vector<Found>& all, PriceNotes& prices) {
    Table table;
    table.columns.emplace_back("rank");
    for (const auto& axis : axes) table.columns.push_back(column_of(axis));
    const auto figures = key_figures({}, {});
    std::vector<Metric> extra;  // objectives that are no key figure
    for (const Metric m : q.objectives) {
        const auto column = search::column_of(m);
        if (std::none_of(figures.begin(), figures.end(), [&](const Figure& f) { return f.column() == column; }))
            extra.push_back(m);
    }
    for (const Metric m : extra) table.columns.push_back(search::column_of(m));
    for (const auto& figure : figures) table.columns.push_back(figure.column());
    table.columns.emplace_back("evidence");
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const auto scenario = space.scenario(all[rank].index);
        const auto e = scenario ? estimate(*scenario) : Result<Estimate>(fail(scenario.error()));
        if (!e) continue;  // cannot be: the search has priced it
        prices.add(*scenario);
        std::vector<Cell> row{static_cast<std::int64_t>(rank + 1)};
        const auto at = space.digits(all[rank].index);
        for (std::size_t a = 0; a < axes.size(); ++a)
            row.push_back(axis_cell(axes[a], axes[a].values[at[a]], *scenario));
        for (const Metric m : extra) row.push_back(cell_of(metric_value(m, *scenario, *e, q.goal)));
        for (auto& figure : key_figures(*scenario, *e)) row.push_back(std::move(figure.value));
        row.emplace_back(std::string(word_of(evidence_of(*scenario).state)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// A row per value of the second axis, a column per value of the first.
Table grid_table(const Space& space, const Question& q, const SearchResult& result) {
    const auto columns = space.axes()[0].values, rows = space.axes()[1].values;
    Table table;
    table.columns.push_back(space.axes()[1].path + " \\ " + space.axes()[0].path);
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::vector<Cell> row{rows[r]};
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const auto& cell = result.grid.cells()[result.grid.cell(c, r)];
            if (Cell& figure = row.emplace_back(); cell) figure = result.value(q, *cell, 0);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string changes(const Scenario& from, const Scenario& to) {
    std::string text;
    for (const auto& change : difference_lines(from, to)) text += (text.empty() ? "" : "; ") + change;
    return text;
}

Result<Table> why_table(const Space& space, const Question& q, const SearchResult& result, const Watch& watch) {
    Table table{{"about", "reason"}, {}};
    const Admission given = admit(space.base(), q);
    for (const auto& text : given.against) table.rows.push_back({std::string("the scenario as given"), text});
    if (!given.admitted())
        if (const auto near = nearest_admitted(space, q, digits_near(space, space.base()), watch))
            table.rows.push_back({std::string("the nearest that will do"), changes(space.base(), near->scenario)});
    const auto best = space.scenario(result.best[0].index);
    if (!best) return fail(best.error());
    Result<Scenario> next = result.best.size() > 1 ? space.scenario(result.best[1].index) : best;
    if (!next) return fail(next.error());
    const auto r = reasons(*best, result.best.size() > 1 ? &*next : nullptr, q, watch);
    if (!r) return fail(r.error());
    table.rows.push_back({std::string("what binds"), r->binds});
    for (const auto& text : r->differ) table.rows.push_back({std::string("the runner-up"), text});
    if (!r->lacks.empty()) table.rows.push_back({std::string("what it lacks"), r->lacks});
    for (const Turn& turn : r->turns) table.rows.push_back({std::string("what would change it"), turn.text});
    if (!r->complete)
        table.rows.push_back({std::string("what would change it"), std::string("Given up before all was tried.")});
    if (r->steady && result.best.size() > 1)
        table.rows.push_back({std::string("what would change it"),
                              std::string("No price, peak or bandwidth alone turns the order, up to 16 times more or "
                                          "less.")});
    return table;
}

Result<Question> question_of(const Arguments& arguments, std::ostream& err) {
    Question q;
    for (const auto& text : arguments.values("where")) {
        auto c = read_constraint(text);
        if (!c) return fail(c.error());
        if (auto doubt = doubt_about(*c)) report(err, {std::move(*doubt)});
        q.where.push_back(std::move(*c));
    }
    if (arguments.has("objective")) q.objectives.clear();
    for (const auto& name : arguments.words("objective")) q.objectives.push_back(*metric_named(name));
    q.top = static_cast<std::size_t>(arguments.integer("top").value_or(10));
    q.goal = static_cast<double>(arguments.integer("samples").value_or(0));
    q.most = static_cast<std::uint64_t>(arguments.integer("most").value_or(1'000'000'000));
    q.must_fit = !arguments.has("any-memory");
    const auto show = arguments.value("show").value_or("");
    if (show == "why") q.top = std::max<std::size_t>(q.top, 2);
    if (show == "grid") q.grid = {{0, 1}};
    if (show == "front" && q.objectives.size() < 2)
        return fail(
            make_error("A front needs two objectives or more.", "name them: --objective time,cost", {}, "--objective"));
    return q;
}

int run_search(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = search_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto varied = assignments("search", "vary", *arguments, err);
    if (!varied) return varied.error();
    auto question = question_of(*arguments, err);
    if (!question) return report(err, question.error());
    const auto library = load_library(err);
    const auto changes = assignments("search", "set", *arguments, err);
    if (!changes) return changes.error();
    const auto scenario = scenario_to_use("search", *arguments, library, err, 0, *varied);
    if (!scenario) return scenario.error();
    const SymbolFields symbols(*scenario);
    Setter setter(library, sizes_in(*changes), sizes_in(*changes, *varied), read_as(*arguments));
    std::vector<VariedAxis> axes;
    std::vector<Axis> plain;
    for (const auto& vary : *varied) {
        auto axis = read_varied(vary, *scenario, symbols, setter);
        if (!axis) return report(err, axis.error());
        plain.push_back(*axis);
        axes.push_back(std::move(*axis));
    }
    const auto space =
        Space::make(*scenario, std::move(plain), [&](Scenario& s, const std::string& path, const std::string& value) {
            if (path == "network" || path == "calibration") return setter.set(s, path, value);  // of files, too
            return formats::set_by_name(s, path, value_meant(library, s, path, value), library);
        });
    if (!space) return report(err, space.error());
    if (const auto known = setter.check_sizes(*scenario); !known) return report(err, known.error());
    report(err, setter.take_warnings());
    const auto threads = static_cast<unsigned>(
        arguments->integer("threads").value_or(std::max(1u, std::thread::hardware_concurrency())));
    const Interrupt interrupt;
    const auto result = search::search(*space, *question, threads, {{}, interrupt.token()});
    if (!result) return report(err, result.error());
    for (const auto& line : told(*result, *space, *question)) err << line << '\n';
    const auto show = arguments->value("show").value_or(question->objectives.size() > 1 ? "front" : "best");
    const bool found = !(show == "front" ? result->front : result->best).empty();
    if (!found && result->complete && !result->front_too_large) {
        for (const auto& line : relaxed(*space, *question, threads, {{}, interrupt.token()})) err << line << '\n';
    }
    if (show == "grid") {
        write_table(out, grid_table(*space, *question, *result), arguments->format());
    } else if (show == "why") {
        if (!found) return exit_input;
        const auto table = why_table(*space, *question, *result, {{}, interrupt.token()});
        if (!table) return report(err, table.error());
        write_table(out, *table, arguments->format());
    } else {
        PriceNotes prices;
        const Table table =
            found_table(*space, axes, *question, show == "front" ? result->front : result->best, prices);
        write_prices(err, prices, "cost");
        write_table(out, table, arguments->format());
    }
    return found ? exit_done : exit_input;
}

}  // namespace

const Command search_command{
    "search", "the best combinations of values under constraints",
    "scalescope search example --vary cluster.workers=1..64*2 --vary parallelism.fill=* --objective time", run_search};

}  // namespace scalescope::app
