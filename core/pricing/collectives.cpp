// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/collectives.hpp"

#include <algorithm>
#include <bit>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

double floor_log2(std::int64_t n) { return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(n)) - 1); }
double ceil_log2(std::int64_t n) { return n <= 1 ? 0.0 : floor_log2(n - 1) + 1.0; }

LinearCost line(Seconds alpha, double messages, double transfers, BytesPerSecond w, Collective algorithm) {
    return {messages * alpha, transfers / w.value, algorithm};
}

LinearCost operator+(const LinearCost& a, const LinearCost& b) {
    return {a.start + b.start, a.seconds_per_byte + b.seconds_per_byte, a.algorithm};
}
LinearCost scaled(LinearCost c, double share) {
    c.seconds_per_byte *= share;
    return c;
}

/// Push and pull of everything: over the uplinks that devices share, and to the servers of the other nodes. One worker
/// too has its weights on the host.
LinearCost server_cost(std::int64_t n, const LinkRates& links) {
    const std::int64_t inner = std::min(n, links.devices_per_node), nodes = ceil_div(n, links.devices_per_node);
    const double sharing = static_cast<double>(std::min(inner, links.devices_per_uplink));
    LinearCost c = line(links.inside_latency, 2, 2 * sharing, links.inside, Collective::parameter_server);
    if (nodes <= 1) return c;
    const double m = static_cast<double>(nodes);
    const BytesPerSecond cards{links.between.value * static_cast<double>(links.nics_per_node)};
    return c + line(links.between_latency, 2, 2 * (m - 1) / m, cards, Collective::parameter_server);
}

LinearCost cluster_cost(Message message, Collective algorithm, std::int64_t n, const LinkRates& links) {
    if (algorithm == Collective::parameter_server && message == Message::all_reduce) return server_cost(n, links);
    const std::int64_t inner = std::min(n, links.devices_per_node), nodes = ceil_div(n, links.devices_per_node);
    if (nodes <= 1) return flat_cost(message, algorithm, n, links.inside_latency, links.inside);
    if (inner <= 1 || one_level(algorithm))
        return flat_cost(message, algorithm, n, links.between_latency, links.between);
    const double share = 1.0 / static_cast<double>(inner);
    // All ranks of a node talk to the other nodes at once, each with its share of the buffer and of the network cards.
    const BytesPerSecond outer{links.between.value *
                               std::min(1.0, static_cast<double>(links.nics_per_node) / static_cast<double>(inner))};
    auto in = [&](Message m) { return flat_cost(m, algorithm, inner, links.inside_latency, links.inside); };
    auto out = [&](Message m) { return scaled(flat_cost(m, algorithm, nodes, links.between_latency, outer), share); };
    LinearCost c;
    switch (message) {
        case Message::all_reduce:
            c = in(Message::reduce_scatter) + out(Message::all_reduce) + in(Message::all_gather);
            break;
        case Message::reduce_scatter: c = in(Message::reduce_scatter) + out(Message::reduce_scatter); break;
        case Message::all_gather: c = out(Message::all_gather) + in(Message::all_gather); break;
        case Message::broadcast:
        case Message::reduce:
            // one rank of each node takes part outside, so it has a card's whole bandwidth
            c = flat_cost(message, algorithm, nodes, links.between_latency, links.between) + in(message);
            break;
        case Message::point_to_point:
        case Message::push:
        case Message::pull: c = flat_cost(message, algorithm, 2, links.between_latency, links.between); break;
    }
    c.algorithm = algorithm;
    return c;
}

}  // namespace

bool one_level(Collective c) {
    return c == Collective::one_to_all || c == Collective::paleo_tree || c == Collective::butterfly ||
           c == Collective::butterfly_mixing;
}

Collective priced_as(Message message, Collective asked) {
    switch (message) {
        case Message::all_reduce:
        case Message::point_to_point:
        case Message::push:
        case Message::pull: return asked;
        case Message::reduce_scatter:
        case Message::all_gather:
        case Message::broadcast:
        case Message::reduce: break;
    }
    return asked == Collective::recursive || asked == Collective::tree ? Collective::recursive : Collective::ring;
}

LinearCost flat_cost(Message message, Collective algorithm, std::int64_t n, Seconds alpha, BytesPerSecond w) {
    if (n <= 1) return {Seconds{0}, 0.0, algorithm};
    const double ranks = static_cast<double>(n), hops = ceil_log2(n), part = (ranks - 1) / ranks;
    switch (message) {
        case Message::all_reduce:
            switch (algorithm) {
                case Collective::ring:
                case Collective::automatic: return line(alpha, 2 * (ranks - 1), 2 * part, w, algorithm);
                case Collective::recursive: {
                    // halving and doubling among the largest power of two; the others hand in before and are told after
                    const double core = static_cast<double>(std::int64_t{1} << static_cast<int>(floor_log2(n)));
                    const double extra = core < ranks ? 2.0 : 0.0;
                    return line(alpha, 2 * floor_log2(n) + extra, 2 * (core - 1) / core + extra, w, algorithm);
                }
                case Collective::tree: return line(alpha, 2 * hops, 2, w, algorithm);
                case Collective::one_to_all: return line(alpha, 2 * (ranks - 1), 2 * (ranks - 1), w, algorithm);
                case Collective::paleo_tree: return line(alpha, 2 * hops, 2 * hops, w, algorithm);
                case Collective::butterfly: return line(alpha, hops, hops, w, algorithm);
                case Collective::butterfly_mixing: return line(alpha, 1, 1, w, algorithm);
                case Collective::parameter_server: return line(alpha, 2, 2, w, algorithm);
            }
            break;
        case Message::reduce_scatter:
        case Message::all_gather:
            if (algorithm == Collective::recursive || algorithm == Collective::tree)
                return line(alpha, hops, part, w, algorithm);
            return line(alpha, ranks - 1, part, w, algorithm);
        case Message::broadcast:
        case Message::reduce:
            if (algorithm == Collective::recursive || algorithm == Collective::tree)
                return line(alpha, hops, hops, w, algorithm);
            return line(alpha, ranks - 1, 1, w, algorithm);
        case Message::point_to_point:
        case Message::push:
        case Message::pull: return line(alpha, 1, 1, w, algorithm);
    }
    return {};
}

MessageCost message_cost(Message message, Collective algorithm, std::int64_t n, const LinkRates& links) {
    MessageCost cost;
    const auto option = [&](Collective c) {
        LinearCost one = cluster_cost(message, c, n, links);
        one.algorithm = priced_as(message, c);
        return one;
    };
    if (algorithm != Collective::automatic) {
        cost.options[0] = option(algorithm);
        return cost;
    }
    cost.count = 0;
    for (Collective c : MessageCost::choices) cost.options[static_cast<std::size_t>(cost.count++)] = option(c);
    return cost;
}

MessageCost scaled(MessageCost cost, double share) {
    for (LinearCost& option : cost.options) {
        option.start = option.start * share;
        option.seconds_per_byte *= share;
    }
    return cost;
}

LinkRates links_among(std::int64_t first, std::int64_t last, const LinkRates& links) {
    LinkRates among = links;
    if (first / links.devices_per_node != last / links.devices_per_node) among.devices_per_node = 1;
    return among;
}

LinearCost neighbour_cost(std::int64_t from, const LinkRates& links) {
    const bool same_node = from / links.devices_per_node == (from + 1) / links.devices_per_node;
    return same_node ? flat_cost(Message::point_to_point, Collective::ring, 2, links.inside_latency, links.inside)
                     : flat_cost(Message::point_to_point, Collective::ring, 2, links.between_latency, links.between);
}

}  // namespace scalescope
