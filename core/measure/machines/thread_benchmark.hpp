// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/problem.hpp"
#include "core/base/watch.hpp"
#include "core/hardware/cpu_machine.hpp"

/// A machine from a benchmark of its threads.
namespace scalescope::measure {

/// What the machine gets, and from which columns.
struct ThreadBenchmark {
    std::string id, name;
    std::string threads = "threads";                     ///< how many ran
    std::string working_set = "weight_working_set_kib";  ///< of each, in KiB
    std::string time = "time_per_muladd_s";              ///< of one multiply-add of one thread
};

struct MeasuredMachine {
    CpuMachine machine;
    double mean_error = 0.0;  ///< mean of |fitted/measured − 1|
    std::size_t runs = 0;
    Problems warnings;  ///< what the benchmark says nothing of, and the base's figure stands for
};

/// Fits times of a multiply-add in each tier, contention and memory bandwidth to a table (CSV) of times by threads and
/// working set: the form of core/measure/fit with tiers, ended by the caches of `base`, from which everything else
/// comes. A figure that no run can tell stays the base's, and is named. Problems: a table without those columns, or too
/// few runs.
Result<MeasuredMachine> machine_from_threads(std::string_view text, const std::string& file, const CpuMachine& base,
                                             const ThreadBenchmark& benchmark, const Watch& watch = {});

}  // namespace scalescope::measure
