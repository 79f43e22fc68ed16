// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/formats/csv.hpp"
#include "core/measure/operators/correction.hpp"

/// Tables of measured operators.
namespace scalescope::operators {

using OperatorShape = std::variant<Matmul, Convolution, Elementwise>;

struct MeasuredOperator {
    OperatorShape shape;
    Pass pass = Pass::forward;
    Precision precision = Precision::fp32;
    std::size_t device = 0;  ///< in MeasuredOperators::devices
    Seconds time;
    int line = 0;
};

struct MeasuredOperators {
    std::vector<std::string> devices;           ///< as the table calls them, in the order they come
    std::vector<SourcePosition> device_places;  ///< where each is called so first; empty if the rows came from nowhere
    std::vector<std::string> frameworks;
    std::vector<MeasuredOperator> rows;
    Problems warnings;  ///< rows left out
};

OperatorKind kind_of(const OperatorShape& shape);
std::string_view name_of(OperatorKind kind);
std::string_view name_of(Pass pass);

/// True if the table has the columns of products, convolutions or element-wise operators with their times.
bool is_operator_table(const formats::CsvTable& table);

/// Reads what `resources/measure/measure_operators.py` writes, NeuSight's tables and DeepBench's of products and
/// convolutions; docs/decisions/calibration.md has the columns. Without a column `op` or `precision`, rows are products
/// or convolutions by their columns, and fp32. Rows of operators it does not know, or without a usable shape or time,
/// are left out, with a warning.
Result<MeasuredOperators> read_operator_table(const formats::CsvTable& table, const Watch& watch = {});

/// What a model sees of a row on a chip.
Features features_of(const MeasuredOperator& row, const Chip& chip);
OperatorTime time_of(const MeasuredOperator& row, const Chip& chip);
Seconds roofline_of(const MeasuredOperator& row, const Chip& chip);

}  // namespace scalescope::operators
