// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that touch each element, and normalizations: shapes, parameters and bytes worked out by hand.
#include "support_kinds.hpp"

using namespace scalescope;
using namespace support;

class TestKindsElements : public QObject {
    Q_OBJECT

private slots:
    void layers_that_keep_the_shape() {
        for (const char* kind : {"activation", "dropout", "lrn", "softmax"}) {
            Builder b;
            b.simple(kind, {b.input({3, 4, 5})});
            check(b, {3, 4, 5}, 0, 0);
        }
        Builder b;
        b.batch_norm(b.input({3, 4, 5}));
        check(b, {3, 4, 5}, 10, 0);
        Builder l;  // sums over neighbouring channels; its gradient needs what it read and what it made
        l.lrn(l.input({3, 4, 5}));
        QCOMPARE(last(l.make()).division, Division::mixing);
        QVERIFY(last(l.make()).keeps_input && last(l.make()).keeps_output);
    }
    void sum() {
        Builder b;
        const int i = b.input({4, 4, 3});
        b.add({i, b.conv(i, 3, 1), i});
        check(b, {4, 4, 3}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 3 * 48);
    }
    void normalizations() {
        struct Row {
            const char* kind;
            std::int64_t weights, kept;
            Division division;
            double reads;  // of what is too large to stay on the chip: the statistics first
        };
        for (const Row& row :
             {Row{"layer_norm", 10, 24, Division::mixing, 1}, Row{"rms_norm", 5, 12, Division::mixing, 1},
              Row{"group_norm", 10, 2, Division::mixing, 2}, Row{"instance_norm", 10, 10, Division::channelwise, 2},
              Row{"scale", 10, 0, Division::channelwise, 1}}) {
            Builder b;
            const int l = b.simple(row.kind, {b.input({3, 4, 5})});
            if (b.kind(l) == "group_norm") b.set(l, "groups", std::int64_t{1});
            check(b, {3, 4, 5}, row.weights, 0);
            QCOMPARE(last(b.make()).kept_elements, row.kept);
            QCOMPARE(last(b.make()).division, row.division);
            QVERIFY(last(b.make()).keeps_input);
            QVERIFY(same(last(b.make()).forward, {row.reads, 1, 0}));
            QVERIFY(same(last(b.make()).grad_input, {row.reads + 1, row.reads, 0}));
            b.set(l, "scale", false);
            if (b.kind(l) != "rms_norm" && b.kind(l) != "scale") {
                b.set(l, "bias", false);
                check(b, {3, 4, 5}, 0, 0);
            }
        }
    }
    void gates_and_elements() {
        Builder b;
        b.simple("glu", {b.input({3, 8})});
        check(b, {3, 4}, 0, 0);
        Builder e;
        const int l = e.simple("elementwise", {e.input({3, 4}), e.input({4}), e.input({3, 1})});
        check(e, {3, 4}, 0, 0);
        QVERIFY(last(e.make()).division == Division::mixing && last(e.make()).keeps_input);
        e.set(l, "operation", std::string("add"));
        QVERIFY(!last(e.make()).keeps_input);
        QCOMPARE(last(e.make()).grad_input.outputs, 1.0);
        Builder same;
        const int i = same.input({3, 4});
        same.simple("elementwise", {i, i});
        check(same, {3, 4}, 0, 0);
        QCOMPARE(last(same.make()).division, Division::channelwise);
        Builder c;
        c.simple("cross_entropy", {c.input({6, 50}), c.input({6})});
        check(c, {1}, 0, 0);
        Builder p;
        p.set(p.activation(p.input({3, 4})), "function", std::string("prelu"));
        check(p, {3, 4}, 4, 0);
        QVERIFY(last(p.make()).keeps_input && !last(p.make()).keeps_output);
    }
    // How often each pass reads inputs, writes outputs, and touches weights.
    void traffic() {
        struct Row {
            const char* kind;
            Traffic forward, input, weights;
        };
        const Row rows[] = {{"batch_norm", {2, 1, 0}, {3, 2, 0}, {}}, {"activation", {1, 1, 0}, {1, 2, 0}, {}},
                            {"dropout", {1, 1, 0}, {1, 1, 0}, {}},    {"lrn", {1, 1, 0}, {2, 2, 0}, {}},
                            {"softmax", {1, 1, 0}, {1, 2, 0}, {}},    {"flatten", {}, {}, {}},
                            {"unknown", {1, 1, 0}, {2, 1, 0}, {}}};
        for (const Row& row : rows) {
            Builder b;
            b.simple(row.kind, {b.input({4, 4, 2})});
            const auto n = b.make();
            QVERIFY2(same(last(n).forward, row.forward) && same(last(n).grad_input, row.input) &&
                         same(last(n).grad_weights, row.weights),
                     row.kind);
        }
        Builder b;
        b.dense(b.conv(b.input({4, 4, 2}), 3, 3), 5);
        const auto n = b.make();
        for (std::size_t l : {std::size_t{1}, std::size_t{2}})
            QVERIFY(same(n->facts()[l].forward, {1, 1, 1}) && same(n->facts()[l].grad_input, {1, 1, 1}) &&
                    same(n->facts()[l].grad_weights, {1, 1, 1}));
        Builder c;
        const int i = c.conv(c.input({4, 4, 2}), 3, 3);
        c.concat({c.add({i, i}), i});
        QVERIFY(same(c.make()->facts()[2].forward, {1, 1, 0}) &&
                same(c.make()->facts()[2].grad_input, {}));  // gradients pass without a copy
        QVERIFY(same(last(c.make()).forward, {1, 1, 0}) && same(last(c.make()).grad_input, {1, 1, 0}));
    }
    // Undone from its output, along any axis; only along the last one does it mix channels.
    void softmax_along_an_axis() {
        for (const char* kind : {"softmax", "log_softmax"}) {
            Builder b;
            const int l = b.simple(kind, {b.input({3, 4, 5})});
            check(b, {3, 4, 5}, 0, 0);
            QCOMPARE(last(b.make()).division, Division::mixing);
            QVERIFY(last(b.make()).keeps_output && !last(b.make()).keeps_input);
            b.set(l, "axis", std::int64_t{2});
            QCOMPARE(last(b.make()).division, Division::channelwise);
            b.set(l, "axis", std::int64_t{3});  // as shapes are written: the batch, then three
            QCOMPARE(last(b.make()).division, Division::mixing);
            b.set(l, "axis", std::int64_t{0});
            QVERIFY2(problem(b.draft()).contains("Axis 0 is the batch"), qPrintable(problem(b.draft())));
            b.set(l, "axis", std::int64_t{4});
            QVERIFY2(problem(b.draft()).contains("no axis 4"), qPrintable(problem(b.draft())));
            b.set(l, "axis", std::int64_t{-4});
            QVERIFY2(problem(b.draft()).contains("no axis -4"), qPrintable(problem(b.draft())));
        }
    }
    void length_one() {  // 12 rows of 5 along the channels, 15 of 4 along the middle axis: a length of each is kept
        Builder b;
        const int l = b.simple("l2_normalize", {b.input({3, 4, 5})});
        check(b, {3, 4, 5}, 0, 0);
        QCOMPARE(last(b.make()).kept_elements, 12);
        b.set(l, "axis", std::int64_t{2});
        QCOMPARE(last(b.make()).kept_elements, 15);
        QCOMPARE(last(b.make()).division, Division::channelwise);
        QVERIFY(same(last(b.make()).forward, {1, 1, 0}) && same(last(b.make()).grad_input, {2, 1, 0}));
    }
    void losses() {
        Builder b;
        const int i = b.dense(b.input({6}), 8), j = b.input({8});
        b.simple("loss", {i, j});
        check(b, {1}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 16);
        QVERIFY(last(b.make()).keeps_input && same(last(b.make()).grad_input, {2, 1, 0}));
    }
    void batch_norm_without_scale_or_shift() {
        Builder b;
        const int l = b.batch_norm(b.input({3, 4, 5}));
        b.set(l, "scale", false);
        check(b, {3, 4, 5}, 5, 0);
        b.set(l, "bias", false);
        check(b, {3, 4, 5}, 0, 0);
    }
    void slopes() {
        for (const auto& [slopes, weights] : {std::pair("channel", 4), std::pair("element", 12), std::pair("one", 1)}) {
            Builder b;
            const int l = b.activation(b.input({3, 4}));
            b.set(l, "function", std::string("prelu"));
            b.set(l, "slopes", std::string(slopes));
            check(b, {3, 4}, weights, 0);
        }
    }

    void every_kind_of_the_family_was_worked_out() { require_worked_out("elements"); }
};

QTEST_APPLESS_MAIN(TestKindsElements)
#include "tst_kinds_elements.moc"
