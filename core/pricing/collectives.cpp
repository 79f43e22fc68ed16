// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/collectives.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

double floor_log2(std::int64_t n) { return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n)) - 1); }
double ceil_log2(std::int64_t n) { return n <= 1 ? 0.0 : floor_log2(n - 1) + 1.0; }
double others_of(std::int64_t n) { return static_cast<double>(n) - 1; }
double part_of(std::int64_t n) { return others_of(n) / static_cast<double>(n); }
/// The largest power of two up to n. So many ranks halve and double; each other rank first sends its buffer to one of
/// them, and receives the result at the end.
double core_of(std::int64_t n) { return static_cast<double>(std::int64_t{1} << static_cast<int>(floor_log2(n))); }

using enum OfRanks;
/// By OfRanks, over `n`.
constexpr std::array<std::string_view, 11> texts{"1",
                                                 "2",
                                                 "(n - 1)",
                                                 "2*(n - 1)",
                                                 "(n - 1)/n",
                                                 "2*(n - 1)/n",
                                                 "ceil(log2(n))",
                                                 "2*ceil(log2(n))",
                                                 "2*log2(n)",
                                                 "(2*floor(log2(n)) + 2)",
                                                 "(2*(2^floor(log2(n)) - 1)/2^floor(log2(n)) + 2)"};
static_assert(texts[static_cast<std::size_t>(parts_of_core)].starts_with("(2*(2^"));
constexpr std::string_view text_of(OfRanks factor) { return texts[static_cast<std::size_t>(factor)]; }

struct Algorithm {
    const char* name;  ///< in a sentence
    CollectiveRow all_reduce;
    bool logarithmic;  ///< other messages too go in steps that double
    bool one_level;
    const char* source;
};
constexpr auto paleo_source = "PALEO, Qi et al., ICLR 2017; start-up time per hop added",
               ring_source = "Ring: Patarasuk and Yuan, JPDC 2009";
/// By Collective.
constexpr std::array<Algorithm, 9> algorithms{{
    {"ring", {twice_others, twice_part}, false, false, ring_source},
    {"recursive halving and doubling",
     {halvings, twice_part},
     true,
     false,
     "Recursive halving and doubling: Thakur et al., IJHPCA 2005"},
    {"double tree",
     {twice_hops, twice},
     true,
     false,
     "Double binary tree, pipelined: Sanders et al., Parallel Computing 2009"},
    {"one to all", {twice_others, twice_others}, false, true, paleo_source},
    {"tree", {twice_hops, twice_hops}, false, true, paleo_source},
    {"butterfly", {hops, hops}, false, true, paleo_source},
    {"butterfly mixing", {once, once}, false, true, paleo_source},
    {"parameter server", {twice, twice}, false, false, "Parameter servers in the hosts' memory: Li et al., OSDI 2014"},
    {"fastest", {twice_others, twice_part}, false, false, ring_source},
}};
static_assert(algorithms[static_cast<std::size_t>(Collective::automatic)].name == std::string_view("fastest"));
constexpr CollectiveRow uneven_recursive{halvings_of_core, parts_of_core}, single{once, once},
    scatter_by_ring{others, part}, scatter_in_steps{hops, part}, chain{others, once}, binomial{hops, hops};

const Algorithm& row_of(Collective c) { return algorithms[static_cast<std::size_t>(c)]; }

}  // namespace

double value_of(OfRanks factor, std::int64_t n) {
    switch (factor) {
        case once: return 1;
        case twice: return 2;
        case others: return others_of(n);
        case twice_others: return 2 * others_of(n);
        case part: return part_of(n);
        case twice_part: return 2 * part_of(n);
        case hops: return ceil_log2(n);
        case twice_hops: return 2 * ceil_log2(n);
        case halvings: return 2 * floor_log2(n);
        case halvings_of_core: return 2 * floor_log2(n) + 2.0;
        case parts_of_core: return 2 * (core_of(n) - 1) / core_of(n) + 2.0;
    }
    return 0;
}

const CollectiveRow& collective_row(Message message, Collective algorithm, std::int64_t ranks) {
    const bool logarithmic = row_of(algorithm).logarithmic;
    switch (message) {
        case Message::all_reduce:
            if (algorithm == Collective::recursive && (ranks & (ranks - 1)) != 0) return uneven_recursive;
            return row_of(algorithm).all_reduce;
        case Message::reduce_scatter:
        case Message::all_gather: return logarithmic ? scatter_in_steps : scatter_by_ring;
        case Message::all_to_all: return scatter_by_ring;  // one piece after the other
        case Message::broadcast:
        case Message::reduce: return logarithmic ? binomial : chain;
        case Message::point_to_point:
        case Message::push:
        case Message::pull:
        case Message::host_copy: break;
    }
    return single;
}

