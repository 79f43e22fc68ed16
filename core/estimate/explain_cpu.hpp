// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "core/estimate/explain_rows.hpp"
#include "core/scenario/hardware.hpp"

/// What pages of CPU clusters take from the method (docs/decisions/cpu-clusters.md).
namespace scalescope::explaining {

/// Of 0 forward, 1 errors and 2 deltas, the pass that a page of a CPU cluster's layer is about.
inline std::size_t cpu_pass(const Item& item) {
    if (of_cpu_layer(item.topic)) return static_cast<std::size_t>(std::max(item.index, 0));
    return item.topic == Topic::layer_update ? 2 : index_of(item.pass);
}

/// A layer of the method's list, its largest segment. Passes: 0 forward, 1 errors, 2 deltas.
struct CpuLayer {
    std::size_t at;
    const yan::LayerWork& w;
    const yan::LayerTimes& t;
    double share, kept;  ///< of the layer that the segment has, and of its weights
    double reuse;        ///< multiply-adds that a loaded weight serves
    std::array<double, 3> adds{};
    bool listed = true;
    CpuLayer(std::size_t l, const yan::LayerWork& work, const yan::LayerTimes& times)
        : at(l), w(work), t(times), share(1), kept(1), reuse(1), listed(false) {}
    CpuLayer(const CpuMethod& method, const yan::Evaluation& e, std::size_t l)
        : at(l),
          w(method.prepared.list.layers[l]),
          t(e.layers[l]),
          share(yan::largest_share(w, t.split, method.prepared.options)),
          kept(w.replicates ? 1.0 : share),
          reuse(w.replicates ? std::max(1.0, w.reuse * share) : w.reuse),
          adds{share * w.forward_adds, share * w.backward_adds, share * w.delta_adds} {}
    Seconds waited(std::size_t pass) const { return t.time.of(pass) - t.compute.of(pass); }
};

/// Inputs and views cost nothing, and have no place in the list.
inline CpuLayer cpu_layer(const Context& c, int position) {
    const auto& layers = c.plan.cpu->prepared.list.layers;
    const auto it = std::find_if(layers.begin(), layers.end(), [&](const auto& w) { return w.position == position; });
    static const yan::LayerWork nothing;
    static const yan::LayerTimes no_time;
    if (it == layers.end()) return {0, nothing, no_time};
    return {*c.plan.cpu, *c.estimate.cpu, static_cast<std::size_t>(it - layers.begin())};
}

struct Cpu {
    const Context& c;
    const Item& item;
    const CpuMethod& method;
    const yan::Evaluation& e;
    const yan::Configuration& k;
    const CpuMachine& m;
    const yan::ServerLoad& load;
    const Summary& s;
    CpuLayer layer;    ///< the item's
    std::size_t pass;  ///< of the item

    Cpu(const Context& context, const Item& asked)
        : c(context),
          item(asked),
          method(*c.plan.cpu),
          e(*c.estimate.cpu),
          k(e.configuration),
          m(method.prepared.machine),
          load(e.score.load),
          s(c.estimate.summary),
          layer(cpu_layer(c, item.layer)),
          pass(cpu_pass(item)) {}
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
        for (const yan::LayerTimes& t : e.layers) sum += std::invoke(time, t);
        return factor() * sum;
    }
    Seconds exchange() const { return of_layers(&yan::LayerTimes::exposed); }
    Seconds hidden_exchange() const { return of_layers(&yan::LayerTimes::hidden); }
    Seconds local_updates() const {
        return of_layers([](const auto& t) { return t.compute.update; });
    }
    /// Of the step: messages to and from servers that are waited for, those that are not, and the servers' CPU time.
    Seconds sending() const { return alone() ? Seconds{} : settled(s.communication - exchange()); }
    Seconds hidden_sending() const { return alone() ? Seconds{} : settled(s.hidden - hidden_exchange()); }
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
    Seconds settled(Seconds t) const { return t.value > 1e-13 * s.step.value ? t : Seconds{}; }
    /// Of one multiply-add of the item's layer.
    Seconds multiply_add() const { return yan::multiply_add(m, k.threads, layer.t.compute.working_set, layer.reuse); }
    /// The share of all weights that the item's layer has.
    double share_of_weights() const {
        if (!layer.listed) return 0;
        return weights() > 0 ? layer.w.own_weights / weights() : 1.0 / static_cast<double>(e.layers.size());
    }
    /// Errors are dealt out like the inputs, or like the outputs: their number is what remains.
    double errors() const {
        if (pass != 1 || layer.w.errors <= 0 || m.error.value <= 0) return 0;
        return (layer.t.compute.backward - (layer.adds[1] > 0 ? layer.adds[1] * multiply_add() : Seconds{})) / m.error;
    }
    double sent() const {
        const double all = layer.w.own_weights, vectors = static_cast<double>(k.exchange_every) * layer.w.vectors;
        return vectors > 0.0 ? std::min(all, vectors) : all;
    }
    double found_at_servers() const {
        const Seconds service = load.server_network + load.server_cpu;
        return service.value > 0 ? e.queue.response / service - 1.0 : 0.0;
    }
    std::int64_t server_machines() const {
        const Point& p = c.estimate.point;
        return own_servers(c.scenario, p.updates, p.workers, p.servers);
    }
    const yan::EpochTimes& bound() const { return k.synchronous ? e.synchronous : e.asynchronous; }
    const LayerEstimate& row() const { return c.row(0, item.layer); }
    Seconds pass_time() const {
        return item.pass == Pass::forward      ? row().forward
               : item.pass == Pass::grad_input ? row().grad_input
                                               : Seconds{};
    }
    yan::DeltaSum ring() const { return yan::delta_sum(layer.w, layer.t.split, m); }
    /// The same machine computes and exchanges longest.
    bool computes_and_exchanges() const {
        const Seconds u = layer.t.compute.of(pass), x = layer.t.exchange.of(pass);
        return std::max(u, x) + (1.0 - k.overlap) * std::min(u, x) == layer.t.time.of(pass);
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
        const auto& list = method.prepared.list;
        const int l = static_cast<int>(layer.at);
        std::vector<std::int64_t> splits;
        for (const yan::LayerTimes& t : e.layers) splits.push_back(t.split);
        const yan::Layout layout{splits, k.partitions, e.placement ? &*e.placement : nullptr};
        if (method.prepared.options.worked_example) return yan::printed_traffic(list, l, splits, gradients);
        if (yan::is_even(list, l, layout)) return yan::even_traffic(list, l, splits[layer.at], gradients);
        yan::Scratchpad pad;
        pad.make_room(splits.size(), layout.partitions);
        std::fill(pad.traffic.begin(), pad.traffic.end(), yan::MachineTraffic{});
        yan::add_traffic(list, l, layout, true, pad);
        if (!gradients) yan::add_traffic(list, l, layout, false, pad);
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
