// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.hpp"

namespace scalescope::search {

/// One combination looked at alone.
struct Admission {
    std::uint64_t index = 0;
    Scenario scenario;
    std::optional<Estimate> estimate;  ///< nothing if the scenario cannot be estimated
    std::vector<std::string> against;  ///< why it is no answer: "step <= 250 ms: it is 312 ms"; empty if it is one
    bool admitted() const { return estimate && against.empty(); }
};

/// Asks one scenario what the search asks every combination.
Admission admit(const Scenario& scenario, const Question& question);
Admission admit(const Space& space, const Question& question, std::uint64_t index);

/// The combination most like a scenario: on every axis its value, or the nearest number, or else the first value.
std::vector<std::size_t> digits_near(const Space& space, const Scenario& scenario);

/// The answer nearest to a combination: with the fewest axes changed, then by the fewest steps along them, then the
/// first. Nothing if none is found among `most` of them.
std::optional<Admission> nearest_admitted(const Space& space, const Question& question,
                                          const std::vector<std::size_t>& from, const Watch& watch = {},
                                          std::size_t most = 20'000);

}  // namespace scalescope::search
