// SPDX-License-Identifier: GPL-3.0-or-later
// Workers and parameter servers in their steady state: exchanges by hand, the closed network against the recursion it
// stands for, and its bounds.
#include <QtTest>
#include <cmath>

#include "core/schedule/asynchronous.hpp"
#include "core/schedule/closed_network.hpp"
#include "support_networks.hpp"
#include "support_server_simulation.hpp"

using namespace scalescope;
using support::pick;
using support::real;

namespace {

/// Mean value analysis as it was published: from one customer to the next.
ClosedNetwork step_by_step(std::int64_t customers, double think, double service) {
    ClosedNetwork state;
    for (std::int64_t n = 1; n <= customers; ++n) {
        state.response = Seconds{service * (1.0 + state.queue)};
        state.throughput = static_cast<double>(n) / (think + state.response.value);
        state.queue = state.throughput * state.response.value;
    }
    return state;
}

bool near(double a, double b, double share = 1e-12) { return std::abs(a - b) <= share * std::abs(b); }

constexpr ServerLinks slow_server{BytesPerSecond{1e9}, BytesPerSecond{1e9}, BytesPerSecond{5e8}, Seconds{1e-4}};

}  // namespace

class TestAsynchronous : public QObject {
    Q_OBJECT
private slots:
    void exchange_by_hand() {
        // One server: 200 MB of gradients in at 1 GB/s, 100 MB of weights out at 0.5 GB/s, 0.2 s each; 10 ms of update.
        const Exchange one =
            price_exchange({Bytes{2e8}, Bytes{1e8}, Bytes{2e8}, Bytes{1e8}, Seconds{0.01}}, slow_server);
        QVERIFY(near(one.push.value, 0.2001));
        QVERIFY(near(one.pull.value, 0.2001));
        QVERIFY(near(one.network.value, 0.4));
        QVERIFY(near(one.service().value, 0.41));
        QVERIFY(near(one.outside().value, 0.0002, 1e-10));
        QVERIFY(near(one.alone().value, 0.4102));
        // Four: a quarter each, but the worker's own card still takes 0.2 s for the push and 0.1 s for the pull.
        const Exchange four =
            price_exchange({Bytes{2e8}, Bytes{1e8}, Bytes{5e7}, Bytes{2.5e7}, Seconds{0.0025}}, slow_server);
        QVERIFY(near(four.push.value, 0.2001));
        QVERIFY(near(four.pull.value, 0.1001));
        QVERIFY(near(four.service().value, 0.1025));
        QVERIFY(near(four.outside().value, 0.2002));
    }

    void state_by_hand() {
        // Z 2 s, σ 1 s. Two workers: R = 1 + 1/3; three: R = 1 + 4/5 (tst_yan_queue).
        const Asynchronous one = asynchronous(1, Seconds{2}, Seconds{1}, 1);
        QCOMPARE(one.waiting, Seconds{0});
        QCOMPARE(one.updates, 1.0 / 3.0);
        QCOMPARE(one.staleness, 0.0);
        QCOMPARE(one.knee, 3.0);
        QCOMPARE(one.slowest_response(), one.response());
        const Asynchronous two = asynchronous(2, Seconds{2}, Seconds{1}, 1);
        QVERIFY(near(two.waiting.value, 1.0 / 3.0));
        QVERIFY(near(two.updates, 0.6));
        const Asynchronous three = asynchronous(3, Seconds{2}, Seconds{1}, 2);
        QVERIFY(near(three.response().value, 1.8));
        QVERIFY(near(three.updates, 15.0 / 19.0));
        QCOMPARE(three.staleness, 2.0);
        QVERIFY(near(three.slowest_response().value, 2.7));  // H_2 = 1.5
    }

    void harmonic_numbers() {
        QCOMPARE(harmonic(1), 1.0);
        QVERIFY(near(harmonic(4), 25.0 / 12.0));
        QVERIFY(near(harmonic(1000), 7.485470860550345));
    }

    void what_staleness_costs() {
        QCOMPARE(statistical_cost(Fraction{0}, 31), 1.0);
        QCOMPARE(statistical_cost(Fraction{0.02}, 31), 1.62);
    }

