// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace scalescope {

/// Nothing (an empty field, null in JSON), text, a measured number, or a count.
using TableCell = std::variant<std::monostate, std::string, double, std::int64_t>;

/// Figures as verbs write them and the window exports them. Units stand in the column names: "forward_ms",
/// "memory_gb".
struct FigureTable {
    std::vector<std::string> columns;
    std::vector<std::vector<TableCell>> rows;  ///< as wide as `columns`
};

}  // namespace scalescope
