// SPDX-License-Identifier: GPL-3.0-or-later
// Walls of CPU clusters: counts of machines worked out by hand, and against a plain look at every count.
#include <QtTest>

#include "core/formats/scenario_json.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_walls.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::pick;
using support::wall_of;

namespace {

/// The worked example's MNIST: eight threads, an exchange every 32 samples, one server. T = 2.1481932 ms for a sample
/// and thread, so that a machine trains for c = 32/8·T = 8.5927728 ms; the server updates 431,080 weights in t_s =
/// 2.1554 ms, and receives and sends 72,180 + 431,080 of them, 4 bytes each, in t_n = 2.01304 ms.
Scenario mnist() {
    Scenario s = support::cpu_scenario(support::example_mnist(), support::example_machine());
    s.cpu.worked_example = true;
    s.cpu.threads = 8;
    s.training.batch = 32;
    s.parallelism.updates = Updates::asynchronous;
    return s;
}

Walls walls(const Scenario& s, const WallOptions& options = {}) {
    auto found = find_walls(s, options);
    if (!found) support::stop(found.error());
    return *found;
}

std::string reason(const Walls& found, std::string_view label) {
    for (const LeftOut& left : found.left_out)
        if (left.label == label) return left.reason;
    return {};
}

}  // namespace

class TestWallsCpu : public QObject {
    Q_OBJECT

private slots:
    /// A step of R replicas lasts max(c, R·t_s): 3·t_s = 6.47 ms, 4·t_s = 8.62 ms. So most samples a second from 4
    /// machines on, and efficiency c/(R·t_s) = 3.9866/R: 57 % with 7, 49.8 % with 8.
    void a_server_that_is_busy() {
        const Walls found = walls(mnist(), {0.5, 64});
        const Wall* wall = wall_of(found, WallKind::efficiency);
        QCOMPARE(wall->first, 8);
        QCOMPARE(wall->for_good, 8);
        QCOMPARE(wall->sentence, std::string("From 8 machines on, the efficiency is below 50\u00a0%."));
        wall = wall_of(found, WallKind::peak_throughput);
        QCOMPARE(wall->first, 4);
        QVERIFY(is_guide_line(*wall, found));
        wall = wall_of(found, WallKind::shortest_step);
        QCOMPARE(wall->first, 1);
        QVERIFY(!is_guide_line(*wall, found));
        // Replicas wait for the server's processor, not for the network.
        wall = wall_of(found, WallKind::communication);
        QVERIFY(!wall->reached());
        QCOMPARE(wall->sentence, std::string("Communication takes less time than computing with up to 64 machines."));
        QCOMPARE(reason(found, "Batch"), std::string("The batch grows with the machines and never runs out."));
        QCOMPARE(reason(found, "Strategy"),
                 std::string("Every machine trains all of the network, however many there are."));
        QVERIFY(!wall_of(found, WallKind::strategy_ends) && !wall_of(found, WallKind::memory_enough));
        QCOMPARE(wall_of(found, WallKind::memory_full)->sentence,
                 std::string("The step fits into a machine's 98.0\u00a0GB with up to 64 machines."));
    }

    /// With a fast processor the server's network card sets the pace: communication is R·t_n − c, more than c where
    /// R > 2c/t_n = 8.537.
    void a_server_with_a_busy_network() {
        Scenario s = mnist();
        s.cluster.machine.server_updates = WeightsPerSecond{1e12};
        const Walls found = walls(s, {0.5, 64});
        QCOMPARE(wall_of(found, WallKind::communication)->first, 9);
        QCOMPARE(wall_of(found, WallKind::communication)->sentence,
                 std::string("From 9 machines on, communication takes longer than computing."));
        QCOMPARE(wall_of(found, WallKind::efficiency)->first, 9);       // c/(R·t_n) < 1/2 says the same
        QCOMPARE(wall_of(found, WallKind::peak_throughput)->first, 5);  // 4·t_n = 8.05 ms, 5·t_n = 10.1 ms
    }

