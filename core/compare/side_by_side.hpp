// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare/key_values.hpp"
#include "core/search/findings.hpp"

/// The figures of several designs side by side, each told against one of them.
namespace scalescope::compare {

/// One of the designs; without an estimate it makes no sense, and has no figures.
struct Design {
    const Scenario* scenario = nullptr;
    const Estimate* estimate = nullptr;
};

/// One figure of all of them.
struct FigureRow {
    search::Metric metric = search::Metric::step;
    search::Shown unit;                              ///< in which all of them are read easily
    std::vector<std::optional<double>> values;       ///< by design, in the unit of the metric
    std::vector<std::optional<ValueChange>> change;  ///< by design: from the reference; nothing for that itself
    std::vector<std::string> prices;                 ///< of a cost: what it rests on, once for each device
    bool operator==(const FigureRow& o) const {
        return metric == o.metric && unit.unit == o.unit.unit && values == o.values && prices == o.prices;
    }
};

/// What people want of a metric: of devices and samples in a step they want neither more nor less.
Wanted wanted_of(search::Metric metric);
/// A row for each metric that any of the designs has; `reference` is the place of the one the others are told against.
/// `goal`: samples to train on; 0: one epoch of each, and no row of its own for the time to a goal.
std::vector<FigureRow> side_by_side(std::span<const Design> designs, std::size_t reference, double goal = 0);

/// "238.9", in the row's unit; "–" for none.
std::string value_text(const FigureRow& row, std::size_t design);
/// "−17.7 %", "−8.5 pp" of what is a percentage itself, "=" where nothing is seen, "new" where the reference has 0.
std::string change_text(const ValueChange& change, bool share);
/// The same of one design in a row; empty for the reference and where there is nothing to compare.
std::string change_text(const FigureRow& row, std::size_t design);

}  // namespace scalescope::compare
