// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous updates: a worker's exchange with the parameter servers, the line before them, and what stale weights
// cost.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"
#include "core/estimate/servers.hpp"
#include "core/parallel/shards.hpp"
#include "core/schedule/closed_network.hpp"

namespace scalescope::explaining {

bool with_servers(const MessageEstimate& m) { return m.message == Message::push || m.message == Message::pull; }

namespace {

constexpr const char* queue_source = "Exact mean value analysis: Reiser and Lavenberg, JACM 1980";
constexpr const char* server_source = "Parameter servers: Li et al., OSDI 2014";
constexpr const char* assumed_update =
    "Assumed: a server updates its shard as a device like the workers' does (as in GeePS, Cui et al., EuroSys 2016). "
    "In "
    "a host's memory it takes longer.";

const Asynchronous& state_of(const Context& c) { return c.estimate.servers->state; }
Evidence all_evidence(const Context& c) { return weaker(c.computing(), c.sending()); }

LargestShard shard_of(const Context& c, int part) {
    const auto& trained = c.part(part).work.trained;
    const std::int64_t servers = c.estimate.point.servers;
    return c.plan.parallelism.sharding == Sharding::even ? even_shards(trained, servers)
                                                         : dealt_shards(trained, servers);
}

Exchange exchange(const Context& c, int part) {
    return exchange_of(c.plan, c.part(part), c.estimate.summary.batch.active, shard_of(c, part).weights);
}

Item at_part(Topic topic, int part, int index = -1) {
    Item item{topic, part};
    item.index = index;
    return item;
}

void link_state(Page& page, bool think, bool service) {
    const Context& c = page.context();
    const Asynchronous& a = state_of(c);
    if (think)
        page.link("Z", "step without the server", a.think.value, Measure::seconds, Item{Topic::server_think},
                  all_evidence(c));
    if (service)
        page.link("sigma", "service of the busiest server", a.service.value, Measure::seconds,
                  Item{Topic::server_service}, all_evidence(c));
}

void server_count(Page& page) {
    const auto k = page.context().estimate.point.servers;
    page.field("k", "parameter servers", static_cast<double>(k), Measure::count, fields::servers);
}

void link_shard(Page& page, int part) {
    page.link("s", "weights of the largest shard", shard_of(page.context(), part).weights, Measure::number,
              at_part(Topic::shard, part));
}

/// Bandwidth between nodes as reached: "W*e".
std::string between_rate(Page& page) {
    const Context& c = page.context();
    const Link& link = c.scenario.cluster.between;
    const double share = c.scenario.model.between.value;
    page.field("W", "bandwidth between nodes, " + link.name, link.bandwidth.value, Measure::byte_rate,
               fields::between_bandwidth, c.bandwidth_evidence(false));
    page.field("e", "share of it reached", share, Measure::percent, fields::link_between,
               of_share(c, fields::link_between, share));
    return "W*e";
}

void cards(Page& page) {
    page.field("c_n", "network cards of a node, and of a server",
               static_cast<double>(page.context().plan.links.nics_per_node), Measure::count, fields::nics_per_node);
}

void gradient_and_weight(Page& page, int part, bool gradient, bool weight) {
    const Context& c = page.context();
    const Work& work = c.part(part).work;
    if (gradient)
        page.field("g", "bytes of a gradient", work.gradient_element_bytes, Measure::bytes,
                   c.plan.parallelism.gradients == GradientFormat::as_weights ? fields::precision : fields::gradients);
    if (weight) page.field("w", "bytes of a weight", work.element_bytes, Measure::bytes, fields::precision);
}

/// Seconds in which a server updates as many weights as `count` says.
std::string update_text(Page& page, const std::string& count) {
    const Context& c = page.context();
    const Precision precision = c.scenario.training.precision;
    page.field("f", "arithmetic for a parameter", c.plan.update.flops, Measure::flops, fields::optimizer);
    page.field("P", std::string(name_of(precision)) + " peak of the " + c.scenario.cluster.device.name,
               c.scenario.cluster.device.peak_at(precision)->value, Measure::flop_rate, fields::peak(precision),
               Evidence::assumed);
    page.field("e_c", "share of peak reached", c.scenario.model.compute.value, Measure::percent, fields::compute,
               of_share(c, fields::compute, c.scenario.model.compute.value));
    page.field("d", "traffic for a parameter", c.plan.update.bytes, Measure::bytes, fields::optimizer);
    page.device_memory();
    page.note(assumed_update);
    const std::string compute = count + "*f/(P*e_c)", memory = count + "*d/(W*e_m)";
    return c.plan.device.overlap_memory ? "max(" + compute + ", " + memory + ")" : compute + " + " + memory;
}

Page wait_page(const Context& c, const Item& item) {
    const Asynchronous& a = state_of(c);
    const auto n = c.estimate.summary.batch.active;
    Page page(c, item, "t_q", title_of(c, item), a.waiting.value, Measure::seconds);
    page.source(queue_source);
    if (n <= 1)
        return page.nothing("One worker meets nobody at the servers.")
            .fact("workers", format_count(c.workers()), fields::workers);
    link_state(page, false, true);
    page.link("Q", "workers it finds there, itself not counted", mean_at_station(n - 1, a.think, a.service),
              Measure::number, at_part(Topic::server_queue, 0, static_cast<int>(n - 1)), all_evidence(c));
    page.note(
        "A worker finds at the server what a worker fewer would leave there on average, and waits for each of "
        "them. Services are taken to spread as exponential times do; regular ones wait less.");
    return page.formula("sigma*Q");
}

Page queue_page(const Context& c, const Item& item) {
    const Asynchronous& a = state_of(c);
    Page page(c, item, "Q", title_of(c, item), mean_at_station(item.index, a.think, a.service), Measure::number);
    page.source(queue_source);
    link_state(page, true, true);
    if (item.index == 1) return page.formula("sigma/(Z + sigma)").note("One worker is there or not.");
    page.link("q", "with a worker fewer", mean_at_station(item.index - 1, a.think, a.service), Measure::number,
              at_part(Topic::server_queue, 0, item.index - 1), all_evidence(c));
    const std::string m = std::to_string(item.index);
    page.note("Of " + format_count(item.index) + " workers as many as the share of its cycle that each spends there.");
    return page.formula(m + "*sigma*(1 + q)/(Z + sigma*(1 + q))");
}

Page service_page(const Context& c, const Item& item) {
    const bool of_part = item.index == 1;
    if (!of_part) {
        std::vector<Term> terms;
        int only = 0;
        for (int p = 0; p < static_cast<int>(c.plan.parts.size()); ++p)
            if (c.part(p).trained > 0) {
                only = p;
                terms.push_back({c.part(p).network->name(), exchange(c, p).service().value * c.count(p),
                                 at_part(Topic::server_service, p, 1)});
            }
        if (terms.size() == 1) {
            Item one = item;
            one.part = only;
            one.index = 1;
            return service_page(c, one);
        }
        Page page(c, item, "sigma", title_of(c, item),
                  item.from > 0 ? rest_of(terms, item.from) : state_of(c).service.value, Measure::seconds);
        return page.formula(page.sum(terms, Measure::seconds, all_evidence(c), "networks")).source(server_source);
    }
    const int p = item.part;
    const Exchange e = exchange(c, p);
    Page page(c, item, "sigma", title_of(c, item), e.service().value * c.count(p), Measure::seconds);
    const std::string often = page.prefix(p, {.count = true});
    link_shard(page, p);
    gradient_and_weight(page, p, true, true);
    const std::string rate = between_rate(page);
    cards(page);
    page.link("t_u", "update of the largest shard", e.update.value, Measure::seconds, at_part(Topic::server_update, p),
              weaker(c.computing(), Evidence::assumed));
    const std::string once = "s*(g + w)/(" + rate + "*c_n) + t_u";
    page.note("Gradients come in and weights go out, one worker after the other.");
    return page.formula(often.empty() ? once : often + '(' + once + ')').source(server_source);
}

Page think_page(const Context& c, const Item& item) {
    const Summary& s = c.estimate.summary;
    Page page(c, item, "Z", title_of(c, item), state_of(c).think.value, Measure::seconds);
    page.link("t_f", "forward", s.forward.value, Measure::seconds, Item{Topic::forward}, c.computing());
    page.link("t_b", "backward", s.backward.value, Measure::seconds, Item{Topic::backward}, c.computing());
    page.link("t_c", "communication", s.communication.value, Measure::seconds, Item{Topic::communication}, c.sending());
    page.link("t_u", "update", s.update.value, Measure::seconds, Item{Topic::update}, c.computing());
    link_state(page, false, true);
    page.formula("t_f + t_b + t_c + t_u - sigma");
    if (c.plan.overhead.value > 0) {
        page.formula(" + t_o");
        page.field("t_o", "overhead of a step", c.plan.overhead.value, Measure::seconds, fields::overhead,
                   c.constant(fields::overhead, Evidence::assumed));
    }
    page.note("Compute, and what of its messages the busiest server is not busy for.");
    return page.source("Think time of a closed queueing network");
}

Page shard_page(const Context& c, const Item& item) {
    const LargestShard shard = shard_of(c, item.part);
    const bool even = c.plan.parallelism.sharding == Sharding::even;
    const PlanPart& part = c.part(item.part);
    std::vector<Term> terms;
    for (int l = 0; l < part.work.layers; ++l) {
        const auto k = static_cast<std::size_t>(l);
        if (part.work.trained[k] > 0 && shard.share[k] > 0)
            terms.push_back(
                {c.layer_name(item.part, l), part.work.trained[k], Item{Topic::layer_parameters, item.part, l}});
    }
    const bool rest = item.from > 0;
    Page page(c, item, rest ? "N" : "s", title_of(c, item), rest ? rest_of(terms, item.from) : shard.weights,
              rest ? Measure::count : Measure::number);
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "layers", "N");
    page.source(even ? "Key ranges of one size: Li et al., OSDI 2014"
                     : "The largest layer to the emptiest server: Graham, SIAM J. Appl. Math. 1969");
    if (rest) return page.formula(sum);
    if (!even) {
        page.fact("shards", "by layer", fields::sharding);
        page.fact("parameter servers", format_count(c.estimate.point.servers), fields::servers);
        page.note("Whole layers, dealt out; the server that has most decides.");
        return page.formula(sum);
    }
    server_count(page);
    return page.formula((sum.find(' ') == std::string::npos ? sum : '(' + sum + ')') + "/k");
}

Page update_page_of(const Context& c, const Item& item) {
    Page page(c, item, "t_u", title_of(c, item), exchange(c, item.part).update.value, Measure::seconds);
    link_shard(page, item.part);
    return page.formula(update_text(page, "s"))
        .source("Reads gradient, weight and optimizer state, writes weight and state");
}

void link_response(Page& page) {
    const Context& c = page.context();
    page.link("R", "response of the servers", state_of(c).response().value, Measure::seconds,
              Item{Topic::server_response}, all_evidence(c));
}

Page response_page(const Context& c, const Item& item) {
    const Asynchronous& a = state_of(c);
    const bool slowest = item.index == 1;
    Page page(c, item, "R", title_of(c, item), (slowest ? a.slowest_response() : a.response()).value, Measure::seconds);
    if (slowest) {
        page.link("R_1", "of one server", a.response().value, Measure::seconds, Item{Topic::server_response},
                  all_evidence(c));
        page.field("H", "1 + 1/2 + … + 1/k, of k servers", a.slowest, Measure::number, fields::servers);
        page.note(
            "If the services of the servers spread as exponential times do, each by itself: the longest that the "
            "slowest of them takes on average. With regular services of one length it is that of one server.");
        return page.formula("R_1*H").source("Largest of k exponential times");
    }
    link_state(page, false, true);
    page.link("t_q", "waiting for other workers", a.waiting.value, Measure::seconds, Item{Topic::server_wait},
              all_evidence(c));
    return page.formula("sigma + t_q").source(queue_source);
}

Page figure_page(const Context& c, const Item& item) {
    const Asynchronous& a = state_of(c);
    const auto n = static_cast<double>(c.estimate.summary.batch.active);
    switch (item.topic) {
        case Topic::update_rate: {
            Page page(c, item, "X", title_of(c, item), a.updates, Measure::number);
            if (c.estimate.summary.batch.active == c.workers())
                page.field("n", "workers", n, Measure::count, fields::workers);
            else
                page.link("n", "workers that have samples", n, Measure::count, Item{Topic::ranks});
            link_state(page, true, false);
            link_response(page);
            return page.formula("n/(Z + R)").source(queue_source);
        }
        case Topic::knee: {
            Page page(c, item, "n_k", title_of(c, item), a.knee, Measure::number);
            link_state(page, true, true);
            page.note(
                "With so many workers the busiest server would have no pause if they came in turn: more of them "
                "wait for it.");
            return page.formula("(Z + sigma)/sigma")
                .source(
                    "Asymptotic bounds of a closed network: Denning and Buzen, "
                    "ACM Computing Surveys 1978");
        }
        case Topic::staleness: {
            Page page(c, item, "a", title_of(c, item), a.staleness, Measure::number);
            page.source("Little's law: Little, Operations Research 1961");
            if (n <= 1)
                return page.nothing("Nobody else updates the weights that the worker has.")
                    .fact("workers", format_count(c.workers()), fields::workers);
            page.link("X", "updates of all in a second", a.updates, Measure::number, Item{Topic::update_rate},
                      all_evidence(c));
            link_state(page, true, false);
            link_response(page);
            page.note("All updates while one worker goes through its cycle once, less its own: the mean.");
            return page.formula("X*(Z + R) - 1");
        }
        default: {
            Page page(c, item, "x", title_of(c, item), c.estimate.servers->statistical_cost, Measure::ratio);
            page.field("kappa", "by which an update of staleness lengthens training",
                       c.scenario.model.staleness_cost.value, Measure::percent, fields::staleness_cost,
                       Evidence::assumed);
            page.link("a", "staleness", a.staleness, Measure::number, Item{Topic::staleness});
            page.note(
                "The share is an assumption to play with: nothing here was measured, and no figure of the step "
                "depends on it.");
            return page.formula("1 + kappa*a").source("A straight line over the staleness, assumed");
        }
    }
}

}  // namespace

