// SPDX-License-Identifier: GPL-3.0-or-later
// Training states that replicas divide among them (ZeRO stages 1 to 3; specification: composed parallelism, section 8):
// their memory and time.
#include <QtTest>
#include <cmath>
#include <numeric>

#include "core/estimate/dividing.hpp"
#include "core/estimate/timeline.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_sharded.hpp"

using namespace scalescope;
using namespace support::sharding;
using support::close, support::score_of, support::set_mesh;

namespace {

/// Seconds of one pass whose layers compute for `work` seconds each and wait for weights that take `gather` seconds,
/// sent one after the other: those of the next layer that has any from the moment on at which the layer before begins.
double stepped_through(const std::vector<double>& work, const std::vector<double>& gather) {
    double now = 0, asked = 0;
    for (std::size_t l = 0; l < work.size(); ++l) {
        if (gather[l] > 0) {
            now = std::max(now, asked + gather[l]);
            asked = now;
        }
        now += work[l];
    }
    return now;
}

}  // namespace

class TestShardedStep : public QObject {
    Q_OBJECT

private slots:
    /// Weights that stay until backward are gathered once, and all of a device are whole.
    void kept_weights() {
        Scenario s = with(small_scenario(), Sharded::weights);
        set_mesh(s, 4, 1, 1);
        const Answer freed(s), two(with(s, Sharded::gradients));
        s.parallelism.reshard_after_forward = false;
        const Answer kept(s);
        for (const auto& m : kept.e.messages) QVERIFY(!m.weights || m.forward);
        QCOMPARE(kept.e.memory.weights, two.e.memory.weights);
        QCOMPARE(kept.e.memory.gradients, freed.e.memory.gradients);
        QCOMPARE(kept.e.memory.optimizer, freed.e.memory.optimizer);
        QVERIFY(kept.e.memory.weights > freed.e.memory.weights);
        QVERIFY(kept.e.summary.communication < freed.e.summary.communication);
        // Without a forward pass nobody has gathered them.
        s.workload[0].passes.forward = false;
        const Answer backward(s);
        QVERIFY(std::any_of(backward.e.messages.begin(), backward.e.messages.end(),
                            [](const auto& m) { return m.weights && !m.forward; }));
        s.workload[0].passes.forward = true;
        set_mesh(s, 4, 2, 1);
        const Answer staged(s);
        QVERIFY(std::any_of(staged.e.notes.begin(), staged.e.notes.end(),
                            [](const Problem& p) { return p.where == "parallelism.reshard_after_forward"; }));
    }

    /// What stays whole all the while is as if it were not sharded.
    void whole_for_the_whole_step() {
        std::mt19937 random(31);
        int kept = 0, summed = 0;
        for (int k = 0; k < support::sampled(700); ++k) {
            Scenario s = with_even_stages(random_mesh(random, 16));
            s.parallelism.reshard_after_backward = true;
            s.parallelism.reduce_once = s.parallelism.overlap_gathers = false;
            if (!score_of(with(s, Sharded::weights)).feasible()) continue;
            Scenario whole = with(s, Sharded::weights), two = with(s, Sharded::gradients);
            whole.parallelism.reshard_after_backward = false;
            two.parallelism.overlap_gathers = true;
            const Answer a(whole), b(two);
            QCOMPARE(a.e.summary, b.e.summary);
            QCOMPARE(a.peak, b.peak);
            kept += a.peak > Answer(with(s, Sharded::weights)).peak;
            Scenario once = with(s, Sharded::gradients);
            once.parallelism.reduce_once = true;
            const auto micro = micro_batches(a.plan, a.e.point, a.e.summary.batch);
            const bool several = micro.count * micro_steps(a.plan, a.e.summary.batch).count > 1;
            QCOMPARE(score_of(once), score_of(with(s, several ? Sharded::optimizer : Sharded::gradients)));
            // Weights are gathered for every micro-batch, but their gradients are whole until the last one.
            Scenario three = with(s, Sharded::weights);
            three.parallelism.reduce_once = true;
            const Answer each(with(s, Sharded::weights)), sums(three);
            if (!several) QCOMPARE(sums.e.summary, each.e.summary);
            QVERIFY(sums.peak >= each.peak);
            if (s.parallelism.pipeline > 1) continue;  // another stage may be the fullest
            QCOMPARE(sums.e.memory.weights, each.e.memory.weights);
            QVERIFY(sums.e.memory.gradients >= each.e.memory.gradients);
            summed += sums.e.memory.gradients > each.e.memory.gradients;
        }
        QVERIFY2(kept > support::expected(150) && summed > support::expected(20),
                 qPrintable(QString("%1 %2").arg(kept).arg(summed)));
    }

