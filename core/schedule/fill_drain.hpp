// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule/timeline.hpp"

namespace scalescope {

/// Simulates fill and drain (GPipe order): every stage runs the forward passes of all micro-batches in order, then their
/// backward passes. `activation[s]` seconds carry a micro-batch from stage s to s + 1, `gradient[s]` back. Returns the
/// time from the first forward to the last backward. `free` and `arrival` are scratch of one entry per stage.
/// With one micro-batch: the sum of all stages and transfers. Equal stages without transfers: (M + stages − 1) · stage.
Seconds simulate_fill_drain(std::span<const double> forward, std::span<const double> backward, std::span<const double> activation,
                            std::span<const double> gradient, std::int64_t micro_batches, std::vector<double>& free, Timeline* timeline);

}  // namespace scalescope
