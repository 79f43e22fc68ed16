// SPDX-License-Identifier: GPL-3.0-or-later
// One layer on a CPU cluster: its largest segment's compute, and what its machines exchange; memory of the fullest
// machine.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_cpu.hpp"

namespace scalescope::explaining::cpus {
namespace {

Page free_layer(const Cpu& x, const char* symbol, const Amount& zero) {
    return x.nothing(symbol, zero, "Inputs and views cost nothing.");
}

Page pass_page(const Cpu& x) {
    if (x.item.topic == Topic::layer_pass && x.item.pass == Pass::grad_weights)
        return x.nothing("t", Seconds{}, "Deltas of weights are counted in the update.");
    if (!x.layer) return free_layer(x, "t", Seconds{});
    const LayerEstimate& row = x.c.row(0, x.item.layer);
    const Seconds of_passes[] = {row.forward, row.grad_input, row.update};
    const bool servers = x.pass == 2 && x.serving().value > 0;
    Page page = x.page("t", of_passes[x.pass], plus({"K/h*U", servers ? "q*t_m" : ""}));
    if (x.layer->t.split > 1) page.note("Of the largest of " + format_count(x.layer->t.split) + " segments.");
    return page;
}

/// Each product where there is anything to compute.
Page compute_page(const Cpu& x) {
    const yan::LayerWork& w = x.layer->w;
    const bool forward = x.pass == 0, back = x.pass == 1, deltas = x.pass == 2;
    const bool once = x.k.local_update == LocalUpdate::per_exchange;
    const std::string text = plus(
        {x.layer->adds[x.pass] > 0 ? "A*C" : "", forward && w.activations > 0 ? "n_a*C_a" : "",
         forward && w.exponentials > 0 ? "n_x*C_x" : "", back && w.errors > 0 && x.m.error.value > 0 ? "n_e*C_e" : "",
         deltas && w.updated > 0 ? (once ? "n_u*C_u/K" : "n_u*C_u") : ""});
    if (text.empty()) return x.nothing("U", Seconds{}, "The layer does nothing in this pass.");
    return x.page("U", x.layer->t.compute.of(x.pass), text);
}

Page multiply_add_page(const Cpu& x) {
    const yan::CacheTier tier = x.layer->t.compute.tier;
    const bool memory = tier == yan::CacheTier::memory;
    std::string text = memory ? "C_m" : tier == yan::CacheTier::l2 ? "C_2" : "C_3";
    text += x.k.threads > x.m.cores ? "*(1 + k*(h - 1) + k_b*(h - n_c))" : "*(1 + k*(h - 1))";
    if (memory) text = "max(" + text + ", b_w*h/(r*W))";
    Page page = x.page("C", x.multiply_add(), text);
    if (memory) page.note("Weights stream from memory: no thread is faster than its share of the memory's bandwidth.");
    Item bytes = x.item;
    bytes.topic = Topic::cpu_working_set;
    return page.fact("bytes that the segment's weights fill", format_bytes_binary(x.layer->t.compute.working_set),
                     bytes);
}

Page working_set_page(const Cpu& x) {
    const bool weights = x.layer->w.weights > 0;
    if (!weights && !x.layer->w.is_product) return x.nothing("D", Bytes{}, "The layer has no weights.");
    const bool whole = (weights ? x.layer->kept : x.layer->share) == 1;
    Page page =
        x.page("D", x.layer->t.compute.working_set, std::string(weights ? "b_w*N_w" : "b_a*N_f") + (whole ? "" : "*s"));
    if (whole && x.layer->t.split > 1) page.note("Split by rows, every machine has all kernels.");
    return page;
}

/// Of the machine that exchanges longest.
Page exchange_page(const Cpu& x) {
    const Seconds value = x.layer->t.exchange.of(x.pass);
    if (value.value == 0) return x.nothing("M", Seconds{}, "Its machines have all they need.", "cpu.partitions");
    if (x.pass == 2) {
        const bool each = x.k.local_update == LocalUpdate::per_sample;
        return x.page("M", value, each ? "t_r + h*D_r/w" : "(t_r + D_r/w)*h/K");
    }
    // The page shows the machine whose traffic takes longest.
    const yan::MachineTraffic traffic = x.slowest_traffic(x.pass == 1);
    const bool sends = yan::time_of({0, traffic.sent, 0, traffic.destinations}, x.m, x.k.threads) >
                       yan::time_of({traffic.received, 0, traffic.sources, 0}, x.m, x.k.threads);
    Page page = x.page("M", value);
    page.note("The threads share the network.");
    page.give({"j", sends ? "machines it sends to" : "machines it receives from",
               sends ? traffic.destinations : traffic.sources, "cpu.partitions"});
    page.give({"z", sends ? "elements it sends" : "elements it receives", sends ? traffic.sent : traffic.received,
               "cpu.partitions"});
    return x.tell(page, "j*l + z*b_a*h/w");
}

Page waited_page(const Cpu& x) {
    const Seconds waited = x.layer->waited(x.pass), compute = x.layer->t.compute.of(x.pass),
                  exchange = x.layer->t.exchange.of(x.pass), total = x.layer->t.time.of(x.pass);
    if (exchange.value == 0) return x.page("e", waited, "M");
    if (std::max(compute, exchange) + (1.0 - x.k.overlap) * std::min(compute, exchange) == total)
        return x.page("e", waited, x.k.overlap == 0 ? "U + M - U" : "max(U, M) + (1 - o)*min(U, M) - U");
    return x.page("e", waited, "T_l - U")
        .note(
            "The machines of the replica have different things to do: one that exchanges most need not be one that "
            "computes.");
}

/// All of a layer's messages; index 1: those between the machines of a replica alone.
Page messages_page(const Cpu& x) {
    if (!x.layer) return free_layer(x, "t", Seconds{});
    const bool hidden = x.item.topic == Topic::layer_hidden, inside = x.item.index == 1;
    const LayerEstimate& row = x.c.row(0, x.item.layer);
    const Seconds own = x.factor() * (hidden ? x.layer->t.hidden() : x.layer->t.exposed());
    Page page = x.page("t", inside ? own : hidden ? row.hidden : row.communication);
    constexpr std::pair<const char*, const char*> passes[] = {{"f", "forward"}, {"b", "backward"}, {"w", "deltas"}};
    std::vector<Given> exchanges, waits;
    for (std::size_t pass = 0; pass < 3; ++pass) {
        const auto [letter, word] = passes[pass];
        const Seconds exchange = x.layer->t.exchange.of(pass);
        const auto page_of_pass = [&](Topic topic) { return at_index(topic, static_cast<int>(pass), 0, x.item.layer); };
        if (exchange.value == 0) continue;
        exchanges.push_back({std::string("M_") + letter, std::string("exchange, ") + word, exchange,
                             page_of_pass(Topic::cpu_layer_exchange)});
        waits.push_back({std::string("e_") + letter, std::string("waited for, ") + word, x.layer->waited(pass),
                         page_of_pass(Topic::cpu_layer_waited)});
    }
    std::string text = page.joined(waits);
    if (!text.empty())
        text = hidden ? "K/h*max(0, " + page.joined(exchanges) + " - (" + text + "))" : "K/h*(" + text + ')';
    const bool servers = !inside && (hidden ? x.hidden_sending() : x.sending()).value > 0 &&
                         (x.layer->w.own_weights > 0 || x.weights() <= 0);
    if (servers) text = plus({text, hidden ? "q*h_v" : "q*t_v"});
    if (!text.empty()) return x.tell(page, text);
    return x.nothing("t", Seconds{}, hidden ? "Compute hides nothing." : "Nothing is sent for this layer.",
                     "cpu.partitions");
}

Page share_page(const Cpu& x) {
    if (!x.layer) return x.with_fact(x.page("s", 1.0, "1"), fields::workload);
    return x.page("s", x.layer->share, x.method.prepared.options.worked_example ? "1/p" : "ceil(x/p)/x");
}

Page flops_page(const Cpu& x) {
    if (!x.layer) return free_layer(x, "F", Flops{});
    if (x.layer->adds[x.pass] == 0) return x.nothing("F", Flops{}, "No multiply-adds in this pass.");
    return x.page("F", {2.0 * x.layer->adds[x.pass], Measure::flops}, "2*A")
        .note("A multiply-add counts as two operations.");
}

// Memory

Page weights_page(const Cpu& x) {
    const MemoryEstimate& m = x.c.estimate.memory;
    const bool deltas = x.item.topic == Topic::gradients;
    const Bytes bytes = deltas ? m.gradients : m.weights;
    if (x.item.from == 0 && bytes.value == 0)
        return x.nothing("m", Bytes{},
                         deltas && m.weights.value > 0 ? "The worked example leaves no room for deltas that wait."
                                                       : "No layer has weights.");
    Page page = x.sum(
        "m", bytes, "b_w*", Item{Topic::layer_parameters}, [](const Layer& l) { return l.w.own_weights * l.kept; },
        true);
    if (deltas && x.item.from == 0) page.note("Deltas wait here for the servers.");
    return page;
}

Page activations_page(const Cpu& x) {
    return x.sum(
        "m", x.c.estimate.memory.activations, {}, Item{Topic::layer_kept},
        [&](const Layer& l) { return x.c.row(0, l.w.position).kept; }, true);
}

Page kept_page(const Cpu& x) {
    if (!x.layer) return x.nothing("m", Bytes{}, "Inputs and views keep nothing.");
    return x.page("m", x.c.row(0, x.item.layer).kept, "2*h*b_a*n_o*s").note("Activations, and as many errors.");
}

Page parameters_page(const Cpu& x) {
    const double n = x.layer ? x.layer->w.own_weights * x.layer->kept : 0.0;
    if (n == 0) return x.nothing("N", 0.0, "The layer has no weights of its own.");
    return x.page("N", n, x.layer->kept == 1 ? "N_l" : "N_l*s");
}

Page whole_page(const Cpu& x) {
    const MemoryEstimate& m = x.c.estimate.memory;
    std::string text = plus({"m_w", "m_d", "m_a", x.method.prepared.options.buffers.value > 0 ? "m_b" : ""});
    if (!x.alone()) text = x.k.servers_beside ? text + " + b_w*N/S" : "max(" + text + ", b_w*N/S)";
    Page page = x.page("M", m.peak, text);
    if (!x.alone() && !x.k.servers_beside) page.note("Of a worker, or of a server on a machine of its own.");
    return page.parts("A worker", (m.weights + m.gradients + m.activations).value, Measure::bytes,
                      {{"Weights", m.weights.value, Item{Topic::weights}},
                       {"Deltas", m.gradients.value, Item{Topic::gradients}},
                       {"Activations", m.activations.value, Item{Topic::activations}}});
}

}  // namespace

std::span<const Row> layer_pages() {
    static constexpr Row pages[] = {
        {Topic::layer_pass, pass_page},
        {Topic::layer_update, pass_page},
        {Topic::layer_communication, messages_page},
        {Topic::layer_hidden, messages_page},
        {Topic::layer_flops, flops_page},
        {Topic::share, share_page},
        {Topic::cpu_compute, compute_page},
        {Topic::cpu_multiply_add, multiply_add_page},
        {Topic::cpu_working_set, working_set_page},
        {Topic::cpu_layer_exchange, exchange_page},
        {Topic::cpu_layer_waited, waited_page},
        {Topic::layer_bytes,
         [](const Cpu& x) {
             return x.nothing(
                 "D", Bytes{},
                 "Memory traffic is not counted by itself here: the time of a multiply-add says where weights lie.");
         }},
        {Topic::memory, whole_page},
        {Topic::weights, weights_page},
        {Topic::gradients, weights_page},
        {Topic::activations, activations_page},
        {Topic::layer_kept, kept_page},
        {Topic::layer_parameters, parameters_page},
        {Topic::optimizer, [](const Cpu& x) {
             return x.nothing("m", Bytes{}, "Local updates keep nothing beside the weights and their deltas.",
                              fields::optimizer);
         }}};
    return pages;
}

}  // namespace scalescope::explaining::cpus
