// SPDX-License-Identifier: GPL-3.0-or-later
// One message: its time by the α-β cost of its algorithm, level by level.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

/// It goes one way only, whatever the collective.
bool has_own_way(const MessageEstimate& m) {
    return m.message == Message::point_to_point || m.when == When::beside_layer;
}
bool chosen(const Context& c, const MessageEstimate& m) {
    return c.estimate.point.collective == Collective::automatic && !has_own_way(m);
}
/// What it was asked to go by, which says whether it knows nodes; or which of the alternatives `item` is about.
Collective asked_for(const Context& c, const Item& item, const MessageEstimate& m) {
    if (item.index >= 0) return MessageCost::choices[static_cast<std::size_t>(item.index)];
    return chosen(c, m) || has_own_way(m) ? m.algorithm : c.estimate.point.collective;
}
bool by_server(const MessageEstimate& m) {
    return m.algorithm == Collective::parameter_server && m.message == Message::all_reduce;
}

/// One piece of a message, over the links inside the nodes or those between them.
struct Level {
    Message message;
    bool inside;
    std::string text;
    bool shared = false;  ///< every rank of a node sends its part of the buffer, over its share of the network cards
};
Level level(Message message, bool inside, bool shared = false) {
    return {message, inside, std::string(word_for(message)) + (inside ? " inside the nodes" : " between the nodes"),
            shared};
}

/// The levels that a message is priced on, one after the other (all-to-all: beside each other).
std::vector<Level> levels_of(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (m.group.nodes <= 1) return {level(m.message, true)};
    if (by_server(m)) return {{m.message, true, "to the host and back"}, {m.message, false, "between the nodes"}};
    if (m.message == Message::all_to_all)
        return {{m.message, true, "inside the nodes"}, {m.message, false, "between the nodes"}};
    if (m.message == Message::point_to_point || m.group.in_node <= 1 || one_level(asked_for(c, item, m)))
        return {level(m.message, false)};
    const Level in = level(m.message, true), out = level(m.message, false, true);
    switch (m.message) {
        case Message::all_reduce: return {level(Message::reduce_scatter, true), out, level(Message::all_gather, true)};
        case Message::reduce_scatter: return {in, out};
        case Message::all_gather: return {out, in};
        default: return {level(m.message, false), in};
    }
}

/// The link of a level, as alpha for its start-up time, W for its bandwidth and e for the share of it reached; the rate
/// as text, with a factor that network cards make.
std::string rate(Page& page, bool inside, const std::string& factor = {}) {
    const Context& c = page.context();
    const Link& link = inside ? c.scenario.cluster.inside : c.scenario.cluster.between;
    page.give({"alpha", "start-up time, " + link.name, link.latency,
               inside ? fields::inside_latency : fields::between_latency})
        .give({"W", std::string(inside ? "bandwidth inside a node, " : "bandwidth between nodes, ") + link.name,
               link.bandwidth, inside ? fields::inside_bandwidth : fields::between_bandwidth})
        .give({"e", "share of it reached", inside ? c.scenario.model.inside : c.scenario.model.between,
               inside ? fields::link_inside : fields::link_between});
    return "(W*e" + factor + ")";
}

/// The share of a node's network cards that each of its devices has which send at once: "*c/k", or nothing.
std::string cards_of(Page& page, double sending) {
    const LinkRates& links = page.context().plan.links;
    if (static_cast<double>(links.nics_per_node) >= sending) return {};
    page.give({"c", "network cards in a node", links.nics_per_node, fields::nics_per_node})
        .give({"k", "devices of a node that send at once", sending,
               sending == static_cast<double>(links.devices_per_node) ? fields::devices_per_node : fields::workers})
        .note("The devices of a node share its network cards.");
    return "*c/k";
}

