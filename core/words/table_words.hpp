// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace scalescope {

/// What a column of a table holds, by its header (docs/decisions/names.md).
struct ColumnReading {
    std::string means;         ///< "device", "batch_global", …; "metric" with a unit; empty if nobody knows
    std::string metric, unit;  ///< of a figure: "tokens_per_second" in "tokens/s", "step_time" in "ms"
    bool each_device = false;  ///< a rate, or a batch, of one device
    double explained = 0;      ///< share of the header that those words spell
};

/// `numbers`: whether the cells are numbers, which tells a count of GPUs from their name.
ColumnReading read_column(std::string_view header, bool numbers);

/// The number in a cell: "1,024", "~45.2 GiB", "38.5 %", "12.3k", "409 (12)", of which the first counts. Nothing in
/// "n/a", "OOM", "-", or words.
struct CellNumber {
    double value = 0;
    std::string unit;  ///< what stands behind it, if anything
};
std::optional<CellNumber> read_number(std::string_view cell);

}  // namespace scalescope
