// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous updates: a worker's exchange with the parameter servers, the line before them, and what stale weights
// cost.
#include <algorithm>

#include "core/base/format.hpp"
#include "core/estimate/explain_symbols.hpp"
#include "core/estimate/servers.hpp"
#include "core/parallel/shards.hpp"
#include "core/schedule/closed_network.hpp"

namespace scalescope::explaining {

bool with_servers(const MessageEstimate& m) { return m.message == Message::push || m.message == Message::pull; }

namespace {

constexpr const char* queue_source = "Exact mean value analysis: Reiser and Lavenberg, JACM 1980";
constexpr const char* server_source = "Parameter servers: Li et al., OSDI 2014";

/// What the page of one item needs.
struct Servers {
    const Context& c;
    const Item& item;

    const Asynchronous& state() const { return c.estimate.servers->state; }
    std::int64_t active() const { return c.estimate.summary.batch.active; }
    bool even() const { return c.plan.parallelism.sharding == Sharding::even; }
    const Work& work() const { return c.part(item.part).work; }
    LargestShard shard() const {
        const std::int64_t servers = c.estimate.point.servers;
        return even() ? even_shards(work().trained, servers) : dealt_shards(work().trained, servers);
    }
    /// Of the item's network.
    Exchange exchange() const { return exchange_of(c.plan, c.part(item.part), active(), shard().weights); }
    const MessageEstimate& message() const { return c.message(item.message); }
    /// Of `n` workers, those at the busiest server.
    double queue_of(std::int64_t n) const { return mean_at_station(n, state().think, state().service); }

