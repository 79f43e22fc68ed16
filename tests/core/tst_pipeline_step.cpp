// SPDX-License-Identifier: GPL-3.0-or-later
// The schedules of a pipeline within a whole step (specification: composed parallelism, section 6).
#include <QtTest>
#include <array>
#include <cmath>

#include "core/base/limits.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::score_of, support::set_mesh;

namespace {

/// A network of `layers` equal dense layers; links that take no time.
Scenario equal_layers(int layers, std::int64_t devices, std::int64_t micro_batches) {
    support::Builder b;
    int last = b.input({512});
    for (int i = 0; i < layers; ++i) last = b.dense(last, 512, false);
    Scenario s = support::scenario(b.make());
    s.training.batch = 64 * micro_batches;
    s.training.batch_rule = BatchRule::total;
    s.parallelism.micro_batches = micro_batches;
    s.cluster.inside.bandwidth = s.cluster.between.bandwidth = BytesPerSecond{1e30};
    s.cluster.inside.latency = s.cluster.between.latency = Seconds{0};
    set_mesh(s, 1, devices, 1);
    return s;
}

Scenario random_pipeline(std::mt19937& random, PipelineOrder order) {
    Scenario s = support::random_scenario(random, support::random_network(random, 20));
    set_mesh(s, support::pick(random, 1, 3), support::pick(random, 2, 4), support::pick(random, 1, 2));
    s.parallelism.order = order;
    s.parallelism.chunks = support::pick(random, 1, 3);
    s.parallelism.boundaries.clear();
    s.parallelism.micro_batches = s.parallelism.pipeline * support::pick(random, 1, 4);
    s.training.batch_rule = BatchRule::total;
    s.training.accumulation = support::pick(random, 1, 2);
    s.training.batch = s.parallelism.micro_batches * s.training.accumulation * support::pick(random, 1, 3) * 6;
    s.cluster.devices_per_node = support::pick(random, 1, 8);
    s.parallelism.recompute = static_cast<Recompute>(support::pick(random, 0, 2));
    s.parallelism.sharded = static_cast<Sharded>(support::pick(random, 0, 3));
    return s;
}

std::string refusal(const Scenario& s) {
    const auto e = estimate(s);
    return e ? std::string() : to_text(e.error().front());
}

}  // namespace

