// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/sweep_command.hpp"

#include <charconv>
#include <cstdint>
#include <ostream>

#include "app/commands/figures.hpp"
#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/limits.hpp"
#include "core/estimate/sweep.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::app {

const Command sweep_command{
    "sweep", "key figures of every combination of values",
    "scalescope sweep example --vary cluster.workers=1..64*2 --vary parallelism.strategy=data,hybrid", run_sweep};

namespace {

constexpr std::size_t most_rows = 1'000'000;

/// One field, or the cluster or network, and the values it takes.
struct Axis {
    std::string path;
    const Field* field = nullptr;  ///< none for cluster and network
    std::vector<std::string> values;
};

Problem sweep_problem(std::string path, std::string what, std::string remedy) {
    return Problem{Severity::error, std::move(what), std::move(path), std::move(remedy), {}};
}

bool read_whole(std::string_view text, std::int64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// "1..1024" (every number) or "1..1024*2" (each twice the one before). False if it is neither.
bool add_range(std::string_view text, std::vector<std::string>& values) {
    const auto dots = text.find("..");
    const auto star = text.find('*');
    if (dots == std::string_view::npos || (star != std::string_view::npos && star < dots)) return false;
    std::int64_t first = 0, last = 0, factor = 1;
    const auto to = text.substr(dots + 2, star == std::string_view::npos ? star : star - dots - 2);
    if (!read_whole(text.substr(0, dots), first) || !read_whole(to, last) || first < 1 || last < first) return false;
    if (star != std::string_view::npos && (!read_whole(text.substr(star + 1), factor) || factor < 2)) return false;
    for (std::int64_t value = first;; value = factor == 1 ? value + 1 : value * factor) {
        values.push_back(std::to_string(value));
        // Before the next one, so that nothing overflows; one too many is found by the caller.
        if (value > (factor == 1 ? last - 1 : last / factor) || values.size() > most_rows) return true;
    }
}

Problem too_many_rows(const std::string& path) {
    return sweep_problem(path, "These are more than " + std::to_string(most_rows) + " combinations.",
                         "vary fewer fields or values; a range may grow by a factor: 1..1024*2");
}

/// Reads one --vary; every value must be one that the field takes in the scenario as it is.
Result<Axis> read_axis(const Assignment& vary, const Scenario& scenario, const SymbolFields& symbols, Setter& setter) {
    Axis axis{vary.path, find_field(vary.path), {}};
    if (!axis.field) axis.field = symbols.find(vary.path);
    if (!axis.field && !Setter::is_preset(vary.path)) {
        Scenario copy = scenario;  // only to be told which field was meant
        const auto set = set_field(copy, vary.path, vary.value, setter.catalogue());
        return fail(set ? Problems{sweep_problem(vary.path, "There is no such field.", "see: scalescope list fields")}
                        : set.error());
    }
    for (std::string_view rest = vary.value;;) {
        const auto comma = rest.find(',');
        const auto item = rest.substr(0, comma);
        if (axis.field && axis.field->type == FieldType::integer && item.find("..") != std::string_view::npos) {
            if (!add_range(item, axis.values))
                return fail(sweep_problem(vary.path, "\"" + std::string(item) + "\" is no range of whole numbers.",
                                          "write 1..1024, or 1..1024*2 for powers of two"));
        } else {
            axis.values.emplace_back(item);
        }
        if (axis.values.size() > most_rows) return fail(too_many_rows(vary.path));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    Problems wrong;
    Scenario copy = scenario;
    for (const auto& value : axis.values) {
        const auto set = setter.set(copy, axis.path, value);
        if (!set) wrong.insert(wrong.end(), set.error().begin(), set.error().end());
        if (wrong.size() >= limits::problems) break;
    }
    if (!wrong.empty()) return fail(std::move(wrong));
    return axis;
}

/// The path, with its unit where the path does not end with it.
std::string column_of(const Axis& axis) {
    const std::string_view unit = axis.field ? axis.field->unit : std::string_view();
    return axis.path + (unit == "%" ? "_percent" : unit == "samples/s" ? "_samples_per_s" : "");
}

Cell axis_cell(const Axis& axis, const std::string& text, const Scenario& scenario) {
    const FieldType type = axis.field ? axis.field->type : FieldType::words;
    if (type == FieldType::integer || type == FieldType::number) {
        const auto number = field_number(*axis.field, scenario);
        if (number && type == FieldType::integer) return static_cast<std::int64_t>(*number);
        return cell_of(number);
    }
    return text;
}

std::string one_line(const Problems& problems) {
    for (const Problem& problem : problems)
        if (problem.severity == Severity::error) {
            const auto remedy = problem.remedy.empty() ? std::string() : "; " + problem.remedy;
            return problem.what + remedy;
        }
    return {};
}

/// The scenario of one combination, set field by field in the order given, and its row.
std::vector<Cell> sweep_row(const Scenario& base, const std::vector<Axis>& axes, const std::vector<std::size_t>& at,
                            Setter& setter, std::size_t figures, Sweep& sweep) {
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
        for (auto& figure : key_figures(*e)) row.push_back(std::move(figure.value));
        row.emplace_back(std::string(word_of(evidence_of(scenario).state)));
        row.emplace_back();
    } else {
        row.resize(row.size() + figures + 1);
        row.emplace_back(one_line(e.error()));
    }
    return row;
}

/// A row per combination; the last field varies fastest.
Table sweep_table(const Scenario& base, const std::vector<Axis>& axes, Setter& setter) {
    Table table;
    for (const auto& axis : axes) table.columns.push_back(column_of(axis));
    const auto figures = key_figures(Estimate{});
    for (const auto& figure : figures) table.columns.push_back(figure.column());
    table.columns.emplace_back("evidence");
    table.columns.emplace_back("reason");
    std::vector<std::size_t> at(axes.size(), 0);
    Sweep sweep;
    for (;;) {
        table.rows.push_back(sweep_row(base, axes, at, setter, figures.size(), sweep));
        std::size_t a = axes.size();
        while (a > 0 && ++at[a - 1] == axes[a - 1].values.size()) at[--a] = 0;
        if (a == 0) return table;
    }
}

Result<std::vector<Axis>> read_axes(const std::vector<Assignment>& varied, const Scenario& scenario,
                                    const SymbolFields& symbols, Setter& setter) {
    std::vector<Axis> axes;
    std::size_t rows = 1;
    for (const auto& vary : varied) {
        auto axis = read_axis(vary, scenario, symbols, setter);
        if (!axis) return fail(axis.error());
        if (axis->values.size() > most_rows / rows) return fail(too_many_rows(vary.path));
        rows *= axis->values.size();
        axes.push_back(std::move(*axis));
    }
    return axes;
}

}  // namespace

int run_sweep(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Options options(sweep_command);
    options.positional("SCENARIO", "a scenario file, or the name of a preset");
    options
        .values("vary", "PATH=A,B,C",
                "values for a field, or names of clusters or networks (cluster=A,B,C); whole numbers may be ranges: "
                "1..8 (every "
                "one), 1..1024*2 (doubling). "
                "Several: every combination, the last one varying fastest")
        .required();
    options.values("set", "PATH=VALUE",
                   "change a field first (scalescope list fields), or cluster=NAME, network=NAME or network=FILE");
    options.table_format();
    const auto arguments = options.parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto varied = assignments("sweep", "vary", *arguments, err);
    if (!varied) return varied.error();
    const auto library = load_library(err);
    const auto scenario = scenario_to_use("sweep", *arguments, library, err);
    if (!scenario) return scenario.error();
    const SymbolFields symbols(*scenario);
    Setter setter(library);
    const auto axes = read_axes(*varied, *scenario, symbols, setter);
    if (!axes) return report(err, axes.error());
    report(err, setter.take_warnings());
    write_table(out, sweep_table(*scenario, *axes, setter), arguments->format());
    return exit_done;
}

}  // namespace scalescope::app
