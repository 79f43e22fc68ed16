// SPDX-License-Identifier: GPL-3.0-or-later
// Which page of a CPU cluster is where, and what many of them use.
#include "core/estimate/explain_cpu.hpp"

#include <algorithm>

namespace scalescope::explaining {
namespace cpus {

std::optional<std::size_t> Cpu::layer_at(int position) const {
    const auto& layers = method.prepared.list.layers;
    const auto it =
        std::find_if(layers.begin(), layers.end(), [&](const yan::LayerWork& w) { return w.position == position; });
    return it == layers.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - layers.begin()));
}

Seconds Cpu::exchange() const {
    Seconds sum;
    for (const yan::LayerTimes& t : e.layers) sum += t.exposed();
    return factor() * sum;
}

Seconds Cpu::hidden_exchange() const {
    Seconds sum;
    for (const yan::LayerTimes& t : e.layers) sum += t.hidden();
    return factor() * sum;
}

Seconds Cpu::serving() const {
    Seconds updates;
    for (const yan::LayerTimes& t : e.layers) updates += t.compute.update;
    return settled(c.estimate.summary.update - factor() * updates);
}

Seconds Cpu::waiting_for_servers() const {
    const yan::Configuration& k = configuration();
    if (alone()) return {};
    if (k.synchronous) return k.servers_beside ? Seconds{} : static_cast<double>(k.replicas) * e.score.load.server_cpu;
    if (method.queueing) return e.queue.response - e.score.load.server_network;
    const bool waits = serving().value == 0 && e.asynchronous.binding == yan::Resource::server_cpu;
    return waits ? settled(e.asynchronous.time - training()) : Seconds{};
}

Seconds Cpu::stragglers() const {
    const yan::Configuration& k = configuration();
    if (alone() || !k.synchronous || k.step_deviation == 0) return {};
    return settled(e.synchronous.term(yan::Resource::compute) - training());
}

yan::MachineTraffic Cpu::slowest_traffic(std::size_t layer, bool gradients) const {
    const auto& list = method.prepared.list;
    const int l = static_cast<int>(layer);
    std::vector<std::int64_t> splits;
    for (const yan::LayerTimes& t : e.layers) splits.push_back(t.split);
    const yan::Layout layout{splits, configuration().partitions, e.placement ? &*e.placement : nullptr};
    if (method.prepared.options.worked_example) return yan::printed_traffic(list, l, splits, gradients);
    if (yan::is_even(list, l, layout)) return yan::even_traffic(list, l, splits[layer], gradients);
    yan::Scratchpad pad;
    pad.make_room(splits.size(), layout.partitions);
    std::fill(pad.traffic.begin(), pad.traffic.end(), yan::MachineTraffic{});
    yan::add_traffic(list, l, layout, true, pad);
    if (!gradients) yan::add_traffic(list, l, layout, false, pad);
    return *std::max_element(pad.traffic.begin(), pad.traffic.end(), [&](const auto& a, const auto& b) {
        return yan::time_of(a, machine(), configuration().threads) <
               yan::time_of(b, machine(), configuration().threads);
    });
}

std::string training_factor(Page& page, const Cpu& cpu) {
    const yan::Configuration& c = cpu.configuration();
    page.samples("K", "samples of a replica in a step", 0);
    page.field("h", "threads of a machine, each with a sample", static_cast<double>(c.threads), Measure::count,
               "cpu.threads");
    return "K/h";
}

Page& machine_figure(Page& page, const Cpu& cpu, const char* symbol, std::string text, double value, Measure m,
                     const char* name, const char* path) {
    const auto& open = cpu.machine().unverified;
    const bool recalled = std::find(open.begin(), open.end(), name) != open.end();
    return page.field(symbol, std::move(text), value, m, std::string("cluster.machine.") + path,
                      recalled ? Evidence::assumed : Evidence::datasheet);
}

Page cpu_page(const Cpu& cpu, const Item& item, const char* symbol, double result, Measure m) {
    Page page(cpu.c, item, symbol, title_of(cpu.c, item), result, m);
    page.source("CPU clusters after Yan et al., KDD 2015 (re-derived): docs/decisions/cpu-clusters.md");
    return page;
}

}  // namespace cpus

bool is_cpu_topic(const Item& item) {
    switch (item.topic) {
        case Topic::step:
        case Topic::forward:
        case Topic::backward:
        case Topic::update:
        case Topic::throughput:
        case Topic::epoch:
        case Topic::efficiency:
        case Topic::layer:
        case Topic::layer_compute:
        case Topic::layer_backward:
        case Topic::layer_inputs:
        case Topic::layer_output: return false;
        default: return true;
    }
}

bool cpu_item_exists(const Context& c, const Item& item) {
    const bool of_layer = item.topic >= Topic::cpu_compute && item.topic <= Topic::cpu_working_set;
    const cpus::Cpu cpu(c);
    if (of_layer) return cpu.layer_at(item.layer).has_value() && item.index >= 0 && item.index < 3;
    const bool of_servers = item.topic >= Topic::cpu_sending && item.topic <= Topic::cpu_staleness;
    if (of_servers) return !cpu.alone() && item.index <= 1;
    switch (item.topic) {
        case Topic::all_layers:
        case Topic::slices:
        case Topic::kept_tensor:
        case Topic::micro_batches:
        case Topic::micro_steps:
        case Topic::live: return false;
        case Topic::samples: return item.index <= 0;
        default: return item.topic < Topic::message || item.topic > Topic::statistical_cost;
    }
}

Page cpu_page(const Context& c, const Item& item) {
    const cpus::Cpu cpu(c);
    switch (item.topic) {
        case Topic::communication:
        case Topic::hidden:
        case Topic::idle:
        case Topic::cpu_exchange: return cpus::step_page(cpu, item);
        case Topic::speedup:
        case Topic::cost:
        case Topic::idle_share:
        case Topic::effective_batch:
        case Topic::samples: return cpus::wish_page(cpu, item);
        case Topic::memory:
        case Topic::weights:
        case Topic::gradients:
        case Topic::optimizer:
        case Topic::activations:
        case Topic::layer_kept:
        case Topic::layer_parameters: return cpus::memory_page(cpu, item);
        case Topic::layer_pass:
        case Topic::layer_update:
        case Topic::layer_communication:
        case Topic::layer_hidden:
        case Topic::layer_flops:
        case Topic::layer_bytes:
        case Topic::share:
        case Topic::cpu_compute:
        case Topic::cpu_multiply_add:
        case Topic::cpu_layer_exchange:
        case Topic::cpu_layer_waited:
        case Topic::cpu_working_set: return cpus::layer_page(cpu, item);
        default: return cpus::server_page(cpu, item);
    }
}

}  // namespace scalescope::explaining
