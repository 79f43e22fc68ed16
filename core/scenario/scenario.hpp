// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/checked.hpp"
#include "core/evidence/calibration.hpp"
#include "core/hardware/cpu_machine.hpp"
#include "core/hardware/device.hpp"
#include "core/network/network.hpp"
#include "core/units/units.hpp"

namespace scalescope {

// How a network is spread over CPU machines and parameter servers, after Yan et al. 2015 (re-derived):
// docs/decisions/cpu-clusters.md. What the machines are is in Cluster, how many servers there are in Parallelism.

enum class ConvolutionSplit : std::uint8_t {
    rows,      ///< each machine has rows of the image, and all kernels
    channels,  ///< each machine has some of the kernels, and needs the whole input
};
enum class LocalUpdate : std::uint8_t { per_sample, per_exchange };  ///< per_exchange: once for all of an exchange
enum class SegmentPlacement : std::uint8_t {
    aligned,  ///< segment s of p stands on machine ⌊s·P/p⌋: neighbours in a layer stay neighbours on machines
    by_connections  ///< each segment where it has the fewest remote connections (US patent 10,686,869, claim 1)
};
enum class SegmentSplits : std::uint8_t {
    most,  ///< every layer is cut into as many segments as there are machines, or as it can have
    best   ///< into as many as take least time, by a dynamic programme
};

struct CpuCluster {
    std::int64_t partitions = 1;  ///< machines of a replica
    SegmentSplits splits = SegmentSplits::most;
    SegmentPlacement placement = SegmentPlacement::aligned;
    ConvolutionSplit convolutions = ConvolutionSplit::rows;
    std::int64_t threads = 0;       ///< of a machine that train, each with a sample of its own; 0: one a core
    bool servers_beside = false;    ///< the servers stand on the workers' machines, whose network and cores they share
    bool wait_for_servers = false;  ///< asynchronous: a replica rests while its weights travel
    bool queueing = false;          ///< asynchronous: replicas queue at the servers, and meet others there
    Fraction overlap{0};            ///< share of the shorter of compute and exchange of a layer that hides
    LocalUpdate local_update = LocalUpdate::per_sample;
    Bytes buffers{0};             ///< of each machine beside weights, deltas and activations
    bool worked_example = false;  ///< the formulas with the simplifications of the worked example
    bool operator==(const CpuCluster&) const = default;
};

/// What a step does with one network: which passes it makes, and how often.
struct Passes {
    bool forward = true;
    bool backward = true;  ///< gradients of weights and activations
    bool weights = true;   ///< false: gradients pass through (a GAN's generator step through its discriminator)
    bool to_data = false;  ///< the gradient goes on into the input data
    bool update = true;
    bool operator==(const Passes&) const = default;
};

struct WorkloadPart {
    std::shared_ptr<const Network> network;
    Passes passes;
    int count = 1;       ///< times per step
    std::string origin;  ///< preset id or file the network came from
    /// Networks are equal if they are the same one, or the same layers with the same values of their symbols.
    bool operator==(const WorkloadPart& other) const;
};

enum class BatchRule { per_worker, total };  ///< weak scaling: the batch grows with the workers; strong: it stays
enum class Optimizer { sgd, momentum, adam, lamb };
/// Axes of the mesh of workers, and those of the experts on another grid of the same workers.
enum class MeshAxis : std::uint8_t { data, tensor, pipeline, context, expert, expert_tensor };
/// Which ways to divide a layer over the tensor axis may be taken.
enum class ShardingPolicy : std::uint8_t {
    columns,  ///< every layer along its outputs (PALEO: Qi et al., ICLR 2017; Krizhevsky 2014)
    trainer,  ///< as Megatron-LM's users do: weights by columns and rows, heads, vocabulary
    best,     ///< whatever is cheapest
    rows      ///< images along their rows (Dryden et al., IPDPS 2019), everything else as trainers do
};
enum class Collective {
    ring,
    recursive,
    tree,
    one_to_all,
    paleo_tree,
    butterfly,
    butterfly_mixing,
    parameter_server,
    automatic
};
enum class HybridScheme { all_at_once, one_sender, all_send_share };
enum class Overlap { off, buckets, perfect };
/// The axes of the mesh of workers, fastest first: workers that differ in the first alone are neighbours. The values
/// are the permutations in lexicographic order; their words spell them out.
enum class AxisOrder : std::uint8_t { tensor_context_data_pipeline, last = 23 };
/// The order in which a device of a pipeline processes its micro-batches.
enum class PipelineOrder : std::uint8_t {
    fill_drain,      ///< all forward passes, then all backward (GPipe: Huang et al., NeurIPS 2019)
    one_f_one_b,     ///< forward and backward in turn (PipeDream-Flush: Narayanan et al., ICML 2021)
    interleaved,     ///< the same with several chunks of layers on each device (Megatron: Narayanan et al., SC 2021)
    breadth_first,   ///< several chunks; all micro-batches pass one before the next (Lamy-Poirier, MLSys 2023)
    zero_bubble,     ///< backward split: weight gradients fill the gaps (ZB-H1: Qi et al., ICLR 2024)
    zero_bubble_h2,  ///< more forward passes at the start (ZB-H2, same source); not offered: stages would have to
                     ///< update at different times
};
constexpr bool has_chunks(PipelineOrder order) {
    return order == PipelineOrder::interleaved || order == PipelineOrder::breadth_first;
}
/// How attention sees all positions of a sequence that lies on several devices, the context axis.
enum class ContextScheme : std::uint8_t {
    ring,        ///< keys and values pass round a ring meanwhile (Ring Attention: Liu et al., ICLR 2024)
    all_gather,  ///< they are gathered first (Llama 3: Grattafiori et al., 2024)
    heads        ///< devices have all positions of some heads instead (DeepSpeed-Ulysses: Jacobs et al., 2023)
};
/// How often a position travels to the experts that are chosen for it.
enum class Dispatch : std::uint8_t {
    each_expert,  ///< once for each of them (GShard: Lepikhin et al., ICLR 2021)
    each_rank,    ///< once to each device that has any of them
    each_node     ///< once to each node, which passes it on to such devices (DeepSeek-V3 Technical Report, 2024)
};
/// Where the stages of a pipeline begin that nobody sets by hand.
enum class StageBorders : std::uint8_t {
    blocks,  ///< at blocks of the network, which are dealt out evenly (Megatron-LM, torchtitan)
    layers   ///< at the layers that make the step shortest
};
/// Activations that the forward pass does not keep and the backward pass computes again: one of these, or a set of
/// modules (recompute_choice.hpp).
enum class Recompute : std::uint16_t {
    nothing,
    attention,     ///< scores and softmax of attention (selective: Korthikanti et al., MLSys 2023)
    blocks,        ///< all but the inputs of the blocks (full: Chen et al., arXiv:1604.06174)
    layers,        ///< the layers that a person names (Parallelism::recompute_layers)
    uniform,       ///< runs of `recompute_count` blocks, which keep the input of the first (Megatron Core)
    block,         ///< the first `recompute_count` blocks of each stage (Megatron Core)
    operators,     ///< in blocks, all but every second matrix product and fused attention (torchtitan: op)
    every_nth,     ///< of `recompute_count` blocks the last (torchtitan)
    modules = 256  ///< of a set of modules, each a bit below this
};
/// What Megatron Core calls the modules of a block that can be recomputed alone.
enum class RecomputeModule : std::uint8_t {
    core_attn,    ///< attention, from queries, keys and values to its output
    mla_up_proj,  ///< latent attention: the products behind the latent norms, and rotary positions
    layernorm,    ///< the norms that read the residual stream
    moe_act,      ///< the function between the two products of experts
    mlp,          ///< dense feed-forward networks
    moe,          ///< experts, from the router to the combined output
    shared_experts
};
/// Training states that are divided among the replicas, which would otherwise hold copies (ZeRO, Rajbhandari et al.,
/// SC 2020: stages 1 to 3).
enum class Sharded : std::uint8_t { nothing, optimizer, gradients, weights };
enum class GradientFormat { as_weights, fp32, fp16 };  ///< of gradients as they travel
enum class ConvolutionAlgorithm { gemm, cheapest };
/// Of the weights: all workers in step, or each on its own with parameter servers.
enum class Updates { synchronous, asynchronous };
enum class Sharding { even, by_layer };  ///< of the weights over parameter servers: equal parts, or whole layers
enum class Method { pipeline, paleo_head, paleo_paper, cpu_cluster };
constexpr bool is_paleo(Method m) { return m == Method::paleo_head || m == Method::paleo_paper; }

struct Training {
    std::int64_t batch = 128;  ///< samples: per worker or in all, as `batch_rule` says
    BatchRule batch_rule = BatchRule::per_worker;
    std::int64_t accumulation = 1;  ///< micro-steps whose gradients are added up before one update
    Precision precision = Precision::fp32;
    std::int64_t wide_first = 0, wide_last = 0;  ///< of a recipe: blocks at the ends that it is not for
    Optimizer optimizer = Optimizer::sgd;
    bool fused_update = true;           ///< the update reads and writes each tensor once, not once an operation
    std::int64_t data_set = 1'281'167;  ///< samples in one epoch (ImageNet 2012 training set)
    SamplesPerSecond input_limit{0};    ///< what the input pipeline delivers; 0: no limit
    std::vector<LayerId> frozen;        ///< layers whose weights are not trained; sorted
    bool operator==(const Training&) const = default;
};

struct Cluster {
    Device device;
    CpuMachine machine;         ///< the worker of a CPU cluster; without an id there is none
    std::int64_t workers = 32;  ///< devices in use, or machines, without those that are servers alone
    std::int64_t devices_per_node = 1;
    std::int64_t nics_per_node = 1;
    std::int64_t devices_per_uplink = 1;  ///< devices of a node that share one link to the host
    BytesPerSecond host_link{0};          ///< of each device to its host, one way; 0: the device's own
    BytesPerSecond host_memory{50e9};     ///< of the host, for each of its devices that work at once
    Link inside;                          ///< between devices of one node
    Link between;                         ///< between nodes
    bool has_machine() const { return !machine.id.empty(); }
    bool operator==(const Cluster&) const = default;
};

/// Degrees of the mesh of workers that are given; one axis, `fill`, takes the workers that the others leave.
struct GivenDegrees {
    std::int64_t tensor = 1;    ///< devices that divide each layer
    std::int64_t pipeline = 1;  ///< stages of consecutive layers
    std::int64_t context = 1;   ///< devices that divide the positions of a sequence
    std::int64_t expert = 1;    ///< devices of a stage among which the experts are divided; no axis of its own
    /// Devices of a stage that divide each expert; with `expert`, another grid of them.
    std::int64_t expert_tensor = 1;
    constexpr std::int64_t expert_ranks() const { return expert * expert_tensor; }
    constexpr GivenDegrees& degrees_given() { return *this; }
    constexpr const GivenDegrees& degrees_given() const { return *this; }
    constexpr bool none() const { return *this == GivenDegrees{}; }
    bool operator==(const GivenDegrees&) const = default;
};

struct Parallelism : GivenDegrees {
    MeshAxis fill = MeshAxis::data;  ///< one of the four axes that are no experts'; its given degree does not count
    bool segments = false;  ///< a data-parallel front part, and a back part that all workers divide (Krizhevsky 2014)
    ShardingPolicy policy = ShardingPolicy::trainer;
    AxisOrder axis_order = AxisOrder::tensor_context_data_pipeline;
    bool sequence = false;  ///< tensor axis: positions are divided where layers are not (Korthikanti et al., 2022)
    ContextScheme context_scheme = ContextScheme::ring;
    Dispatch dispatch = Dispatch::each_expert;
    Collective collective = Collective::ring;
    Overlap overlap = Overlap::off;
    Bytes bucket{25e6};  ///< gradient bucket (DDP's default size)
    GradientFormat gradients = GradientFormat::as_weights;
    bool copies = false;  ///< gradients are copied into a buffer that travels, and back
    HybridScheme scheme = HybridScheme::all_at_once;
    LayerId cut{};                    ///< segments: first layer of the back part
    bool cut_auto = true;             ///< segments: the cheapest cut instead
    std::vector<LayerId> boundaries;  ///< pipeline: first layer of each stage but the first; empty: as `borders` says
    StageBorders borders = StageBorders::blocks;
    std::int64_t micro_batches = 1;  ///< in the pipeline
    PipelineOrder order = PipelineOrder::fill_drain;
    std::int64_t chunks = 2;  ///< interleaved order: stages on each device
    Recompute recompute = Recompute::nothing;
    std::int64_t recompute_count = 1;       ///< blocks of Recompute::uniform, block and every_nth
    std::vector<LayerId> recompute_layers;  ///< of Recompute::layers; sorted
    Sharded sharded = Sharded::nothing;
    std::int64_t shard_group = 0;        ///< neighbouring replicas that divide the sharded states; 0: all
    bool reshard_after_forward = true;   ///< sharded weights: false keeps those gathered for forward until backward
    bool reshard_after_backward = true;  ///< sharded weights: false keeps those gathered for the whole step
    bool scatter_gather = false;         ///< pipeline: tensor ranks send a piece each of what all of them have whole
    bool reduce_once = false;            ///< sharded gradients: added up over the micro-batches whole, then sent
    bool overlap_gathers = false;        ///< updated shards are gathered while the next forward pass begins
    Fraction offload_states{0};          ///< of the optimizer states: kept, and updated, by the host
    /// Whose kept activations wait for backward on the host: nothing's, blocks' or those of a set of modules.
    Recompute offload_activations = Recompute::nothing;
    Updates updates = Updates::synchronous;
    std::int64_t servers = 1;  ///< machines that are parameter servers
    Sharding sharding = Sharding::even;
    bool operator==(const Parallelism&) const = default;
};

/// The policy that counts, of a Parallelism or of a point of a sweep: behind the cut of segments there is but one.
constexpr ShardingPolicy policy_of(const auto& p) { return p.segments ? ShardingPolicy::columns : p.policy; }
/// The policy of a scenario that says nothing else, as versions 1 and 2 of its file had it.
constexpr ShardingPolicy usual_policy(MeshAxis fill) {
    return fill == MeshAxis::tensor ? ShardingPolicy::columns : ShardingPolicy::trainer;
}
/// Data parallelism takes the workers that the other degrees leave, for the whole network.
constexpr bool fills_data(const auto& p) { return p.fill == MeshAxis::data && !p.segments; }

/// What a trainer's software holds in memory beside what a step needs: nothing. presets/trainers knows what is usual.
struct TrainerMemory {
    Bytes context{0};               ///< driver and libraries, on every device
    Bytes group_buffers{0};         ///< for each group of ranks that a device sends in
    Bytes exchange_buffers{0};      ///< where gradients are put that travel between replicas
    double logits = 0;              ///< bytes of a logit at the loss's worst moment; if they are more than are needed
    double norms = 0, gates = 0;    ///< bytes kept more, for each element that an RMS norm or a gated unit makes
    std::int64_t whole_blocks = 0;  ///< blocks whose sharded weights are whole at once, instead of two layers; 0: none
    bool placeholders = false;      ///< stand where weight gradients would be that were added up elsewhere
    double traffic = 1;             ///< times that layers without products move what they must move
    Fraction fragmentation{0};      ///< by which the allocator reserves more than is allocated
    bool operator==(const TrainerMemory&) const = default;
};

struct ModelOptions {
    Method method = Method::pipeline;
    Fraction compute{0};             ///< share of the device's peak arithmetic that is reached; 0: the device's own
    Fraction memory{1};              ///< share of its memory bandwidth; 0: the device's own
    Fraction inside{1}, between{1};  ///< share of each link's bandwidth that is reached
    bool overlap_memory = false;     ///< memory traffic hides behind arithmetic (roofline) or adds to it
    Seconds launch{0};               ///< start-up time of every operation
    Fraction spread{0};              ///< standard deviation of the workers' speeds; a step waits for the slowest
    Fraction interference{0};        ///< of a gradient message under the backward pass: what it takes from that
    Fraction tensor_overlap{0};      ///< of the messages of the tensor axis: what hides behind products
    Fraction gather_cards{1};        ///< of a node's network cards, what gathers of sharded weights reach
    Fraction expert_overlap{0};      ///< of the messages to experts and back: what hides behind other work
    Fraction host_overlap{0};        ///< of the update by hosts, with its transfers: what hides behind other work
    Seconds overhead{0};             ///< of every step, in which devices wait for their hosts
    Fraction staleness_cost{0};      ///< by which each update of staleness lengthens training: assumed, not measured
    ConvolutionAlgorithm convolution = ConvolutionAlgorithm::gemm;
    AttentionKernel attention = AttentionKernel::automatic;
    Bytes workspace{4294967296.0};  ///< limit for the cheapest algorithm's extra memory
    TrainerMemory trainer;
    SharedCalibration calibration;               ///< what the constants were fitted to; it changes no number itself
    std::vector<std::string> paleo_corrections;  ///< names of the corrections switched on in the PALEO methods; sorted
    bool operator==(const ModelOptions&) const = default;
};

/// How often devices fail, and what an interruption of synchronous training costs.
struct Reliability {
    Hours device_mtbf{0};  ///< mean time between failures of one device; 0: none fail
    /// From a failure to the first step after it, without the work that is done again: detecting the failure and
    /// diagnosing it takes less than 10 minutes on average (MegaScale: Jiang et al., NSDI 2024).
    Seconds restart{600};
    /// At which each device writes its share of a checkpoint: the storage of Llama 3 sustained 2 TB/s for 16,384 of
    /// them (Grattafiori et al., 2024).
    BytesPerSecond checkpoint{0.122e9};
    bool fails() const { return device_mtbf.value > 0; }
    bool operator==(const Reliability&) const = default;
};

/// Everything that changes a number. What a file saves, undo restores, the command line reads and a search varies.
struct Scenario {
    std::string name, description;
    std::vector<WorkloadPart> workload;
    Training training;
    Cluster cluster;
    Parallelism parallelism;
    CpuCluster cpu;  ///< of Method::cpu_cluster
    ModelOptions model;
    Reliability reliability;

