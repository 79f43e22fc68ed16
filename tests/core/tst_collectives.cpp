// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives against values worked out by hand (docs/decisions/collectives.md) and against what must always hold.
#include <QtTest>
#include <cmath>
#include <set>

#include "core/numerics/expression.hpp"
#include "core/pricing/collectives.hpp"
#include "support_choices.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::all_collectives;

namespace {

constexpr std::array all_messages{Message::all_reduce,    Message::reduce_scatter, Message::all_gather,
                                  Message::all_to_all,    Message::broadcast,      Message::reduce,
                                  Message::point_to_point};
constexpr double alpha = 1e-4, bandwidth = 1e9, size = 6e8;

double flat(Message m, Collective c, std::int64_t n, double bytes = size) {
    return flat_cost(m, c, n, Seconds{alpha}, BytesPerSecond{bandwidth}).at(Bytes{bytes}).value;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

LinkRates links(double inside, double between, std::int64_t per_node, std::int64_t nics = 1) {
    return {BytesPerSecond{inside}, BytesPerSecond{between}, Seconds{1e-5}, Seconds{1e-4}, per_node, nics};
}

double of(Message m, Collective c, std::int64_t n, const LinkRates& l, double bytes = size) {
    return message_cost(m, c, reach_of(n, l), l).at(Bytes{bytes}).value;
}

}  // namespace

class TestCollectives : public QObject {
    Q_OBJECT

private slots:
    void values_by_hand() {
        struct Row {
            Message m;
            Collective c;
            std::int64_t n;
            double messages, transfers;
        };
        using enum Message;
        using enum Collective;
        const Row rows[] = {
            {all_reduce, ring, 2, 2, 1},
            {all_reduce, ring, 3, 4, 4.0 / 3},
            {all_reduce, ring, 8, 14, 1.75},
            {all_reduce, recursive, 2, 2, 1},
            {all_reduce, recursive, 8, 6, 1.75},
            {all_reduce, recursive, 3, 4,
             3},  // two exchange halves and wholes, the third hands in before and is told after
            {all_reduce, recursive, 6, 6, 3.5},
            {all_reduce, tree, 2, 2, 2},
            {all_reduce, tree, 3, 4, 2},
            {all_reduce, tree, 8, 6, 2},
            {all_reduce, one_to_all, 2, 2, 2},
            {all_reduce, one_to_all, 3, 4, 4},
            {all_reduce, one_to_all, 8, 14, 14},
            {all_reduce, paleo_tree, 2, 2, 2},
            {all_reduce, paleo_tree, 3, 4, 4},
            {all_reduce, paleo_tree, 8, 6, 6},
            {all_reduce, butterfly, 2, 1, 1},
            {all_reduce, butterfly, 3, 2, 2},
            {all_reduce, butterfly, 8, 3, 3},
            {all_reduce, butterfly_mixing, 2, 1, 1},
            {all_reduce, butterfly_mixing, 8, 1, 1},
            {all_reduce, parameter_server, 2, 2, 2},  // up and down, each over a link of its own
            {all_reduce, parameter_server, 3, 2, 2},
            {all_reduce, parameter_server, 8, 2, 2},
            {reduce_scatter, ring, 2, 1, 0.5},
            {reduce_scatter, ring, 8, 7, 0.875},
            {all_gather, ring, 3, 2, 2.0 / 3},
            {all_gather, recursive, 8, 3, 0.875},
            {reduce_scatter, tree, 8, 3, 0.875},
            {all_gather, recursive, 3, 2, 2.0 / 3},
            {all_gather, one_to_all, 8, 7, 0.875},  // PALEO's schemes are for the all-reduce: all else goes by the ring
            {broadcast, ring, 2, 1, 1},
            {broadcast, ring, 8, 7, 1},
            {broadcast, tree, 8, 3, 3},
            {reduce, recursive, 3, 2, 2},
            {reduce, ring, 3, 2, 1},
            {point_to_point, ring, 2, 1, 1},
            {point_to_point, tree, 2, 1, 1},
        };
        std::set<Collective> counted{automatic};  // the least of the others
        for (const Row& r : rows) {
            if (r.m == all_reduce) counted.insert(r.c);
            QVERIFY2(close(flat(r.m, r.c, r.n), r.messages * alpha + r.transfers * size / bandwidth),
                     qPrintable(QString("message %1, algorithm %2, %3 ranks: %4")
                                    .arg(int(r.m))
                                    .arg(int(r.c))
                                    .arg(r.n)
                                    .arg(flat(r.m, r.c, r.n))));
        }
        QCOMPARE(counted.size(), all_collectives.size());
    }

