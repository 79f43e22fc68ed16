// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/measure/runs/import.hpp"
#include "core/scenario/scenario.hpp"

/// Fitting the analytical model's constants to measured steps and layers.
namespace scalescope::calibration {

/// A measured time that an estimate has a figure for.
struct Observation {
    enum class What { step, forward, backward };
    std::size_t scenario = 0;  ///< in Observations::scenarios
    What what = What::step;
    std::string layer;  ///< whose forward or backward time of a step it is; empty for the step
    Seconds measured;
    int line = 0;  ///< in its table; 0 if it came from nowhere
};

struct Observations {
    std::vector<Scenario> scenarios;
    std::vector<Observation> rows;
    Problems warnings;      ///< rows left out, columns that say nothing
    std::string data_hash;  ///< of the table
    SourcePosition table;   ///< its header; no file if the rows came from nowhere
};

/// How a table's cell changes a scenario: a field by its path, "network" and "cluster" too.
using ChangeScenario = std::function<Result<void>(Scenario&, const std::string& path, const std::string& value)>;

struct ObservationColumns {
    measure::ColumnMap runs;
    std::vector<std::pair<std::string, std::string>> fields;  ///< path of a field, and the column that sets it
};

/// True if the table has measured layers: a column `layer`, and forward or backward times.
bool is_layer_table(const formats::CsvTable& table);

/// Runs of a table, each the base with what its row says: `workers` (or gpus, processors), `batch_size`,
/// `batch_per_worker`, `device`, `network`, `precision`, and every column called like a field ("cluster.nodes").
Result<Observations> read_runs(std::string_view text, const std::string& file, const Scenario& base,
                               const ObservationColumns& columns, const ChangeScenario& change);

/// Times of the base's layers: `layer`, and `forward_ms`, `backward_ms` (or _us, _s), of one step.
Result<Observations> read_layers(std::string_view text, const std::string& file, const Scenario& base);

}  // namespace scalescope::calibration
