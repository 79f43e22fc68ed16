// SPDX-License-Identifier: GPL-3.0-or-later
// The why panel of CPU clusters: every formula, evaluated on the inputs shown, gives the figure; and so do its links.
#include <QtTest>
#include <cmath>
#include <random>

#include "support_explain_walk.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace support;
using namespace support::explained;

namespace {

Scenario cluster(const char* network, const char* machine) {
    Scenario s = scenario(network);
    s.model.method = Method::cpu_cluster;
    s.cluster.machine = *library().catalogue.machine(machine);
    return s;
}

}  // namespace

class TestExplainCpu : public QObject {
    Q_OBJECT

private:
    std::set<Topic> topics_;
    int scenarios_ = 0, feasible_ = 0;

    void walk(const Scenario& s, const QString& name, bool must) {
        Walk w(s);
        if (!w.feasible) {
            if (must) QFAIL(qPrintable(name + " is infeasible"));
            return;
        }
        ++feasible_;
        if (sanitized && scenarios_++ % 8 != 0) return;
        w.all();
        topics_.insert(w.topics.begin(), w.topics.end());
        if (!w.wrong.isEmpty()) QFAIL(qPrintable(name + '\n' + w.wrong.join('\n')));
    }

private slots:
    void every_circumstance_at_random() {
        std::mt19937 random(20261122);
        const auto pick = [&](int n) { return int(random() % unsigned(n)); };
        const char* networks[] = {"few kinds", "alexnet-one-tower", "every kind"};
        const char* machines[] = {"adam-like", "xeon-e5-2650", "worked-example"};
        for (int round = 0; round < 48; ++round) {
            Scenario s = cluster(networks[round % 8 == 0 ? 2 : pick(2)], machines[pick(3)]);
            s.training.batch = 1 + pick(300);
            s.training.batch_rule = pick(2) ? BatchRule::total : BatchRule::per_worker;
            s.cluster.workers = 1 + pick(16);
            s.cluster.machine.price_per_hour = 0.5 + pick(3);
            s.cpu.partitions = 1 + pick(4);
            s.cpu.splits = pick(4) == 0 ? SegmentSplits::best : SegmentSplits::most;
            s.cpu.placement = pick(3) == 0 ? Placement::by_connections : Placement::aligned;
            s.cpu.convolutions = pick(2) ? ConvolutionSplit::rows : ConvolutionSplit::channels;
            s.cpu.threads = pick(3) == 0 ? 0 : 1 + pick(int(s.cluster.machine.threads));
            s.cpu.servers_beside = pick(3) == 0;
            s.cpu.wait_for_servers = pick(3) == 0;
            s.cpu.queueing = pick(3) == 0;
            s.cpu.overlap = Fraction{pick(2) ? 0.25 * pick(5) : 0.0};
            s.cpu.local_update = pick(2) ? LocalUpdate::per_sample : LocalUpdate::per_exchange;
            s.cpu.buffers = Bytes{pick(2) ? 1e8 * pick(9) : 0.0};
            s.cpu.worked_example = pick(5) == 0;
            s.parallelism.updates = pick(2) ? Updates::synchronous : Updates::asynchronous;
            s.parallelism.servers = 1 + pick(6);
            if (pick(2)) s.model.spread = Fraction{0.01 * pick(6)};
            s.model.overhead = pick(3) == 0 ? milliseconds(1 + pick(50)) : Seconds{0};
            if (pick(4) == 0) s.training.input_limit = SamplesPerSecond{std::pow(10.0, pick(7))};
            if (pick(4) == 0) {  // busy servers
                s.cluster.machine.server_updates = WeightsPerSecond{1e6};
                s.cluster.machine.server_network = gigabytes_per_second(pick(2) ? 0.01 : 10);
            }
            walk(s, QString("round %1").arg(round), false);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(feasible_ > 30);
    }

    void each_resource_binds_once() {
        for (const Updates updates : {Updates::synchronous, Updates::asynchronous})
            for (int which = 0; which < 4; ++which)
                for (const bool beside : {false, true}) {
                    Scenario s = cluster("few kinds", "adam-like");
                    s.training.batch = 64;
                    s.cluster.workers = 8;
                    s.cpu.partitions = 2;
                    s.cpu.servers_beside = beside;
                    s.parallelism.updates = updates;
                    CpuMachine& m = s.cluster.machine;
                    m.price_per_hour = 1.0;
                    m.network = m.server_network = gigabytes_per_second(1000);
                    m.server_updates = WeightsPerSecond{1e12};
                    if (which == 1) m.network = gigabytes_per_second(1e-5);
                    if (which == 2) m.server_network = gigabytes_per_second(1e-5);
                    if (which == 3) m.server_updates = WeightsPerSecond{1e4};
                    walk(s, QString("updates %1, resource %2, beside %3").arg(int(updates)).arg(which).arg(beside),
                         true);
                    if (QTest::currentTestFailed()) return;
                }
    }

    void every_topic_was_visited() {
        if (sanitized) return;
        for (int t = int(Topic::cpu_exchange); t <= int(Topic::cpu_working_set); ++t)
            QVERIFY2(topics_.contains(Topic(t)), qPrintable(QString("topic %1").arg(t)));
    }

    /// The memory wall of a dense layer, by hand: 16 threads stream 4 bytes each for a multiply-add from 102 GB/s.
    void a_page_by_hand() {
        Scenario s = cluster("alexnet-one-tower", "adam-like");
        s.cluster.workers = 1;
        Item item{Topic::cpu_multiply_add, 0, layer(s, "fc6")};
        item.index = 0;
        const Explanation e = why(s, item);
        QVERIFY2(std::abs(e.result - std::max(0.9e-9 * (1 + 0.018 * 15), 4.0 * 16 / 102e9)) < 1e-20,
                 e.lines.front().c_str());
        QVERIFY(e.source.find("re-derived") != std::string::npos);
        QCOMPARE(e.evidence, Evidence::assumed);
    }

    void there_are_no_such_figures() {
        Scenario s = cluster("few kinds", "adam-like");
        s.cluster.workers = 1;
        const auto plan = prepare(s);
        QVERIFY(plan);
        const auto e = estimate(s);
        QVERIFY(e);
        for (Topic t : {Topic::cpu_sending, Topic::cost, Topic::pipeline, Topic::ranks, Topic::knee})
            QVERIFY(!explain(s, *plan, *e, Item{t}));
        Scenario gpu = scenario("few kinds");
        const auto gpu_plan = prepare(gpu);
        const auto gpu_estimate = estimate(gpu);
        QVERIFY(!explain(gpu, *gpu_plan, *gpu_estimate, Item{Topic::cpu_exchange}));
    }
};

QTEST_APPLESS_MAIN(TestExplainCpu)
#include "tst_explain_cpu.moc"
