// SPDX-License-Identifier: GPL-3.0-or-later
// The why panel of CPU clusters: every formula, evaluated on the inputs shown, gives the figure; and so do its links.
#include <QtTest>
#include <cmath>
#include <random>

#include "core/formats/network_json.hpp"
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
        if (support::sanitized && scenarios_++ % 8 != 0) return;
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
            s.cpu.placement = pick(3) == 0 ? SegmentPlacement::by_connections : SegmentPlacement::aligned;
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
            if (pick(3) == 0) {  // threads beyond the cores
                s.cluster.machine.threads *= 2;
                s.cluster.machine.contention_beyond_cores = 0.3;
                s.cpu.threads = int(s.cluster.machine.threads) - pick(4);
            }
            if (pick(4) == 0) {  // everything streams from a slow memory
                s.cluster.machine.l2 = s.cluster.machine.l3 = Bytes{0};
                s.cluster.machine.memory_bandwidth = gigabytes_per_second(std::pow(10.0, -pick(4)));
            }
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

    /// Machines that have different things to send: a recurrent layer stands on one of them, and attention reads inputs
    /// that get errors and others that get none.
    void uneven_machines() {
        const auto made =
            formats::read_network(R"({"format": "scalescope-network", "version": 1, "name": "Uneven", "layers": [
 {"name": "data", "kind": "input", "shape": ["batch", 64, 96]},
 {"name": "keys", "kind": "softmax", "inputs": ["data"]},
 {"name": "lstm", "kind": "lstm", "inputs": ["data"], "units": 96},
 {"name": "attention", "kind": "attention", "inputs": ["lstm", "keys", "keys"], "heads": 4},
 {"name": "fc", "kind": "dense", "inputs": ["attention"], "units": 50}]})",
                                  "uneven.json");
        QVERIFY2(made.has_value(), made ? "" : to_text(made.error()[0]).c_str());
        for (const SegmentPlacement placement : {SegmentPlacement::aligned, SegmentPlacement::by_connections})
            for (const std::int64_t partitions : {2, 3, 5}) {
                Scenario s = cluster("few kinds", "adam-like");
                s.workload.front().network = *made;
                s.cluster.machine.price_per_hour = 1.0;
                s.cluster.workers = 2 * partitions;
                s.cpu.partitions = partitions;
                s.cpu.placement = placement;
                walk(s, QString("%1 machines").arg(partitions), true);
                if (QTest::currentTestFailed()) return;
            }
    }

    /// The worked example moves rows in its own way between layers that are not divided alike.
    void layers_divided_differently() {
        int different = 0;
        for (const bool printed : {false, true})
            for (const double latency : {1e-3, 1e-2}) {
                Scenario s = cluster("alexnet-one-tower", "adam-like");
                s.cluster.machine.price_per_hour = 1.0;
                s.cluster.machine.latency = Seconds{latency};
                s.cluster.workers = s.cpu.partitions = 8;
                s.cpu.splits = SegmentSplits::best;
                s.cpu.worked_example = printed;
                const auto e = estimate(s);
                QVERIFY(e.has_value());
                const auto& splits = e->cpu->configuration.splits;
                different +=
                    *std::min_element(splits.begin(), splits.end()) != *std::max_element(splits.begin(), splits.end())
                        ? 1
                        : 0;
                walk(s, QString("%1 s").arg(latency), true);
                if (QTest::currentTestFailed()) return;
            }
        QVERIFY(different > 1);
    }

    void every_topic_was_visited() {
        if (support::sanitized) return;
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

    void pages_name_what_counts() {
        Scenario s = cluster("alexnet-one-tower", "adam-like");
        s.cluster.workers = 1;
        const auto has = [](const Explanation& e, std::string_view symbol) {
            return std::any_of(e.inputs.begin(), e.inputs.end(), [&](const Input& i) { return i.symbol == symbol; });
        };
        for (const bool beside : {false, true}) {  // one machine has no servers
            s.cpu.servers_beside = beside;
            QVERIFY(!has(why(s, Item{Topic::memory}), "S"));
        }
        s.cluster.workers = s.cpu.partitions = 4;
        QVERIFY(has(why(s, Item{Topic::memory}), "S"));
        s.cpu.overlap = Fraction{0.25};
        Item waited{Topic::cpu_layer_waited, 0, layer(s, "fc7")};
        waited.index = 0;
        QVERIFY2(why(s, waited).formula.find("(1 - o)*min(U, M)") != std::string::npos, why(s, waited).formula.c_str());
    }

    void there_are_no_such_figures() {
        Scenario s = cluster("few kinds", "adam-like");
        s.cluster.workers = 1;
        const auto plan = prepare(s);
        QVERIFY(plan);
        const auto e = estimate(s);
        QVERIFY(e);
        for (Topic t : {Topic::cpu_sending, Topic::cost, Topic::pipeline, Topic::ranks, Topic::knee, Topic::recomputed})
            QVERIFY(!explain(s, *plan, *e, Item{t}));
        Scenario gpu = scenario("few kinds");
        const auto gpu_plan = prepare(gpu);
        const auto gpu_estimate = estimate(gpu);
        QVERIFY(!explain(gpu, *gpu_plan, *gpu_estimate, Item{Topic::cpu_exchange}));
    }
};

QTEST_APPLESS_MAIN(TestExplainCpu)
#include "tst_explain_cpu.moc"
