// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of a CPU cluster waits for, traffic with its parameter servers, and what a person asks of it.
#include <algorithm>

#include "core/estimate/explain_cpu.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining::cpus {
namespace {

/// Exchange between the machines of a replica, layer by layer; index 1: what compute hides of it.
Page between_machines_page(const Cpu& x) {
    const bool hidden = x.item.index == 1;
    const Seconds all = hidden ? x.hidden_exchange() : x.exchange();
    if (all.value == 0)
        return x.nothing("t", Seconds{},
                         hidden ? "Compute hides none of it." : "The machines of a replica send each other nothing.",
                         "cpu.partitions");
    return x.sum("t", all, {}, at_index(hidden ? Topic::layer_hidden : Topic::layer_communication, 1),
                 [&](const Layer& l) { return x.factor() * (hidden ? l.t.hidden() : l.t.exposed()); });
}

/// Topic::cpu_exchange by its index: 2 a replica's training, K/H·T; 3 all that a step does; 4 deltas of all layers,
/// without what servers beside them do.
Page training_page(const Cpu& x) {
    switch (x.item.index) {
        case 2: return x.page("t", x.training(), "t_f + t_b + t_l + t_x");
        case 3:
            return x.page("t", x.s.forward + x.s.backward + x.s.update + x.s.communication, "t_f + t_b + t_u + t_c");
        case 4:
            return x.sum("t", x.local_updates(), "K/h*", at_index(Topic::cpu_compute, 2),
                         [](const Layer& l) { return l.t.compute.update; });
        default: return between_machines_page(x);
    }
}

Page communication_page(const Cpu& x) {
    const bool hidden = x.item.topic == Topic::hidden;
    const Seconds all = hidden ? x.s.hidden : x.s.communication, inside = hidden ? x.hidden_exchange() : x.exchange();
    const Leads servers{Topic::cpu_sending, hidden ? 1 : 0};
    Page page = x.page("t", all);
    if (x.alone())
        page.note("One machine that trains alone keeps its weights, and has no servers.");
    else
        put(page, hidden ? "h_v" : "t_v", "to and from the servers", all - inside, servers);
    if (!hidden && !x.alone())
        page.parts("Communication", all.value, Measure::seconds,
                   {{"Between machines", inside.value, at_index(Topic::cpu_exchange, 0)},
                    {"With servers", (all - inside).value, at_index(Topic::cpu_sending, 0)}});
    return x.tell(page, plus({hidden ? "h_x" : "t_x", x.alone() ? "" : hidden ? "h_v" : "t_v"}));
}

/// index 2: the slowest replica.
Page idle_page(const Cpu& x) {
    const Seconds stragglers = x.stragglers();
    if (x.item.index == 2) {
        if (stragglers.value == 0)
            return x.nothing("t_w", Seconds{}, "No replica is slower than another.", fields::spread);
        return x.page("t_w", stragglers, "rho*(2*0.6931471805599453*log2(R))^0.5*c")
            .source("Extreme values: Cram\u00e9r, Mathematical Methods of Statistics, 1946");
    }
    const std::string waits = plus({stragglers.value > 0 ? "t_d" : "", x.waiting_for_servers().value > 0 ? "t_p" : "",
                                    x.c.plan.overhead.value > 0 ? "t_o" : ""});
    const bool limited = x.c.plan.training.input_limit.value > 0;
    if (waits.empty() && !limited) return x.nothing("t_i", Seconds{}, "Nothing makes a machine wait.", fields::updates);
    const std::string input = limited ? "max(0, E/R_i - (" + plus({"t_a", waits}) + "))" : "";
    return x.page("t_i", x.s.idle, plus({waits, input}));
}

Page speedup_page(const Cpu& x) {
    const Estimate& e = x.c.estimate;
    const auto alone = [](Topic topic) {
        Item item{topic};
        item.baseline = true;
        return item;
    };
    Page page = x.page("S", {e.speedup, Measure::ratio});
    page.give({"t_1", "step of one machine alone", e.baseline.step, alone(Topic::step)});
    page.give({"E_1", "samples of its step", e.baseline.batch.effective, alone(Topic::effective_batch)});
    x.tell(page, "E*t_1/(E_1*t)");
    stack_step(page, "t");
    if (e.efficiency > 1)
        page.note(
            "More than one for each machine: a segment of the network fits into a faster cache, or into memory, where "
            "the whole does not.");
    return page.note("1\u00d7 is one machine that trains alone, with the whole network and no servers.");
}

Page cost_page(const Cpu& x) {
    const Estimate& e = x.c.estimate;
    Page page = x.page("C", {e.epoch_cost.value_or(0), Measure::dollars});
    put(page, "p", "price of a " + x.m.name, {x.m.price_per_hour.value_or(0), Measure::dollar_rate},
        "cluster.machine.price_usd_per_hour");
    page.note("An hour has 3,600 s.");
    page.note("Price: " + price_basis(x.c.scenario));
    const bool servers = own_servers(x.c.scenario, e.point.updates, e.point.workers, e.point.servers) > 0;
    return x.tell(page, servers ? "p*(n + n_s)*T/3600" : "p*n*T/3600");
}

/// E of all, or K of a replica.
Page batch_page(const Cpu& x) {
    const bool grows = x.c.batch_grows(), all = x.item.topic == Topic::effective_batch;
    Page page = x.page(all ? "E" : "K", all ? x.s.batch.effective : x.s.batch.per_replica);
    page.give({"B", grows ? "samples of a replica between two exchanges" : "samples of all replicas",
               x.c.estimate.point.batch, fields::batch});
    if (!all && !grows)  // those that there would be, were there samples for all
        page.give({"R", "replicas", std::max<std::int64_t>(1, x.c.workers() / x.k.partitions), fields::workers});
    return x.tell(page, all ? (grows ? "B*R" : "B") : (grows ? "B" : "ceil(B/R)"));
}

/// The bottleneck law of asynchronous steps: all replicas exchange once in a step.
std::string law(const Cpu& x) {
    std::string text = "max(c, t_w, R*t_n, R*t_s";
    if (!x.k.exchange_beside_training) text += ", c + t_w";
    if (x.k.servers_beside) text += ", c + R*t_s, t_w + R*t_n";
    return text + ')';
}

/// Servers on workers' machines have their network cards.
std::string server_rate(const Cpu& x) { return x.k.servers_beside ? "w" : "w_s"; }

Page hidden_page(const Cpu& x) {
    if (x.k.synchronous || x.queued())
        return x.nothing("t_h", Seconds{}, "Replicas wait for their exchange with the servers.", fields::updates);
    return x.page("t_h", x.hidden_sending(), x.sending().value == 0 ? "t_w" : "max(0, t_w - t_v)");
}

Page sending_page(const Cpu& x) {
    if (x.item.index == 1) return hidden_page(x);
    const Seconds value = x.sending();
    if (x.k.synchronous) {
        const auto way = [&](const std::string& volume) {
            const std::string worker = volume + "/(P*w)", server = "R*" + volume + "/(S*" + server_rate(x) + ')';
            return x.k.servers_beside ? worker + " + " + server : "max(" + worker + ", " + server + ')';
        };
        return x.page("t_v", value, way("V_u") + " + " + way("V_d") + " + 2*l")
            .note(x.k.servers_beside
                      ? "Workers and servers share their network cards."
                      : "Each way takes as long as the slower of a replica's and the servers' networks.");
    }
    if (x.queued()) return x.page("t_v", value, "t_w + t_n");
    if (value.value == 0)
        return x.nothing("t_v", Seconds{},
                         "All replicas are served while they train: nothing is waited for on the network.",
                         fields::updates);
    return x.page("t_v", value, law(x) + " - c")
        .note("Asynchronous: as long as whatever is busiest, less what the replicas train meanwhile.");
}

Page serving_page(const Cpu& x) {
    const bool in_update = x.item.index == 1;
    const Seconds value = in_update ? x.serving() : x.waiting_for_servers();
    if (value.value == 0)
        return x.nothing("t", Seconds{},
                         in_update ? "The servers stand on machines of their own, or keep up."
                                   : "No replica waits for a server's processor.",
                         "cpu.servers_beside");
    if (x.k.synchronous)
        return x.page("t", value, "R*t_s").note("The servers apply the deltas of one replica after the other.");
    return x.page("t", value, x.queued() ? "t_q - t_n" : law(x) + " - c");
}

Page upload_page(const Cpu& x) {
    const auto sent = [&](const Layer& l) {
        const double all = l.w.own_weights;
        return l.w.vectors > 0.0 ? std::min(all, static_cast<double>(x.k.exchange_every) * l.w.vectors) : all;
    };
    if (x.item.layer < 0) return x.sum("V_u", x.load.up, "b_w*", Item{Topic::cpu_upload}, sent);
    if (!x.layer || x.layer->w.own_weights == 0) return x.nothing("N", 0.0, "The layer has no weights of its own.");
    if (!(x.layer->w.vectors > 0)) return x.page("N", sent(*x.layer), "N_l");
    return x.page("N", sent(*x.layer), "min(N_l, K*v)")
        .note("The servers form the product where the vectors are fewer than the weights.");
}

Page binding_page(const Cpu& x) {
    const yan::EpochTimes& t = x.k.synchronous ? x.e.synchronous : x.e.asynchronous;
    const std::string together =
        plus({"c", "t_v", x.k.servers_beside ? "t_m" : "t_p", x.stragglers().value > 0 ? "t_d" : ""});
    Page page = x.page("t", t.time, x.k.synchronous ? together : law(x));
    page.note("It is set by: " + std::string(yan::name_of(t.binding)) + '.');
    if (!x.k.synchronous)
        page.note("The bottleneck law: asynchronous replicas train as fast as the busiest of all lets them.");
    return page;
}

Page staleness_page(const Cpu& x) {
    if (x.k.synchronous) return x.nothing("d", 0.0, "All replicas update the weights in step.", fields::updates);
    return x.page("d", static_cast<double>(x.k.replicas - 1), "R - 1")
        .note(
            "Updates of others between a replica's read of the weights and its own update. A replica makes X/R of all "
            "X updates, so that R - 1 of others come between two of its own (Little, 1961).")
        .note("How much it slows learning down is not known here.");
}

}  // namespace

