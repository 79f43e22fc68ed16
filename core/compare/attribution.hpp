// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/base/watch.hpp"
#include "core/scenario/differences.hpp"
#include "core/search/metrics.hpp"

/// Designs side by side.
namespace scalescope::compare {

/// What one difference, or several that cannot be had alone, does on the way from one design to the other.
struct Share {
    std::vector<Difference> differences;  ///< more than one only where no order of single ones makes scenarios
    double before = 0, after = 0;         ///< of the metric, in its unit
    /// The change if nothing else is changed of the first design; nothing if that makes no scenario.
    std::optional<double> alone;
    double change() const { return after - before; }
};

/// How much of the difference between two designs each of the fields explains in which they differ.
struct Attribution {
    search::Metric metric = search::Metric::step;
    double from = 0, to = 0;    ///< in the unit of the metric
    std::vector<Share> shares;  ///< in the order of replacement; the changes add up to `to` − `from`
    /// Whether some share differs from what its difference does alone: then another order shares out otherwise.
    bool depends_on_order = false;
};

/// Replaces in `from` what differs by what `to` has, one thing at a time, each time that which goes farthest towards
/// the value of `to` (the greedy order: of equal ones the first in the field table). Every value on the way is
/// estimated, nothing is linearized, so that the changes add up exactly. Where no single replacement makes a scenario,
/// pairs are tried, then all that is left. Of n differences n²/2 scenarios are estimated, if none is a pair.
/// `goal`: samples to train on; 0: one epoch of each. Problems: those of the two scenarios; a figure that the metric
/// lacks (a price); cancelled.
Result<Attribution> attribute(const Scenario& from, const Scenario& to, search::Metric metric, double goal = 0,
                              const Watch& watch = {});

}  // namespace scalescope::compare
