// SPDX-License-Identifier: GPL-3.0-or-later
// Training states that groups of replicas divide among them (hybrid sharding).
#include <QtTest>
#include <cmath>

#include "core/schedule/buckets.hpp"
#include "sanitized.hpp"
#include "support_any_mesh.hpp"
#include "support_sharded.hpp"

using namespace scalescope;
using namespace support::sharding;
using support::score_of, support::set_mesh;

class TestShardGroups : public QObject {
    Q_OBJECT

private slots:
    void one_group_is_all_and_groups_of_one_are_none() {
        std::mt19937 random(31);
        int checked = 0;
        for (int k = 0; k < support::sampled(300); ++k) {
            Scenario s = support::any_mesh(random);
            const auto degrees = degrees_of(s);
            const auto same = [&](const Scenario& x, const Scenario& y) {
                QCOMPARE(score_of(x), score_of(y));
                if (!score_of(x).feasible()) return;
                const Answer one(x), other(y);
                QCOMPARE(one.e.memory.peak, other.e.memory.peak);
                QCOMPARE(one.e.messages.size(), other.e.messages.size());
                checked += one.e.states.sharded != Sharded::nothing;
            };
            if (s.parallelism.sharded == Sharded::nothing) continue;
            same(in_groups(s, degrees->replicas()), in_groups(s, 0));
            if (degrees->replicas() > 1) same(in_groups(s, 1), with(s, Sharded::nothing));
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(checked > support::expected(60));
    }

    /// Neither do times of gathers, which have fewer neighbours to wait for, on one level.
    void memory_never_grows_with_the_group() {
        std::mt19937 random(32);
        int smaller = 0, quicker = 0;
        for (int k = 0; k < support::sampled(200); ++k) {
            Scenario s = random_mesh(random, 16);
            s.parallelism.sharded = all_stages[static_cast<std::size_t>(support::pick(random, 1, 3))];
            set_mesh(s, 8, support::pick(random, 1, 2), support::pick(random, 1, 2));
            s.cluster.devices_per_node = 1;
            s = with_even_stages(s);
            if (!score_of(in_groups(s, 0)).feasible()) continue;
            double before = Answer(in_groups(s, 1)).e.memory.peak.value, gathers = 0;
            for (const std::int64_t group : {2, 4, 8}) {
                const Answer a(in_groups(s, group));
                QVERIFY2(a.e.memory.peak.value <= before * (1 + 1e-12), qPrintable(QString::number(k)));
                QCOMPARE(a.peak, a.e.memory.peak);
                smaller += a.e.memory.peak.value < before;
                before = a.e.memory.peak.value;
                double now = 0;
                for (const auto& m : a.e.messages) now += m.weights ? m.each.value : 0;
                QVERIFY(now >= gathers);
                quicker += now > gathers && gathers > 0;
                gathers = now;
            }
        }
        QVERIFY(smaller > support::expected(200) && quicker > support::expected(200));
    }

    /// Neighbours lie in one node, the ranks with the same shard in different ones.
    void groups_lie_where_their_ranks_do() {
        Scenario s = in_groups(with(small_scenario(), Sharded::weights), 4);
        set_mesh(s, 16, 1, 2);
        s.parallelism.policy = ShardingPolicy::trainer;
        const Answer a(s);
        int within = 0, between = 0;
        for (const auto& m : a.e.messages) {
            if (m.axis != MeshAxis::data) continue;
            QCOMPARE(m.group.ranks, 4);
            QCOMPARE(m.group.nodes, m.over_groups ? 4 : 1);
            QCOMPARE(m.group.sending, 8);
            (m.over_groups ? between : within) += 1;
        }
        QVERIFY(within > 4 && between == 1);
        QCOMPARE(a.e.states.ranks, 4);
        QCOMPARE(a.e.states.groups, 4);
    }

    /// Event by event: shards that are summed over groups have the link while nothing else of their pass has it.
    void sums_over_groups_stepped_through() {
        std::mt19937 random(33);
        int waited = 0, hidden = 0;
        for (int k = 0; k < support::sampled(400); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s = with(s, all_stages[static_cast<std::size_t>(support::pick(random, 1, 3))]);
            const bool perfect = k % 4 == 0;
            s.parallelism.overlap = perfect ? Overlap::perfect : Overlap::buckets;
            s.parallelism.bucket = Bytes{support::real(random, 1e2, 2e4)};
            s.parallelism.copies = false;
            s.model.spread = s.model.interference = Fraction{0};
            s.parallelism.collective = static_cast<Collective>(support::pick(random, 0, 2));  // all of it may hide
            s.cluster.inside.latency = s.cluster.between.latency = Seconds{0};
            s.cluster.inside.bandwidth = gigabytes_per_second(std::exp(support::real(random, 2, 9)));
            s.cluster.between.bandwidth = gigabytes_per_second(std::exp(support::real(random, 2, 9)));
            set_mesh(s, 4, 1, 1);
            s.parallelism.shard_group = 2;
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            if (a.e.states.groups != 2) continue;
            const double repeat = a.e.layers.front().repeat;
            double backward = 0, gathers = 0;
            for (const auto& row : a.e.layers) backward += row.backward().value / repeat, gathers += row.gathers.value;
            std::vector<std::array<double, 3>> scatters;  // start, end, and what is to be summed then
            for (const auto& m : a.e.messages)
                if (m.gradients && m.message == Message::reduce_scatter)
                    scatters.push_back({m.start.value, (m.start + m.each).value, 0});
            std::size_t i = 0;
            double told = 0;
            for (const auto& m : a.e.messages)
                if (m.over_groups)
                    scatters[i++][2] = m.each.value, told += m.exposed.value, hidden += m.hidden.value > 0;
            QCOMPARE(i, scatters.size());
            if (scatters.empty()) continue;
            waited += told > 0;
            if (perfect) {  // whatever fits
                const double before = std::max(0.0, backward - gathers - (scatters[0][1] - scatters[0][0]));
                QVERIFY(std::abs(told - std::max(0.0, scatters[0][2] - before)) <= 1e-9 * (told + backward));
                continue;
            }
            double now = 0;
            for (std::size_t j = 0; j < scatters.size(); ++j) {
                now = std::max(now, scatters[j][1]);
                double left = scatters[j][2];
                for (std::size_t n = j + 1; n < scatters.size() && left > 0; ++n) {
                    const double idle = std::max(0.0, scatters[n][0] - now);
                    if (idle >= left) break;
                    left -= idle;
                    now = std::max(now, scatters[n][1]);
                }
                now += left;
            }
            const double alone = std::max(backward - gathers, scatters.back()[1]);
            QVERIFY2(std::abs(told - std::max(0.0, now - alone)) <= 1e-9 * (told + backward),
                     qPrintable(QString::number(k)));
        }
        QVERIFY(waited > support::expected(100) && hidden > support::expected(50));
    }

    /// Two scatters of a second follow each other from second 1 on; their shards take a second each after that, of
    /// which half hides behind the last layer, which has no weights.
    void sums_over_groups_by_hand() {
        MessageCost scatter, sum;
        scatter.options[0].seconds_per_byte = 0.25;
        sum.options[0].seconds_per_byte = 0.5;
        const std::array backward{1.5, 1.0, 1.0}, bytes{0.0, 4.0, 4.0};
        const std::array streams{GradientStream{bytes, &scatter, &sum, 2}};
        const GradientSync sync = sync_gradients(backward, streams, 0, 3, Overlap::buckets, Bytes{4}, nullptr);
        QCOMPARE(sync.total.value, 2.0);
        QCOMPARE(sync.exposed.value, 0.0);
        QCOMPARE(sync.after_total.value, 2.0);
        QCOMPARE(sync.after_exposed.value, 1.5);
    }

    void groups_that_do_not_fit() {
        Scenario s = in_groups(with(small_scenario(), Sharded::weights), 5);
        set_mesh(s, 12, 1, 1);
        const auto said = [&] { return to_text(estimate(s).error().front()); };
        QVERIFY(said().find("The 12 replicas do not divide into shard groups of 5") != std::string::npos);
        QVERIFY(said().find("use a shard group of 4 or 6") != std::string::npos);
        QCOMPARE(estimate(s).error().front().where, std::string("parallelism.shard_group"));
        s.parallelism.shard_group = 100;
        QVERIFY(said().find("use a shard group of 12") != std::string::npos);
        s.parallelism.sharded = Sharded::nothing;
        QVERIFY(estimate(s).has_value());
        // Replicas 0 and 1 have the first experts, 2 the second ones.
        s = in_groups(with(support::scenario(support::mixture(1, 64, 4, 64, true)), Sharded::weights), 3);
        set_mesh(s, 12, 1, 1);
        s.parallelism.expert = 2;
        QVERIFY(said().find("do not hold whole sets of experts on 2 workers") != std::string::npos);
        QVERIFY(said().find("use a shard group of 2 or 4") != std::string::npos);
        for (const std::int64_t group : {1, 2, 4, 6, 12}) QVERIFY(estimate(in_groups(s, group)).has_value());
        const Answer a(in_groups(s, 4));
        // Curves and walls look at workers that fill groups.
        Point p;
        p.tensor = 2, p.pipeline = 3, p.context = 4, p.shard_group = 8;
        QCOMPARE(p.step_of_workers(), 24);
        p.sharded = Sharded::optimizer;
        QCOMPARE(p.step_of_workers(), 48);
        QCOMPARE(a.e.states.expert_ranks, 2);
        QCOMPARE(a.e.states.expert_groups, 3);
    }
};

QTEST_APPLESS_MAIN(TestShardGroups)
#include "tst_shard_groups.moc"
