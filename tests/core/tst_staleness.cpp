// SPDX-License-Identifier: GPL-3.0-or-later
// The lesson of stale weights: speed, statistical efficiency and their product over the workers.
#include <QtTest>
#include <cmath>

#include "core/estimate/staleness.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

Scenario with_servers(BatchRule rule) {
    Scenario s = support::scenario(support::preset("resnet-50"));
    s.parallelism.updates = Updates::asynchronous;
    s.parallelism.servers = 4;
    s.training.batch_rule = rule;
    s.training.batch = rule == BatchRule::total ? 4096 : 64;
    s.cluster.workers = 8;
    s.cluster.devices_per_node = 1;
    s.cluster.between.bandwidth = gigabits_per_second(10);
    s.model.staleness_cost = Fraction{0.05};
    return s;
}

}  // namespace

class TestStaleness : public QObject {
    Q_OBJECT
private slots:
    void every_point_is_the_estimate() {
        for (const BatchRule rule : {BatchRule::per_worker, BatchRule::total}) {
            Scenario s = with_servers(rule);
            const std::vector<std::int64_t> counts{1, 2, 8, 31, 64};
            const auto lesson = staleness_lesson(s, counts);
            QVERIFY(lesson.has_value());
            QCOMPARE(lesson->points.size(), counts.size());
            for (std::size_t i = 0; i < counts.size(); ++i) {
                s.cluster.workers = counts[i];
                const auto e = estimate(s);
                const StalenessPoint& p = lesson->points[i];
                QCOMPARE(p.workers, counts[i]);
                QCOMPARE(p.step, e->summary.step);
                QCOMPARE(p.throughput, e->throughput);
                QCOMPARE(p.speed, e->speedup);
                QCOMPARE(p.staleness, static_cast<double>(counts[i] - 1));
                QCOMPARE(p.efficiency, 1 / (1 + 0.05 * p.staleness));
                QCOMPARE(p.efficiency, 1 / e->servers->statistical_cost);
                QCOMPARE(p.progress, p.speed * p.efficiency);
                QCOMPARE(p.knee, e->servers->state.knee);
                QCOMPARE(p.waiting, e->servers->state.waiting);
                if (counts[i] == 8) QCOMPARE(lesson->knee, p.knee);
            }
            QCOMPARE(lesson->points[0].progress, 1.0);
        }
    }

    void another_cost_is_another_lesson() {
        Scenario s = with_servers(BatchRule::per_worker);
        const auto before = staleness_lesson(s, worker_counts(256, 8));
        for (const double cost : {0.0, 0.01, 0.3}) {
            s.model.staleness_cost = Fraction{cost};
            const auto asked = staleness_lesson(s, worker_counts(256, 8));
            const StalenessLesson turned = with_cost(*before, Fraction{cost});
            QCOMPARE(turned.best, asked->best);
            QCOMPARE(turned.cost, asked->cost);
            QCOMPARE(turned.points.size(), asked->points.size());
            for (std::size_t i = 0; i < turned.points.size(); ++i) {
                QCOMPARE(turned.points[i].efficiency, asked->points[i].efficiency);
                QCOMPARE(turned.points[i].progress, asked->points[i].progress);
            }
        }
    }

    void speed_saturates_and_progress_turns() {
        const Scenario s = with_servers(BatchRule::per_worker);
        const auto lesson = staleness_lesson(s, worker_counts(512, 8));
        const auto& points = lesson->points;
        const double most = points.back().speed;
        for (const StalenessPoint& p : points) {
            // Beyond the knee no more than the servers give: 1/σ against one worker's 1/(Z + σ), which is the knee.
            QVERIFY(p.speed <= std::min(static_cast<double>(p.workers), p.knee) * (1 + 1e-9));
            QVERIFY(p.speed <= most * (1 + 1e-9));
        }
        QVERIFY(std::abs(most / points.back().knee - 1) < 1e-6);
        QVERIFY(points.back().progress < 0.5 * most);
        QVERIFY(lesson->best > 1 && lesson->best < 512);
        for (const StalenessPoint& p : points)
            if (p.workers == lesson->best)
                for (const StalenessPoint& q : points) QVERIFY(q.progress <= p.progress);

        Scenario free = s;  // nobody said that staleness costs anything
        free.model.staleness_cost = Fraction{0};
        const auto assumed_free = staleness_lesson(free, {1, 8, 64});
        for (const StalenessPoint& p : assumed_free->points) {
            QCOMPARE(p.efficiency, 1.0);
            QCOMPARE(p.progress, p.speed);
        }
    }

    void what_has_no_staleness() {
        Scenario s = with_servers(BatchRule::per_worker);
        s.parallelism.updates = Updates::synchronous;
        const auto in_step = staleness_lesson(s, {1, 2});
        QVERIFY(!in_step.has_value());
        QCOMPARE(in_step.error().front().where, "parallelism.updates");
        s = with_servers(BatchRule::per_worker);
        support::divide(s.parallelism, support::Divided::layers);
        QCOMPARE(staleness_lesson(s, {1, 2}).error().front().where, "parallelism.fill");
        s = with_servers(BatchRule::per_worker);
        for (const Layer& layer : s.network()->layers()) s.training.frozen.push_back(layer.id);
        std::sort(s.training.frozen.begin(), s.training.frozen.end());
        QCOMPARE(staleness_lesson(s, {1, 2}).error().front().where, "training.frozen");
        CancelSource source;
        source.cancel();
        QVERIFY(staleness_lesson(with_servers(BatchRule::total), {1, 2}, source.token())->points.empty());
    }
};

QTEST_APPLESS_MAIN(TestStaleness)
#include "tst_staleness.moc"
