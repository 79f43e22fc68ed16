// SPDX-License-Identifier: GPL-3.0-or-later
// CPU clusters as a method for whole steps: against the worked example, against the room `yan`, and against themselves.
#include <QtTest>
#include <cmath>
#include <map>
#include <random>

#include "core/estimate/curves.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/walker.hpp"
#include "support_library.hpp"
#include "support_search.hpp"
#include "support_yan.hpp"

using namespace scalescope;

namespace {

Scenario alexnet() {
    return support::cpu_scenario(support::preset("alexnet-one-tower"),
                                 *support::library().catalogue.machine("adam-like"));
}

/// The worked example of docs/decisions/cpu-clusters.md.
Scenario example(bool of_alexnet, std::int64_t replicas, std::int64_t partitions, std::int64_t servers,
                 std::int64_t threads, std::int64_t exchange) {
    Scenario s = support::cpu_scenario(of_alexnet ? support::example_alexnet() : support::example_mnist(),
                                       support::example_machine());
    s.cpu.worked_example = true;
    s.cpu.partitions = partitions;
    s.cpu.threads = threads;
    s.cluster.workers = replicas * partitions;
    s.parallelism.servers = servers;
    s.training.batch = exchange;
    return s;
}

Estimate of(const Scenario& s) {
    const auto e = estimate(s);
    if (!e) qFatal("%s", support::messages(e.error()).c_str());
    return *e;
}

double relative(double a, double b) { return std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }

Scenario random_cluster(std::mt19937& random) { return support::random_cpu_scenario(random, alexnet()); }

}  // namespace

class CpuClusterTest : public QObject {
    Q_OBJECT
private slots:
    /// Epochs of docs/decisions/cpu-clusters.md, to all their digits: a step is one exchange of every replica.
    void worked_example_data() {
        QTest::addColumn<Scenario>("s");
        QTest::addColumn<double>("steps");
        QTest::addColumn<double>("asynchronous");
        QTest::addColumn<double>("synchronous");
        QTest::addColumn<double>("unit");
        QTest::newRow("MNIST") << example(false, 4, 1, 1, 8, 32) << 60000.0 / (4 * 32) << 4.041375 << 11.87181225
                               << 1e-6;
        QTest::newRow("AlexNet") << example(true, 4, 4, 4, 16, 256) << 14.2e6 / (4 * 256) << 112056.75 << 131380.73
                                 << 1e-2;
    }
    void worked_example() {
        QFETCH(Scenario, s);
        QFETCH(double, steps);
        QFETCH(double, asynchronous);
        QFETCH(double, synchronous);
        QFETCH(double, unit);
        s.parallelism.updates = Updates::asynchronous;
        QVERIFY(std::abs(of(s).summary.step.value * steps - asynchronous) <= 0.51 * unit);
        s.parallelism.updates = Updates::synchronous;
        QVERIFY(std::abs(of(s).summary.step.value * steps - synchronous) <= 0.51 * unit);
    }

    void is_the_room_yan_and_sums_to_the_step() {
        std::mt19937 random(11);
        for (int round = 0; round < 200; ++round) {
            const Scenario s = random_cluster(random);
            const Estimate e = of(s);
            const Summary& sum = e.summary;
            const yan::Configuration& c = e.cpu->configuration;
            QCOMPARE(c.replicas * c.partitions <= s.cluster.workers, true);
            const bool alone = c.replicas * c.partitions == 1;
            const double expected = alone ? (e.cpu->score.sample.total() *
                                             (static_cast<double>(c.exchange_every) / static_cast<double>(c.threads)))
                                                .value
                                    : s.cpu.queueing && !c.synchronous
                                        ? static_cast<double>(c.replicas) / e.cpu->queue.throughput
                                        : e.cpu->score.epoch.time.value;
            QVERIFY(relative(sum.step.value, expected) < 1e-12);
            const Seconds parts = sum.forward + sum.backward + sum.update + sum.communication + sum.idle;
            QVERIFY(relative(parts.value, sum.step.value) < 1e-12);
            Seconds layers, hidden;
            for (const LayerEstimate& row : e.layers) layers += row.total(), hidden += row.hidden;
            QVERIFY(relative((layers + sum.idle).value, sum.step.value) < 1e-12);
            QVERIFY(std::abs((hidden - sum.hidden).value) <= 1e-12 * sum.step.value);
            for (const Seconds t : {sum.forward, sum.backward, sum.update, sum.communication, sum.idle, sum.hidden})
                QVERIFY(t.value >= 0);
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            QVERIFY(score(*plan, plan->point, scratch) == sum);
            QCOMPARE(peak_memory(*plan, plan->point, scratch).value, e.memory.peak.value);
        }
    }

