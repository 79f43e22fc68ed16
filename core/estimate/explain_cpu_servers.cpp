// SPDX-License-Identifier: GPL-3.0-or-later
// Traffic of a CPU cluster with its parameter servers, and what the step waits for.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_cpu.hpp"

namespace scalescope::explaining::cpus {
namespace {

Item with_index(Topic topic, int index) {
    Item item{topic};
    item.index = index;
    return item;
}

void replicas(Page& page, const Cpu& cpu) {
    page.field("R", "replicas", static_cast<double>(cpu.configuration().replicas), Measure::count, fields::workers);
}
void servers(Page& page, const Cpu& cpu) {
    page.field("S", "parameter servers", static_cast<double>(cpu.configuration().servers), Measure::count,
               "parallelism.servers");
}
void partitions(Page& page, const Cpu& cpu) {
    page.field("P", "machines of a replica", static_cast<double>(cpu.configuration().partitions), Measure::count,
               "cpu.partitions");
}
void worker_network(Page& page, const Cpu& cpu) {
    machine_figure(page, cpu, "w", "network of a worker, one way", cpu.machine().network.value, Measure::byte_rate,
                   "network_gb_s", "network_gb_s");
}
/// Servers on workers' machines have their network cards.
std::string server_network(Page& page, const Cpu& cpu) {
    if (cpu.configuration().servers_beside) {
        worker_network(page, cpu);
        return "w";
    }
    machine_figure(page, cpu, "w_s", "network of a server, one way", cpu.machine().server_network.value,
                   Measure::byte_rate, "server_network_gb_s", "server_network_gb_s");
    return "w_s";
}
void latency(Page& page, const Cpu& cpu) {
    machine_figure(page, cpu, "l", "start-up time of a message", cpu.machine().latency.value, Measure::seconds,
                   "latency_us", "latency_us");
}
void volumes(Page& page, const Cpu& cpu) {
    page.link("V_u", "sent to the servers", cpu.e.score.load.up.value, Measure::bytes, Item{Topic::cpu_upload});
    page.link("V_d", "fetched from them", cpu.e.score.load.down.value, Measure::bytes, Item{Topic::cpu_download});
}
void term(Page& page, const Cpu& cpu, yan::Resource r) {
    const yan::ServerLoad& load = cpu.e.score.load;
    if (r == yan::Resource::compute)
        page.link("c", "training of a replica", cpu.training().value, Measure::seconds,
                  with_index(Topic::cpu_exchange, 2), weaker(cpu.c.computing(), cpu.c.sending()));
    if (r == yan::Resource::worker_network)
        page.link("t_w", "a worker's network, one exchange", load.worker_network.value, Measure::seconds,
                  Item{Topic::cpu_worker_network}, cpu.c.sending());
    if (r == yan::Resource::server_network)
        page.link("t_n", "a server's network, one exchange", load.server_network.value, Measure::seconds,
                  Item{Topic::cpu_server_network}, cpu.c.sending());
    if (r == yan::Resource::server_cpu)
        page.link("t_s", "a server's processor, one exchange", load.server_cpu.value, Measure::seconds,
                  Item{Topic::cpu_server_cpu}, cpu.c.computing());
}

/// The bottleneck law of asynchronous steps: all replicas exchange once in a step.
std::string law(Page& page, const Cpu& cpu) {
    const yan::Configuration& c = cpu.configuration();
    for (std::size_t r = 0; r < yan::resource_count; ++r) term(page, cpu, static_cast<yan::Resource>(r));
    replicas(page, cpu);
    std::string text = "max(c, t_w, R*t_n, R*t_s";
    if (!c.exchange_beside_training) text += ", c + t_w";
    if (c.servers_beside) text += ", c + R*t_s, t_w + R*t_n";
    return text + ')';
}

bool queued(const Cpu& cpu) { return !cpu.configuration().synchronous && cpu.method.queueing; }

Page sending_page(const Cpu& cpu, const Item& item) {
    const yan::Configuration& c = cpu.configuration();
    const bool hidden = item.index == 1;
    const Seconds exposed = cpu.sending();
    const Seconds value = hidden ? cpu.settled(cpu.c.estimate.summary.hidden - cpu.hidden_exchange()) : exposed;
    Page page = cpu_page(cpu, item, hidden ? "t_h" : "t_v", value.value, Measure::seconds);
    const auto mode = [&] {
        page.fact("updates", c.synchronous ? "synchronous" : "asynchronous", "parallelism.updates");
    };
    if (hidden && (c.synchronous || queued(cpu))) {
        page.nothing("Replicas wait for their exchange with the servers.");
        mode();
        return page;
    }
    if (hidden) {
        term(page, cpu, yan::Resource::worker_network);
        if (exposed.value == 0) return page.formula("t_w");
        page.link("t_v", "waited for", exposed.value, Measure::seconds, with_index(Topic::cpu_sending, 0),
                  cpu.c.sending());
        return page.formula("max(0, t_w - t_v)");
    }
    if (c.synchronous) {
        volumes(page, cpu);
        partitions(page, cpu);
        worker_network(page, cpu);
        replicas(page, cpu);
        servers(page, cpu);
        const std::string rate = server_network(page, cpu);
        latency(page, cpu);
        const auto way = [&](const std::string& volume) {
            const std::string worker = volume + "/(P*w)", server = "R*" + volume + "/(S*" + rate + ')';
            return c.servers_beside ? worker + " + " + server : "max(" + worker + ", " + server + ')';
        };
        page.note(c.servers_beside ? "Workers and servers share their network cards."
                                   : "Each way takes as long as the slower of a replica's and the servers' networks.");
        return page.formula(way("V_u") + " + " + way("V_d") + " + 2*l");
    }
    if (queued(cpu)) {
        term(page, cpu, yan::Resource::worker_network);
        term(page, cpu, yan::Resource::server_network);
        return page.formula("t_w + t_n");
    }
    if (value.value == 0) {
        page.nothing("All replicas are served while they train: nothing is waited for on the network.");
        mode();
        return page;
    }
    page.note("Asynchronous: as long as whatever is busiest, less what the replicas train meanwhile.");
    return page.formula(law(page, cpu) + " - c");
}

Page serving_page(const Cpu& cpu, const Item& item) {
    const yan::Configuration& c = cpu.configuration();
    const bool in_update = item.index == 1;
    const Seconds value = in_update ? cpu.serving() : cpu.waiting_for_servers();
    Page page = cpu_page(cpu, item, "t", value.value, Measure::seconds);
    if (value.value == 0) {
        page.nothing(in_update ? "The servers stand on machines of their own, or keep up."
                               : "No replica waits for a server's processor.");
        return page.fact("servers on workers' machines", c.servers_beside ? "yes" : "no", "cpu.servers_beside");
    }
    if (c.synchronous) {
        term(page, cpu, yan::Resource::server_cpu);
        replicas(page, cpu);
        page.note("The servers apply the deltas of one replica after the other.");
        return page.formula("R*t_s");
    }
    if (queued(cpu)) {
        page.link("r", "queueing and service", cpu.e.queue.response.value, Measure::seconds, Item{Topic::cpu_queue},
                  cpu.c.computing());
        term(page, cpu, yan::Resource::server_network);
        return page.formula("r - t_n");
    }
    return page.formula(law(page, cpu) + " - c");
}

Page upload_page(const Cpu& cpu, const Item& item) {
    const auto& layers = cpu.method.prepared.list.layers;
    const auto sent = [&](const yan::LayerWork& w) {
        return w.vectors > 0.0
                   ? std::min(w.own_weights, static_cast<double>(cpu.configuration().exchange_every) * w.vectors)
                   : w.own_weights;
    };
    if (item.layer >= 0) {
        const auto at = cpu.layer_at(item.layer);
        Page page = cpu_page(cpu, item, "N", at ? sent(layers[*at]) : 0, Measure::count);
        if (!at || layers[*at].own_weights == 0)
            return page.nothing("The layer has no weights of its own.")
                .fact("network", cpu.c.part(0).network->name(), fields::workload);
        const yan::LayerWork& w = layers[*at];
        page.field("w", "weights", w.own_weights, Measure::count, fields::workload);
        if (!(w.vectors > 0)) return page.formula("w");
        page.samples("K", "samples of a replica in a step", 0);
        page.field("v", "activations and errors of a sample, whose product is the delta", w.vectors, Measure::count,
                   fields::workload);
        page.note("The servers form the product where the vectors are fewer than the weights.");
        return page.formula("min(w, K*v)");
    }
    std::vector<Term> terms;
    for (const yan::LayerWork& w : layers)
        terms.push_back({cpu.c.layer_name(0, w.position), sent(w), Item{Topic::cpu_upload, 0, w.position}});
    const bool rest = item.from > 0;
    Page page = cpu_page(cpu, item, rest ? "N" : "V_u", rest ? rest_of(terms, item.from) : cpu.e.score.load.up.value,
                         rest ? Measure::count : Measure::bytes);
    if (!rest)
        machine_figure(page, cpu, "w", "bytes of a weight", cpu.machine().weight_bytes.value, Measure::bytes,
                       "weight_bytes", "weight_bytes");
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "layers", "N");
    return page.formula(rest ? sum : sum.find(' ') == std::string::npos ? "w*" + sum : "w*(" + sum + ')');
}

Page download_page(const Cpu& cpu, const Item& item) {
    Page page = cpu_page(cpu, item, "V_d", cpu.e.score.load.down.value, Measure::bytes);
    machine_figure(page, cpu, "w", "bytes of a weight", cpu.machine().weight_bytes.value, Measure::bytes,
                   "weight_bytes", "weight_bytes");
    page.field("N", "weights of the network", cpu.method.prepared.weights.value, Measure::count, fields::workload);
    return page.formula("w*N");
}

Page binding_page(const Cpu& cpu, const Item& item) {
    const yan::EpochTimes& t = cpu.configuration().synchronous ? cpu.e.synchronous : cpu.e.asynchronous;
    Page page = cpu_page(cpu, item, "t", t.time.value, Measure::seconds);
    const std::string name(yan::name_of(t.binding));
    page.note("It is set by: " + name + ".");
    if (!cpu.configuration().synchronous) {
        page.note("The bottleneck law: asynchronous replicas train as fast as the busiest of all lets them.");
        return page.formula(law(page, cpu));
    }
    page.link("c", "training of a replica", cpu.training().value, Measure::seconds, with_index(Topic::cpu_exchange, 2),
              weaker(cpu.c.computing(), cpu.c.sending()));
    page.link("t_v", "messages to and from the servers", cpu.sending().value, Measure::seconds,
              with_index(Topic::cpu_sending, 0), cpu.c.sending());
    std::string text = "c + t_v";
    const Seconds served = cpu.configuration().servers_beside ? cpu.serving() : cpu.waiting_for_servers();
    page.link("t_s", "updates on the servers", served.value, Measure::seconds,
              with_index(Topic::cpu_serving, cpu.configuration().servers_beside ? 1 : 0), cpu.c.computing());
    text += " + t_s";
    if (cpu.stragglers().value > 0) {
        page.link("t_d", "waiting for the slowest replica", cpu.stragglers().value, Measure::seconds,
                  with_index(Topic::idle, 2), cpu.c.computing());
        text += " + t_d";
    }
    return page.formula(text);
}

Page staleness_page(const Cpu& cpu, const Item& item) {
    const yan::Configuration& c = cpu.configuration();
    const double value = c.synchronous ? 0.0 : static_cast<double>(c.replicas - 1);
    Page page = cpu_page(cpu, item, "d", value, Measure::number);
    if (c.synchronous)
        return page.nothing("All replicas update the weights in step.")
            .fact("updates", "synchronous", "parallelism.updates");
    replicas(page, cpu);
    page.note(
        "Updates of others between a replica's read of the weights and its own update. A replica makes X/R of all "
        "X updates, so that R - 1 of others come between two of its own (Little, 1961).");
    page.note("How much it slows learning down is not known here.");
    return page.formula("R - 1");
}

}  // namespace