class TestPipelineStep : public QObject {
    Q_OBJECT

private slots:
    void score_is_estimate() {
        std::mt19937 random(31);
        int checked = 0;
        for (const PipelineOrder order : support::all_of<PipelineOrder>())
            for (int k = 0; k < support::sampled(100); ++k) {
                const Scenario s = random_pipeline(random, order);
                if (!score_of(s).feasible()) continue;
                ++checked;
                const Answer a(s);
                QCOMPARE(a.e.summary, score_of(s));
                const Summary& sum = a.e.summary;
                QVERIFY(close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value,
                              sum.step.value) ||
                        s.training.input_limit.value > 0);
                // Messages within stages count of the busiest one only.
                if (a.e.point.tensor > 1 || s.parallelism.sharded >= Sharded::gradients) continue;
                double messages = 0;
                for (const auto& m : a.e.messages) messages += m.exposed.value;
                QVERIFY2(close(messages, sum.communication.value), qPrintable(QString::number(k)));
            }
        QVERIFY(checked > support::expected(250));
    }

    /// The step against its own rows and messages, run through the schedule in another place.
    void the_step_is_its_schedule() {
        std::mt19937 random(32);
        int waited = 0, checked = 0;
        for (const PipelineOrder order : support::all_of<PipelineOrder>())
            for (int k = 0; k < support::sampled(150); ++k) {
                Scenario s = random_pipeline(random, order);
                const bool off = k % 2 == 0;
                s.parallelism.overlap = off ? Overlap::off : Overlap::perfect;
                s.parallelism.collective = Collective::ring;  // all of a message may hide
                s.parallelism.copies = false;
                s.parallelism.sharded = Sharded::nothing;
                s.model.spread = s.model.interference = Fraction{0};
                s.model.overhead = Seconds{0};
                s.training.input_limit = {};
                set_mesh(s, s.cluster.workers / s.parallelism.pipeline / s.parallelism.tensor, s.parallelism.pipeline,
                         1);
                if (!score_of(s).feasible()) continue;
                ++checked;
                const Answer a(s);
                const auto stages = a.e.runs.size();
                const auto devices = static_cast<std::size_t>(s.parallelism.pipeline);
                const bool split = splits_backward(order);
                std::vector<double> forward(stages), backward(stages), weights(stages), there(stages), back(stages),
                    reduce(stages);
                const auto stage_of = [&runs = a.e.runs](int layer) {
                    std::size_t stage = 0;
                    while (runs[stage].to <= layer) ++stage;
                    return stage;
                };
                for (const auto& row : a.e.layers) {
                    const std::size_t stage = stage_of(row.position);
                    QCOMPARE(static_cast<std::size_t>(row.stage), stage % devices);
                    forward[stage] += row.forward.value / row.repeat;
                    backward[stage] += (split ? row.grad_input + row.recompute : row.backward()).value / row.repeat;
                    if (split) weights[stage] += row.grad_weights.value / row.repeat;
                }
                double copies = 0;
                for (const auto& m : a.e.messages) {
                    const std::size_t stage = stage_of(m.first);
                    if (m.axis == MeshAxis::data)
                        reduce[stage] += m.each.value;
                    else if (m.gradients)
                        copies += m.each.value;
                    else
                        (m.forward ? there[stage] : back[stage - 1]) = m.each.value;
                }
                const auto micro = micro_batches(a.plan, a.e.point, a.e.summary.batch);
                const auto steps = micro_steps(a.plan, a.e.summary.batch);
                PipelineRun run;
                const int chunks = static_cast<int>(stages / devices);
                QCOMPARE(chunks, has_chunks(order) ? static_cast<int>(s.parallelism.chunks) : 1);
                run_pipeline(order, {static_cast<int>(devices), chunks, micro.count, s.parallelism.pipeline},
                             {forward, backward, weights, there, back}, false, run);
                const double span = run.makespan.value;
                double end = span;
                for (std::size_t d = 0; d < devices; ++d) {
                    double own = off ? run.devices[d].end : 0.0;
                    for (std::size_t i = stages - devices + d; i < stages; i -= devices) {
                        const double room = off ? 0.0 : backward[i] + weights[i];
                        own = std::max(own, run.done[i]) + std::max(0.0, reduce[i] - room);
                    }
                    end = std::max(end, own);
                }
                const double step = span * static_cast<double>(steps.count - 1) + end + copies;
                const Summary& sum = a.e.summary;
                QVERIFY2(close(step, (sum.step - sum.update).value),
                         qPrintable(QString("order %1, %2").arg(int(order)).arg(k)));
                waited += end > span;
            }
        QVERIFY(waited > support::expected(50) && checked > support::expected(300));
    }

    void without_stages_there_is_no_order() {
        std::mt19937 random(33);
        for (int k = 0; k < support::sampled(100); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 12));
            set_mesh(s, support::pick(random, 1, 4), 1, support::pick(random, 1, 2));
            const Summary before = score_of(s);
            for (const PipelineOrder order : support::all_of<PipelineOrder>()) {
                s.parallelism.order = order;
                QCOMPARE(score_of(s), before);
            }
        }
    }

    /// The published closed forms, which hold for equal stages without messages.
    void equal_stages() {
        for (const std::int64_t p : {2, 4, 8})
            for (const std::int64_t m : {8, 16, 32}) {
                Scenario s = equal_layers(16, p, m);
                // So that the first layer computes the gradient of its input too.
                s.workload.front().passes.to_data = true;
                const auto span = [&](PipelineOrder order) {
                    s.parallelism.order = order;
                    const Summary sum = score_of(s);
                    if (!sum.feasible()) qFatal("%s", refusal(s).c_str());
                    return (sum.step - sum.update).value;
                };
                const double all = span(PipelineOrder::fill_drain), pass = all / static_cast<double>(m + p - 1);
                const double f = pass / 3;  // each of the two gradients is as much work as the forward pass
                QVERIFY(close(span(PipelineOrder::one_f_one_b), all));
                s.parallelism.chunks = 2;
                QVERIFY(close(span(PipelineOrder::interleaved), static_cast<double>(2 * m + p - 1) * pass / 2));
                QVERIFY(close(span(PipelineOrder::breadth_first), span(PipelineOrder::interleaved)));
                QVERIFY(close(span(PipelineOrder::zero_bubble),
                              static_cast<double>(m) * 3 * f + static_cast<double>(p - 1) * f));
            }
    }

    /// What each stage holds: all micro-batches, as many as are ahead of the last stage, or as many as there are
    /// stages.
    void memory_follows_the_schedule() {
        const std::int64_t p = 4, m = 8;
        Scenario s = equal_layers(16, p, m);
        double before = 0;
        for (const PipelineOrder order :
             {PipelineOrder::fill_drain, PipelineOrder::zero_bubble, PipelineOrder::one_f_one_b}) {
            s.parallelism.order = order;
            const Answer a(s);
            for (const LayerRun& run : a.e.runs) {
                const std::int64_t held = order == PipelineOrder::fill_drain    ? m
                                          : order == PipelineOrder::zero_bubble ? p
                                                                                : p - run.stage;
                QCOMPARE(run.kept_samples, static_cast<double>(held) * 64);
            }
            // A layer keeps its input of 512 fp32 numbers; the first stage has the most of them.
            const double inputs = order == PipelineOrder::fill_drain ? static_cast<double>(m) : p;
            QCOMPARE(a.e.memory.activations.value, 4 * inputs * 64 * 512 * 4);
            QVERIFY(before == 0 || a.e.memory.peak.value <= before);
            before = a.e.memory.peak.value;
        }
        // Two chunks of two layers: 2(p − 1) + p + 1 sets of half a stage.
        s.parallelism.order = PipelineOrder::interleaved;
        const Answer a(s);
        QCOMPARE(a.e.runs.size(), std::size_t{8});
        QCOMPARE(a.e.memory.activations.value, 2.0 * 11 * 64 * 512 * 4);
        // Breadth-first: all micro-batches of both chunks.
        s.parallelism.order = PipelineOrder::breadth_first;
        QCOMPARE(Answer(s).e.memory.activations.value, 2.0 * 2 * static_cast<double>(m) * 64 * 512 * 4);
    }

    /// Devices 0 and 1 share a node, and 2 and 3; the last one hands on to the first.
    void interleaved_stages_go_round() {
        Scenario s = equal_layers(16, 4, 8);
        s.parallelism.order = PipelineOrder::interleaved;
        s.cluster.devices_per_node = 2;
        s.cluster.inside.bandwidth = BytesPerSecond{100e9};
        s.cluster.between.bandwidth = BytesPerSecond{1e9};
        const Answer a(s);
        const double bytes = 64 * 512 * 4;
        int borders = 0;
        for (const auto& m : a.e.messages) {
            QCOMPARE(m.when, When::at_border);
            std::size_t stage = 0;  // the one before the border
            while (a.e.runs[stage].to != (m.forward ? m.first + 1 : m.first)) ++stage;
            const bool far = stage % 2 == 1;
            QCOMPARE(m.group.nodes, far ? 2 : 1);
            QVERIFY(close(m.each.value, bytes / (far ? 1e9 : 100e9)));
            QCOMPARE(m.times, 8);
            ++borders;
        }
        QCOMPARE(borders, 2 * 7);
    }

    void faster_links_never_slow_a_schedule() {
        std::mt19937 random(34);
        for (const PipelineOrder order : support::all_of<PipelineOrder>())
            for (int k = 0; k < support::sampled(40); ++k) {
                Scenario s = random_pipeline(random, order);
                s.parallelism.tensor = 1;
                set_mesh(s, 1, s.parallelism.pipeline, 1);
                const Summary before = score_of(s);
                if (!before.feasible()) continue;
                s = support::with_its_borders(s);
                s.cluster.between.bandwidth = s.cluster.between.bandwidth * Fraction{3};
                s.cluster.inside.bandwidth = s.cluster.inside.bandwidth * Fraction{3};
                QVERIFY(score_of(s).step.value <= before.step.value * (1 + 1e-9));
            }
    }

    void what_cannot_run_says_why() {
        Scenario s = equal_layers(16, 4, 6);
        s.parallelism.order = PipelineOrder::interleaved;
        QVERIFY(refusal(s).find("groups of 4, not 6") != std::string::npos);
        QVERIFY(refusal(s).find("use 4 or 8 micro-batches") != std::string::npos);
        s = equal_layers(16, 4, 2);
        s.parallelism.order = PipelineOrder::interleaved;
        QVERIFY(refusal(s).find("use 4 micro-batches") != std::string::npos);
        s = equal_layers(6, 4, 4);
        s.parallelism.order = PipelineOrder::interleaved;
        QVERIFY(refusal(s).find("8 stages, 2 on each device") != std::string::npos);
        s = equal_layers(16, 4, limits::pipeline_passes / 4 + 1);
        QVERIFY(refusal(s).empty());
        s.parallelism.order = PipelineOrder::one_f_one_b;
        QVERIFY(refusal(s).find("too many passes") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPipelineStep)
#include "tst_pipeline_step.moc"
