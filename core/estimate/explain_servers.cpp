// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous updates: a worker's exchange with the parameter servers, the line before them, and what stale weights
// cost.
#include "core/estimate/explain_rows.hpp"
#include "core/estimate/servers.hpp"
#include "core/parallel/shards.hpp"
#include "core/schedule/closed_network.hpp"

namespace scalescope::explaining {

bool with_servers(const MessageEstimate& m) { return m.message == Message::push || m.message == Message::pull; }

namespace {

const Asynchronous& line_of(A x) { return x.e().servers->state; }
constexpr auto even = [](A x) { return x.c.plan.parallelism.sharding == Sharding::even; };
const std::vector<double>& trained(A x) { return x.c.part(x.part()).work.trained; }
LargestShard shard_of(A x) {
    return even(x) ? even_shards(trained(x), x.e().point.servers) : dealt_shards(trained(x), x.e().point.servers);
}
Exchange exchange_of(A x) { return exchange_of(x.c.plan, x.c.part(x.part()), x.s().batch.active, shard_of(x).weights); }
constexpr auto services = [](A x) {
    Terms terms;
    for (int p = 0; p < static_cast<int>(x.c.plan.parts.size()); ++p) {
        Item one = at_index(Topic::server_service, 1, p);
        if (x.c.part(p).trained > 0)
            terms.push_back(
                {x.c.part(p).network->name(), exchange_of(Ask{x.c, one}).service().value * x.c.count(p), one});
    }
    return terms;
};
constexpr auto layers_of_shard = [](A x) {
    Terms terms;
    const LargestShard shard = shard_of(x);
    for (std::size_t l = 0; l < trained(x).size(); ++l)
        if (const int at = static_cast<int>(l); trained(x)[l] > 0 && shard.share[l] > 0)
            terms.push_back({x.c.layer_name(x.part(), at), trained(x)[l], Item{Topic::layer_parameters, x.part(), at}});
    return terms;
};

constexpr auto pushes = [](A x) { return with_servers(x.message()); };
constexpr auto updates = [](A x) { return x.e().servers && trained(x)[static_cast<std::size_t>(x.layer())] > 0; };

const Hole server_holes[] = {
    {"n", [](A x) { return std::to_string(x.item.index); }},
    {"sent", [](M m) { return m.message == Message::push; }, "w_g", "w.weight"},
    {"what", [](M m) { return m.message == Message::push; }, "gradients", "weights"},
    {"N", even, "N/k", "N"},
};

constexpr const char *queue_source = "Exact mean value analysis: Reiser and Lavenberg, JACM 1980",
                     *update_note =
                         "Assumed: a server updates its shard as a device like the workers' does (as in "
                         "GeePS, Cui et al., EuroSys 2016). In a host's memory it takes longer.";

std::span<const Figure> server_figures() {
    using enum Topic;
    static const Figure all[] = {
        {"Z", "step without the server", &Asynchronous::think, server_think, is("t_f + t_b + t_c + t_u - sigma + t_o"),
         note("Compute, and what of its messages the busiest server is not busy for."),
         source("Think time of a closed queueing network")},
        {"sigma", "service of the busiest server", &Asynchronous::service, server_service,
         is("{sum}", [](A x) { return x.item.index != 1; }), sum(services, "networks")},
        {"sigma.one", "service of one network", [](A x) { return exchange_of(x).service() * x.c.count(x.part()); },
         server_service, 1, is("c*(s*(w_g + w.weight)/(W.out*e.out*c_n) + t_s)"),
         note("Gradients come in and weights go out, one worker after the other.")},
        {"t_q", "waiting for other workers", &Asynchronous::waiting, server_wait, is("sigma*Q.met"),
         note("A worker finds at the server what a worker fewer would leave there on average, and waits for each "
              "of them. Services are taken to spread as exponential times do; regular ones wait less."),
         nothing("One worker meets nobody at the servers.|cluster.workers"), source(queue_source)},
        {"Q.met", "workers it finds there, itself not counted", nullptr,
         [](A x) { return at_index(server_queue, static_cast<int>(x.s().batch.active) - 1); }},
        {"q.fewer", "with a worker fewer", nullptr, [](A x) { return at_index(server_queue, x.item.index - 1); }},
        {"Q", "workers at the server",
         [](A x) { return mean_at_station(x.item.index, line_of(x).think, line_of(x).service); }, server_queue,
         source(queue_source), is("sigma/(Z + sigma)", [](A x) { return x.item.index == 1; }),
         is("{n}*sigma*(1 + q.fewer)/(Z + sigma*(1 + q.fewer))"),
         note("Of {n} workers as many as the share of its cycle that each spends there.")},
        {"R_k", "response of the slowest server", &Asynchronous::slowest_response, server_response, 1, is("R*H"),
         note("If the services of the servers spread as exponential times do, each by itself: the longest that the "
              "slowest of them takes on average. With regular services of one length it is that of one server."),
         source("Largest of k exponential times")},
        {"R", "of one server", &Asynchronous::response, server_response, is("sigma + t_q"), source(queue_source)},
        {"H", "1 + 1/2 + … + 1/k, of k servers", &Asynchronous::slowest, "parallelism.servers"},
        {"X", "updates of all in a second", &Asynchronous::updates, update_rate, is("n/(Z + R)"), source(queue_source)},
        {"n", "workers that have samples", &Batch::active, ranks, "cluster.workers"},
        {"a.stale", "staleness", &Asynchronous::staleness, staleness, is("X*(Z + R) - 1"),
         note("All updates while one worker goes through its cycle once, less its own: the mean."),
         nothing("Nobody else updates the weights that the worker has.|cluster.workers"),
         source("Little's law: Little, Operations Research 1961")},
        {"x.cost", "statistical cost", [](A x) { return Amount(x.e().servers->statistical_cost, Measure::ratio); },
         statistical_cost, is("1 + kappa*a.stale"),
         note("An assumption to play with: nothing was measured, and no figure of the step depends on it."),
         source("A straight line over the staleness, assumed")},
        {"kappa", "by which an update of staleness lengthens training",
         [](A x) { return x.scenario().model.staleness_cost; }, "model.staleness_cost", Evidence::assumed},
        {"n_k", "knee", &Asynchronous::knee, knee, is("(Z + sigma)/sigma"),
         note("With so many workers the busiest server would have no pause if they came in turn."),
         source("Asymptotic bounds of a closed network: Denning and Buzen, ACM Computing Surveys 1978")},
        // the servers
        {"k", "parameter servers", "parallelism.servers"},
        {"s", "weights of the largest shard", [](A x) { return shard_of(x).weights; }, shard, is("{sum}/k", even),
         source("Key ranges of one size: Li et al., OSDI 2014"), is("{sum}"),
         note("Whole layers, dealt out; the server that has most decides.|parallelism.sharding"),
         source("The largest layer to the emptiest server: Graham, SIAM J. Appl. Math. 1969"),
         sum(layers_of_shard, "layers", Measure::count)},
        {"t_s", "update of the largest shard", [](A x) { return exchange_of(x).update; }, server_update,
         Evidence::assumed, note(update_note), is("max(s*f/(P*e), s*d/(W*e_m))", roofline),
         is("s*f/(P*e) + s*d/(W*e_m)"), source("Reads gradient, weight and optimizer state, writes weight and state")},
        {"t.update", "update of the layer", &LayerEstimate::update, layer_update,
         note(update_note, [](Row r) { return r.update.value > 0; }),
         is("c*max({N}*f/(P*e), {N}*d/(W*e_m))", [](A x) { return updates(x) && roofline(x); }),
         is("c*({N}*f/(P*e) + {N}*d/(W*e_m))", updates),
         nothing("Its weights are on another server, which updates them at the same time.|parallelism.sharding"),
         source("Reads gradient, weight and optimizer state, writes weight and state; on the fullest server")},
        {"N", "parameters", [](A x) { return trained(x)[static_cast<std::size_t>(x.layer())]; }, layer_parameters},
        {"P", "{precision} peak of the {device}", nullptr, "cluster.device.peak_tflops", Evidence::assumed},
        // a worker's messages
        {"x.wait", "time of its messages", &MessageEstimate::exposed, message_exposed, is("c*t", pushes),
         note("The worker computes again when the new weights are there: nothing hides it.")},
        {"t", "time of one", &MessageEstimate::each, message,
         note("The bytes pass the worker's card and the servers' at once; the slower of them counts."),
         is("alpha.out + max(h*S/(W.out*e.out*c_n), s*{sent}/(W.out*e.out*c_n))",
            [](A x) {
                const LinkRates& links = x.c.plan.links;
                return pushes(x) && std::min(x.s().batch.active, links.devices_per_node) > links.nics_per_node;
            }),
         is("alpha.out + max(S/(W.out*e.out), s*{sent}/(W.out*e.out*c_n))", pushes)},
        {"S", "bytes of all {what}", &MessageEstimate::bytes, message_bytes},
        {"c_n", "network cards of a node, and of a server", "cluster.nics_per_node"},
        {"h", "devices of a node that share its cards",
         [](A x) { return std::min(x.s().batch.active, x.c.plan.links.devices_per_node); }, "cluster.devices_per_node"},
    };
    return all;
}

}  // namespace

std::optional<Page> servers_page(const Context& c, const Item& item) {
    return page_of_room({c, item}, {server_figures(), server_holes, "Parameter servers: Li et al., OSDI 2014"});
}

}  // namespace scalescope::explaining