    void one_machine_trains_alone() {
        Scenario s = alexnet();
        s.cluster.workers = 1;
        s.training.batch = 64;
        for (const Updates u : {Updates::synchronous, Updates::asynchronous}) {
            s.parallelism.updates = u;
            const Estimate e = of(s);
            QCOMPARE(e.summary.communication.value, 0.0);
            QCOMPARE(e.summary.idle.value, 0.0);
            QCOMPARE(e.speedup, 1.0);
            QVERIFY(relative(e.summary.step.value, 64.0 / 16 * e.cpu->score.sample.total().value) < 1e-15);
        }
    }

    void faster_parts_never_make_it_slower() {
        std::mt19937 random(12);
        for (int round = 0; round < 100; ++round) {
            const Scenario s = random_cluster(random);
            const double step = of(s).summary.step.value * (1 + 1e-12);
            for (const char* path : {"cluster.machine.network_gb_s", "cluster.machine.server_network_gb_s",
                                     "cluster.machine.server_updates_m_s", "cluster.machine.memory_bandwidth_gb_s"}) {
                Scenario faster = s;
                const Field* field = find_field(path);
                QVERIFY(set_field(faster, *field, *field_number(*field, s) * 2));
                QVERIFY2(of(faster).summary.step.value <= step, path);
            }
            Scenario more = s;
            ++more.parallelism.servers;
            QVERIFY(of(more).summary.step.value <= step);
            if (s.parallelism.updates == Updates::synchronous && !s.cpu.queueing) {
                Scenario free = s;
                free.parallelism.updates = Updates::asynchronous;
                free.cpu.wait_for_servers = false;
                QVERIFY(of(free).summary.step.value <= step);
            }
        }
    }

    /// Eight machines whose segments fit into the cache do more than eight times the work of one whose do not.
    void a_partition_in_cache_is_more_than_its_share() {
        Scenario s = example(true, 1, 8, 1, 16, 256);
        s.parallelism.updates = Updates::asynchronous;
        s.parallelism.servers = 64;
        const Estimate e = of(s);
        QVERIFY2(e.speedup > 8 && e.speedup < 9, std::to_string(e.speedup).c_str());
        QVERIFY(e.efficiency > 1);
    }

    void total_batch_is_shared_by_replicas() {
        Scenario s = alexnet();
        s.training.batch = 1000;
        s.training.batch_rule = BatchRule::total;
        s.cluster.workers = 12;
        s.cpu.partitions = 4;
        const Estimate e = of(s);
        QCOMPARE(e.summary.batch.effective, std::int64_t{1000});
        QCOMPARE(e.summary.batch.per_replica, std::int64_t{334});
        QCOMPARE(e.cpu->configuration.replicas, std::int64_t{3});
    }

    void servers_are_paid_for() {
        Scenario s = alexnet();
        s.cluster.workers = 8;
        s.parallelism.servers = 3;
        s.cluster.machine.price_per_hour = 2.0;
        Estimate e = of(s);
        QCOMPARE(*e.epoch_cost, 2.0 * 11 * e.epoch.value / 3600);
        s.cpu.servers_beside = true;
        e = of(s);
        QCOMPARE(*e.epoch_cost, 2.0 * 8 * e.epoch.value / 3600);
    }

