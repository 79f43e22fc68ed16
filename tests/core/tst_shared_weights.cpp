// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that use the weights of others, and trained tensors: counted once, moved wherever they are used.
#include <QtTest>

#include "core/estimate/estimate.hpp"
#include "core/estimate/timeline.hpp"
#include "core/formats/network_json.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

/// 6 tokens → 50 × 16 embedding → a wide dense layer → the embedding's weights again as a head of 50 units
Builder tied() {
    Builder b;
    const int e = b.simple("embedding", {b.input({6})});
    b.set(e, "vocabulary", std::int64_t{50});
    b.set(e, "width", std::int64_t{16});
    const int body = b.dense(e, 16, false);
    b.set(body, "per_position", true);
    const int head = b.dense(body, 50, false);
    b.set(head, "per_position", true);
    b.share(head, e);
    return b;
}

constexpr double table = 50 * 16 * 4.0, body = 16 * 16 * 4.0;

Estimate estimate_of(const Scenario& s) {
    auto e = estimate(s);
    if (!e) qFatal("%s", to_text(e.error().front()).c_str());
    return *e;
}

QString problem(const NetworkDraft& draft) {
    const auto n = Network::make(draft);
    return n ? QString() : QString::fromStdString(to_text(n.error().front()));
}

}  // namespace