    /// Replicas of three: counts below say nothing, and a machine or two beyond a multiple have nothing to do.
    void replicas_of_several_machines() {
        Scenario s = mnist();
        s.cpu.partitions = s.cluster.workers = 3;
        const auto alone = estimate(s);
        QVERIFY(alone.has_value());
        // Of a step, c of these replicas; S servers make t_s = 2.1554 ms/S short enough to let 8 replicas train.
        const double c = 4 * alone->cpu->score.sample.total().value;
        s.parallelism.servers = static_cast<std::int64_t>(std::ceil(8 * 2.1554e-3 / c));
        const Walls found = walls(s, {0.01, 24});
        QCOMPARE(found.start, 3);
        QCOMPARE(found.last, 24);
        const Wall* wall = wall_of(found, WallKind::shortest_step);
        QCOMPARE(wall->first, 3);
        QVERIFY(!is_guide_line(*wall, found));
        QVERIFY(wall->sentence.ends_with(", with 3 machines, the fewest that can be run."));
        wall = wall_of(found, WallKind::peak_throughput);
        QCOMPARE(wall->first, 24);
        QVERIFY(wall->sentence.ends_with(", with 24 machines, the most that can be run up to 24."));
        QVERIFY(!wall_of(found, WallKind::strategy_ends) && !wall_of(found, WallKind::memory_enough));
        QCOMPARE(reason(found, "Strategy"), std::string("3 machines train together, however many there are."));
        QCOMPARE(reason(found, "Batch"), std::string("The batch grows with the replicas and never runs out."));
        QCOMPARE(wall_of(found, WallKind::memory_full)->sentence,
                 std::string("The step fits into a machine's 98.0\u00a0GB with 3 to 24 machines."));
        QCOMPARE(wall_of(found, WallKind::efficiency)->sentence,
                 std::string("The efficiency is 1\u00a0% or more with 3 to 24 machines."));
        // Efficiency falls where machines are left over and rises with the next replica. e with 3, 3/4·e with 4.
        const double e = alone->efficiency;
        const Walls wavering = walls(s, {0.76 * e, 24});
        wall = wall_of(wavering, WallKind::efficiency);
        QCOMPARE(wall->first, 4);
        QVERIFY(wall->for_good != 4);
        // Looked at no further than one replica, or not even so far.
        QCOMPARE(wall_of(walls(s, {0.01, 3}), WallKind::communication)->sentence,
                 std::string("Communication takes less time than computing with 3 machines."));
        const auto none = find_walls(s, {0.5, 2});
        QVERIFY(!none.has_value());
        QCOMPARE(none.error().front().what, std::string("A replica has 3 machines, more than 2."));
    }

    /// Five samples for all: R replicas have ⌈5/R⌉ each, and from the sixth on some have none.
    void a_batch_for_replicas_runs_out() {
        Scenario s = mnist();
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 5;
        Walls found = walls(s, {0.5, 40});
        QCOMPARE(wall_of(found, WallKind::batch)->first, 6);
        QCOMPARE(wall_of(found, WallKind::batch)->sentence,
                 std::string("From 6 machines on, there are more machines than the 5 samples of a step."));
        s.cpu.partitions = 4;
        found = walls(s, {0.5, 40});
        QCOMPARE(wall_of(found, WallKind::batch)->first, 24);
        QCOMPARE(wall_of(found, WallKind::batch)->for_good, 24);
        QCOMPARE(wall_of(found, WallKind::batch)->sentence,
                 std::string("From 24 machines on, there are more replicas than the 5 samples of a step."));
        found = walls(s, {0.5, 23});
        QVERIFY(!wall_of(found, WallKind::batch)->reached());
        QCOMPARE(wall_of(found, WallKind::batch)->sentence,
                 std::string("The 5 samples of a step are enough with 4 to 23 machines."));
        // How the work is divided among GPUs does not matter here.
        support::divide(s.parallelism, support::Divided::layers);
        QVERIFY(walls(s, {0.5, 23}) == found);
    }

    /// What a machine has in memory does not depend on how many there are, but that one alone has no servers: those
    /// beside hold 431,080 weights among them.
    void memory_of_machines() {
        Scenario s = mnist();
        s.cpu.servers_beside = true;
        s.parallelism.servers = 2;
        s.cluster.workers = 1;
        const Bytes alone = estimate(s)->memory.peak;
        s.cluster.workers = 2;
        QCOMPARE(estimate(s)->memory.peak.value, alone.value + 4 * 431080 / 2.0);
        s.cluster.machine.memory = alone;
        Walls found = walls(s, {0.5, 10});
        QCOMPARE(wall_of(found, WallKind::memory_full)->first, 2);
        QCOMPARE(wall_of(found, WallKind::memory_full)->for_good, 2);
        QVERIFY(!wall_of(found, WallKind::memory_enough));
        s.cluster.machine.memory = estimate(s)->memory.peak;
        QVERIFY(!wall_of(walls(s, {0.5, 10}), WallKind::memory_full)->reached());
        // Replicas of two, of which no number fits: that is told, and nothing about filling up.
        s.cpu.partitions = 2;
        s.cluster.machine.memory = Bytes{2000};
        found = walls(s, {0.5, 10});
        QVERIFY(!wall_of(found, WallKind::memory_full));
        QVERIFY(!wall_of(found, WallKind::memory_enough)->reached());
        QCOMPARE(wall_of(found, WallKind::memory_enough)->sentence,
                 std::string("The step does not fit into a machine's 2.00\u00a0kB with 2 to 10 machines."));
    }

