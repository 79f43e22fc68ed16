// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <algorithm>
#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/base/atomic_file.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/input_file.hpp"
#include "core/measure/calibration/calibrate.hpp"
#include "core/measure/calibration/operator_calibration.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::app {

namespace {

using namespace calibration;

struct Gathered {
    Observations observations;
    operators::MeasuredOperators measured;
    std::string texts;  ///< of all tables, for the hash
};

class Calibrating {
public:
    Calibrating(const Arguments& arguments, const formats::Library& library, std::ostream& err)
        : arguments_(arguments), library_(library), err_(err), setter_(library) {}

    Result<void> read_tables() {
        for (const auto& file : arguments_.positionals()) {
            const auto text = formats::read_input_file(file);
            if (!text) return fail(text.error());
            const auto table = formats::parse_csv(*text, file);
            if (!table) return fail(table.error());
            all_.texts += *text;
            if (operators::is_operator_table(*table)) {
                auto read = operators::read_operator_table(*table);
                if (!read) return fail(read.error());
                report(err_, read->warnings);
                join(std::move(*read));
            } else if (auto done = read_times(*table, *text, file); !done) {
                return done;
            }
        }
        return {};
    }

    Result<Calibration> fit(std::vector<Table>& tables) {
        Calibration c;
        const std::string name = arguments_.value("name").value_or("calibration");
        if (!all_.observations.rows.empty()) {
            CalibrateOptions options;
            options.share_spread = arguments_.number("spread").value_or(options.share_spread);
            options.noise = arguments_.number("noise").value_or(0.05);
            const auto found = calibrate(all_.observations, options);
            if (!found) return fail(found.error());
            report(err_, found->warnings);
            c = to_calibration(*found, all_.observations, name);
            tables.push_back(constants_table(*found));
            tables.push_back(times_table(*found));
        }
        if (!all_.measured.rows.empty()) {
            const auto found = calibrate_operators(all_.measured, library_.catalogue);
            if (!found) return fail(found.error());
            report(err_, found->warnings);
            add_operators(c, *found, all_.measured);
            tables.push_back(errors_table(found->errors));
        }
        c.name = name;
        c.data_hash = measure::data_hash(all_.texts);
        return c;
    }

private:
    Result<void> read_times(const formats::CsvTable& table, const std::string& text, const std::string& file) {
        if (!base_) {
            const auto name = arguments_.value("scenario");
            if (!name)
                return fail(make_error("Runs and layers need the scenario that they were measured in.",
                                       "add --scenario FILE, or the name of a preset"));
            std::vector<Assignment> changes;
            for (const auto& text_of : arguments_.values("set")) {
                auto change = parse_assignment(text_of);
                if (!change) return fail(make_error("\"" + text_of + "\" sets nothing.", "write PATH=VALUE"));
                changes.push_back(std::move(*change));
            }
            const auto sizes = sizes_in(changes);
            const ReadAs as = read_as(arguments_);
            auto read = scenario_named(*name, library_, sizes, as.trainer);
            if (!read) return fail(read.error());
            report(err_, read->warnings);
            base_ = std::move(read->scenario);
            Setter setter(library_, sizes, {}, as);
            for (const Assignment& change : changes)
                if (auto set = setter.set(*base_, change.path, change.value); !set) return fail(set.error());
            if (const auto used = setter.check_part(); !used) return fail(used.error());
        }
        auto read = is_layer_table(table) ? read_layers(text, file, *base_) : read_runs(text, file, *base_);
        if (!read) return fail(read.error());
        report(err_, read->warnings);
        Observations& all = all_.observations;
        if (all.table.file.empty()) all.table = read->table;
        for (auto& row : read->rows) {
            row.scenario += all.scenarios.size();
            all.rows.push_back(std::move(row));
        }
        all.scenarios.insert(all.scenarios.end(), read->scenarios.begin(), read->scenarios.end());
        return {};
    }

    Result<Observations> read_runs(const std::string& text, const std::string& file, const Scenario& base) {
        ObservationColumns columns;
        columns.runs.time = arguments_.value("time").value_or("");
        columns.runs.unit = arguments_.value("unit").value_or("");
        for (const auto& condition : arguments_.values("where")) {
            const auto filter = measure::parse_filter(condition);
            if (!filter)
                return fail(
                    make_error("\"" + condition + "\" is no condition.", "write workers<=16 or device=Tesla K80"));
            columns.runs.filters.push_back(*filter);
        }
        for (const auto& pair : arguments_.values("map")) {
            const auto mapped = parse_assignment(pair);
            if (!mapped) return fail(make_error("\"" + pair + "\" maps no column.", "write cluster.nodes=COLUMN"));
            if (mapped->path == "workers")
                columns.runs.workers = mapped->value;
            else if (mapped->path == "batch_size")
                columns.runs.batch = mapped->value;
            else if (mapped->path == "batch_per_worker")
                columns.runs.batch_per_worker = mapped->value;
            else
                columns.fields.emplace_back(mapped->path, mapped->value);
        }
        return calibration::read_runs(text, file, base, columns,
                                      [this](Scenario& s, const std::string& path, const std::string& value) {
                                          return setter_.set(s, path, value);
                                      });
    }

