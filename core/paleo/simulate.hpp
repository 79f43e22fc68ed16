// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/paleo/price.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// PALEO's three ways to divide the work. A batch of 0 means the one written in the file. No overlap of messages with
/// computing anywhere, no start-up time.
namespace scalescope::paleo {

/// One row of `simulate --parallel=data`.
struct DataPoint {
    std::int64_t workers = 1;
    std::int64_t per_worker_batch = 1;  ///< strong scaling: rounded up
    std::int64_t effective_batch = 1;
    Seconds forward, backward, update;
    std::array<Seconds, scheme_count> communication;

    Seconds computing() const { return forward + backward + update; }
    Seconds iteration(Scheme scheme) const { return computing() + communication[index(scheme)]; }
};

DataPoint simulate_data(const Plan& plan, const Setup& setup, Scaling scaling, std::int64_t batch,
                        std::int64_t workers);

/// Messages for `parameters` weights among `workers`.
std::array<Seconds, scheme_count> communication(const Method& method, const Setup& setup, double parameters,
                                                std::int64_t workers);

/// Layers one after another, and branches of the graph side by side.
struct Bounds {
    Seconds lower;
    Seconds upper;
};

/// `simulate --parallel=model`: no update.
struct ModelPoint {
    Bounds forward, backward;
    Seconds iteration() const { return forward.lower + backward.lower; }
};

ModelPoint simulate_model(const Plan& plan, const Setup& setup, std::int64_t batch);

/// `simulate --parallel=hybrid`: layers outside the split are data parallel over the workers, split layers model
/// parallel over the same workers.
struct HybridPart {
    Seconds forward, backward, update, sync;
    Seconds total() const { return forward + backward + update + sync; }
};
struct HybridPoint {
    std::int64_t workers = 1;
    std::int64_t effective_batch = 1;
    HybridPart data, model;
    Seconds iteration() const { return data.total() + model.total(); }
};

HybridPoint simulate_hybrid(const Plan& plan, const Setup& setup, std::int64_t batch, std::int64_t workers);

/// The time of one training step under any of the three.
struct Situation {
    Parallelism parallelism = Parallelism::data;
    Scaling scaling = Scaling::weak;
    Scheme scheme = Scheme::tree_all_reduce;
    std::int64_t batch = 0;
    std::int64_t workers = 1;  ///< not used by model parallelism: the file says how often it splits
};

Seconds iteration_time(const Plan& plan, const Setup& setup, const Situation& situation);

/// One bar of the way from PALEO's number to the corrected one.
struct WaterfallStep {
    const Correction* correction = nullptr;  ///< null for the first step: PALEO as it is
    Seconds iteration;                       ///< with this correction and all before it
    Seconds difference;                      ///< what this correction adds (or takes, negative)
};

/// The time of one step, first as PALEO has it, then with those of `wanted` switched on one after another in the order
/// of corrections(). The differences add up to the last time less the first.
std::vector<WaterfallStep> waterfall(const Net& net, Era era, const Setup& setup, const Situation& situation,
                                     const Corrections& wanted = all_corrections());

}  // namespace scalescope::paleo
