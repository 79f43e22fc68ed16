// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <deque>

#include "core/base/limits.hpp"
#include "core/scenario/field_access.hpp"
#include "core/scenario/recompute_choice.hpp"

namespace scalescope {
namespace {

// How a member is reached: in a const scenario and in one that changes. Paths that are the expression itself come
// along.
#define REACH(expression) \
    [](auto& s) -> auto& { return s.expression; }
#define MEMBER(expression) member_of(REACH(expression))
#define OPTIONAL(expression) optional_of(REACH(expression))
#define NAMED(expression) #expression, MEMBER(expression)
#define CHOICE(expression) #expression, REACH(expression)

template <class Reach>
using Reached = std::decay_t<decltype(Reach{}(std::declval<Scenario&>()))>;

template <class Reach>
Member<Reached<Reach>> member_of(Reach) {
    return {[](const Scenario& s) -> const Reached<Reach>& { return Reach{}(s); },
            [](Scenario& s) -> Reached<Reach>& { return Reach{}(s); }};
}

constexpr std::size_t place(Precision p) { return static_cast<std::size_t>(p); }

std::optional<double> figure_of(std::optional<double> figure) { return figure; }
template <class Quantity>
std::optional<double> figure_of(const std::optional<Quantity>& figure) {
    return figure ? std::optional(figure->value) : std::nullopt;
}
template <class Quantity>
void set_figure(std::optional<Quantity>& figure, std::optional<double> value) {
    figure = value ? std::optional(Quantity{*value}) : std::nullopt;
}

template <class Reach>
OptionalAccess optional_of(Reach) {
    return {[](const Scenario& s) { return figure_of(Reach{}(s)); },
            [](Scenario& s, std::optional<double> v) { set_figure(Reach{}(s), v); }};
}

constexpr std::array<std::string_view, 2> cut_words{"automatic", "none"};
constexpr double most_figure = 1e12;

using How = decltype(FieldAccess::how);

Field other(std::string_view path, How how, FieldType type, std::string_view label, std::string_view text) {
    static std::deque<FieldAccess> all;  // stay where they are
    return {path, type, label, text, {}, 0, 0, {}, false, false, &all.emplace_back(FieldAccess{std::move(how)})};
}
Field bounded_by(Field field, double least, double most, std::string_view unit = {}) {
    field.least = least;
    field.most = most;
    field.unit = unit;
    return field;
}
Field optional(Field field) {
    field.optional = true;
    return field;
}
Field derived(Field field) {
    field.derived = true;
    return field;
}
Field resting_on(Field field, std::string (*basis)(const Scenario&)) {
    field.basis = basis;
    return field;
}
Field with_choices(Field field, std::span<const std::string_view> words) {
    field.choices = words;
    return field;
}

Field count(std::string_view path, How how, std::string_view label, std::string_view text, std::int64_t most,
            double least = 1) {
    return bounded_by(other(path, how, FieldType::integer, label, text), least, static_cast<double>(most));
}
Field amount(std::string_view path, Member<double> member, std::string_view label, std::string_view text,
             std::string_view unit, double least, double most, int power = 0, double factor = 1) {
    return bounded_by(other(path, NumberAccess{member, power, factor}, FieldType::number, label, text), least, most,
                      unit);
}
Field share(std::string_view path, Member<double> member, std::string_view label, std::string_view text) {
    return amount(path, member, label, text, "%", 0.0001, 100, -2);
}
Field figure(std::string_view path, OptionalAccess access, std::string_view label, std::string_view text,
             std::string_view unit, int power = 0) {
    access.power = power;
    return optional(bounded_by(other(path, access, FieldType::number, label, text), 1e-9, most_figure, unit));
}
template <class Reach>
Field choice(std::string_view path, Reach, std::string_view label, std::string_view text) {
    using E = Reached<Reach>;
    const ChoiceAccess access{[](const Scenario& s) { return static_cast<std::size_t>(Reach{}(s)); },
                              [](Scenario& s, std::size_t i) { Reach{}(s) = static_cast<E>(i); }};
    return with_choices(other(path, access, FieldType::choice, label, text), choice_names<E>);
}

/// A method or a set of modules; `called` knows the words.
template <auto called, class Reach>
Field module_choice(std::string_view path, Reach, std::string_view label, std::string_view text,
                    std::span<const std::string_view> words) {
    const ChoiceAccess access{[](const Scenario& s) { return static_cast<std::size_t>(Reach{}(s)); },
                              [](Scenario& s, std::size_t i) { Reach{}(s) = static_cast<Recompute>(i); },
                              [](std::size_t i) { return recompute_text(static_cast<Recompute>(i)); },
                              [](std::string_view said) {
                                  const auto found = called(said);
                                  return found ? std::optional(static_cast<std::size_t>(*found)) : std::nullopt;
                              }};
    Field field = with_choices(other(path, access, FieldType::choice, label, text), words);
    field.modules = true;
    return field;
}

}  // namespace

std::span<const Field> all_fields() {
    static const std::array table{
        count(NAMED(training.batch), "Batch",
              "Samples in a step: of each worker or of all together, as the batch rule says.", limits::batch),
        choice(CHOICE(training.batch_rule), "Batch rule",
               "Whether the batch grows with the workers (weak scaling) or stays (strong scaling)."),
        count(NAMED(training.accumulation), "Accumulation",
              "Micro-steps whose gradients are added up before one update.", limits::repeats),
        choice(CHOICE(training.precision), "Precision",
               "Number format of the multiplications; the 16-bit ones keep fp32 master weights. From fp8 on, only the "
               "linear layers of blocks are multiplied in it, everything else in bf16: fp8 has one scale for each "
               "tensor, fp8_row for each row, fp8_block for 128 numbers, mxfp8 for 32, nvfp4 for 16."),
        count(NAMED(training.wide_first), "Wide blocks, first",
              "Narrow precisions: blocks at the start of the network that are multiplied in bf16.",
              limits::recompute_count, 0),
        count(NAMED(training.wide_last), "Wide blocks, last",
              "Narrow precisions: blocks at the end of the network that are multiplied in bf16.",
              limits::recompute_count, 0),
        choice(CHOICE(training.optimizer), "Optimizer", "What turns gradients into new weights."),
        other(NAMED(training.fused_update), FieldType::boolean, "Fused update",
              "Whether the update reads and writes each tensor once, or anew for each of its operations."),
        count(NAMED(training.data_set), "Data set", "Samples in one epoch.", 4503599627370496),
        amount("training.input_limit", MEMBER(training.input_limit.value), "Input limit",
               "What the input pipeline delivers; 0 is no limit.", "samples/s", 0, 1e15),
        other(NAMED(training.frozen), FieldType::layers, "Frozen layers", "Layers whose weights are not trained."),
        other(NAMED(cluster.device), FieldType::device, "Device", "The processor every worker has."),
        figure("cluster.device.peak_tflops.fp64", OPTIONAL(cluster.device.peak[place(Precision::fp64)]), "FP64 peak",
               "Peak arithmetic of the device in FP64.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.fp32", OPTIONAL(cluster.device.peak[place(Precision::fp32)]), "FP32 peak",
               "Peak arithmetic of the device in FP32.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.tf32", OPTIONAL(cluster.device.peak[place(Precision::tf32)]), "TF32 peak",
               "Peak arithmetic of the device in TF32.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.fp16", OPTIONAL(cluster.device.peak[place(Precision::fp16)]), "FP16 peak",
               "Peak arithmetic of the device in FP16.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.bf16", OPTIONAL(cluster.device.peak[place(Precision::bf16)]), "BF16 peak",
               "Peak arithmetic of the device in BF16.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.fp8", OPTIONAL(cluster.device.peak[place(Precision::fp8)]), "FP8 peak",
               "Peak arithmetic of the device in FP8.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.mxfp8", OPTIONAL(cluster.device.peak[place(Precision::mxfp8)]), "MXFP8 peak",
               "Peak arithmetic of the device in MXFP8.", "TFLOP/s", 12),
        figure("cluster.device.peak_tflops.nvfp4", OPTIONAL(cluster.device.peak[place(Precision::nvfp4)]), "NVFP4 peak",
               "Peak arithmetic of the device in NVFP4.", "TFLOP/s", 12),
        amount("cluster.device.memory_bandwidth_gb_s", MEMBER(cluster.device.memory_bandwidth.value),
               "Memory bandwidth", "Peak memory bandwidth of the device.", "GB/s", 1e-9, most_figure, 9),
        figure("cluster.device.memory_gb", OPTIONAL(cluster.device.memory), "Device memory", "Memory of the device.",
               "GB", 9),
        figure("cluster.device.base_mhz", OPTIONAL(cluster.device.clock_mhz), "Clock",
               "Base clock of the device; only PALEO's own method uses it.", "MHz"),
        resting_on(bounded_by(figure("cluster.device.price_usd_per_hour",
                                     OptionalAccess{
                                         [](const Scenario& s) { return s.cluster.device.price_per_hour; },
                                         [](Scenario& s, std::optional<double> v) { s.cluster.device.set_price(v); }},
                                     "Price", "Price of one device for one hour. Prices change: check yours.", "USD/h"),
                              0, most_figure, "USD/h"),
                   [](const Scenario& s) { return s.cluster.device.price_basis; }),
        optional(other(NAMED(cluster.machine), FieldType::machine, "Machine",
                       "CPU cluster: what every worker and server is.")),
        count(NAMED(cluster.machine.cores), "Cores", "Physical cores of a machine, of all its sockets.",
              limits::workers),
        count(NAMED(cluster.machine.threads), "Hardware threads", "Threads that a machine runs at once.",
              limits::workers),
        amount("cluster.machine.l2_kib", MEMBER(cluster.machine.l2.value), "Second-level cache", "Cache of one core.",
               "KiB", 0, most_figure, 0, 1024.0),
        amount("cluster.machine.l3_mib", MEMBER(cluster.machine.l3.value), "Last-level cache",
               "What the weights of a thread may fill of the last-level cache.", "MiB", 0, most_figure, 0, 1048576.0),
        amount("cluster.machine.memory_gb", MEMBER(cluster.machine.memory.value), "Machine memory",
               "Memory of a machine.", "GB", 1e-9, most_figure, 9),
        amount("cluster.machine.multiply_add_l2_ns", MEMBER(cluster.machine.multiply_add_l2.value),
               "Multiply-add, second-level cache",
               "Time of one multiply-add of one thread whose weights lie in the second-level cache.", "ns", 1e-9,
               most_figure, -9),
        amount("cluster.machine.multiply_add_l3_ns", MEMBER(cluster.machine.multiply_add_l3.value),
               "Multiply-add, last-level cache",
               "Time of one multiply-add of one thread whose weights lie in the last-level cache.", "ns", 1e-9,
               most_figure, -9),
        amount("cluster.machine.multiply_add_memory_ns", MEMBER(cluster.machine.multiply_add_memory.value),
               "Multiply-add, memory", "Time of one multiply-add of one thread whose weights lie in memory.", "ns",
               1e-9, most_figure, -9),
        amount(NAMED(cluster.machine.contention), "Contention", "Share by which each further thread slows all.", {}, 0,
               1e6),
        amount(NAMED(cluster.machine.contention_beyond_cores), "Contention beyond cores",
               "What each thread beyond the physical cores adds to the contention.", {}, 0, 1e6),
        amount("cluster.machine.memory_bandwidth_gb_s", MEMBER(cluster.machine.memory_bandwidth.value),
               "Memory bandwidth of a machine", "What all threads of a machine together read from memory.", "GB/s",
               1e-9, most_figure, 9),
        amount("cluster.machine.activation_ns", MEMBER(cluster.machine.activation.value), "Activation",
               "Time of one output's activation, or of one comparison of a pooling window.", "ns", 0, most_figure, -9),
        amount("cluster.machine.error_ns", MEMBER(cluster.machine.error.value), "Error term",
               "Time of one neuron's error term.", "ns", 0, most_figure, -9),
        amount("cluster.machine.update_ns", MEMBER(cluster.machine.update.value), "Local update",
               "Time in which one weight's delta is applied locally.", "ns", 0, most_figure, -9),
        amount("cluster.machine.exponential_ns", MEMBER(cluster.machine.exponential.value), "Exponential",
               "Time of one output of a softmax.", "ns", 0, most_figure, -9),
        amount("cluster.machine.latency_us", MEMBER(cluster.machine.latency.value), "Latency between machines",
               "Start-up time of one message of a machine.", "µs", 0, 1e9, -6),
        amount("cluster.machine.network_gb_s", MEMBER(cluster.machine.network.value), "Network of a machine",
               "Bandwidth of a worker's network card, one way.", "GB/s", 1e-9, most_figure, 9),
        amount("cluster.machine.server_network_gb_s", MEMBER(cluster.machine.server_network.value),
               "Network of a server", "Bandwidth of a parameter server's network card, one way.", "GB/s", 1e-9,
               most_figure, 9),
        amount("cluster.machine.server_updates_m_s", MEMBER(cluster.machine.server_updates.value),
               "Updates of a server", "Weights that a parameter server updates in a second.", "million/s", 1e-9,
               most_figure, 6),
        amount("cluster.machine.activation_bytes", MEMBER(cluster.machine.activation_bytes.value),
               "Bytes of an activation", "Of one activation or error term.", "bytes", 1e-9, 1e6),
        amount("cluster.machine.weight_bytes", MEMBER(cluster.machine.weight_bytes.value), "Bytes of a weight",
               "Of one weight or its delta.", "bytes", 1e-9, 1e6),
        figure("cluster.machine.price_usd_per_hour", OPTIONAL(cluster.machine.price_per_hour), "Price of a machine",
               "Price of one machine for one hour.", "USD/h"),
        figure("cluster.machine.power_w", OPTIONAL(cluster.machine.power_w), "Power of a machine",
               "What one machine draws at work.", "W"),
        count(NAMED(cluster.workers), "Workers", "Devices in use, or machines of a CPU cluster that train.",
              limits::workers),
        derived(count("cluster.nodes", NodesAccess{}, "Nodes",
                      "Nodes in use: sets the workers to this times the devices per node.", limits::workers)),
        count(NAMED(cluster.devices_per_node), "Devices per node", "Devices that share the link inside a node.",
              limits::workers),
        count(NAMED(cluster.nics_per_node), "Network cards per node", "Network cards that the devices of a node share.",
              limits::workers),
        count(NAMED(cluster.devices_per_uplink), "Devices per uplink",
              "Devices of a node that share one link to the host; a parameter server is reached over it.",
              limits::workers),
        amount("cluster.host_link_gb_s", MEMBER(cluster.host_link.value), "Link to the host",
               "Bandwidth between a device and its host, one way; 0 is that of the device's own link.", "GB/s", 0,
               most_figure, 9),
        amount("cluster.host_memory_gb_s", MEMBER(cluster.host_memory.value), "Memory of the host",
               "Memory bandwidth of the host for each of its devices, which share it.", "GB/s", 1e-9, most_figure, 9),
        other(NAMED(cluster.inside), FieldType::link, "Link inside a node",
              "The link between the devices of one node."),
        amount("cluster.inside.bandwidth_gb_s", MEMBER(cluster.inside.bandwidth.value), "Bandwidth inside a node",
               "Peak bandwidth of the link inside a node, one way.", "GB/s", 1e-9, most_figure, 9),
        amount("cluster.inside.latency_us", MEMBER(cluster.inside.latency.value), "Latency inside a node",
               "Start-up time of one message inside a node.", "µs", 0, 1e9, -6),
        other(NAMED(cluster.between), FieldType::link, "Link between nodes", "The link between nodes."),
        amount("cluster.between.bandwidth_gb_s", MEMBER(cluster.between.bandwidth.value), "Bandwidth between nodes",
               "Peak bandwidth of the link between nodes, one way.", "GB/s", 1e-9, most_figure, 9),
        amount("cluster.between.latency_us", MEMBER(cluster.between.latency.value), "Latency between nodes",
               "Start-up time of one message between nodes.", "µs", 0, 1e9, -6),
        choice(
            CHOICE(parallelism.fill), "Filling axis",
            "The axis of the mesh that takes the workers that the other degrees leave: data (replicas with a share of "
            "the batch each), tensor, pipeline or context. Its own degree does not count."),
        other(NAMED(parallelism.segments), FieldType::boolean, "Hybrid",
              "Whether the network is in two segments: a data-parallel front part, and behind the cut a part of which "
              "each worker has a share of every layer's outputs (Krizhevsky 2014)."),
        count(NAMED(parallelism.tensor), "Tensor degree",
              "Workers that divide each layer among them (tensor parallelism).", limits::workers),
        count(NAMED(parallelism.pipeline), "Pipeline degree", "Stages of consecutive layers (pipeline parallelism).",
              limits::workers),
        count(NAMED(parallelism.context), "Context degree",
              "Workers that divide the positions of each sequence among them (context parallelism). Attention still "
              "sees all of them.",
              limits::workers),
        choice(CHOICE(parallelism.context_scheme), "Context scheme",
               "How attention sees positions that other workers have: keys and values pass round a ring while it "
               "computes, are gathered before it, or workers change to whole sequences of some heads (Ulysses)."),
        count(NAMED(parallelism.expert), "Expert degree",
              "Workers of a stage among which the experts of a mixture are divided (expert parallelism): the workers "
              "of the other axes, taken in another way.",
              limits::workers),
        count(NAMED(parallelism.expert_tensor), "Expert tensor degree",
              "Workers of a stage that divide each expert among them, along its hidden units. Times the expert degree "
              "it divides the workers of a stage.",
              limits::workers),
        choice(CHOICE(parallelism.dispatch), "Way to the experts",
               "How often a position travels: once for each of its experts, once to each worker that has any of them, "
               "or once to each node that has, inside which it is passed on (DeepSeek-V3)."),
        choice(CHOICE(parallelism.axis_order), "Order of the axes",
               "Which workers are neighbours: those along the first axis of this order, then those along the second. "
               "Neighbours share a node, where links are fast."),
        choice(
            CHOICE(parallelism.policy), "Division of layers",
            "How workers divide a layer: all along outputs (columns), by columns and rows, heads and vocabulary as "
            "trainers do, in the cheapest way (best), or images along their rows and all else as trainers do (rows)."),
        other(NAMED(parallelism.sequence), FieldType::boolean, "Sequence parallelism",
              "Workers that divide layers also divide the positions of the sequence in norms, dropout and sums between "
              "them; not with columns."),
        choice(CHOICE(parallelism.collective), "Collective",
               "The algorithm by which gradients are added up over the workers."),
        choice(CHOICE(parallelism.overlap), "Overlap", "Whether gradients travel while the backward pass goes on."),
        amount("parallelism.bucket_mb", MEMBER(parallelism.bucket.value), "Bucket",
               "Gradients that travel together when overlap is by buckets.", "MB", 1e-6, 1e9, 6),
        choice(CHOICE(parallelism.gradients), "Gradients",
               "Number format in which gradients travel: that of the weights, or fp32 or fp16."),
        other(NAMED(parallelism.copies), FieldType::boolean, "Copies of gradients",
              "Whether gradients are copied into a buffer that travels, and back out of it; data parallelism only."),
        choice(CHOICE(parallelism.scheme), "Hybrid scheme",
               "How the activations of all workers pass through the divided back part."),
        with_choices(
            other("parallelism.cut", CutAccess{}, FieldType::layer, "Cut",
                  "Hybrid: first layer of the back part; automatic takes the cheapest, none leaves no back part."),
            cut_words),
        other(NAMED(parallelism.boundaries), FieldType::layers, "Stage boundaries",
              "Pipeline: first layer of each stage but the first; empty: automatic."),
        choice(CHOICE(parallelism.borders), "Automatic stages",
               "Pipeline: stages begin at blocks of the network, which are dealt out evenly as trainers do, or at the "
               "layers that make the step shortest."),
        count(NAMED(parallelism.micro_batches), "Micro-batches",
              "Pipeline: parts of the batch that follow each other through the stages.", limits::repeats),
        choice(CHOICE(parallelism.order), "Pipeline schedule",
               "The order of forward and backward passes in a pipeline: all forward passes first (fill and drain), one "
               "forward and one backward in turn (1F1B), the same with several chunks of layers on each device "
               "(interleaved), all micro-batches through one chunk before the next (breadth-first), or with weight "
               "gradients "
               "in the gaps (zero bubble)."),
        count(NAMED(parallelism.chunks), "Chunks per device",
              "Interleaved and breadth-first schedules: stages on each device, which hold that many chunks of "
              "consecutive layers.",
              limits::chunks),
        module_choice<recompute_called>(
            CHOICE(parallelism.recompute), "Recomputation",
            "Activations that the backward pass computes again instead of keeping them: none, scores and "
            "softmax of attention (selective), everything inside the blocks of the network (full), the "
            "layers that are named, or modules of the blocks, joined by \"+\".",
            recompute_words()),
        count(NAMED(parallelism.recompute_count), "Recomputed blocks",
              "Recomputation: uniform, blocks of a run that keeps only its input; block, recomputed blocks of each "
              "stage; every nth, of so many blocks one is recomputed.",
              limits::recompute_count, 0),
        other(
            NAMED(parallelism.recompute_layers), FieldType::layers, "Recomputed layers",
            "Recomputation of layers: those that the backward pass computes again. Of neighbours in one block only the "
            "inputs of the first are kept."),
        choice(CHOICE(parallelism.sharded), "Sharded states",
               "Training states that the replicas divide among them instead of each holding a copy (ZeRO): none, "
               "optimizer states (stage 1), gradients too (stage 2), or weights too (stage 3)."),
        count(
            NAMED(parallelism.shard_group), "Shard group",
            "Sharded states: neighbouring replicas that divide them; gradients are then added up over the groups. 0 is "
            "all replicas.",
            limits::workers, 0),
        other(NAMED(parallelism.reshard_after_forward), FieldType::boolean, "Reshard after forward",
              "Sharded weights: whether a worker frees those that it gathered after the forward pass and gathers them "
              "again for the backward pass, or keeps them."),
        other(NAMED(parallelism.scatter_gather), FieldType::boolean, "Scatter and gather",
              "Pipeline: whether the tensor ranks send a piece each of what all of them have whole, to be gathered "
              "behind the border of the stages, or all of it each. Sequence parallelism leaves nothing whole."),
        other(NAMED(parallelism.reshard_after_backward), FieldType::boolean, "Reshard after backward",
              "Sharded weights: whether a worker frees those that it gathered after the backward pass, or keeps them "
              "whole until the update, so that each is gathered once a step."),
        other(
            NAMED(parallelism.reduce_once), FieldType::boolean, "Reduce once",
            "Sharded gradients: whether a worker adds up whole gradients over the micro-batches and sends them once a "
            "step, or sends those of each micro-batch and keeps its shard of the sum."),
        other(NAMED(parallelism.overlap_gathers), FieldType::boolean, "Overlap gathers",
              "Weights that are updated in shards: whether they are gathered, in buckets, while the next forward pass "
              "begins, or before it."),
        amount("parallelism.offload_states", MEMBER(parallelism.offload_states.value), "States on the host",
               "Share of the optimizer states that stay in the host's memory, where the host updates their weights "
               "(ZeRO-Offload): gradients travel there, updated weights back.",
               "%", 0, 100, -2),
        module_choice<offload_called>(
            CHOICE(parallelism.offload_activations), "Activations on the host",
            "Activations that wait for the backward pass in the host's memory instead of the device's: none, all "
            "that blocks of the network keep, or those that modules of the blocks keep, joined by \"+\".",
            offload_words()),
        choice(CHOICE(parallelism.updates), "Updates",
               "Whether all workers update the weights in step, or each on its own with parameter servers."),
        count(NAMED(parallelism.servers), "Parameter servers",
              "Machines that keep the weights: of asynchronous updates, and of a CPU cluster.", limits::workers),
        choice(CHOICE(parallelism.sharding), "Shards",
               "How asynchronous updates divide the weights over the servers: into equal parts, or by whole layers, so "
               "that a large one makes its server slow."),
        count(NAMED(cpu.partitions), "Machines of a replica",
              "CPU cluster: machines that hold one copy of the network together.", limits::partitions),
        derived(count("cpu.replicas", ReplicasAccess{}, "Replicas",
                      "CPU cluster: sets the workers to this times the machines of a replica.", limits::workers)),
        choice(CHOICE(cpu.splits), "Segments of a layer",
               "CPU cluster: as many as a replica has machines, or the best number for each layer."),
        choice(CHOICE(cpu.placement), "Placement",
               "CPU cluster: segments in the row of machines, or each where it has the fewest remote connections."),
        choice(CHOICE(cpu.convolutions), "Split of convolutions",
               "CPU cluster: rows of the image, or output channels."),
        count(NAMED(cpu.threads), "Threads",
              "CPU cluster: training threads of a machine, each with a sample of its own; 0 is one a core.",
              limits::workers, 0),
        other(NAMED(cpu.servers_beside), FieldType::boolean, "Servers on workers",
              "CPU cluster: whether the parameter servers share the workers' machines."),
        other(NAMED(cpu.wait_for_servers), FieldType::boolean, "Wait for servers",
              "CPU cluster, asynchronous: whether a replica rests while its weights travel."),
        other(NAMED(cpu.queueing), FieldType::boolean, "Queueing",
              "CPU cluster, asynchronous: whether replicas that meet at the servers wait for each other."),
        amount("cpu.overlap", MEMBER(cpu.overlap.value), "Overlap of exchange",
               "CPU cluster: share of the shorter of a layer's compute and exchange that hides behind the other.", "%",
               0, 100, -2),
        choice(CHOICE(cpu.local_update), "Local updates",
               "CPU cluster: whether a machine applies deltas after each sample, or once for an exchange."),
        amount("cpu.buffers_gb", MEMBER(cpu.buffers.value), "Buffers",
               "CPU cluster: memory of a machine beside weights, deltas and activations.", "GB", 0, 1e9, 9),
        other(NAMED(cpu.worked_example), FieldType::boolean, "Worked example",
              "CPU cluster: the formulas with the simplifications of the worked example."),
        amount("reliability.device_mtbf_h", MEMBER(reliability.device_mtbf.value), "Time between failures",
               "Mean time between failures of one device, each of which interrupts training; 0 is none. Llama 3's 419 "
               "interruptions in 54 days on 16,384 devices are one in 50,700 hours.",
               "h", 0, most_figure),
        amount("reliability.restart_s", MEMBER(reliability.restart.value), "Time to restart",
               "From a failure to the first step after it: detecting and diagnosing it, replacing the device and "
               "loading the checkpoint.",
               "s", 0, 1e9),
        amount("reliability.checkpoint_gb_s", MEMBER(reliability.checkpoint.value), "Checkpoint bandwidth",
               "Bandwidth at which each device writes its share of a checkpoint while training waits.", "GB/s", 1e-9,
               most_figure, 9),
        choice(CHOICE(model.method), "Method",
               "The performance model: Scalescope's pipeline, PALEO as its code or its paper has it, or a cluster of "
               "CPU machines after Yan et al. 2015 (re-derived)."),
        amount("model.compute", MEMBER(model.compute.value), "Percent of peak, arithmetic",
               "Share of the device's peak arithmetic that is reached; 0 takes what was measured on the device.", "%",
               0, 100, -2),
        amount(
            "model.memory", MEMBER(model.memory.value), "Percent of peak, memory",
            "Share of the device's peak memory bandwidth that is reached; 0 takes what copies reach on such a device.",
            "%", 0, 100, -2),
        share("model.inside", MEMBER(model.inside.value), "Percent of peak, link inside",
              "Share of the bandwidth inside a node that is reached."),
        share("model.between", MEMBER(model.between.value), "Percent of peak, link between",
              "Share of the bandwidth between nodes that is reached."),
        other(NAMED(model.overlap_memory), FieldType::boolean, "Overlap memory",
              "Whether memory traffic hides behind arithmetic or adds to it."),
        amount("model.launch_us", MEMBER(model.launch.value), "Launch time", "Start-up time of every operation.", "µs",
               0, 1e9, -6),
        amount("model.spread", MEMBER(model.spread.value), "Spread",
               "How much the workers differ in speed (standard deviation); a step waits for the slowest.", "%", 0, 100,
               -2),
        amount(
            "model.tensor_overlap", MEMBER(model.tensor_overlap.value), "Hidden tensor messages",
            "Share of the messages of the tensor axis that hides behind products, as with user buffers of Transformer "
            "Engine or async tensor parallelism of PyTorch.",
            "%", 0, 100, -2),
        amount("model.expert_overlap", MEMBER(model.expert_overlap.value), "Hidden expert messages",
               "Share of the messages to experts and back that hides behind other work, as with DualPipe or the "
               "overlapped 1F1B schedule of Megatron-LM.",
               "%", 0, 100, -2),
        amount("model.host_overlap", MEMBER(model.host_overlap.value), "Hidden work of hosts",
               "Share of the time in which hosts update weights and exchange them with their devices that hides "
               "behind other work.",
               "%", 0, 100, -2),
        share("model.gather_cards", MEMBER(model.gather_cards.value), "Cards of gathers",
              "Share of a node's network cards that gathers of sharded weights reach."),
        amount("model.interference", MEMBER(model.interference.value), "Interference",
               "What gradients that travel under the backward pass take from it, as a share of their time; data "
               "parallelism only.",
               "%", 0, 100, -2),
        amount("model.overhead_ms", MEMBER(model.overhead.value), "Overhead",
               "Time of every step in which devices wait for their hosts.", "ms", 0, 1e6, -3),
        amount("model.staleness_cost", MEMBER(model.staleness_cost.value), "Cost of staleness",
               "By how much each update that a gradient missed lengthens training; assumed, not measured.", "%", 0, 100,
               -2),
        choice(CHOICE(model.convolution), "Convolution",
               "Convolutions as matrix products, or by the cheapest valid algorithm."),
        choice(CHOICE(model.attention), "Attention kernel",
               "Kernel of fused attention, whose measured speed on the device counts; automatic is the fastest known, "
               "unless the percent of peak is set."),
        amount("model.workspace_mib", MEMBER(model.workspace.value), "Workspace",
               "Extra memory that the cheapest convolution algorithm may use.", "MiB", 0, 1e9, 0, 1048576.0),
        amount("model.context_mib", MEMBER(model.trainer.context.value), "Context and libraries",
               "Memory of every device that driver and libraries take.", "MiB", 0, 1e9, 0, 1048576.0),
        amount("model.group_buffers_mib", MEMBER(model.trainer.group_buffers.value), "Buffers of a group",
               "Memory that the communication library takes for each group of ranks in which a device sends.", "MiB", 0,
               1e9, 0, 1048576.0),
        amount("model.exchange_buffers_mib", MEMBER(model.trainer.exchange_buffers.value), "Buffers of gradients",
               "Memory of the buffers into which gradients are put that travel between replicas.", "MiB", 0, 1e9, 0,
               1048576.0),
        amount("model.logit_bytes", MEMBER(model.trainer.logits), "Bytes of a logit",
               "What the trainer holds of each token and word at the worst moment of the loss: logits, their copy in "
               "fp32, probabilities and gradients; what is needed at least counts if it is more.",
               "B", 0, 64, 0),
        amount("model.norm_bytes", MEMBER(model.trainer.norms), "Kept by RMS norms",
               "Bytes that an RMS norm keeps for its backward pass beside its input, for each element, as where it "
               "computes in fp32 one operation after the other.",
               "B", 0, 64, 0),
        amount("model.gate_bytes", MEMBER(model.trainer.gates), "Kept by gates",
               "Bytes that a gated unit keeps for its backward pass beside its inputs, for each element that it makes, "
               "as where its activation and its product are two operations.",
               "B", 0, 64, 0),
        count("model.whole_blocks", MEMBER(model.trainer.whole_blocks), "Whole blocks",
              "Sharded weights: blocks that are gathered at once, with all that stands outside of blocks, and whose "
              "gradients wait for each other; 0 counts two layers instead.",
              64, 0),
        other("model.placeholders", MEMBER(model.trainer.placeholders), FieldType::boolean, "Placeholders of gradients",
              "Whether tensors stand where gradients of weights would be that were added up elsewhere: one for each "
              "shape of a block's weights, as in Transformer Engine."),
        amount("model.traffic", MEMBER(model.trainer.traffic), "Traffic besides products",
               "How often layers without products move what they must move: more than once where operations are not "
               "fused, or copy and convert tensors.",
               "", 0.1, 10),
        amount("model.fragmentation", MEMBER(model.trainer.fragmentation.value), "Fragmentation",
               "By how much the memory that the allocator reserves exceeds what is allocated.", "%", 0, 1000, -2),
        other(NAMED(model.paleo_corrections), FieldType::words, "PALEO corrections",
              "Corrections switched on in PALEO's methods."),
    };
    return table;
}

#undef REACH
#undef MEMBER
#undef OPTIONAL
#undef NAMED
#undef CHOICE

}  // namespace scalescope
