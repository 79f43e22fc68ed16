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

}  // namespace

ReadableUnits::ReadableUnits(const std::vector<std::string>& columns) : names_(columns), ranges_(columns.size()) {
    const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
        const auto at = std::find(columns.begin(), columns.end(), name);
        if (at == columns.end()) return std::nullopt;
        return static_cast<std::size_t>(at - columns.begin());
    };
    if (const auto value = place("value"), unit = place("unit"); value && unit) value_and_unit_ = {*value, *unit};
}

void ReadableUnits::look_at(const std::vector<Cell>& row) {
    for (std::size_t c = 0; c < ranges_.size() && c < row.size(); ++c) {
        const double* value = std::get_if<double>(&row[c]);
        if (!value || *value == 0 || !std::isfinite(*value)) continue;
        ranges_[c].largest = std::max(ranges_[c].largest, std::abs(*value));
        ranges_[c].least = std::min(ranges_[c].least, std::abs(*value));
    }
}

void ReadableUnits::choose() {
    for (std::size_t c = 0; c < names_.size(); ++c) {
        const auto now = unit_of_column(names_[c]);
        if (!now) continue;
        const ReadableUnit* unit = better_unit(*now, ranges_[c].largest, ranges_[c].least);
        if (unit == now->unit) continue;
        ranges_[c].factor = now->unit->size / unit->size;
        names_[c].replace(names_[c].size() - now->unit->suffix.size(), std::string::npos, unit->suffix);
    }
}

void ReadableUnits::rescale(std::vector<Cell>& row) const {
    if (value_and_unit_) {
        double* value = std::get_if<double>(&row[value_and_unit_->first]);
        auto* name = std::get_if<std::string>(&row[value_and_unit_->second]);
        const auto now = value && name ? unit_called(*name, false) : std::nullopt;
        if (now && std::isfinite(*value)) {
            const ReadableUnit* unit = better_unit(*now, std::abs(*value), std::abs(*value));
            *value *= now->unit->size / unit->size;
            *name = unit->name;
        }
    }
    for (std::size_t c = 0; c < ranges_.size() && c < row.size(); ++c)
        if (double* value = std::get_if<double>(&row[c]); value && ranges_[c].factor != 1.0)
            *value *= ranges_[c].factor;
}

}  // namespace scalescope::app
