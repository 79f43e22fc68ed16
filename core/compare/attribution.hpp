// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

// Shares as people say them.

/// Of the things that are replaced together: "Workers 32 → 64", "Precision fp32 → fp16, Device A → B".
std::string name_of(const Share& share);
/// A change of the metric with its sign and unit: "−80.2 ms", "+4.1 pp" of a percentage.
std::string signed_text(search::Metric metric, double change);
/// What changes from one design to the other, and what does most of it: "From A to B the step falls from 239 ms to
/// 120 ms, by 49.8 %. The largest share, −100 ms, comes from Workers 32 → 64; Overlap off → buckets
/// goes the other way, +20 ms." The names stand as they are in the sentence.
std::string sentence_of(const Attribution& shares, std::string_view from, std::string_view to);
/// What to know of shares that depend on the order; empty where they do not.
std::string order_note(const Attribution& shares);

}  // namespace scalescope::compare