    void what_makes_no_sense_is_told_data() {
        QTest::addColumn<Scenario>("s");
        QTest::addColumn<QString>("where");
        Scenario s = alexnet();
        s.cluster.machine = {};
        QTest::newRow("no machine") << s << "cluster.machine";
        s = alexnet();
        s.cluster.workers = 3;
        s.cpu.partitions = 4;
        QTest::newRow("no replica") << s << "cpu.partitions";
        s = alexnet();
        s.cpu.threads = 1000;
        QTest::newRow("threads") << s << "cpu.threads";
        s = alexnet();
        s.workload.push_back(s.workload.front());
        QTest::newRow("two networks") << s << "workload";
        s = alexnet();
        s.workload.front().passes.backward = false;
        QTest::newRow("no backward") << s << "workload";
        s = alexnet();
        s.cluster.machine.network = BytesPerSecond{0};
        QTest::newRow("no network") << s << "cluster.machine";
        s = alexnet();
        s.cluster.workers = s.cpu.partitions = 33;
        s.cpu.splits = SegmentSplits::best;
        QTest::newRow("too many to try") << s << "cpu.splits";
        s.cluster.workers = s.cpu.partitions = 257;
        s.cpu.splits = SegmentSplits::most;
        s.cpu.placement = SegmentPlacement::by_connections;
        QTest::newRow("too many to place") << s << "cpu.placement";
        s = alexnet();
        s.parallelism.servers = 0;
        QTest::newRow("no servers") << s << "parallelism.servers";
    }
    void what_makes_no_sense_is_told() {
        QFETCH(Scenario, s);
        QFETCH(QString, where);
        const auto e = estimate(s);
        QVERIFY(!e);
        QCOMPARE(QString::fromStdString(e.error().front().where), where);
        QVERIFY(!e.error().front().what.empty() && !e.error().front().remedy.empty());
    }

    void notes_say_what_is_left_out() {
        Scenario s = alexnet();
        s.cluster.workers = 10;
        s.cpu.partitions = 4;
        s.training.optimizer = Optimizer::adam;
        s.cluster.machine.memory = Bytes{1e8};
        std::string all;
        for (const Problem& p : of(s).notes) all += p.what + '\n';
        for (const char* text : {"2 of 10 machines", "any optimizer but SGD", "A machine needs", "server holds"})
            QVERIFY2(all.find(text) != std::string::npos, (text + ("\n" + all)).c_str());
    }

    /// A step that does not fit has a note about it in front of all others, and whatever that advises makes it fit.
    void remedies_of_memory_were_tried() {
        std::mt19937 random(31);
        std::map<std::string, int> tried;
        int fitting = 0;
        for (int round = 0; round < 400; ++round) {
            Scenario s = random_cluster(random);
            if (random() % 3 == 0) s.cpu.splits = SegmentSplits::best;
            s.cluster.machine.memory = (0.05 + 0.001 * static_cast<double>(random() % 1000)) * of(s).memory.peak;
            const Estimate e = of(s);
            const auto about = [](const Estimate& of_it, const char* begin) {
                return std::any_of(of_it.notes.begin(), of_it.notes.end(),
                                   [&](const Problem& p) { return p.what.starts_with(begin); });
            };
            constexpr const char *worker = "A machine ", *server = "A parameter server holds ";
            if (fits_device(s, e.memory)) {
                QVERIFY(!about(e, worker) && !about(e, server));
                ++fitting;
                continue;
            }
            QVERIFY(e.notes[0].what.starts_with(worker) || e.notes[0].what.starts_with(server));
            for (const Problem& note : e.notes) {
                const bool of_worker = note.what.starts_with(worker);
                if (!of_worker && !note.what.starts_with(server)) continue;
                for (const QString& remedy : QString::fromStdString(note.remedy).split(QStringLiteral("; or "))) {
                    const auto number = QRegularExpression(QStringLiteral("use (\\d+) ")).match(remedy);
                    if (!number.hasMatch()) continue;
                    const std::int64_t n = number.captured(1).toLongLong();
                    Scenario better = s;
                    std::string kind = "servers";
                    if (remedy.contains(QLatin1String("per replica"))) {
                        kind = remedy.contains(QLatin1String("or more")) ? "more machines" : "partitions";
                        if (kind == "more machines") better.cluster.workers = std::max(n, s.cluster.workers);
                        better.cpu.partitions = n;
                    } else if (remedy.contains(QLatin1String("thread"))) {
                        kind = "threads";
                        better.cpu.threads = n;
                    } else {
                        QVERIFY(remedy.contains(QLatin1String("parameter servers")));
                        better.parallelism.servers = n;
                    }
                    ++tried[kind];
                    const Estimate then = of(better);
                    QVERIFY2(!about(then, of_worker ? worker : server), note.remedy.c_str());
                    if (!about(e, of_worker ? server : worker)) QVERIFY(fits_device(better, then.memory));
                }
            }
        }
        QVERIFY(fitting > 10);
        for (const char* kind : {"partitions", "more machines", "threads", "servers"})
            QVERIFY2(tried[kind] > 5, qPrintable(QStringLiteral("%1: %2").arg(kind).arg(tried[kind])));
    }

