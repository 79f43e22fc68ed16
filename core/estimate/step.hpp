// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/plan.hpp"
#include "core/schedule/buckets.hpp"

namespace scalescope {

/// The parts of one network's share of the step, before they are put together.
struct StepParts {
    Infeasible infeasible = Infeasible::no;
    double forward = 0, backward = 0, update = 0, communication = 0, idle = 0, hidden = 0;
    double service = 0;  ///< asynchronous updates: as in Summary
    int cut = -1;
};

/// A way to divide the work: prices the step of one network and adds how it is divided to `Scratch::division`. A new
/// one is a new file beside strategy_data.cpp and a row in the table of score.cpp.
using StrategyFunction = StepParts (*)(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts data_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts outputs_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts layers_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts hybrid_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
/// Instead of data_step, with asynchronous updates.
StepParts asynchronous_step(const Plan&, int part, const Point&, const Batch&, Scratch&);
StepParts paleo_data_step(const Plan&, int part, const Point&, const Batch&, Scratch&);

/// Forward and backward of the layers [0, to), whole, for `samples` samples; the times of the layers go into
/// `scratch.times` only where somebody needs them (a division in full, or no lines to price by).
PassTotals price_front(const Plan& plan, const PlanPart& part, int to, double samples, Scratch& scratch);
/// What of an all-reduce of `ranks` workers may hide under the backward pass, and what that costs.
inline Hiding hiding_of(const Plan& plan, Collective collective, std::int64_t ranks) {
    return {share_under_backward(collective), plan.interference, ranks > 1 ? plan.copying : 0.0};
}
/// All-reduce of the gradients of those layers, as the plan overlaps it, after price_front. `cost` is that of the whole
/// message; buckets in `sink` are of the share that may hide. Copies of gradients count among what is exposed.
GradientSync sync_front(const Plan& plan, const PlanPart& part, int to, double samples, const MessageCost& cost,
                        const Hiding& hiding, Scratch& scratch, BucketSink* sink);
/// The same with the messages in the division, if that is wanted in full.
GradientSync send_front(const Plan& plan, int part, int to, double samples, const Point& point, std::int64_t ranks,
                        Scratch& scratch);

/// Which tensors move with so many workers, and how much of each class the busiest holds: filled into `scratch` where
/// it depends on the workers.
const OutputMoves& prepare_outputs(const PlanPart& part, std::int64_t workers, Scratch& scratch);

/// Bytes per sample of the tensor made at `position` if all workers held as much of it as the busiest.
inline double padded_bytes(const PlanPart& part, int position, std::int64_t workers,
                           const std::vector<double>& busiest) {
    const auto t = static_cast<std::size_t>(position), c = static_cast<std::size_t>(part.outputs.class_of[t]);
    // first the bytes of one channel: a whole number, so that the product is exact
    return part.work.out_bytes[t] / part.outputs.classes[c].channels * (busiest[c] * static_cast<double>(workers));
}

/// Seconds of the messages behind the cut for `samples` samples, by direction.
struct OutputMessages {
    double forward = 0, backward = 0;
};
OutputMessages price_output_messages(const Plan& plan, int part, int cut, const OutputMoves& moves, Scratch& scratch,
                                     const Point& point, double samples, double repeat);

/// The cut of a hybrid step that takes least time, the first one of those that take the same; the number of layers
/// (data parallel) if no other is feasible. Looks at all cuts at once, in time linear in the layers.
int cheapest_cut(const Plan& plan, int part, const Point& point, const Batch& batch, Scratch& scratch);

}  // namespace scalescope
