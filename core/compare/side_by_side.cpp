// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::compare {
namespace {

using search::Metric;

bool is_percentage(Metric metric) { return search::info_of(metric).unit == "%"; }

/// As change_of() takes it: what is a percentage is a share there.
KeyValue key_value_of(Metric metric, double value) {
    const bool share = is_percentage(metric);
    return {search::info_of(metric).name, share ? value / 100.0 : value, wanted_of(metric), share};
}

std::vector<std::string> prices_of(std::span<const Design> designs) {
    PriceNotes prices;
    for (const Design& d : designs) prices.add(*d.scenario);
    return prices.texts();
}

}  // namespace

Wanted wanted_of(Metric metric) {
    if (metric == Metric::devices || metric == Metric::batch || metric == Metric::parameters ||
        metric == Metric::sequence)
        return Wanted::neither;
    return search::info_of(metric).larger_is_better ? Wanted::more : Wanted::less;
}

std::vector<FigureRow> side_by_side(std::span<const Design> designs, std::size_t reference, double goal) {
    std::vector<FigureRow> rows;
    for (std::size_t m = 0; m < search::metric_count; ++m) {
        FigureRow row;
        row.metric = static_cast<Metric>(m);
        if (row.metric == Metric::time && goal == 0) continue;  // that of an epoch, which stands above
        double largest = 0, smallest = std::numeric_limits<double>::infinity();
        bool any = false;
        for (const Design& d : designs) {
            row.values.push_back(d.estimate ? search::metric_value(row.metric, *d.scenario, *d.estimate, goal)
                                            : std::nullopt);
            if (!row.values.back()) continue;
            largest = std::max(largest, std::abs(*row.values.back()));
            smallest = std::min(smallest, std::abs(*row.values.back()));
            any = true;
        }
        if (!any) continue;
        row.unit = search::shown_unit(row.metric, largest, smallest);
        if (row.metric == Metric::cost || row.metric == Metric::cost_per_hour) row.prices = prices_of(designs);
        const auto then = row.values[reference];
        for (std::size_t i = 0; i < designs.size(); ++i) {
            const auto now = row.values[i];
            row.change.push_back(
                i != reference && now && then
                    ? std::optional(change_of(key_value_of(row.metric, *now), key_value_of(row.metric, *then)))
                    : std::nullopt);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string value_text(const FigureRow& row, std::size_t design) {
    const auto& value = row.values[design];
    if (!value) return std::string(no_value);
    switch (row.metric) {
        case Metric::devices:
        case Metric::batch:
        case Metric::sequence:
        case Metric::throughput: return format_count(std::llround(*value));
        case Metric::efficiency:
        case Metric::communication:
        case Metric::idle: return format_fixed(*value, 1);
        case Metric::cost:
        case Metric::cost_per_hour: return format_fixed(*value, 2);
        default: return format_number(*value / row.unit.per, 4, 2);
    }
}

std::string change_text(const ValueChange& change, bool share) {
    if (change.verdict == Verdict::same) return "=";
    if (share) return format_points(Fraction{change.absolute});
    if (!change.relative) return "new";
    return format_change(Fraction{*change.relative}, std::abs(*change.relative) < 1 ? 1 : 0);
}

std::string change_text(const FigureRow& row, std::size_t design) {
    const auto& change = row.change[design];
    return change ? change_text(*change, is_percentage(row.metric)) : std::string();
}

}  // namespace scalescope::compare
