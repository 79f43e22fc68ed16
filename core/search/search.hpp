// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/watch.hpp"
#include "core/search/collect.hpp"
#include "core/search/constraint.hpp"
#include "core/search/space.hpp"

namespace scalescope::search {

/// What is asked of a space.
struct Question {
    std::vector<Constraint> where;
    std::vector<Metric> objectives{Metric::time};  ///< one to four; the first ranks, several have a Pareto front
    std::size_t top = 10;                          ///< so many of the best
    double goal = 0;                               ///< samples to train on; 0: one epoch
    bool must_fit = true;                          ///< in the memory of the device, where that is known
    std::optional<std::pair<std::size_t, std::size_t>> grid;  ///< two axes: the best of each pair of their values
    std::function<bool(const Point&)> admits{};               ///< of the points that are asked for; empty: all
    bool prune = true;                                        ///< false: look at everything, for tests and measurements
    std::uint64_t most = 1'000'000'000;  ///< a larger space is not looked at whole, but from many starts
};

/// What became of the combinations. The sum is the size of the space, unless the search was cancelled.
struct Counts {
    std::uint64_t scored = 0;      ///< priced; of these
    std::uint64_t refused = 0;     ///<   a constraint on figures does not hold
    std::uint64_t unfit = 0;       ///<   need more memory than the device has (of those good enough to be looked at)
    std::uint64_t folded = 0;      ///<   are a plainer combination under another name (of those good enough)
    std::uint64_t outside = 0;     ///< not priced: a constraint on what is given does not hold, or it is not asked for
    std::uint64_t pruned = 0;      ///< not priced: cannot be an answer, or among the best, whatever their messages cost
    std::uint64_t outpaced = 0;    ///< the same, if no stage waited for another but at the start and the end
    std::uint64_t too_large = 0;   ///< not priced: their stages alone need more memory than the device has
    std::uint64_t repeated = 0;    ///< not priced: the same point as an earlier one
    std::uint64_t infeasible = 0;  ///< cannot be divided so
    std::uint64_t invalid = 0;     ///< no scenario: a value does not go with the others
    std::uint64_t unknown = 0;     ///< lack a figure that an objective needs, such as a price
    std::uint64_t seen() const {
        return scored + outside + pruned + outpaced + too_large + repeated + infeasible + invalid + unknown;
    }
    Counts& operator+=(const Counts& o);
    bool operator==(const Counts&) const = default;
};

struct SearchResult {
    std::vector<Found> best;
    std::vector<Found> front;      ///< of several objectives
    bool front_too_large = false;  ///< more than Front::most: not kept
    Grid grid;
    Counts counts;
    bool complete = true;  ///< false: cancelled; these are the best of what was seen
    bool whole = true;     ///< false: the space was too large; these are the best found from many starts
    bool proven() const { return complete && whole; }
    Problems why_invalid;  ///< of the first combination without a scenario
    double value(const Question& question, const Found& found, std::size_t objective) const;
};

/// How far a search is, for who watches from another thread.
struct Tally {
    std::atomic<std::uint64_t> seen{0}, scored{0};
};

/// In a space of up to `question.most` combinations: looks at every one, on `threads` threads, and skips only what
/// cannot be among the answers. Exact: the same answer, and the same counts, for any number of threads; every figure
/// has the bits of estimate(). Memory is bounded by the question, not by the space. A larger space is searched from
/// many starts (search_from_starts), on one thread. Problems: no objective or more than four, a grid of more than a
/// million cells.
Result<SearchResult> search(const Space& space, const Question& question, unsigned threads = 1, const Watch& watch = {},
                            Tally* tally = nullptr);

/// From so many combinations the search goes uphill in a space that is too large.
inline constexpr std::uint64_t starts = 64;

/// A heuristic: from `starts` combinations (the one nearest to the scenario, the others drawn with a fixed seed), one
/// axis after the other takes the value that is best with all others as they are, until none is better. Of an axis of
/// many values 64 are tried, spread over all of them and close to the present one. Returns the best of all that was
/// seen; nothing proves that it is the best of all. The same on every run.
Result<SearchResult> search_from_starts(const Space& space, const Question& question, const Watch& watch = {},
                                        Tally* tally = nullptr);

/// A heuristic for who cannot wait: goes uphill as search_from_starts() does, but from the `climbs` best of `seeds`.
Result<SearchResult> search_from(const Space& space, const Question& question,
                                 const std::vector<std::vector<std::size_t>>& seeds, std::size_t climbs,
                                 const Watch& watch = {});

}  // namespace scalescope::search