    const Network* network() const { return workload.empty() ? nullptr : workload.front().network.get(); }
    bool operator==(const Scenario&) const = default;
};

/// The scenario with `network` alone as its workload. What names layers (frozen ones, the cut, the stages) is
/// forgotten, and so is the description. Sizes keep their values as far as the new network takes them. A name that
/// holds the old network's ("AlexNet on 32 GPUs") holds the new one's.
Scenario with_network(Scenario scenario, std::shared_ptr<const Network> network);
/// What with_network() made different beside the network itself: sizes that are not the new network's own, those that
/// it did not take, and what is said no longer of single layers.
Problems notes_on_network(const Scenario& before, const Scenario& after);
/// The scenario with another state of one of its networks, as an edit left it; it is no longer the file or preset it
/// came from. What the scenario says about single layers goes on being said of those of the same LayerId. Frozen layers
/// that are gone are left out; a cut or a stage that began with one begins with the next layer that is still there.
Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network);
/// The name of a scenario whose only network was called `gone` and is called `come`: "AlexNet on 32 GPUs" goes on with
/// the new name; one that speaks of no network stays.
std::string name_with(std::string name, const Network& gone, const Network& come);
/// The name of `after`, in which `before` was changed: workers and device that the name speaks of ("on 32 GPUs",
/// "on 64 A100") follow. A name that was changed itself stays.
std::string name_after(const Scenario& before, const Scenario& after);

