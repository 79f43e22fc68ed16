// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/compare/attribution.hpp"

/// Shares as people say them.
namespace scalescope::compare {

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
