// SPDX-License-Identifier: GPL-3.0-or-later
// The context axis: sequences that lie on several devices (docs/decisions/context.md).
#include <QtTest>
#include <cmath>
#include <random>

#include "core/estimate/estimate.hpp"
#include "core/parallel/context.hpp"
#include "support_choices.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::problem_of, support::score_of;

namespace {

constexpr std::int64_t width = 64, heads = 4, positions = 64;

Scenario of_gpt(std::int64_t context, bool flash = true) {
    Scenario s = support::scenario(support::gpt(2, width, heads, positions, flash));
    s.parallelism.context = s.cluster.workers = context;
    s.cluster.devices_per_node = 8;
    s.training.batch = 8;
    s.training.batch_rule = BatchRule::total;
    return s;
}

/// Seconds after which the last of `pieces` is worked on, when each but the first comes round a ring.
double end_of_ring(std::int64_t pieces, double work, double sent) {
    double now = 0, there = 0;
    for (std::int64_t k = 0; k < pieces; ++k) {
        now = std::max(now, there) + work;
        there += sent;
    }
    return now;
}

}  // namespace

class TestContext : public QObject {
    Q_OBJECT

private slots:
    /// Every rank has its positions of every layer, and the weights whole.
    void ranks_have_equal_shares() {
        for (const char* name : {"gpt-2", "llama-3-8b", "bert-base"})
            for (const std::int64_t c : {2, 4, 8}) {
                Scenario s = support::scenario(support::preset(("transformers/" + std::string(name)).c_str()));
                s.parallelism.context = s.cluster.workers = c;
                s.training.batch = 2;
                s.training.batch_rule = BatchRule::total;
                const Answer whole([&] {
                    Scenario one = s;
                    one.parallelism.context = one.cluster.workers = 1;
                    return one;
                }());
                const Answer cut(s);
                for (std::size_t l = 0; l < cut.e.layers.size(); ++l) {
                    const LayerEstimate &a = cut.e.layers[l], &b = whole.e.layers[l];
                    const auto& f = cut.plan.parts[0].network->facts()[l];
                    QVERIFY(a.shares.weights == 1);
                    if (f.multiply_adds > 0) QVERIFY(close(a.shares.flops * double(c), 1));
                    QVERIFY(a.kept.value <= b.kept.value);
                }
                QVERIFY(close(cut.e.memory.activations.value * double(c), whole.e.memory.activations.value));
                QCOMPARE(cut.e.memory.weights, whole.e.memory.weights);
                // Only attention sends what layers need of other ranks.
                for (const auto& m : cut.e.messages)
                    QVERIFY(m.gradients || (m.axis == MeshAxis::context && m.carries != Carried::output));
            }
    }

    /// By hand: 64 positions, keys and values 64 wide, fp32, 8 samples.
    void what_attention_sends() {
        constexpr double tensor = 4.0 * positions * width * 8;
        const auto bytes = [&](const Answer& a, bool forward) {
            std::vector<double> all;
            for (const auto& m : a.e.messages)
                if (m.axis == MeshAxis::context && m.first == m.last && !m.gradients && m.forward == forward &&
                    a.e.layers[std::size_t(m.first)].context_along == ShardAlong::queries)
                    all.push_back(m.bytes.value / tensor);
            return all;
        };
        using Sent = std::vector<double>;
        for (const std::int64_t c : {2, 4}) {
            Scenario s = of_gpt(c);
            const Answer ring(s);
            QCOMPARE(bytes(ring, true), (Sent{2, 2}));
            QCOMPARE(bytes(ring, false), (Sent{4, 4}));
            s.parallelism.context_scheme = ContextScheme::all_gather;
            const Answer gathered(s);
            QCOMPARE(bytes(gathered, true), (Sent{2, 2}));
            QCOMPARE(bytes(gathered, false), (Sent{2, 2, 2, 2}));
            s.parallelism.context_scheme = ContextScheme::heads;
            const Answer by_heads(s);
            const double part = 1.0 / double(c);
            QCOMPARE(bytes(by_heads, true), (Sent{part, part, part, part, part, part, part, part}));
            QCOMPARE(bytes(by_heads, false), (Sent{part, part, part, part, part, part, part, part}));
        }
    }

    /// A ring hides what a simulation of its steps hides.
    void ring_hides_behind_attention() {
        int hidden = 0, waited = 0;
        for (const std::int64_t c : {2, 4, 8})
            for (const double speed : {1e8, 1e9, 1e10, 1e12}) {
                Scenario s = of_gpt(c);
                s.cluster.inside.bandwidth = BytesPerSecond{speed};
                const Answer a(s);
                for (const auto& m : a.e.messages) {
                    if (m.when != When::beside_layer) continue;
                    const LayerEstimate& row = a.e.layers[std::size_t(m.first)];
                    const double work = (m.forward ? row.forward : row.grad_input).value / double(c),
                                 sent = m.each.value / double(c - 1);
                    QVERIFY(close(m.exposed.value + work * double(c), end_of_ring(c, work, sent)));
                    QVERIFY(close((m.exposed + m.hidden).value, m.each.value));
                    (m.exposed.value > 0 ? waited : hidden) += 1;
                }
                QCOMPARE(a.e.summary, score_of(s));
            }
        QVERIFY(hidden > 5 && waited > 5);
    }

