// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"

#include <ostream>

#include "app/commands/input.hpp"
#include "app/commands/options.hpp"
#include "core/formats/input_file.hpp"
#include "core/measure/validate/corrections.hpp"
#include "core/measure/validate/residuals.hpp"
#include "core/measure/validate/validate.hpp"

namespace scalescope::app {

namespace {

using namespace measure;

Options validate_options() {
    Options options(validate_command);
    options.positional("TABLE", "tables of published results (CSV, TSV or Markdown) with any usual column names", 1,
                       100);
    options.values("map", "NAME=MEANING",
                   "what a column holds (GBS=batch_global, Speed=tokens/s), or the value of a column that the table "
                   "lacks (device=H100 SXM, precision=bf16)");
    options.flag("keep-map", "keep these meanings beside each table, in TABLE.map, from where they are read next time");
    options.choice("calibrate", {"none", "first-row", "split", "device"},
                   "how to learn the speed of a device. first-row: from the most similar row with one worker. split: "
                   "from every second row of a source, framework, device and precision. device: one factor for each "
                   "device, from every second configuration (default none)");
    options.choice("model", {"presets", "roofline"},
                   "presets: as the profiles set it (default). roofline: peaks of the data sheet, with traffic hidden");
    options.value("profiles", "FILE", "profiles to use instead of the shipped ones (same format as presets/profiles)");
    options.choice("show", {"rows", "summary", "all", "columns", "residuals"},
                   "what to write (default all, for CSV rows); columns: what each column was taken for; residuals: "
                   "what bands are made "
                   "from, by source, device, network and workers");
    options.flag("strict", "leave out rows that can only be predicted with assumptions");
    options.table_format();
    return options;
}

std::string_view word_of_evidence(Evidence evidence) {
    return evidence == Evidence::calibrated ? "calibrated" : evidence == Evidence::recalled ? "recalled" : "data sheet";
}

std::string evidence_text(const ValidatedRow& v) {
    std::string text(word_of_evidence(v.evidence));
    if (v.evidence == Evidence::calibrated)
        text += " on " + std::to_string(v.calibrated_on) + (v.calibrated_on == 1 ? " row" : " rows");
    if (v.learnt_from) text += "; learnt from";
    return text;
}

Cell percent_cell(const std::optional<double>& share) { return cell_of(share ? std::optional(100.0 * *share) : share); }
Cell text_cell(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

std::string one_text(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
    return text;
}

Table rows_table(const Validation& validation) {
    Table table{
        {"file", "line", "source", "network", "device", "workers", "batch_per_worker", "precision", "metric", "unit",
         "measured", "predicted", "error_percent", "linear", "roofline", "evidence", "reason", "assumed", "fits"},
        {}};
    for (const ValidatedRow& v : validation.rows) {
        const PublishedRow& r = v.row;
        table.rows.push_back(
            {r.file, static_cast<std::int64_t>(r.line), r.source, r.network, r.device, r.workers,
             r.batch_per_worker == 0 ? Cell() : Cell(r.batch_per_worker), text_cell(r.precision), text_cell(r.metric),
             r.unit, r.value > 0 ? Cell(r.value) : Cell(), cell_of(v.predicted), percent_cell(v.error()),
             cell_of(v.linear), cell_of(v.roofline), v.predicted ? Cell(evidence_text(v)) : Cell(), text_cell(v.reason),
             text_cell(one_text(v.assumed)), v.predicted ? Cell(std::string(v.fits ? "yes" : "no")) : Cell()});
    }
    return table;
}

Cell baseline_cell(const std::optional<BaselineError>& baseline) {
    return cell_of(baseline ? std::optional(100.0 * baseline->mean) : std::nullopt);
}

Table groups_table(const Validation& validation) {
    Table table{{"group", "rows_of", "rows", "coverage_percent", "mean_error_percent", "median_error_percent",
                 "worst_error_percent", "linear_percent", "best_constant_percent", "best_power_percent",
                 "roofline_median_percent", "do_not_fit"},
                {}};
    for (const GroupSummary& g : validation.groups) {
        const bool any = g.ours.rows > 0;
        table.rows.push_back({g.group, g.range, static_cast<std::int64_t>(g.rows), 100.0 * g.coverage(),
                              any ? Cell(100.0 * g.ours.mean) : Cell(), any ? Cell(100.0 * g.ours.median) : Cell(),
                              any ? Cell(100.0 * g.ours.worst) : Cell(), baseline_cell(g.linear),
                              baseline_cell(g.constant), baseline_cell(g.power),
                              cell_of(g.roofline ? std::optional(100.0 * g.roofline->median) : std::nullopt),
                              any ? Cell(static_cast<std::int64_t>(g.do_not_fit)) : Cell()});
    }
    return table;
}

Table reasons_table(const Validation& validation) {
    Table table{{"rows", "not_predicted_because"}, {}};
    for (const auto& [reason, count] : validation.reasons)
        table.rows.push_back({static_cast<std::int64_t>(count), reason});
    return table;
}

Table assumptions_table(const Validation& validation) {
    Table table{{"assumptions_per_row", "rows_predicted"}, {}};
    for (const auto& [assumptions, rows] : validation.assumptions)
        table.rows.push_back({static_cast<std::int64_t>(assumptions), static_cast<std::int64_t>(rows)});
    return table;
}

void write_validation(std::ostream& out, const Validation& validation, const std::string& show, OutputFormat format) {
    const bool rows = show != "summary", summary = show != "rows" && (format != OutputFormat::csv || show == "summary");
    if (format == OutputFormat::json && rows && summary) {
        out << "{\"rows\": ";
        write_table(out, rows_table(validation), format);
        out << ", \"summary\": ";
        write_table(out, groups_table(validation), format);
        out << ", \"assumptions\": ";
        write_table(out, assumptions_table(validation), format);
        out << ", \"not_predicted\": ";
        write_table(out, reasons_table(validation), format);
        out << "}\n";
        return;
    }
    if (rows) write_table(out, rows_table(validation), format);
    if (rows && summary) out << '\n';
    if (summary) write_table(out, groups_table(validation), format);
    if (summary && format == OutputFormat::table && !validation.assumptions.empty()) {
        out << '\n';
        write_table(out, assumptions_table(validation), format);
    }
    if (summary && format == OutputFormat::table && !validation.reasons.empty()) {
        out << '\n';
        write_table(out, reasons_table(validation), format);
    }
}

Result<formats::CsvTable> read_table(const std::string& file) {
    auto text = formats::read_input_file(file);
    if (!text) return fail(text.error());
    return formats::parse_csv(std::move(*text), file);
}

Result<std::vector<PublishedRow>> read_tables(const std::vector<std::string>& files,
                                              std::span<const GivenColumn> given) {
    std::vector<PublishedRow> all;
    for (const auto& file : files) {
        const auto table = read_table(file);
        if (!table) return fail(table.error());
        ASSIGN_OR_RETURN(const auto corrections, corrections_beside(file, given));
        const auto rows = read_published(*table, corrections);
        if (!rows) return fail(rows.error());
        all.insert(all.end(), rows->begin(), rows->end());
    }
    return all;
}

Result<Table> columns_table(const std::vector<std::string>& files, std::span<const GivenColumn> given) {
    Table shown{{"file", "column", "holds"}, {}};
    for (const auto& file : files) {
        const auto table = read_table(file);
        if (!table) return fail(table.error());
        ASSIGN_OR_RETURN(const auto corrections, corrections_beside(file, given));
        for (const TakenColumn& column : columns_taken(*table, corrections))
            shown.rows.push_back(
                {file, column.header, column.means.empty() ? "not recognized, kept as a note" : column.means});
    }
    return shown;
}

/// Splits NAME=MEANING; nothing if a text has no name or no equals sign.
std::optional<std::vector<GivenColumn>> given_columns(const std::vector<std::string>& texts) {
    std::vector<GivenColumn> given;
    for (const std::string& text : texts) {
        const auto correction = read_correction(text);
        if (!correction) return std::nullopt;
        given.push_back(*correction);
    }
    return given;
}

Result<Profiles> profiles_to_use(const std::optional<std::string>& file) {
    if (!file) return shipped_profiles();
    const auto text = formats::read_input_file(*file);
    if (!text) return fail(text.error());
    return read_profiles(*text, *file);
}

int run_validate(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    const auto arguments = validate_options().parse(words, out, err);
    if (!arguments) return arguments.error();
    ValidateOptions options;
    const auto calibrate = arguments->value("calibrate").value_or("none");
    if (calibrate == "first-row") options.calibrate = Calibrate::first_row;
    if (calibrate == "split") options.calibrate = Calibrate::split;
    if (calibrate == "device") options.calibrate = Calibrate::device;
    if (arguments->value("model") == "roofline") options.model = ValidationModel::roofline;
    options.strict = arguments->has("strict");
    const auto profiles = profiles_to_use(arguments->value("profiles"));
    if (!profiles) return report(err, profiles.error());
    const auto given = given_columns(arguments->values("map"));
    if (!given)
        return report(err, {make_error("--map needs NAME=MEANING.", "write it as in --map \"GBS=batch_global\"")});
    for (const std::string& file : arguments->has("keep-map") ? arguments->positionals() : std::vector<std::string>{}) {
        const auto all = corrections_beside(file, *given);
        if (!all) return report(err, all.error());
        if (const auto kept = keep_corrections(file, *all); !kept) return report(err, kept.error());
    }
    if (arguments->value("show") == "columns") {
        const auto columns = columns_table(arguments->positionals(), *given);
        if (!columns) return report(err, columns.error());
        write_table(out, *columns, arguments->format());
        return exit_done;
    }
    const auto rows = read_tables(arguments->positionals(), *given);
    if (!rows) return report(err, rows.error());
    const auto library = load_library(err);
    const auto validation = validate(*rows, library, *profiles, options);
    if (!validation) return report(err, validation.error());
    if (arguments->value("show") == "residuals") {
        out << write_residuals(residuals_of(validation->rows));
        return exit_done;
    }
    write_validation(out, *validation, arguments->value("show").value_or("all"), arguments->format());
    return exit_done;
}

}  // namespace

const Command validate_command{"measure validate", "published results against predictions",
                               "scalescope measure validate results.csv --calibrate first-row", run_validate};

}  // namespace scalescope::app
