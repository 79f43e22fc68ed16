// SPDX-License-Identifier: GPL-3.0-or-later
// One message: its time by the α-β cost of its algorithm, level by level, and the bytes that it carries.
#include "core/base/checked.hpp"
#include "core/estimate/explain_rows.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/sharded_axis.hpp"
#include "core/parallel/context.hpp"
#include "core/parallel/experts.hpp"
#include "core/parallel/rows.hpp"

namespace scalescope::explaining {
namespace {

constexpr const char* deepseek = "DeepSeek-V3 Technical Report (2024), section 3.2.2";

bool to_host(const MessageEstimate& m) { return m.message == Message::host_copy; }
/// It goes one way only, whatever the collective.
bool has_own_way(const MessageEstimate& m) {
    return m.message == Message::point_to_point || to_host(m) || m.when == When::beside_layer;
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
    bool shared = false;  ///< every rank of a node sends its part of the buffer, over its share of the network cards
};
std::string words_for(const MessageEstimate& m, const Level& level) {
    if (by_server(m) && level.inside) return "to the host and back";
    const bool alike = by_server(m) || m.message == Message::all_to_all;
    return (alike ? "" : std::string(word_for(level.message)) + ' ') +
           (level.inside ? "inside the nodes" : "between the nodes");
}

/// The levels that a message is priced on, one after the other (all-to-all: beside each other).
std::vector<Level> levels_of(const Context& c, const Item& item) {
    const MessageEstimate& m = c.message(item.message);
    const Level in{m.message, true}, out{m.message, false}, shared{m.message, false, true};
    if (to_host(m)) return {};
    if (m.group.nodes <= 1) return {in};
    if (by_server(m) || m.message == Message::all_to_all) return {in, out};
    if (m.message == Message::point_to_point || m.group.in_node <= 1 || one_level(asked_for(c, item, m))) return {out};
    switch (m.message) {
        case Message::all_reduce: return {{Message::reduce_scatter, true}, shared, {Message::all_gather, true}};
        case Message::reduce_scatter: return {in, shared};
        case Message::all_gather: return {shared, in};
        default: return {out, in};
    }
}

/// It gathers weights that are sharded, for a layer.
bool gathers_shards(const MessageEstimate& m) { return m.weights && !m.gradients; }

/// The cost of one level; `whole`: it is the only one.
std::string level_cost(A x, Page& page, const Level& level, Collective a, bool whole) {
    const MessageEstimate& m = x.message();
    const bool inside = level.inside, one_way = m.message == Message::point_to_point;
    const std::string alpha = inside ? "alpha.in" : "alpha.out",
                      out = gathers_shards(m) && x.scenario().model.gather_cards.value != 1 ? "(W.out*e.out*e.gather"
                                                                                            : "(W.out*e.out",
                      link = inside ? "(W.in*e.in" : out;
    if (by_server(m)) {
        page.source(source_of(Collective::parameter_server));
        return inside ? "2*(alpha.in + u.uplink*S/(W.in*e.in))"
                      : "2*(alpha.out + (m.nodes - 1)/m.nodes*S/(W.out*e.out*c.cards/g.groups))";
    }
    // The share of a node's network cards that each of its devices has which send at once.
    const auto cards_of = [&](bool all) -> std::string {
        const double sending = all ? static_cast<double>(m.group.sending) : m.group.groups();
        if (static_cast<double>(x.c.plan.links.nics_per_node) >= sending) return ")";
        return all ? "*c.cards/k.sending)" : "*c.cards/g.groups)";
    };
    if (m.message == Message::all_to_all && !whole && m.group.by_node > 0) {
        page.source(deepseek);
        page.note("A position goes once to each node with any of its experts; a worker there passes it on.");
        return inside ? "(q.node - 1)*alpha.in + (q.node - 1)/q.node*S/" + link + ')'
                      : "(m.nodes - 1)*alpha.out + (m.nodes - 1)/m.nodes*r.copies*S/" + link + cards_of(true);
    }
    if (m.message == Message::all_to_all && !whole) {
        page.source("Every rank has a piece for each other one");
        const std::string others = inside ? "(q.node - 1)" : "({n} - q.node)";
        return others + '*' + alpha + " + " + others + "/{n}*S/" + link + (inside ? ")" : cards_of(true));
    }
    page.source(one_way ? "α-β model: start-up time and bytes over bandwidth" : source_of(priced_as(level.message, a)));
    if (!whole) page.note(capital(words_for(m, level)) + '.');
    const bool cards = level.shared || (whole && !inside && (one_way || m.group.in_node <= 1) && !one_level(a));
    const std::int64_t ranks = one_way ? 2 : whole ? m.group.ranks : inside ? m.group.in_node : m.group.nodes;
    return collective_formula(level.message, a, ranks,
                              whole    ? "{n}"
                              : inside ? "q.node"
                                       : "m.nodes",
                              level.shared ? "S/q.node" : "S", alpha, link + (cards ? cards_of(level.shared) : ")"));
}

constexpr auto several_ways = [](A x) {
    const MessageEstimate& m = x.message();
    return x.item.index < 0 && chosen(x.c, m) && m.group.ranks > 1 &&
           (m.message != Message::all_to_all || m.group.nodes <= 1);
};
constexpr auto alone_there = [](A x) { return x.message().group.ranks <= 1 && !by_server(x.message()); };
constexpr auto one_level_only = [](A x) { return levels_of(x.c, x.item).size() == 1; };
constexpr auto to_all = [](A x) { return x.message().message == Message::all_to_all; };
constexpr auto as_it_is = [](A x) { return x.item.index < 0; };

/// The fastest of three algorithms, and from how many bytes on it would be another.
std::string alternatives(A x, Page& page) {
    const MessageEstimate& m = x.message();
    const MessageCost cost = message_cost(m.message, Collective::automatic, m.group,
                                          gathers_shards(m) ? x.c.plan.gather_links : x.c.plan.links);
    const LinearCost best = cost.best(m.bytes);
    std::string times;
    for (int i = 0; i < cost.count; ++i) {
        Item other = x.item;
        other.index = i;
        times += (i == 0 ? "" : ", ") +
                 page.follow("t_" + std::to_string(i + 1),
                             std::string(word_for(MessageCost::choices[static_cast<std::size_t>(i)])), other);
        // Costs are straight lines over the bytes: where two cross, the choice turns.
        const LinearCost& o = cost.options[static_cast<std::size_t>(i)];
        const double steeper = o.seconds_per_byte - best.seconds_per_byte, later = (best.start - o.start).value;
        if (o.algorithm == best.algorithm || steeper == 0 || later / steeper <= 0) continue;
        page.note(std::string(word_for(o.algorithm)) + (steeper > 0 ? " would win below " : " would win above ") +
                  format_bytes(Bytes{later / steeper}) + ", if there were these two.");
    }
    return times;
}
std::string levels_text(A x, Page& page) {
    const auto levels = levels_of(x.c, x.item);
    if (levels.size() == 1) return level_cost(x, page, levels[0], asked_for(x.c, x.item, x.message()), true);
    std::string text;
    for (std::size_t i = 0; i < levels.size(); ++i) {
        Item one = x.item;
        one.topic = Topic::message_level;
        one.level = static_cast<int>(i);
        text += (i == 0      ? ""
                 : to_all(x) ? ", "
                             : " + ") +
                page.follow("t_" + std::to_string(i + 1), words_for(x.message(), levels[i]), one);
    }
    return text;
}

/// Gradients of layers, or weights: those that a layer needs, or all that were updated.
constexpr auto parameters_sent = [](A x) {
    const MessageEstimate& m = x.message();
    if (!m.gradients) return needed_weights(x.c, m.part, m.layers.front(), held_by(x.c, m, m.layers.front()));
    Terms terms;
    for (const int l : m.layers)
        for (Term& t : with_copies(x.c, x.c.row(m.part, l), held_by(x.c, m, l)))
            if (m.weights || t.item.layer == l) terms.push_back(std::move(t));
    return terms;
};
/// Tensors made before a stage's first layer and read from there on: what a worker sends of each.
constexpr auto over_border = [](A x) {
    const MessageEstimate& m = x.message();
    const Network& network = *x.c.part(m.part).network;
    const int border = m.forward ? m.layers.front() + 1 : m.layers.front();
    Terms terms;
    for (int t = 0; t < border; ++t) {
        const LayerFacts& facts = x.c.facts(m.part, t);
        if (network.root(t) != t || facts.per_step || facts.division == Division::source ||
            (!m.forward && !x.c.part(m.part).work.gradient_needed[static_cast<std::size_t>(t)]))
            continue;
        bool read = false;
        for (int l = border; l < network.size() && !read; ++l) read = std::ranges::count(network.reads(l), t) > 0;
        const LayerEstimate& row = x.c.row(m.part, t);
        const bool pieces = m.forward ? row.scattered : row.gradient_scattered, gathered = m.axis == MeshAxis::tensor;
        const double share = (m.forward ? row.crossing : row.gradient_crossing) *
                             (gathered ? static_cast<double>(x.c.degrees().tensor) : 1.0);
        if (read && (pieces || !gathered))
            terms.push_back({"elements of " + x.c.layer_name(m.part, t),
                             static_cast<double>(x.c.facts(m.part, t).out_elements) * share,
                             at_index(Topic::layer_output,
                                      std::abs(share - 1) < 1e-12 ? -1
                                      : m.forward                 ? (gathered ? 3 : 1)
                                                                  : (gathered ? 4 : 2),
                                      m.part, t)});
    }
    return terms;
};
bool over_stages(A x) { return x.message().when == When::at_border && !x.message().gradients; }
constexpr auto sent_terms = [](A x) { return over_stages(x) ? over_border(x) : parameters_sent(x); };

/// Tensors of an attention whose sequence lies on the context axis.
std::string attention_text(A x, Page& page) {
    const MessageEstimate& m = x.message();
    std::string text = m.carries == Carried::keys_values_gradients ? "2*w*b*" : "w*b*";
    const bool keys = m.carries == Carried::keys, values = m.carries == Carried::values;
    text += m.carries == Carried::queries            ? "N_q"
            : keys                                   ? "N_k.in"
            : values                                 ? "N_v"
            : m.carries == Carried::attention_output ? "N_o"
                                                     : "(N_k.in + N_v)";
    const double on_tensor = x.row().shares.outputs / x.c.context_share(m.part, x.layer()),
                 on_worker = static_cast<double>(x.facts().key_heads) * on_tensor, heads = std::max(1.0, on_worker);
    const bool queries = m.carries == Carried::queries || m.carries == Carried::attention_output;
    if ((keys || values) && std::fmod(std::round(heads), static_cast<double>(x.c.degrees().context)) != 0) {
        page.give({"h", "heads of keys and values on a worker", heads});
        page.note("Every worker has whole heads of keys and values, and one at least: some are repeated.");
        text += to_all(x) ? "*n_c*ceil(h/n_c)/h" : "*ceil(h)/h";
    }
    return text + (!queries && on_worker < 1 - 1e-9 ? "/h_k" : "*s.o") + (to_all(x) ? "/n_c" : "");
}
/// The context axis divides the layer's output.
bool on_context(A x) { return x.row().context_along && sharding_row(*x.row().context_along).outputs; }
/// A tensor that the ranks of an axis divide: on one axis a worker sends what it has of it on the other one.
std::string whole_tensor(A x, Page& page) {
    const MessageEstimate& m = x.message();
    if (m.when == When::at_cut) return "w*N_o*b_s";
    std::string text = std::string("w*N_o*b") + (m.axis == MeshAxis::context ? "*s.sent"
                                                 : on_context(x)             ? "*p.own"
                                                                             : "");
    const bool columns = policy_of(x.e().point) == ShardingPolicy::columns;
    const double pieces = static_cast<double>(x.c.sharing()) * x.c.class_share(m.part, x.layer());
    if (columns && m.message != Message::all_reduce && std::abs(pieces - 1) > 1e-12) {
        page.note("Uneven pieces: the buffer counts as one of the largest for each worker.");
        text += "*{ranks}*s";
    }
    return text + (to_all(x) ? "/{ranks}" : "");
}

/// What the layers of a block keep of a sample that waits on the host.
std::string hosted_text(A x, Page& page) {
    const MessageEstimate& m = x.message();
    std::string text;
    const auto all = kept_tensors(x.c.plan, x.e());
    for (int l = m.beside_from, given = 0; l < m.beside_to; ++l) {
        double bytes = 0;
        for (const KeptTensor& t : all)
            if (t.on_host && t.part == m.part && t.keeper == l) bytes += t.bytes / x.c.row(m.part, l).samples;
        if (bytes <= 0) continue;
        const std::string name = "h_" + std::to_string(++given);
        page.give({name, "bytes that " + x.c.layer_name(m.part, l) + " keeps of a sample", Bytes{bytes}});
        text += (text.empty() ? "" : " + ") + name;
    }
    return text;
}

constexpr auto parameters = [](A x) { return x.message().gradients || x.message().weights; };
/// Positions that travel to experts and back: what a worker has of them.
double positions_of(A x) {
    return static_cast<double>(x.facts().in_elements) / static_cast<double>(x.facts().output.back()) *
           x.row().shares.inputs * x.row().samples;
}
constexpr auto of_positions = [](A x) { return x.message().of_positions(); };
constexpr auto once_to_each = [](A x) {
    return of_positions(x) && x.c.plan.parallelism.dispatch != Dispatch::each_expert;
};
constexpr auto in_groups = [](A x) { return x.e().states.in_groups(); };
constexpr auto replicas = [](A x) { return std::min(x.c.degrees().data, x.c.batch().effective); };
template <Carried what>
constexpr auto carries = [](A x) { return x.message().carries == what; };
template <MeshAxis axis>
constexpr auto on_axis = [](A x) { return x.message().axis == axis; };

constexpr auto on_links_between = [](A x) {
    const GroupReach& g = x.message().group;
    return one_level(asked_for(x.c, x.item, x.message())) && g.nodes > 1 && g.in_node > 1;
};
constexpr auto with_partners = [](A x) {
    return x.message().message == Message::all_reduce &&
           asked_for(x.c, x.item, x.message()) == Collective::butterfly_mixing;
};
constexpr auto all_workers = [](A x) { return x.message().group.ranks == x.c.workers(); };
constexpr auto nodes_full = [](A x) {
    const GroupReach& g = x.message().group;
    return ceil_div(g.ranks, g.in_node) == g.nodes;
};
constexpr auto workers_reached = [](A x) {
    return copies_sent(x.facts().experts, x.c.plan.parallelism.dispatch, x.e().point.expert, positions_of(x));
};
constexpr auto read_by_loss = [](A x) {
    const int read = x.c.part(x.part()).network->reads(x.layer()).front();
    return x.c.facts(x.part(), read).out_elements;
};
constexpr auto share_sent = [](A x) {
    return x.row().shares.outputs / (on_context(x) ? x.c.context_share(x.part(), x.layer()) : 1.0);
};

const Hole message_holes[] = {
    {"alternatives", alternatives},
    {"levels", levels_text},
    {"level",
     [](A x, Page& page) {
         return level_cost(x, page, levels_of(x.c, x.item)[static_cast<std::size_t>(x.item.level)],
                           asked_for(x.c, x.item, x.message()), false);
     }},
    {"fastest", [](M m) { return word_for(m.algorithm); }},
    {"two levels",
     [](A x) {
         const MessageEstimate& m = x.message();
         return by_server(m) ? source_of(Collective::parameter_server)
                             : std::string("Two levels; ") + source_of(priced_as(m.message, asked_for(x.c, x.item, m)));
     }},
    {"sharing", [](A x) { return sharing_of(x.c, x.message()); }},
    {"gathered", on_axis<MeshAxis::expert_tensor>, "*n_v", ""},
    {"expert source", on_axis<MeshAxis::expert_tensor>,
     "Experts cut over a tensor axis of their own, as in Megatron-LM", once_to_each, deepseek, expert_source},
    {"inside", [](A x) { return x.scenario().cluster.inside.name; }},
    {"between", [](A x) { return x.scenario().cluster.between.name; }},
    {"n", &MessageEstimate::over_groups, "{n of groups}", all_workers, "n", on_axis<MeshAxis::context>, "n_c",
     on_axis<MeshAxis::expert>, "n_e", on_axis<MeshAxis::expert_tensor>, "n_v", carries<Carried::experts>, "n_x",
     on_axis<MeshAxis::pipeline>, "n.stages", on_axis<MeshAxis::tensor>, "{n on tensor}", "n.ranks"},
    {"n of groups", carries<Carried::experts>, "n_g.x", "n_g"},
    {"n on tensor", [](A x) { return x.message().gradients && x.message().group.ranks != x.c.sharing(); }, "n.same",
     [](A x) { return x.e().point.fill == MeshAxis::tensor; }, "n.sharing", "n_t"},
    {"w", [](M m) { return m.weights || m.message == Message::pull; }, "w.weight", "w_g"},
    {"for each", [](Facts f) { return f.rows.of_batch; }, "", "*b"},
    {"attention", attention_text},
    {"sent tensor", whole_tensor},
    {"hosted", hosted_text},
};

constexpr const char* group_source =
    "Hybrid sharding: neighbouring replicas share one copy (Zhao et al., PyTorch FSDP, VLDB 2023)";

}  // namespace

Room message_room() {
    using enum Topic;
    static const Figure all[] = {
        {"t.msg",
         "time of one",
         &MessageEstimate::each,
         message,
         is("S/W_h", to_host),
         source(host_source),
         is("min({alternatives})", several_ways),
         note("The least time wins: {fastest}."),
         source("The fastest of the three for this message, as collective libraries choose"),
         is("0", alone_there),
         note("One worker has nobody to exchange with.|cluster.workers"),
         source("α-β model"),
         is("{levels}", [](A x) { return as_it_is(x) && one_level_only(x); }),
         note("This scheme knows one level: it runs on the link between the nodes.", on_links_between),
         note("Each worker exchanges with one partner only: another algorithm than averaging over all.", with_partners),
         is("max({levels})", [](A x) { return as_it_is(x) && to_all(x); }),
         source("Every rank has a piece for each other one"),
         is("{levels}", as_it_is),
         note("Inside a node first, so that each device carries only its part between the nodes.",
              [](M m) { return !by_server(m); }),
         source("{two levels}")},
        // one of the alternatives, and one of the levels: figures that no record holds
        {"t.other", "time by another algorithm", nullptr, message, is("{levels}", one_level_only),
         is("max({levels})", to_all), source("Every rank has a piece for each other one"), is("{levels}"),
         source("{two levels}")},
        {"t.level", "time on one level", nullptr, message_level, is("{level}")},
        {"alpha.in", "start-up time, {inside}", "cluster.inside.latency_us"},
        {"alpha.out", "start-up time, {between}", "cluster.between.latency_us"},
        {"W.in", "bandwidth inside a node, {inside}", "cluster.inside.bandwidth_gb_s"},
        {"W.out", "bandwidth between nodes, {between}", "cluster.between.bandwidth_gb_s"},
        {"e.in", "share of it reached", "model.inside"},
        {"e.out", "share of it reached", "model.between"},
        {"e.gather", "share of the cards that gathers of weights reach", "model.gather_cards"},
        {"c.cards", "network cards in a node", "cluster.nics_per_node"},
        {"k.sending", "devices of a node that send at once", &GroupReach::sending, "cluster.devices_per_node"},
        {"*g.groups", "groups of workers in a node, which send at once", &GroupReach::groups,
         "cluster.devices_per_node"},
        {"r.copies", "copies for nodes over copies for workers", &GroupReach::by_node, "parallelism.dispatch"},
        {"u.uplink", "devices on an uplink",
         [](A x) { return std::min(x.message().group.sending, x.c.plan.links.devices_per_uplink); },
         "cluster.devices_per_uplink"},
        // who takes part
        {"n.stages", "stages that hold the weights", &GroupReach::ranks},
        {"n.same", "workers that have the same heads of keys and values", &GroupReach::ranks},
        {"n.ranks", "workers that have samples", &GroupReach::ranks, ranks},
        {"n.sharing", "workers that divide a layer", &GroupReach::ranks, sharing},
        {"q.node", "devices in a node", &GroupReach::in_node, "cluster.devices_per_node"},
        {"t_sharing", "workers that divide a layer", [](A x) { return x.c.degrees().tensor; }, sharing, is("{tensor}")},
        {"n_d", "replicas that share one copy",
         [](A x) { return in_groups(x) ? x.e().states.ranks : replicas(x) * x.c.degrees().context; }, ranks,
         is("k.group", in_groups), source(group_source),
         is("n_c*min({data}, E)", [](A x) { return x.c.degrees().data != x.c.workers(); }),
         is("n", &Context::batch_grows), is("min(n, B)"), note("A worker without a sample takes no part.")},
        {"n_x", "workers with the same experts", [](A x) { return x.e().states.expert_ranks; }, ranks, 1,
         is("max(1, n_t*k.group/(n_e*n_v))", in_groups), source(group_source), is("ceil(r.active*n_t*n_c/(n_e*n_v))")},
        {"n_g", "groups of replicas", [](A x) { return x.e().states.groups; }, ranks, 2,
         is("ceil(r.active*n_c/k.group)", in_groups), source(group_source)},
        {"n_g.x", "groups of replicas", [](A x) { return x.e().states.expert_groups; }, ranks, 3,
         is("ceil(ceil(r.active*n_t*n_c/(n_e*n_v))/max(1, n_t*k.group/(n_e*n_v)))", in_groups), source(group_source)},
        {"k.group", "replicas in a shard group", [](A x) { return x.e().states.ranks; }, "parallelism.shard_group"},
        {"r.active", "replicas that have samples", replicas, "cluster.workers"},
        {"m.nodes", "nodes", &GroupReach::nodes, nodes, is("ceil({n}/q.node)", nodes_full), is("m_g"),
         source("Nodes are filled one after the other")},
        {"m_g", "nodes that the most spread group lies in", &GroupReach::nodes, "cluster.devices_per_node"},
        // what it carries
        {"S",
         "bytes of the buffer",
         &MessageEstimate::bytes,
         message_bytes,
         note("A number has 4 bytes, FP32.", carries<Carried::statistics>),
         is("b*({hosted})", to_host),
         source("What the layers of the block keep for the backward pass, each tensor once"),
         note("Workers that divide each expert gather what all of them received, and scatter the sums.",
              on_axis<MeshAxis::expert_tensor>),
         is("{w}*{sum}/{sharing}", [](A x) { return parameters(x) && !sharing_of(x.c, x.message()).empty(); }),
         note("Each rank sums the shard of the gradients that it keeps."),
         is("{w}*{sum}", [](A x) { return parameters(x) && x.message().gradients; }),
         source("Trained parameters: their gradients, or the updated weights"),
         is("{w}*{sum}", parameters),
         source(sharded_source),
         is("w*b*{sum}", over_stages),
         source("Every tensor that crosses the border between the stages, once"),
         note("The workers of the tensor axis have sent a piece each; behind the border they gather what is whole "
              "(Narayanan et al., SC 2021)."
              "|parallelism.scatter_gather",
              [](A x) { return over_stages(x) && on_axis<MeshAxis::tensor>(x); }),
         is("{attention}", [](A x) { return on_axis<MeshAxis::context>(x) && !carries<Carried::output>(x); }),
         source("{context source}"),
         is("w*n_r*N_i*b*p.i*s.i*s_i{gathered}", once_to_each),
         note("A position goes once to each worker that has any of its experts, and back; all experts are as likely."),
         is("w*k.chosen*N_i*b*p.i*s.i*s_i{gathered}",
            [](A x) { return of_positions(x) && x.facts().experts.capacity == 0; }),
         note("Every position goes to the workers of its experts, and back; all experts have as many."),
         is("w*d.position*E.experts*C.places{gathered}", of_positions),
         note("Every expert has as many places, which travel taken or empty; positions without one are dropped."),
         source("{expert source}"),
         is("w*u.state*b", carries<Carried::states>),
         source("One state: every gate of the next one reads all of it"),
         is("w*N_i*r.halo/H.rows*b", carries<Carried::halo>),
         note("The rows of its neighbours that the windows of a worker reach into."),
         source(halo_source),
         is("4*N.sums{for each}", [](A x) { return carries<Carried::statistics>(x) && x.facts().rows.statistics > 0; }),
         source("Two sums for each mean and variance, over the rows of all workers"),
         is("4*N.read/V*b*p.own", carries<Carried::statistics>),
         source("One number for each row of classes: largest, sum, and that of the target"),
         is("{sent tensor}", to_all),
         source("What one worker has of the tensor, a piece for each other one"),
         is("{sent tensor}"),
         source("The whole tensor, once, whoever reads it"),
         sum(sent_terms, "layers", Measure::count)},
        {"w.weight", "bytes of a weight", [](A x) { return Bytes{x.c.part(x.part()).work.element_bytes}; },
         "training.precision"},
        {"k.chosen", "experts for each position", [](Facts f) { return f.experts.chosen; }},
        {"n_r", "workers with any of its experts, on average", workers_reached, "parallelism.dispatch"},
        {"d.position", "elements of a position", [](Facts f) { return f.output.back(); }},
        {"E.experts", "experts", [](Facts f) { return f.experts.count; }},
        {"C.places", "places of an expert for this worker's positions",
         [](A x) { return places(x.facts().experts, positions_of(x)) / static_cast<double>(x.facts().experts.count); }},
        {"r.halo", "rows that the busiest worker sends or receives",
         [](A x) { return halo_of(x.facts().rows, x.facts().along(ShardAlong::image_rows), x.c.sharing())->rows; }},
        {"N.sums", "sums of the norm", [](Facts f) { return f.rows.statistics; }},
        {"u.state", "units", [](Facts f) { return f.along(ShardAlong::units); }},
        {"V", "classes", [](Facts f) { return f.along(ShardAlong::vocabulary); }},
        {"N.read", "elements that the loss reads", read_by_loss},
        {"*p.own", "share of its positions", [](A x) { return x.c.context_share(x.part(), x.layer()); }, share, 1},
        {"*s.sent", "share of the busiest worker", share_sent, share},
    };
    return {all, message_holes};
}

int level_count(const Context& c, const Item& item) { return static_cast<int>(levels_of(c, item).size()); }

}  // namespace scalescope::explaining
