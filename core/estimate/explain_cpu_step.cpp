// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of a CPU cluster waits for, and what a person asks of it.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_cpu.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::explaining::cpus {
namespace {

/// Exchange between the machines of a replica, layer by layer; index 1: what compute hides of it.
Page exchange_page(const Cpu& cpu, const Item& item) {
    const bool hidden = item.index == 1;
    std::vector<Term> terms;
    for (std::size_t l = 0; l < cpu.e.layers.size(); ++l) {
        const yan::LayerTimes& t = cpu.e.layers[l];
        const int position = cpu.method.prepared.list.layers[l].position;
        Item of_layer{hidden ? Topic::layer_hidden : Topic::layer_communication, 0, position};
        of_layer.index = 1;
        terms.push_back(
            {cpu.c.layer_name(0, position), (cpu.factor() * (hidden ? t.hidden() : t.exposed())).value, of_layer});
    }
    const double all = (hidden ? cpu.hidden_exchange() : cpu.exchange()).value;
    Page page = cpu_page(cpu, item, "t", item.from > 0 ? rest_of(terms, item.from) : all, Measure::seconds);
    page.formula(page.sum(terms, Measure::seconds, cpu.c.sending(), "layers"));
    if (in_order(terms).empty()) {
        page.note(hidden ? "Compute hides none of it." : "The machines of a replica send each other nothing.");
        page.fact("machines of a replica", format_count(cpu.configuration().partitions), "cpu.partitions");
    }
    return page;
}

Page communication_page(const Cpu& cpu, const Item& item) {
    const bool hidden = item.topic == Topic::hidden;
    const Summary& s = cpu.c.estimate.summary;
    const Seconds all = hidden ? s.hidden : s.communication, inside = hidden ? cpu.hidden_exchange() : cpu.exchange();
    Page page = cpu_page(cpu, item, "t", all.value, Measure::seconds);
    Item exchange{Topic::cpu_exchange};
    exchange.index = hidden ? 1 : 0;
    page.link("t_x", "between the machines of a replica", inside.value, Measure::seconds, exchange, cpu.c.sending());
    if (cpu.alone()) {
        page.formula("t_x");
        return page.note("One machine that trains alone keeps its weights, and has no servers.");
    }
    Item servers{Topic::cpu_sending};
    servers.index = hidden ? 1 : 0;
    page.link("t_v", "to and from the servers", (all - inside).value, Measure::seconds, servers, cpu.c.sending());
    page.formula("t_x + t_v");
    if (!hidden)
        page.parts("Communication", all.value, Measure::seconds,
                   {{"Between machines", inside.value, exchange}, {"With servers", (all - inside).value, servers}});
    return page;
}

/// index 2: the slowest replica.
Page idle_page(const Cpu& cpu, const Item& item) {
    const Context& c = cpu.c;
    const yan::Configuration& k = cpu.configuration();
    const Summary& s = c.estimate.summary;
    const double limit = c.plan.training.input_limit.value;
    const Seconds busy = s.forward + s.backward + s.update + s.communication, stragglers = cpu.stragglers(),
                  servers = cpu.waiting_for_servers();
    if (item.index == 2) {
        Page page = cpu_page(cpu, item, "t_w", stragglers.value, Measure::seconds);
        if (stragglers.value == 0)
            return page.nothing("No replica is slower than another.")
                .fact("spread of the machines' speeds", format_percent(Fraction{k.step_deviation}), fields::spread);
        page.formula("rho*(2*0.6931471805599453*log2(n))^0.5*t");
        page.field("rho", "spread of the machines' speeds", k.step_deviation, Measure::percent, fields::spread,
                   Evidence::assumed);
        page.field("n", "replicas", static_cast<double>(k.replicas), Measure::count, fields::workers);
        Item training{Topic::cpu_exchange};
        training.index = 2;
        page.link("t", "training of a replica", cpu.training().value, Measure::seconds, training, c.computing());
        return page.source("Extreme values: Cram\u00e9r, Mathematical Methods of Statistics, 1946");
    }
    Page page = cpu_page(cpu, item, "t_i", s.idle.value, Measure::seconds);
    std::string text;
    const auto add = [&](const char* symbol) { text += (text.empty() ? "" : " + ") + std::string(symbol); };
    if (stragglers.value > 0) {
        Item other = item;
        other.index = 2;
        page.link("t_w", "waiting for the slowest replica", stragglers.value, Measure::seconds, other, c.computing());
        add("t_w");
    }
    if (servers.value > 0) {
        page.link("t_s", "waiting for the servers' processors", servers.value, Measure::seconds,
                  Item{Topic::cpu_serving}, c.computing());
        add("t_s");
    }
    if (c.plan.overhead.value > 0) {
        page.field("t_o", "overhead of a step", c.plan.overhead.value, Measure::seconds, fields::overhead,
                   Evidence::assumed);
        add("t_o");
    }
    if (limit > 0) {
        const std::string before = text.empty() ? "t_b" : "t_b + " + text;
        page.link("E", "samples in a step", static_cast<double>(s.batch.effective), Measure::count,
                  Item{Topic::effective_batch});
        page.field("R", "samples the input pipeline delivers", limit, Measure::sample_rate, fields::input_limit,
                   Evidence::assumed);
        Item work{Topic::cpu_exchange};
        work.index = 3;
        page.link("t_b", "forward, backward, update and communication", busy.value, Measure::seconds, work,
                  c.computing());
        text += (text.empty() ? "" : " + ") + std::string("max(0, E/R - (") + before + "))";
    }
    if (text.empty())
        return page.nothing("Nothing makes a machine wait.")
            .fact("updates", k.synchronous ? "synchronous" : "asynchronous", "parallelism.updates");
    return page.formula(text);
}

Seconds local_updates(const Cpu& cpu) {
    Seconds sum;
    for (const yan::LayerTimes& t : cpu.e.layers) sum += t.compute.update;
    return cpu.factor() * sum;
}

/// index 4: deltas of all layers, without what servers beside them do.
Page deltas_page(const Cpu& cpu, const Item& item) {
    std::vector<Term> terms;
    for (std::size_t l = 0; l < cpu.e.layers.size(); ++l) {
        const int position = cpu.method.prepared.list.layers[l].position;
        Item of_layer{Topic::cpu_compute, 0, position};
        of_layer.index = 2;
        terms.push_back({cpu.c.layer_name(0, position), cpu.e.layers[l].compute.update.value, of_layer});
    }
    const bool rest = item.from > 0;
    Page page = cpu_page(cpu, item, rest ? "U" : "t", rest ? rest_of(terms, item.from) : local_updates(cpu).value,
                         Measure::seconds);
    const std::string factor = rest ? std::string() : training_factor(page, cpu) + '*';
    const std::string sum = page.sum(terms, Measure::seconds, cpu.c.computing(), "layers", "U");
    return page.formula(rest ? sum : factor + '(' + sum + ')');
}

/// index 2: a replica's training, K/H·T; 3: all that a step does.
Page training_page(const Cpu& cpu, const Item& item) {
    const Summary& s = cpu.c.estimate.summary;
    if (item.index == 3) {
        Page page =
            cpu_page(cpu, item, "t", (s.forward + s.backward + s.update + s.communication).value, Measure::seconds);
        page.link("t_f", "forward", s.forward.value, Measure::seconds, Item{Topic::forward}, cpu.c.computing());
        page.link("t_b", "backward", s.backward.value, Measure::seconds, Item{Topic::backward}, cpu.c.computing());
        page.link("t_u", "update", s.update.value, Measure::seconds, Item{Topic::update}, cpu.c.computing());
        page.link("t_c", "communication", s.communication.value, Measure::seconds, Item{Topic::communication},
                  cpu.c.sending());
        return page.formula("t_f + t_b + t_u + t_c");
    }
    Page page = cpu_page(cpu, item, "t", cpu.training().value, Measure::seconds);
    page.link("t_f", "forward", s.forward.value, Measure::seconds, Item{Topic::forward}, cpu.c.computing());
    page.link("t_b", "backward", s.backward.value, Measure::seconds, Item{Topic::backward}, cpu.c.computing());
    Item exchange{Topic::cpu_exchange}, deltas{Topic::cpu_exchange};
    exchange.index = 0;
    deltas.index = 4;
    page.link("t_u", "deltas of weights, and their local updates", local_updates(cpu).value, Measure::seconds, deltas,
              cpu.c.computing());
    page.link("t_x", "exchange between the machines of a replica", cpu.exchange().value, Measure::seconds, exchange,
              cpu.c.sending());
    return page.formula("t_f + t_b + t_u + t_x");
}

Page speedup_page(const Cpu& cpu, const Item& item) {
    const Context& c = cpu.c;
    const Estimate& e = c.estimate;
    Page page = cpu_page(cpu, item, "S", e.speedup, Measure::ratio);
    Item one{Topic::step}, batch{Topic::effective_batch};
    one.baseline = batch.baseline = true;
    page.formula("E_n*t_1/(E_1*t_n)");
    page.link("E_n", "samples of a step", static_cast<double>(e.summary.batch.effective), Measure::count,
              Item{Topic::effective_batch});
    page.link("t_1", "step of one machine alone", e.baseline.step.value, Measure::seconds, one, c.computing());
    page.link("E_1", "samples of its step", static_cast<double>(e.baseline.batch.effective), Measure::count, batch);
    page.link("t_n", "step", e.summary.step.value, Measure::seconds, Item{Topic::step},
              weaker(c.computing(), c.sending()));
    stack_step(page, "t_n");
    if (e.efficiency > 1)
        page.note(
            "More than one for each machine: a segment of the network fits into a faster cache, or into memory, where "
            "the whole does not.");
    return page.note("1\u00d7 is one machine that trains alone, with the whole network and no servers.");
}

Page cost_page(const Cpu& cpu, const Item& item) {
    const Estimate& e = cpu.c.estimate;
    Page page = cpu_page(cpu, item, "C", e.epoch_cost.value_or(0), Measure::dollars);
    machine_figure(page, cpu, "p", "price of a " + cpu.machine().name, cpu.machine().price_per_hour.value_or(0),
                   Measure::dollar_rate, "price_usd_per_hour", "price_usd_per_hour");
    page.field("n", "machines that train", static_cast<double>(cpu.c.workers()), Measure::count, fields::workers);
    page.link("T", "epoch", e.epoch.value, Measure::seconds, Item{Topic::epoch},
              weaker(cpu.c.computing(), cpu.c.sending()));
    const std::int64_t servers = own_servers(cpu.c.scenario, e.point.updates, e.point.workers, e.point.servers);
    if (servers > 0)
        page.field("S", "machines that are servers", static_cast<double>(servers), Measure::count,
                   "parallelism.servers");
    page.note("An hour has 3,600 s.");
    page.note("Price: " + price_basis(cpu.c.scenario));
    return page.formula(servers > 0 ? "p*(n + S)*T/3600" : "p*n*T/3600");
}

Page idle_share_page(const Cpu& cpu, const Item& item) {
    const Estimate& e = cpu.c.estimate;
    Page page = cpu_page(cpu, item, "u", e.idle_share, Measure::percent);
    page.link("t", "step", e.summary.step.value, Measure::seconds, Item{Topic::step}, cpu.c.computing());
    page.link("t_i", "idle", e.summary.idle.value, Measure::seconds, Item{Topic::idle}, cpu.c.computing());
    page.field("R", "replicas at work", static_cast<double>(cpu.configuration().replicas), Measure::count,
               fields::workers);
    page.field("P", "machines of a replica", static_cast<double>(cpu.configuration().partitions), Measure::count,
               "cpu.partitions");
    page.field("n", "machines that train", static_cast<double>(cpu.c.workers()), Measure::count, "cluster.workers");
    return page.formula("1 - (t - t_i)/t*R*P/n");
}

/// E of all, or K of a replica.
Page batch_page(const Cpu& cpu, const Item& item) {
    const Summary& s = cpu.c.estimate.summary;
    const bool grows = cpu.c.plan.training.batch_rule == BatchRule::per_worker,
               all = item.topic == Topic::effective_batch;
    Page page = cpu_page(cpu, item, all ? "E" : "K", static_cast<double>(all ? s.batch.effective : s.batch.per_replica),
                         Measure::count);
    page.field("B", grows ? "samples of a replica between two exchanges" : "samples of all replicas",
               static_cast<double>(cpu.c.estimate.point.batch), Measure::count, fields::batch);
    if (all == grows)
        page.field(
            "R", "replicas",
            static_cast<double>(all ? cpu.configuration().replicas
                                    : std::max<std::int64_t>(1, cpu.c.workers() / cpu.configuration().partitions)),
            Measure::count, fields::workers);
    return page.formula(all ? (grows ? "B*R" : "B") : (grows ? "B" : "ceil(B/R)"));
}

}  // namespace

Page step_page(const Cpu& cpu, const Item& item) {
    switch (item.topic) {
        case Topic::idle: return idle_page(cpu, item);
        case Topic::cpu_exchange:
            return item.index == 4  ? deltas_page(cpu, item)
                   : item.index > 1 ? training_page(cpu, item)
                                    : exchange_page(cpu, item);
        default: return communication_page(cpu, item);
    }
}

Page wish_page(const Cpu& cpu, const Item& item) {
    switch (item.topic) {
        case Topic::speedup: return speedup_page(cpu, item);
        case Topic::cost: return cost_page(cpu, item);
        case Topic::idle_share: return idle_share_page(cpu, item);
        default: return batch_page(cpu, item);
    }
}

}  // namespace scalescope::explaining::cpus
