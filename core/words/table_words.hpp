// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalescope {

/// The content of a table column, read from its header (docs/decisions/names.md).
struct ColumnReading {
    std::string means;         ///< "device", "batch_global", …; "figure" with a unit; empty if unknown
    std::string metric, unit;  ///< of a figure: "throughput" and "tokens/s", "step" and "ms"; no unit if none is given
    bool each_device = false;  ///< a rate or batch per device
    double explained = 0;      ///< share of the header that the matching words spell
    double each = 1;           ///< of a time: how many steps or epochs take it, "s per 20 iterations"
    bool inverse = false;      ///< the cells are times for a unit of work, "ms/image"; the figure is the rate
};

/// `numbers`: whether the cells are numbers, which distinguishes a count of GPUs from the name of a GPU.
ColumnReading read_column(std::string_view header, bool numbers);

/// The reading as a text that read_column() reads again: "batch_global", "tokens/s per GPU"; empty if unknown.
std::string meaning_of(const ColumnReading& reading);
/// All such texts, columns before figures.
std::vector<std::string> column_meanings();

/// The unit of the same kind that the text names, MB instead of GB; `unit` if it names none.
std::string unit_in(const std::string& unit, std::string_view text);

/// The figure that a text names with its unit, such as "speed in images/s"; `least`: the share of the text that the
/// words of the figure must spell. No meaning if it names none.
ColumnReading read_figure(std::string_view text, double least = 0.5);

/// Whether that column, one of presets/words, holds numbers and nothing else.
bool holds_only_numbers(std::string_view column);

/// Whether graphics cards are called by such a number: 780, 1660, 3090.
bool names_a_card(double number);

/// The number in a cell: "1,024", "~45.2 GiB", "38.5 %", "12.3k". In "409 (12)" it is the first. Cells such as "n/a",
/// "OOM", "-" or words have no number.
struct CellNumber {
    double value = 0;
    std::string unit;  ///< the text after the number, if any
};
std::optional<CellNumber> read_number(std::string_view cell);

}  // namespace scalescope
