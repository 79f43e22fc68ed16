// SPDX-License-Identifier: GPL-3.0-or-later
// Asynchronous updates as a way to take steps: a step by hand, its parts, its figures, what is refused.
#include <QtTest>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/timeline.hpp"
#include "core/schedule/closed_network.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::pick;
using support::real;

namespace {

bool near(double a, double b, double share = 1e-12) { return std::abs(a - b) <= share * std::abs(b); }

/// 10 → 100 → 1000 units: 1,000 and 100,000 weights without biases.
Scenario two_layers() {
    support::Builder b;
    const int hidden = b.dense(b.input({10}), 100);
    b.dense(hidden, 1000);
    Scenario s = support::scenario(b.make());
    s.parallelism.updates = Updates::asynchronous;
    s.cluster.devices_per_node = 1;
    s.cluster.nics_per_node = 1;
    s.cluster.workers = 3;
    return s;
}

Estimate estimated(const Scenario& s) {
    auto e = estimate(s);
    if (!e) qFatal("%s", to_text(e.error().front()).c_str());
    return std::move(*e);
}

Scenario random_asynchronous(std::mt19937& random) {
    Scenario s =
        support::random_scenario(random, support::random_network(random, static_cast<int>(pick(random, 4, 22))));
    s.parallelism.updates = Updates::asynchronous;
    support::divide(s.parallelism, support::Divided::data);
    s.parallelism.overlap = Overlap::off;
    s.parallelism.copies = false;
    s.parallelism.servers = pick(random, 1, 9);
    s.parallelism.sharding = pick(random, 0, 1) == 0 ? Sharding::even : Sharding::by_layer;
    s.cluster.workers = pick(random, 1, 40);
    return s;
}

}  // namespace