    /// A message says by which algorithm it was priced, whatever was asked for.
    void the_algorithm_said_is_the_one_that_priced_it() {
        using enum Collective;
        const LinkRates l = links(1e9, 1e9, 1);
        for (Message m : all_messages)
            for (Collective asked : all_collectives) {
                if (asked == automatic) continue;
                const LinearCost cost = message_cost(m, asked, reach_of(8, l), l).best(Bytes{size});
                QCOMPARE(cost.algorithm, priced_as(m, asked));
                if (asked == parameter_server && m == Message::all_reduce) continue;
                QVERIFY(close(cost.at(Bytes{size}).value,
                              flat_cost(m, cost.algorithm, 8, l.between_latency, l.between).at(Bytes{size}).value));
            }
        QCOMPARE(priced_as(Message::all_gather, paleo_tree), ring);
        QCOMPARE(priced_as(Message::all_gather, parameter_server), ring);
        QCOMPARE(priced_as(Message::reduce_scatter, tree), recursive);
        QCOMPARE(priced_as(Message::broadcast, butterfly), ring);
        QCOMPARE(priced_as(Message::all_reduce, paleo_tree), paleo_tree);
        QCOMPARE(message_cost(Message::all_gather, automatic, reach_of(8, l), l).best(Bytes{1}).algorithm, recursive);
    }

    void one_rank_costs_nothing() {
        for (Message m : all_messages)
            for (Collective c : all_collectives) {
                QCOMPARE(flat(m, c, 1), 0.0);
                if (c != Collective::parameter_server || m != Message::all_reduce)
                    QCOMPARE(of(m, c, 1, links(1e9, 1e9, 4)), 0.0);
            }
    }

    /// 6e8 bytes up and down a link of 1 GB/s with 10 µs, shared by up to four of a node's eight; between m nodes
    /// (m − 1)/m of them each way over two cards of 0.5 GB/s with 100 µs.
    void parameter_servers() {
        LinkRates l = links(1e9, 0.5e9, 8, 2);
        l.devices_per_uplink = 4;
        const auto time = [&](std::int64_t n) { return of(Message::all_reduce, Collective::parameter_server, n, l); };
        // One worker too has its weights on the host.
        QVERIFY(close(time(1), 2 * (1e-5 + 0.6)));
        QVERIFY(close(time(2), 2 * (1e-5 + 2 * 0.6)));
        QVERIFY(close(time(4), 2 * (1e-5 + 4 * 0.6)));
        QVERIFY(close(time(8), 2 * (1e-5 + 4 * 0.6)));
        QVERIFY(close(time(16), 2 * (1e-5 + 4 * 0.6) + 2 * (1e-4 + 0.5 * 0.6)));
        QVERIFY(close(time(64), 2 * (1e-5 + 4 * 0.6) + 2 * (1e-4 + 0.875 * 0.6)));
        QCOMPARE(share_under_backward(Collective::parameter_server), 0.5);
        QCOMPARE(share_under_backward(Collective::ring), 1.0);
    }

    void ring_tends_to_two_transfers() {
        const double limit = 2 * size / bandwidth;
        const double t =
            flat_cost(Message::all_reduce, Collective::ring, 1'000'000, Seconds{0}, BytesPerSecond{bandwidth})
                .at(Bytes{size})
                .value;
        QVERIFY(t < limit && t > limit * 0.99999);
    }

    void powers_of_two_move_as_little_as_the_ring() {
        for (std::int64_t n : {2, 4, 8, 64, 1024})
            for (Message m : {Message::all_reduce, Message::reduce_scatter, Message::all_gather}) {
                const auto r = flat_cost(m, Collective::ring, n, Seconds{alpha}, BytesPerSecond{bandwidth});
                const auto h = flat_cost(m, Collective::recursive, n, Seconds{alpha}, BytesPerSecond{bandwidth});
                QVERIFY(close(h.seconds_per_byte, r.seconds_per_byte));
                QVERIFY(h.start <= r.start);
            }
    }

