// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/base/once.hpp"
#include "core/parallel/mesh.hpp"
#include "core/pricing/collectives.hpp"
#include "core/pricing/pass_times.hpp"
#include "core/schedule/pipeline_order.hpp"

/// How one step is divided: what a worker computes, and what it sends. Ways to divide the work (step.hpp) fill it; rows
/// of layers and messages, memory and the timeline read it, and need not know which way it was.
namespace scalescope {

/// Layers [from, to) of one network of the workload, which a worker runs alike.
struct LayerRun {
    int part = 0, from = 0, to = 0;
    double samples = 1;       ///< of one execution
    double repeat = 1;        ///< executions in a step, for one execution of the network
    double kept_samples = 1;  ///< of all executions whose tensors are kept at the same time
    bool shared = false;      ///< the worker has a share of each layer, otherwise all of it
    int stage = -1;           ///< the device, where stages are devices
};

/// How the ranks of the data and context axes share the training states of their weights (ZeRO;
/// docs/decisions/mesh.md).
struct StateShards {
    Sharded sharded = Sharded::nothing;
    std::int64_t ranks = 1;          ///< that keep one copy together
    std::int64_t expert_ranks = 1;   ///< the same of experts
    std::int64_t groups = 1;         ///< of such ranks, if they are not all that hold the same weights
    std::int64_t expert_groups = 1;  ///< the same of experts
    bool kept = false;               ///< weights gathered for forward stay whole until backward
    bool summed_whole = false;       ///< gradients are added up whole over the passes of a step, then sent
    bool ahead = false;              ///< updated weights are gathered while the next forward pass begins

    bool in_groups() const { return groups > 1 || expert_groups > 1; }
    /// The ranks that keep one copy together, or of experts.
    GroupReach within(const Mesh& mesh, const LinkRates& links, bool experts) const {
        if (!in_groups()) return experts ? reach_of_experts(mesh, links) : reach_of_replicas(mesh, links);
        const RankGroup group = experts ? RankGroup{{{{expert_ranks, mesh.expert * mesh.expert_tensor}, {}}}}
                                        : RankGroup{{{{ranks, mesh.tensor}, {}}}};
        return reach_on_mesh(group, mesh.devices(), links);
    }
    /// The ranks that keep the same piece, one of each group.
    GroupReach between(const Mesh& mesh, const LinkRates& links, bool experts) const {
        const RankGroup group =
            experts ? RankGroup{{{{expert_groups, mesh.expert * mesh.expert_tensor * expert_ranks}, {}}}}
                    : RankGroup{{{{groups, mesh.tensor * ranks}, {}}}};
        return reach_on_mesh(group, mesh.devices(), links);
    }

    /// Number of equal pieces of `state`; each rank keeps one. Of a layer of whose weights a share are experts': what
    /// all of it is over what a rank keeps.
    double pieces(Sharded state, double experts = 0) const {
        if (sharded < state) return 1;
        if (experts == 0 || ranks == expert_ranks) return static_cast<double>(ranks);
        return 1 / ((1 - experts) / static_cast<double>(ranks) + experts / static_cast<double>(expert_ranks));
    }
    /// Whether the gradients of every pass are sent, as only shards of their sum are kept.
    bool reduces_every_pass() const { return sharded >= Sharded::gradients && !summed_whole; }
    /// Of what a rank holds while it computes.
    double of_weights(double experts = 0) const { return kept ? 1 : pieces(Sharded::weights, experts); }
    double of_gradients(double experts = 0) const { return summed_whole ? 1 : pieces(Sharded::gradients, experts); }
    double of_optimizer(double experts = 0) const { return pieces(Sharded::optimizer, experts); }
};

/// What goes on while a message travels.
enum class When : std::uint8_t {
    blocking,        ///< nothing
    under_backward,  ///< the rest of the backward pass, as the overlap says
    at_cut,          ///< the work on another slice behind the cut
    at_border,       ///< the work of the stages on other micro-batches
    beside_layer,    ///< the work of its own layer, step by step
    beside_readers,  ///< the gradients to the inputs of the layers that read it
    before_layer,    ///< the work of the layers before the one whose weights it gathers
    beside_block     ///< the work of the layers whose activations it carries
};

/// One message of the step.
struct Transfer {
    int part = 0;
    Message message = Message::all_reduce;
    Collective algorithm = Collective::ring;
    int first = 0,
        last = 0;  ///< positions of the layers it is for: a tensor's, or all with gradients from here to there
    bool forward = false;
    bool gradients = false;  ///< carries gradients of weights, or the weights updated by them; all others carry one
                             ///< tensor, those of a stage border, or the weights of one layer
    MeshAxis axis = MeshAxis::data;  ///< between the ranks of this axis
    When when = When::blocking;
    GroupReach group{};
    std::int64_t times = 1;  ///< how often in a step
    Bytes bytes{0};          ///< full buffer as priced (the busiest share times the ranks)
    Seconds each{0};
    Seconds exposed{0}, hidden{0};  ///< of all times together
    Seconds start{0};  ///< of the first one, from the start of its backward pass; buckets only (over_groups: from the
                       ///< end of that and of the messages of its gradients, and as late as it may be)
    Carried carries = Carried::output;  ///< along the tensor and the context axis
    bool again = false;                 ///< of a forward pass that the backward pass runs once more
    std::int64_t successive = 1;        ///< of all times, one after the other in one execution of its layer

