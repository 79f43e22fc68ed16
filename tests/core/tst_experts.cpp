// SPDX-License-Identifier: GPL-3.0-or-later
// Experts divided among the workers of a stage (docs/decisions/experts.md).
#include <QtTest>
#include <cmath>
#include <random>

#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/timeline.hpp"
#include "support_choices.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::problem_of, support::score_of;

namespace {

constexpr std::int64_t hidden = 64, positions = 64, experts = 4, chosen = 2;

Scenario of_mixture(std::int64_t workers, std::int64_t expert, bool shared = false) {
    Scenario s = support::scenario(support::mixture(2, hidden, 4, positions, shared));
    s.parallelism.expert = expert;
    s.cluster.workers = workers;
    s.cluster.devices_per_node = 8;
    s.training.batch = 8;
    s.training.batch_rule = BatchRule::total;
    s.training.optimizer = Optimizer::adam;
    return s;
}

const LayerFacts& facts_of(const Answer& a, const LayerEstimate& row) {
    return a.plan.parts[0].network->facts()[std::size_t(row.position)];
}

}  // namespace

class TestExperts : public QObject {
    Q_OBJECT

private slots:
    /// All ranks together hold each expert as often as there are groups with all experts, and everything else as often
    /// as there are ranks.
    void who_holds_what() {
        for (const bool shared : {false, true})
            for (const std::int64_t e : {1, 2, 4}) {
                const std::int64_t workers = 8;
                const Answer a(of_mixture(workers, e, shared));
                for (const LayerEstimate& row : a.e.layers) {
                    const LayerFacts& f = facts_of(a, row);
                    const double all = double(f.parameters()),
                                 routed = f.experts.count > 0 ? double(f.experts.parameters) : 0;
                    QVERIFY(close(all * row.shares.weights, all - routed + routed / double(e)));
                    if (e > 1) QVERIFY(close(all * row.shares.weights * row.shares.experts, routed / double(e)));
                    QVERIFY(row.shares.flops == 1);
                }
                QCOMPARE(a.e.states.expert_ranks, workers / e);
            }
    }

    /// By hand: 64 positions, each 64 wide and sent to two experts, fp32, one sample on each of 8 workers.
    void what_travels_to_experts() {
        const Answer a(of_mixture(8, 4));
        constexpr double sent = 4.0 * positions * hidden * chosen;
        int forward = 0, backward = 0;
        for (const auto& m : a.e.messages) {
            if (m.axis != MeshAxis::expert) continue;
            QCOMPARE(m.message, Message::all_to_all);
            QCOMPARE(m.bytes.value, sent);
            QCOMPARE(m.group.ranks, 4);
            QVERIFY(m.exposed == m.each);
            (m.forward ? forward : backward) += 1;
        }
        QCOMPARE(forward, 4);  // to and from the experts of two layers
        QCOMPARE(backward, 4);
    }

    /// Gradients of experts are summed over those that have the same ones, all others over all.
    void who_sums_gradients() {
        for (const Overlap overlap : support::all_of<Overlap>()) {
            Scenario s = of_mixture(8, 4, true);
            s.parallelism.overlap = overlap;
            s.parallelism.bucket = Bytes{10000};
            const Answer a(s);
            double of_experts = 0, of_others = 0, routed = 0, all = 0;
            for (const auto& m : a.e.messages) {
                if (!m.gradients) continue;
                const bool experts_alone = m.carries == Carried::experts;
                QCOMPARE(m.group.ranks, experts_alone ? 2 : 8);
                (experts_alone ? of_experts : of_others) += m.bytes.value;
            }
            for (const LayerEstimate& row : a.e.layers) {
                const LayerFacts& f = facts_of(a, row);
                all += 4.0 * double(f.parameters());
                routed += 4.0 * double(f.experts.parameters);
            }
            QVERIFY(close(of_experts, routed / 4));
            QVERIFY(close(of_others, all - routed));
        }
    }

    /// One message at a time: the queue of both kinds, on a clock of its own.
    void one_link_for_both() {
        Scenario s = of_mixture(8, 2);
        s.parallelism.overlap = Overlap::buckets;
        s.parallelism.bucket = Bytes{20000};
        const Answer a(s);
        Seconds free{0};
        int experts_alone = 0;
        for (const auto& m : a.e.messages) {
            if (!m.gradients) continue;
            QVERIFY(m.start >= free);
            free = m.start + m.each;
            experts_alone += m.carries == Carried::experts;
        }
        QVERIFY(experts_alone > 1);
    }