    void an_all_reduce_is_a_scatter_and_a_gather() {
        for (std::int64_t n : {2, 3, 5, 8, 100})
            QVERIFY(close(
                flat(Message::all_reduce, Collective::ring, n),
                flat(Message::reduce_scatter, Collective::ring, n) + flat(Message::all_gather, Collective::ring, n)));
    }

    void automatic_takes_the_least() {
        std::mt19937 random(1);
        std::set<Collective> won;
        for (int k = 0; k < 500; ++k) {
            const auto l = links(support::real(random, 1e8, 1e11), support::real(random, 1e7, 1e10),
                                 support::pick(random, 1, 8), support::pick(random, 1, 4));
            const std::int64_t n = support::pick(random, 2, 300);
            const double bytes = std::pow(10.0, support::real(random, 1, 9));
            for (Message m : all_messages) {
                const double least =
                    std::min({of(m, Collective::ring, n, l, bytes), of(m, Collective::recursive, n, l, bytes),
                              of(m, Collective::tree, n, l, bytes)});
                QCOMPARE(of(m, Collective::automatic, n, l, bytes), least);
                const auto best =
                    message_cost(m, Collective::automatic, reach_of(n, l), l).best(Bytes{bytes}).algorithm;
                QCOMPARE(of(m, best, n, l, bytes), least);
                if (m == Message::all_reduce) won.insert(best);
            }
        }
        QVERIFY(won.size() >= 2);
    }

    // One node is a flat group on the link inside; nodes of one device a flat group on the link between.
    void levels_of_one() {
        for (Message m : all_messages)
            for (Collective c : all_collectives)
                for (std::int64_t n : {2, 3, 8}) {
                    const auto one = links(3e9, 1e8, 8);
                    QVERIFY(close(of(m, c, n, one),
                                  flat_cost(m, c, n, one.inside_latency, one.inside).at(Bytes{size}).value) ||
                            c == Collective::automatic);
                    const auto single = links(3e9, 1e8, 1);
                    if (c == Collective::parameter_server && m == Message::all_reduce) {
                        // Every device goes over its own link to the host first.
                        QVERIFY(close(of(m, c, n, single),
                                      2 * (1e-5 + size / 3e9) + 2 * (1e-4 + double(n - 1) / double(n) * size / 1e8)));
                        continue;
                    }
                    QVERIFY(close(of(m, c, n, single),
                                  flat_cost(m, c, n, single.between_latency, single.between).at(Bytes{size}).value) ||
                            c == Collective::automatic);
                }
    }

    // 4 nodes of 8: reduce-scatter inside, all-reduce of an eighth between, all-gather inside. One card per node is
    // shared by its 8 devices.
    void two_levels_by_hand() {
        const auto l = links(1e10, 1e9, 8, 1);
        const double inside = 2 * (7 * 1e-5 + 7.0 / 8 * size / 1e10),
                     between = 2 * 3 * 1e-4 + 2 * 3.0 / 4 * (size / 8) / (1e9 / 8);
        QVERIFY(close(of(Message::all_reduce, Collective::ring, 32, l), inside + between));
        const auto cards = links(1e10, 1e9, 8, 8);  // a card for each device
        QVERIFY(close(of(Message::all_reduce, Collective::ring, 32, cards),
                      inside + 2 * 3 * 1e-4 + 2 * 3.0 / 4 * (size / 8) / 1e9));
        QVERIFY(close(of(Message::all_gather, Collective::ring, 32, cards),
                      inside / 2 + 3 * 1e-4 + 3.0 / 4 * (size / 8) / 1e9));
        QVERIFY(close(of(Message::reduce_scatter, Collective::ring, 32, cards),
                      of(Message::all_gather, Collective::ring, 32, cards)));
        QVERIFY(close(of(Message::broadcast, Collective::ring, 32, l), 3 * 1e-4 + size / 1e9 + 7 * 1e-5 + size / 1e10));
        // PALEO's schemes know one level: the slowest
        QVERIFY(close(of(Message::all_reduce, Collective::butterfly, 32, l), 5 * (1e-4 + size / 1e9)));
    }