    /// Each bucket of updated weights is there when the next forward pass reaches it, or that waits: event by event.
    void updated_weights_are_gathered_ahead() {
        std::mt19937 random(32);
        int waited = 0, hidden = 0, buckets = 0;
        for (int k = 0; k < support::sampled(800); ++k) {
            const Sharded sharded = k % 2 == 0 ? Sharded::optimizer : Sharded::gradients;
            Scenario s = with(support::random_scenario(random, support::random_network(random, 16)), sharded);
            s.model.spread = s.model.interference = Fraction{0};
            s.parallelism.bucket = Bytes{static_cast<double>(support::pick(random, 100, 100000))};
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            if (!score_of(s).feasible()) continue;
            const Answer before(s);
            s.parallelism.overlap_gathers = true;
            const Answer a(s);
            const std::size_t n = a.e.layers.size();
            std::vector<double> arrives(n);
            double link = 0, exposed = 0;
            int count = 0;
            for (const auto& m : a.e.messages) {
                if (!m.weights) continue;
                arrives[static_cast<std::size_t>(m.first)] = link += m.each.value;
                exposed += m.exposed.value / static_cast<double>(m.times);
                hidden += m.hidden.value > 0;
                ++count;
            }
            if (count == 0) continue;
            double now = 0, work = 0;
            for (std::size_t l = 0; l < n; ++l) {
                const double forward = a.e.layers[l].forward.value / a.e.layers[l].repeat;
                now = std::max(now, arrives[l]) + forward;
                work += forward;
            }
            QVERIFY2(close(work + exposed, now), qPrintable(QString::number(k)));
            // One message is waited for whole; several may start later than one.
            if (count == 1) QVERIFY(a.e.summary.communication <= before.e.summary.communication);
            QVERIFY(a.e.memory.peak == before.e.memory.peak);
            waited += exposed > 0;
            buckets += count > 1;
        }
        QVERIFY2(waited > support::expected(100) && hidden > support::expected(100) && buckets > support::expected(50),
                 qPrintable(QString("%1 %2 %3").arg(waited).arg(hidden).arg(buckets)));
    }

    /// 16 → 32 → 64 → 16 → 8 without biases, on two workers: worked out by hand.
    void by_hand() {
        Scenario s = small_scenario();
        s.cluster.inside.bandwidth = BytesPerSecond{1e6};
        s.cluster.inside.latency = Seconds{0};
        s.model.inside = Fraction{1};
        s.training.optimizer = Optimizer::adam;
        set_mesh(s, 2, 1, 1);
        const double weights = 16 * 32 + 32 * 64 + 64 * 16 + 16 * 8;  // 3712
        const double all = weights * 4, half = all / 2;
        const Answer none(s), one(with(s, Sharded::optimizer)), two(with(s, Sharded::gradients)),
            three(with(s, Sharded::weights));
        // Reduce-scatter and gather each send half of all bytes.
        QVERIFY(close(none.e.summary.communication.value, 2 * half / 1e6));
        QVERIFY(close(one.e.summary.communication.value, 2 * half / 1e6));
        QVERIFY(close(two.e.summary.communication.value, 2 * half / 1e6));
        QVERIFY(close(one.e.summary.update.value, none.e.summary.update.value / 2));
        QVERIFY(close(none.e.memory.optimizer.value, weights * 8) && close(one.e.memory.optimizer.value, weights * 4));
        QVERIFY(close(one.e.memory.gradients.value, all) && close(two.e.memory.gradients.value, half));
        QVERIFY(close(two.e.memory.weights.value, all));
        // 32 · 64 and 64 · 16 are neighbours, whole at once; of the other two a half each.
        QVERIFY(close(three.e.memory.weights.value, 4 * (2048 + 1024 + (512 + 128) / 2)));
        // Computing takes microseconds, sending milliseconds: next to nothing of the gathers hides. All four layers
        // forward, three backward, and the gradients.
        const double gathers = (2 * weights - 128) * 4 / 2 / 1e6, sent = gathers + half / 1e6;
        const Summary& sum = three.e.summary;
        QVERIFY(close((sum.communication + sum.hidden).value, sent));
        QVERIFY(sum.hidden.value > 0 && sum.hidden.value < sum.forward.value + sum.backward.value);
        // The first layer's gather waits for nothing to hide behind: 16 · 32 weights.
        for (const auto& m : three.e.messages)
            if (m.weights && m.forward && m.first == 1) QVERIFY(close(m.exposed.value, 512 * 4 / 2 / 1e6));
    }

