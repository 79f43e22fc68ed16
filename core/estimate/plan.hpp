// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/checked.hpp"
#include "core/estimate/cpu_method.hpp"
#include "core/estimate/divided_step.hpp"
#include "core/estimate/infeasible.hpp"
#include "core/estimate/layer_axes.hpp"
#include "core/estimate/paleo_method.hpp"
#include "core/estimate/pieces.hpp"
#include "core/estimate/point.hpp"
#include "core/parallel/outputs.hpp"
#include "core/parallel/splits.hpp"
#include "core/parallel/stages.hpp"
#include "core/pricing/collectives.hpp"
#include "core/pricing/pass_times.hpp"
#include "core/pricing/time_lines.hpp"
#include "core/scenario/scenario.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// What one step takes on the busiest worker; the parts sum to `step` (1e-9). Hidden communication is not in the sum.
struct Summary {
    Infeasible infeasible = Infeasible::no;
    Seconds forward{0}, backward{0}, update{0}, communication{0}, idle{0}, step{0};
    Seconds hidden{0};
    Seconds service{0};  ///< asynchronous updates: of communication and update, at the busiest parameter server
    Batch batch;         ///< as it is divided: of `layers` and `outputs`, all workers are active
    int cut = -1;        ///< hybrid: the cut used
    bool feasible() const { return infeasible == Infeasible::no; }
    SamplesPerSecond throughput() const { return Samples{static_cast<double>(batch.effective)} / step; }
    bool operator==(const Summary&) const = default;
};

/// A tensor that waits from forward until the backward pass of `keeper`: the output of layer `tensor`, or its own mask
/// or inner tensors. Which of them share one buffer depends on the stages (estimate/memory_walk.hpp).
struct Keep {
    int keeper = 0, tensor = 0;
    bool read = false;    ///< the keeper reads it, so that its share of the inputs counts
    bool narrow = false;  ///< as its products read it; where others need it as it is, it is kept once, as it is
};

/// A buffer that waits on a device from forward until the backward pass of the layer that needs it. A tensor that
/// several layers need is there once, and goes when the first of them in the network, the last in backward, is done.
/// Where the backward pass computes a block again, its inputs wait for its first layer, and the other buffers of its
/// layers are there only during its own backward pass; likewise those that wait on the host.
struct KeptTensor {
    /// inner: what of `within` is computed again alone, or waits on the host alone; more: what the trainer keeps more
    static constexpr int mask = -1, within = -2, inner = -3, more = -4;
    int part = 0;
    int stage = -1;     ///< the device, where stages are devices
    int keeper = 0;     ///< position of the first layer on the device that needs it
    int tensor = -1;    ///< position of the layer whose output it is; mask, or within: the keeper's own
    int like = 0;       ///< position of the layer that needs most of it: its samples and share are the size
    bool read = false;  ///< `like` reads it, so that its share of the inputs counts; otherwise it is its own output
    double bytes = 0;
    int block = -1;       ///< it is there only during the backward pass of this block
    bool narrow = false;  ///< as narrow products read it
    /// It waits on the host: on the device it is there only while layers of its block compute.
    bool on_host = false;

    /// What the busiest worker has of it; `of` like.
    double share(const LayerShares& of) const {
        return (tensor == within ? of.within : 1.0) * (read ? of.inputs * of.kept : of.outputs);
    }
};

/// One network of the workload, prepared.
struct PlanPart {
    std::shared_ptr<const Network> network;
    int count = 1;
    Work work;
    UpdateCost update;  ///< with the casts of narrow weights, as if those were spread evenly over all parameters
    const OutputStructure* outputs = nullptr;  ///< the network's
    OutputMoves moves;                         ///< for any number of workers, unless `outputs.grouped`
    Crossings crossings;
    std::vector<int> cuts;  ///< positions where hybrid may cut, ascending, the number of layers (no back part) last
    double trained = 0;
    int trained_layers = 0;
    std::vector<double> trained_descending;  ///< of the layers that have any
    TimeLines lines;                         ///< empty where times are no straight lines over the samples
    std::vector<Keep> keeps;                 ///< by keeper
    std::vector<double> more;   ///< by position, bytes of a sample that the trainer keeps more; of a loss, holds more
    std::vector<char> passing;  ///< by position: whether its forward pass may need more memory than its backward pass
    /// By position: the run of layers that are recomputed together, counted from 0, or -1. Empty if nothing is
    /// recomputed. What of each layer is computed again is in `work.again`.
    std::vector<int> blocks;
    std::vector<char> on_host;         ///< by position, what it keeps waits on the host; empty: of none
    std::vector<char> tensor_on_host;  ///< the same of tensors that layers read or make
    std::vector<double> part_on_host;  ///< by position, of tensors within a layer, those of a part that wait there
    std::vector<KeptTensor> hosted;    ///< those, by keeper: bytes of one sample, where nothing is divided