    /// Optimizer states of experts are divided among fewer ranks than all others.
    void sharded_states() {
        Scenario s = of_mixture(8, 4);
        s.parallelism.sharded = Sharded::optimizer;
        const Answer a(s);
        double parameters = 0;
        for (const LayerEstimate& row : a.e.layers) {
            const double own = double(facts_of(a, row).parameters()) * row.shares.weights;
            parameters += own * (1 - row.shares.experts) / 8 + own * row.shares.experts / 2;
        }
        QVERIFY(close(a.e.memory.optimizer.value, parameters * 8));  // two moments of 4 bytes
        double last = std::numeric_limits<double>::infinity();
        for (const Sharded sharded : support::all_of<Sharded>()) {
            s.parallelism.sharded = sharded;
            const MemoryEstimate m = Answer(s).e.memory;
            const double held = (m.weights + m.gradients + m.optimizer).value;
            QVERIFY(held <= last);
            last = held;
        }
    }

    /// More ranks for the experts never take more memory for weights, and all together compute as much.
    void every_grid() {
        std::mt19937 random(5);
        for (int k = 0; k < 150; ++k) {
            const auto pick = [&](std::int64_t a, std::int64_t b) { return support::pick(random, a, b); };
            Scenario s = of_mixture(1, 1, k % 2 == 0);
            s.parallelism.degrees_given() = {pick(1, 2), pick(1, 2), pick(1, 2), 1};
            s.parallelism.sequence = pick(0, 1) == 1;
            s.parallelism.sharded = static_cast<Sharded>(pick(0, 3));
            s.parallelism.overlap = static_cast<Overlap>(pick(0, 2));
            s.parallelism.recompute = static_cast<Recompute>(2 * pick(0, 1));
            s.parallelism.order = static_cast<PipelineOrder>(pick(0, 1));
            s.parallelism.micro_batches = pick(1, 3);
            s.cluster.devices_per_node = pick(1, 4);
            s.cluster.workers = 4 * s.parallelism.tensor * s.parallelism.pipeline * s.parallelism.context;
            double last = std::numeric_limits<double>::infinity();
            for (const std::int64_t e : {1, 2, 4}) {
                s.parallelism.expert = e;
                const Answer a(s);
                QCOMPARE(a.e.summary, score_of(s));
                const Summary& sum = a.e.summary;
                QVERIFY(close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value,
                              sum.step.value));
                if (s.parallelism.sharded == Sharded::nothing && s.parallelism.pipeline == 1) {
                    QVERIFY(a.e.memory.weights.value <= last);
                    last = a.e.memory.weights.value;
                }
                double messages = 0;
                if (a.e.layers.back().stage > 0) continue;
                for (const auto& m : a.e.messages) messages += m.exposed.value;
                QVERIFY(close(messages, sum.communication.value));
            }
        }
    }

    /// Experts divided among the workers of every axis.
    void every_page_computes_its_figure() {
        struct Axes {
            std::int64_t data, pipeline, tensor, context, expert;
            Recompute recompute;
            Sharded sharded;
        };
        for (const Axes& m : {Axes{4, 1, 1, 1, 2, Recompute::nothing, Sharded::nothing},
                              {4, 1, 1, 1, 4, Recompute::blocks, Sharded::optimizer},
                              {2, 1, 2, 1, 2, Recompute::nothing, Sharded::gradients},
                              {2, 1, 2, 2, 4, Recompute::nothing, Sharded::weights},
                              {2, 2, 2, 1, 4, Recompute::blocks, Sharded::optimizer},
                              {4, 2, 1, 1, 2, Recompute::nothing, Sharded::weights},
                              {1, 2, 4, 1, 2, Recompute::nothing, Sharded::nothing}})
            for (const Overlap overlap : support::all_of<Overlap>())
                for (const bool shared : {false, true}) {
                    Scenario s = support::explained::scenario("few kinds");
                    s.workload[0].network = support::mixture(2, 64, 4, 64, shared);
                    s.parallelism.degrees_given() = {m.tensor, m.pipeline, m.context, m.expert};
                    s.parallelism.recompute = m.recompute;
                    s.parallelism.sharded = m.sharded;
                    s.parallelism.sequence = shared;
                    s.parallelism.overlap = overlap;
                    s.parallelism.bucket = Bytes{3000};
                    s.parallelism.micro_batches = 3;
                    s.training.optimizer = Optimizer::adam;
                    s.training.accumulation = shared ? 2 : 1;
                    s.training.batch_rule = shared ? BatchRule::total : BatchRule::per_worker;
                    s.cluster.workers = m.data * m.pipeline * m.tensor * m.context;
                    s.cluster.devices_per_node = 2;
                    const QString wrong = support::explained::wrong_pages(s);
                    QVERIFY2(wrong.isEmpty(),
                             qPrintable(QString("experts %1, mesh %2 x %3 x %4 x %5, overlap %6, shared %7")
                                            .arg(m.expert)
                                            .arg(m.data)
                                            .arg(m.pipeline)
                                            .arg(m.tensor)
                                            .arg(m.context)
                                            .arg(int(overlap))
                                            .arg(shared) +
                                        "\n" + wrong));
                }
    }

    /// Settings of every kind at once: the step is what its messages and layers come to, and its timeline no longer.
    void any_setting() {
        std::mt19937 random(11);
        const auto pick = [&](std::int64_t a, std::int64_t b) { return support::pick(random, a, b); };
        int walked = 0;
        for (int k = 0; k < 120; ++k) {
            Scenario s = support::explained::scenario("few kinds");
            s.workload[0].network = support::mixture(2, hidden, 4, positions, k % 2 == 0);
            Parallelism& p = s.parallelism;
            p.degrees_given() = {std::int64_t{1} << pick(0, 2), pick(1, 2), pick(1, 2), 1};
            const std::int64_t data = pick(1, 4), in_stage = data * p.tensor * p.context;
            s.cluster.workers = in_stage * p.pipeline;
            for (const std::int64_t e : {4, 2})
                if (p.expert == 1 && in_stage % e == 0 && pick(0, 3) > 0) p.expert = e;
            p.context_scheme = static_cast<ContextScheme>(pick(0, 1));
            p.sequence = pick(0, 1) == 1;
            p.sharded = static_cast<Sharded>(pick(0, 3));
            p.overlap = static_cast<Overlap>(pick(0, 2));
            p.collective = static_cast<Collective>(pick(0, 8));
            p.bucket = Bytes{double(pick(1, 30)) * 1000};
            p.order = static_cast<PipelineOrder>(pick(0, 1));
            p.micro_batches = pick(1, 3);
            p.copies = p.pipeline == 1 && pick(0, 2) == 0;
            s.model.interference = Fraction{double(pick(0, 1)) * 0.2};
            s.training.batch_rule = pick(0, 1) == 1 ? BatchRule::total : BatchRule::per_worker;
            s.training.batch = pick(1, 6);
            s.training.optimizer = Optimizer::adam;
            s.cluster.devices_per_node = pick(1, 4);
            if (!score_of(s).feasible()) continue;
            ++walked;
            const Answer a(s);
            QCOMPARE(a.e.summary, score_of(s));
            const QString wrong = support::explained::wrong_pages(s);
            QVERIFY2(wrong.isEmpty(), qPrintable(QString::number(k) + '\n' + wrong));
            const Timeline drawn = make_timeline(a.plan, a.e);
            QVERIFY2(drawn.end.value <= a.e.summary.step.value * (1 + 1e-9), qPrintable(QString::number(k)));
        }
        QVERIFY(walked > 80);
    }

    void reasons() {
        QCOMPARE(problem_of(of_mixture(6, 3)).what, "4 experts cannot be divided evenly among 3 workers.");
        QCOMPARE(problem_of(of_mixture(6, 3)).remedy, "use an expert degree of 2");
        QCOMPARE(problem_of(of_mixture(6, 4)).what,
                 "The 6 workers of a stage do not divide by the expert degree of 4.");
        Scenario s = support::scenario(support::gpt(2, hidden, 4, positions, true));
        s.parallelism.expert = s.cluster.workers = 2;
        QCOMPARE(problem_of(s).where, "parallelism.expert");
        s = of_mixture(4, 2);
        s.parallelism.policy = ShardingPolicy::columns;
        QCOMPARE(problem_of(s).where, "parallelism.expert");
    }
};

QTEST_APPLESS_MAIN(TestExperts)
#include "tst_experts.moc"