Page server_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::server_wait: return wait_page(c, item);
        case Topic::server_queue: return queue_page(c, item);
        case Topic::server_service: return service_page(c, item);
        case Topic::server_update: return update_page_of(c, item);
        case Topic::server_think: return think_page(c, item);
        case Topic::server_response: return response_page(c, item);
        case Topic::shard: return shard_page(c, item);
        default: return figure_page(c, item);
    }
}

Page server_message_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (item.topic == Topic::message_exposed) {
        Page page(c, item, "x", title_of(c, item), m.exposed.value, Measure::seconds);
        const std::string often = page.prefix(m.part, {.count = true});
        Item time{Topic::message, m.part};
        time.message = item.message;
        page.link("t", "time of one", m.each.value, Measure::seconds, time, c.sending());
        page.note("The worker computes again when the new weights are there: nothing hides it.");
        return page.formula(often + "t").source(server_source);
    }
    const bool push = m.message == Message::push;
    Page page(c, item, "t", title_of(c, item), m.each.value, Measure::seconds);
    const Link& link = c.scenario.cluster.between;
    const auto sharing = std::min(c.estimate.summary.batch.active, c.plan.links.devices_per_node);
    page.field("alpha", "start-up time, " + link.name, link.latency.value, Measure::seconds, fields::between_latency,
               c.latency_evidence(false));
    Item bytes{Topic::message_bytes, m.part};
    bytes.message = item.message;
    page.link("S", push ? "bytes of all gradients" : "bytes of all weights", m.bytes.value, Measure::bytes, bytes);
    const std::string rate = between_rate(page);
    cards(page);
    link_shard(page, m.part);
    gradient_and_weight(page, m.part, push, !push);
    std::string own = "S/(" + rate + ')';
    if (sharing > c.plan.links.nics_per_node) {
        own = "h*S/(" + rate + "*c_n)";
        page.field("h", "devices of a node that share its cards", static_cast<double>(sharing), Measure::count,
                   fields::devices_per_node);
    }
    page.note("The bytes pass the worker's card and the servers' at once; the slower of them counts.");
    return page.formula("alpha + max(" + own + ", s*" + (push ? "g" : "w") + "/(" + rate + "*c_n))")
        .source(server_source);
}

Page server_layer_update_page(const Context& c, const Item& item) {
    const int p = item.part, l = item.layer;
    const auto k = static_cast<std::size_t>(l);
    Page page(c, item, "t", title_of(c, item), c.row(p, l).update.value, Measure::seconds);
    page.source("Reads gradient, weight and optimizer state, writes weight and state; on the fullest server");
    const bool even = c.plan.parallelism.sharding == Sharding::even;
    if (shard_of(c, p).share[k] <= 0)
        return page.nothing("Its weights are on another server, which updates them at the same time.")
            .fact("shards", "by layer", fields::sharding);
    const std::string often = page.prefix(p, {.count = true});
    page.link("N", "parameters", c.part(p).work.trained[k], Measure::count, Item{Topic::layer_parameters, p, l});
    if (even) server_count(page);
    const std::string text = update_text(page, even ? "N/k" : "N");
    return page.formula(often.empty() ? text : often + '(' + text + ')');
}

}  // namespace scalescope::explaining
