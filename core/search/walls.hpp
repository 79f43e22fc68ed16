// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/estimate/estimate.hpp"
#include "core/search/metrics.hpp"

/// "Where is the wall": the worker counts at which growing stops paying (docs/decisions/sensitivity.md).
namespace scalescope::search {

enum class WallKind {
    communication,    ///< messages that nothing hides take longer than computing
    efficiency,       ///< speedup over workers is below the line
    memory_full,      ///< the step no longer fits into a device
    memory_enough,    ///< the step, too large for few workers, fits
    batch,            ///< more workers than samples
    strategy_ends,    ///< the strategy cannot use so many
    shortest_step,    ///< least time of a step, of those that fit into memory
    peak_throughput,  ///< most samples per second, likewise
};

/// One wall. Counts that cannot be run speak neither for nor against it.
struct Wall {
    WallKind kind = WallKind::communication;
    std::int64_t first = 0;     ///< the first count where it holds; 0: there is none
    std::int64_t for_good = 0;  ///< from here on it holds to the end; 0: at the end it does not
    std::string label;          ///< few words, for a line in a chart: "efficiency < 50 %"
    std::string sentence;
    bool reached() const { return first > 0; }
    bool operator==(const Wall&) const = default;
};

struct Walls {
    std::vector<Wall> walls;        ///< in the order of WallKind
    std::vector<LeftOut> left_out;  ///< what cannot be a wall of this design, and why
    std::int64_t up_to = 0;         ///< the largest count looked at
    std::int64_t start = 0;         ///< the least of them that can be run: of a CPU cluster, the machines of a replica
    std::int64_t last = 0;          ///< the largest of them that can be run
    bool operator==(const Walls&) const = default;
};

struct WallOptions {
    double efficiency = 0.5;    ///< the line: above 0, up to 1
    std::int64_t up_to = 1024;  ///< 1 … limits::workers
    bool operator==(const WallOptions&) const = default;
};

/// Every count from 1 to `up_to` is scored, by the scenario's own mesh and batch rule, so that curves with steps
/// are read right; of a CPU cluster every count of machines that has room for a replica. Problems: those of estimate()
/// on one worker, of a CPU cluster those on any count, and options out of range. Cancelled, it gives a problem.
Result<Walls> find_walls(const Scenario& scenario, const WallOptions& options = {}, const CancelToken& cancel = {});
/// The same by the scenario's plan, if that is there already.
Result<Walls> find_walls(const Scenario& scenario, const Plan& plan, const WallOptions& options = {},
                         const CancelToken& cancel = {});

/// Whether a chart over worker counts has a line for it: not for what is no wall, such as the shortest step on the
/// least count that can be run, or on the last one.
bool is_guide_line(const Wall& wall, const Walls& all);

/// "memory_full".
std::string_view name_of(WallKind kind);

}  // namespace scalescope::search