    /// Replicas of four, two servers, 256 samples between exchanges. Of 50,303,912 weights, 3,207,104 of convolutions
    /// and 256·(10,496 + 8,192 + 5,096) numbers of the dense layers go up and all come down, 4 bytes each, at 2·1.25
    /// GB/s: t_n = 95.35955 ms; updating takes half of that. A replica trains for c = 3.66076 s, 0.12865 s of it
    /// exchange, one machine alone for 14.4243 s. So the servers set the pace where R > c/t_n = 38.4, with 39 replicas;
    /// communication, R·t_n − c + 0.12865 s, is longer than computing where R > 74.1; and n machines have an efficiency
    /// of 14.4243/(n·t_n) = 151.26/n, less than a half from 303 on.
    void the_preset() {
        const auto* preset = support::library().find_scenario("alexnet-cpu-cluster");
        const Scenario s = formats::read_scenario(preset->text, preset->file, support::library()).value().scenario;
        const Walls found = walls(s);
        QCOMPARE(wall_of(found, WallKind::peak_throughput)->first, 4 * 39);
        QCOMPARE(wall_of(found, WallKind::communication)->first, 4 * 75);
        QCOMPARE(wall_of(found, WallKind::communication)->for_good, 4 * 75);
        QCOMPARE(wall_of(found, WallKind::efficiency)->first, 303);
        QCOMPARE(wall_of(found, WallKind::efficiency)->for_good, 303);
        QCOMPARE(wall_of(found, WallKind::shortest_step)->first, 4);
        int wavering = 0;
        const QString wrong = support::unlike_brute_force(s, {0.5, 200}, walls(s, {0.5, 200}), wavering);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        for (const Wall& wall : found.walls) {
            QVERIFY2(wall.sentence.find("worker") == std::string::npos, wall.sentence.c_str());
            QVERIFY2(wall.first == 0 || wall.first >= 4, wall.sentence.c_str());
        }
    }

    void what_cannot_be_said_is_a_problem() {
        Scenario s = mnist();
        s.cpu.splits = SegmentSplits::best;
        s.cpu.partitions = s.cluster.workers = 33;
        const auto found = find_walls(s);
        QVERIFY(!found.has_value());
        QCOMPARE(found.error(), estimate(s).error());
        // One machine trains; more would exchange for longer than a number can say.
        s = mnist();
        s.cluster.machine.server_updates = WeightsPerSecond{1e-304};
        const Walls all = walls(s, {0.5, 8});
        QCOMPARE(all.last, 1);
        QCOMPARE(wall_of(all, WallKind::strategy_ends)->sentence,
                 std::string("From 2 machines on, times are too large to count."));
    }

    void as_brute_force_sees_them() {
        std::mt19937 random(17);
        int compared = 0, wavering = 0, of_several = 0;
        for (int k = 0; k < 150; ++k) {
            Scenario s = support::random_cpu_scenario(
                random, support::cpu_scenario(support::random_network(random, static_cast<int>(pick(random, 4, 12))),
                                              support::example_machine()));
            s.cpu.splits = k % 4 == 0 ? SegmentSplits::best : SegmentSplits::most;
            WallOptions options{0.5, s.cpu.partitions + pick(random, 0, 25)};
            QCOMPARE(find_walls(s, options).has_value(), estimate(s).has_value());
            if (!estimate(s)) continue;
            // Near that of one replica, so that it lies above the line and below it.
            Scenario one = s;
            one.cluster.workers = s.cpu.partitions;
            options.efficiency = std::min(1.0, estimate(one)->efficiency * support::real(random, 0.3, 1.1));
            s.cluster.machine.memory = support::memory_for_some(support::estimates_up_to(s, options.up_to), random);
            const auto again = find_walls(s, options);
            QVERIFY(again.has_value());
            ++compared;
            of_several += s.cpu.partitions > 1 ? 1 : 0;
            const QString wrong = support::unlike_brute_force(s, options, *again, wavering);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("scenario %1: %2").arg(k).arg(wrong)));
        }
        QVERIFY2(compared > 100 && of_several > 50 && wavering > 20,
                 qPrintable(QString("%1 %2 %3").arg(compared).arg(of_several).arg(wavering)));
    }
};

QTEST_GUILESS_MAIN(TestWallsCpu)
#include "tst_walls_cpu.moc"
