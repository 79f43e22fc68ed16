// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

/// Times of the benchmark, in milliseconds.
namespace window_bench {

inline double clock_ms(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

inline double now_ms() { return clock_ms(CLOCK_MONOTONIC); }
/// What this thread, the one that paints, has worked.
inline double worked_ms() { return clock_ms(CLOCK_THREAD_CPUTIME_ID); }
/// What all others have: the one that computes, and the one that keeps the session.
inline double worked_elsewhere_ms() { return clock_ms(CLOCK_PROCESS_CPUTIME_ID) - worked_ms(); }
/// How many programs wanted a core, on average over the last minute.
inline double load() {
    double average[1] = {0};
    return getloadavg(average, 1) == 1 ? average[0] : std::numeric_limits<double>::quiet_NaN();
}

inline double percentile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

}  // namespace window_bench