std::span<const Row> step_pages() {
    static constexpr Row pages[] = {
        {Topic::communication, communication_page},
        {Topic::hidden, communication_page},
        {Topic::idle, idle_page},
        {Topic::cpu_exchange, training_page},
        {Topic::speedup, speedup_page},
        {Topic::cost, cost_page},
        {Topic::idle_share,
         [](const Cpu& x) { return x.page("u", Fraction{x.c.estimate.idle_share}, "1 - (t - t_i)/t*R*P/n"); }},
        {Topic::effective_batch, batch_page},
        {Topic::samples, batch_page},
        {Topic::cpu_sending, sending_page},
        {Topic::cpu_serving, serving_page},
        {Topic::cpu_upload, upload_page},
        {Topic::cpu_binding, binding_page},
        {Topic::cpu_staleness, staleness_page},
        {Topic::cpu_download, [](const Cpu& x) { return x.page("V_d", x.load.down, "b_w*N"); }},
        {Topic::cpu_worker_network,
         [](const Cpu& x) { return x.page("t_w", x.load.worker_network, "(V_u + V_d)/(P*w) + 2*l"); }},
        {Topic::cpu_server_network,
         [](const Cpu& x) { return x.page("t_n", x.load.server_network, "(V_u + V_d)/(S*" + server_rate(x) + ')'); }},
        {Topic::cpu_server_cpu, [](const Cpu& x) { return x.page("t_s", x.load.server_cpu, "N/(S*u)"); }},
        {Topic::cpu_queue, [](const Cpu& x) {
             return x.page("r", x.e.queue.response, "(t_n + t_s)*(1 + Q)")
                 .source("Exact mean value analysis: Reiser and Lavenberg, Journal of the ACM, 1980");
         }}};
    return pages;
}

}  // namespace scalescope::explaining::cpus