    /// Gradients are summed over all that have the same weights, and states are sharded over them.
    void replicas_are_data_times_context() {
        Scenario s = of_gpt(2);
        s.cluster.workers = 8;
        s.parallelism.sharded = Sharded::optimizer;
        s.training.optimizer = Optimizer::adam;
        const Answer a(s);
        int sums = 0;
        for (const auto& m : a.e.messages)
            if (m.gradients && !m.weights) {
                QCOMPARE(m.group.ranks, 8);
                ++sums;
            }
        QVERIFY(sums > 0);
        QCOMPARE(a.e.states.ranks, 8);
        QCOMPARE(a.e.summary.batch.per_replica, 2);
        s.parallelism.context = 1;
        QVERIFY(close(Answer(s).e.memory.optimizer.value, a.e.memory.optimizer.value));
    }

    /// Fewer heads of keys and values than ranks are repeated.
    void repeated_heads() {
        const AttentionMessage keys = context_row(ContextScheme::heads).messages(true)[1];
        QCOMPARE(attention_sent(keys, {8, 4, 4, 8, 2}, 4), 4 * 2 / 4.0);
        QCOMPARE(attention_sent(keys, {8, 4, 4, 8, 8}, 4), 4 / 4.0);
    }

    void every_scheme_with_every_axis() {
        std::mt19937 random(3);
        for (int k = 0; k < 150; ++k) {
            Scenario s = of_gpt(1, k % 2 == 0);
            const auto pick = [&](std::int64_t a, std::int64_t b) { return support::pick(random, a, b); };
            s.parallelism.degrees_given() = {pick(1, 2), pick(1, 3), std::int64_t{1} << pick(0, 2)};
            s.parallelism.context_scheme = static_cast<ContextScheme>(pick(0, 2));
            s.parallelism.sequence = pick(0, 1) == 1;
            s.parallelism.order = static_cast<PipelineOrder>(pick(0, 1));
            s.parallelism.sharded = static_cast<Sharded>(pick(0, 3));
            s.parallelism.recompute = static_cast<Recompute>(pick(0, 2));
            s.parallelism.overlap = static_cast<Overlap>(pick(0, 2));
            s.parallelism.micro_batches = pick(1, 3);
            s.cluster.devices_per_node = pick(1, 4);
            s.cluster.workers = s.parallelism.tensor * s.parallelism.pipeline * s.parallelism.context * pick(1, 2);
            const Summary scored = score_of(s);
            if (!scored.feasible()) {
                QCOMPARE(scored.infeasible, Infeasible::uneven_heads);
                continue;
            }
            const Answer a(s);
            QCOMPARE(a.e.summary, scored);
            const Summary& sum = a.e.summary;
            QVERIFY(
                close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value, sum.step.value));
            // Links without limit leave nothing to wait for that travels beside work.
            Scenario fast = s;
            for (Link* link : {&fast.cluster.inside, &fast.cluster.between})
                link->bandwidth = BytesPerSecond{1e30}, link->latency = Seconds{0};
            const Answer quick(fast);
            for (const auto& m : quick.e.messages)
                if (m.when == When::beside_layer) QVERIFY(m.exposed.value == 0);
            QVERIFY(quick.e.summary.step <= a.e.summary.step);
        }
    }

    /// Positions of the sequence divided, alone and with every other axis.
    void every_page_computes_its_figure() {
        struct Axes {
            std::int64_t data, pipeline, tensor, context;
            Recompute recompute;
            Sharded sharded;
            Collective collective;
        };
        for (const ContextScheme scheme : support::all_of<ContextScheme>())
            for (const Axes& m : {Axes{1, 1, 1, 4, Recompute::nothing, Sharded::nothing, Collective::automatic},
                                  {2, 1, 2, 2, Recompute::blocks, Sharded::optimizer, Collective::ring},
                                  {2, 2, 1, 2, Recompute::attention, Sharded::weights, Collective::recursive},
                                  {1, 2, 2, 2, Recompute::nothing, Sharded::gradients, Collective::ring}})
                for (const bool flash : {false, true})
                    for (const Overlap overlap : support::all_of<Overlap>()) {
                        Scenario s = support::explained::scenario("few kinds");
                        s.workload[0].network = support::gpt(2, 64, 4, 64, flash);
                        s.parallelism.degrees_given() = {m.tensor, m.pipeline, m.context};
                        s.parallelism.context_scheme = scheme;
                        s.parallelism.recompute = m.recompute;
                        s.parallelism.sharded = m.sharded;
                        s.parallelism.collective = m.collective;
                        s.parallelism.sequence = flash;
                        s.parallelism.overlap = overlap;
                        s.parallelism.bucket = Bytes{3000};
                        s.parallelism.micro_batches = 3;
                        s.training.accumulation = flash ? 2 : 1;
                        s.training.batch_rule = flash ? BatchRule::total : BatchRule::per_worker;
                        s.cluster.workers = m.data * m.pipeline * m.tensor * m.context;
                        s.cluster.devices_per_node = 2;
                        const QString wrong = support::explained::wrong_pages(s);
                        QVERIFY2(wrong.isEmpty(),
                                 qPrintable(QString("scheme %1, mesh %2 x %3 x %4 x %5, flash %6, overlap %7")
                                                .arg(int(scheme))
                                                .arg(m.data)
                                                .arg(m.pipeline)
                                                .arg(m.tensor)
                                                .arg(m.context)
                                                .arg(flash)
                                                .arg(int(overlap)) +
                                            "\n" + wrong));
                    }
    }

    void reasons() {
        Scenario s = support::scenario(support::preset("vgg-16"));
        s.parallelism.context = s.cluster.workers = 2;
        QCOMPARE(problem_of(s).where, "parallelism.context");
        QCOMPARE(problem_of(s).what,
                 "Context parallelism divides the sequence that an attention sees; VGG-16 has none.");
        s = of_gpt(5);
        QCOMPARE(problem_of(s).what, "The 64 positions of h0/attention/core do not divide by 5 workers.");
        QCOMPARE(problem_of(s).remedy, "use a context degree of 4 or 8");
        s = of_gpt(8);
        s.parallelism.context_scheme = ContextScheme::heads;
        QCOMPARE(problem_of(s).what, "The 4 heads that a worker has of h0/attention/core do not divide by 8 workers.");
        QCOMPARE(problem_of(s).remedy, "use a context degree of 4");
        s = of_gpt(2);
        s.parallelism.policy = ShardingPolicy::columns;
        QCOMPARE(
            problem_of(s).what,
            "Context and expert parallelism need layers divided as trainers do; here each is divided by its outputs.");
        s = of_gpt(2);
        support::divide(s.parallelism, support::Divided::hybrid);
        QCOMPARE(problem_of(s).where, "parallelism.context");
        s = of_gpt(2);
        s.parallelism.tensor = 2;
        s.cluster.workers = 6;
        QCOMPARE(problem_of(s).what, "6 workers do not divide by 4 (pipeline 1, tensor 2, context 2).");
    }

    /// Four ranks of the tensor axis share two heads of keys: each sends a whole one round the ring, and two at a time
    /// sum the gradients of its weights. Read by somebody else too, keys are whole, and so is the attention.
    void heads_of_keys_on_several_ranks() {
        support::Builder b;
        const int x = b.input({64, 32});
        const auto product = [&](std::int64_t units) {
            const int l = b.dense(x, units, false);
            b.set(l, "per_position", true);
            return l;
        };
        const int q = product(64), k = product(16), v = product(16), core = b.simple("attention", {q, k, v});
        b.set(core, "heads", std::int64_t{8});
        b.set(core, "kv_heads", std::int64_t{2});
        for (const bool read_twice : {false, true}) {
            if (read_twice) b.activation(k);
            NetworkDraft draft = b.draft();
            draft.name = "Shared keys";
            Scenario s = support::scenario(*Network::make(std::move(draft)));
            s.cluster.device.price_per_hour = 1;
            support::set_mesh(s, 1, 1, 4);
            s.parallelism.context = 2;
            s.cluster.workers = 8;
            s.parallelism.sharded = Sharded::nothing;
            const Answer a(s);
            const LayerEstimate& row = a.e.layers[std::size_t(core)];
            QVERIFY((row.along == ShardAlong::heads) == !read_twice);
            double gathered = 0, summed = 0;
            for (const MessageEstimate& m : a.e.messages) {
                if (m.carries == Carried::keys_values && m.forward) gathered += m.bytes.value;
                if (!m.gradients || m.axis != MeshAxis::tensor) continue;
                QCOMPARE(m.group.ranks, std::int64_t{2});
                QCOMPARE(m.layers, (std::vector<int>{k, v}));
                summed += m.bytes.value;
            }
            const double keys = 64 * 2 * 16 * 4 * row.samples;
            QVERIFY(close(gathered, read_twice ? keys : keys / 2));
            QVERIFY(close(summed, read_twice ? 0 : 2 * 32 * 16 * 4 / 2.0));
            for (const ContextScheme scheme : support::all_of<ContextScheme>()) {
                s.parallelism.context_scheme = scheme;
                QCOMPARE(support::explained::wrong_pages(s), QString());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestContext)
#include "tst_context.moc"