    /// The same layers when gathers are as long as their work: event by event.
    void gathers_stepped_through() {
        std::mt19937 random(21);
        int waited = 0, hidden = 0;
        for (int k = 0; k < support::sampled(300); ++k) {
            Scenario s = with(support::random_scenario(random, support::random_network(random, 16)), Sharded::weights);
            s.model.spread = s.model.interference = Fraction{0};
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            if (a.e.summary.batch.effective < 2) continue;
            const std::size_t n = a.e.layers.size();
            std::vector<double> forward(n), backward(n), there(n), back(n);
            for (std::size_t l = 0; l < n; ++l) {
                forward[l] = a.e.layers[l].forward.value / a.e.layers[l].repeat;
                backward[n - 1 - l] = a.e.layers[l].backward().value / a.e.layers[l].repeat;
            }
            double exposed = 0, repeat = a.e.layers.front().repeat;
            for (const auto& m : a.e.messages)
                if (m.weights) {
                    const auto l = static_cast<std::size_t>(m.first);
                    (m.forward ? there[l] : back[n - 1 - l]) = m.each.value;
                    exposed += m.exposed.value / static_cast<double>(m.times);
                    QCOMPARE(static_cast<double>(m.times), repeat);
                    hidden += m.hidden.value > 0;
                }
            const double work = (a.e.summary.forward + a.e.summary.backward).value / repeat;
            const double stepped = stepped_through(forward, there) + stepped_through(backward, back);
            QVERIFY2(close(work + exposed, stepped), qPrintable(QString::number(k)));
            waited += exposed > 0;
        }
        QVERIFY(waited > support::expected(100) && hidden > support::expected(100));
    }

