// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/calibration/observations.hpp"

#include <algorithm>

#include "core/base/suggest.hpp"
#include "core/formats/csv_fields.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::calibration {
namespace {

using measure::RunColumn;
using measure::Runs;

struct LayerColumn {
    std::size_t column;
    double seconds;
    Observation::What what;
};

std::vector<LayerColumn> layer_columns(const formats::CsvTable& table) {
    std::vector<LayerColumn> found;
    for (const auto& [word, what] : {std::pair<std::string, Observation::What>{"forward", Observation::What::forward},
                                     {"backward", Observation::What::backward}})
        for (const auto& [unit, seconds] : {std::pair<std::string, double>{"_ms", 1e-3}, {"_us", 1e-6}, {"_s", 1.0}})
            if (const auto column = table.column(word + unit)) {
                found.push_back({*column, seconds, what});
                break;
            }
    return found;
}

/// The column of the runs that sets each field, with the field's path.
std::vector<std::pair<std::string, const RunColumn*>> columns_that_set(const Runs& runs,
                                                                       const ObservationColumns& columns,
                                                                       Problems& problems) {
    std::vector<std::pair<std::string, const RunColumn*>> found;
    for (const auto& [path, name] : columns.fields) {
        const RunColumn* column = runs.find(name);
        if (column)
            found.emplace_back(path, column);
        else
            problems.push_back(make_error("There is no column \"" + name + "\" for " + path + ".", "see the header row",
                                          runs.header, path));
    }
    // what sets the device or the network comes before what sets a figure of it
    for (const auto& [name, path] :
         {std::pair("network", "network"), std::pair("cluster", "cluster"), std::pair("device", "cluster.device"),
          std::pair("precision", "training.precision"), std::pair("workers", "cluster.workers")})
        if (const RunColumn* column = runs.find(name)) found.emplace_back(path, column);
    for (const RunColumn& column : runs.columns)
        if (find_field(column.name)) found.emplace_back(column.name, &column);
    return found;
}

}  // namespace

bool is_layer_table(const formats::CsvTable& table) { return table.column("layer") && !layer_columns(table).empty(); }

Result<Observations> read_runs(std::string_view text, const std::string& file, const Scenario& base,
                               const ObservationColumns& columns, const ChangeScenario& change) {
    ASSIGN_OR_RETURN(const auto table, formats::parse_csv(text, file));
    ASSIGN_OR_RETURN(const auto imported, measure::import_runs(table, columns.runs));
    const Runs& runs = imported.runs;
    Observations result;
    result.warnings = imported.warnings;
    result.data_hash = measure::data_hash(text);
    result.table = runs.header;
    Problems problems;
    const auto setting = columns_that_set(runs, columns, problems);
    const RunColumn* total = runs.find("batch_size");
    const RunColumn* each = runs.find("batch_per_worker");
    if (!problems.empty()) return fail(std::move(problems));
    for (std::size_t row = 0; row < runs.size(); ++row) {
        Scenario scenario = base;
        Problems wrong;
        const auto set = [&](const std::string& path, const std::string& value, const std::string& column) {
            if (value.empty()) return;
            auto done = change(scenario, path, value);
            if (done) return;
            const auto place = table.column(column);
            for (Problem& p : done.error()) {
                p.at = place ? table.at(imported.rows[row], *place) : SourcePosition{file, runs.lines[row], 1};
                wrong.push_back(std::move(p));
            }
        };
        for (const auto& [path, column] : setting) set(path, column->words[row], column->name);
        const RunColumn* batch = total && !total->words[row].empty() ? total : each;
        if (batch && !batch->words[row].empty()) {
            scenario.training.batch_rule = batch == total ? BatchRule::total : BatchRule::per_worker;
            set("training.batch", batch->words[row], batch->name);
        }
        if (!wrong.empty()) {
            Problem p = wrong.front();
            p.severity = Severity::warning;
            p.what = "A run is left out: " + p.what;
            result.warnings.push_back(std::move(p));
            continue;
        }
        result.rows.push_back(
            {result.scenarios.size(), Observation::What::step, {}, Seconds{runs.seconds[row]}, runs.lines[row]});
        result.scenarios.push_back(std::move(scenario));
    }
    if (result.rows.empty()) {
        problems = std::move(result.warnings);
        problems.push_back(
            make_error("No run could be made a scenario of.", "see the warnings, or --map a column", runs.header));
        return fail(std::move(problems));
    }
    return result;
}

Result<Observations> read_layers(std::string_view text, const std::string& file, const Scenario& base) {
    ASSIGN_OR_RETURN(const auto table, formats::parse_csv(text, file));
    formats::ProblemList problems;
    formats::CsvFields fields(table, problems);
    const auto name = fields.required("layer");
    const auto times = layer_columns(table);
    if (times.empty())
        problems.error(table.name_at(0), {}, "No column of times was found.", "call it forward_ms or backward_ms");
    if (problems.has_errors()) return fail(problems.take());
    std::vector<std::string> known;
    if (const Network* network = base.network())
        for (const auto& layer : network->layers()) known.push_back(layer.name);
    Observations result;
    result.data_hash = measure::data_hash(text);
    result.table = table.name_at(0);
    result.scenarios.push_back(base);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string layer(table.cell(row, *name));
        if (std::ranges::find(known, layer) == known.end()) {
            const auto near = closest(layer, known);
            result.warnings.push_back(
                make_warning("The network has no layer \"" + layer.substr(0, 60) + "\"; its times are left out.",
                             near ? "did you mean \"" + *near + "\"?" : "use the names of the network's layers",
                             table.at(row, *name)));
            continue;
        }
        for (const LayerColumn& time : times) {
            const auto value = fields.optional_number(row, time.column, 0.0, 1e12);
            if (value && *value > 0.0)
                result.rows.push_back(
                    {0, time.what, layer, Seconds{*value * time.seconds}, table.at(row, time.column).line});
        }
    }
    if (problems.has_errors()) return fail(problems.take());
    if (result.rows.empty()) {
        Problems all = std::move(result.warnings);
        all.push_back(make_error("No layer of the network has a time.", "use the names of the network's layers",
                                 table.name_at(*name)));
        return fail(std::move(all));
    }
    return result;
}

}  // namespace scalescope::calibration