    Page page(const char* symbol, const Amount& result, const char* source, const std::string& formula = {}) const;
    Page& tell(Page& page, const std::string& formula) const;
};

constexpr Symbol<Servers> server_symbols[] = {
    {"Z", "step without the server", [](auto& x) { return x.state().think; }, Topic::server_think},
    {"sigma", "service of the busiest server", [](auto& x) { return x.state().service; }, Topic::server_service},
    {"t_q", "waiting for other workers", [](auto& x) { return x.state().waiting; }, Topic::server_wait},
    {"R", "response of the servers", [](auto& x) { return x.state().response(); }, Topic::server_response},
    {"X", "updates of all in a second", [](auto& x) { return x.state().updates; }, Topic::update_rate},
    {"H", "1 + 1/2 + … + 1/k, of k servers", [](auto& x) { return x.state().slowest; }, fields::servers},
    {"a", "staleness", [](auto& x) { return x.state().staleness; }, Topic::staleness},
    {"kappa", "by which an update of staleness lengthens training",
     [](auto& x) { return x.c.scenario.model.staleness_cost; }, fields::staleness_cost, Evidence::assumed},
    {"k", "parameter servers", [](auto& x) { return x.c.estimate.point.servers; }, fields::servers},
    {"s", "weights of the largest shard", [](auto& x) { return x.shard().weights; }, Topic::shard},
    {"N", "parameters", [](auto& x) { return x.work().trained[static_cast<std::size_t>(x.item.layer)]; },
     Topic::layer_parameters},
    {"w", "bytes of a weight", [](auto& x) { return Bytes{x.work().element_bytes}; }, fields::precision},
    {"e", "share of it reached", [](auto& x) { return x.c.scenario.model.between; }, fields::link_between},
    {"c_n", "network cards of a node, and of a server", [](auto& x) { return x.c.plan.links.nics_per_node; },
     fields::nics_per_node},
    {"h", "devices of a node that share its cards",
     [](auto& x) { return std::min(x.active(), x.c.plan.links.devices_per_node); }, fields::devices_per_node},
    {"t_s", "update of the largest shard", [](auto& x) { return x.exchange().update; }, Topic::server_update,
     Evidence::assumed},
    {"t", "time of one", [](auto& x) { return x.message().each; }, Topic::message},
    {"f", "arithmetic for a parameter", [](auto& x) { return Flops{x.c.plan.update.flops}; }, fields::optimizer},
    {"d", "traffic for a parameter", [](auto& x) { return Bytes{x.c.plan.update.bytes}; }, fields::optimizer},
    {"e_c", "share of peak reached", [](auto& x) { return x.c.scenario.model.compute; }, fields::compute},
    {"t_f", "forward", [](auto& x) { return x.c.estimate.summary.forward; }, Topic::forward},
    {"t_b", "backward", [](auto& x) { return x.c.estimate.summary.backward; }, Topic::backward},
    {"t_c", "communication", [](auto& x) { return x.c.estimate.summary.communication; }, Topic::communication},
    {"t_u", "update", [](auto& x) { return x.c.estimate.summary.update; }, Topic::update},
    {"t_o", "overhead of a step", [](auto& x) { return x.c.plan.overhead; }, fields::overhead},
};

Page Servers::page(const char* symbol, const Amount& result, const char* source, const std::string& formula) const {
    Page page(c, item, symbol, result);
    page.source(source);
    return formula.empty() ? page : tell(page, formula);
}

Page& Servers::tell(Page& page, const std::string& formula) const {
    return explaining::tell(page, formula, *this, std::span<const Symbol<Servers>>(server_symbols));
}

/// The way of gradients to the servers, or of weights from them: those of its symbols whose words name a link or whose
/// control depends on another.
void way_inputs(Page& page, bool gradients) {
    const Context& c = page.context();
    const Link& link = c.scenario.cluster.between;
    page.give({"W", "bandwidth between nodes, " + link.name, link.bandwidth, fields::between_bandwidth});
    const bool as_weights = c.plan.parallelism.gradients == GradientFormat::as_weights;
    if (gradients)
        page.give({"g", "bytes of a gradient", Bytes{c.part(page.item().part).work.gradient_element_bytes},
                   as_weights ? fields::precision : fields::gradients});
}

/// Seconds in which a server updates as many weights as `count` says.
std::string update_text(Page& page, const std::string& count) {
    const Context& c = page.context();
    const Precision precision = c.scenario.training.precision;
    page.give({"P", std::string(name_of(precision)) + " peak of the " + c.scenario.cluster.device.name,
               *c.scenario.cluster.device.peak_at(precision), fields::peak(precision), Evidence::assumed});
    page.device_memory();
    page.note(
        "Assumed: a server updates its shard as a device like the workers' does (as in GeePS, Cui et al., EuroSys "
        "2016). In a host's memory it takes longer.");
    const std::string compute = count + "*f/(P*e_c)", memory = count + "*d/(W*e_m)";
    return c.plan.device.overlap_memory ? "max(" + compute + ", " + memory + ")" : compute + " + " + memory;
}

Page wait_page(const Servers& x) {
    Page page = x.page("t_q", x.state().waiting, queue_source);
    if (x.active() <= 1)
        return page.nothing("One worker meets nobody at the servers.")
            .fact("workers", format_count(x.c.workers()), fields::workers);
    put(page, "Q", "workers it finds there, itself not counted", x.queue_of(x.active() - 1),
        {Topic::server_queue, static_cast<int>(x.active() - 1)});
    page.note(
        "A worker finds at the server what a worker fewer would leave there on average, and waits for each of "
        "them. Services are taken to spread as exponential times do; regular ones wait less.");
    return x.tell(page, "sigma*Q");
}

Page queue_page(const Servers& x) {
    const int n = x.item.index;
    Page page = x.page("Q", x.queue_of(n), queue_source);
    if (n == 1) return x.tell(page, "sigma/(Z + sigma)").note("One worker is there or not.");
    put(page, "q", "with a worker fewer", x.queue_of(n - 1), {Topic::server_queue, n - 1});
    page.note("Of " + format_count(n) + " workers as many as the share of its cycle that each spends there.");
    return x.tell(page, std::to_string(n) + "*sigma*(1 + q)/(Z + sigma*(1 + q))");
}

/// index 1: in one network.
Page service_page(const Servers& x) {
    const Context& c = x.c;
    if (x.item.index != 1) {
        std::vector<Term> terms;
        for (int p = 0; p < static_cast<int>(c.plan.parts.size()); ++p) {
            const Item one{Topic::server_service, p, -1, Pass::forward, -1, 1};
            if (c.part(p).trained > 0)
                terms.push_back(
                    {c.part(p).network->name(), Servers{c, one}.exchange().service().value * c.count(p), one});
        }
        if (terms.size() == 1) return service_page({c, terms.front().item});
        Page page = x.page("sigma", Seconds{x.item.from > 0 ? rest_of(terms, x.item.from) : x.state().service.value},
                           server_source);
        return page.formula(page.sum(terms, Measure::seconds, weaker(c.computing(), c.sending()), "networks"));
    }
    Page page = x.page("sigma", x.exchange().service() * c.count(x.item.part), server_source);
    const std::string often = page.prefix(x.item.part, {.count = true}), once = "s*(g + w)/(W*e*c_n) + t_s";
    page.note("Gradients come in and weights go out, one worker after the other.");
    way_inputs(page, true);
    return x.tell(page, often.empty() ? once : often + '(' + once + ')');
}

Page shard_page(const Servers& x) {
    const LargestShard shard = x.shard();
    std::vector<Term> terms;
    for (int l = 0; l < x.work().layers; ++l) {
        const auto k = static_cast<std::size_t>(l);
        if (x.work().trained[k] > 0 && shard.share[k] > 0)
            terms.push_back(
                {x.c.layer_name(x.item.part, l), x.work().trained[k], Item{Topic::layer_parameters, x.item.part, l}});
    }
    const bool rest = x.item.from > 0;
    Page page = x.page(rest ? "N" : "s", rest ? rest_of(terms, x.item.from) : shard.weights,
                       x.even() ? "Key ranges of one size: Li et al., OSDI 2014"
                                : "The largest layer to the emptiest server: Graham, SIAM J. Appl. Math. 1969");
    const std::string sum = page.sum(terms, Measure::count, Evidence::exact, "layers", "N");
    if (rest || x.even()) return x.tell(page, rest ? sum : wrapped(sum) + "/k");
    page.fact("shards", "by layer", fields::sharding);
    page.fact("parameter servers", format_count(x.c.estimate.point.servers), fields::servers);
    page.note("Whole layers, dealt out; the server that has most decides.");
    return page.formula(sum);
}

/// index 1: of the slowest server.
Page response_page(const Servers& x) {
    if (x.item.index != 1) return x.page("R", x.state().response(), queue_source, "sigma + t_q");
    Page page = x.page("R", x.state().slowest_response(), "Largest of k exponential times");
    put(page, "R_1", "of one server", x.state().response(), Topic::server_response);
    page.note(
        "If the services of the servers spread as exponential times do, each by itself: the longest that the "
        "slowest of them takes on average. With regular services of one length it is that of one server.");
    return x.tell(page, "R_1*H");
}

Page rate_page(const Servers& x) {
    Page page = x.page("X", x.state().updates, queue_source);
    if (x.active() == x.c.workers())
        put(page, "n", "workers", x.active(), fields::workers);
    else
        put(page, "n", "workers that have samples", x.active(), Topic::ranks);
    return x.tell(page, "n/(Z + R)");
}

Page staleness_page(const Servers& x) {
    Page page = x.page("a", x.state().staleness, "Little's law: Little, Operations Research 1961");
    if (x.active() <= 1)
        return page.nothing("Nobody else updates the weights that the worker has.")
            .fact("workers", format_count(x.c.workers()), fields::workers);
    page.note("All updates while one worker goes through its cycle once, less its own: the mean.");
    return x.tell(page, "X*(Z + R) - 1");
}

}  // namespace

Page server_page(const Context& c, const Item& item) {
    const Servers x{c, item};
    switch (item.topic) {
        case Topic::server_wait: return wait_page(x);
        case Topic::server_queue: return queue_page(x);
        case Topic::server_service: return service_page(x);
        case Topic::server_response: return response_page(x);
        case Topic::shard: return shard_page(x);
        case Topic::update_rate: return rate_page(x);
        case Topic::staleness: return staleness_page(x);
        case Topic::server_update: {
            Page page = x.page("t_u", x.exchange().update,
                               "Reads gradient, weight and optimizer state, writes weight and state");
            return x.tell(page, update_text(page, "s"));
        }
        case Topic::server_think:
            return x
                .page("Z", x.state().think, "Think time of a closed queueing network",
                      plus({"t_f + t_b + t_c + t_u - sigma", c.plan.overhead.value > 0 ? "t_o" : ""}))
                .note("Compute, and what of its messages the busiest server is not busy for.");
        case Topic::knee:
            return x
                .page("n_k", x.state().knee,
                      "Asymptotic bounds of a closed network: Denning and Buzen, ACM Computing Surveys 1978",
                      "(Z + sigma)/sigma")
                .note(
                    "With so many workers the busiest server would have no pause if they came in turn: more of them "
                    "wait for it.");
        default:
            return x
                .page("x", {c.estimate.servers->statistical_cost, Measure::ratio},
                      "A straight line over the staleness, assumed", "1 + kappa*a")
                .note(
                    "The share is an assumption to play with: nothing here was measured, and no figure of the step "
                    "depends on it.");
    }
}

Page server_message_page(const Context& c, const Item& item) {
    const Servers x{c, item};
    const MessageEstimate& m = x.message();
    if (item.topic == Topic::message_exposed) {
        Page page = x.page("x", m.exposed, server_source);
        page.note("The worker computes again when the new weights are there: nothing hides it.");
        return x.tell(page, page.prefix(m.part, {.count = true}) + "t");
    }
    const bool push = m.message == Message::push;
    Page page = x.page("t", m.each, server_source);
    put(page, "S", push ? "bytes of all gradients" : "bytes of all weights", m.bytes, Topic::message_bytes);
    page.note("The bytes pass the worker's card and the servers' at once; the slower of them counts.");
    const Link& link = c.scenario.cluster.between;
    page.give({"alpha", "start-up time, " + link.name, link.latency, fields::between_latency});
    way_inputs(page, push);
    const bool shared = std::min(x.active(), c.plan.links.devices_per_node) > c.plan.links.nics_per_node;
    return x.tell(page, std::string("alpha + max(") + (shared ? "h*S/(W*e*c_n)" : "S/(W*e)") + ", s*" +
                            (push ? "g" : "w") + "/(W*e*c_n))");
}

Page server_layer_update_page(const Context& c, const Item& item) {
    const Servers x{c, item};
    Page page = x.page("t", c.row(item.part, item.layer).update,
                       "Reads gradient, weight and optimizer state, writes weight and state; on the fullest server");
    if (x.shard().share[static_cast<std::size_t>(item.layer)] <= 0)
        return page.nothing("Its weights are on another server, which updates them at the same time.")
            .fact("shards", "by layer", fields::sharding);
    const std::string often = page.prefix(item.part, {.count = true}), text = update_text(page, x.even() ? "N/k" : "N");
    return x.tell(page, often.empty() ? text : often + '(' + text + ')');
}

}  // namespace scalescope::explaining