/// The ranks of a message, as n.
Page& ranks_of(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const std::int64_t n = m.group.ranks;
    const bool tensor = m.axis == MeshAxis::tensor;
    if (m.over_groups)
        return page.give({"n", "groups of replicas", n, at_index(Topic::ranks, m.carries == Carried::experts ? 3 : 2)});
    if (n == c.workers()) return page.workers();
    if (m.axis == MeshAxis::context) return page.give({"n", "context degree", n, fields::context});
    if (m.axis == MeshAxis::expert) return page.give({"n", "expert degree", n, fields::expert});
    if (m.axis == MeshAxis::expert_tensor) return page.give({"n", "expert tensor degree", n, fields::expert_tensor});
    if (m.carries == Carried::experts)
        return page.give({"n", "workers with the same experts", n, at_index(Topic::ranks, 1)});
    if (m.axis == MeshAxis::pipeline) return page.give({"n", "stages that hold the weights", n, fields::workload});
    if (tensor && m.gradients && n != c.sharing())
        return page.give({"n", "workers that have the same heads of keys and values", n, fields::workload});
    if (tensor && c.estimate.point.strategy != Strategy::outputs)
        return page.give({"n", "tensor degree", n, fields::tensor});
    return page.give({"n", tensor ? "workers that divide a layer" : "workers that have samples", n,
                      tensor ? Topic::sharing : Topic::ranks});
}
Page& node_size(Page& page, std::int64_t devices) {
    return page.give({"q", "devices in a node", devices, fields::devices_per_node});
}
Page& node_count(Page& page, const MessageEstimate& m) {
    return page.give({"m", "nodes", m.group.nodes, Topic::nodes});
}

/// Parameter servers in the hosts: over the uplinks, and between the nodes.
Page& server_level(Page& page, const MessageEstimate& m, bool inside) {
    const LinkRates& links = page.context().plan.links;
    const std::int64_t sharing = std::min(m.group.sending, links.devices_per_uplink);
    if (!inside) {
        const double groups = m.group.groups();
        node_count(page, m).give({"c", "network cards in a node", links.nics_per_node, fields::nics_per_node});
        if (groups != 1)
            page.give({"g", "groups of workers in a node, which send at once", groups, fields::devices_per_node});
        return page.note("Each node keeps its part of the weights; of the rest it sends sums and gets the new weights.")
            .formula("2*(alpha + (m - 1)/m*S/" + rate(page, false, groups == 1 ? "*c" : "*c/g") + ")");
    }
    return page.give({"u", "devices on an uplink", sharing, fields::devices_per_uplink})
        .note(sharing > 1 ? std::to_string(sharing) + " devices share an uplink; gradients go up, weights come down."
                          : "Gradients go up to the host, weights come down.")
        .formula("2*(alpha + u*S/" + rate(page, true) + ")");
}

/// The cost of one level; `whole`: it is the only one.
Page& level_cost(Page& page, const MessageEstimate& m, const Level& level, Collective a, bool whole) {
    const bool inside = level.inside;
    const auto sending = static_cast<double>(m.group.sending);
    page.give({"S", "bytes of the buffer", m.bytes, Topic::message_bytes})
        .source(source_of(priced_as(level.message, a)));
    if (by_server(m)) return server_level(page, m, inside).source(source_of(Collective::parameter_server));
    if (m.message == Message::all_to_all && !whole) {
        const std::string at = rate(page, inside, inside ? "" : cards_of(page, sending));
        if (m.group.by_node > 0) {
            page.source(node_limited_source)
                .note(
                    "A position goes once to each node with any of its experts, to the worker in the same place, "
                    "which passes it on to those that have them.");
            if (inside) return node_size(page, m.group.in_node).formula("(q - 1)*alpha + (q - 1)/q*S/" + at);
            return node_count(page, m)
                .give({"r", "copies for nodes over copies for workers", m.group.by_node, fields::dispatch})
                .formula("(m - 1)*alpha + (m - 1)/m*r*S/" + at);
        }
        node_size(ranks_of(page, m), m.group.in_node);
        const std::string others = inside ? "(q - 1)" : "(n - q)";
        return page.formula(others + "*alpha + " + others + "/n*S/" + at)
            .source("Every rank has a piece for each other one");
    }
    std::string n = "n", cards;
    std::int64_t ranks = m.group.ranks;
    if (m.message == Message::point_to_point) {
        ranks = 2;
        page.source("α-β model: start-up time and bytes over bandwidth");
    } else if (!whole) {
        n = inside ? "q" : "m";
        ranks = inside ? m.group.in_node : m.group.nodes;
        if (inside || level.shared) node_size(page, m.group.in_node);
        if (!inside) node_count(page, m);
        page.note(capital(level.text) + '.');
    } else if (a != Collective::butterfly_mixing || m.message != Message::all_reduce) {
        ranks_of(page, m);
    }
    if (level.shared ||
        (whole && !inside && (m.message == Message::point_to_point || m.group.in_node <= 1) && !one_level(a)))
        cards = cards_of(page, level.shared ? sending : m.group.groups());
    return page.formula(
        collective_formula(level.message, a, ranks, n, level.shared ? "S/q" : "S", "alpha", rate(page, inside, cards)));
}