    // Sums over the layers before a position, and (live_from) the first of them whose tensor is still needed there:
    // meaningless if the moves depend on the workers.
    std::vector<double> trained_before, gradient_bytes_before;
    std::vector<int> trained_layers_before, live_from;

    /// Of one sample, where nothing is divided.
    double bytes_of(const Keep&) const;
    /// Of tensors within the layer, bytes that are apart: those that are computed again alone, or wait on the host.
    double apart(std::size_t l) const {
        const double again = work.part_bytes.empty() ? 0.0 : work.part_bytes[l];
        return again > 0 || part_on_host.empty() ? again : part_on_host[l];
    }
    bool waits_on_host(const Keep& k) const {
        if (k.tensor == KeptTensor::inner) return true;
        return !on_host.empty() && (k.tensor < 0 ? on_host[static_cast<std::size_t>(k.keeper)]
                                                 : tensor_on_host[static_cast<std::size_t>(k.tensor)]) != 0;
    }
};

/// All that a change of the varied fields leaves alone. Immutable; any number of threads may score on it.
struct Plan {
    std::vector<PlanPart> parts;  ///< with what `recomputation` says
    Recomputation recomputation;  ///< that of `point`, or another in plans that a Scratch holds
    Point point;  ///< the scenario's own; what it holds counts, not what `training` and `parallelism` say of that
    Training training;
    Parallelism parallelism;
    DeviceRates device;
    LinkRates links, gather_links;  ///< of all messages but gathers of sharded weights, and of those
    std::optional<Bytes> room;      ///< memory of a worker, where it is known
    Seconds overhead{0};            ///< of every step
    UpdateCost update;
    TrainerMemory trainer;
    double spread = 0;                              ///< of the workers' speeds: standard deviation over mean
    double tensor_overlap = 0, expert_overlap = 0;  ///< shares of messages that hide
    double interference = 0;                        ///< share of a hidden message that the backward pass takes longer
    double copying = 0;  ///< seconds for a byte of gradients on its way into a message and back
    Method method = Method::pipeline;
    std::shared_ptr<const PaleoMethod> paleo;  ///< of PALEO's methods; null for the others
    std::shared_ptr<const CpuMethod> cpu;      ///< of CPU clusters; null for the others
    std::vector<int> boundaries;  ///< split by layers by hand: positions of the stages' first layers; empty: balanced
    std::shared_ptr<const char> work;  ///< another one for each set of `parts`
    /// Another one for each set of prices: what a Scratch remembers of a plan holds as long as this is the same.
    std::shared_ptr<const char> prices;
};

Result<Plan> prepare(const Scenario& scenario);
/// Makes of a plan the one that prepare(scenario) gives, where the two scenarios differ only in what prices the work
/// and in what a Point holds (not in what the work is: networks, passes, precision, optimizer, frozen layers, the
/// format of gradients, the method). With a problem the plan stays usable for the next one. The pipeline only.
Result<void> reprice_plan(Plan& plan, const Scenario& scenario);
/// Makes of a plan the one that prepare(scenario) gives, where the two scenarios differ only in what a Point holds.
/// With a problem the plan stays usable for the next one.
Result<void> move_plan(Plan& plan, const Scenario& scenario);