std::string collective_formula(Message message, Collective algorithm, std::int64_t ranks, const std::string& n,
                               const std::string& s, const std::string& a, const std::string& w) {
    const CollectiveRow& row = collective_row(message, algorithm, ranks);
    const auto times = [&](std::string_view factor, const std::string& what) {
        if (factor == text_of(once)) return what;
        std::string text;
        for (std::size_t i = 0; i < factor.size(); ++i) {
            // `n` alone, not as a letter of a function's name
            const bool letter = i > 0 && factor[i - 1] >= 'a' && factor[i - 1] <= 'z';
            text += factor[i] == 'n' && !letter ? n : std::string(1, factor[i]);
        }
        return text + '*' + what;
    };
    const std::string_view startups = text_of(row.startups), crossings = text_of(row.crossings);
    const std::string transfer = s + "/" + w;
    if (startups != crossings) return times(startups, a) + " + " + times(crossings, transfer);
    return row.startups == once ? a + " + " + transfer : times(startups, '(' + a + " + " + transfer + ')');
}

Collective priced_as(Message message, Collective asked) {
    switch (message) {
        case Message::all_reduce:
        case Message::point_to_point:
        case Message::push:
        case Message::pull:
        case Message::host_copy: return asked;
        case Message::reduce_scatter:
        case Message::all_gather:
        case Message::broadcast:
        case Message::reduce: break;
        case Message::all_to_all: return Collective::ring;
    }
    return row_of(asked).logarithmic ? Collective::recursive : Collective::ring;
}

bool one_level(Collective c) { return row_of(c).one_level; }
std::string_view word_for(Collective c) { return row_of(c).name; }
const char* source_of(Collective c) { return row_of(c).source; }

namespace {

/// A LinearCost without its algorithm: small enough to be returned in registers.
struct Line {
    Seconds start{0};
    double seconds_per_byte = 0;
};

Line line(Seconds alpha, double messages, double transfers, BytesPerSecond w) {
    return {messages * alpha, transfers / w.value};
}

Line operator+(Line a, Line b) { return {a.start + b.start, a.seconds_per_byte + b.seconds_per_byte}; }

Line flat_line(Message message, Collective algorithm, std::int64_t n, Seconds alpha, BytesPerSecond w) {
    if (n <= 1) return {};
    const CollectiveRow& row = collective_row(message, algorithm, n);
    return line(alpha, value_of(row.startups, n), value_of(row.crossings, n), w);
}

/// Bandwidth of each device when `senders` devices use the network cards of a node at once.
BytesPerSecond share_of_cards(const LinkRates& links, double senders) {
    return BytesPerSecond{links.between.value * std::min(1.0, static_cast<double>(links.nics_per_node) / senders)};
}

/// Push and pull of everything: over the uplinks that devices share, and to the servers of the other nodes. One worker
/// too has its weights on the host.
Line server_line(const GroupReach& group, const LinkRates& links) {
    const double sharing = static_cast<double>(std::min(group.sending, links.devices_per_uplink));
    const Line inside = line(links.inside_latency, 2, 2 * sharing, links.inside);
    if (group.nodes <= 1) return inside;
    const double m = static_cast<double>(group.nodes);
    const BytesPerSecond cards{links.between.value * static_cast<double>(links.nics_per_node) / group.groups()};
    return inside + line(links.between_latency, 2, 2 * (m - 1) / m, cards);
}

Line cluster_line(Message message, Collective algorithm, const GroupReach& group, const LinkRates& links) {
    if (algorithm == Collective::parameter_server && message == Message::all_reduce) return server_line(group, links);
    if (group.nodes <= 1) return flat_line(message, algorithm, group.ranks, links.inside_latency, links.inside);
    if (one_level(algorithm)) return flat_line(message, algorithm, group.ranks, links.between_latency, links.between);
    // All devices of a node talk to the other nodes at once, each with its share of the buffer and of the network
    // cards.
    const BytesPerSecond outer = share_of_cards(links, static_cast<double>(group.sending));
    if (group.in_node <= 1) return flat_line(message, algorithm, group.ranks, links.between_latency, outer);
    const double share = 1.0 / static_cast<double>(group.in_node);
    const auto in = [&](Message m) {
        return flat_line(m, algorithm, group.in_node, links.inside_latency, links.inside);
    };
    const auto out = [&](Message m) {
        Line c = flat_line(m, algorithm, group.nodes, links.between_latency, outer);
        c.seconds_per_byte *= share;
        return c;
    };
    switch (message) {
        case Message::all_reduce: {
            const Line scatter = in(Message::reduce_scatter);  // a gather is the same the other way round
            return scatter + out(Message::all_reduce) + scatter;
        }
        case Message::reduce_scatter:
        case Message::all_gather: return in(message) + out(message);
        case Message::broadcast:
        case Message::reduce:
            // one rank of each node takes part outside
            return flat_line(message, algorithm, group.nodes, links.between_latency,
                             share_of_cards(links, group.groups())) +
                   in(message);
        case Message::point_to_point:  // between neighbours: of each group two are in different nodes
            return flat_line(message, algorithm, 2, links.between_latency, share_of_cards(links, group.groups()));
        case Message::all_to_all:  // in two parts: message_cost
        case Message::push:
        case Message::pull:
        case Message::host_copy: break;
    }
    return flat_line(message, algorithm, 2, links.between_latency, links.between);
}

}  // namespace

