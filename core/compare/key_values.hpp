// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/estimate/estimate.hpp"

/// The key figures of a design, and how those of two designs differ.
namespace scalescope::compare {

/// What people want of a figure.
enum class Wanted { less, more, neither };

struct KeyValue {
    std::string_view id;  ///< "step", as the Numbers panel and the why pages call it
    double value = 0;     ///< in a unit of its own: only compared with that of the same id
    Wanted wanted = Wanted::neither;
    bool share = false;  ///< of 1: differences are told in percentage points
};

/// Of one design, in the order in which the Numbers panel shows them; what a design has none of is left out.
std::vector<KeyValue> key_values(const Scenario& scenario, const Estimate& estimate);
/// nullptr if it is not among them.
const KeyValue* find_value(const std::vector<KeyValue>& values, std::string_view id);

enum class Verdict { same, better, worse, neither };

struct ValueChange {
    double absolute = 0;             ///< now − then
    std::optional<double> relative;  ///< of then, a share; nothing where then is 0
    Verdict verdict = Verdict::same;
};

/// Of one figure in two designs. What is shown as ±0.0 % (or pp) counts as the same.
ValueChange change_of(const KeyValue& now, const KeyValue& then);

}  // namespace scalescope::compare
