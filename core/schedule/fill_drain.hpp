// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/schedule/timeline.hpp"

namespace scalescope {

/// A pipeline of stages, in seconds for one micro-batch. `activation[s]` carries it from stage s to s + 1,
/// `gradient[s]` back; the last entries are zero. A link carries one micro-batch at a time in each direction, while its
/// stages work on.
struct Pipeline {
    std::span<const double> forward, backward, activation, gradient;
};

/// Fill and drain (GPipe order): every stage runs the forward passes of all micro-batches in order, then their backward
/// passes. Time from the first forward to the last backward, by stepping through every piece of work; notes them on
/// `timeline`, if there is one: row s for the work of stage s, row stages + s for the link from s to s + 1.
Seconds simulate_fill_drain(const Pipeline& pipeline, std::int64_t micro_batches, Timeline* timeline);

/// The same in closed form: all micro-batches are alike, so each but the first adds the slowest stage or link once per
/// direction. Equal stages without transfers: (micro-batches + stages − 1) · stage.
struct FillDrain {
    Seconds span{0};                                 ///< as simulate_fill_drain
    Seconds exposed{0};                              ///< of it, what infinitely fast links would save
    Seconds transfers{0};                            ///< of all micro-batches over all links
    double waited_forward = 1, waited_backward = 1;  ///< share of each direction's transfers that is exposed
};
FillDrain fill_drain(const Pipeline& pipeline, std::int64_t micro_batches);

}  // namespace scalescope
