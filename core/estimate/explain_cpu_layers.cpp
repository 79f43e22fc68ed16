// SPDX-License-Identifier: GPL-3.0-or-later
// One layer on a CPU cluster: its largest segment's compute, and what its machines exchange.
#include <algorithm>
#include <array>

#include "core/base/format.hpp"
#include "core/estimate/explain_cpu.hpp"

namespace scalescope::explaining::cpus {
namespace {

constexpr std::array<const char*, 3> pass_words{"forward", "backward", "deltas"};

/// A layer of the method's list, and its pass: 0 forward, 1 errors, 2 deltas.
struct Layer {
    const Cpu& cpu;
    std::size_t at;
    const yan::LayerWork& w;
    const yan::LayerTimes& t;
    double share, kept;
    Layer(const Cpu& of, std::size_t l)
        : cpu(of),
          at(l),
          w(of.method.prepared.list.layers[l]),
          t(of.e.layers[l]),
          share(yan::largest_share(w, t.split, of.method.prepared.options)),
          kept(w.replicates ? 1.0 : share) {}
    double adds(int pass) const {
        return share * (pass == 0 ? w.forward_adds : pass == 1 ? w.backward_adds : w.delta_adds);
    }
    Seconds compute(int pass) const {
        return pass == 0 ? t.compute.forward : pass == 1 ? t.compute.backward : t.compute.update;
    }
    Seconds exchange(int pass) const {
        return pass == 0 ? t.forward_exchange : pass == 1 ? t.backward_exchange : t.update_exchange;
    }
    Seconds total(int pass) const { return pass == 0 ? t.forward : pass == 1 ? t.backward : t.update; }
    Seconds waited(int pass) const { return total(pass) - compute(pass); }
    double reuse() const { return w.replicates ? std::max(1.0, w.reuse * share) : w.reuse; }
};

Item of_layer(Topic topic, int position, int index) {
    Item item{topic, 0, position};
    item.index = index;
    return item;
}

Page free_layer(Page page) {
    return page.nothing("Inputs and views cost nothing.")
        .fact("network", page.context().part(0).network->name(), fields::workload);
}

Page pass_page(const Cpu& cpu, const Item& item) {
    const LayerEstimate& row = cpu.c.row(0, item.layer);
    const auto at = cpu.layer_at(item.layer);
    const int pass = item.topic == Topic::layer_update ? 2 : item.pass == Pass::forward ? 0 : 1;
    if (item.topic == Topic::layer_pass && item.pass == Pass::grad_weights) {
        Page page = cpu_page(cpu, item, "t", 0, Measure::seconds);
        page.nothing("Deltas of weights are counted in the update.");
        return page.fact("network", cpu.c.part(0).network->name(), fields::workload);
    }
    const Seconds value = pass == 0 ? row.forward : pass == 1 ? row.grad_input : row.update;
    Page page = cpu_page(cpu, item, "t", value.value, Measure::seconds);
    if (!at) return free_layer(std::move(page));
    const Layer layer(cpu, *at);
    page.formula(training_factor(page, cpu) + "*U");
    page.link("U", std::string("one sample on one thread, ") + pass_words[static_cast<std::size_t>(pass)],
              layer.compute(pass).value, Measure::seconds, of_layer(Topic::cpu_compute, item.layer, pass),
              cpu.c.computing());
    if (pass == 2 && cpu.serving().value > 0) {
        page.formula(" + s*t_s");
        page.field("s", "the layer's share of all weights", layer.w.own_weights / cpu.method.prepared.weights.value,
                   Measure::number, fields::workload);
        page.link("t_s", "servers on the workers' machines", cpu.serving().value, Measure::seconds,
                  of_layer(Topic::cpu_serving, -1, 1), cpu.c.computing());
    }
    if (layer.t.split > 1) page.note("Of the largest of " + format_count(layer.t.split) + " segments.");
    return page;
}

Page compute_page(const Cpu& cpu, const Item& item, const Layer& layer) {
    const int pass = item.index;
    const CpuMachine& m = cpu.machine();
    Page page = cpu_page(cpu, item, "U", layer.compute(pass).value, Measure::seconds);
    std::string text;
    const auto add = [&](const std::string& product) { text += (text.empty() ? "" : " + ") + product; };
    if (layer.adds(pass) > 0) {
        page.field("A", "multiply-adds of the largest segment", layer.adds(pass), Measure::count, fields::workload);
        const Seconds each =
            yan::multiply_add(m, cpu.configuration().threads, layer.t.compute.working_set, layer.reuse());
        page.link("C", "one multiply-add", each.value, Measure::seconds,
                  of_layer(Topic::cpu_multiply_add, item.layer, pass), cpu.c.computing());
        add("A*C");
    }
    const auto each = [&](const char* count, const char* words, double n, const char* symbol, const char* what,
                          Seconds time, const char* name) {
        if (n <= 0) return;
        page.field(count, words, n, Measure::count, fields::workload);
        machine_figure(page, cpu, symbol, what, time.value, Measure::seconds, name, name);
        add(std::string(count) + '*' + symbol);
    };
    if (pass == 0) {
        each("n", "outputs, or comparisons of a window", layer.w.activations * layer.share, "C_a", "one of them",
             m.activation, "activation_ns");
        each("x", "outputs of a softmax", layer.w.exponentials * layer.share, "C_x", "an exponential", m.exponential,
             "exponential_ns");
    } else if (pass == 1) {
        // errors are dealt out like the inputs, or like the outputs: their number is what remains
        const Seconds products = layer.adds(1) > 0
                                     ? layer.adds(1) * yan::multiply_add(m, cpu.configuration().threads,
                                                                         layer.t.compute.working_set, layer.reuse())
                                     : Seconds{};
        const double errors = m.error.value > 0 ? (layer.compute(1) - products) / m.error : 0.0;
        each("n", "error terms", layer.w.errors > 0 ? errors : 0.0, "C_e", "one of them", m.error, "error_ns");
    } else {
        const double updates = layer.w.updated * layer.kept;
        if (updates > 0) {
            each("w", "weights of the largest segment", updates, "C_u", "one local update", m.update, "update_ns");
            if (cpu.configuration().local_update == LocalUpdate::per_exchange) {
                page.samples("K", "samples of a replica in a step", 0);
                text += "/K";
            }
        }
    }
    if (text.empty())
        return page.nothing("The layer does nothing in this pass.")
            .fact("network", cpu.c.part(0).network->name(), fields::workload);
    return page.formula(text);
}

Page multiply_add_page(const Cpu& cpu, const Item& item, const Layer& layer) {
    const CpuMachine& m = cpu.machine();
    const yan::Configuration& c = cpu.configuration();
    const yan::CacheTier tier = layer.t.compute.tier;
    const Seconds value = yan::multiply_add(m, c.threads, layer.t.compute.working_set, layer.reuse());
    Page page = cpu_page(cpu, item, "C", value.value, Measure::seconds);
    const bool l2 = tier == yan::CacheTier::l2, memory = tier == yan::CacheTier::memory;
    const char* name = l2 ? "multiply_add_l2_ns" : memory ? "multiply_add_memory_ns" : "multiply_add_l3_ns";
    machine_figure(page, cpu, "C_1",
                   l2       ? "of one thread, weights in the second-level cache"
                   : memory ? "of one thread, weights in memory"
                            : "of one thread, weights in the last-level cache",
                   (l2       ? m.multiply_add_l2
                    : memory ? m.multiply_add_memory
                             : m.multiply_add_l3)
                       .value,
                   Measure::seconds, name, name);
    machine_figure(page, cpu, "k", "contention, by which each further thread slows all", m.contention, Measure::number,
                   "contention", "contention");
    page.field("h", "threads of a machine", static_cast<double>(c.threads), Measure::count, "cpu.threads");
    std::string text = "C_1*(1 + k*(h - 1)";
    if (c.threads > m.cores) {
        machine_figure(page, cpu, "k_b", "contention beyond the cores", m.contention_beyond_cores, Measure::number,
                       "contention_beyond_cores", "contention_beyond_cores");
        machine_figure(page, cpu, "n", "cores", static_cast<double>(m.cores), Measure::count, "cores", "cores");
        text += " + k_b*(h - n)";
    }
    text += ')';
    if (memory) {
        machine_figure(page, cpu, "b", "bytes of a weight", m.weight_bytes.value, Measure::bytes, "weight_bytes",
                       "weight_bytes");
        machine_figure(page, cpu, "W", "memory bandwidth of the machine", m.memory_bandwidth.value, Measure::byte_rate,
                       "memory_bandwidth_gb_s", "memory_bandwidth_gb_s");
        page.field("r", "multiply-adds that each loaded weight serves", layer.reuse(), Measure::number,
                   fields::workload);
        text = "max(" + text + ", b*h/(r*W))";
        page.note("Weights stream from memory: no thread is faster than its share of the memory's bandwidth.");
    }
    page.fact("bytes that the segment's weights fill", format_bytes_binary(layer.t.compute.working_set),
              of_layer(Topic::cpu_working_set, item.layer, item.index));
    return page.formula(text);
}

Page working_set_page(const Cpu& cpu, const Item& item, const Layer& layer) {
    const CpuMachine& m = cpu.machine();
    Page page = cpu_page(cpu, item, "D", layer.t.compute.working_set.value, Measure::bytes);
    const bool weights = layer.w.weights > 0;
    if (!weights && !layer.w.is_product)
        return page.nothing("The layer has no weights.")
            .fact("network", cpu.c.part(0).network->name(), fields::workload);
    if (weights)
        machine_figure(page, cpu, "b", "bytes of a weight", m.weight_bytes.value, Measure::bytes, "weight_bytes",
                       "weight_bytes");
    else
        machine_figure(page, cpu, "b", "bytes of an activation", m.activation_bytes.value, Measure::bytes,
                       "activation_bytes", "activation_bytes");
    page.field("N", weights ? "weights" : "inputs of both factors", weights ? layer.w.weights : layer.w.inputs,
               Measure::count, fields::workload);
    const double share = weights ? layer.kept : layer.share;
    if (share == 1) {
        if (layer.t.split > 1) page.note("Split by rows, every machine has all kernels.");
        return page.formula("b*N");
    }
    page.link("s", "share of the largest segment", share, Measure::number, Item{Topic::share, 0, item.layer});
    return page.formula("b*N*s");
}

/// Of the machine that exchanges longest.
Page exchange_page(const Cpu& cpu, const Item& item, const Layer& layer) {
    const CpuMachine& m = cpu.machine();
    const auto threads = static_cast<double>(cpu.configuration().threads);
    const Seconds value = layer.exchange(item.index);
    Page page = cpu_page(cpu, item, "M", value.value, Measure::seconds);
    const auto partitions = [&] {
        page.fact("machines of a replica", format_count(cpu.configuration().partitions), "cpu.partitions");
    };
    if (value.value == 0) {
        page.nothing("Its machines have all they need.");
        partitions();
        return page;
    }
    const auto network = [&] {
        machine_figure(page, cpu, "w", "network of a machine, one way", m.network.value, Measure::byte_rate,
                       "network_gb_s", "network_gb_s");
    };
    if (item.index == 2) {
        const yan::DeltaSum sum = yan::delta_sum(layer.w, layer.t.split, m);
        page.field("t_1", "start-up times of summing the kernels' deltas in a ring", sum.start_up.value,
                   Measure::seconds, "cluster.machine.latency_us");
        page.field("D", "bytes that each machine passes on, 2(p \u2212 1)/p of the weights",
                   sum.transfer.value * m.network.value, Measure::bytes, "cpu.partitions");
        network();
        page.field("h", "threads of a machine", threads, Measure::count, "cpu.threads");
        if (cpu.configuration().local_update == LocalUpdate::per_sample) return page.formula("t_1 + h*D/w");
        page.samples("K", "samples of a replica in a step", 0);
        return page.formula("(t_1 + D/w)*h/K");
    }
    // Whatever its machines' traffic is, the slowest has so many partners and elements.
    const yan::MachineTraffic traffic = cpu.slowest_traffic(layer.at, item.index == 1);
    const bool sends = yan::time_of({0, traffic.sent, 0, traffic.destinations}, m, cpu.configuration().threads) >
                       yan::time_of({traffic.received, 0, traffic.sources, 0}, m, cpu.configuration().threads);
    page.field("k", sends ? "machines it sends to" : "machines it receives from",
               sends ? traffic.destinations : traffic.sources, Measure::count, "cpu.partitions");
    machine_figure(page, cpu, "l", "start-up time of a message", m.latency.value, Measure::seconds, "latency_us",
                   "latency_us");
    page.field("r", sends ? "elements it sends" : "elements it receives", sends ? traffic.sent : traffic.received,
               Measure::count, "cpu.partitions");
    machine_figure(page, cpu, "b", "bytes of an activation", m.activation_bytes.value, Measure::bytes,
                   "activation_bytes", "activation_bytes");
    page.field("h", "threads, which share the network", threads, Measure::count, "cpu.threads");
    network();
    return page.formula("k*l + r*b*h/w");
}

Page waited_page(const Cpu& cpu, const Item& item, const Layer& layer) {
    const Seconds waited = layer.waited(item.index), compute = layer.compute(item.index),
                  exchange = layer.exchange(item.index);
    const double overlap = cpu.configuration().overlap;
    Page page = cpu_page(cpu, item, "e", waited.value, Measure::seconds);
    const Seconds together = std::max(compute, exchange) + (1.0 - overlap) * std::min(compute, exchange);
    const auto link_exchange = [&] {
        page.link("M", "exchange", exchange.value, Measure::seconds,
                  of_layer(Topic::cpu_layer_exchange, item.layer, item.index), cpu.c.sending());
    };
    if (exchange.value == 0) {
        link_exchange();
        return page.formula("M");
    }
    page.link("U", "compute", compute.value, Measure::seconds, of_layer(Topic::cpu_compute, item.layer, item.index),
              cpu.c.computing());
    if (together == layer.total(item.index)) {
        link_exchange();
        if (overlap == 0) return page.formula("U + M - U");
        page.field("o", "share of the shorter that hides", overlap, Measure::percent, "cpu.overlap");
        return page.formula("max(U, M) + (1 - o)*min(U, M) - U");
    }
    page.field("T", "the machine that takes longest: its compute and its exchange", layer.total(item.index).value,
               Measure::seconds, "cpu.partitions");
    page.note(
        "The machines of the replica have different things to do: one that exchanges most need not be one that "
        "computes.");
    return page.formula("T - U");
}

/// All of a layer's messages; index 1: those between the machines of a replica alone.
Page messages_page(const Cpu& cpu, const Item& item) {
    const bool hidden = item.topic == Topic::layer_hidden, inside = item.index == 1;
    const LayerEstimate& row = cpu.c.row(0, item.layer);
    const auto at = cpu.layer_at(item.layer);
    if (!at) return free_layer(cpu_page(cpu, item, "t", 0, Measure::seconds));
    const Layer layer(cpu, *at);
    const Seconds own = cpu.factor() * (hidden ? layer.t.hidden() : layer.t.exposed());
    const Seconds value = inside ? own : hidden ? row.hidden : row.communication;
    Page page = cpu_page(cpu, item, "t", value.value, Measure::seconds);
    std::string all, waited;
    for (int pass = 0; pass < 3; ++pass) {
        const std::string at_pass = pass == 0 ? "_f" : pass == 1 ? "_b" : "_w";
        const char* words = pass_words[static_cast<std::size_t>(pass)];
        if (layer.exchange(pass).value == 0) continue;
        page.link("e" + at_pass, std::string("waited for, ") + words, layer.waited(pass).value, Measure::seconds,
                  of_layer(Topic::cpu_layer_waited, item.layer, pass), cpu.c.sending());
        waited += (waited.empty() ? "e" : " + e") + at_pass;
        if (!hidden) continue;
        page.link("M" + at_pass, std::string("exchange, ") + words, layer.exchange(pass).value, Measure::seconds,
                  of_layer(Topic::cpu_layer_exchange, item.layer, pass), cpu.c.sending());
        all += (all.empty() ? "M" : " + M") + at_pass;
    }
    std::string text;
    if (!waited.empty()) {
        text = training_factor(page, cpu);
        text += hidden ? "*max(0, " + all + " - (" + waited + "))" : "*(" + waited + ')';
    }
    const Seconds servers = hidden ? cpu.settled(cpu.c.estimate.summary.hidden - cpu.hidden_exchange()) : cpu.sending();
    const double share = cpu.method.prepared.weights.value > 0 ? layer.w.own_weights / cpu.method.prepared.weights.value
                                                               : 1.0 / static_cast<double>(cpu.e.layers.size());
    if (!inside && servers.value > 0 && share > 0) {
        text += text.empty() ? "s*t_v" : " + s*t_v";
        page.field("s", "the layer's share of all weights", share, Measure::number, fields::workload);
        page.link("t_v", "to and from the servers", servers.value, Measure::seconds,
                  of_layer(Topic::cpu_sending, -1, hidden ? 1 : 0), cpu.c.sending());
    }
    if (!text.empty()) return page.formula(text);
    page.nothing(hidden ? "Compute hides nothing." : "Nothing is sent for this layer.");
    return page.fact("machines of a replica", format_count(cpu.configuration().partitions), "cpu.partitions");
}

Page share_page(const Cpu& cpu, const Item& item, const Layer& layer) {
    Page page = cpu_page(cpu, item, "s", layer.share, Measure::number);
    page.field("p", "segments", static_cast<double>(layer.t.split), Measure::count, "cpu.partitions");
    if (cpu.method.prepared.options.worked_example) return page.formula("1/p");
    page.field("x", "rows, channels or units that it can be cut into", static_cast<double>(layer.w.extent),
               Measure::count, fields::workload);
    return page.formula("ceil(x/p)/x");
}

}  // namespace

Page layer_page(const Cpu& cpu, const Item& item) {
    const auto at = cpu.layer_at(item.layer);
    switch (item.topic) {
        case Topic::layer_pass:
        case Topic::layer_update: return pass_page(cpu, item);
        case Topic::layer_communication:
        case Topic::layer_hidden: return messages_page(cpu, item);
        case Topic::layer_bytes: {
            Page page = cpu_page(cpu, item, "D", 0, Measure::bytes);
            page.nothing(
                "Memory traffic is not counted by itself here: the time of a multiply-add says where weights lie.");
            return page.fact("network", cpu.c.part(0).network->name(), fields::workload);
        }
        default: break;
    }
    if (!at) {
        const bool share = item.topic == Topic::share;
        Page page = cpu_page(cpu, item, share ? "s" : "F", share ? 1 : 0, share ? Measure::number : Measure::flops);
        if (!share) return free_layer(std::move(page));
        page.formula("1");
        return page.fact("network", cpu.c.part(0).network->name(), fields::workload);
    }
    const Layer layer(cpu, *at);
    switch (item.topic) {
        case Topic::share: return share_page(cpu, item, layer);
        case Topic::cpu_compute: return compute_page(cpu, item, layer);
        case Topic::cpu_multiply_add: return multiply_add_page(cpu, item, layer);
        case Topic::cpu_working_set: return working_set_page(cpu, item, layer);
        case Topic::cpu_layer_exchange: return exchange_page(cpu, item, layer);
        case Topic::cpu_layer_waited: return waited_page(cpu, item, layer);
        default: {
            const int pass = item.pass == Pass::forward ? 0 : item.pass == Pass::grad_input ? 1 : 2;
            Page page = cpu_page(cpu, item, "F", 2.0 * layer.adds(pass), Measure::flops);
            if (layer.adds(pass) == 0)
                return page.nothing("No multiply-adds in this pass.")
                    .fact("network", cpu.c.part(0).network->name(), fields::workload);
            page.field("A", "multiply-adds of a sample, of the largest segment", layer.adds(pass), Measure::count,
                       fields::workload);
            page.note("A multiply-add counts as two operations.");
            return page.formula("2*A");
        }
    }
}

}  // namespace scalescope::explaining::cpus
