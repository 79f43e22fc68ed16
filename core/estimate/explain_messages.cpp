// SPDX-License-Identifier: GPL-3.0-or-later
// One message: its time by the α-β cost of its algorithm, level by level.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/format.hpp"
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {
namespace {

constexpr std::array alternatives{Collective::ring, Collective::recursive, Collective::tree};

/// One piece of a two-level message.
struct Level {
    Message message;
    bool inside;
    bool shared;  ///< every rank of a node sends its part of the buffer, over its share of the network cards
};

std::vector<Level> levels_of(Message m) {
    switch (m) {
        case Message::all_reduce:
            return {{Message::reduce_scatter, true, false},
                    {Message::all_reduce, false, true},
                    {Message::all_gather, true, false}};
        case Message::reduce_scatter:
            return {{Message::reduce_scatter, true, false}, {Message::reduce_scatter, false, true}};
        case Message::all_gather: return {{Message::all_gather, false, true}, {Message::all_gather, true, false}};
        case Message::broadcast:
        case Message::reduce: return {{m, false, false}, {m, true, false}};
        case Message::all_to_all:
        case Message::point_to_point:
        case Message::push:
        case Message::pull: break;
    }
    return {};
}

bool two_levels(const MessageEstimate& m, Collective a) {
    return m.message != Message::point_to_point && m.group.in_node > 1 && m.group.nodes > 1 && !one_level(a);
}

std::string level_text(const Level& level) {
    switch (level.message) {
        case Message::all_reduce: return level.inside ? "all-reduce inside the nodes" : "all-reduce between the nodes";
        case Message::reduce_scatter:
            return level.inside ? "reduce-scatter inside the nodes" : "reduce-scatter between the nodes";
        case Message::all_gather: return level.inside ? "all-gather inside the nodes" : "all-gather between the nodes";
        case Message::broadcast: return level.inside ? "broadcast inside the nodes" : "broadcast between the nodes";
        default: return level.inside ? "reduce inside the nodes" : "reduce between the nodes";
    }
}

std::string link_inputs(Page& page, bool inside, const std::string& bandwidth_factor = {}) {
    const Context& c = page.context();
    const Link& link = inside ? c.scenario.cluster.inside : c.scenario.cluster.between;
    const std::string where = inside ? " inside a node" : " between nodes";
    const double share = (inside ? c.scenario.model.inside : c.scenario.model.between).value;
    page.field("alpha", "start-up time, " + link.name, link.latency.value, Measure::seconds,
               inside ? fields::inside_latency : fields::between_latency, c.latency_evidence(inside));
    page.field("W", "bandwidth" + where + ", " + link.name, link.bandwidth.value, Measure::byte_rate,
               inside ? fields::inside_bandwidth : fields::between_bandwidth, c.bandwidth_evidence(inside));
    page.field("e", "share of it reached", share, Measure::percent, inside ? fields::link_inside : fields::link_between,
               of_share(c, inside ? fields::link_inside : fields::link_between, share));
    return "(W*e" + bandwidth_factor + ")";
}

void rank_input(Page& page, const MessageEstimate& m) {
    const Context& c = page.context();
    const auto ranks = static_cast<double>(m.group.ranks);
    Item same_experts{Topic::ranks};
    same_experts.index = 1;
    if (m.group.ranks == c.workers())
        page.field("n", "workers", ranks, Measure::count, fields::workers);
    else if (m.axis == MeshAxis::context)
        page.field("n", "context degree", ranks, Measure::count, fields::context);
    else if (m.axis == MeshAxis::expert)
        page.field("n", "expert degree", ranks, Measure::count, fields::expert);
    else if (m.carries == Carried::experts)
        page.link("n", "workers with the same experts", ranks, Measure::count, same_experts);
    else if (m.axis == MeshAxis::pipeline)
        page.field("n", "stages that hold the weights", ranks, Measure::count, fields::workload);
    else if (m.axis == MeshAxis::tensor && c.estimate.point.strategy != Strategy::outputs)
        page.field("n", "tensor degree", ranks, Measure::count, fields::tensor);
    else
        page.link("n", m.axis == MeshAxis::tensor ? "workers that divide a layer" : "workers that have samples", ranks,
                  Measure::count, Item{m.axis == MeshAxis::tensor ? Topic::sharing : Topic::ranks});
}

void bytes_input(Page& page, const MessageEstimate& m, int index) {
    Item bytes{Topic::message_bytes, m.part};
    bytes.message = index;
    page.link("S", "bytes of the buffer", m.bytes.value, Measure::bytes, bytes);
}

/// Seconds of the message by algorithm `a`.
Seconds time_of(const Context& c, const MessageEstimate& m, Collective a) {
    return message_cost(m.message, a, m.group, c.plan.links).at(m.bytes);
}

Page alternatives_page(const Context& c, const Item& item, const MessageEstimate& m) {
    Page page(c, item, "t", title_of(c, item), m.each.value, Measure::seconds);
    page.formula("min(t_ring, t_recursive, t_tree)");
    constexpr std::array symbols{"t_ring", "t_recursive", "t_tree"};
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
        Item other = item;
        other.index = static_cast<int>(i);
        page.link(symbols[i], std::string(word_for(alternatives[i])), time_of(c, m, alternatives[i]).value,
                  Measure::seconds, other, c.sending());
    }
    page.note("The least time wins: " + std::string(word_for(m.algorithm)) + '.');
    // Costs are straight lines over the bytes: where two cross, the choice turns.
    const MessageCost cost = message_cost(m.message, Collective::automatic, m.group, c.plan.links);
    const LinearCost best = cost.best(m.bytes);
    for (int i = 0; i < cost.count; ++i) {
        const LinearCost& o = cost.options[static_cast<std::size_t>(i)];
        const double steeper = o.seconds_per_byte - best.seconds_per_byte, later = (best.start - o.start).value;
        if (o.algorithm == best.algorithm || steeper == 0 || later / steeper <= 0) continue;
        const double crossing = later / steeper;
        page.note(std::string(word_for(o.algorithm)) + (steeper > 0 ? " would win below " : " would win above ") +
                  format_bytes(Bytes{crossing}) + ", if there were these two.");
    }
    return page.source("The fastest of the three for this message, as collective libraries choose");
}

/// Of a parameter server: over the uplinks, and between the nodes if there are several.
Page host_page(const Context& c, const Item& item, const MessageEstimate& m) {
    const LinkRates& links = c.plan.links;
    const std::int64_t nodes = m.group.nodes, sharing = std::min(m.group.sending, links.devices_per_uplink);
    const auto of_level = [&](bool inside) {
        GroupReach one = m.group;
        one.nodes = 1;
        const Seconds to_host = message_cost(m.message, m.algorithm, one, links).at(m.bytes);
        return inside ? to_host : m.each - to_host;
    };
    const bool level = item.topic == Topic::message_level, inside = nodes <= 1 || (level && item.level == 0);
    Page page(c, item, "t", title_of(c, item), (level ? of_level(inside) : m.each).value, Measure::seconds);
    page.source(source_of(Collective::parameter_server));
    if (!level && nodes > 1) {
        Item one = item, two = item;
        one.topic = two.topic = Topic::message_level;
        one.level = 0;
        two.level = 1;
        page.link("t_1", "to the host and back", of_level(true).value, Measure::seconds, one, c.sending());
        page.link("t_2", "between the nodes", of_level(false).value, Measure::seconds, two, c.sending());
        return page.formula("t_1 + t_2");
    }
    bytes_input(page, m, item.message);
    if (inside) {
        page.note(sharing > 1
                      ? std::to_string(sharing) + " devices share an uplink; gradients go up, weights come down."
                      : "Gradients go up to the host, weights come down.");
        page.field("u", "devices on an uplink", static_cast<double>(sharing), Measure::count,
                   fields::devices_per_uplink);
        return page.formula("2*(alpha + u*S/" + link_inputs(page, true) + ")");
    }
    Item of_nodes{Topic::nodes, m.part};
    of_nodes.message = item.message;
    page.link("m", "nodes", static_cast<double>(nodes), Measure::count, of_nodes);
    page.field("c", "network cards in a node", static_cast<double>(links.nics_per_node), Measure::count,
               fields::nics_per_node);
    page.note("Each node keeps its part of the weights; of the rest it sends sums and gets the new weights.");
    return page.formula("2*(alpha + (m - 1)/m*S/" + link_inputs(page, false, "*c") + ")");
}

/// The share of a node's network cards that each of its devices has which send at once: "*c/k", or nothing.
std::string cards_of(Page& page, const GroupReach& group) {
    const LinkRates& links = page.context().plan.links;
    if (links.nics_per_node >= group.sending) return {};
    page.field("c", "network cards in a node", static_cast<double>(links.nics_per_node), Measure::count,
               fields::nics_per_node);
    page.field("k", "devices of a node that send at once", static_cast<double>(group.sending), Measure::count,
               group.sending == links.devices_per_node ? fields::devices_per_node : fields::workers);
    page.note("The devices of a node share its network cards.");
    return "*c/k";
}

bool all_to_all_of_nodes(const MessageEstimate& m) { return m.message == Message::all_to_all && m.group.nodes > 1; }

/// All-to-all over several nodes: inside them and between them at the same time.
Page all_to_all_page(const Context& c, const Item& item, const MessageEstimate& m) {
    const LinkRates& links = c.plan.links;
    const MessageCost cost = message_cost(m.message, Collective::ring, m.group, links);
    const auto part = [&](std::size_t i) { return cost.options[i].at(m.bytes).value; };
    const char* source = "Every rank has a piece for each other one";
    if (item.topic != Topic::message_level) {
        Page page(c, item, "t", title_of(c, item), m.each.value, Measure::seconds);
        for (const int i : {0, 1}) {
            Item level = item;
            level.topic = Topic::message_level;
            level.level = i;
            page.link(i == 0 ? "t_1" : "t_2", i == 0 ? "inside the nodes" : "between the nodes",
                      part(static_cast<std::size_t>(i)), Measure::seconds, level, c.sending());
        }
        return page.formula("max(t_1, t_2)").source(source);
    }
    const bool inside = item.level == 0;
    Page page(c, item, "t", title_of(c, item), part(inside ? 0 : 1), Measure::seconds);
    rank_input(page, m);
    bytes_input(page, m, item.message);
    page.field("q", "devices in a node", static_cast<double>(m.group.in_node), Measure::count,
               fields::devices_per_node);
    if (inside) return page.formula("(q - 1)*alpha + (q - 1)/n*S/" + link_inputs(page, true)).source(source);
    return page.formula("(n - q)*alpha + (n - q)/n*S/" + link_inputs(page, false, cards_of(page, m.group)))
        .source(source);
}

/// It goes one way only, whatever the collective.
bool has_own_way(const MessageEstimate& m) {
    return m.message == Message::point_to_point || m.when == When::beside_layer;
}

/// What it was asked to go by, which says whether it knows nodes; or which of the alternatives `item` is about.
Collective asked_for(const Context& c, const Item& item, const MessageEstimate& m) {
    if (item.index >= 0) return alternatives[static_cast<std::size_t>(item.index)];
    const Collective all = c.estimate.point.collective;
    return all == Collective::automatic || has_own_way(m) ? m.algorithm : all;
}

bool by_server(const MessageEstimate& m) {
    return m.algorithm == Collective::parameter_server && m.message == Message::all_reduce;
}

Page time_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (by_server(m)) return host_page(c, item, m);
    if (all_to_all_of_nodes(m)) return all_to_all_page(c, item, m);
    const bool choice = c.estimate.point.collective == Collective::automatic && !has_own_way(m);
    if (choice && item.index < 0 && m.group.ranks > 1) return alternatives_page(c, item, m);
    const Collective a = asked_for(c, item, m);
    Page page(c, item, "t", title_of(c, item), (item.index >= 0 ? time_of(c, m, a) : m.each).value, Measure::seconds);
    if (m.group.ranks <= 1)
        return page.nothing("One worker has nobody to exchange with.")
            .fact("workers", "1", fields::workers)
            .source("α-β model");
    if (m.message == Message::point_to_point) {
        bytes_input(page, m, item.message);
        const bool inside = m.group.nodes <= 1;
        const std::string w = link_inputs(page, inside, inside ? std::string() : cards_of(page, m.group));
        return page.formula(collective_formula(m.message, a, 2, "n", "S", "alpha", w))
            .source("α-β model: start-up time and bytes over bandwidth");
    }
    if (two_levels(m, a)) {
        const auto levels = levels_of(m.message);
        std::string text;
        for (std::size_t i = 0; i < levels.size(); ++i) {
            Item level = item;
            level.topic = Topic::message_level;
            level.level = static_cast<int>(i);
            const auto part = page_of(c, level);
            const std::string symbol = "t_" + std::to_string(i + 1);
            text += (i > 0 ? " + " : "") + symbol;
            page.link(symbol, level_text(levels[i]), part ? part->result() : 0, Measure::seconds, level, c.sending());
        }
        page.note("Inside a node first, so that each device carries only its part between the nodes.");
        return page.formula(text).source(std::string("Two levels; ") + source_of(priced_as(m.message, a)));
    }
    const bool inside = m.group.nodes <= 1;
    if (a != Collective::butterfly_mixing || m.message != Message::all_reduce) rank_input(page, m);
    bytes_input(page, m, item.message);
    const bool alone = !inside && m.group.in_node <= 1 && !one_level(a);  // in its node
    const std::string w = link_inputs(page, inside, alone ? cards_of(page, m.group) : std::string());
    page.formula(collective_formula(m.message, a, m.group.ranks, "n", "S", "alpha", w));
    if (one_level(a) && !inside && m.group.in_node > 1)
        page.note("This scheme knows one level: it runs on the link between the nodes.");
    if (a == Collective::butterfly_mixing && m.message == Message::all_reduce)
        page.note("Each worker exchanges with one partner only: another algorithm than averaging over all.");
    return page.source(source_of(priced_as(m.message, a)));
}

