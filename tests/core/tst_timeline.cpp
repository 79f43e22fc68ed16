// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline's timeline: its parts add up to the passes, its gaps to the bubble, and the chain to its length.
#include <QtTest>
#include <cmath>

#include "core/estimate/timeline.hpp"
#include "support_library.hpp"

using namespace scalescope;

Q_DECLARE_METATYPE(scalescope::PipelineOrder)

class TestTimeline : public QObject {
    Q_OBJECT

    static bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

private slots:
    void parts_add_up_data() {
        QTest::addColumn<PipelineOrder>("order");
        QTest::newRow("fill and drain") << PipelineOrder::fill_drain;
        QTest::newRow("1F1B") << PipelineOrder::one_f_one_b;
        QTest::newRow("interleaved") << PipelineOrder::interleaved;
        QTest::newRow("zero bubble") << PipelineOrder::zero_bubble;
    }
    void parts_add_up() {
        QFETCH(PipelineOrder, order);
        Scenario s = support::preset_scenario("llama-3-70b-h100");
        s.parallelism.order = order;
        for (const Recompute recompute : {Recompute::nothing, Recompute::blocks}) {
            s.parallelism.recompute = recompute;
            const auto plan = prepare(s);
            QVERIFY(plan);
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s, *plan, scratch);
            QVERIFY(e);
            const Timeline t = make_timeline(*plan, *e);
            const auto devices = static_cast<std::size_t>(e->schedule.shape.devices);
            QVERIFY(devices > 1);
            const double micro_batches = static_cast<double>(e->schedule.shape.micro_batches);
            std::map<Activity, double> sum;
            double chain = 0;
            std::vector<double> filled(t.rows.size(), 0.0);
            for (const Interval& i : t.intervals) {
                sum[i.activity] += i.length.value;
                if (i.on_chain) chain += i.length.value;
                filled[static_cast<std::size_t>(i.row)] += i.length.value;
            }
            double again = 0, weights = 0;
            for (const auto& row : e->layers) {
                again += row.recompute.value / static_cast<double>(row.repeat) * micro_batches;
                weights += row.grad_weights.value / static_cast<double>(row.repeat) * micro_batches;
            }
            QVERIFY(same(sum[Activity::recomputation], again));
            QCOMPARE(again > 0, recompute == Recompute::blocks);
            QVERIFY(same(sum[Activity::weight_gradients], weights));
            QVERIFY(weights > 0 && sum[Activity::idle] > 0);
            QVERIFY(same(chain, e->schedule.span));
            // Each stage is busy or idle all the time.
            for (std::size_t row = 0, found = 0; found < devices; ++row) {
                QVERIFY(row < t.rows.size());
                if (!t.rows[row].starts_with("stage ") && !t.rows[row].starts_with("device ")) continue;
                QVERIFY(filled[row] > e->schedule.span * (1 - 1e-6) && filled[row] <= t.end.value * (1 + 1e-9));
                ++found;
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
