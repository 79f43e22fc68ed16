// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/estimate/plan.hpp"
#include "core/schedule/asynchronous.hpp"

namespace scalescope {

/// Times of one layer in the step, on the worker that runs it.
struct LayerEstimate {
    int part = 0;      ///< index into Scenario::workload
    int position = 0;  ///< in its network
    Seconds forward{0}, grad_input{0}, grad_weights{0}, update{0};
    Seconds recompute{0};                 ///< its forward pass, run once more before its gradients
    Seconds gathers{0};                   ///< of one backward pass: weights are gathered meanwhile
    Seconds communication{0}, hidden{0};  ///< exposed and hidden share of the messages for this layer
    Seconds backward() const { return grad_input + grad_weights + recompute; }
    Seconds total() const { return forward + backward() + update + communication; }

    // How the times came about, for explain() and the CSV: one execution, and how often it runs.
    double samples = 0;                       ///< of one execution
    double repeat = 1;                        ///< executions in a step
    double kept_samples = 0;                  ///< of all executions whose tensors are kept at the same time
    LayerShares shares;                       ///< of the busiest worker
    std::optional<ShardAlong> along;          ///< how the policy divides it over the tensor axis; not said of columns
    std::optional<ShardAlong> context_along;  ///< and over the context axis
    std::int64_t repeats = 1;                 ///< workers of the tensor axis that have the same part of it
    double crossing = 1, gradient_crossing = 1;  ///< share of its output and its gradient that a border would carry
    bool scattered = false, gradient_scattered = false;  ///< it would be gathered behind the border
    int stage = -1;                                      ///< the stage it is in, where there are stages
    std::vector<int> copies;  ///< layers of earlier stages, of whose weights its stage holds a copy for it
    Bytes kept{0};        ///< what waits for its backward pass and no earlier layer keeps already (estimate/memory.hpp)
    int block = -1;       ///< of the layers that the backward pass computes again, from 0; -1: of none
    Bytes recomputed{0};  ///< what it needs of that, and no earlier layer of the block: there in its backward pass
                          ///< only, or waits on the host
};

/// One message of the step.
struct MessageEstimate : Transfer {
    std::vector<int> layers;  ///< positions whose tensors or gradients it carries
};

/// Memory of one device, from the lifetimes of its buffers.
struct MemoryEstimate {
    Bytes weights{0}, gradients{0}, optimizer{0}, activations{0}, peak{0};
    int stage = 0;             ///< the fullest one, where there are stages
    WholeWeights whole;        ///< weights sharded: those of them that are whole
    int part = 0, layer = -1;  ///< where most activations, with what stands beside them, are there at once
    TrainerBytes trainer;
    Bytes copies{0};    ///< of `weights`, the narrow ones of a recipe
    Bytes on_host{0};   ///< beside the peak: optimizer states and activations in the host's memory
    Bytes arriving{0};  ///< at that moment, of activations of the neighbouring block on their way to the host or back
    Bytes reserved() const { return peak - trainer.groups - trainer.context; }  ///< of the allocator
    Bytes allocated() const { return reserved() - trainer.fragmentation; }
};

/// One device of a pipeline.
struct StageEstimate {
    int layers = 0;
    Seconds forward{0}, backward{0};  ///< its work in a step
    Seconds messages{0};              ///< within its stages
    Seconds waiting{0};               ///< for other stages and for transfers, while micro-batches pass
    Seconds update{0};
    std::int64_t in_flight = 0;  ///< micro-batches whose activations it holds at once, in all its stages together
    MemoryEstimate memory;
};

/// Of asynchronous updates: what lies between workers and parameter servers.
struct ServersEstimate {
    Asynchronous state;
    double statistical_cost = 1;  ///< what staleness makes of the training's length, if the scenario's cost is right
};

/// Everything a person asks of one scenario. Charts, tooltips, the why panel and the CSV read this one object.
struct Estimate {
    Summary summary;
    Point point;
    std::vector<LayerRun> runs;  ///< how the layers are divided, in their order
    StateShards states;          ///< how the training states of their weights are shared
    std::vector<LayerEstimate> layers;
    std::vector<MessageEstimate> messages;
    StageSchedule schedule;  ///< if there are stages
    std::vector<StageEstimate> stages;
    MemoryEstimate memory;
    std::optional<ServersEstimate> servers;  ///< if updates are asynchronous and anything is trained

    std::shared_ptr<const yan::Evaluation> cpu;  ///< of a CPU cluster: what its configuration comes to
    bool cpu_proven = true;                      ///< of it: no other segments of the layers take less time

    Summary baseline;  ///< one worker, by the same batch rule
    double speedup = 1, efficiency = 1;
    SamplesPerSecond throughput{0};
    Seconds epoch{0};
    std::optional<double> epoch_cost;  ///< US dollars, if the device has a price
    double idle_share = 0;             ///< of all workers together: time in which they have nothing to do
    Problems notes;                    ///< warnings: uneven shares, memory that does not fit, unverified figures
};

/// The largest time that is shown of a layer: its own, or what is hidden of its messages.
Seconds longest_layer(const Estimate& estimate);

/// Whether the note of a step that does not fit into memory lists the changes that would make it fit. Each of them is
/// scored, which takes longer than the estimate.
enum class Remedies { tried, left_out };

/// One scenario, all its figures. Pure: same scenario, same bits. A bad or infeasible scenario gives problems.
Result<Estimate> estimate(const Scenario& scenario, Remedies remedies = Remedies::tried);
/// The same from a plan that is there already.
Result<Estimate> estimate(const Scenario& scenario, const Plan& plan, Scratch& scratch,
                          Remedies remedies = Remedies::tried);

/// Speedup of `n` workers over one: t1/tn for a fixed total batch, n·t1/tn when the batch grows with the workers
/// (strong and weak scaling, as in PALEO, Qi et al., ICLR 2017).
double speedup(const Summary& one, const Summary& n);

/// About `most` worker counts from 1 to `last`: all to 16, powers of two, the rest evenly in log, and `current`. 0: as
/// few as there can be, the powers of two and `current`.
std::vector<std::int64_t> worker_counts(std::int64_t last, std::int64_t current, int most = 96);

/// Estimates one scenario after the other. As long as they differ only in what a Point holds (workers, batch, strategy,
/// collective, scheme, cut), all are priced by one plan; anything else makes a new one. Each estimate, and each
/// problem, is that of estimate(scenario), bit for bit.
class Sweep {
public:
    Result<Estimate> estimate(const Scenario& scenario);
    int plans() const { return plans_; }  ///< how many were made so far

private:
    std::optional<Plan> plan_;
    Scenario scenario_;  ///< of the plan
    Scratch scratch_;
    int plans_ = 0;
};

}  // namespace scalescope
