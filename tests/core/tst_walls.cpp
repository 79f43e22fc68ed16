// SPDX-License-Identifier: GPL-3.0-or-later
// Where growing stops paying: counts worked out by hand, and against a plain look at every count.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/search/walls.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"
#include "support_walls.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::pick;
using support::wall_of;

namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Dense layers without a peak in memory's way: times are products and messages alone.
Scenario plain(BatchRule rule, std::int64_t batch) {
    support::Builder b;
    b.dense(b.dense(b.input({64}), 128), 32);
    Scenario s = support::scenario(b.make());
    s.training.optimizer = Optimizer::sgd;
    s.training.batch_rule = rule;
    s.training.batch = batch;
    s.cluster.device.memory_bandwidth = BytesPerSecond{1e30};
    s.cluster.devices_per_node = 1;
    return s;
}

}  // namespace

class TestWalls : public QObject {
    Q_OBJECT

private slots:
    /// A ring's all-reduce takes 2(n−1)/n · S/W: with a link on which that passes the computation c at 4 workers
    /// (2·3/4·S/W = 1.5·S/W), and not at 3 (1.33·S/W).
    void communication_passes_compute() {
        Scenario s = plain(BatchRule::per_worker, 8);
        s.cluster.workers = 2;
        const auto two = support::score_of(s);
        const double compute = (two.forward + two.backward + two.update).value;
        // 2·1/2·S/W = communication of two: S/W = that. Wanted: 1.4·S/W = compute.
        s.cluster.between.bandwidth =
            BytesPerSecond{s.cluster.between.bandwidth.value * two.communication.value * 1.4 / compute};
        WallOptions options;
        options.up_to = 64;
        auto found = find_walls(s, options);
        QVERIFY2(found.has_value(), found ? "" : support::messages(found.error()).c_str());
        const Wall* wall = wall_of(*found, WallKind::communication);
        QCOMPARE(wall->first, 4);
        QCOMPARE(wall->for_good, 4);
        QCOMPARE(wall->sentence, std::string("From 4 workers on, communication takes longer than computing."));
        // Weak scaling: t(n) = c·(1 + 2(n−1)/n/1.4): efficiency 1/(1 + x) is below one half where x > 1: at 4 too.
        wall = wall_of(*found, WallKind::efficiency);
        QCOMPARE(wall->first, 4);
        QCOMPARE(wall->label, std::string("efficiency < 50\u00a0%"));
        options.efficiency = 0.421;  // x > 0.579/0.421, so that 2(n−1)/n > 1.9254 and n > 26.8
        found = find_walls(s, options);
        QCOMPARE(wall_of(*found, WallKind::efficiency)->first, 27);
        options.efficiency = 0.4;
        found = find_walls(s, options);
        wall = wall_of(*found, WallKind::efficiency);
        QVERIFY(!wall->reached());
        QCOMPARE(wall->sentence, std::string("The efficiency is 40\u00a0% or more with up to 64 workers."));
        // The step is shortest alone; samples per second grow to the end. Neither is a wall.
        wall = wall_of(*found, WallKind::shortest_step);
        QVERIFY(wall->first == 1 && !is_guide_line(*wall, *found));
        wall = wall_of(*found, WallKind::peak_throughput);
        QVERIFY(wall->first == 64 && !is_guide_line(*wall, *found));
        QVERIFY(contains(wall->sentence, "the most that can be run up to 64."));
        QVERIFY(!wall_of(*found, WallKind::batch));
        QCOMPARE(found->left_out.front().reason, std::string("The batch grows with the workers and never runs out."));
    }

    void a_batch_runs_out() {
        Scenario s = plain(BatchRule::total, 24);
        auto found = find_walls(s, {0.5, 100});
        const Wall* wall = wall_of(*found, WallKind::batch);
        QCOMPARE(wall->first, 25);
        QCOMPARE(wall->for_good, 25);
        QCOMPARE(wall->sentence,
                 std::string("From 25 workers on, there are more workers than the 24 samples of a step."));
        found = find_walls(s, {0.5, 24});
        wall = wall_of(*found, WallKind::batch);
        QVERIFY(!wall->reached() && !is_guide_line(*wall, *found));
        support::divide(s.parallelism, support::Divided::outputs);
        found = find_walls(s, {0.5, 32});
        QVERIFY(!wall_of(*found, WallKind::batch));
    }

    /// Samples come in whole numbers: of 24, from 8 workers on 3, up to 11; with 12 workers 2. Efficiency 24/(n·⌈24/n⌉)
    /// without messages falls below 90 % at 7 (24/28), is 1 at 8, falls again at 9 (24/27), …, is 1 for the last time
    /// at 24, and 24/n from there on: below at 27.
    void steps_go_up_and_down() {
        Scenario s = plain(BatchRule::total, 24);
        s.cluster.between.bandwidth = BytesPerSecond{1e30};
        s.workload.front().passes.update = false;  // which takes as long however few samples there are
        auto found = find_walls(s, {0.9, 100});
        const Wall* wall = wall_of(*found, WallKind::efficiency);
        // 5: ⌈24/5⌉ = 5, 24/25 = 0.96; 7: 4, 24/28 = 0.857
        QCOMPARE(wall->first, 7);
        QCOMPARE(wall->for_good, 27);
        QCOMPARE(wall->sentence,
                 std::string("With 7 workers, the efficiency is below 90\u00a0% for the first time; from "
                             "27 on, for good."));
        found = find_walls(s, {0.9, 24});
        wall = wall_of(*found, WallKind::efficiency);
        QCOMPARE(wall->first, 7);
        QCOMPARE(wall->for_good, 0);
        QVERIFY(contains(wall->sentence, "not for good up to 24 workers."));
        // From 24 workers on each has one sample: the first of equal counts is the shortest step.
        found = find_walls(s, {0.9, 100});
        wall = wall_of(*found, WallKind::shortest_step);
        QCOMPARE(wall->first, 24);
        QVERIFY(is_guide_line(*wall, *found));
        QCOMPARE(wall_of(*found, WallKind::peak_throughput)->first, 24);
    }