class TestAsynchronousSteps : public QObject {
    Q_OBJECT
private slots:
    void by_hand() {
        Scenario s = two_layers();
        s.cluster.between.bandwidth = BytesPerSecond{1e6};
        s.cluster.between.latency = Seconds{0.001};
        s.model.between = Fraction{0.5};
        const Estimate e = estimated(s);
        const double weights = e.messages[0].bytes.value / 4;
        QVERIFY(weights >= 101'000);  // and biases
        // One server, at half a MB/s one way: the shard in and out, 8 bytes of each weight.
        const double way = 4 * weights / 5e5;
        QCOMPARE(e.messages.size(), std::size_t{2});
        QCOMPARE(e.messages[0].message, Message::push);
        QCOMPARE(e.messages[1].message, Message::pull);
        QVERIFY(near(e.messages[0].each.value, 0.001 + way));
        // SGD reads gradient and weight and writes the weight, at 240 GB/s, and multiplies and adds.
        const double update = e.summary.update.value;
        QVERIFY(update > 12 * weights / 240e9 * 0.999 && update < 12 * weights / 240e9 * 1.5);
        QVERIFY(near(e.summary.communication.value, 2 * (0.001 + way)));
        const double service = 2 * way + update, think = (e.summary.forward + e.summary.backward).value + 0.002;
        QVERIFY(near(e.summary.service.value, service));
        // R of three workers, by the recursion.
        double q = 0, response = 0;
        for (int n = 1; n <= 3; ++n) response = service * (1 + q), q = n * response / (think + response);
        QVERIFY(near(e.summary.idle.value, response - service, 1e-10));
        QVERIFY(near(e.summary.step.value, think + response, 1e-11));
        QVERIFY(near(e.throughput.value, 3.0 * double(s.training.batch) / (think + response), 1e-11));
        QVERIFY(e.servers.has_value());
        QVERIFY(near(e.servers->state.knee, (think + service) / service, 1e-10));
        QCOMPARE(e.servers->state.staleness, 2.0);
        QCOMPARE(e.servers->statistical_cost, 1.0);
        s.model.staleness_cost = Fraction{0.1};
        const Estimate costly = estimated(s);
        QCOMPARE(costly.servers->statistical_cost, 1.2);
        QCOMPARE(costly.summary, e.summary);  // an assumption changes no time

        // Two servers: half a shard each, but the worker's own card still takes as long.
        s.parallelism.servers = 2;
        const Estimate two = estimated(s);
        QVERIFY(near(two.summary.service.value, way + update / 2, 1e-11));
        QVERIFY(near(two.summary.communication.value, e.summary.communication.value));
        // By layer the second one has next to nothing.
        s.parallelism.sharding = Sharding::by_layer;
        const Estimate dealt = estimated(s);
        QVERIFY(dealt.summary.service > 1.9 * two.summary.service);
        QCOMPARE(dealt.layers[1].update, Seconds{0});
        QCOMPARE(dealt.layers[2].update, dealt.summary.update);
        // Two devices of a node share its card, a server has as many cards as a node.
        s.parallelism.sharding = Sharding::even;
        s.cluster.devices_per_node = 2;
        QVERIFY(near(estimated(s).summary.communication.value, 2 * (0.001 + 2 * way)));
        s.cluster.nics_per_node = 2;
        const Estimate cards = estimated(s);
        QVERIFY(near(cards.summary.communication.value, 2 * (0.001 + way)));
        QVERIFY(near(cards.summary.service.value, way / 2 + update / 2, 1e-11));
    }

    void one_worker_waits_for_nobody() {
        std::mt19937 random(21);
        for (int k = 0; k < 100; ++k) {
            Scenario s = random_asynchronous(random);
            s.cluster.workers = 1;
            s.training.input_limit = SamplesPerSecond{0};
            s.model.overhead = Seconds{0};
            const auto e = estimate(s);
            if (!e) continue;
            QCOMPARE(e->summary.idle, Seconds{0});
            QCOMPARE(e->speedup, 1.0);
            if (e->servers) QCOMPARE(e->servers->state.staleness, 0.0);
        }
    }

    void parts_and_figures_are_true() {
        std::mt19937 random(22);
        int exchanged = 0;
        for (int k = 0; k < 300; ++k) {
            const Scenario s = random_asynchronous(random);
            const auto e = estimate(s);
            if (!e) continue;
            const Summary& m = e->summary;
            QVERIFY(near((m.forward + m.backward + m.update + m.communication + m.idle).value, m.step.value, 1e-9));
            QCOMPARE(m.hidden, Seconds{0});
            double rows = 0, update = 0;
            for (const auto& row : e->layers) rows += row.total().value, update += row.update.value;
            QVERIFY(std::abs(rows - (m.step - m.idle).value) <= 1e-9 * m.step.value);
            QVERIFY(std::abs(update - m.update.value) <= 1e-9 * m.step.value);
            QVERIFY(e->throughput.value == static_cast<double>(m.batch.effective) / m.step.value);
            QCOMPARE(e->memory.optimizer, Bytes{0});
            const auto plan = prepare(s);
            const Timeline t = make_timeline(*plan, *e);
            QVERIFY(near(t.end.value, m.step.value, 1e-9));
            double drawn = 0;
            for (const auto& i : t.intervals) drawn += i.length.value;
            QVERIFY(near(drawn, m.step.value, 1e-9));  // one thing after the other
            if (!e->servers) continue;
            ++exchanged;
            const Asynchronous& a = e->servers->state;
            QVERIFY(near(a.service.value, m.service.value));
            if (s.training.input_limit.value <= 0) QVERIFY(near(a.cycle().value, m.step.value, 1e-9));
            // The two bounds of the throughput, in updates.
            const auto n = static_cast<double>(m.batch.active);
            QVERIFY(n / m.step.value <= n / (a.think + a.service).value * (1 + 1e-9));
            QVERIFY(n / m.step.value <= 1 / a.service.value * (1 + 1e-9));
            QVERIFY(a.slowest_response() >= a.response());
        }
        QVERIFY(exchanged > 200);
    }

    void more_servers_faster_links_and_even_shards_never_hurt() {
        std::mt19937 random(23);
        for (int k = 0; k < 200; ++k) {
            Scenario s = random_asynchronous(random);
            const auto throughput = [](const Scenario& of) {
                const auto e = estimate(of);
                return e ? e->throughput.value : 0.0;
            };
            const double now = throughput(s) * (1 - 1e-9);
            Scenario other = s;
            other.parallelism.sharding = Sharding::even;
            QVERIFY(throughput(other) >= now);
            const double even = throughput(other) * (1 - 1e-9);
            other.parallelism.servers += pick(random, 1, 5);
            QVERIFY(throughput(other) >= even);
            other = s;
            other.cluster.between.bandwidth = s.cluster.between.bandwidth * Fraction{1.7};
            QVERIFY(throughput(other) >= now);
            other = s;
            other.cluster.between.latency = s.cluster.between.latency * 0.5;
            QVERIFY(throughput(other) >= now);
        }
    }

    void the_same_bits_as_the_estimate() {
        std::mt19937 random(24);
        for (int k = 0; k < 300; ++k) {
            const Scenario s = random_asynchronous(random);
            const auto plan = prepare(s);
            QVERIFY(plan.has_value());
            Scratch used = make_scratch(*plan), fresh = make_scratch(*plan);
            for (int other = 0; other < 6; ++other) {
                Point p = plan->point;
                p.workers = pick(random, 1, 500);
                p.servers = pick(random, 1, 30);
                p.updates = pick(random, 0, 2) == 0 ? Updates::synchronous : Updates::asynchronous;
                score(*plan, p, used);
            }
            const Summary a = score(*plan, plan->point, used);
            QCOMPARE(a, score(*plan, plan->point, fresh));
            const auto e = estimate(s);
            QCOMPARE(e.has_value(), a.feasible());
            if (e) QCOMPARE(e->summary, a);
        }
    }

    void nobody_waits_for_the_slowest() {
        Scenario s = two_layers();
        const Estimate steady = estimated(s);
        s.model.spread = Fraction{0.2};
        QCOMPARE(estimated(s).summary, steady.summary);
        s.parallelism.updates = Updates::synchronous;
        QVERIFY(estimated(s).summary.idle.value > 0);
    }

    void frozen_networks_exchange_nothing() {
        Scenario s = two_layers();
        for (const Layer& layer : s.network()->layers()) s.training.frozen.push_back(layer.id);
        std::sort(s.training.frozen.begin(), s.training.frozen.end());
        const Estimate e = estimated(s);
        QVERIFY(!e.servers && e.messages.empty());
        QCOMPARE(e.summary.communication, Seconds{0});
        QCOMPARE(e.summary.idle, Seconds{0});
        s.model.spread = Fraction{0.2};
        QCOMPARE(estimated(s).summary, e.summary);
    }

    void half_precision_gradients_halve_the_push() {
        Scenario s = two_layers();
        s.cluster.between.bandwidth = BytesPerSecond{1e6};
        s.cluster.between.latency = Seconds{0};
        const Estimate whole = estimated(s);
        s.parallelism.gradients = GradientFormat::fp16;
        const Estimate half = estimated(s);
        QVERIFY(near(half.messages[0].each.value, whole.messages[0].each.value / 2));
        QVERIFY(near(half.messages[1].each.value, whole.messages[1].each.value));
        const Seconds saved = whole.messages[0].each / 2;
        QVERIFY(near((whole.summary.service - half.summary.service).value, saved.value, 1e-9));
    }

    void several_networks_stand_in_one_line() {
        Scenario s = two_layers();
        const Estimate one = estimated(s);
        s.workload[0].count = 2;
        const Estimate two = estimated(s);
        QVERIFY(near(two.summary.service.value, 2 * one.summary.service.value));
        s.workload.push_back(s.workload.front());
        s.workload[1].count = 3;
        const Estimate five = estimated(s);
        QVERIFY(near(five.summary.service.value, 5 * one.summary.service.value));
        // Twice or five times everything: the same knee, and as many steps in as much more time.
        QVERIFY(near(five.servers->state.knee, one.servers->state.knee, 1e-9));
        QVERIFY(near(five.summary.step.value, 5 * one.summary.step.value, 1e-9));
    }

    void servers_are_paid_for() {
        Scenario s = two_layers();
        s.cluster.device.price_per_hour = 2;
        s.parallelism.servers = 4;
        const Estimate e = estimated(s);
        QVERIFY(near(*e.epoch_cost, 2.0 * 7 * e.epoch.value / 3600));
        QCOMPARE(e.memory.optimizer, Bytes{0});
        s.training.optimizer = Optimizer::adam;
        QCOMPARE(estimated(s).memory.optimizer, Bytes{0});  // the servers keep it
        s.parallelism.updates = Updates::synchronous;
        QVERIFY(near(*estimated(s).epoch_cost, 2.0 * 3 * estimated(s).epoch.value / 3600));
        QVERIFY(estimated(s).memory.optimizer.value > 0);
    }

    void what_makes_no_sense_is_refused() {
        const auto refused = [](const Scenario& s, const char* where) {
            const auto e = estimate(s);
            QVERIFY(!e.has_value());
            QCOMPARE(e.error().size(), std::size_t{1});
            QCOMPARE(e.error().front().where, where);
            QVERIFY(!e.error().front().what.empty() && !e.error().front().remedy.empty());
        };
        for (const support::Divided strategy :
             {support::Divided::outputs, support::Divided::layers, support::Divided::hybrid}) {
            Scenario s = two_layers();
            support::divide(s.parallelism, strategy);
            refused(s, "parallelism.fill");
        }
        Scenario s = two_layers();
        s.parallelism.overlap = Overlap::buckets;
        refused(s, "parallelism.overlap");
        s = two_layers();
        s.parallelism.copies = true;
        refused(s, "parallelism.copies");
        s = two_layers();
        s.model.method = Method::paleo_head;
        s.parallelism.collective = Collective::one_to_all;
        refused(s, "parallelism.updates");
        s = two_layers();
        s.parallelism.servers = 0;
        refused(s, "parallelism.servers");
    }

    void the_knee_is_told() {
        Scenario s = two_layers();
        s.cluster.between.bandwidth = BytesPerSecond{1e6};
        const auto about_servers = [](const Estimate& e) {
            return std::any_of(e.notes.begin(), e.notes.end(),
                               [](const Problem& p) { return p.where == "parallelism.servers"; });
        };
        QVERIFY(about_servers(estimated(s)));
        s.parallelism.servers = 1;
        s.cluster.workers = 1;
        QVERIFY(!about_servers(estimated(s)));
    }
};

QTEST_APPLESS_MAIN(TestAsynchronousSteps)
#include "tst_asynchronous_steps.moc"