inline double PlanPart::bytes_of(const Keep& k) const {
    if (k.narrow) return work.out_bytes[static_cast<std::size_t>(k.tensor)] / work.element_bytes * work.narrow_as.bytes;
    return k.tensor == KeptTensor::mask     ? work.mask_bytes[static_cast<std::size_t>(k.keeper)]
           : k.tensor == KeptTensor::inner  ? apart(static_cast<std::size_t>(k.keeper))
           : k.tensor == KeptTensor::more   ? more[static_cast<std::size_t>(k.keeper)]
           : k.tensor == KeptTensor::within ? work.own_bytes[static_cast<std::size_t>(k.keeper)]
                                            : work.out_bytes[static_cast<std::size_t>(k.tensor)];
}
/// A layer as memory_walk.hpp sees it.
struct MemoryRow {
    int part = 0, position = 0;
    int stage = -1;                        ///< the device, where stages are devices
    double samples = 0, kept_samples = 0;  ///< of one execution, and all that are on their way through the stages
    LayerShares shares;                    ///< of the busiest worker
    int block = -1;                        ///< as in LayerEstimate; by walk_memory
};
/// Where weights are sharded: two layers, one after the other, whose weights are whole at once, -1 for none.
struct WholeWeights {
    double bytes = 0, kept = 0;  ///< and what of them is there anyway
    int part = 0, first = -1, second = -1;
    double copies = 0;  ///< narrow ones, beside
    double more() const { return bytes - kept + copies; }
};
/// What a trainer holds beside what a step needs (TrainerMemory): some of it at the worst moment only.
struct TrainerBytes {
    Bytes logits{0};              ///< at that moment: of a loss, more than logits and their gradient
    Bytes block{0};               ///< and whole gradients of a block that wait for the rest of it
    Bytes placeholder{0};         ///< and the placeholder of the product that makes the logits
    Bytes placeholders{0};        ///< those of a block
    Bytes gathered{0};            ///< whole weights, beside the two layers that count as weights
    Bytes exchange{0};            ///< buffers of gradients
    Bytes fragmentation{0};       ///< reserved, and not allocated
    Bytes groups{0}, context{0};  ///< outside of the allocator
    std::int64_t group_count = 0;
    Bytes moment() const { return logits + block + placeholder; }
    Bytes all_the_time() const { return placeholders + gathered + exchange + fragmentation + groups + context; }
};
struct MemoryScratch {
    struct Device {
        double weights = 0, gradients = 0, optimizer = 0, activations = 0, live = 0;
        double largest_block = 0, block_more = 0, outside_more = 0;  ///< weights of a block; more of them where whole
        TrainerBytes trainer;
        double copies = 0;    ///< of `weights`, narrow ones
        double on_host = 0;   ///< of optimizer states and activations: in the host's memory
        double arriving = 0;  ///< of `live`: what the neighbouring block has on its way to the host, or back
        int stage = 0;
        WholeWeights whole;
        int part = 0, layer = -1;  ///< where it has `live`
    };
    StateShards states;  ///< of all rows
    std::vector<MemoryRow> rows;
    std::vector<Device> devices;
    std::vector<KeptTensor> kept;
    std::vector<double> passing;     ///< by row, bytes that only its own forward pass needs
    std::vector<double> waiting;     ///< by row, bytes of its block's gradients that wait for the rest of the block
    std::vector<int> last;           ///< by tensor, the buffer it was put into last
    std::vector<std::size_t> first;  ///< by row, its first buffer
};

/// What all cuts of a network cost for one number of workers, by cut: for the cheapest cut.
struct CutSums {
    std::shared_ptr<const char> of;  ///< Plan::prices
    int part = -1;
    std::int64_t workers = 0;
    bool has_work = false, has_messages = false;        ///< these are the same for every batch, collective and scheme
    enum Work : std::size_t { slope, start, trained };  ///< seconds for each sample, and for none; parameters
    std::vector<std::array<double, 3>> work;
    /// For each OutputMove: how many, and their bytes for each sample; or their seconds alone.
    std::vector<std::array<double, 2 * output_moves>> messages;
};

/// The largest shards of whole layers, as they were dealt last.
struct ShardScratch {
    struct Dealt {
        std::int64_t servers = 0;
        double weights = 0;
    };
    std::shared_ptr<const char> of;  ///< Plan::prices
    std::vector<Dealt> dealt;        ///< by network of the workload
    std::vector<double> loads;
};

