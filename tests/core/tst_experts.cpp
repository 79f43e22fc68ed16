// SPDX-License-Identifier: GPL-3.0-or-later
// Experts divided among the workers of a stage (docs/decisions/experts.md).
#include <QtTest>
#include <bit>
#include <cmath>
#include <random>
#include <set>

#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/timeline.hpp"
#include "core/parallel/experts.hpp"
#include "support_choices.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::problem_of, support::score_of, support::with_attribute;

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
        // An expert that two ranks divide: a half of it on each.
        Scenario s = of_mixture(8, 2);
        s.parallelism.expert_tensor = 2;
        const Answer a(s);
        for (const LayerEstimate& row : a.e.layers)
            if (const LayerFacts& f = facts_of(a, row); f.experts.count > 0)
                QVERIFY(close(double(f.parameters()) * row.shares.weights * row.shares.experts,
                              double(f.experts.parameters) / 4));
        QCOMPARE(a.e.states.expert_ranks, 2);
    }

    /// Between the two all-to-alls, ranks that divide an expert gather what each received, and scatter the sums.
    void what_ranks_of_an_expert_exchange() {
        Scenario s = of_mixture(8, 2);
        s.parallelism.expert_tensor = 4;
        const Answer a(s);
        constexpr double sent = 4.0 * positions * hidden * chosen;
        std::vector<Message> order;
        double kept = 0;
        for (const auto& m : a.e.messages) {
            if (!m.of_positions() || m.part != 0) continue;
            const bool within = m.axis == MeshAxis::expert_tensor;
            QCOMPARE(m.bytes.value, within ? 4 * sent : sent);
            QCOMPARE(m.group.ranks, within ? 4 : 2);
            order.push_back(m.message);
        }
        using enum Message;
        std::vector<Message> wanted;
        for (int layers_and_passes = 0; layers_and_passes < 4; ++layers_and_passes)
            wanted.insert(wanted.end(), {all_to_all, all_gather, reduce_scatter, all_to_all});
        QCOMPARE(order, wanted);
        s.parallelism.expert_tensor = 1;
        const Answer whole(s);
        for (std::size_t l = 0; l < a.e.layers.size(); ++l) kept += (a.e.layers[l].kept - whole.e.layers[l].kept).value;
        QCOMPARE(kept, 2 * 3 * sent);
    }

    /// Parts of the experts that hold any of a position's, against all choices.
    void parts_that_are_reached() {
        for (const std::int64_t count : {4, 6, 8, 12})
            for (const std::int64_t groups : {1, 2, 4})
                for (std::int64_t some = 1; some <= groups; ++some)
                    for (const std::int64_t k : {1, 2, 3})
                        for (std::int64_t parts = 1; parts <= count; ++parts) {
                            if (count % parts != 0 || count % groups != 0 || k > count / groups * some) continue;
                            ExpertFacts e;
                            e.count = count, e.chosen = k, e.groups = groups, e.chosen_groups = some;
                            const std::int64_t in_part = count / parts, in_group = count / groups;
                            if (in_part % in_group != 0 && in_group % in_part != 0) continue;
                            double reached = 0, weights = 0;
                            for (unsigned g = 0; g < 1U << groups; ++g) {
                                if (std::popcount(g) != some) continue;
                                for (unsigned x = 0; x < 1U << count; ++x) {
                                    if (std::popcount(x) != k) continue;
                                    std::set<std::int64_t> hit;
                                    bool allowed = true;
                                    for (std::int64_t i = 0; i < count; ++i)
                                        if ((x >> i & 1U) != 0) {
                                            allowed = allowed && (g >> (i / in_group) & 1U) != 0;
                                            hit.insert(i / in_part);
                                        }
                                    if (allowed) reached += double(hit.size()), weights += 1;
                                }
                            }
                            QVERIFY(close(parts_reached(e, parts), reached / weights));
                        }
    }

    /// DeepSeek-V3: 8 of 256 experts, out of 4 of 8 groups, one on each node.
    void once_to_each_node() {
        Scenario s = of_mixture(8, 4);
        s.cluster.devices_per_node = 2;
        s.workload[0].network = with_attribute(with_attribute(s.workload[0].network, "expert_groups", std::int64_t{2}),
                                               "top_groups", std::int64_t{1});
        constexpr double position = 4.0 * hidden, all = positions * position;
        // Of four experts on as many ranks, two on each node: both of a position's are on one node, by the limit.
        for (const auto& [dispatch, copies, by_node] :
             {std::tuple{Dispatch::each_expert, 2.0, 0.0}, std::tuple{Dispatch::each_rank, 2.0, 0.0},
              std::tuple{Dispatch::each_node, 2.0, 0.5}}) {
            s.parallelism.dispatch = dispatch;
            const Answer a(s);
            int seen = 0;
            for (const auto& m : a.e.messages) {
                if (m.axis != MeshAxis::expert) continue;
                ++seen;
                QCOMPARE(m.bytes.value, all * copies);
                QCOMPARE(m.group.by_node, by_node);
                if (by_node == 0) continue;
                // One of two nodes: half of the positions leave, and half of two copies goes to the neighbour.
                const LinkRates& links = a.plan.links;
                const double cards = std::min(1.0, double(links.nics_per_node) / 2);
                QVERIFY(close(m.each.value,
                              std::max(links.inside_latency.value + all / links.inside.value,
                                       links.between_latency.value + all / 2 / (links.between.value * cards))));
            }
            QCOMPARE(seen, 8);
        }
        ExpertFacts v3;
        v3.count = 256, v3.chosen = 8, v3.groups = 8, v3.chosen_groups = 4;
        QVERIFY(parts_reached(v3, 8) > 3.5 && parts_reached(v3, 8) < 4);
        v3.groups = v3.chosen_groups = 1;
        QVERIFY(parts_reached(v3, 8) > 5);
    }

    /// Invariant 27: with a capacity the experts compute all of their places, whether taken or not; what finds none is
    /// dropped.
    void capacity() {
        Scenario s = of_mixture(8, 4);
        const Answer free(s);
        for (const double factor : {0.5, 1.0, 1.25, 2.0}) {
            s.workload[0].network = with_attribute(of_mixture(8, 4).workload[0].network, "capacity", factor);
            const Answer a(s);
            const double room = double(experts) * std::ceil(factor * chosen * positions / double(experts));
            for (const auto& m : a.e.messages)
                if (m.axis == MeshAxis::expert) QCOMPARE(m.bytes.value, 4.0 * hidden * room);
            for (std::size_t l = 0; l < a.e.layers.size(); ++l) {
                const LayerFacts &f = facts_of(a, a.e.layers[l]), &all = facts_of(free, free.e.layers[l]);
                if (f.experts.count == 0) continue;
                const std::int64_t of_one = f.experts.parameters / f.experts.count,
                                   delivered = std::min<std::int64_t>(f.experts.rows, chosen * positions),
                                   dropped = (all.multiply_adds - f.multiply_adds) / of_one;
                QCOMPARE(double(f.experts.rows), factor * chosen * positions);
                QCOMPARE(f.experts.rows + dropped, chosen * positions);  // fewer than none: empty places
                QCOMPARE(delivered + std::max<std::int64_t>(0, dropped), chosen * positions);
            }
        }
        // Places are a whole number for each expert and rank.
        ExpertFacts e;
        e.count = 8, e.chosen = 2, e.capacity = 1.25;
        QCOMPARE(places(e, 10), 32.0);
        QCOMPARE(copies_sent(e, Dispatch::each_expert, 4, 10), 3.2);
        e.capacity = 0.5;
        QVERIFY(close(copies_sent(e, Dispatch::each_rank, 4, 8), parts_reached(e, 4) / 2));
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
            for (const auto& [e, e_t] : {std::pair{1, 1}, {2, 1}, {2, 2}, {4, 1}}) {
                s.parallelism.expert = e, s.parallelism.expert_tensor = e_t;
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
            std::int64_t expert_tensor = 1;
            Dispatch dispatch = Dispatch::each_expert;
            double capacity = 0;
        };
        for (const Axes& m : {Axes{4, 1, 1, 1, 2, Recompute::nothing, Sharded::nothing},
                              {4, 1, 2, 1, 2, Recompute::nothing, Sharded::optimizer, 2, Dispatch::each_node},
                              {2, 2, 2, 1, 1, Recompute::nothing, Sharded::weights, 4, Dispatch::each_expert, 1.25},
                              {4, 1, 1, 1, 4, Recompute::blocks, Sharded::nothing, 1, Dispatch::each_rank, 0.5},
                              {4, 1, 1, 1, 4, Recompute::nothing, Sharded::nothing, 1, Dispatch::each_expert, 0.7},
                              {2, 1, 2, 2, 4, Recompute::nothing, Sharded::nothing, 1, Dispatch::each_node},
                              {4, 1, 1, 1, 4, Recompute::blocks, Sharded::optimizer},
                              {2, 1, 2, 1, 2, Recompute::nothing, Sharded::gradients},
                              {2, 1, 2, 2, 4, Recompute::nothing, Sharded::weights},
                              {2, 2, 2, 1, 4, Recompute::blocks, Sharded::optimizer},
                              {4, 2, 1, 1, 2, Recompute::nothing, Sharded::weights},
                              {1, 2, 4, 1, 2, Recompute::nothing, Sharded::nothing}})
            for (const Overlap overlap : support::all_of<Overlap>())
                for (const bool shared : {false, true}) {
                    Scenario s = support::explained::scenario("few kinds");
                    s.workload[0].network =
                        with_attribute(support::mixture(2, 64, 4, 64, shared), "capacity", m.capacity);
                    s.parallelism.degrees_given() = {m.tensor, m.pipeline, m.context, m.expert, m.expert_tensor};
                    s.parallelism.dispatch = m.dispatch;
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
            if (in_stage % (2 * p.expert) == 0 && pick(0, 2) == 0) p.expert_tensor = 2;
            p.dispatch = static_cast<Dispatch>(pick(0, 2));
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

    /// What is remembered of one grid, or way to the experts, is not taken for another.
    void what_is_kept_is_that_of_the_grid() {
        Scenario s = of_mixture(8, 1);
        s.cluster.devices_per_node = 2;
        s.parallelism.sharded = Sharded::optimizer;
        std::set<double> steps;
        for (const std::int64_t pipeline : {1, 2}) {
            s.parallelism.pipeline = pipeline;
            Plan plan = *prepare(s);
            Scratch kept = make_scratch(plan);
            for (const Dispatch dispatch : support::all_of<Dispatch>()) {
                s.parallelism.dispatch = dispatch;
                QVERIFY(reprice_plan(plan, s));
                for (const auto& [e, e_t] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {4, 1}}) {
                    s.parallelism.expert = e, s.parallelism.expert_tensor = e_t;
                    const Summary found = score(plan, point_of(s), kept);
                    QCOMPARE(found, score_of(s));
                    steps.insert(found.step.value);
                }
            }
        }
        QCOMPARE(steps.size(), std::size_t{16});
    }

    void reasons() {
        QCOMPARE(problem_of(of_mixture(6, 3)).what, "4 experts cannot be divided evenly among 3 workers.");
        QCOMPARE(problem_of(of_mixture(6, 3)).remedy, "use an expert degree of 2");
        QCOMPARE(problem_of(of_mixture(6, 4)).what,
                 "The 6 workers of a stage do not divide by the expert degree of 4.");
        const auto cut = [](std::int64_t workers, std::int64_t expert, std::int64_t expert_tensor) {
            Scenario s = of_mixture(workers, expert);
            s.parallelism.expert_tensor = expert_tensor;
            return problem_of(s);
        };
        QCOMPARE(cut(10, 1, 5).what,
                 "The 96 hidden units of an expert do not divide by the expert tensor degree of 5.");
        QCOMPARE(cut(10, 1, 5).remedy, "use an expert tensor degree of 2");
        QCOMPARE(cut(6, 1, 4).what, "The 6 workers of a stage do not divide by the expert tensor degree of 4.");
        QCOMPARE(cut(6, 1, 4).remedy, "use an expert tensor degree of 3");
        QCOMPARE(
            cut(6, 2, 2).what,
            "The 6 workers of a stage do not divide by the expert degree of 2 times the expert tensor degree of 2.");
        QCOMPARE(cut(6, 2, 2).remedy, "use an expert degree of 1");
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