    void curves_are_of_replicas_and_updates() {
        Scenario s = alexnet();
        s.cluster.workers = 12;
        s.cpu.partitions = 3;
        const auto plan = std::make_shared<const Plan>(*prepare(s));
        Scratch scratch = make_scratch(*plan);
        const auto specs = curve_specs(s, CurveSet::ways, {});
        QCOMPARE(specs.size(), std::size_t{5});  // 1, 2, 4, 8 and its own 3
        QCOMPARE(shown_curve(s, specs), 4);
        KeptCurves kept;
        const auto& curves = kept.make(s, plan, specs, {1, 2, 3, 12}, scratch);
        QVERIFY(!curves[4].points[0].summary.feasible() && curves[4].points[2].summary.feasible());
        QCOMPARE(curves[4].points[3].speedup, of(s).speedup);
        QCOMPARE(curve_specs(s, CurveSet::collectives, {}).size(), std::size_t{2});
    }

    /// What a search scores is what estimate() says of the same scenario, for every combination; what it remembers of
    /// one serves no other.
    void a_walk_is_the_estimate() {
        const Catalogue catalogue = support::catalogue_of_two();
        std::mt19937 random(13);
        int feasible = 0;
        for (int round = 0; round < 12; ++round) {
            Scenario base = random_cluster(random);
            base.cpu.servers_beside = round % 3 == 0;
            const char* count = round % 2 == 0 ? "cpu.replicas" : "cluster.workers";
            const search::Space space = support::space_of(base,
                                                          {{"parallelism.updates", {"synchronous", "asynchronous"}},
                                                           {"parallelism.servers", {"1", "3"}},
                                                           {"cpu.partitions", {"1", "2", "5"}},
                                                           {count, {"1", "4", "9"}},
                                                           {"cluster.machine", {"socket", "board"}},
                                                           {"training.batch", {"1", "100"}}},
                                                          catalogue);
            search::Walker walker(space);
            Scratch scratch;
            std::uint64_t work = 0;
            for (std::uint64_t place = 0; place < space.size(); ++place) {
                if (!walker.go(place)) continue;
                const auto expected = space.scenario(walker.index());
                QVERIFY(expected);
                const auto e = estimate(*expected);
                QVERIFY(walker.point() != nullptr);
                if (std::exchange(work, walker.work_number()) != walker.work_number())
                    scratch = make_scratch(walker.plan());
                const Summary s = score(walker.plan(), *walker.point(), scratch);
                QCOMPARE(s.feasible(), e.has_value());
                if (!e) continue;
                ++feasible;
                QVERIFY(s == e->summary);
                QCOMPARE(peak_memory(walker.plan(), *walker.point(), scratch).value, e->memory.peak.value);
            }
        }
        QVERIFY(feasible > 300);
    }
};

QTEST_APPLESS_MAIN(CpuClusterTest)
#include "tst_cpu_cluster.moc"