/// The fastest of three algorithms.
Page alternatives_page(const Context& c, const Item& item, const MessageEstimate& m) {
    Page page(c, item, "t", m.each);
    const MessageCost cost = message_cost(m.message, Collective::automatic, m.group, c.plan.links);
    const LinearCost best = cost.best(m.bytes);
    std::string times;
    for (int i = 0; i < cost.count; ++i) {
        Item other = item;
        other.index = i;
        const std::string symbol = "t_" + std::to_string(i + 1);
        times += (i == 0 ? "" : ", ") + symbol;
        page.follow(symbol, std::string(word_for(MessageCost::choices[static_cast<std::size_t>(i)])), other);
    }
    page.formula("min(" + times + ')').note("The least time wins: " + std::string(word_for(m.algorithm)) + '.');
    // Costs are straight lines over the bytes: where two cross, the choice turns.
    for (int i = 0; i < cost.count; ++i) {
        const LinearCost& o = cost.options[static_cast<std::size_t>(i)];
        const double steeper = o.seconds_per_byte - best.seconds_per_byte, later = (best.start - o.start).value;
        if (o.algorithm == best.algorithm || steeper == 0 || later / steeper <= 0) continue;
        page.note(std::string(word_for(o.algorithm)) + (steeper > 0 ? " would win below " : " would win above ") +
                  format_bytes(Bytes{later / steeper}) + ", if there were these two.");
    }
    return page.source("The fastest of the three for this message, as collective libraries choose");
}

Page time_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (chosen(c, m) && item.topic == Topic::message && item.index < 0 && m.group.ranks > 1 &&
        (m.message != Message::all_to_all || m.group.nodes <= 1))
        return alternatives_page(c, item, m);
    const Collective a = asked_for(c, item, m);
    const auto levels = levels_of(c, item);
    Page page(c, item, "t", m.each);
    if (m.group.ranks <= 1 && !by_server(m))
        return page.nothing("One worker has nobody to exchange with.", "workers", "1", fields::workers)
            .source("α-β model");
    if (item.topic == Topic::message_level)
        return level_cost(page, m, levels[static_cast<std::size_t>(item.level)], a, false).evaluated();
    if (levels.size() == 1) {
        level_cost(page, m, levels[0], a, true);
        if (one_level(a) && m.group.nodes > 1 && m.group.in_node > 1)
            page.note("This scheme knows one level: it runs on the link between the nodes.");
        if (a == Collective::butterfly_mixing && m.message == Message::all_reduce)
            page.note("Each worker exchanges with one partner only: another algorithm than averaging over all.");
        return item.index >= 0 ? page.evaluated() : page;
    }
    std::string text;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        Item one = item;
        one.topic = Topic::message_level;
        one.level = static_cast<int>(i);
        const std::string symbol = "t_" + std::to_string(i + 1);
        text += (i == 0 ? "" : m.message == Message::all_to_all ? ", " : " + ") + symbol;
        page.follow(symbol, levels[i].text, one);
    }
    if (m.message == Message::all_to_all)
        return page.formula("max(" + text + ')').source("Every rank has a piece for each other one");
    page.formula(text);
    if (by_server(m)) return page.source(source_of(Collective::parameter_server));
    page.note("Inside a node first, so that each device carries only its part between the nodes.")
        .source(std::string("Two levels; ") + source_of(priced_as(m.message, a)));
    return item.index >= 0 ? page.evaluated() : page;
}

