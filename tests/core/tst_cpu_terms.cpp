// SPDX-License-Identifier: GPL-3.0-or-later
// Terms of a step on a CPU cluster, each by hand on the worked example's MNIST, and what is remembered between points.
#include <QtTest>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "core/estimate/memory_walk.hpp"
#include "support_library.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using support::messages;

namespace {

/// Eight threads, an exchange every 32 samples: T = 0.6213236 + 0.5343660 + 0.9925036 ms, of which a step has 32/8; an
/// update of the server takes 2.1554 ms, and the network 2.01304 ms.
Scenario mnist(std::int64_t workers) {
    Scenario s = support::cpu_scenario(support::example_mnist(), support::example_machine());
    s.cpu.worked_example = true;
    s.cpu.threads = 8;
    s.training.batch = 32;
    s.cluster.workers = workers;
    return s;
}
constexpr double training = 4 * 2.1481932e-3, updating = 4 * 0.9925036e-3, serving = 2.1554e-3, sending = 2.01304e-3;

Estimate of(const Scenario& s) {
    const auto e = estimate(s);
    if (!e) support::stop(e.error());
    return *e;
}

bool about(Seconds a, double b) { return std::abs(a.value - b) <= 1e-7 * b; }

}  // namespace

class CpuTermsTest : public QObject {
    Q_OBJECT

private slots:
    void stragglers_and_servers_are_waited_for() {
        Scenario s = mnist(4);
        s.model.spread = Fraction{0.1};
        const Summary sum = of(s).summary;
        const double slowest = training * 0.1 * std::sqrt(2 * std::log(4.0));
        QVERIFY(about(sum.idle, slowest + 4 * serving));
        // Up and down, four replicas at once on one server's network card, and two start-ups.
        QVERIFY(about(sum.communication, 4 * sending + 60e-6));
        QVERIFY(about(sum.step, training + slowest + 4 * serving + 4 * sending + 60e-6));
    }

    /// Workers whose machines serve, too: their own work and that for all eight replicas.
    void servers_beside_are_part_of_the_update() {
        Scenario s = mnist(8);
        s.cpu.servers_beside = true;
        s.parallelism.updates = Updates::asynchronous;
        const Summary sum = of(s).summary;
        QVERIFY(about(sum.step, training + 8 * serving));
        QVERIFY(about(sum.update, updating + 8 * serving));
        QCOMPARE(sum.idle.value, 0.0);
        QCOMPARE(sum.communication.value, 0.0);
        QVERIFY(about(sum.hidden, sending + 60e-6));
    }

    void threads_are_as_many_as_cores() {
        Scenario s = mnist(1);
        s.cpu.threads = 0;
        s.cluster.machine.threads = 32;
        QCOMPARE(of(s).cpu->configuration.threads, std::int64_t{16});
    }

    void layers_have_a_batch_and_its_rounds() {
        int working = 0;
        for (const LayerEstimate& row : of(mnist(4)).layers) {
            if (row.forward.value == 0) continue;
            ++working;
            QCOMPARE(row.samples, 32.0);
            QCOMPARE(row.repeat, 1.0 / 8);
        }
        QCOMPARE(working, 6);
    }

    void buffers_are_memory() {
        Scenario s = mnist(4);
        const Bytes without = of(s).memory.peak;
        s.cpu.buffers = Bytes{5e8};
        QCOMPARE(of(s).memory.peak.value, without.value + 5e8);
    }

    void a_batch_of_all_leaves_replicas_without_samples() {
        Scenario s = mnist(16);
        s.cpu.partitions = 2;
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 5;
        const Estimate e = of(s);
        QCOMPARE(e.cpu->configuration.replicas, std::int64_t{5});
        QCOMPARE(e.summary.batch.active, std::int64_t{10});
        QCOMPARE(e.summary.batch.per_replica, std::int64_t{1});
        QCOMPARE(e.summary.batch.effective, std::int64_t{5});
        QVERIFY(messages(e.notes).find("Only 5 replicas have a sample") != std::string::npos);
    }

    void one_machine_holds_no_servers() {
        Scenario s = mnist(1);
        s.cpu.servers_beside = true;
        const Bytes need = of(s).memory.peak;
        s.cluster.machine.memory = need;
        const Estimate e = of(s);
        QCOMPARE(e.cpu->score.memory.value, need.value);
        QVERIFY2(e.notes.empty(), messages(e.notes).c_str());
    }

    /// What was worked out for one machine, batch or number of servers serves no other.
    void what_is_remembered_is_of_the_same() {
        Scenario slow = mnist(4), fast = slow;
        fast.cluster.machine.activation = Seconds{1e-9};
        const Plan one = *prepare(slow), other = *prepare(fast);
        Scratch scratch = make_scratch(one);
        for (int round = 0; round < 2; ++round) {
            QVERIFY(score(one, one.point, scratch) == of(slow).summary);
            QVERIFY(score(other, other.point, scratch) == of(fast).summary);
        }
    }

    /// Servers on the workers' machines leave less room, so that other segments are the best.
    void best_segments_make_room_for_servers() {
        Scenario s = mnist(3);
        s.cpu.worked_example = false;
        s.cpu.splits = SegmentSplits::best;
        s.cpu.partitions = 3;
        s.cpu.servers_beside = true;
        s.cluster.machine.latency = Seconds{1e-3};  // whole layers are faster, where they fit
        int differ = 0;
        for (double memory = 1e6; memory < 8e6; memory += 1e5) {
            s.cluster.machine.memory = Bytes{memory};
            const Plan plan = *prepare(s);
            Scratch scratch = make_scratch(plan);
            std::vector<std::vector<std::int64_t>> splits;
            for (const std::int64_t servers : {1, 3, 1}) {
                s.parallelism.servers = servers;
                Point point = plan.point;
                point.servers = servers;
                const Estimate e = of(s);
                const Summary sum = score(plan, point, scratch);
                QVERIFY(sum == e.summary);
                QCOMPARE(peak_memory(plan, point, scratch).value, e.memory.peak.value);
                splits.push_back(e.cpu->configuration.splits);
            }
            differ += splits[0] != splits[1] ? 1 : 0;
        }
        QVERIFY2(differ > 3, std::to_string(differ).c_str());
    }
};

QTEST_APPLESS_MAIN(CpuTermsTest)
#include "tst_cpu_terms.moc"
