// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/search/asked.hpp"

/// Questions that people ask of a design, each a sentence with numbers in it. A question writes what is varied, on what
/// conditions and best by which figure: an Asked, which a person may change further.
namespace scalescope::search {

struct AskInfo {
    std::string_view name;   ///< as a file or the command line has it: "fewest-devices"
    std::string_view title;  ///< in a list: "The fewest devices that finish in time"
    /// With its numbers in brackets: "The fewest devices that train [goal] in [days] days". [device] is what the
    /// scenario has.
    std::string_view sentence;
};
/// By Ask.
const std::array<AskInfo, ask_count>& all_asks();
inline const AskInfo& info_of(Ask ask) { return all_asks()[static_cast<std::size_t>(ask)]; }

std::optional<Ask> ask_named(std::string_view name);

/// Those of the scenario; 30 days.
AskNumbers usual_numbers(const Scenario& scenario);
/// Whether the length of a training is a number of tokens.
bool counts_tokens(const Scenario& scenario);

/// Whether the question makes sense there: only one network trained with the method Scalescope has a mesh, only tokens
/// have a sequence.
bool suits(Ask ask, const Scenario& scenario);
/// What a person most likely wants to know first; nothing where no question suits.
std::optional<Ask> first_ask(const Scenario& scenario);

/// What the question asks of a search around the scenario.
Asked asked_by(Ask ask, const AskNumbers& numbers, const Scenario& scenario, const formats::Library& library);

}  // namespace scalescope::search