LinearCost flat_cost(Message message, Collective algorithm, std::int64_t n, Seconds alpha, BytesPerSecond w) {
    const Line flat = flat_line(message, algorithm, n, alpha, w);
    return {flat.start, flat.seconds_per_byte, algorithm};
}

GroupReach reach_of(const RankGroup& group, std::int64_t devices, const LinkRates& links) {
    GroupReach reach;
    reach.ranks = group.ranks();
    reach.in_node = std::min(reach.ranks, group.in_box(links.devices_per_node));
    reach.nodes = reach.ranks == reach.in_node ? 1 : ceil_div(reach.ranks, reach.in_node);
    reach.sending = std::min(devices, links.devices_per_node);
    return reach;
}

GroupReach reach_on_mesh(const RankGroup& group, std::int64_t devices, const LinkRates& links) {
    const std::int64_t node = links.devices_per_node;
    const std::int64_t block = group.dimensions[0].count * group.dimensions[0].stride;
    GroupReach reach = reach_of(group, devices, links);
    if (block % node == 0 || node % block == 0) return reach;
    // Of groups whose length does not fit to that of nodes, some reach into a node more.
    const std::int64_t blocks = std::min(devices / block, node / std::gcd(block, node));
    std::int64_t most = reach.nodes;
    for (std::int64_t b = group.dimensions[0].stride > 1 ? 0 : 1; b < blocks; ++b) {
        const std::int64_t spanned = ((b + 1) * block - 1) / node - b * block / node + 1;
        most = std::max(most, std::min(spanned, reach.ranks));
    }
    if (most == reach.nodes) return reach;
    reach.nodes = most;
    reach.in_node = ceil_div(reach.ranks, most);
    return reach;
}

GroupReach reach_of_stages(std::int64_t ranks, std::int64_t first, std::int64_t last, const Mesh& mesh,
                           const LinkRates& links) {
    const std::int64_t node = links.devices_per_node, width = mesh.stride(MeshAxis::pipeline),
                       row = width * mesh.pipeline;
    // After so many rows one begins where a node does.
    const std::int64_t rows = std::min(mesh.devices() / row, node / std::gcd(row, node));
    bool near = true;
    for (std::int64_t from = 0; near && from < rows * row; from += row)
        near = (from + first * width) / node == (from + (last + 1) * width - 1) / node;
    if (near) return {ranks, ranks, 1, ranks};
    return {ranks, 1, ranks, std::min(width, node)};
}

MessageCost message_cost(Message message, Collective algorithm, const GroupReach& group, const LinkRates& links) {
    MessageCost cost;
    const auto option = [&](int i, const Line& one, Collective asked) {
        LinearCost& priced = cost.options[static_cast<std::size_t>(i)];
        priced.algorithm = priced_as(message, asked);
        priced.start = one.start;
        priced.seconds_per_byte = one.seconds_per_byte;
    };
    if (message == Message::all_to_all && group.nodes > 1) {
        const double n = static_cast<double>(group.ranks), inside = static_cast<double>(group.in_node);
        cost.at_once = true;
        cost.count = 2;
        const bool passed_on = group.by_node > 0;
        const double nodes = static_cast<double>(group.nodes), others = passed_on ? nodes - 1 : n - inside;
        option(0, line(links.inside_latency, inside - 1, (inside - 1) / (passed_on ? inside : n), links.inside),
               algorithm);
        option(1,
               line(links.between_latency, others, passed_on ? others / nodes * group.by_node : others / n,
                    share_of_cards(links, static_cast<double>(group.sending))),
               algorithm);
        return cost;
    }
    std::span<const Collective> choices = MessageCost::choices;
    if (algorithm != Collective::automatic) choices = {&algorithm, 1};
    cost.count = 0;
    for (const Collective c : choices) option(cost.count++, cluster_line(message, c, group, links), c);
    return cost;
}

MessageCost scaled(MessageCost cost, double share) {
    for (LinearCost& option : cost.options) {
        option.start = option.start * share;
        option.seconds_per_byte *= share;
    }
    return cost;
}

LinearCost neighbour_cost(bool in_node, std::int64_t width, const LinkRates& links) {
    const auto one = [](Seconds latency, BytesPerSecond w) {
        return flat_cost(Message::point_to_point, Collective::ring, 2, latency, w);
    };
    const double sending = static_cast<double>(std::min(width, links.devices_per_node));
    return in_node ? one(links.inside_latency, links.inside)
                   : one(links.between_latency, share_of_cards(links, sending));
}

}  // namespace scalescope