    void as_the_recursion() {
        std::mt19937 random(3);
        double worst = 0;
        const auto compare = [&](std::int64_t n, double think, double service) {
            const ClosedNetwork fast = mean_value_analysis(n, Seconds{think}, Seconds{service}),
                                slow = step_by_step(n, think, service);
            for (const auto& [a, b] : {std::pair{fast.throughput, slow.throughput},
                                       {fast.response.value, slow.response.value},
                                       {fast.queue, slow.queue}})
                worst = std::max(worst, std::abs(a - b) / std::max(b, 1e-300));
        };
        for (int k = 0; k < 3000; ++k)
            compare(pick(random, 1, k % 10 == 0 ? 20'000 : 300), std::pow(10.0, real(random, -6, 3)),
                    std::pow(10.0, real(random, -6, 3)));
        // Around the knee, where the sums are longest.
        for (const std::int64_t n : {10, 100, 1000, 5000})
            for (const double share : {0.5, 0.9, 0.98, 1.0, 1.02, 1.1, 2.0})
                compare(n, static_cast<double>(n) * share, 1.0);
        for (const std::int64_t n : {1, 2, 50}) compare(n, 0.0, 2.0), compare(n, 3.0, 0.0);
        QVERIFY2(worst < 2e-12, qPrintable(QString::number(worst)));
    }

    void bounds() {
        std::mt19937 random(4);
        for (int k = 0; k < 500; ++k) {
            const Seconds think{std::pow(10.0, real(random, -4, 2))}, service{std::pow(10.0, real(random, -4, 2))};
            double before = 0;
            for (std::int64_t n = 1; n <= 600; n += 1 + n / 4) {
                const Asynchronous a = asynchronous(n, think, service, 1);
                const auto workers = static_cast<double>(n);
                QVERIFY(a.updates <= workers / (think + service).value * (1 + 1e-12));
                QVERIFY(a.updates <= 1 / service.value * (1 + 1e-12));
                // Never less than if all stood in line, and more workers never give fewer updates.
                QVERIFY(a.updates >= workers / (think.value + workers * service.value) * (1 - 1e-12));
                QVERIFY(a.updates >= before * (1 - 1e-12));
                QVERIFY(near(a.updates * a.cycle().value - 1, a.staleness, 1e-9) || n == 1);
                before = a.updates;
            }
            QVERIFY(near(asynchronous(1'000'000, think, service, 1).updates, 1 / service.value, 1e-6) ||
                    think.value / service.value > 1e5);
        }
    }

    void more_servers_and_faster_links_never_hurt() {
        std::mt19937 random(5);
        for (int k = 0; k < 300; ++k) {
            const Bytes weights{std::pow(10.0, real(random, 5, 10))};
            const Seconds compute{real(random, 0.001, 2)}, update{real(random, 0, 0.1)};
            const auto n = pick(random, 1, 200);
            const auto updates = [&](double servers, double faster) {
                const Bytes shard = weights / servers;
                const Exchange e = price_exchange({weights, weights, shard, shard, update / servers},
                                                  {BytesPerSecond{1e9 * faster}, BytesPerSecond{1e9 * faster},
                                                   BytesPerSecond{1e9 * faster}, Seconds{3e-5}});
                return asynchronous(n, compute + e.outside(), e.service(), 1).updates;
            };
            for (const double servers : {1.0, 2.0, 3.0, 8.0}) {
                QVERIFY(updates(servers + 1, 1) >= updates(servers, 1) * (1 - 1e-12));
                QVERIFY(updates(servers, 1.5) >= updates(servers, 1) * (1 - 1e-12));
            }
        }
    }

    void as_simulated() {
        std::uint64_t seed = 77;
        for (const std::int64_t n : {2, 5, 12, 30}) {
            const Exchange e =
                price_exchange({Bytes{2e8}, Bytes{1e8}, Bytes{1e8}, Bytes{5e7}, Seconds{0.01}}, slow_server);
            const Seconds think = Seconds{1.5} + e.outside();
            const auto s = support::simulate_servers(n, think, e.service(), 4000, ++seed);
            const Asynchronous a = asynchronous(n, think, e.service(), 2);
            QVERIFY(std::abs(s.throughput - a.updates) <= 2.5 * s.half_width);
        }
    }
};

QTEST_APPLESS_MAIN(TestAsynchronous)
#include "tst_asynchronous.moc"