Page server_page(const Cpu& cpu, const Item& item) {
    const yan::ServerLoad& load = cpu.e.score.load;
    switch (item.topic) {
        case Topic::cpu_sending: return sending_page(cpu, item);
        case Topic::cpu_serving: return serving_page(cpu, item);
        case Topic::cpu_upload: return upload_page(cpu, item);
        case Topic::cpu_download: return download_page(cpu, item);
        case Topic::cpu_worker_network: {
            Page page = cpu_page(cpu, item, "t_w", load.worker_network.value, Measure::seconds);
            volumes(page, cpu);
            partitions(page, cpu);
            worker_network(page, cpu);
            latency(page, cpu);
            return page.formula("(V_u + V_d)/(P*w) + 2*l");
        }
        case Topic::cpu_server_network: {
            Page page = cpu_page(cpu, item, "t_n", load.server_network.value, Measure::seconds);
            volumes(page, cpu);
            servers(page, cpu);
            const std::string rate = server_network(page, cpu);
            return page.formula("(V_u + V_d)/(S*" + rate + ')');
        }
        case Topic::cpu_server_cpu: {
            Page page = cpu_page(cpu, item, "t_s", load.server_cpu.value, Measure::seconds);
            page.field("N", "weights of the network", cpu.method.prepared.weights.value, Measure::count,
                       fields::workload);
            servers(page, cpu);
            machine_figure(page, cpu, "u", "weights that a server updates in a second",
                           cpu.machine().server_updates.value, Measure::number, "server_updates_per_s",
                           "server_updates_m_s");
            return page.formula("N/(S*u)");
        }
        case Topic::cpu_queue: {
            Page page = cpu_page(cpu, item, "r", cpu.e.queue.response.value, Measure::seconds);
            term(page, cpu, yan::Resource::server_network);
            term(page, cpu, yan::Resource::server_cpu);
            const Seconds service = load.server_network + load.server_cpu;
            page.field("Q", "replicas that are found at the servers, on average",
                       service.value > 0 ? cpu.e.queue.response / service - 1.0 : 0.0, Measure::number,
                       fields::workers);
            page.source("Exact mean value analysis: Reiser and Lavenberg, Journal of the ACM, 1980");
            return page.formula("(t_n + t_s)*(1 + Q)");
        }
        case Topic::cpu_binding: return binding_page(cpu, item);
        default: return staleness_page(cpu, item);
    }
}

}  // namespace scalescope::explaining::cpus