    void join(operators::MeasuredOperators read) {
        operators::MeasuredOperators& all = all_.measured;
        std::vector<std::size_t> place;
        for (const auto& device : read.devices) {
            const auto at = std::find(all.devices.begin(), all.devices.end(), device);
            place.push_back(static_cast<std::size_t>(at - all.devices.begin()));
            if (at != all.devices.end()) continue;
            all.devices.push_back(device);
            all.device_places.push_back(read.device_places[place.size() - 1]);
        }
        for (auto& row : read.rows) {
            row.device = place[row.device];
            all.rows.push_back(row);
        }
        for (const auto& framework : read.frameworks)
            if (std::find(all.frameworks.begin(), all.frameworks.end(), framework) == all.frameworks.end())
                all.frameworks.push_back(framework);
    }

    static Table constants_table(const CalibrationFit& fit) {
        Table table{{"constant", "unit", "before", "believed", "value", "low_90", "high_90", "verdict", "why"}, {}};
        for (const auto& c : fit.constants) {
            const Field* field = find_field(c.field);
            table.rows.push_back({c.field, field ? std::string(field->unit) : std::string(), c.before, c.prior, c.value,
                                  c.low, c.high, std::string(name_of(c.verdict)), c.words});
        }
        return table;
    }

    Table times_table(const CalibrationFit& fit) const {
        Table table{{"line", "measured_ms", "before_ms", "before_percent", "calibrated_ms", "error_percent",
                     "low_90_ms", "high_90_ms"},
                    {}};
        for (std::size_t r = 0; r < fit.rows.size(); ++r) {
            const auto& row = fit.rows[r];
            const auto& seen = all_.observations.rows[r];
            table.rows.push_back({static_cast<std::int64_t>(seen.line), in_milliseconds(seen.measured),
                                  in_milliseconds(row.before), 100.0 * row.error_before(seen.measured),
                                  in_milliseconds(row.after), 100.0 * row.error_after(seen.measured),
                                  in_milliseconds(row.low), in_milliseconds(row.high)});
        }
        return table;
    }

    static Table errors_table(const std::vector<OperatorErrors>& errors) {
        Table table{{"operator", "pass", "precision", "device", "points", "roofline_percent", "tiles_percent",
                     "new_shapes_percent", "median", "new_device_percent", "median_of_it"},
                    {}};
        const auto percent = [](const std::optional<operators::Errors>& e, bool median) {
            return e ? Cell(100.0 * (median ? e->median : e->mean)) : Cell();
        };
        for (const auto& e : errors)
            table.rows.push_back({e.kind, e.pass, e.precision, e.device, static_cast<std::int64_t>(e.tiles.points),
                                  100.0 * e.roofline.mean, 100.0 * e.tiles.mean, percent(e.shapes_never_seen, false),
                                  percent(e.shapes_never_seen, true), percent(e.device_never_seen, false),
                                  percent(e.device_never_seen, true)});
        return table;
    }

    const Arguments& arguments_;
    const formats::Library& library_;
    std::ostream& err_;
    Setter setter_;
    std::optional<Scenario> base_;
    Gathered all_;
};

Options calibrate_options() {
    Options options(calibrate_command);
    options.positional("TABLE", "CSV of runs, of layers (layer, forward_ms, backward_ms) or of operators", 1, 64);
    options.value("scenario", "SCENARIO", "what runs and layers were measured in: a file, or the name of a preset");
    declare_set(options, "change a field of it first (scalescope list fields)");
    options.values("map", "PATH=COLUMN",
                   "the column that sets a field of the scenario, or is workers, batch_size or batch_per_worker");
    options.value("time", "COLUMN", "the column of times or rates of runs (time_s, value or throughput by default)");
    options.value("unit", "UNIT", "its unit: s, ms, us, ns, min, h, or a rate such as images/s");
    options.values("where", "CONDITION", "only runs that meet it: \"workers<=16\"");
    options.number("spread", "how far a share that the scenario sets may be off, as a factor's logarithm (default 0.2)",
                   0.001, 5);
    options.number("noise", "share that measurements are expected to differ by (default 0.05)", 0.0001, 1);
    options.value("name", "NAME", "what the calibration is called");
    options.value("save", "FILE", "write it, for --set calibration=FILE");
    options.choice("show", {"constants", "times", "errors"}, "one table instead of all");
    options.table_format();
    return options;
}

int run_calibrate(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = calibrate_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    const auto library = load_library(err);
    Calibrating calibrating(*arguments, library, err);
    if (const auto read = calibrating.read_tables(); !read) return report(err, read.error());
    std::vector<Table> tables;
    const auto calibration = calibrating.fit(tables);
    if (!calibration) return report(err, calibration.error());
    const std::string json = formats::write_calibration(*calibration);
    if (const auto file = arguments->value("save"))
        if (const auto saved = write_file(*file, json); !saved) return report(err, saved.error());
    const auto show = arguments->value("show");
    if (!show && arguments->format() == OutputFormat::json) {
        out << json;
        return exit_done;
    }
    const std::string first = !show ? "" : *show == "constants" ? "constant" : *show == "times" ? "line" : "operator";
    bool any = false;
    for (const Table& table : tables) {
        if (!first.empty() && table.columns.front() != first) continue;
        if (any) out << '\n';
        write_table(out, table, arguments->format());
        any = true;
    }
    if (!any) return report(err, {make_error("These tables have no " + *show + " to show.", "leave --show out")});
    return exit_done;
}

}  // namespace

const Command calibrate_command{"measure calibrate", "the model's constants from measured steps, layers or operators",
                                "scalescope measure calibrate runs.csv --scenario example --name ours --save ours.json",
                                run_calibrate};

}  // namespace scalescope::app
