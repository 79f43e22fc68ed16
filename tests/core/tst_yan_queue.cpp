// SPDX-License-Identifier: GPL-3.0-or-later
// Replicas and parameter servers as a closed network: by hand, by enumerating its states, and event by event.
#include <QtTest>

#include "core/schedule/closed_network.hpp"
#include "support_server_simulation.hpp"

using namespace scalescope;
using support::simulate_servers;
using support::SimulatedNetwork;

namespace {

/// Throughput from the balance of the states "n customers at the station": each of the others comes at a rate of
/// 1/think, one leaves at a rate of 1/service.
double balanced(int customers, double think, double service) {
    double weight = 1.0, sum = 1.0, busy = 0.0;
    for (int n = 1; n <= customers; ++n) {
        weight *= (customers - n + 1) * service / think;
        sum += weight;
        busy += weight;
    }
    return busy / sum / service;
}

}  // namespace

class YanQueue : public QObject {
    Q_OBJECT
private slots:
    void by_hand() {
        // Z 2 s, D 1 s. One customer: X 1/3, R 1, Q 1/3. Two: R 4/3, X 2/(2 + 4/3) = 3/5, Q 4/5. Three: R 9/5,
        // X 3/(2 + 9/5) = 15/19, Q 27/19.
        const ClosedNetwork one = mean_value_analysis(1, Seconds{2}, Seconds{1});
        QCOMPARE(one.throughput, 1.0 / 3.0);
        QCOMPARE(one.response, Seconds{1});
        QCOMPARE(one.queue, 1.0 / 3.0);
        const ClosedNetwork two = mean_value_analysis(2, Seconds{2}, Seconds{1});
        QVERIFY(std::abs(two.throughput - 0.6) < 1e-15);
        QVERIFY(std::abs(two.response.value - 4.0 / 3.0) < 1e-15);
        QVERIFY(std::abs(two.queue - 0.8) < 1e-15);
        const ClosedNetwork three = mean_value_analysis(3, Seconds{2}, Seconds{1});
        QVERIFY(std::abs(three.throughput - 15.0 / 19.0) < 1e-15);
        QVERIFY(std::abs(three.queue - 27.0 / 19.0) < 1e-15);
    }

    void bounds() {
        for (const double service : {0.0, 0.01, 0.3, 5.0})
            for (std::int64_t n = 1; n <= 200; ++n) {
                const ClosedNetwork q = mean_value_analysis(n, Seconds{1.5}, Seconds{service});
                const auto customers = static_cast<double>(n);
                QVERIFY(q.throughput <= customers / (1.5 + service) * (1 + 1e-12));
                if (service > 0) QVERIFY(q.throughput * service <= 1.0 + 1e-12);
                // Little's law: everybody thinks or is at the station.
                QVERIFY(std::abs(q.throughput * (1.5 + q.response.value) - customers) < 1e-9 * customers);
                if (n > 1)
                    QVERIFY(q.throughput >=
                            mean_value_analysis(n - 1, Seconds{1.5}, Seconds{service}).throughput * (1 - 1e-12));
            }
        QVERIFY(std::abs(mean_value_analysis(5000, Seconds{1.5}, Seconds{0.01}).throughput - 100.0) < 1e-6);
    }

    void as_the_states_balance() {
        for (const int n : {1, 2, 3, 7, 20})
            for (const double service : {0.05, 0.4, 3.0})
                QVERIFY(std::abs(mean_value_analysis(n, Seconds{1.7}, Seconds{service}).throughput /
                                     balanced(n, 1.7, service) -
                                 1.0) < 1e-12);
    }

    void as_simulated() {
        int inside = 0, all = 0;
        std::uint64_t seed = 20150815;
        for (const std::int64_t n : {1, 2, 4, 8, 19, 40})
            for (const double service : {0.02, 0.1, 0.4, 1.5}) {
                const ClosedNetwork q = mean_value_analysis(n, Seconds{1.0}, Seconds{service});
                const SimulatedNetwork s = simulate_servers(n, Seconds{1.0}, Seconds{service}, 4000, ++seed);
                QCOMPARE(s.served, std::int64_t{120'000});
                for (const auto& [is, was, width] :
                     {std::tuple{s.throughput, q.throughput, s.half_width}, {s.queue, q.queue, s.queue_half_width}}) {
                    ++all;
                    inside += std::abs(is - was) <= width ? 1 : 0;
                    QVERIFY2(std::abs(is - was) <= 2.5 * width,
                             qPrintable(QStringLiteral("%1 customers, service %2: %3, expected %4 ± %5")
                                            .arg(n)
                                            .arg(service)
                                            .arg(is)
                                            .arg(was)
                                            .arg(width)));
                    QVERIFY(width < 0.08 * was);
                }
            }
        // 95 % of 48 are 45.6; below 40 would be a chance of one in a thousand.
        QVERIFY2(inside >= 40, qPrintable(QString::number(inside)));
        QCOMPARE(all, 48);
    }

    void the_same_seed_gives_the_same_bits() {
        const auto a = simulate_servers(5, Seconds{1}, Seconds{0.3}, 500, 7),
                   b = simulate_servers(5, Seconds{1}, Seconds{0.3}, 500, 7),
                   c = simulate_servers(5, Seconds{1}, Seconds{0.3}, 500, 8);
        QCOMPARE(a.throughput, b.throughput);
        QVERIFY(a.throughput != c.throughput);
    }

    void degenerate() {
        QCOMPARE(simulate_servers(0, Seconds{1}, Seconds{1}, 10, 1).served, std::int64_t{0});
        QCOMPARE(simulate_servers(3, Seconds{0}, Seconds{0}, 10, 1).served, std::int64_t{0});
        const auto only_service = simulate_servers(3, Seconds{0}, Seconds{0.5}, 2000, 1);
        QVERIFY(std::abs(only_service.throughput - 2.0) <= 2.5 * only_service.half_width);
    }
};

QTEST_APPLESS_MAIN(YanQueue)
#include "tst_yan_queue.moc"