/// The scenario with updates that wait for nobody, and without what those are not modelled with.
Scenario with_asynchronous_updates(Scenario scenario);

/// Whether an epoch means anything: not of a network that reads tokens, as long as the data set is the default one,
/// which is ImageNet's.
bool has_epochs(const Scenario& scenario);

/// Sizes of the mesh of workers along its axes.
struct Degrees {
    std::int64_t data = 1, pipeline = 1, tensor = 1, context = 1;
    constexpr std::int64_t& of(MeshAxis axis) {
        switch (axis) {
            case MeshAxis::tensor: return tensor;
            case MeshAxis::pipeline: return pipeline;
            case MeshAxis::context: return context;
            default: return data;
        }
    }
    std::int64_t workers() const { return data * pipeline * tensor * context; }
    std::int64_t replicas() const { return data * context; }  ///< that hold the same weights
    bool operator==(const Degrees&) const = default;
};
/// The mesh of `workers` workers: the axis `fill` takes those that the others leave, and its own degree among those
/// given does not count. Nothing if they do not come out even.
std::optional<Degrees> degrees_of(MeshAxis fill, std::int64_t workers, const GivenDegrees& given);

inline std::optional<Degrees> degrees_of(const Scenario& s) {
    return degrees_of(s.parallelism.fill, s.cluster.workers, s.parallelism);
}
/// Whether there are stages of layers: false also where the mesh does not come out even.
inline bool has_stages(const Scenario& s) {
    const auto degrees = degrees_of(s);
    return degrees && degrees->pipeline > 1;
}

/// Samples that a replica of the network handles and all handle in one step.
struct Batch {
    std::int64_t per_replica = 0, effective = 0;
    std::int64_t active = 0;  ///< workers that have any work
    bool operator==(const Batch&) const = default;
};
/// `batch` as Training::batch, for `workers` workers that hold `replicas` copies of the network.
inline Batch batch_for(std::int64_t batch, BatchRule rule, std::int64_t workers, std::int64_t replicas) {
    const std::int64_t all = rule == BatchRule::per_worker ? batch * workers : batch;
    // The busiest replica has the rounded-up share; with more replicas than samples some stay without work.
    const std::int64_t each = rule == BatchRule::per_worker && replicas == workers ? batch : ceil_div(all, replicas);
    return {each, all, std::min(replicas, all) * (replicas == workers ? 1 : workers / replicas)};
}
inline Batch batch_for(std::int64_t batch, BatchRule rule, std::int64_t workers) {
    return batch_for(batch, rule, workers, workers);
}

}  // namespace scalescope
