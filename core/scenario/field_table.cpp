// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/base/limits.hpp"
#include "core/scenario/field_access.hpp"
#include "core/scenario/names.hpp"

namespace scalescope {
namespace {

// A member is reached from a const scenario and from one that changes: by the same expression, which only a macro can
// say once (clang 14 does not turn a generic lambda into both functions).
#define SCALESCOPE_MEMBER(type, expression)                            \
    Member<type> {                                                     \
        [](const Scenario& s) -> const type& { return s.expression; }, \
            [](Scenario& s) -> type& { return s.expression; }          \
    }
#define SCALESCOPE_CHOICE(expression)                                                                     \
    FieldAccess {                                                                                         \
        ChoiceAccess {                                                                                    \
            [](const Scenario& s) { return static_cast<std::size_t>(s.expression); },                     \
                [](Scenario& s, std::size_t i) { s.expression = static_cast<decltype(s.expression)>(i); } \
        }                                                                                                 \
    }
#define SCALESCOPE_PEAK(precision)                                               \
    FieldAccess {                                                                \
        OptionalAccess {                                                         \
            [](const Scenario& s) -> std::optional<double> {                     \
                const auto p = s.cluster.device.peak_at(precision);              \
                return p ? std::optional(p->value) : std::nullopt;               \
            },                                                                   \
                [](Scenario& s, std::optional<double> v) {                       \
                    s.cluster.device.peak[static_cast<std::size_t>(precision)] = \
                        v ? std::optional(FlopsPerSecond{*v}) : std::nullopt;    \
                },                                                               \
                12                                                               \
        }                                                                        \
    }

const FieldAccess batch{SCALESCOPE_MEMBER(std::int64_t, training.batch)};
const FieldAccess batch_rule = SCALESCOPE_CHOICE(training.batch_rule);
const FieldAccess accumulation{SCALESCOPE_MEMBER(std::int64_t, training.accumulation)};
const FieldAccess precision = SCALESCOPE_CHOICE(training.precision);
const FieldAccess optimizer = SCALESCOPE_CHOICE(training.optimizer);
const FieldAccess fused_update{SCALESCOPE_MEMBER(bool, training.fused_update)};
const FieldAccess data_set{SCALESCOPE_MEMBER(std::int64_t, training.data_set)};
const FieldAccess input_limit{NumberAccess{SCALESCOPE_MEMBER(double, training.input_limit.value)}};
const FieldAccess frozen{SCALESCOPE_MEMBER(std::vector<LayerId>, training.frozen)};
const FieldAccess device{SCALESCOPE_MEMBER(Device, cluster.device)};
const FieldAccess fp64 = SCALESCOPE_PEAK(Precision::fp64);
const FieldAccess fp32 = SCALESCOPE_PEAK(Precision::fp32);
const FieldAccess tf32 = SCALESCOPE_PEAK(Precision::tf32);
const FieldAccess fp16 = SCALESCOPE_PEAK(Precision::fp16);
const FieldAccess bf16 = SCALESCOPE_PEAK(Precision::bf16);
const FieldAccess memory_bandwidth{NumberAccess{SCALESCOPE_MEMBER(double, cluster.device.memory_bandwidth.value), 9}};
const FieldAccess memory{OptionalAccess{
    [](const Scenario& s) -> std::optional<double> {
        return s.cluster.device.memory ? std::optional(s.cluster.device.memory->value) : std::nullopt;
    },
    [](Scenario& s, std::optional<double> v) { s.cluster.device.memory = v ? std::optional(Bytes{*v}) : std::nullopt; },
    9}};
const FieldAccess clock_mhz{OptionalAccess{[](const Scenario& s) { return s.cluster.device.clock_mhz; },
                                           [](Scenario& s, std::optional<double> v) { s.cluster.device.clock_mhz = v; },
                                           0}};
const FieldAccess price{OptionalAccess{[](const Scenario& s) { return s.cluster.device.price_per_hour; },
                                       [](Scenario& s, std::optional<double> v) { s.cluster.device.set_price(v); }, 0}};
const FieldAccess machine{SCALESCOPE_MEMBER(CpuMachine, cluster.machine)};
const FieldAccess machine_cores{SCALESCOPE_MEMBER(std::int64_t, cluster.machine.cores)};
const FieldAccess machine_threads{SCALESCOPE_MEMBER(std::int64_t, cluster.machine.threads)};
#define SCALESCOPE_MACHINE(member, power) \
    NumberAccess { SCALESCOPE_MEMBER(double, cluster.machine.member), power }
const FieldAccess machine_l2{NumberAccess{SCALESCOPE_MEMBER(double, cluster.machine.l2.value), 0, 1024.0}};
const FieldAccess machine_l3{NumberAccess{SCALESCOPE_MEMBER(double, cluster.machine.l3.value), 0, 1048576.0}};
const FieldAccess machine_memory{SCALESCOPE_MACHINE(memory.value, 9)};
const FieldAccess multiply_add_l2{SCALESCOPE_MACHINE(multiply_add_l2.value, -9)};
const FieldAccess multiply_add_l3{SCALESCOPE_MACHINE(multiply_add_l3.value, -9)};
const FieldAccess multiply_add_memory{SCALESCOPE_MACHINE(multiply_add_memory.value, -9)};
const FieldAccess contention{SCALESCOPE_MACHINE(contention, 0)};
const FieldAccess contention_beyond{SCALESCOPE_MACHINE(contention_beyond_cores, 0)};
const FieldAccess machine_bandwidth{SCALESCOPE_MACHINE(memory_bandwidth.value, 9)};
const FieldAccess activation{SCALESCOPE_MACHINE(activation.value, -9)};
const FieldAccess error{SCALESCOPE_MACHINE(error.value, -9)};
const FieldAccess local_delta{SCALESCOPE_MACHINE(update.value, -9)};
const FieldAccess exponential{SCALESCOPE_MACHINE(exponential.value, -9)};
const FieldAccess machine_latency{SCALESCOPE_MACHINE(latency.value, -6)};
const FieldAccess machine_network{SCALESCOPE_MACHINE(network.value, 9)};
const FieldAccess server_network{SCALESCOPE_MACHINE(server_network.value, 9)};
const FieldAccess server_updates{SCALESCOPE_MACHINE(server_updates.value, 6)};
const FieldAccess activation_bytes{SCALESCOPE_MACHINE(activation_bytes.value, 0)};
const FieldAccess weight_bytes{SCALESCOPE_MACHINE(weight_bytes.value, 0)};
#undef SCALESCOPE_MACHINE
const FieldAccess machine_price{
    OptionalAccess{[](const Scenario& s) { return s.cluster.machine.price_per_hour; },
                   [](Scenario& s, std::optional<double> v) { s.cluster.machine.price_per_hour = v; }, 0}};
const FieldAccess machine_power{
    OptionalAccess{[](const Scenario& s) { return s.cluster.machine.power_w; },
                   [](Scenario& s, std::optional<double> v) { s.cluster.machine.power_w = v; }, 0}};
const FieldAccess workers{SCALESCOPE_MEMBER(std::int64_t, cluster.workers)};
const FieldAccess nodes{NodesAccess{}};
const FieldAccess devices_per_node{SCALESCOPE_MEMBER(std::int64_t, cluster.devices_per_node)};
const FieldAccess nics_per_node{SCALESCOPE_MEMBER(std::int64_t, cluster.nics_per_node)};
const FieldAccess devices_per_uplink{SCALESCOPE_MEMBER(std::int64_t, cluster.devices_per_uplink)};
const FieldAccess inside{SCALESCOPE_MEMBER(Link, cluster.inside)};
const FieldAccess inside_bandwidth{NumberAccess{SCALESCOPE_MEMBER(double, cluster.inside.bandwidth.value), 9}};
const FieldAccess inside_latency{NumberAccess{SCALESCOPE_MEMBER(double, cluster.inside.latency.value), -6}};
const FieldAccess between{SCALESCOPE_MEMBER(Link, cluster.between)};
const FieldAccess between_bandwidth{NumberAccess{SCALESCOPE_MEMBER(double, cluster.between.bandwidth.value), 9}};
const FieldAccess between_latency{NumberAccess{SCALESCOPE_MEMBER(double, cluster.between.latency.value), -6}};
const FieldAccess strategy = SCALESCOPE_CHOICE(parallelism.strategy);
const FieldAccess tensor{SCALESCOPE_MEMBER(std::int64_t, parallelism.tensor)};
const FieldAccess pipeline{SCALESCOPE_MEMBER(std::int64_t, parallelism.pipeline)};
const FieldAccess context{SCALESCOPE_MEMBER(std::int64_t, parallelism.context)};
const FieldAccess context_scheme = SCALESCOPE_CHOICE(parallelism.context_scheme);
const FieldAccess expert{SCALESCOPE_MEMBER(std::int64_t, parallelism.expert)};
const FieldAccess policy = SCALESCOPE_CHOICE(parallelism.policy);
const FieldAccess sequence{SCALESCOPE_MEMBER(bool, parallelism.sequence)};
const FieldAccess collective = SCALESCOPE_CHOICE(parallelism.collective);
const FieldAccess overlap = SCALESCOPE_CHOICE(parallelism.overlap);
const FieldAccess bucket{NumberAccess{SCALESCOPE_MEMBER(double, parallelism.bucket.value), 6}};
const FieldAccess gradients = SCALESCOPE_CHOICE(parallelism.gradients);
const FieldAccess copies{SCALESCOPE_MEMBER(bool, parallelism.copies)};
const FieldAccess scheme = SCALESCOPE_CHOICE(parallelism.scheme);
const FieldAccess cut{CutAccess{}};
const FieldAccess boundaries{SCALESCOPE_MEMBER(std::vector<LayerId>, parallelism.boundaries)};
const FieldAccess micro_batches{SCALESCOPE_MEMBER(std::int64_t, parallelism.micro_batches)};
const FieldAccess order = SCALESCOPE_CHOICE(parallelism.order);
const FieldAccess chunks{SCALESCOPE_MEMBER(std::int64_t, parallelism.chunks)};
const FieldAccess recompute = SCALESCOPE_CHOICE(parallelism.recompute);
const FieldAccess sharded = SCALESCOPE_CHOICE(parallelism.sharded);
const FieldAccess updates = SCALESCOPE_CHOICE(parallelism.updates);
const FieldAccess servers{SCALESCOPE_MEMBER(std::int64_t, parallelism.servers)};
const FieldAccess sharding = SCALESCOPE_CHOICE(parallelism.sharding);
const FieldAccess partitions{SCALESCOPE_MEMBER(std::int64_t, cpu.partitions)};
const FieldAccess replicas{ReplicasAccess{}};
const FieldAccess splits = SCALESCOPE_CHOICE(cpu.splits);
const FieldAccess placement = SCALESCOPE_CHOICE(cpu.placement);
const FieldAccess convolutions = SCALESCOPE_CHOICE(cpu.convolutions);
const FieldAccess threads{SCALESCOPE_MEMBER(std::int64_t, cpu.threads)};
const FieldAccess servers_beside{SCALESCOPE_MEMBER(bool, cpu.servers_beside)};
const FieldAccess wait_for_servers{SCALESCOPE_MEMBER(bool, cpu.wait_for_servers)};
const FieldAccess queueing{SCALESCOPE_MEMBER(bool, cpu.queueing)};
const FieldAccess exchange_overlap{NumberAccess{SCALESCOPE_MEMBER(double, cpu.overlap.value), -2}};
const FieldAccess local_update = SCALESCOPE_CHOICE(cpu.local_update);
const FieldAccess buffers{NumberAccess{SCALESCOPE_MEMBER(double, cpu.buffers.value), 9}};
const FieldAccess worked_example{SCALESCOPE_MEMBER(bool, cpu.worked_example)};
const FieldAccess method = SCALESCOPE_CHOICE(model.method);
const FieldAccess compute_share{NumberAccess{SCALESCOPE_MEMBER(double, model.compute.value), -2}};
const FieldAccess memory_share{NumberAccess{SCALESCOPE_MEMBER(double, model.memory.value), -2}};
const FieldAccess inside_share{NumberAccess{SCALESCOPE_MEMBER(double, model.inside.value), -2}};
const FieldAccess between_share{NumberAccess{SCALESCOPE_MEMBER(double, model.between.value), -2}};
const FieldAccess overlap_memory{SCALESCOPE_MEMBER(bool, model.overlap_memory)};
const FieldAccess launch{NumberAccess{SCALESCOPE_MEMBER(double, model.launch.value), -6}};
const FieldAccess spread{NumberAccess{SCALESCOPE_MEMBER(double, model.spread.value), -2}};
const FieldAccess interference{NumberAccess{SCALESCOPE_MEMBER(double, model.interference.value), -2}};
const FieldAccess overhead{NumberAccess{SCALESCOPE_MEMBER(double, model.overhead.value), -3}};
const FieldAccess staleness_cost{NumberAccess{SCALESCOPE_MEMBER(double, model.staleness_cost.value), -2}};
const FieldAccess convolution = SCALESCOPE_CHOICE(model.convolution);
const FieldAccess workspace{NumberAccess{SCALESCOPE_MEMBER(double, model.workspace.value), 0, 1048576.0}};
const FieldAccess corrections{SCALESCOPE_MEMBER(std::vector<std::string>, model.paleo_corrections)};

#undef SCALESCOPE_MEMBER
#undef SCALESCOPE_CHOICE
#undef SCALESCOPE_PEAK

constexpr std::array<std::string_view, 2> cut_words{"automatic", "none"};
constexpr double most_workers = static_cast<double>(limits::workers);
constexpr double most_figure = 1e12;

constexpr Field count(std::string_view path, std::string_view label, std::string_view text, double most,
                      const FieldAccess* access) {
    return {path, FieldType::integer, label, text, {}, 1, most, {}, false, false, access};
}
constexpr Field amount(std::string_view path, std::string_view label, std::string_view text, std::string_view unit,
                       double least, double most, const FieldAccess* access) {
    return {path, FieldType::number, label, text, unit, least, most, {}, false, false, access};
}
constexpr Field figure(std::string_view path, std::string_view label, std::string_view text, std::string_view unit,
                       const FieldAccess* access) {
    return {path, FieldType::number, label, text, unit, 1e-9, most_figure, {}, true, false, access};
}
constexpr Field share(std::string_view path, std::string_view label, std::string_view text, const FieldAccess* access) {
    return amount(path, label, text, "%", 0.0001, 100, access);
}
template <class E>
constexpr Field choice(std::string_view path, std::string_view label, std::string_view text,
                       const FieldAccess* access) {
    return {path, FieldType::choice, label, text, {}, 0, 0, choice_names<E>, false, false, access};
}
constexpr Field other(std::string_view path, FieldType type, std::string_view label, std::string_view text,
                      const FieldAccess* access) {
    return {path, type, label, text, {}, 0, 0, {}, false, false, access};
}

constexpr Field derived(Field field) {
    field.derived = true;
    return field;
}
constexpr Field with_choices(Field field, std::span<const std::string_view> words) {
    field.choices = words;
    return field;
}

const std::array table{
    count("training.batch", "Batch", "Samples in a step: of each worker or of all together, as the batch rule says.",
          static_cast<double>(limits::batch), &batch),
    choice<BatchRule>("training.batch_rule", "Batch rule",
                      "Whether the batch grows with the workers (weak scaling) or stays (strong scaling).",
                      &batch_rule),
    count("training.accumulation", "Accumulation", "Micro-steps whose gradients are added up before one update.",
          static_cast<double>(limits::repeats), &accumulation),
    choice<Precision>("training.precision", "Precision",
                      "Number format of the multiplications; the 16-bit ones keep fp32 master weights.", &precision),
    choice<Optimizer>("training.optimizer", "Optimizer", "What turns gradients into new weights.", &optimizer),
    other("training.fused_update", FieldType::boolean, "Fused update",
          "Whether the update reads and writes each tensor once, or anew for each of its operations.", &fused_update),
    count("training.data_set", "Data set", "Samples in one epoch.", 4503599627370496.0, &data_set),
    amount("training.input_limit", "Input limit", "What the input pipeline delivers; 0 is no limit.", "samples/s", 0,
           1e15, &input_limit),
    other("training.frozen", FieldType::layers, "Frozen layers", "Layers whose weights are not trained.", &frozen),
    other("cluster.device", FieldType::device, "Device", "The processor every worker has.", &device),
    figure("cluster.device.peak_tflops.fp64", "FP64 peak", "Peak arithmetic of the device in FP64.", "TFLOP/s", &fp64),
    figure("cluster.device.peak_tflops.fp32", "FP32 peak", "Peak arithmetic of the device in FP32.", "TFLOP/s", &fp32),
    figure("cluster.device.peak_tflops.tf32", "TF32 peak", "Peak arithmetic of the device in TF32.", "TFLOP/s", &tf32),
    figure("cluster.device.peak_tflops.fp16", "FP16 peak", "Peak arithmetic of the device in FP16.", "TFLOP/s", &fp16),
    figure("cluster.device.peak_tflops.bf16", "BF16 peak", "Peak arithmetic of the device in BF16.", "TFLOP/s", &bf16),
    amount("cluster.device.memory_bandwidth_gb_s", "Memory bandwidth", "Peak memory bandwidth of the device.", "GB/s",
           1e-9, most_figure, &memory_bandwidth),
    figure("cluster.device.memory_gb", "Device memory", "Memory of the device.", "GB", &memory),
    figure("cluster.device.base_mhz", "Clock", "Base clock of the device; only PALEO's own method uses it.", "MHz",
           &clock_mhz),
    figure("cluster.device.price_usd_per_hour", "Price", "Price of one device for one hour.", "USD/h", &price),
    Field{"cluster.machine",
          FieldType::machine,
          "Machine",
          "CPU cluster: what every worker and server is.",
          {},
          0,
          0,
          {},
          true,
          false,
          &machine},
    count("cluster.machine.cores", "Cores", "Physical cores of a machine, of all its sockets.", most_workers,
          &machine_cores),
    count("cluster.machine.threads", "Hardware threads", "Threads that a machine runs at once.", most_workers,
          &machine_threads),
    amount("cluster.machine.l2_kib", "Second-level cache", "Cache of one core.", "KiB", 0, most_figure, &machine_l2),
    amount("cluster.machine.l3_mib", "Last-level cache",
           "What the weights of a thread may fill of the last-level cache.", "MiB", 0, most_figure, &machine_l3),
    amount("cluster.machine.memory_gb", "Machine memory", "Memory of a machine.", "GB", 1e-9, most_figure,
           &machine_memory),
    amount("cluster.machine.multiply_add_l2_ns", "Multiply-add, second-level cache",
           "Time of one multiply-add of one thread whose weights lie in the second-level cache.", "ns", 1e-9,
           most_figure, &multiply_add_l2),
    amount("cluster.machine.multiply_add_l3_ns", "Multiply-add, last-level cache",
           "Time of one multiply-add of one thread whose weights lie in the last-level cache.", "ns", 1e-9, most_figure,
           &multiply_add_l3),
    amount("cluster.machine.multiply_add_memory_ns", "Multiply-add, memory",
           "Time of one multiply-add of one thread whose weights lie in memory.", "ns", 1e-9, most_figure,
           &multiply_add_memory),
    amount("cluster.machine.contention", "Contention", "Share by which each further thread slows all.", {}, 0, 1e6,
           &contention),
    amount("cluster.machine.contention_beyond_cores", "Contention beyond cores",
           "What each thread beyond the physical cores adds to the contention.", {}, 0, 1e6, &contention_beyond),
    amount("cluster.machine.memory_bandwidth_gb_s", "Memory bandwidth of a machine",
           "What all threads of a machine together read from memory.", "GB/s", 1e-9, most_figure, &machine_bandwidth),
    amount("cluster.machine.activation_ns", "Activation",
           "Time of one output's activation, or of one comparison of a pooling window.", "ns", 0, most_figure,
           &activation),
    amount("cluster.machine.error_ns", "Error term", "Time of one neuron's error term.", "ns", 0, most_figure, &error),
    amount("cluster.machine.update_ns", "Local update", "Time in which one weight's delta is applied locally.", "ns", 0,
           most_figure, &local_delta),
    amount("cluster.machine.exponential_ns", "Exponential", "Time of one output of a softmax.", "ns", 0, most_figure,
           &exponential),
    amount("cluster.machine.latency_us", "Latency between machines", "Start-up time of one message of a machine.", "µs",
           0, 1e9, &machine_latency),
    amount("cluster.machine.network_gb_s", "Network of a machine", "Bandwidth of a worker's network card, one way.",
           "GB/s", 1e-9, most_figure, &machine_network),
    amount("cluster.machine.server_network_gb_s", "Network of a server",
           "Bandwidth of a parameter server's network card, one way.", "GB/s", 1e-9, most_figure, &server_network),
    amount("cluster.machine.server_updates_m_s", "Updates of a server",
           "Weights that a parameter server updates in a second.", "million/s", 1e-9, most_figure, &server_updates),
    amount("cluster.machine.activation_bytes", "Bytes of an activation", "Of one activation or error term.", "bytes",
           1e-9, 1e6, &activation_bytes),
    amount("cluster.machine.weight_bytes", "Bytes of a weight", "Of one weight or its delta.", "bytes", 1e-9, 1e6,
           &weight_bytes),
    figure("cluster.machine.price_usd_per_hour", "Price of a machine", "Price of one machine for one hour.", "USD/h",
           &machine_price),
    figure("cluster.machine.power_w", "Power of a machine", "What one machine draws at work.", "W", &machine_power),
    count("cluster.workers", "Workers", "Devices in use, or machines of a CPU cluster that train.", most_workers,
          &workers),
    derived(count("cluster.nodes", "Nodes", "Nodes in use: sets the workers to this times the devices per node.",
                  most_workers, &nodes)),
    count("cluster.devices_per_node", "Devices per node", "Devices that share the link inside a node.", most_workers,
          &devices_per_node),
    count("cluster.nics_per_node", "Network cards per node", "Network cards that the devices of a node share.",
          most_workers, &nics_per_node),
    count("cluster.devices_per_uplink", "Devices per uplink",
          "Devices of a node that share one link to the host; a parameter server is reached over it.", most_workers,
          &devices_per_uplink),
    other("cluster.inside", FieldType::link, "Link inside a node", "The link between the devices of one node.",
          &inside),
    amount("cluster.inside.bandwidth_gb_s", "Bandwidth inside a node",
           "Peak bandwidth of the link inside a node, one way.", "GB/s", 1e-9, most_figure, &inside_bandwidth),
    amount("cluster.inside.latency_us", "Latency inside a node", "Start-up time of one message inside a node.", "µs", 0,
           1e9, &inside_latency),
    other("cluster.between", FieldType::link, "Link between nodes", "The link between nodes.", &between),
    amount("cluster.between.bandwidth_gb_s", "Bandwidth between nodes",
           "Peak bandwidth of the link between nodes, one way.", "GB/s", 1e-9, most_figure, &between_bandwidth),
    amount("cluster.between.latency_us", "Latency between nodes", "Start-up time of one message between nodes.", "µs",
           0, 1e9, &between_latency),
    choice<Strategy>("parallelism.strategy", "Strategy", "How the work is divided over the workers.", &strategy),
    count("parallelism.tensor", "Tensor degree",
          "Workers that divide each layer among them. Splitting by outputs gives them all workers that stages leave.",
          most_workers, &tensor),
    count("parallelism.pipeline", "Pipeline degree",
          "Stages of consecutive layers. Splitting by layers makes as many as the tensor degree leaves workers for.",
          most_workers, &pipeline),
    count("parallelism.context", "Context degree",
          "Workers that divide the positions of each sequence among them (context parallelism). Attention still sees "
          "all of them.",
          most_workers, &context),
    choice<ContextScheme>("parallelism.context_scheme", "Context scheme",
                          "How attention sees positions that other workers have: keys and values pass round a ring "
                          "while it computes, are gathered before it, or workers change to whole sequences of some "
                          "heads (Ulysses).",
                          &context_scheme),
    count(
        "parallelism.expert", "Expert degree",
        "Workers of a stage among which the experts of a mixture are divided (expert parallelism): the workers of the "
        "other axes, taken in another way.",
        most_workers, &expert),
    choice<ShardingPolicy>("parallelism.policy", "Division of layers",
                           "How workers divide a layer: all along outputs (columns), by columns and rows, heads and "
                           "vocabulary as trainers do, or in the cheapest way (best). Usual is columns when splitting "
                           "by outputs, otherwise trainer.",
                           &policy),
    other(
        "parallelism.sequence", FieldType::boolean, "Sequence parallelism",
        "Workers that divide layers also divide the positions of the sequence in norms, dropout and sums between them; "
        "not with columns.",
        &sequence),
    choice<Collective>("parallelism.collective", "Collective",
                       "The algorithm by which gradients are added up over the workers.", &collective),
    choice<Overlap>("parallelism.overlap", "Overlap", "Whether gradients travel while the backward pass goes on.",
                    &overlap),
    amount("parallelism.bucket_mb", "Bucket", "Gradients that travel together when overlap is by buckets.", "MB", 1e-6,
           1e9, &bucket),
    choice<GradientFormat>("parallelism.gradients", "Gradients",
                           "Number format in which gradients travel: that of the weights, or fp32 or fp16.",
                           &gradients),
    other("parallelism.copies", FieldType::boolean, "Copies of gradients",
          "Whether gradients are copied into a buffer that travels, and back out of it; data parallelism only.",
          &copies),
    choice<HybridScheme>("parallelism.scheme", "Hybrid scheme",
                         "How the activations of all workers pass through the divided back part.", &scheme),
    with_choices(
        other("parallelism.cut", FieldType::layer, "Cut",
              "Hybrid: first layer of the back part; automatic takes the cheapest, none leaves no back part.", &cut),
        cut_words),
    other("parallelism.boundaries", FieldType::layers, "Stage boundaries",
          "Split by layers: first layer of each stage but the first; empty balances the stages.", &boundaries),
    count("parallelism.micro_batches", "Micro-batches",
          "Pipeline: parts of the batch that follow each other through the stages.",
          static_cast<double>(limits::repeats), &micro_batches),
    choice<PipelineOrder>("parallelism.order", "Pipeline schedule",
                          "The order of forward and backward passes in a pipeline: all forward passes first (fill and "
                          "drain), one forward and one backward in turn (1F1B), the same with several chunks of layers "
                          "on each device (interleaved), or with weight gradients in the gaps (zero bubble).",
                          &order),
    count("parallelism.chunks", "Chunks per device",
          "Interleaved schedule: stages on each device, which hold that many chunks of consecutive layers.",
          static_cast<double>(limits::chunks), &chunks),
    choice<Recompute>("parallelism.recompute", "Recomputation",
                      "Activations that the backward pass computes again instead of keeping them: none, scores and "
                      "softmax of attention (selective), or everything inside the blocks of the network (full).",
                      &recompute),
    choice<Sharded>("parallelism.sharded", "Sharded states",
                    "Training states that the replicas divide among them instead of each holding a copy (ZeRO): none, "
                    "optimizer states (stage 1), gradients too (stage 2), or weights too (stage 3).",
                    &sharded),
    choice<Updates>("parallelism.updates", "Updates",
                    "Whether all workers update the weights in step, or each on its own with parameter servers.",
                    &updates),
    count("parallelism.servers", "Parameter servers",
          "Machines that keep the weights: of asynchronous updates, and of a CPU cluster.", most_workers, &servers),
    choice<Sharding>("parallelism.sharding", "Shards",
                     "How asynchronous updates divide the weights over the servers: into equal parts, or by whole "
                     "layers, so that a large one makes its server slow.",
                     &sharding),
    count("cpu.partitions", "Machines of a replica",
          "CPU cluster: machines that hold one copy of the network together.", static_cast<double>(limits::partitions),
          &partitions),
    derived(count("cpu.replicas", "Replicas", "CPU cluster: sets the workers to this times the machines of a replica.",
                  most_workers, &replicas)),
    choice<SegmentSplits>("cpu.splits", "Segments of a layer",
                          "CPU cluster: as many as a replica has machines, or the best number for each layer.",
                          &splits),
    choice<SegmentPlacement>("cpu.placement", "Placement",
                             "CPU cluster: segments in the row of machines, or each where it has the fewest remote "
                             "connections.",
                             &placement),
    choice<ConvolutionSplit>("cpu.convolutions", "Split of convolutions",
                             "CPU cluster: rows of the image, or output channels.", &convolutions),
    Field{"cpu.threads",
          FieldType::integer,
          "Threads",
          "CPU cluster: training threads of a machine, each with a sample of its own; 0 is one a core.",
          {},
          0,
          most_workers,
          {},
          false,
          false,
          &threads},
    other("cpu.servers_beside", FieldType::boolean, "Servers on workers",
          "CPU cluster: whether the parameter servers share the workers' machines.", &servers_beside),
    other("cpu.wait_for_servers", FieldType::boolean, "Wait for servers",
          "CPU cluster, asynchronous: whether a replica rests while its weights travel.", &wait_for_servers),
    other("cpu.queueing", FieldType::boolean, "Queueing",
          "CPU cluster, asynchronous: whether replicas that meet at the servers wait for each other.", &queueing),
    amount("cpu.overlap", "Overlap of exchange",
           "CPU cluster: share of the shorter of a layer's compute and exchange that hides behind the other.", "%", 0,
           100, &exchange_overlap),
    choice<LocalUpdate>("cpu.local_update", "Local updates",
                        "CPU cluster: whether a machine applies deltas after each sample, or once for an exchange.",
                        &local_update),
    amount("cpu.buffers_gb", "Buffers", "CPU cluster: memory of a machine beside weights, deltas and activations.",
           "GB", 0, 1e9, &buffers),
    other("cpu.worked_example", FieldType::boolean, "Worked example",
          "CPU cluster: the formulas with the simplifications of the worked example.", &worked_example),
    choice<Method>("model.method", "Method",
                   "The performance model: Scalescope's pipeline, PALEO as its code or its paper has it, or a cluster "
                   "of CPU machines after Yan et al. 2015 (re-derived).",
                   &method),
    share("model.compute", "Percent of peak, arithmetic", "Share of the device's peak arithmetic that is reached.",
          &compute_share),
    share("model.memory", "Percent of peak, memory", "Share of the device's peak memory bandwidth that is reached.",
          &memory_share),
    share("model.inside", "Percent of peak, link inside", "Share of the bandwidth inside a node that is reached.",
          &inside_share),
    share("model.between", "Percent of peak, link between", "Share of the bandwidth between nodes that is reached.",
          &between_share),
    other("model.overlap_memory", FieldType::boolean, "Overlap memory",
          "Whether memory traffic hides behind arithmetic or adds to it.", &overlap_memory),
    amount("model.launch_us", "Launch time", "Start-up time of every operation.", "µs", 0, 1e9, &launch),
    amount("model.spread", "Spread",
           "How much the workers differ in speed (standard deviation); a step waits for the slowest.", "%", 0, 100,
           &spread),
    amount(
        "model.interference", "Interference",
        "What gradients that travel under the backward pass take from it, as a share of their time; data parallelism "
        "only.",
        "%", 0, 100, &interference),
    amount("model.overhead_ms", "Overhead", "Time of every step in which devices wait for their hosts.", "ms", 0, 1e6,
           &overhead),
    amount("model.staleness_cost", "Cost of staleness",
           "By how much each update that a gradient missed lengthens training; assumed, not measured.", "%", 0, 100,
           &staleness_cost),
    choice<ConvolutionAlgorithm>("model.convolution", "Convolution",
                                 "Convolutions as matrix products, or by the cheapest valid algorithm.", &convolution),
    amount("model.workspace_mib", "Workspace", "Extra memory that the cheapest convolution algorithm may use.", "MiB",
           0, 1e9, &workspace),
    other("model.paleo_corrections", FieldType::words, "PALEO corrections",
          "Corrections switched on in PALEO's methods.", &corrections),
};

}  // namespace

std::span<const Field> all_fields() { return table; }

}  // namespace scalescope
