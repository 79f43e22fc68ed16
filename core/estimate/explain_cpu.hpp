// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "core/estimate/explain_rows.hpp"
#include "core/scenario/hardware.hpp"

/// Pages of CPU clusters.
namespace scalescope::explaining {

/// What a page takes from the method (docs/decisions/cpu-clusters.md): of the item's layer, of its largest segment.
/// Inputs and views cost nothing, and have no place in the method's list.
struct Cpu {
    const Context& c;
    const Item& item;
    const CpuMethod& method = *c.plan.cpu;
    const yan::Evaluation& e = *c.estimate.cpu;
    const yan::Configuration& k = e.configuration;
    const CpuMachine& m = method.prepared.machine;
    const yan::ServerLoad& load = e.score.load;
    const Summary& s = c.estimate.summary;
    const std::vector<yan::LayerWork>& list = method.prepared.list.layers;
    std::size_t at =
        static_cast<std::size_t>(std::ranges::find(list, item.layer, &yan::LayerWork::position) - list.begin());
    bool listed = at < list.size();
    const yan::LayerWork& w = listed ? list[at] : no_work;
    const yan::LayerTimes& t = listed ? e.layers[at] : no_time;
    double share = listed ? yan::largest_share(w, t.split, method.prepared.options) : 1;  ///< of the layer
    double kept = w.replicates ? 1 : share;                                               ///< of its weights
    /// The item's: 0 forward, 1 errors, 2 deltas.
    std::size_t pass = of_cpu_layer(item.topic)            ? static_cast<std::size_t>(std::max(item.index, 0))
                       : item.topic == Topic::layer_update ? 2
                                                           : index_of(item.pass);
    static inline const yan::LayerWork no_work{};
    static inline const yan::LayerTimes no_time{};

    double adds() const { return share * std::array{w.forward_adds, w.backward_adds, w.delta_adds}[pass]; }
    /// Multiply-adds that a loaded weight serves.
    double reuse() const { return w.replicates ? std::max(1.0, w.reuse * share) : w.reuse; }
    bool alone() const { return trains_alone(k); }
    bool queued() const { return !k.synchronous && method.queueing; }
    double weights() const { return method.prepared.weights.value; }
    /// T seconds of a sample and thread are so many of a step: K/H.
    double factor() const { return static_cast<double>(k.exchange_every) / static_cast<double>(k.threads); }
    /// What a step computes and exchanges between machines, K/H·T, and of it what the layers exchange and update.
    Seconds training() const { return factor() * e.score.sample.total(); }
    template <class G>
    Seconds of_layers(G time) const {
        Seconds sum;
        for (const yan::LayerTimes& of_one : e.layers) sum += std::invoke(time, of_one);
        return factor() * sum;
    }
    Seconds exchange() const { return of_layers(&yan::LayerTimes::exposed); }
    Seconds hidden_exchange() const { return of_layers(&yan::LayerTimes::hidden); }
    Seconds local_updates() const {
        return of_layers([](const auto& one) { return one.compute.update; });
    }
    /// Of the step: messages to and from servers that are waited for.
    Seconds sending() const { return alone() ? Seconds{} : settled(s.communication - exchange()); }
    /// Beside the workers: of the update.
    Seconds serving() const { return alone() ? Seconds{} : settled(s.update - local_updates()); }
    /// Part of what is idle; so is the wait for the slowest replica.
    Seconds waiting_for_servers() const {
        if (alone()) return {};
        if (k.synchronous) return k.servers_beside ? Seconds{} : static_cast<double>(k.replicas) * load.server_cpu;
        if (method.queueing) return e.queue.response - load.server_network;
        const bool waits = serving().value == 0 && e.asynchronous.binding == yan::Resource::server_cpu;
        return waits ? settled(e.asynchronous.time - training()) : Seconds{};
    }
    Seconds stragglers() const {
        if (alone() || !k.synchronous || k.step_deviation == 0) return {};
        return settled(e.synchronous.term(yan::Resource::compute) - training());
    }
    /// Without what rounding left of nothing.
    Seconds settled(Seconds left) const { return left.value > 1e-13 * s.step.value ? left : Seconds{}; }
    /// Of one multiply-add of the item's layer.
    Seconds multiply_add() const { return yan::multiply_add(m, k.threads, t.compute.working_set, reuse()); }
    /// The share of all weights that the item's layer has.
    double share_of_weights() const {
        if (!listed) return 0;
        return weights() > 0 ? w.own_weights / weights() : 1.0 / static_cast<double>(e.layers.size());
    }
    /// Errors are dealt out like the inputs, or like the outputs: their number is what remains.
    double errors() const {
        if (pass != 1 || w.errors <= 0 || m.error.value <= 0) return 0;
        return (t.compute.backward - (adds() > 0 ? adds() * multiply_add() : Seconds{})) / m.error;
    }
    double sent() const {
        const double all = w.own_weights, vectors = static_cast<double>(k.exchange_every) * w.vectors;
        return vectors > 0.0 ? std::min(all, vectors) : all;
    }
    double found_at_servers() const {
        const Seconds service = load.server_network + load.server_cpu;
        return service.value > 0 ? e.queue.response / service - 1.0 : 0.0;
    }
    const yan::EpochTimes& bound() const { return k.synchronous ? e.synchronous : e.asynchronous; }
    const LayerEstimate& row() const { return c.row(0, item.layer); }
    yan::DeltaSum ring() const { return yan::delta_sum(w, t.split, m); }
    Seconds waited() const { return t.time.of(pass) - t.compute.of(pass); }
    /// The same machine computes and exchanges longest.
    bool computes_and_exchanges() const {
        const Seconds u = t.compute.of(pass), x = t.exchange.of(pass);
        return std::max(u, x) + (1.0 - k.overlap) * std::min(u, x) == t.time.of(pass);
    }
    /// Messages of the machine of a replica that exchanges longest for the item's layer, and whether it sends longer
    /// than it receives.
    struct Exchange {
        double machines;
        double elements;
        bool sends;
    };
    Exchange slowest() const;
};

inline Cpu::Exchange Cpu::slowest() const {
    const auto traffic = [&]() -> yan::MachineTraffic {
        const bool gradients = pass == 1;
        const auto& all = method.prepared.list;
        const int l = static_cast<int>(at);
        std::vector<std::int64_t> splits;
        for (const yan::LayerTimes& of_one : e.layers) splits.push_back(of_one.split);
        const yan::Layout layout{splits, k.partitions, e.placement ? &*e.placement : nullptr};
        if (method.prepared.options.worked_example) return yan::printed_traffic(all, l, splits, gradients);
        if (yan::is_even(all, l, layout)) return yan::even_traffic(all, l, splits[at], gradients);
        yan::Scratchpad pad;
        pad.make_room(splits.size(), layout.partitions);
        std::fill(pad.traffic.begin(), pad.traffic.end(), yan::MachineTraffic{});
        yan::add_traffic(all, l, layout, true, pad);
        if (!gradients) yan::add_traffic(all, l, layout, false, pad);
        return *std::max_element(pad.traffic.begin(), pad.traffic.end(), [&](const auto& a, const auto& b) {
            return yan::time_of(a, m, k.threads) < yan::time_of(b, m, k.threads);
        });
    }();
    const bool sends = yan::time_of({0, traffic.sent, 0, traffic.destinations}, m, k.threads) >
                       yan::time_of({traffic.received, 0, traffic.sources, 0}, m, k.threads);
    if (sends) return {traffic.destinations, traffic.sent, true};
    return {traffic.sources, traffic.received, false};
}

}  // namespace scalescope::explaining