Page level_page(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (by_server(m)) return host_page(c, item, m);
    if (all_to_all_of_nodes(m)) return all_to_all_page(c, item, m);
    const Collective a = asked_for(c, item, m);
    const Level level = levels_of(m.message)[static_cast<std::size_t>(item.level)];
    const LinkRates& links = c.plan.links;
    const std::int64_t inner = m.group.in_node, nodes = m.group.nodes, ranks = level.inside ? inner : nodes;
    const std::int64_t sending = m.group.sending;
    const double cards = std::min(1.0, static_cast<double>(links.nics_per_node) / static_cast<double>(sending));
    BytesPerSecond w = level.inside ? links.inside : links.between;
    if (level.shared) w = w * Fraction{cards};
    const Bytes bytes = level.shared ? m.bytes / static_cast<double>(inner) : m.bytes;
    const Seconds time =
        flat_cost(level.message, a, ranks, level.inside ? links.inside_latency : links.between_latency, w).at(bytes);
    Page page(c, item, "t", title_of(c, item), time.value, Measure::seconds);
    page.source(source_of(priced_as(level.message, a)));
    std::string what = level_text(level);
    what[0] = static_cast<char>(what[0] - 'a' + 'A');
    page.note(what + '.');
    bytes_input(page, m, item.message);
    if (level.inside || level.shared)
        page.field("q", "devices in a node", static_cast<double>(inner), Measure::count, fields::devices_per_node);
    if (!level.inside) {
        Item of_nodes{Topic::nodes, m.part};
        of_nodes.message = item.message;
        page.link("m", "nodes", static_cast<double>(nodes), Measure::count, of_nodes);
    }
    std::string factor;
    if (level.shared && sending != inner) {
        factor = cards_of(page, m.group);
    } else if (level.shared && cards < 1) {
        factor = "*c/q";
        page.field("c", "network cards in a node", static_cast<double>(links.nics_per_node), Measure::count,
                   fields::nics_per_node);
        page.note("The devices of a node share its network cards.");
    }
    const std::string rate = link_inputs(page, level.inside, factor);
    return page.formula(collective_formula(level.message, a, ranks, level.inside ? "q" : "m",
                                           level.shared ? "S/q" : "S", "alpha", rate));
}

}  // namespace

