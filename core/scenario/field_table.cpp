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
const FieldAccess price{
    OptionalAccess{[](const Scenario& s) { return s.cluster.device.price_per_hour; },
                   [](Scenario& s, std::optional<double> v) { s.cluster.device.price_per_hour = v; }, 0}};
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
const FieldAccess collective = SCALESCOPE_CHOICE(parallelism.collective);
const FieldAccess overlap = SCALESCOPE_CHOICE(parallelism.overlap);
const FieldAccess bucket{NumberAccess{SCALESCOPE_MEMBER(double, parallelism.bucket.value), 6}};
const FieldAccess gradients = SCALESCOPE_CHOICE(parallelism.gradients);
const FieldAccess copies{SCALESCOPE_MEMBER(bool, parallelism.copies)};
const FieldAccess scheme = SCALESCOPE_CHOICE(parallelism.scheme);
const FieldAccess cut{CutAccess{}};
const FieldAccess boundaries{SCALESCOPE_MEMBER(std::vector<LayerId>, parallelism.boundaries)};
const FieldAccess micro_batches{SCALESCOPE_MEMBER(std::int64_t, parallelism.micro_batches)};
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
    figure("cluster.device.peak_tflops.fp64", "Peak fp64", "Peak arithmetic of the device in fp64.", "TFLOP/s", &fp64),
    figure("cluster.device.peak_tflops.fp32", "Peak fp32", "Peak arithmetic of the device in fp32.", "TFLOP/s", &fp32),
    figure("cluster.device.peak_tflops.tf32", "Peak tf32", "Peak arithmetic of the device in tf32.", "TFLOP/s", &tf32),
    figure("cluster.device.peak_tflops.fp16", "Peak fp16", "Peak arithmetic of the device in fp16.", "TFLOP/s", &fp16),
    figure("cluster.device.peak_tflops.bf16", "Peak bf16", "Peak arithmetic of the device in bf16.", "TFLOP/s", &bf16),
    amount("cluster.device.memory_bandwidth_gb_s", "Memory bandwidth", "Peak memory bandwidth of the device.", "GB/s",
           1e-9, most_figure, &memory_bandwidth),
    figure("cluster.device.memory_gb", "Device memory", "Memory of the device.", "GB", &memory),
    figure("cluster.device.base_mhz", "Clock", "Base clock of the device; only PALEO's own method uses it.", "MHz",
           &clock_mhz),
    figure("cluster.device.price_usd_per_hour", "Price", "Price of one device for one hour.", "USD/h", &price),
    count("cluster.workers", "Workers", "Devices in use.", most_workers, &workers),
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
          "Split by layers: parts of the batch that follow each other through the stages.",
          static_cast<double>(limits::repeats), &micro_batches),
    choice<Method>("model.method", "Method",
                   "The performance model: Scalescope's pipeline, or PALEO as its code or its paper has it.", &method),
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