    /// The same in a stage: where the gradients of weights have a pass of their own, nothing hides behind that one but
    /// those gradients, which wait for it.
    void gathers_of_a_stage_stepped_through() {
        std::mt19937 random(33);
        int waited = 0, reduced = 0;
        for (int k = 0; k < support::sampled(300); ++k) {
            Scenario s = with(support::random_scenario(random, support::random_network(random, 16)), Sharded::weights);
            s.model.spread = s.model.interference = Fraction{0};
            s.parallelism.order = k % 2 == 0 ? PipelineOrder::zero_bubble : PipelineOrder::one_f_one_b;
            const std::int64_t stages = support::pick(random, 2, 3), replicas = support::pick(random, 2, 3);
            set_mesh(s, stages * replicas, stages, 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            const bool split = splits_backward(a.e.schedule.order);
            QCOMPARE(split, k % 2 == 0);
            for (std::size_t stage = 0; stage < a.e.runs.size(); ++stage) {
                const auto from = static_cast<std::size_t>(a.e.runs[stage].from),
                           n = static_cast<std::size_t>(a.e.runs[stage].to) - from;
                std::vector<double> work(n), gather(n);
                double sent = 0, weights = 0;
                for (std::size_t l = 0; l < n; ++l) {
                    const LayerEstimate& row = a.e.layers[from + n - 1 - l];
                    work[l] = (row.backward() - (split ? row.grad_weights : Seconds{0})).value / row.repeat;
                    weights += split ? row.grad_weights.value / row.repeat : 0;
                }
                for (const auto& m : a.e.messages) {
                    const auto l = static_cast<std::size_t>(m.layers.empty() ? -1 : m.layers.front()) - from;
                    if (l >= n || m.forward || !m.every_pass) continue;
                    if (m.weights) gather[n - 1 - l] = m.each.value;
                    if (m.gradients) sent += m.exposed.value / static_cast<double>(m.times);
                }
                const double all = stepped_through(work, gather);
                waited += all > std::accumulate(work.begin(), work.end(), 0.0) * (1 + 1e-9);
                reduced += sent > 0;
                QVERIFY2(close(a.e.schedule.backward[stage], all + (split ? 0 : sent)), qPrintable(QString::number(k)));
                if (split)  // of a stage without weights a rounded nothing
                    QVERIFY2(close(a.e.schedule.backward[stage] + a.e.schedule.weights[stage], all + weights + sent),
                             qPrintable(QString::number(k)));
            }
        }
        QVERIFY2(waited > support::expected(100) && reduced > support::expected(50),
                 qPrintable(QString("%1 %2").arg(waited).arg(reduced)));
    }

    /// Gathers and gradients of one backward pass share a link: together they hide no longer than it lasts.
    void one_link_carries_one_message_at_a_time() {
        std::mt19937 random(29);
        int full = 0;
        for (int k = 0; k < support::sampled(300); ++k) {
            Scenario s = with(support::random_scenario(random, support::random_network(random, 16)), Sharded::weights);
            s.parallelism.overlap = support::pick(random, 0, 1) == 1 ? Overlap::buckets : Overlap::perfect;
            s.model.interference = Fraction{0};
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            double forward = 0, backward = 0;
            for (const auto& m : a.e.messages) (m.forward ? forward : backward) += m.hidden.value;
            const Summary& sum = a.e.summary;
            QVERIFY2(forward <= sum.forward.value * (1 + 1e-9), qPrintable(QString::number(k)));
            QVERIFY2(backward <= sum.backward.value * (1 + 1e-9), qPrintable(QString::number(k)));
            full += backward > 0.9 * sum.backward.value;
        }
        QVERIFY(full > support::expected(20));
    }

    void one_replica_shares_nothing() {
        std::mt19937 random(22);
        int checked = 0;
        for (int k = 0; k < support::sampled(200); ++k) {
            Scenario s = random_mesh(random, 16);
            set_mesh(s, 1, s.parallelism.pipeline, s.parallelism.tensor);
            s.parallelism.shard_group = 0;
            const Summary none = score_of(with(s, Sharded::nothing));
            for (const Sharded sharded : all_stages) QCOMPARE(score_of(with(s, sharded)), none);
            if (!none.feasible()) continue;
            ++checked;
            const Answer a(with(s, Sharded::weights)), b(with(s, Sharded::nothing));
            QCOMPARE(a.e.memory.peak, b.e.memory.peak);
            QCOMPARE(a.e.messages.size(), b.e.messages.size());
        }
        QVERIFY(checked > support::expected(100));
    }

    void memory_never_grows_with_the_stage() {
        std::mt19937 random(23);
        int smaller = 0;
        for (int k = 0; k < support::sampled(250); ++k) {
            const Scenario s = with_even_stages(random_mesh(random, 20));
            if (!score_of(with(s, Sharded::nothing)).feasible()) continue;
            const Answer none(with(s, Sharded::nothing));
            Bytes before = none.e.memory.peak;
            // With one stage one device is the fullest whatever is sharded.
            const bool one_stage = s.parallelism.pipeline == 1;
            for (const Sharded sharded : {Sharded::optimizer, Sharded::gradients, Sharded::weights}) {
                const Answer a(with(s, sharded));
                const auto ranks = static_cast<double>(a.e.states.ranks);
                QVERIFY2(a.e.memory.peak <= before * (1 + 1e-12), qPrintable(QString::number(k)));
                smaller += a.e.memory.peak < before;
                before = a.e.memory.peak;
                QCOMPARE(a.peak, a.e.memory.peak);
                if (!one_stage) continue;
                QVERIFY(close(a.e.memory.optimizer.value * ranks, none.e.memory.optimizer.value));
                const double kept = a.e.states.of_gradients();
                QVERIFY(kept == 1 || kept == ranks);
                QVERIFY(close(a.e.memory.gradients.value * kept, none.e.memory.gradients.value));
                if (sharded < Sharded::weights) QCOMPARE(a.e.memory.weights, none.e.memory.weights);
            }
        }
        QVERIFY(smaller > support::expected(200));
    }

    /// An all-reduce around a ring is a reduce-scatter and a gather: stage 1 saves time of the update, and loses what
    /// of its gather an all-reduce would hide.
    void stage_1_is_the_all_reduce_in_two() {
        std::mt19937 random(24);
        for (int k = 0; k < support::sampled(150); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            s.parallelism.collective = Collective::ring;
            s.parallelism.overlap = Overlap::off;
            s.parallelism.gradients = GradientFormat::as_weights;
            const Summary none = score_of(with(s, Sharded::nothing));
            if (!none.feasible() || none.batch.effective < 2) continue;
            const auto n = static_cast<double>(std::min(s.cluster.workers, none.batch.effective));
            const Summary one = score_of(with(s, Sharded::optimizer));
            QVERIFY(close(one.communication.value, none.communication.value));
            const double launches = s.model.launch.value * static_cast<double>(prepare(s)->parts[0].trained_layers);
            if (none.update.value > 0) QVERIFY(close(one.update.value - launches, (none.update.value - launches) / n));
            QCOMPARE(one.forward, none.forward);
            // As long as nothing hides, shards that are added up cost the same each time.
            s.training.accumulation = 1;
            const Summary two = score_of(with(s, Sharded::gradients));
            QVERIFY(close(two.communication.value, score_of(with(s, Sharded::optimizer)).communication.value));
        }
    }

    void faster_links_never_slow_it() {
        std::mt19937 random(25);
        for (int k = 0; k < support::sampled(200); ++k) {
            Scenario s = in_groups(random_mesh(random, 16), 0);
            set_mesh(s, support::pick(random, 2, 4), 1, support::pick(random, 1, 2));
            s.parallelism.policy = ShardingPolicy::columns;
            const Summary before = score_of(s);
            if (!before.feasible()) continue;
            s.cluster.between.bandwidth = s.cluster.between.bandwidth * Fraction{3};
            s.cluster.inside.bandwidth = s.cluster.inside.bandwidth * Fraction{3};
            QVERIFY2(score_of(s).step.value <= before.step.value * (1 + 1e-9), qPrintable(QString::number(k)));
        }
    }

    void score_is_estimate() {
        std::mt19937 random(26);
        int checked = 0;
        for (int k = 0; k < support::sampled(500); ++k) {
            const Scenario s = random_mesh(random, 20);
            if (!score_of(s).feasible()) continue;
            ++checked;
            const Answer a(s);
            const Summary& sum = a.e.summary;
            QCOMPARE(sum, score_of(s));
            QVERIFY(
                close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value, sum.step.value) ||
                s.training.input_limit.value > 0);
            QVERIFY(sum.hidden.value >= 0 && sum.communication.value >= 0);
            double exposed = 0, hidden = 0, rows = 0, rows_hidden = 0, update = 0;
            bool within = false;
            for (const auto& m : a.e.messages) {
                QVERIFY(!m.layers.empty());
                QVERIFY(m.exposed.value >= 0 && m.hidden.value >= 0);
                exposed += m.exposed.value;
                hidden += m.hidden.value;
                within = within || m.within_stage();
            }
            for (const auto& row : a.e.layers) {
                rows += row.communication.value;
                rows_hidden += row.hidden.value;
                update += row.update.value;
            }
            QVERIFY(close(rows, exposed) && close(rows_hidden, hidden));
            const bool staged = a.e.layers.back().stage > 0;
            if (!staged) QVERIFY(close(update, sum.update.value));
            if (staged && within) continue;  // of the busiest stage only
            QVERIFY2(close(exposed, sum.communication.value), qPrintable(QString::number(k)));
            // A stage's copies of gradients are in its messages' waits only.
            if (!staged || !s.parallelism.copies)
                QVERIFY2(close(hidden, sum.hidden.value), qPrintable(QString::number(k)));
        }
        QVERIFY(checked > support::expected(300));
    }

