// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/csv.hpp"
#include "core/measure/runs/runs.hpp"

namespace scalescope::measure {

/// A condition that a run must meet to be read. Numbers are compared as numbers, words only for (in)equality.
struct RunFilter {
    enum class Relation { equal, unequal, less, less_equal, greater, greater_equal };
    std::string column;
    Relation relation = Relation::equal;
    std::string value;
    bool operator==(const RunFilter&) const = default;
};

/// "workers<=16", "metric=training throughput"; nothing if no relation stands in it.
std::optional<RunFilter> parse_filter(std::string_view text);

/// Which column says what. What is empty is looked for by its usual names: `time_s`, `time_ms`, `time_us`; `value` with
/// `unit`; `throughput` with `samples_per_unit`.
struct ColumnMap {
    std::string time;              ///< a time, or a rate of samples
    std::string unit;              ///< of `time`: "s", "ms", "us", "ns", "min", "h", "images/s" (anything per second)
    std::string unit_column;       ///< the same, run by run
    std::string samples_per_unit;  ///< column of the samples that a rate's unit of work has; else the batch of a step
    std::string workers, batch, batch_per_worker;  ///< renamed to these; missing batches follow from each other
    std::string split;                             ///< "train" or "test"; by default a column `split`, if there is one
    std::vector<RunFilter> filters;
    bool operator==(const ColumnMap&) const = default;
};

/// Who is held out, where the table does not say.
struct HoldOut {
    std::size_t every = 0;       ///< the last of each so many runs; 0: none
    double workers_above = 0.0;  ///< runs with more workers; 0: none
    bool operator==(const HoldOut&) const = default;
};

struct ImportedRuns {
    Runs runs;
    std::vector<std::size_t> rows;  ///< of the table: where every run stands in it
    ColumnMap used;                 ///< the columns that were taken, whether named or found by their usual names
    Problems warnings;              ///< runs left out, runs that stand there twice, …
    std::string data_hash;          ///< of the text; empty if it was not given
};

/// The column that an import takes no notice of when it looks for runs that stand there twice.
inline constexpr std::string_view run_id_column = "run_id";

/// The runs of a table. Rows without a usable time are left out and named; nothing usable at all is a problem.
Result<ImportedRuns> import_runs(const formats::CsvTable& table, const ColumnMap& map = {}, const HoldOut& hold = {});
/// The same from the text of a file, with its hash ("fnv1a64:…").
Result<ImportedRuns> import_runs(std::string_view text, const std::string& file, const ColumnMap& map = {},
                                 const HoldOut& hold = {});

/// What an import says last of runs that stand there twice; `at` is the first of them.
Problem twice_warning(std::size_t twice, SourcePosition at);

/// Seconds per unit, or a rate if `per_second`; nothing if the unit is not known.
struct TimeUnit {
    double seconds = 1.0;
    bool per_second = false;
    bool of_tokens = false;    ///< "tokens/s": a sample has as many as the column `seq` says
    bool each_worker = false;  ///< "tokens/s/GPU"
    bool of_steps = false;     ///< "iterations/s": needs no batch
};
/// Units that say what a piece of work costs, not how long a step takes: "TFLOP/s" is read as the seconds for one TFLOP
/// (of each worker, if the rate is), "GPU-h" as the seconds that one GPU would take. Only where a table has no times.
std::optional<TimeUnit> work_unit(std::string_view text);

/// Columns that hold times or rates as their names say, in the order of the table: those with usual names first
/// ("time_s", "value", …), then all that end in a unit ("forward_ms", "iterations_per_s").
std::vector<std::string> time_columns(const formats::CsvTable& table);
std::optional<TimeUnit> time_unit(std::string_view text);

/// FNV-1a of 64 bits (Fowler, Noll, Vo), as "fnv1a64:" and 16 hexadecimal digits: says whether data are the same, not
/// who wrote them.
std::string data_hash(std::string_view text);

}  // namespace scalescope::measure