    bool over_groups = false;            ///< adds up the same shards of gradients over the groups of replicas
    bool weights = false;                ///< gathers weights from the ranks that keep shards of them
    bool every_pass = false;             ///< of sharded states: sent and waited for in every execution of its layers
    int beside_from = 0, beside_to = 0;  ///< before_layer, beside_…: it travels beside the work of these layers
    int before = -1;  ///< the transfer that takes the link before it, of the same pass or the same layer; -1: none

    /// It travels beside work that needs it soon.
    bool beside_work() const { return when == When::beside_layer || when == When::beside_readers; }
    /// Positions on their way to experts, or back.
    bool of_positions() const { return carries == Carried::to_experts || carries == Carried::from_experts; }
    /// Whether its exposed time is part of the time that a stage takes for a micro-batch.
    bool within_stage() const {
        return every_pass ||
               (axis != MeshAxis::data && axis != MeshAxis::pipeline && !gradients && when != When::at_border);
    }
    /// Gradients that a stage sends when its last micro-batch is through.
    bool after_stage() const { return gradients && !weights && !every_pass && axis != MeshAxis::pipeline; }
};

/// How the stages of a pipeline work, in one micro-step. Seconds from its start; fill and drain: from that of backward.
struct StageSchedule {
    PipelineOrder order = PipelineOrder::fill_drain;
    PipelineShape shape;
    double span = 0;           ///< from the first pass to the last
    std::vector<double> done;  ///< by stage: when its gradients are complete
    double end = 0;            ///< when all stages have done their work
    std::vector<double> forward, backward, weights, activation, gradient;  ///< of a micro-batch, as in StageTimes
    StageTimes times() const { return {forward, backward, weights, activation, gradient}; }

    /// The longest chain of pieces that wait for each other, as it is and if no message took any time. Fill and drain
    /// has a closed form instead.
    const PipelineChain& chain() const { return found_.get(find_chain, *this); }
    const PipelineChain& chain_of_work() const { return found_.get(find_chain_of_work, *this); }

private:
    FoundOnce<StageSchedule> found_;
    static PipelineChain find_chain(const StageSchedule& of) { return chain_of(of, of.times()); }
    static PipelineChain find_chain_of_work(const StageSchedule& of) {
        return chain_of(of, {of.forward, of.backward, of.weights, {}, {}});
    }
    static PipelineChain chain_of(const StageSchedule& of, const StageTimes& times) {
        if (of.order == PipelineOrder::fill_drain) return {};
        PipelineRun run;
        run_pipeline(of.order, of.shape, times, true, run);
        return longest_chain(run.pieces, of.shape.stages());
    }
};

/// What the division of a step records. The first three are bounds, made without stepping through a schedule.
enum class Told : std::uint8_t {
    work,        ///< the least times possible of stages that are cut anyhow
    least,       ///< the least times possible
    least_runs,  ///< the same, and runs of layers that keep the fewest micro-batches possible
    times,       ///< exact times
    runs,        ///< the same, and the runs of layers, even if all pieces are known
    all          ///< everything, messages among them
};
constexpr bool tells_runs(Told told) { return told == Told::least_runs || told >= Told::runs; }

struct DividedStep {
    std::vector<LayerRun> runs;  ///< of each network in the order of its layers
    StateShards states;
    Shares shares;  ///< by position, of the layers of the runs that are `shared`; in the Scratch
    std::span<const std::optional<ShardAlong>> along, context_along;  ///< of the same layers, where it was planned
    std::span<const std::int64_t> repeats;                            ///< of them: LayerAxes
    std::span<const double> crossing, gradient_crossing;  ///< what of each output a worker sends over a border
    std::span<const std::uint8_t> scattered;              ///< LayerAxes
    Told told = Told::times;
    bool in_full = false;  ///< everything is recorded, what follows too: estimate() needs that, score() does not

    /// Of stages, for `least`: bytes of weights and training states on each device, and what their activations follow
    /// from.
    std::vector<double> state_bytes;
    std::array<std::int64_t, 10> held_key{};

    std::vector<Transfer> transfers;
    StageSchedule schedule;                           ///< if there are stages
    std::vector<PassTimes> times;                     ///< by network: seconds of one execution, by layer
    std::vector<std::vector<double>> gathers;         ///< by network, by layer: see LayerEstimate; weights sharded
    std::vector<std::vector<double>> update_seconds;  ///< by network, by layer; empty: priced as the runs say

    void clear(Told asked) {
        told = asked;
        in_full = told == Told::all;
        runs.clear();
        states = {};
        if (!in_full) return;
        along = context_along = {};
        repeats = {};
        crossing = gradient_crossing = {};
        scattered = {};
        transfers.clear();
        schedule = {};
        times.clear();
        gathers.clear();
        update_seconds.clear();
    }
    void run(const LayerRun& layers) {
        if (layers.from < layers.to) runs.emplace_back() = layers;
    }
    /// `transfer` for one execution of the network, of which there are `count`; `exposed`: the share that no work
    /// hides.
    void send(Transfer transfer, int count, double exposed = 1) {
        transfer.times *= count;
        const Seconds all = transfer.each * static_cast<double>(transfer.times);
        transfer.exposed = all * exposed;
        transfer.hidden = all * (1.0 - exposed);
        transfers.push_back(transfer);
    }
};

}  // namespace scalescope
