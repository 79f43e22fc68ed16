// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.hpp"

namespace scalescope::search {

/// From so many combinations the search goes uphill in a space that is too large.
inline constexpr std::uint64_t starts = 64;

/// A heuristic: from `starts` combinations (the one nearest to the scenario, the others drawn with a fixed seed), one
/// axis after the other takes the value that is best with all others as they are, until none is better. Of an axis of
/// many values 64 are tried, spread over all of them and close to the present one. Returns the best of all that was
/// seen; nothing proves that it is the best of all. The same on every run.
Result<SearchResult> search_from_starts(const Space& space, const Question& question, const Watch& watch = {},
                                        Tally* tally = nullptr);

}  // namespace scalescope::search
