// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for every scenario: parts that sum, and figures that move the right way.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "core/estimate/timeline.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::pick;
using support::real;
using support::score_of;

namespace {

bool sums_to(double a, double b, double whole) { return std::abs(a - b) <= 1e-9 * whole; }

QString text(const Scenario& s) {
    return QString(
               "strategy %1, scheme %2, collective %3, overlap %4, %5 workers in nodes of %6, batch %7 %8, "
               "accumulation %9")
        .arg(int(s.parallelism.fill))
        .arg(int(s.parallelism.scheme))
        .arg(int(s.parallelism.collective))
        .arg(int(s.parallelism.overlap))
        .arg(s.cluster.workers)
        .arg(s.cluster.devices_per_node)
        .arg(s.training.batch)
        .arg(s.training.batch_rule == BatchRule::total ? "in all" : "each")
        .arg(s.training.accumulation);
}

constexpr int scenarios = support::sanitized ? 300 : 1500;

}  // namespace

class TestProperties : public QObject {
    Q_OBJECT

    template <class Check>
    void for_scenarios(unsigned seed, Check check) {
        std::mt19937 random(seed);
        int feasible = 0;
        for (int k = 0; k < scenarios && !QTest::currentTestFailed(); ++k) {
            const Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 22))));
            if (!prepare(s)) continue;  // a random network may hold views alone, and take no time
            const Summary r = score_of(s);
            if (!r.feasible()) continue;
            ++feasible;
            check(s, r, random);
        }
        QVERIFY(feasible > scenarios / 2);
    }