    void never_dearer_on_better_links() {
        std::mt19937 random(2);
        for (int k = 0; k < 2000; ++k) {
            const auto l = links(support::real(random, 1e8, 1e11), support::real(random, 1e7, 1e10),
                                 support::pick(random, 1, 8), support::pick(random, 1, 4));
            const std::int64_t n = support::pick(random, 1, 300);
            const double bytes = std::pow(10.0, support::real(random, 0, 9));
            for (Message m : all_messages)
                for (Collective c : all_collectives) {
                    const double t = of(m, c, n, l, bytes);
                    QVERIFY(t >= 0 && std::isfinite(t));
                    QVERIFY(of(m, c, n, l, bytes * 1.5) >= t);
                    auto better = l;
                    better.inside.value *= 2;
                    QVERIFY(of(m, c, n, better, bytes) <= t);
                    better = l;
                    better.between.value *= 2;
                    QVERIFY(of(m, c, n, better, bytes) <= t);
                    better.between_latency.value = better.inside_latency.value = 0;
                    QVERIFY(of(m, c, n, better, bytes) <= t);
                    better.nics_per_node += 1;
                    QVERIFY(of(m, c, n, better, bytes) <= t);
                }
        }
    }

    /// The formula shown and the cost are one row of a table.
    void formula_of_each_row() {
        for (Message m : all_messages)
            for (Collective c : all_collectives)
                for (std::int64_t n : {2, 3, 4, 7, 8, 100}) {
                    const auto text = collective_formula(m, c, n, "n", "S", "a", "W");
                    const auto formula = numerics::parse_expression(text);
                    QVERIFY2(formula.has_value(), text.c_str());
                    const auto value =
                        numerics::evaluate(*formula, [&](std::string_view name) -> std::optional<double> {
                            return name == "n"   ? static_cast<double>(n)
                                   : name == "S" ? size
                                   : name == "a" ? alpha
                                                 : bandwidth;
                        });
                    QVERIFY2(value.has_value() && close(*value, flat(m, c, n)), text.c_str());
                }
        QCOMPARE(collective_formula(Message::all_reduce, Collective::butterfly, 8, "q", "S/q", "alpha", "W"),
                 "ceil(log2(q))*(alpha + S/q/W)");
    }

    /// 16 nodes of eight devices with two network cards, tensor 8 × data 16, as in specification composed
    /// parallelism, section 2.
    void groups_share_the_cards() {
        const auto l = links(1e11, 1e9, 8, 2);
        const Mesh mesh{.tensor = 8, .data = 16};
        const GroupReach tensor = reach_of(mesh.group(MeshAxis::tensor), 128, l),
                         data = reach_of(mesh.group(MeshAxis::data), 128, l);
        QCOMPARE(tensor, (GroupReach{8, 8, 1, 8}));
        QCOMPARE(data, (GroupReach{16, 1, 16, 8}));
        const auto seconds_per_byte = [&](Message m, const GroupReach& group) {
            return message_cost(m, Collective::ring, group, l).options[0].seconds_per_byte;
        };
        // Eight groups leave each node at once over two cards.
        QVERIFY(close(seconds_per_byte(Message::all_reduce, data), 8 * 2 * 15.0 / 16 / 2e9));
        QVERIFY(close(seconds_per_byte(Message::all_gather, data), 8 * 15.0 / 16 / 2e9));
        QVERIFY(close(seconds_per_byte(Message::all_reduce, tensor), 2 * 7.0 / 8 / 1e11));
        // The cards carry what leaves the node: counted for a ring, less where nodes add up inside first.
        for (std::int64_t t : {1, 2, 4, 8, 16}) {
            const Mesh m{.tensor = t, .data = 128 / t};
            const RankGroup group = m.group(MeshAxis::data);
            const GroupReach reach = reach_of(group, 128, l);
            QCOMPARE(reach.ranks, 128 / t);
            QCOMPARE(reach.nodes, std::min<std::int64_t>(16, 128 / t));
            LinkRates fast = l;
            fast.inside.value = 1e30;
            const double outside =
                message_cost(Message::all_reduce, Collective::ring, reach, fast).options[0].seconds_per_byte;
            const double ring = support::leaving_by_ring(group, 8) / 2e9;
            QVERIFY2(outside <= ring * (1 + 1e-12), qPrintable(QString::number(t)));
            if (reach.in_node == 1) QVERIFY(close(outside, ring));
            const double m_nodes = static_cast<double>(reach.nodes);
            QVERIFY(close(outside, reach.groups() * 2 * (m_nodes - 1) / m_nodes / 2e9));
        }
    }