    /// What a stage waits for within a micro-batch is part of its time: against the pipeline stepped through.
    void stages_wait_within_each_micro_batch() {
        std::mt19937 random(27);
        int checked = 0;
        for (int k = 0; k < support::sampled(300); ++k) {
            Scenario s = in_groups(random_mesh(random, 16), 0);
            s.parallelism.sharded = support::pick(random, 0, 1) == 1 ? Sharded::weights : Sharded::gradients;
            s.parallelism.copies = s.parallelism.reduce_once = s.parallelism.overlap_gathers = false;
            s.parallelism.reshard_after_backward = true;
            s.model.spread = s.model.interference = Fraction{0};
            s.training.input_limit = {};
            set_mesh(s, support::pick(random, 2, 4), support::pick(random, 2, 3), 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            const auto stages = static_cast<std::size_t>(s.parallelism.pipeline);
            std::vector<double> forward(stages), backward(stages), there(stages), back(stages), gathered(stages);
            for (const auto& row : a.e.layers) {
                forward[static_cast<std::size_t>(row.stage)] += row.forward.value / row.repeat;
                backward[static_cast<std::size_t>(row.stage)] += row.backward().value / row.repeat;
            }
            double copies = 0;
            for (const auto& m : a.e.messages) {
                const auto stage = static_cast<std::size_t>(a.e.layers[static_cast<std::size_t>(m.first)].stage);
                if (m.within_stage())
                    (m.forward ? forward : backward)[stage] += m.exposed.value / static_cast<double>(m.times);
                else if (m.gradients && m.axis == MeshAxis::data)
                    gathered[stage] += m.each.value;
                else if (m.gradients)
                    copies += m.each.value;
                else
                    (m.forward ? there[stage] : back[stage - 1]) = m.each.value;
            }
            const auto micro = micro_batches(a.plan, a.e.point, a.e.summary.batch);
            const auto steps = micro_steps(a.plan, a.e.summary.batch);
            PipelineRun run;
            run_pipeline(PipelineOrder::fill_drain, {static_cast<int>(forward.size()), 1, micro.count},
                         {forward, backward, {}, there, back}, false, run);
            const double span = run.makespan.value;
            const double step =
                span * static_cast<double>(steps.count) + copies + *std::max_element(gathered.begin(), gathered.end());
            const Summary& sum = a.e.summary;
            QVERIFY2(close(step, (sum.step - sum.update).value), qPrintable(QString::number(k)));
            ++checked;
        }
        QVERIFY(checked > support::expected(100));
    }

    void the_timeline_ends_with_the_step() {
        std::mt19937 random(30);
        int waited = 0;
        for (int k = 0; k < support::sampled(2000); ++k) {
            Scenario s = random_mesh(random, 16);
            if (s.parallelism.pipeline > 1) s.training.input_limit = {};
            // What is drawn after the last micro-batch of a stage: whole messages, without copies.
            const bool groups = s.parallelism.shard_group == 2;
            if (s.parallelism.pipeline > 1 &&
                (groups || s.parallelism.sharded < Sharded::gradients || s.parallelism.reduce_once))
                s.parallelism.copies = false;
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            const Summary& sum = a.e.summary;
            const Timeline t = make_timeline(a.plan, a.e);
            QVERIFY2(close(t.end.value, sum.step.value), qPrintable(QString::number(k)));
            if (a.e.layers.back().stage > 0) continue;
            double sent = 0, hidden = 0;
            std::vector<double> free(t.rows.size(), 0.0);
            auto by_start = t.intervals;
            std::stable_sort(by_start.begin(), by_start.end(),
                             [](const Interval& x, const Interval& y) { return x.start < y.start; });
            for (const Interval& i : by_start) {
                (i.activity == Activity::hidden ? hidden : sent) +=
                    i.activity == Activity::hidden || i.activity == Activity::communication ? i.length.value : 0.0;
                double& end = free[static_cast<std::size_t>(i.row)];
                // Tensor messages share a row with gradients under the backward pass.
                if (i.row != 1 || s.parallelism.tensor == 1)
                    QVERIFY2(i.start.value >= end - 1e-9 * sum.step.value, qPrintable(QString::number(k)));
                end = std::max(end, (i.start + i.length).value);
            }
            QVERIFY(close(sent, sum.communication.value));
            const bool earlier = s.training.accumulation > 1;
            QVERIFY(earlier ? hidden <= sum.hidden.value * (1 + 1e-9)
                            : std::abs(hidden - sum.hidden.value) <= 1e-9 * sum.step.value);
            waited += t.rows.size() == 3;
        }
        QVERIFY(waited > support::expected(20));
    }

    /// A transformer whose head uses its embedding: each stage gathers what it uses, and keeps a piece of its copy.
    void weights_that_two_stages_use() {
        Scenario s = support::scenario(support::preset("gpt-2"));
        s.cluster.devices_per_node = 8;
        s.training.batch = 8;
        set_mesh(s, 4, 2, 1);
        const Answer none(s), one(with(s, Sharded::optimizer)), three(with(s, Sharded::weights));
        const auto& network = *none.plan.parts[0].network;
        int user = -1;
        for (const auto& row : none.e.layers)
            if (!row.copies.empty()) user = row.position;
        QVERIFY(user > 0);
        const int owner = network.weights_owner(user);
        const double bytes = none.plan.parts[0].work.weight_bytes[static_cast<std::size_t>(owner)];
        int gathers = 0;
        for (const auto& m : three.e.messages)
            if (m.weights && (m.first == user || m.first == owner)) {
                QVERIFY(m.bytes.value >= bytes);
                ++gathers;
            }
        QVERIFY(gathers >= 3);
        // After the update the second stage gathers its copy, too: all weights of the network and the copy.
        double gathered = 0, trained = bytes;
        for (const double b : none.plan.parts[0].work.weight_bytes) trained += b;
        for (const auto& m : one.e.messages)
            if (m.weights) gathered += m.bytes.value;
        QVERIFY(close(gathered, trained));
        QVERIFY(close(one.e.memory.optimizer.value * 4, none.e.memory.optimizer.value));
        // What is summed between the stages is a piece where gradients are shards.
        for (const auto& m : three.e.messages)
            if (m.gradients && m.axis == MeshAxis::pipeline) QVERIFY(close(m.bytes.value, bytes / 4));
    }

    /// Frozen weights are gathered to compute with them; they have no gradients and are not updated.
    void frozen_layers() {
        Scenario s = small_scenario();
        set_mesh(s, 4, 1, 1);
        s.training.frozen = {s.network()->layers()[1].id, s.network()->layers()[3].id};
        std::sort(s.training.frozen.begin(), s.training.frozen.end());
        const Answer one(with(s, Sharded::optimizer)), three(with(s, Sharded::weights));
        double updated = 0, forward = 0, backward = 0;
        for (const auto& m : one.e.messages)
            if (m.weights) updated += m.bytes.value;
        QVERIFY(close(updated, 4 * (1024 + 128)));
        for (const auto& m : three.e.messages)
            if (m.weights) (m.forward ? forward : backward) += m.bytes.value;
        QVERIFY(close(forward, 4 * (512 + 2048 + 1024 + 128)));
        QVERIFY(close(backward, 4 * 1024));  // no gradient goes further back, and the last layer is there
    }

    void what_does_not_know_it_says_so() {
        Scenario s = with(small_scenario(), Sharded::weights);
        set_mesh(s, 4, 1, 1);
        const auto said = [&] {
            const auto e = estimate(s);
            return e ? std::string() : to_text(e.error().front());
        };
        QVERIFY(said().empty());
        support::divide(s.parallelism, support::Divided::hybrid);
        QVERIFY(said().find("not modelled with the hybrid strategy") != std::string::npos);
        QCOMPARE(estimate(s).error().front().where, std::string("parallelism.sharded"));
        QVERIFY(score_of(with_cut(s, 3)).feasible());
        support::divide(s.parallelism, support::Divided::data);
        s.parallelism.updates = Updates::asynchronous;
        QVERIFY(said().find("not modelled with asynchronous updates") != std::string::npos);
        QVERIFY(score_of(with_asynchronous_updates(s)).feasible());
        s.parallelism.updates = Updates::synchronous;
        s.model.method = Method::paleo_head;
        s.parallelism.collective = Collective::one_to_all;
        const auto paleo = estimate(s);
        QVERIFY(paleo.has_value());
        QVERIFY(std::any_of(paleo->notes.begin(), paleo->notes.end(), [](const Problem& p) {
            return p.what.find("sharded training states") != std::string::npos;
        }));
        QCOMPARE(paleo->summary, score_of(with(s, Sharded::nothing)));
    }
};

QTEST_APPLESS_MAIN(TestShardedStep)
#include "tst_sharded_step.moc"