private slots:
    void parts_sum_to_the_step() {
        for_scenarios(1, [](const Scenario& s, const Summary& r, std::mt19937&) {
            for (Seconds t : {r.forward, r.backward, r.update, r.communication, r.idle, r.hidden, r.step})
                QVERIFY2(std::isfinite(t.value) && t.value >= 0, qPrintable(text(s)));
            QVERIFY2(sums_to((r.forward + r.backward + r.update + r.communication + r.idle).value, r.step.value,
                             r.step.value),
                     qPrintable(text(s)));
        });
    }

    void layers_sum_to_the_summary() {
        for_scenarios(2, [](const Scenario& s, const Summary& r, std::mt19937&) {
            const auto e = estimate(s);
            QVERIFY(e.has_value());
            if (s.parallelism.fill == MeshAxis::pipeline && s.cluster.workers > 1)
                return;  // seen from one stage: see below
            double forward = 0, backward = 0, update = 0, communication = 0, hidden = 0;
            for (const auto& l : e->layers) {
                forward += l.forward.value;
                backward += l.backward().value;
                update += l.update.value;
                communication += l.communication.value;
                hidden += l.hidden.value;
            }
            const double step = r.step.value + r.hidden.value;
            QVERIFY2(sums_to(forward, r.forward.value, step), qPrintable(text(s)));
            QVERIFY2(sums_to(backward, r.backward.value, step), qPrintable(text(s)));
            QVERIFY2(sums_to(update, r.update.value, step), qPrintable(text(s)));
            QVERIFY2(sums_to(communication, r.communication.value, step),
                     qPrintable(text(s) + QString(": %1, layers %2").arg(r.communication.value).arg(communication)));
            QVERIFY2(sums_to(hidden, r.hidden.value, step),
                     qPrintable(text(s) + QString(": %1, layers %2").arg(r.hidden.value).arg(hidden)));
            double exposed = 0, covered = 0;
            for (const auto& m : e->messages) {
                exposed += m.exposed.value;
                covered += m.hidden.value;
                QVERIFY(m.hidden.value >= -1e-9 * step && m.exposed.value >= 0);
                // Gradients of workers with the same weights are read and written twice on their way into buffers and
                // back.
                const bool copied = s.parallelism.copies && m.gradients && s.parallelism.fill != MeshAxis::pipeline;
                const double copies =
                    copied && m.group.ranks > 1
                        ? 4 * m.bytes.value / (s.cluster.device.memory_bandwidth.value * s.model.memory.value)
                        : 0.0;
                QVERIFY(sums_to((m.exposed + m.hidden).value, (m.each.value + copies) * static_cast<double>(m.times),
                                step));
            }
            QVERIFY(sums_to(exposed, r.communication.value, step) && sums_to(covered, r.hidden.value, step));
        });
    }

    /// Drawn, the step ends when it is said to end, and every row's pieces come one after another.
    void the_timeline_ends_with_the_step() {
        for_scenarios(9, [](Scenario s, const Summary&, std::mt19937& random) {
            if (pick(random, 0, 3) == 0) {
                support::divide(s.parallelism, support::Divided::layers);
                s.cluster.workers = pick(random, 1, std::min(7, s.network()->size()));
                s.parallelism.micro_batches = pick(random, 1, 9);
            }
            if (pick(random, 0, 2) == 0) s.training.input_limit = SamplesPerSecond{real(random, 1, 1e5)};
            if (pick(random, 0, 3) == 0 && fills_data(s.parallelism))
                s.workload.front().count = static_cast<int>(pick(random, 1, 80));
            const auto plan = prepare(s);
            QVERIFY(plan.has_value());
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s, *plan, scratch);
            QVERIFY(e.has_value());
            const Summary& r = e->summary;
            const Timeline t = make_timeline(*plan, *e);
            QVERIFY2(sums_to(t.end.value, r.step.value, r.step.value),
                     qPrintable(text(s) + QString(": timeline %1, step %2").arg(t.end.value).arg(r.step.value)));
            std::vector<double> free(t.rows.size(), 0.0);
            double hidden = 0, sent = 0, forward = 0;
            auto by_start = t.intervals;
            std::stable_sort(by_start.begin(), by_start.end(),
                             [](const Interval& a, const Interval& b) { return a.start < b.start; });
            const bool staged = s.parallelism.fill == MeshAxis::pipeline && s.cluster.workers > 1;
            for (const Interval& i : by_start) {
                QVERIFY(i.row >= 0 && i.row < static_cast<int>(t.rows.size()));
                QVERIFY2(i.start.value >= -1e-9 * r.step.value && i.length.value > 0, qPrintable(text(s)));
                double& end = free[static_cast<std::size_t>(i.row)];
                // a link of stages carries both directions at once
                if (!staged || i.activity != Activity::communication)
                    QVERIFY2(
                        i.start.value >= end - 1e-9 * r.step.value,
                        qPrintable(text(s) + QString(": row %1, %2 before %3").arg(i.row).arg(i.start.value).arg(end)));
                end = std::max(end, (i.start + i.length).value);
                if (i.activity == Activity::hidden) hidden += i.length.value;
                if (i.activity == Activity::communication) sent += i.length.value;
                if (i.activity == Activity::forward) forward += i.length.value;
            }
            if (staged) {
                QVERIFY(sums_to(sent, (r.communication + r.hidden).value, r.step.value + sent));
                return;
            }
            QVERIFY2(sums_to(sent, r.communication.value, r.step.value), qPrintable(text(s)));
            QVERIFY2(sums_to(forward, r.forward.value, r.step.value), qPrintable(text(s)));
            const bool earlier = s.workload.front().count > 1 || s.training.accumulation > 1;
            if (earlier)  // the hidden messages of earlier executions are not drawn
                QVERIFY(hidden <= r.hidden.value * (1 + 1e-9));
            else
                QVERIFY2(sums_to(hidden, r.hidden.value, r.step.value), qPrintable(text(s)));
        });
    }

    void stages_sum_to_the_summary() {
        for_scenarios(3, [](Scenario s, const Summary&, std::mt19937& random) {
            support::divide(s.parallelism, support::Divided::layers);
            s.cluster.workers = pick(random, 2, std::min(7, s.network()->size()));
            s.training.input_limit = {};
            const auto e = estimate(s);
            QVERIFY(e.has_value());
            std::vector<double> of_stage(static_cast<std::size_t>(s.cluster.workers), 0.0);
            double messages = 0;
            for (const auto& l : e->layers)
                of_stage[static_cast<std::size_t>(l.stage)] += (l.forward + l.backward()).value;
            for (const auto& m : e->messages) messages += (m.exposed + m.hidden).value;
            const Summary& r = e->summary;
            QVERIFY(sums_to((r.communication + r.hidden).value, messages, r.step.value + messages));
            // the worker shown is the busiest
            QVERIFY(sums_to((r.forward + r.backward).value, *std::max_element(of_stage.begin(), of_stage.end()),
                            r.step.value));
            if (s.parallelism.micro_batches > 1) return;
            // one batch at a time: all stages, all transfers and the largest update
            double all = r.update.value + messages;
            for (double t : of_stage) all += t;
            QVERIFY(sums_to(all, r.step.value, r.step.value));
        });
    }

    void wider_links_never_slow_a_step() {
        for_scenarios(4, [](const Scenario& s, const Summary& r, std::mt19937& random) {
            const double factor = 1 + real(random, 0, 3);
            const Scenario same = s.parallelism.fill == MeshAxis::pipeline ? support::with_its_borders(s) : s;
            Scenario t = same;
            t.cluster.inside.bandwidth.value *= factor;
            QVERIFY2(score_of(t).step.value <= r.step.value * (1 + 1e-12), qPrintable(text(s)));
            t = same;
            t.cluster.between.bandwidth.value *= factor;
            QVERIFY2(score_of(t).step.value <= r.step.value * (1 + 1e-12), qPrintable(text(s)));
            t = same;
            t.cluster.inside.latency.value /= factor;
            t.cluster.between.latency.value /= factor;
            QVERIFY2(score_of(t).step.value <= r.step.value * (1 + 1e-12), qPrintable(text(s)));
        });
    }

    void faster_devices_never_slow_a_step() {
        for_scenarios(5, [](const Scenario& s, const Summary& r, std::mt19937& random) {
            const double factor = 1 + real(random, 0, 3);
            Scenario t = s;
            for (auto& peak : t.cluster.device.peak)
                if (peak) peak->value *= factor;
            // Balanced stages may move when layers change unlike, and with them what must be sent.
            if (s.parallelism.fill == MeshAxis::pipeline) {
                t.cluster.device.memory_bandwidth.value *= factor;
                t.model.launch.value /= factor;
            }
            QVERIFY2(score_of(t).step.value <= r.step.value * (1 + 1e-12), qPrintable(text(s)));
            if (s.parallelism.fill == MeshAxis::pipeline) return;
            t = s;
            t.cluster.device.memory_bandwidth.value *= factor;
            QVERIFY2(score_of(t).step.value <= r.step.value * (1 + 1e-12), qPrintable(text(s)));
            t = s;
            t.model.overlap_memory = true;
            QVERIFY2(score_of(t).step.value <= r.step.value * (1 + 1e-12), qPrintable(text(s)));
        });
    }

    void overlap_never_slows_a_step() {
        for_scenarios(6, [](Scenario s, const Summary&, std::mt19937&) {
            s.cluster.inside.latency = s.cluster.between.latency =
                Seconds{0};  // every message after the first starts up anew
            double before = std::numeric_limits<double>::infinity();
            for (Overlap o : {Overlap::off, Overlap::buckets, Overlap::perfect}) {
                s.parallelism.overlap = o;
                const double step = score_of(s).step.value;
                QVERIFY2(step <= before * (1 + 1e-12), qPrintable(text(s)));
                before = step;
            }
        });
    }

    void memory_holds_the_weights() {
        for_scenarios(7, [](const Scenario& s, const Summary&, std::mt19937&) {
            const auto e = estimate(s);
            const MemoryEstimate& m = e->memory;
            QVERIFY(m.peak >= m.weights + m.gradients + m.optimizer);
            QVERIFY(m.weights.value >= 0 && m.activations.value >= 0 && std::isfinite(m.peak.value));
            if (fills_data(s.parallelism) || s.cluster.workers == 1) {
                QCOMPARE(m.weights.value,
                         static_cast<double>(s.network()->parameters()) * bytes_per_element(s.training.precision));
                if (s.training.frozen.empty()) QCOMPARE(m.gradients, m.weights);
            }
        });
    }

    void slower_input_is_waited_for() {
        for_scenarios(8, [](Scenario s, const Summary&, std::mt19937&) {
            s.training.input_limit = {};
            const Summary free = score_of(s);
            s.training.input_limit = SamplesPerSecond{free.throughput().value / 2};
            const Summary slow = score_of(s);
            QVERIFY(sums_to(slow.step.value, 2 * free.step.value, free.step.value));
            QVERIFY(sums_to((slow.idle - free.idle).value, free.step.value, free.step.value));
            s.training.input_limit = SamplesPerSecond{free.throughput().value * 1.001};
            QCOMPARE(score_of(s).step, free.step);
        });
    }

    /// Hosts hold every step up for the same time, whatever the strategy; a slow input hides it.
    void overhead_is_added() {
        for_scenarios(11, [](Scenario s, const Summary&, std::mt19937&) {
            s.training.input_limit = {};
            const Summary free = score_of(s);
            s.model.overhead = milliseconds(7);
            const Summary held = score_of(s);
            QVERIFY(sums_to(held.step.value, free.step.value + 0.007, free.step.value));
            QVERIFY(sums_to(held.idle.value, free.idle.value + 0.007, free.step.value));
            QCOMPARE(held.communication, free.communication);
            s.training.input_limit = SamplesPerSecond{held.throughput().value / 3};
            QVERIFY(sums_to(score_of(s).step.value, 3 * held.step.value, held.step.value));
            QVERIFY(std::abs(make_timeline(*prepare(s), *estimate(s)).end.value / score_of(s).step.value - 1) < 1e-9);
        });
    }

    void whole_figures_follow_from_the_step() {
        for_scenarios(9, [](Scenario s, const Summary& r, std::mt19937&) {
            s.cluster.device.price_per_hour = 0.9;
            const auto e = estimate(s);
            QCOMPARE(e->throughput.value, static_cast<double>(r.batch.effective) / r.step.value);
            const double steps =
                std::ceil(static_cast<double>(s.training.data_set) / static_cast<double>(r.batch.effective));
            QVERIFY(sums_to(e->epoch.value, steps * r.step.value, e->epoch.value));
            QVERIFY(sums_to(*e->epoch_cost, 0.9 * static_cast<double>(s.cluster.workers) * e->epoch.value / 3600,
                            *e->epoch_cost));
            QVERIFY(sums_to(e->efficiency * static_cast<double>(s.cluster.workers), e->speedup, e->speedup));
            Scenario one = s;
            one.cluster.workers = 1;
            const Summary base = score_of(one);
            QCOMPARE(e->baseline, base);
            if (s.training.batch_rule == BatchRule::total)
                QVERIFY(sums_to(e->speedup, base.step / r.step, e->speedup));
            else
                QVERIFY(sums_to(e->speedup, static_cast<double>(s.cluster.workers) * (base.step / r.step), e->speedup));
            QVERIFY(e->idle_share >= -1e-12 && e->idle_share < 1);
        });
    }

    void worker_counts_of_curves() {
        for (std::int64_t last : {1, 2, 16, 17, 100, 1024, 5000, 1 << 20})
            for (std::int64_t current : {std::int64_t{1}, last / 2 + 1, last}) {
                const auto counts = worker_counts(last, current);
                QVERIFY(std::is_sorted(counts.begin(), counts.end()) && counts.size() <= 97);
                QVERIFY(std::adjacent_find(counts.begin(), counts.end()) == counts.end());
                QCOMPARE(counts.front(), 1);
                QCOMPARE(counts.back(), last);
                QVERIFY(std::find(counts.begin(), counts.end(), current) != counts.end());
                for (std::int64_t n = 1; n <= std::min<std::int64_t>(16, last); ++n)
                    QVERIFY(std::find(counts.begin(), counts.end(), n) != counts.end());
                for (std::int64_t n = 1; n <= last; n *= 2)
                    QVERIFY(std::find(counts.begin(), counts.end(), n) != counts.end());
            }
        // What is there anyway takes no room from the rest; as few as there can be are powers of two.
        QCOMPARE(worker_counts(16'384, 512, 96).size(), std::size_t{92});
        QCOMPARE(worker_counts(1024, 24, 320).size(), std::size_t{263});
        QVERIFY(worker_counts(64, 24, 0) == (std::vector<std::int64_t>{1, 2, 4, 8, 16, 24, 32, 64}));
    }
};

QTEST_APPLESS_MAIN(TestProperties)
#include "tst_properties.moc"