/// Seconds of messages within layers for one execution: exposed in each pass, and hidden.
struct MessageSeconds {
    double forward = 0, backward = 0, hidden = 0;
    double exposed() const { return forward + backward; }
    MessageSeconds& operator+=(const MessageSeconds& o) {
        forward += o.forward;
        backward += o.backward;
        hidden += o.hidden;
        return *this;
    }
};

/// Memory that score() works in. One per thread; reusing it is what keeps score() free of allocation.
struct Scratch {
    PassTimes times, back_times, whole_times;
    std::vector<double> backward;
    std::vector<double> busiest, share, in, out;  // split by outputs
    KnownLayerAxes axes;
    std::array<std::array<MessageCost, message_kinds>, mesh_axes> message_costs;
    std::vector<MessageSeconds> sent;  // by layer
    Splits splits;
    PipelineRun run, run_of_work;             // with and without messages
    std::vector<MessageSeconds> stage_waits;  // of stages, for one micro-batch; states sharded
    std::vector<double> taken;  // by layer, seconds of backward in which weights are gathered; weights sharded
    std::vector<double> exposed, exposed_scratch;  // of the cheapest cut
    std::vector<int> borders, best_borders;
    OutputMoves moves;
    DividedStep division;  ///< of the point that was scored last
    CutSums cut_sums;
    ShardScratch shards;
    MemoryScratch memory;
    CpuScratch cpu;
    std::unique_ptr<KnownPieces> pieces;             ///< from the first stages on
    std::vector<std::unique_ptr<Plan>> recomputing;  ///< what a plan became that recomputes something else
    std::size_t recomputed = 0;                      ///< of these, dropped for others
};
/// With the room that every way to divide the work needs.
Scratch make_scratch(const Plan& plan);
/// And what only stages, or the cheapest cut, need: most plans are asked for neither.
void make_room_for_stages(int layers, Scratch& scratch);
void make_room_for_cuts(int layers, Scratch& scratch);

/// How samples are taken in micro-steps whose gradients are added up: `count` of them of `samples`, the last of which
/// may be smaller but is priced as the others. At most as many as were wanted, and none without a sample.
struct MicroSteps {
    std::int64_t count = 1, samples = 1;
};
inline MicroSteps micro_steps(std::int64_t samples, std::int64_t wanted) {
    if (wanted == 1) return {1, samples};
    const std::int64_t each = ceil_div(samples, std::min(wanted, samples));
    return {ceil_div(samples, each), each};
}
inline MicroSteps micro_steps(const Plan& plan, const Batch& batch) {
    return micro_steps(batch.per_replica, plan.training.accumulation);
}
/// The same of one micro-step in the stages of a pipeline: its micro-batches. One where there is one stage.
MicroSteps micro_batches(const Plan& plan, const Point& point, const Batch& batch);

/// How hybrid works through the samples of one of `steps` micro-steps: `front` of them on every worker in front of the
/// cut, then `slices` times `back` behind it, for which tensors of `sent` samples are gathered at the cut (the busiest
/// worker's times the workers), or broadcast.
struct HybridSamples {
    double front = 1, back = 1, sent = 1;
    std::int64_t slices = 1, steps = 1;
};
HybridSamples hybrid_samples(const Plan& plan, const Point& point, const Batch& batch);

/// Times of one point. No allocation after the scratch has been used once with this plan.
Summary score(const Plan& plan, const Point& point, Scratch& scratch);

/// The same, but for the schedules of stages, which are not stepped through: neither `step` nor any of its parts that
/// depends on them is longer than that of score(). A point is feasible for both or for none.
Summary score_at_least(const Plan& plan, const Point& point, Scratch& scratch);

/// No more than that, and told sooner: the work of the layers, on as many devices as there are stages.
Summary score_of_work(const Plan& plan, const Point& point, Scratch& scratch);

/// The words for an infeasible point: what, and what to do.
Problem infeasible_reason(const Plan& plan, const Point& point, Infeasible why);

}  // namespace scalescope