int level_count(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    if (by_server(m) || m.message == Message::all_to_all) return m.group.nodes > 1 ? 2 : 1;
    return two_levels(m, asked_for(c, item, m)) ? static_cast<int>(levels_of(m.message).size()) : 1;
}

Page message_page(const Context& c, const Item& item) {
    switch (item.topic) {
        case Topic::message_level: return level_page(c, item);
        case Topic::message_bytes: return message_bytes_page(c, item);
        case Topic::sharing: {
            Page page(c, item, "t", title_of(c, item), static_cast<double>(c.degrees().tensor), Measure::count);
            return page.formula(page.degree(MeshAxis::tensor)).source("Workers that the stages leave");
        }
        case Topic::ranks: {
            if (item.index == 1) {
                Page page(c, item, "n_x", title_of(c, item), static_cast<double>(c.estimate.states.expert_ranks),
                          Measure::count);
                const double replicas = static_cast<double>(std::min(c.degrees().data, c.batch().effective));
                page.field("r", "replicas that have samples", replicas, Measure::count, fields::workers);
                page.field("n_e", "expert degree", static_cast<double>(c.estimate.point.expert), Measure::count,
                           fields::expert);
                std::string text = "r";
                for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::context})
                    if (const std::string n = page.degree(axis); n != "1") text += '*' + n;
                return page.formula("ceil(" + text + "/n_e)")
                    .source("Workers of a stage, in as many groups as there are different experts");
            }
            const bool all = c.degrees().data == c.workers();
            Page page(c, item, all ? "n" : "r", title_of(c, item),
                      static_cast<double>(std::min(c.degrees().data, c.batch().effective) * c.degrees().context),
                      Measure::count);
            if (!all) {
                const std::string replicas = page.degree(MeshAxis::data);
                page.link("E", "samples in a step", static_cast<double>(c.batch().effective), Measure::count,
                          Item{Topic::effective_batch});
                const std::string least = "min(" + replicas + ", E)";
                if (c.degrees().context == 1)
                    return page.formula(least).source("Replicas of the network that have samples");
                return page.formula(page.degree(MeshAxis::context) + '*' + least)
                    .source("Workers with the same weights: context times data");
            }
            if (c.plan.training.batch_rule == BatchRule::per_worker)
                return page.formula("g")
                    .field("g", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers)
                    .source("Every worker has samples");
            page.formula("min(g, B)")
                .field("g", "workers", static_cast<double>(c.workers()), Measure::count, fields::workers);
            page.field("B", "samples of all workers", static_cast<double>(c.estimate.point.batch), Measure::count,
                       fields::batch);
            return page.note("A worker without a sample takes no part.").source("Workers that have work");
        }
        case Topic::nodes: {
            const GroupReach& group = c.message(item.message).group;
            const auto d = group.in_node;
            Page page(c, item, "m", title_of(c, item), static_cast<double>(group.nodes), Measure::count);
            if (ceil_div(group.ranks, d) != group.nodes)  // groups that do not fit to the nodes
                return page.formula("m_g")
                    .field("m_g", "nodes that the most spread group lies in", static_cast<double>(group.nodes),
                           Measure::count, fields::devices_per_node)
                    .source("Nodes are filled one after the other");
            page.formula("ceil(n/q)");
            rank_input(page, c.message(item.message));
            return page
                .field("q", "devices in a node", static_cast<double>(d), Measure::count, fields::devices_per_node)
                .source("Nodes are filled one after the other");
        }
        default: return with_servers(c.message(item.message)) ? server_message_page(c, item) : time_page(c, item);
    }
}

}  // namespace scalescope::explaining