/// Of sharded states in groups: ranks of one, and from index 2 on groups; odd: of those that hold the same experts.
Page groups_page(const Context& c, const Item& item, std::int64_t replicas) {
    const StateShards& states = c.estimate.states;
    const bool experts = item.index == 1 || item.index == 3, all = item.index >= 2;
    const std::int64_t ranks = experts ? states.expert_ranks : states.ranks,
                       groups = experts ? states.expert_groups : states.groups;
    Page page(c, item, "n", all ? groups : ranks);
    page.give({"k", "replicas in a shard group", states.ranks, fields::shard_group})
        .source("Hybrid sharding: neighbouring replicas share one copy (Zhao et al., PyTorch FSDP, VLDB 2023)");
    std::string in_one = "k";
    if (experts) {
        page.give({"n_e", "expert degree", c.estimate.point.expert, fields::expert});
        in_one = "max(1, " + page.degree(MeshAxis::tensor) + "*k/n_e)";
    }
    if (!all) return page.formula(in_one);
    page.give({"r", "replicas that have samples", replicas, fields::workers});
    std::string of = "r";
    if (c.degrees().context > 1) of += '*' + page.degree(MeshAxis::context);
    if (experts && c.degrees().tensor > 1) of += '*' + page.degree(MeshAxis::tensor);
    return page.formula("ceil(" + (experts ? "ceil(" + of + "/n_e)" : of) + '/' + in_one + ')');
}

/// Workers that hold the same weights; index 1: the same experts.
Page ranks_page(const Context& c, const Item& item) {
    const Degrees d = c.degrees();
    const std::int64_t replicas = std::min(d.data, c.batch().effective);
    if (c.estimate.states.in_groups()) return groups_page(c, item, replicas);
    if (item.index == 1) {
        Page page(c, item, "n_x", c.estimate.states.expert_ranks);
        page.give({"r", "replicas that have samples", replicas, fields::workers});
        std::string text = "r";
        for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::context})
            if (const std::string n = page.degree(axis); n != "1") text += '*' + n;
        return page.formula("ceil(" + text + '/' + page.expert_ranks() + ')')
            .source("Workers of a stage, in as many groups as there are different experts");
    }
    if (d.data != c.workers()) {
        Page page(c, item, "r", replicas * d.context);
        const std::string least = "min(" + page.degree(MeshAxis::data) + ", E)";
        page.batch();
        if (d.context == 1) return page.formula(least).source("Replicas of the network that have samples");
        return page.formula(page.degree(MeshAxis::context) + '*' + least)
            .source("Workers with the same weights: context times data");
    }
    Page page(c, item, "n", replicas);
    page.workers("g");
    if (c.batch_grows()) return page.formula("g").source("Every worker has samples");
    return page.formula("min(g, B)")
        .give({"B", "samples of all workers", c.estimate.point.batch, fields::batch})
        .note("A worker without a sample takes no part.")
        .source("Workers that have work");
}

Page nodes_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    Page page(c, item, "m", m.group.nodes);
    page.source("Nodes are filled one after the other");
    if (ceil_div(m.group.ranks, m.group.in_node) == m.group.nodes)
        return node_size(ranks_of(page.formula("ceil(n/q)"), m), m.group.in_node);
    return page.formula("m_g").give(
        {"m_g", "nodes that the most spread group lies in", m.group.nodes, fields::devices_per_node});
}

}  // namespace

int level_count(const Context& c, const Item& item) { return static_cast<int>(levels_of(c, item).size()); }

Page message_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::sharing: {
            Page page(c, item, "t", c.degrees().tensor);
            return page.formula(page.degree(MeshAxis::tensor)).source("Workers that the stages leave");
        }
        case Topic::ranks: return ranks_page(c, item);
        case Topic::nodes: return nodes_page(c, item);
        default: return time_page(c, item);
    }
}

}  // namespace scalescope::explaining