    void memory_becomes_enough() {
        Scenario s = plain(BatchRule::total, 1000);
        s.cluster.workers = 3;  // 334 samples on the fullest
        const auto need = [&](std::int64_t n) {
            s.cluster.workers = n;
            return estimate(s)->memory.peak;
        };
        s.cluster.device.memory = need(3);
        auto found = find_walls(s, {0.5, 50});
        const Wall* wall = wall_of(*found, WallKind::memory_enough);
        QVERIFY(wall);
        QCOMPARE(wall->first, 3);
        QCOMPARE(wall->for_good, 3);
        QVERIFY(wall_of(*found, WallKind::memory_full) && !wall_of(*found, WallKind::memory_full)->reached());
        s.cluster.device.memory = Bytes{need(3).value * (1 - 1e-12)};
        QCOMPARE(wall_of(*find_walls(s, {0.5, 50}), WallKind::memory_enough)->first, 4);
        s.cluster.device.memory = Bytes{1};
        found = find_walls(s, {0.5, 50});
        QVERIFY(!wall_of(*found, WallKind::memory_enough)->reached() && !wall_of(*found, WallKind::memory_full));
        s.cluster.device.memory.reset();
        found = find_walls(s, {0.5, 50});
        QVERIFY(!wall_of(*found, WallKind::memory_enough) && !wall_of(*found, WallKind::memory_full));
        QVERIFY(contains(found->left_out.front().reason, "no figure for its memory"));
        // Split by outputs every worker keeps all samples, of which there are more with every worker.
        s = plain(BatchRule::per_worker, 100);
        support::divide(s.parallelism, support::Divided::outputs);
        s.cluster.device.memory = need(8);
        found = find_walls(s, {0.5, 30});
        QVERIFY(wall_of(*found, WallKind::memory_full)->first > 1);
        QVERIFY(!wall_of(*found, WallKind::memory_enough));
    }

    void a_strategy_ends() {
        Scenario s = plain(BatchRule::total, 24);
        support::divide(s.parallelism, support::Divided::outputs);  // 32 units in the narrower layer
        const auto found = find_walls(s, {0.5, 1024});
        const Wall* wall = wall_of(*found, WallKind::strategy_ends);
        QCOMPARE(wall->first, 33);
        QCOMPARE(wall->for_good, 33);
        QCOMPARE(found->last, 32);
        QVERIFY(contains(wall->sentence, "From 33 workers on, the strategy ends: The 32 outputs of"));
        QVERIFY(is_guide_line(*wall, *found));
        support::divide(s.parallelism, support::Divided::data);
        QVERIFY(contains(wall_of(*find_walls(s, {0.5, 40}), WallKind::strategy_ends)->sentence, "up to 40 workers."));
    }

    void wrong_questions_are_answered() {
        Scenario s = plain(BatchRule::total, 24);
        for (const double line : {0.0, -0.5, 1.01, std::nan("")}) QVERIFY(!find_walls(s, {line, 10}));
        for (const std::int64_t up_to : {std::int64_t{0}, limits::workers + 1}) QVERIFY(!find_walls(s, {0.5, up_to}));
        QVERIFY(find_walls(s, {1.0, 1}));
        s.training.batch = 0;
        QCOMPARE(find_walls(s).error(), estimate(s).error());
        CancelSource given_up;
        given_up.cancel();
        QVERIFY(!find_walls(plain(BatchRule::total, 24), {}, given_up.token()));
    }

    /// All walls of random scenarios, against estimates of every count, each made from nothing.
    void as_brute_force_sees_them() {
        std::mt19937 random(3);
        int compared = 0, wavering = 0;
        for (int k = 0; k < 150 && !QTest::currentTestFailed(); ++k) {
            Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 12))));
            s.parallelism.boundaries.clear();
            const WallOptions options{support::real(random, 0.2, 1), pick(random, 1, 30)};
            const auto found = find_walls(s, options);
            Scenario one = s;
            one.cluster.workers = 1;
            QCOMPARE(found.has_value(), estimate(one).has_value());
            if (!found) continue;
            s.cluster.device.memory = support::memory_for_some(support::estimates_up_to(s, options.up_to), random);
            const auto again = find_walls(s, options);
            QVERIFY(again.has_value());
            ++compared;
            const QString wrong = support::unlike_brute_force(s, options, *again, wavering);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString("scenario %1: %2").arg(k).arg(wrong)));
        }
        QVERIFY(compared > 100);
        QVERIFY(wavering > 5);  // curves that go up and down are among them
    }

    void every_kind_has_a_name() {
        for (int kind = 0; kind <= static_cast<int>(WallKind::peak_throughput); ++kind)
            QVERIFY(!name_of(static_cast<WallKind>(kind)).empty());
    }
};

QTEST_GUILESS_MAIN(TestWalls)
#include "tst_walls.moc"
