// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/device.hpp"
#include "core/measure/habitat/occupancy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Wave scaling: the time of a kernel on another device from its time on this one (Yu et al., "Habitat: a
/// runtime-based computational performance predictor for deep neural network training", USENIX ATC 2021).
namespace scalescope::habitat {

/// What a profiler counted while a kernel ran on the origin.
struct Metrics {
    Fraction flop_efficiency;  ///< of the device's single-precision peak
    Bytes read, written;       ///< device memory traffic
};

/// One launch of a kernel, measured on the origin device.
struct Kernel {
    std::string name;
    std::int64_t blocks = 0;         ///< of the grid: x·y·z
    std::int64_t block_size = 0;     ///< threads of a block: x·y·z
    std::int64_t registers = 0;      ///< per thread
    std::int64_t static_shared = 0;  ///< bytes per block
    std::int64_t dynamic_shared = 0;
    Nanoseconds time;
    std::optional<Metrics> metrics;  ///< all three or none: with one missing, Habitat has no use for the others

    std::int64_t shared() const { return static_shared + dynamic_shared; }
};

/// How a kernel's time is carried to the destination. To add one: a value here, a function beside `roofline` in
/// wave.cpp, a row in `transfer`, and its name in `name_of`.
enum class Rule {
    unified,       ///< roofline if the kernel has metrics, else resimplified
    roofline,      ///< by bandwidth, clock and processors, weighted by γ
    resimplified,  ///< by bandwidth alone
    paper,         ///< the paper's general form, which the published code does not have
};

std::string_view name_of(Rule rule);

/// Whether a time was found, and if not, why.
enum class Outcome {
    scaled,
    no_metrics,           ///< the rule needs γ, and the kernel was not measured for it
    cannot_run_there,     ///< on the destination: no block fits on a processor
    cannot_have_run_here  ///< on the origin, although it was measured there
};

/// How many blocks run at once, and what follows for all rules.
struct Waves {
    std::optional<std::int64_t> destination_registers;  ///< from the table; nothing: as measured on the origin
    Occupancy origin, destination;
    std::int64_t origin_wave = 0;  ///< blocks that all processors hold together
    std::int64_t destination_wave = 0;
    std::optional<bool> small;    ///< less than one wave on both; nothing if it cannot run on one of them
    std::optional<double> gamma;  ///< 1: bound by memory, 0: by computing; nothing without metrics
};

struct Transfer {
    std::optional<Nanoseconds> time;  ///< on the destination
    Outcome outcome = Outcome::scaled;
    Rule used = Rule::resimplified;  ///< never `unified`
};

Waves waves(const Kernel& kernel, const Device& origin, const Device& destination, const RegisterTable& registers,
            Edition edition);

/// The kernel's time on the destination. Where a wave is empty the editions differ: Habitat divided by zero unless the
/// grid fills a wave of the origin, DeepView took the kernel for a small one; `corrected` says that it cannot run. A
/// kernel that cannot run has no time, but an outcome, and the rule that would have been used.
Transfer transfer(const Kernel& kernel, const Device& origin, const Device& destination, const Waves& waves, Rule rule,
                  Edition edition);

/// How much a kernel is bound by memory: from its intensity on the origin, against the ridge point of the destination.
/// Traffic is counted in GiB and bandwidth in GB, as the published code does.
double memory_boundedness(const Metrics& metrics, Nanoseconds time, const Device& origin, const Device& destination);

}  // namespace scalescope::habitat