    /// What leaves the node, counted by specification composed parallelism, section 2, beside what stays in it.
    void all_to_all() {
        const auto l = links(1e10, 1e9, 8, 2);
        for (std::int64_t e : {2, 8, 16, 64}) {
            const RankGroup group{{{{e, 1}, {}}}};
            const GroupReach reach = reach_of(group, 64, l);
            const double n = static_cast<double>(e), inside = static_cast<double>(reach.in_node);
            const double out = support::leaving_by_all_to_all(group, 8) / 2e9, in = (inside - 1) / n / 1e10;
            const Seconds time = message_cost(Message::all_to_all, Collective::tree, reach, l).at(Bytes{1e12});
            QVERIFY(std::abs(time.value / (std::max(in, out) * 1e12) - 1) < 1e-4);
        }
        // Within a node it is one level.
        QVERIFY(close(message_cost(Message::all_to_all, Collective::automatic, reach_of(4, l), l).at(Bytes{4e10}).value,
                      3e-5 + 3));
    }

    void neighbours() {
        const auto l = links(1e10, 1e9, 4);
        QVERIFY(close(neighbour_cost(next_in_node(0, 1, l), 1, l).at(Bytes{1e9}).value, 1e-5 + 0.1));
        QVERIFY(close(neighbour_cost(next_in_node(2, 1, l), 1, l).at(Bytes{1e9}).value, 1e-5 + 0.1));
        QVERIFY(close(neighbour_cost(next_in_node(3, 1, l), 1, l).at(Bytes{1e9}).value,
                      1e-4 + 1.0));  // the fourth and the fifth are on different nodes
        // Stages of two: the first two are in one node; of stages of four all four devices send over one card.
        QVERIFY(close(neighbour_cost(next_in_node(0, 2, l), 2, l).at(Bytes{1e9}).value, 1e-5 + 0.1));
        QVERIFY(close(neighbour_cost(next_in_node(1, 2, l), 2, l).at(Bytes{1e9}).value, 1e-4 + 2.0));
        QVERIFY(close(neighbour_cost(next_in_node(0, 4, l), 4, l).at(Bytes{1e9}).value, 1e-4 + 4.0));
        QVERIFY(close(neighbour_cost(next_in_node(0, 16, l), 16, l).at(Bytes{1e9}).value, 1e-4 + 4.0));
        const Mesh single{1, 1, 1, 8}, four{4, 1, 1, 8};
        QCOMPARE(reach_of_stages(3, 0, 2, single, l), (GroupReach{3, 3, 1, 3}));
        QCOMPARE(reach_of_stages(3, 0, 4, single, l), (GroupReach{3, 1, 3, 1}));
        QCOMPARE(reach_of_stages(2, 0, 1, four, l), (GroupReach{2, 1, 2, 4}));
        // Replicas outermost: a pipeline of four fills a node.
        const Mesh inner{1, 1, 2, 4, 1, 1, order_of(static_cast<AxisOrder>(1))};
        QCOMPARE(reach_of_stages(2, 2, 3, inner, l), (GroupReach{2, 2, 1, 2}));
    }

    void device_prices() {
        Scenario s = support::scenario({});
        s.model.compute = Fraction{0.5};
        s.model.memory = Fraction{0.25};
        s.model.launch = Seconds{1e-3};
        auto r = device_rates(s.cluster, s.model, Precision::fp32);
        QVERIFY(r.has_value());
        QVERIFY(close(r->price(Flops{2.8e12}, Bytes{240e9}).value, 2 + 4 + 1e-3));  // both add up
        s.model.overlap_memory = true;
        r = device_rates(s.cluster, s.model, Precision::fp32);
        QVERIFY(close(r->price(Flops{2.8e12}, Bytes{240e9}).value, 4 + 1e-3));  // the longer counts
        QVERIFY(close(r->price(Flops{2.8e13}, Bytes{240e9}).value, 20 + 1e-3));
        r = device_rates(s.cluster, s.model, Precision::fp64);
        QVERIFY(!r.has_value());
        QVERIFY(QString::fromStdString(r.error()[0].what).contains("No fp64 peak"));
        QVERIFY(QString::fromStdString(r.error()[0].remedy).contains("fp32, fp16"));
        s.model.inside = Fraction{0.5};
        QCOMPARE(link_rates(s.cluster, s.model).inside.value, 5e9);
        QCOMPARE(link_rates(s.cluster, s.model).between.value, 2.5e9);
    }
};

QTEST_APPLESS_MAIN(TestCollectives)
#include "tst_collectives.moc"
