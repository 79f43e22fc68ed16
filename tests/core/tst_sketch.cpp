// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said of drafts that are no networks yet.
#include <QtTest>
#include <algorithm>

#include "core/network/sketch.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

QString said(const Fault& f) { return QString::fromStdString(to_text(f.problem)); }

}  // namespace

class TestSketch : public QObject {
    Q_OBJECT

private slots:
    void says_of_a_network_what_the_network_says() {
        std::mt19937 random(7);
        for (int i = 0; i < 60; ++i) {
            const auto network = support::random_network(random, 25);
            NetworkDraft draft = network->draft();
            // Whose weights others share stands before them.
            if (std::all_of(draft.layers.begin(), draft.layers.end(),
                            [](const Layer& l) { return l.shares_weights_with == LayerId{}; }))
                std::shuffle(draft.layers.begin(), draft.layers.end(), random);
            const Sketch sketch(draft), direct(*network);
            QVERIFY(sketch.faults.empty());
            QCOMPARE(sketch.size(), network->size());
            for (int l = 0; l < sketch.size(); ++l) {
                const LayerId id = sketch.layers[static_cast<std::size_t>(l)].id;
                const int there = *network->position(id);
                const auto& facts = network->facts()[static_cast<std::size_t>(there)];
                QVERIFY(sketch.facts[static_cast<std::size_t>(l)].has_value());
                QVERIFY(sketch.facts[static_cast<std::size_t>(l)]->output == facts.output);
                QCOMPARE(sketch.facts[static_cast<std::size_t>(l)]->weights, facts.weights);
                QVERIFY(direct.facts[static_cast<std::size_t>(there)]->output == facts.output);
            }
        }
    }

    void nothing_is_a_state_too() {
        const Sketch sketch{NetworkDraft{}};
        QCOMPARE(sketch.size(), 0);
        QCOMPARE(sketch.faults.size(), std::size_t{1});
        QCOMPARE(sketch.faults[0].layer, -1);
    }

    void what_does_not_depend_on_a_fault_is_known() {
        Builder b;
        const int in = b.input({8, 8, 3}), left = b.conv(in, 4, 3, 2), right = b.conv(in, 4, 3),
                  sum = b.add({left, right}), after = b.dense(sum, 10), other = b.dense(in, 5);
        const Sketch sketch(b.draft());
        QCOMPARE(sketch.faults.size(), std::size_t{1});
        QCOMPARE(sketch.faults[0].layer, sum);
        QCOMPARE(sketch.faults[0].input, 1);
        QVERIFY(said(sketch.faults[0]).contains("4×4×4 and 8×8×4"));
        for (int l : {in, left, right, other}) QVERIFY(sketch.facts[static_cast<std::size_t>(l)].has_value());
        for (int l : {sum, after}) QVERIFY(!sketch.facts[static_cast<std::size_t>(l)].has_value());
        QVERIFY(!Network::make(b.draft()));
    }

    /// Of four branches the one that differs is to blame, wherever it stands.
    void the_branch_that_differs_is_blamed() {
        for (int odd = 0; odd < 4; ++odd) {
            Builder b;
            const int in = b.input({8, 8, 3});
            std::vector<int> branches;
            for (int i = 0; i < 4; ++i) branches.push_back(b.conv(in, 4, 3, i == odd ? 2 : 1));
            b.concat(branches);
            const Sketch sketch(b.draft());
            QCOMPARE(sketch.faults.size(), std::size_t{1});
            QCOMPARE(sketch.faults[0].input, odd);
        }
    }

    void open_inputs_and_cycles_stand_at_their_connection() {
        Builder b;
        const int in = b.input({4, 6}), product = b.simple("matmul", {in, in});
        NetworkDraft draft = b.draft();
        draft.layers[static_cast<std::size_t>(product)].inputs[1] = LayerId{};
        Sketch sketch(draft);
        QCOMPARE(sketch.faults.size(), std::size_t{1});
        QCOMPARE(sketch.faults[0].layer, product);
        QCOMPARE(sketch.faults[0].input, 1);
        QVERIFY(said(sketch.faults[0]).contains("Nothing is connected to input 2"));

        Builder ring;
        const int start = ring.input({4}), a = ring.dense(start, 4), sum = ring.add({start, a}), c = ring.dense(sum, 4);
        draft = ring.draft();
        draft.layers[static_cast<std::size_t>(sum)].inputs[1] = ring.id(c);
        sketch = Sketch(draft);
        QCOMPARE(sketch.faults.size(), std::size_t{1});
        QCOMPARE(sketch.layers[static_cast<std::size_t>(sketch.faults[0].layer)].id.value, ring.id(sum).value);
        QCOMPARE(sketch.faults[0].input, 1);
        QVERIFY(said(sketch.faults[0]).contains("cycle"));
        QVERIFY(sketch.facts[static_cast<std::size_t>(a)].has_value());
    }

    void symbols_have_the_values_given() {
        Builder b;
        const int in = b.input({4});
        b.set(in, "shape", std::vector<Dim>{{1, "batch"}, {2, "rows"}});
        NetworkDraft draft = b.draft();
        draft.symbols = {{"batch", 1, {}}, {"rows", 3, {}}};
        QCOMPARE(Sketch(draft).facts[0]->output, (Shape{6}));
        const std::vector<Binding> five{{"rows", 5}};
        QCOMPARE(Sketch(draft, five).facts[0]->output, (Shape{10}));
    }

    void an_attribute_without_a_value_is_said() {
        Builder b;
        b.simple("convolution", {b.input({4, 4, 3})});
        const Sketch sketch(b.draft());
        QCOMPARE(sketch.faults.size(), std::size_t{1});
        QVERIFY(said(sketch.faults[0]).contains("\"filters\" has no value"));
    }
};

QTEST_APPLESS_MAIN(TestSketch)
#include "tst_sketch.moc"