class TestSharedWeights : public QObject {
    Q_OBJECT

private slots:
    void counted_once_and_moved_twice() {
        const auto n = tied().make();
        QCOMPARE(n->parameters(), 50 * 16 + 16 * 16);
        QCOMPARE(n->multiply_adds(), 6LL * 16 * 16 + 6 * 16 * 50);
        QCOMPARE(n->facts().back().weights, 800);
        QCOMPARE(n->facts().back().parameters(), 0);
        QCOMPARE(n->weights_owner(3), 1);
        const Work w = make_work(*n, {}, {});
        QCOMPARE(w.weight_bytes, (std::vector<double>{0, table, body, 0}));
        QCOMPARE(w.gradient_bytes, w.weight_bytes);
        QCOMPARE(w.trained, (std::vector<double>{0, 800, 256, 0}));
        for (const auto& pass : w.pass) QCOMPARE(pass.weights[3], table);  // read or written where they are used
    }
    void frozen_in_one_place_is_frozen_in_all() {
        const auto n = tied().make();
        for (const std::size_t l : {std::size_t{1}, std::size_t{3}}) {
            Training t;
            t.frozen = {n->layers()[l].id};
            const Work w = make_work(*n, {}, t);
            QCOMPARE(w.gradient_bytes, (std::vector<double>{0, 0, body, 0}));
            QCOMPARE(w.pass[2].active[1] + w.pass[2].active[3], 0.0);
            QCOMPARE(w.pass[1].active[3], 1.0);  // the gradient passes through to the body
        }
    }
    void what_is_wrong_is_said() {
        Builder b = tied();
        b.share(1, 3);  // each other's
        QVERIFY2(problem(b.draft()).contains("which comes later"), qPrintable(problem(b.draft())));
        Builder c = tied();
        c.share(2, 1);
        QVERIFY2(problem(c.draft()).contains("It has 256 weights, \"") && problem(c.draft()).contains("800"),
                 qPrintable(problem(c.draft())));
        Builder d = tied();
        const int again = d.dense(2, 50, false);
        d.set(again, "per_position", true);
        d.share(again, 3);
        QVERIFY2(problem(d.draft()).contains("shares them itself"), qPrintable(problem(d.draft())));
        NetworkDraft missing = tied().draft();
        missing.layers[3].shares_weights_with = LayerId{99};
        QVERIFY2(problem(missing).contains("does not exist"), qPrintable(problem(missing)));
    }
    void as_json_and_back() {
        const auto n = tied().make();
        const std::string text = formats::write_network(n->draft());
        const auto back = formats::read_network(text, {});
        QVERIFY(back.has_value());
        QCOMPARE((*back)->parameters(), n->parameters());
        QCOMPARE(formats::write_network((*back)->draft()), text);
        const auto wrong =
            formats::read_network(QString::fromStdString(text)
                                      .replace("\"shares_weights_with\": \"", "\"shares_weights_with\": \"x")
                                      .toStdString(),
                                  {});
        QVERIFY(!wrong && QString::fromStdString(to_text(wrong.error()[0])).contains("There is no layer called"));
    }
    /// The owner comes first, so that its backward pass is the last: its gradient goes out with everything in it.
    void gradients_go_when_all_have_made_them() {
        Scenario s = support::scenario(tied().make());
        s.cluster.workers = 2;
        s.parallelism.overlap = Overlap::buckets;
        s.parallelism.bucket = Bytes{1};
        const Estimate e = estimate_of(s);
        QCOMPARE(e.messages.size(), std::size_t{2});
        QCOMPARE(e.messages[0].layers, std::vector<int>{2});
        QCOMPARE(e.messages[1].layers, std::vector<int>{1});
        QCOMPARE(e.messages[1].bytes.value, table);
        QCOMPARE(e.memory.weights.value, table + body);
        QCOMPARE(e.memory.gradients.value, table + body);
        QVERIFY(e.messages[1].start >= e.layers[3].backward() + e.layers[2].backward() + e.layers[1].backward());
    }
    /// An embedding is cut along its width, a head along its vocabulary: both run whole, and nothing is sent for them.
    void cut_unlike_runs_whole() {
        Scenario s = support::scenario(tied().make());
        s.cluster.workers = 2;
        support::divide(s.parallelism, support::Divided::outputs);
        const Estimate e = estimate_of(s);
        QCOMPARE(e.layers[1].shares.outputs, 1.0);
        QCOMPARE(e.layers[2].shares.outputs, 0.5);
        QCOMPARE(e.layers[3].shares.outputs, 1.0);
        QCOMPARE(e.memory.weights.value, table + body / 2);
    }
    /// Two towers with the same filters: each worker has its own of both.
    void cut_alike_stays_divided() {
        Builder b;
        const int left = b.conv(b.input({4, 4, 3}), 8, 3), right = b.conv(b.input({4, 4, 3}), 8, 3);
        b.share(right, left);
        b.dense(b.concat({left, right}), 10);
        Scenario s = support::scenario(b.make());
        s.cluster.workers = 2;
        support::divide(s.parallelism, support::Divided::outputs);
        const Estimate e = estimate_of(s);
        QCOMPARE(e.layers[1].shares.outputs, 0.5);
        QCOMPARE(e.layers[3].shares.outputs, 0.5);
        QCOMPARE(e.memory.weights.value, 4 * ((9 * 3 * 8 + 8) / 2.0 + (256 * 10 + 10) / 2.0));
    }
    /// Stages that both need the table hold it both, and add up its gradients when all of them are done.
    void stages_hold_copies() {
        Scenario s = support::scenario(tied().make());
        s.cluster.workers = 3;
        s.cluster.devices_per_node = 2;
        s.cluster.between.latency = microseconds(7);
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 4;
        s.training.optimizer = Optimizer::momentum;
        support::divide(s.parallelism, support::Divided::layers);
        for (int l : {2, 3}) s.parallelism.boundaries.push_back(s.network()->layers()[static_cast<std::size_t>(l)].id);
        const Estimate e = estimate_of(s);
        QCOMPARE(e.layers[3].copies, std::vector<int>{1});
        QVERIFY(e.layers[2].copies.empty());
        const auto m = std::find_if(e.messages.begin(), e.messages.end(), [](const auto& x) { return x.gradients; });
        QVERIFY(m != e.messages.end());
        QCOMPARE(m->layers, std::vector<int>{1});
        QCOMPARE(m->group.ranks, 2);
        QCOMPARE(m->times, 1);
        QCOMPARE(m->bytes.value, table);
        // the first and the last stage stand in different nodes; a ring of two sends half the bytes twice
        const double expected = 2 * (7e-6 + 0.5 * table / (2.5e9 * s.model.between.value));
        QVERIFY(qFuzzyCompare(m->each.value, expected));
        QCOMPARE(m->hidden.value, 0.0);
        // both stages update the table
        QVERIFY(e.layers[3].update.value > 0);
        QCOMPARE(e.layers[3].update.value, e.layers[1].update.value);
        // and both keep it, its gradient and its momentum: the fullest of them has these, and no more weights
        QCOMPARE(e.memory.weights.value, table);
        QCOMPARE(e.memory.optimizer.value, table);
        Scenario frozen = s;
        frozen.training.frozen = {s.network()->layers()[1].id};
        const Estimate without = estimate_of(frozen);
        QVERIFY(
            std::none_of(without.messages.begin(), without.messages.end(), [](const auto& x) { return x.gradients; }));
        const auto plan = prepare(s);
        QVERIFY(qFuzzyCompare(make_timeline(*plan, e).end.value, e.summary.step.value));
    }
    /// A position table of 6 × 16, added to every sample: read once, its gradient summed over the samples.
    void trained_tensor() {
        Builder b;
        const int tokens = b.input({6, 16}), wide = b.dense(tokens, 16);
        b.set(wide, "per_position", true);
        const int p = b.parameter({6, 16});
        b.add({wide, p});
        const auto n = b.make();
        const LayerFacts &of = n->facts()[2], &sum = n->facts()[3];
        QVERIFY(of.per_step && !sum.per_step);
        QCOMPARE(of.weights, 96);
        QCOMPARE(sum.in_elements, 96);
        QCOMPARE(sum.in_step_elements, 96);
        QCOMPARE(sum.division, Division::mixing);
        QCOMPARE(n->parameters(), 16 * 16 + 16 + 96);
        const Work w = make_work(*n, {}, {});
        QCOMPARE(w.pass[0].inputs[3], 96 * 4.0);
        QCOMPARE(w.pass[0].weights[3], 96 * 4.0);  // of all samples together
        QCOMPARE(w.pass[0].active[2], 0.0);
        QCOMPARE(w.pass[2].outputs[2], 96 * 4.0);  // the gradient of each sample is read
        QCOMPARE(w.pass[2].weights[2], 96 * 4.0);  // and their sum written
        QCOMPARE(w.out_bytes[2], 0.0);
        Scenario s = support::scenario(n);
        s.training.frozen = {n->layers()[1].id};
        const Estimate e = estimate_of(s);
        QVERIFY(e.layers[2].grad_weights.value > 0 && e.layers[2].update.value > 0);
        s.training.frozen = {n->layers()[2].id};
        QCOMPARE(estimate_of(s).layers[2].backward().value, 0.0);
        // A stage that reads it holds a copy; nothing of it crosses the border.
        s.training.frozen = {};
        s.cluster.workers = 2;
        s.training.batch_rule = BatchRule::total;
        support::divide(s.parallelism, support::Divided::layers);
        s.parallelism.boundaries = {n->layers()[3].id};
        const Estimate staged = estimate_of(s);
        QCOMPARE(staged.layers[3].copies, std::vector<int>{2});
        QCOMPARE(staged.messages.size(), std::size_t{3});
        for (const auto& m : staged.messages) QCOMPARE(m.bytes.value, (m.gradients ? 1 : 8) * 96 * 4.0);
        QCOMPARE(
            std::count_if(staged.messages.begin(), staged.messages.end(), [](const auto& m) { return m.gradients; }),
            1);
    }
    void a_view_of_a_trained_tensor_is_one() {
        Builder b;
        const int p = b.reshape(b.parameter({4, 4}), {16});
        b.simple("elementwise", {b.dense(b.input({8}), 16), p});
        const auto n = b.make();
        QCOMPARE(n->facts().back().in_step_elements, 16);
        QCOMPARE(n->weight_uses().size(), std::size_t{1});
        QCOMPARE(n->weight_uses()[0].layer, 4);
    }
};

QTEST_APPLESS_MAIN(TestSharedWeights)
#include "tst_shared_weights.moc"
