// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/measure/validate/resolve.hpp"

namespace scalescope::measure {

/// A measured rate on several workers, over what the same source measured on one worker, and the workers.
struct ScalingPoint {
    double speedup = 1;
    double workers = 1;
};

/// The mean of |predicted/measured − 1| of the speedups, and the constant of the rule that predicts them.
struct BaselineError {
    double mean = 0, constant = 1;
};

/// Speedup = workers.
BaselineError linear_baseline(std::span<const ScalingPoint> points);
/// Speedup = c · workers, with the c of least mean error on these very points.
BaselineError constant_baseline(std::span<const ScalingPoint> points);
/// Speedup = workers^a, with the a of least mean error on these very points.
BaselineError power_baseline(std::span<const ScalingPoint> points);

/// What is learnt from the tables before they are predicted.
enum class Calibrate {
    none,       ///< nothing
    first_row,  ///< from the one-worker row that is most like a row, the speed of its device; more workers are
                ///< predicted
    split,      ///< from every second row of a source, framework, device and precision; the others are predicted
    device,     ///< one factor for each device, from every second configuration; the others are predicted
};

/// How operations are priced.
enum class ValidationModel {
    presets,   ///< as the profiles say
    roofline,  ///< at the peaks of the data sheet, traffic hidden behind arithmetic, nothing else
};

struct ValidateOptions {
    Calibrate calibrate = Calibrate::none;
    ValidationModel model = ValidationModel::presets;
    bool strict = false;  ///< leave out rows that need an assumption
};

enum class Evidence { data_sheet, recalled, calibrated };

/// One row: what was measured and what the model says.
struct ValidatedRow {
    PublishedRow row;
    std::optional<Scenario> scenario;  ///< as predicted, to be opened; nothing if there is a reason
    std::optional<double> predicted;   ///< in the row's unit
    std::optional<double> roofline;    ///< the same by ValidationModel::roofline, of rows on one device
    std::optional<double>
        linear;  ///< the one-worker row that calibrates it, times the workers unless it is a rate of each device
    Evidence evidence = Evidence::data_sheet;
    int calibrated_on = 0;     ///< rows
    bool learnt_from = false;  ///< what it measured calibrated others; its own error counts nowhere
    bool modelled = false;     ///< the table's figure was computed by a model, not measured: nothing learns from it
    bool fits = true;          ///< false: predicted to need more memory than its devices have
    bool of_memory = false;    ///< it measured memory, not time
    std::optional<bool> more_is_faster;  ///< of a figure that was predicted: a rate, not a time
    std::vector<std::string> sources;
    std::vector<std::string> assumed;  ///< assumptions about cells that the table leaves empty, each a sentence
    std::string reason;                ///< why nothing was predicted

    /// Predicted over measured, less one.
    std::optional<double> error() const;
    bool counts() const { return !learnt_from; }
};

/// Errors are |predicted/measured − 1|.
struct ErrorSummary {
    std::size_t rows = 0;  ///< with a prediction
    double mean = 0, median = 0, worst = 0;
};

/// Rows that belong together: of one source by number of workers, of one network or device, or of one table.
struct GroupSummary {
    std::string group;  ///< the source's name up to a colon, or the network, the device or the table's file
    std::string range;  ///< "1 worker", "2–8 workers", "more than 8"; "network", "device"; "table", "table, memory",
                        ///< "table, computed by a model"
    std::size_t rows = 0;
    std::size_t do_not_fit = 0;  ///< rows that ran, and were predicted not to fit into memory
    ErrorSummary ours;
    std::optional<ErrorSummary> roofline;                  ///< on the same rows
    std::optional<BaselineError> linear, constant, power;  ///< on the same rows, of those with a one-worker row
    double coverage() const { return rows == 0 ? 0.0 : static_cast<double>(ours.rows) / static_cast<double>(rows); }
};

struct Validation {
    std::vector<ValidatedRow> rows;  ///< in the order of the tables
    std::vector<GroupSummary> groups;
    /// Each reason why rows could not be predicted, and how many.
    std::vector<std::pair<std::string, std::size_t>> reasons;
    /// By number of assumptions, how many rows were predicted with it.
    std::map<std::size_t, std::size_t> assumptions;
};

/// Predicts every row. `watch` hears how far it is; a cancelled run is a Problem.
Result<Validation> validate(const std::vector<PublishedRow>& rows, const formats::Library& library,
                            const Profiles& profiles, const ValidateOptions& options = {}, const Watch& watch = {});

/// The figure that a scenario predicts for a row resolved like this, in the row's unit.
Result<double> predicted_value(const ResolvedRow& resolved, const Scenario& scenario);

/// The scenario whose device reaches `factor` times what it reaches in `scenario`: percents of peak up to 100, beyond
/// that the peaks themselves.
Scenario scaled_speed(Scenario scenario, double factor);

/// Mean, median (the mean of the middle two) and worst of errors, whatever their sign.
ErrorSummary summarise_errors(std::vector<double> errors);

/// Of each table, in their order: times and rates, memory, and figures that a model computed, each apart.
std::vector<GroupSummary> tables_of(const std::vector<ValidatedRow>& rows);

/// Of each source by number of workers; of rows on one device by network and by device, as `counts` says; of each
/// table.
std::vector<GroupSummary> summarise(const std::vector<ValidatedRow>& rows);

/// Each reason and how many rows have it, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> reasons_of(const std::vector<ValidatedRow>& rows);

/// The one-worker row most like `row`: same source, framework, network, device, precision, metric and unit; of those
/// the one with most phrases of its notes, then the nearest batch, then the nearest line. Nothing if there is none.
std::optional<std::size_t> one_worker_row(const std::vector<PublishedRow>& rows, std::size_t row);

/// By how much the device of `scenario` must be faster (`scaled_speed`) for the row to come out as measured; a reason
/// if no factor does that.
Result<double> fitted_speed(const PublishedRow& row, const ResolvedRow& resolved, const Scenario& scenario);

/// The same for rows that differ only in the metric: they describe one run.
std::string configuration_key(const PublishedRow& row);

/// By row, whether its table was computed by a model and not measured: the times of at least three runs are exactly
/// linear in the micro-batches, those of no run are not.
std::vector<bool> computed_rows(const std::vector<PublishedRow>& rows);

/// The key of rows that Calibrate::split learns from together.
std::string split_key(const PublishedRow& row);

}  // namespace scalescope::measure
