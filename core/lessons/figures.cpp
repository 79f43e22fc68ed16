// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that expressions of lessons know.
#include <algorithm>
#include <numeric>

#include "core/estimate/goodput.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/utilization.hpp"
#include "core/lessons/name_values.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/metrics.hpp"

namespace scalescope::lessons::detail {
namespace {

using Value = std::optional<double>;
constexpr double gigabyte = 1e9, per_cent = 100.0;

Value milliseconds_of(Seconds t) { return in_milliseconds(t); }
Value share_of(Seconds part, Seconds whole) { return whole.value > 0 ? Value(part / whole * per_cent) : std::nullopt; }
template <search::Metric metric>
Value by_metric(const Scenario& s, const Estimate& e) {
    return search::metric_value(metric, s, e);
}

/// Sum of `of` over all messages.
template <class Of>
double over_messages(const Estimate& e, Of of) {
    return std::accumulate(e.messages.begin(), e.messages.end(), 0.0,
                           [&](double sum, const MessageEstimate& m) { return sum + of(m); });
}
double count_of(const MessageEstimate& m) { return static_cast<double>(m.times); }
double megabytes_of(const MessageEstimate& m) { return static_cast<double>(m.times) * m.bytes.value / 1e6; }
double milliseconds_of(const MessageEstimate& m) { return in_milliseconds(m.exposed + m.hidden); }
template <MeshAxis axis, double (*of)(const MessageEstimate&)>
Value along(const Scenario&, const Estimate& e) {
    return over_messages(e, [](const MessageEstimate& m) { return m.axis == axis ? of(m) : 0.0; });
}

template <MemoryPart part>
Value memory_part(const Scenario&, const Estimate& e) {
    return parts_of(e.memory)[static_cast<std::size_t>(part)].value / gigabyte;
}

/// Of all stages of a pipeline together.
struct Stages {
    Seconds work{0}, waiting{0};
};
std::optional<Stages> stages_of(const Estimate& e) {
    Stages all;
    for (const StageEstimate& stage : e.stages) {
        all.work += stage.forward + stage.backward + stage.messages;
        all.waiting += stage.waiting;
    }
    return all.work.value > 0 ? std::optional(all) : std::nullopt;
}
Value in_flight_of(const Estimate& e) {
    std::int64_t most = 0;
    for (const StageEstimate& stage : e.stages) most = std::max(most, stage.in_flight);
    return most > 0 ? Value(static_cast<double>(most)) : std::nullopt;
}
/// Of the device that does most of it.
Value recomputation_of(const Estimate& e) {
    std::vector<Seconds> devices(std::max<std::size_t>(1, e.stages.size()), Seconds{0});
    for (const LayerEstimate& l : e.layers) devices[l.stage < 0 ? 0 : static_cast<std::size_t>(l.stage)] += l.recompute;
    return in_milliseconds(*std::ranges::max_element(devices));
}
double parameters_of(const Scenario& s) {
    return std::accumulate(s.workload.begin(), s.workload.end(), 0.0, [](double sum, const WorkloadPart& part) {
        return sum + static_cast<double>(part.network->parameters()) / 1e6;
    });
}

using S = const Scenario&;
using E = const Estimate&;

/// Of networks that read tokens.
std::optional<Utilization> tokens_used(S s, E e) {
    auto used = utilization_of(s, e);
    return used && used->tokens_per_second > 0 ? used : std::nullopt;
}

}  // namespace

const std::vector<Figure>& all_figures() {
    // The first ones are called as the Numbers panel and the why pages call them (compare/key_values.cpp).
    static const std::vector<Figure> table{
        {"step", "Step", "ms", "Time of one step.", [](S, E e) { return milliseconds_of(e.summary.step); }},
        {"throughput", "Throughput", "samples/s", "Samples that all devices train on in a second.",
         [](S, E e) { return Value(e.throughput.value); }},
        {"tokens", "Throughput", "tokens/s", "Tokens that all devices train on in a second.",
         [](S s, E e) {
             const auto u = tokens_used(s, e);
             return u ? Value(u->tokens_per_second) : std::nullopt;
         }},
        {"mfu", "MFU", "%", "Model FLOPs of the step over what the devices' peaks would do in its time.",
         [](S s, E e) {
             const auto u = tokens_used(s, e);
             return u && u->model ? Value(u->model->value * per_cent) : std::nullopt;
         }},
        {"speedup", "Speedup", "×", "Throughput against that of one device.", [](S, E e) { return Value(e.speedup); }},
        {"efficiency", "Efficiency", "%", "Speedup over the number of devices.",
         [](S, E e) { return Value(e.efficiency * per_cent); }},
        {"forward", "Forward", "ms", "Time of the forward passes in a step.",
         [](S, E e) { return milliseconds_of(e.summary.forward); }},
        {"backward", "Backward", "ms", "Time of the backward passes in a step.",
         [](S, E e) { return milliseconds_of(e.summary.backward); }},
        {"update", "Update", "ms", "Time in which the weights are updated in a step.",
         [](S, E e) { return milliseconds_of(e.summary.update); }},
        {"communication", "Communication", "ms", "Time of a step in which devices wait for messages.",
         [](S, E e) { return milliseconds_of(e.summary.communication); }},
        {"hidden", "Hidden communication", "ms", "Communication that goes on behind computation.",
         [](S, E e) { return milliseconds_of(e.summary.hidden); }},
        {"idle", "Idle", "ms", "Time of a step in which the busiest device has nothing to do.",
         [](S, E e) { return milliseconds_of(e.summary.idle); }},
        {"replicas", "Replicas", "", "CPU cluster: copies of the network that train.",
         [](S, E e) { return e.cpu ? Value(static_cast<double>(e.cpu->configuration.replicas)) : std::nullopt; }},
        {"machines", "Machines", "", "CPU cluster: machines in all, servers too.",
         [](S s, E e) { return e.cpu ? Value(static_cast<double>(all_machines(s))) : std::nullopt; }},
        {"cpu_staleness", "Staleness", "updates", "CPU cluster: updates that weights are behind.",
         [](S, E e) { return e.cpu && !e.cpu->configuration.synchronous ? Value(e.cpu->staleness) : std::nullopt; }},
        {"staleness", "Staleness", "updates", "Asynchronous updates: updates that weights are behind.",
         [](S, E e) { return e.servers ? Value(e.servers->state.staleness) : std::nullopt; }},
        {"knee", "Knee", "workers", "Asynchronous updates: workers beyond which the servers are the limit.",
         [](S, E e) { return e.servers ? Value(e.servers->state.knee) : std::nullopt; }},
        {"statistical_cost", "Cost of staleness", "×",
         "Asynchronous updates: what staleness makes of the training's "
         "length, if the assumed cost is right.",
         [](S, E e) { return e.servers ? Value(e.servers->statistical_cost) : std::nullopt; }},
        {"memory", "Memory", "GB", "Peak memory of the fullest device.",
         [](S, E e) { return Value(e.memory.peak.value / gigabyte); }},
        {"epoch", "Epoch", "s", "Time for every sample of the data set once.",
         [](S, E e) { return Value(e.epoch.value); }},
        {"cost", "Cost", "USD", "Price of all devices for an epoch.", [](S, E e) { return e.epoch_cost; }},
        {"goodput", "Goodput", "%", "Share of the elapsed time that trains, where devices fail.",
         [](S s, E e) {
             const auto g = goodput_of(s, e);
             return g ? Value(g->trains.value * per_cent) : std::nullopt;
         }},
        {"checkpoint_interval", "Checkpoint interval", "s", "Training time between two checkpoints that loses least.",
         [](S s, E e) {
             const auto g = goodput_of(s, e);
             return g ? Value(g->interval.value) : std::nullopt;
         }},
        // Shares, which the search calls communication and idle.
        {"communication_share", "Share of communication", "%", "Share of the step in which devices wait for messages.",
         [](S, E e) { return share_of(e.summary.communication, e.summary.step); }},
        {"idle_share", "Share of idle time", "%",
         "Share of the step in which devices have nothing to do, all together.",
         [](S, E e) { return Value(e.idle_share * per_cent); }},
        {"hidden_share", "Share that is hidden", "%", "Share of all communication that goes on behind computation.",
         [](S, E e) { return share_of(e.summary.hidden, e.summary.hidden + e.summary.communication); }},
        {"cost_per_hour", "Cost per hour", "USD/h", "Price of all devices for an hour.",
         by_metric<search::Metric::cost_per_hour>},
        {"energy", "Energy", "kWh", "All devices at their thermal design power for an epoch.",
         by_metric<search::Metric::energy>},
        {"power", "Power", "kW", "Thermal design power of all devices.", by_metric<search::Metric::power>},
        {"devices", "Devices", "", "Devices in use.", by_metric<search::Metric::devices>},
        {"batch", "Batch in all", "samples", "Samples in a step, of all devices together.",
         by_metric<search::Metric::batch>},
        {"batch_per_worker", "Batch of a worker", "samples", "Samples that each worker has in a step.",
         [](S s, E) {
             return Value(static_cast<double>(
                 batch_for(s.training.batch, s.training.batch_rule, s.cluster.workers).per_replica));
         }},
        {"steps_per_epoch", "Steps of an epoch", "", "Steps until every sample of the data set was used once.",
         [](S s, E e) {
             const auto batch = static_cast<double>(e.summary.batch.effective);
             return batch > 0 ? Value(static_cast<double>(s.training.data_set) / batch) : std::nullopt;
         }},
        {"sequence", "Sequence", "tokens", "Tokens of one sample.", by_metric<search::Metric::sequence>},
        {"parameters", "Parameters", "million", "Weights of the networks.",
         [](S s, E) { return Value(parameters_of(s)); }},
        {"active_parameters", "Parameters of a token", "million",
         "Of the parameters, those that a token uses: all but the experts that are not chosen for it.",
         [](S s, E) {
             const Network* network = s.network();
             return network ? Value(counted_flops(*network).parameters / 1e6) : std::nullopt;
         }},
        {"weights_memory", "Memory of weights", "GB", "Of the fullest device.", memory_part<MemoryPart::weights>},
        {"gradients_memory", "Memory of gradients", "GB", "Of the fullest device.", memory_part<MemoryPart::gradients>},
        {"activations_memory", "Memory of activations", "GB", "Of the fullest device.",
         memory_part<MemoryPart::activations>},
        {"optimizer_memory", "Memory of optimizer states", "GB", "Of the fullest device.",
         memory_part<MemoryPart::optimizer>},
        {"logits_memory", "Memory of logits", "GB", "Of the fullest device, what a loss needs beside its activations.",
         memory_part<MemoryPart::logits>},
        {"other_memory", "Other memory", "GB", "Of the fullest device, what the trainer's software holds.",
         memory_part<MemoryPart::other>},
        {"fits", "Fits", "", "1 if the step fits into the memory of the device, 0 if it does not.",
         [](S s, E e) { return Value(fits_device(s, e.memory) ? 1.0 : 0.0); }},
        {"data_degree", "Data degree", "", "Replicas of the network that train on samples of their own.",
         [](S s, E) {
             const auto d = degrees_of(s);
             return d ? Value(static_cast<double>(d->data)) : std::nullopt;
         }},
        {"bubble", "Bubble", "%",
         "Pipeline: time in which stages wait, over the time in which they work, all stages together. For p equal "
         "stages and m micro-batches (p − 1)/m (Narayanan et al., SC 2021).",
         [](S, E e) {
             const auto all = stages_of(e);
             return all ? share_of(all->waiting, all->work) : std::nullopt;
         }},
        {"bubble_share", "Share of the bubble", "%",
         "The same waiting time over the whole time of the pipeline: (p − 1)/(m + p − 1).",
         [](S, E e) {
             const auto all = stages_of(e);
             return all ? share_of(all->waiting, all->work + all->waiting) : std::nullopt;
         }},
        {"in_flight", "Micro-batches in flight", "",
         "Pipeline: micro-batches whose activations a device holds at once, in all its stages together; of the device "
         "that holds most.",
         [](S, E e) { return in_flight_of(e); }},
        {"recomputation", "Recomputation", "ms",
         "Time of the backward passes in which activations are computed again, of the device that does most of it.",
         [](S, E e) { return recomputation_of(e); }},
        {"hfu", "HFU", "%", "As MFU, with the FLOPs of the activations that are computed again.",
         [](S s, E e) {
             const auto u = tokens_used(s, e);
             return u && u->hardware ? Value(u->hardware->value * per_cent) : std::nullopt;
         }},
        {"messages", "Messages", "", "Collective operations in a step, each counted once.",
         [](S, E e) { return Value(over_messages(e, count_of)); }},
        {"message_megabytes", "Size of all messages", "MB", "Sum of the buffers that collective operations take.",
         [](S, E e) { return Value(over_messages(e, megabytes_of)); }},
        // Of one axis of the mesh, in all stages together.
        {"data_messages", "Messages of the data axis", "", "Of the messages, those between replicas.",
         along<MeshAxis::data, count_of>},
        {"data_megabytes", "Size of data messages", "MB", "Sum of their buffers.", along<MeshAxis::data, megabytes_of>},
        {"data_time", "Time of data messages", "ms", "Exposed and hidden, of all stages together.",
         along<MeshAxis::data, milliseconds_of>},
        {"tensor_messages", "Messages of the tensor axis", "", "Of the messages, those between parts of a layer.",
         along<MeshAxis::tensor, count_of>},
        {"tensor_megabytes", "Size of tensor messages", "MB", "Sum of their buffers.",
         along<MeshAxis::tensor, megabytes_of>},
        {"tensor_time", "Time of tensor messages", "ms", "Exposed and hidden, of all stages together.",
         along<MeshAxis::tensor, milliseconds_of>},
        {"pipeline_messages", "Messages of the pipeline axis", "", "Of the messages, those between stages.",
         along<MeshAxis::pipeline, count_of>},
        {"pipeline_megabytes", "Size of pipeline messages", "MB", "Sum of their buffers.",
         along<MeshAxis::pipeline, megabytes_of>},
        {"pipeline_time", "Time of pipeline messages", "ms", "Exposed and hidden, of all stages together.",
         along<MeshAxis::pipeline, milliseconds_of>},
        {"context_messages", "Messages of the context axis", "", "Of the messages, those between parts of a sequence.",
         along<MeshAxis::context, count_of>},
        {"context_megabytes", "Size of context messages", "MB", "Sum of their buffers.",
         along<MeshAxis::context, megabytes_of>},
        {"context_time", "Time of context messages", "ms", "Exposed and hidden, of all stages together.",
         along<MeshAxis::context, milliseconds_of>},
        {"expert_messages", "Messages of experts", "", "Of the messages, those between experts.",
         along<MeshAxis::expert, count_of>},
        {"expert_megabytes", "Size of expert messages", "MB", "Sum of their buffers.",
         along<MeshAxis::expert, megabytes_of>},
        {"expert_time", "Time of expert messages", "ms", "Exposed and hidden, of all stages together.",
         along<MeshAxis::expert, milliseconds_of>},
    };
    return table;
}

const std::vector<LayerFigure>& all_layer_figures() {
    using L = const LayerMeasures&;
    static const std::vector<LayerFigure> table{
        {"forward", "forward", "ms", "Time of the forward pass.", [](L l) { return in_milliseconds(l.forward); }},
        {"backward", "backward", "ms", "Time of the backward pass.", [](L l) { return in_milliseconds(l.backward); }},
        {"update", "update", "ms", "Time of the update.", [](L l) { return in_milliseconds(l.update); }},
        {"communication", "communication", "ms", "Communication that nothing hides.",
         [](L l) { return in_milliseconds(l.communication); }},
        {"time", "time", "ms", "Forward, backward, update and communication.",
         [](L l) { return in_milliseconds(l.total()); }},
        {"flops", "arithmetic operations", "GFLOP", "Of both passes of a step.", [](L l) { return l.flops / 1e9; }},
        {"traffic", "memory traffic", "GB", "Bytes that both passes of a step read and write.",
         [](L l) { return l.traffic.value / 1e9; }},
        {"intensity", "intensity", "FLOP/byte", "Arithmetic operations for each byte of memory traffic.",
         [](L l) { return l.traffic.value > 0 ? l.flops / l.traffic.value : 0.0; }},
        {"arithmetic", "time of arithmetic", "ms", "Its operations at the rate that the device reaches.",
         [](L l) { return in_milliseconds(l.arithmetic); }},
        {"transfer", "time of memory traffic", "ms", "Its bytes at the bandwidth that the memory reaches.",
         [](L l) { return in_milliseconds(l.transfer); }},
        {"kept", "kept activations", "MB", "What waits for the backward pass.", [](L l) { return l.kept.value / 1e6; }},
        {"parameters", "parameters", "million", "Weights that the worker holds.",
         [](L l) { return l.parameters / 1e6; }},
    };
    return table;
}

}  // namespace scalescope::lessons::detail
