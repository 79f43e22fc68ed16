// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/units/units.hpp"

namespace scalescope {

/// A pipeline of stages, in seconds for one micro-batch. `activation[s]` carries it from stage s to s + 1,
/// `gradient[s]` back; the last entries are zero. A link carries one micro-batch at a time in each direction, while its
/// stages work on.
struct Pipeline {
    std::span<const double> forward, backward, activation, gradient;
};

/// Fill and drain (GPipe's order) in closed form, as run_pipeline steps through it: all micro-batches are alike, so
/// each but the first adds the slowest stage or link once per direction. Equal stages without transfers: (micro-batches
/// + stages − 1) · stage.
struct FillDrain {
    Seconds span{0};                                 ///< from the first forward to the last backward
    Seconds exposed{0};                              ///< of it, what infinitely fast links would save
    Seconds transfers{0};                            ///< of all micro-batches over all links
    double waited_forward = 1, waited_backward = 1;  ///< share of each direction's transfers that is exposed
};
FillDrain fill_drain(const Pipeline& pipeline, std::int64_t micro_batches);

}  // namespace scalescope
