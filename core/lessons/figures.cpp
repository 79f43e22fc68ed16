// SPDX-License-Identifier: GPL-3.0-or-later
// The figures that expressions of lessons know.
#include <numeric>

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

double messages_of(const Estimate& e) {
    return std::accumulate(e.messages.begin(), e.messages.end(), 0.0,
                           [](double sum, const MessageEstimate& m) { return sum + static_cast<double>(m.times); });
}
double megabytes_of(const Estimate& e) {
    return std::accumulate(e.messages.begin(), e.messages.end(), 0.0, [](double sum, const MessageEstimate& m) {
        return sum + static_cast<double>(m.times) * m.bytes.value / 1e6;
    });
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
        {"parameters", "Parameters", "million", "Weights of the networks.",
         [](S s, E) { return Value(parameters_of(s)); }},
        {"weights_memory", "Memory of weights", "GB", "Of the fullest device.",
         [](S, E e) { return Value(e.memory.weights.value / gigabyte); }},
        {"gradients_memory", "Memory of gradients", "GB", "Of the fullest device.",
         [](S, E e) { return Value(e.memory.gradients.value / gigabyte); }},
        {"activations_memory", "Memory of activations", "GB", "Of the fullest device.",
         [](S, E e) { return Value(e.memory.activations.value / gigabyte); }},
        {"messages", "Messages", "", "Collective operations in a step, each counted once.",
         [](S, E e) { return Value(messages_of(e)); }},
        {"message_megabytes", "Size of all messages", "MB", "Sum of the buffers that collective operations take.",
         [](S, E e) { return Value(megabytes_of(e)); }},
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
