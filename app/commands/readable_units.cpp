// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/readable_units.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

namespace scalescope::app {
namespace {

struct ReadableUnit {
    std::string_view suffix, name;  ///< in a column's name, and in a cell
    double size;
};
constexpr ReadableUnit time_units[] = {{"ns", "ns", 1e-9}, {"us", "us", 1e-6}, {"ms", "ms", 1e-3}, {"s", "s", 1},
                                       {"min", "min", 60}, {"h", "h", 3600},   {"d", "d", 86400}};
constexpr ReadableUnit memory_units[] = {
    {"kb", "kB", 1e3}, {"mb", "MB", 1e6}, {"gb", "GB", 1e9}, {"tb", "TB", 1e12}, {"pb", "PB", 1e15}};

struct FoundUnit {
    std::span<const ReadableUnit> family;
    const ReadableUnit* unit;
};

std::optional<FoundUnit> unit_called(std::string_view word, bool in_name) {
    for (const std::span<const ReadableUnit> family : {std::span<const ReadableUnit>(time_units), {memory_units}})
        for (const ReadableUnit& unit : family)
            if ((in_name ? unit.suffix : unit.name) == word) return FoundUnit{family, &unit};
    return std::nullopt;
}

/// Of "step_ms"; none of a rate such as "samples_per_s" or "bandwidth_gb_s".
std::optional<FoundUnit> unit_of_column(std::string_view column) {
    const auto at = column.rfind('_');
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view before = column.substr(0, at);
    for (const std::string_view rate : {"per", "gb", "mb", "gbit", "tflops"})
        if (before == rate || (before.ends_with(rate) && before[before.size() - rate.size() - 1] == '_'))
            return std::nullopt;
    return unit_called(column.substr(at + 1), true);
}

/// The unit for values up to `largest`, of which the least but zero is `least`.
const ReadableUnit* better_unit(const FoundUnit& now, double largest, double least) {
    constexpr double too_small = 0.1, too_large = 10'000, still_seen = 0.1;
    if (!(largest > 0) || (largest >= too_small && largest < too_large)) return now.unit;
    const ReadableUnit* best = &now.family.front();
    for (const ReadableUnit& unit : now.family)
        if (largest * now.unit->size >= unit.size && least * now.unit->size >= still_seen * unit.size) best = &unit;
    return best;
}

void rescale_column(Table& table, std::size_t c) {
    const auto now = unit_of_column(table.columns[c]);
    if (!now) return;
    double largest = 0, least = HUGE_VAL;
    for (const auto& row : table.rows) {
        const double* value = c < row.size() ? std::get_if<double>(&row[c]) : nullptr;
        if (!value || *value == 0 || !std::isfinite(*value)) continue;
        largest = std::max(largest, std::abs(*value));
        least = std::min(least, std::abs(*value));
    }
    const ReadableUnit* unit = better_unit(*now, largest, least);
    if (unit == now->unit) return;
    for (auto& row : table.rows)
        if (double* value = c < row.size() ? std::get_if<double>(&row[c]) : nullptr)
            *value *= now->unit->size / unit->size;
    std::string& name = table.columns[c];
    name.replace(name.size() - now->unit->suffix.size(), std::string::npos, unit->suffix);
}

void rescale_rows(Table& table, std::size_t value_column, std::size_t unit_column) {
    for (auto& row : table.rows) {
        double* value = std::get_if<double>(&row[value_column]);
        auto* name = std::get_if<std::string>(&row[unit_column]);
        const auto now = value && name ? unit_called(*name, false) : std::nullopt;
        if (!now || !std::isfinite(*value)) continue;
        const ReadableUnit* unit = better_unit(*now, std::abs(*value), std::abs(*value));
        *value *= now->unit->size / unit->size;
        *name = unit->name;
    }
}

}  // namespace

Table with_readable_units(Table table) {
    const auto place = [&](std::string_view name) {
        return static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) -
                                        table.columns.begin());
    };
    const std::size_t value = place("value"), unit = place("unit");
    if (value < table.columns.size() && unit < table.columns.size()) rescale_rows(table, value, unit);
    for (std::size_t c = 0; c < table.columns.size(); ++c) rescale_column(table, c);
    return table;
}

}  // namespace scalescope::app
