// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/scenario/fields.hpp"

/// The fields whose effect is asked for, their words in a sentence, and which of them a design uses.
namespace scalescope::search {

struct MovedField {
    const Field* field = nullptr;
    /// As a sentence has it: "10 % more bandwidth between nodes", "from 32 to 35 workers".
    std::string noun;
    std::string more = "more", less = "less";  ///< or "higher" and "lower", of a price
    /// A share of a peak, which moves the same rate as the peak itself: path of that. Empty for others.
    std::string same_as;
};

/// In the order of rows with the same effect: rates, links, counts, times, prices, shares.
std::vector<MovedField> moved_fields(const Scenario& scenario);

/// Why the field is not moved at all: it has no value, or does by construction what another does. Empty if it is.
std::string why_not_moved(const MovedField& moved, const Scenario& scenario);
/// Why moving it did nothing: "Every node holds one device: nothing travels inside a node." Empty if nothing is known.
std::string why_no_effect(const MovedField& moved, const Scenario& scenario);

}  // namespace scalescope::search
