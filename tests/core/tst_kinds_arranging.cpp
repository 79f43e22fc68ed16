// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that put elements elsewhere, or choose among them: shapes and bytes worked out by hand.
#include "support_kinds.hpp"

using namespace scalescope;
using namespace support;
using Sizes = std::vector<std::int64_t>;

class TestKindsArranging : public QObject {
    Q_OBJECT

private slots:
    void concatenation() {
        Builder b;
        const int i = b.input({4, 4, 3});
        b.concat({i, b.conv(i, 8, 1), b.conv(i, 6, 1)});
        check(b, {4, 4, 17}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 16 * 17);
    }
    void views() {
        Builder b;
        b.flatten(b.input({4, 4, 3}));
        check(b, {48}, 0, 0);
        Builder r;
        r.reshape(r.input({48}), {2, 2, 12});
        check(r, {2, 2, 12}, 0, 0);
        QCOMPARE(last(r.make()).division, Division::view);
    }
    void trained_tensor() {
        Builder b;
        b.input({1});
        b.parameter({6, 16});
        check(b, {6, 16}, 96, 0);
    }
    void concatenation_along_another_axis() {
        Builder b;
        const int i = b.input({4, 3}), l = b.concat({i, b.input({2, 3})});
        b.set(l, "axis", std::int64_t{1});
        check(b, {6, 3}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::channelwise);
        b.set(l, "axis", std::int64_t{-2});
        check(b, {6, 3}, 0, 0);
        b.set(l, "axis", std::int64_t{2});
        QVERIFY2(problem(b.draft()).contains("differ outside their channels"), qPrintable(problem(b.draft())));
    }
    // elements 1, 3 and 5 of 6: read and written; going back written among zeros
    void slices() {
        Builder b;
        const int l = b.simple("slice", {b.input({6, 8})});
        b.set(l, "axis", std::int64_t{1});
        b.set(l, "start", std::int64_t{1});
        b.set(l, "step", std::int64_t{2});
        b.set(l, "size", std::int64_t{3});
        check(b, {3, 8}, 0, 0);
        QVERIFY(same(last(b.make()).forward, {0, 2, 0}) && same(last(b.make()).grad_input, {1, 1, 0}));
        QCOMPARE(last(b.make()).division, Division::channelwise);
        b.set(l, "axis", std::int64_t{-1});
        check(b, {6, 3}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::mixing);
        b.set(l, "size", std::int64_t{5});  // 1, 3, 5, 7, 9 of 8
        QVERIFY2(problem(b.draft()).contains("ends behind element 9 of 8"), qPrintable(problem(b.draft())));
    }
    void other_orders() {
        Builder b;
        const int l = b.simple("transpose", {b.input({3, 4, 5})});
        b.set(l, "permutation", Sizes{2, 1, 3});
        check(b, {4, 3, 5}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::channelwise);
        b.set(l, "permutation", Sizes{3, 1, 2});
        check(b, {5, 3, 4}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::mixing);
        b.set(l, "permutation", Sizes{1, 1, 2});
        QVERIFY(problem(b.draft()).contains("each axis"));
        for (const auto& [kind, in, out] : {std::tuple("space_to_depth", Shape{4, 6, 3}, Shape{2, 3, 12}),
                                            std::tuple("depth_to_space", Shape{2, 3, 12}, Shape{4, 6, 3})}) {
            Builder d;
            d.set(d.simple(kind, {d.input(in)}), "block", std::int64_t{2});
            check(d, out, 0, 0);
            d.set(1, "block", std::int64_t{5});
            QVERIFY(problem(d.draft()).contains("do not divide"));
        }
    }
    void picking_and_filling() {
        Builder b;
        const int table = b.input({10, 8}), l = b.simple("gather", {table});
        b.set(l, "axis", std::int64_t{1});
        b.set(l, "size", std::int64_t{3});
        check(b, {3, 8}, 0, 0);
        QVERIFY(same(last(b.make()).forward, {0, 2, 0}) && same(last(b.make()).grad_input, {1, 1, 0}));
        b.set(l, "size", std::int64_t{0});
        QVERIFY(problem(b.draft()).contains("not said which"));
        Builder i;
        i.set(i.simple("gather", {i.input({10, 8}), i.input({2, 5})}), "axis", std::int64_t{1});
        check(i, {2, 5, 8}, 0, 0);
        QCOMPARE(last(i.make()).division, Division::mixing);
        Builder p;
        const int padded = p.simple("pad", {p.input({4, 4, 3})});
        p.set(padded, "before", Sizes{1, 0, 0});
        p.set(padded, "after", Sizes{2, 3, 0});
        check(p, {7, 7, 3}, 0, 0);
        QCOMPARE(last(p.make()).division, Division::channelwise);
        p.set(padded, "after", Sizes{2, 3, 1});
        check(p, {7, 7, 4}, 0, 0);
        QCOMPARE(last(p.make()).division, Division::mixing);
        p.set(padded, "after", Sizes{2, 3});
        QVERIFY(problem(p.draft()).contains("a size for each axis"));
        Builder e;
        const int wide = e.simple("expand", {e.input({1, 8})});
        e.set(wide, "shape", std::vector<Dim>{{1, "batch"}, {2, {}}, {5, {}}, {8, {}}});
        check(e, {2, 5, 8}, 0, 0);
        e.set(wide, "shape", std::vector<Dim>{{1, "batch"}, {5, {}}, {4, {}}});
        QVERIFY(problem(e.draft()).contains("cannot be repeated to 5×4"));
    }
    // 80 are copied, 15 put into the copy, at places that two numbers for each say; going back zeros are put there, and
    // the 15 read
    void putting_in() {
        Builder b;
        const int data = b.input({10, 8}), part = b.input({3, 5});
        b.simple("scatter", {data, part});
        check(b, {10, 8}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 80 + 15);
        QVERIFY(same(last(b.make()).forward, {1, 1, 0, 15}) && same(last(b.make()).grad_input, {1, 1, 0, 30}));
        QVERIFY(!last(b.make()).keeps_input && last(b.make()).division == Division::mixing);
        Builder i;
        i.simple("scatter", {i.input({10, 8}), i.input({3, 5}), i.input({3, 5, 2})});
        check(i, {10, 8}, 0, 0);
        QCOMPARE(last(i.make()).in_elements, 80 + 15 + 30);
        Builder few;
        few.simple("scatter", {few.input({10, 8})});
        QVERIFY(!problem(few.draft()).isEmpty());
    }
    void along_axes() {
        Builder b;
        const int l = b.simple("reduce", {b.input({3, 4, 5})});
        check(b, {1}, 0, 0);
        b.set(l, "axes", Sizes{1, -2});
        check(b, {5}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::channelwise);
        QVERIFY(!last(b.make()).keeps_input && last(b.make()).mask == 0);
        b.set(l, "keep_dims", true);
        check(b, {1, 1, 5}, 0, 0);
        b.set(l, "operation", std::string("max"));
        QCOMPARE(last(b.make()).mask, 8.0);
        QVERIFY(same(last(b.make()).grad_input, {1, 1, 0}));
        b.set(l, "operation", std::string("l2"));
        QVERIFY(last(b.make()).keeps_input && same(last(b.make()).grad_input, {2, 1, 0}));
        b.set(l, "axes", Sizes{3});
        check(b, {3, 4, 1}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::mixing);
        Builder a;
        const int most = a.simple("argmax", {a.input({3, 4, 5})});
        check(a, {3, 4}, 0, 0);
        QVERIFY(same(last(a.make()).grad_input, {}));
        a.set(most, "axis", std::int64_t{1});
        a.set(most, "keep_dims", true);
        check(a, {1, 4, 5}, 0, 0);
        Builder t;
        const int best = t.simple("top_k", {t.input({3, 50})});
        t.set(best, "k", std::int64_t{5});
        check(t, {3, 5}, 0, 0);
        QVERIFY(same(last(t.make()).forward, {1, 2, 0}) && last(t.make()).mask == 8);
        t.set(best, "k", std::int64_t{51});
        QVERIFY(problem(t.draft()).contains("only 50 elements"));
        for (const char* kind : {"sort", "cumulative_sum"}) {
            Builder s;
            s.simple(kind, {s.input({3, 50})});
            check(s, {3, 50}, 0, 0);
        }
    }
    void constants_are_read_once_and_not_trained() {
        Builder b;
        const int mask = b.parameter({6, 6}), as = b.simple("constant", {});
        b.set(as, "shape", b.value(mask, "shape"));
        b.add({b.input({6, 6}), as});
        check(b, {6, 6}, 0, 0);
        Builder alone;
        alone.input({2});
        alone.set(alone.simple("constant", {}), "shape", b.value(mask, "shape"));
        check(alone, {6, 6}, 0, 0);
        const auto n = b.make();
        QCOMPARE(n->parameters(), 36);  // the trained one's
        QCOMPARE(last(n).in_step_elements, 36);
        QVERIFY(n->weight_uses().empty());
    }
    void identity_is_a_view() {
        Builder b;
        b.simple("identity", {b.input({6, 6})});
        check(b, {6, 6}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::view);
    }

    void every_kind_of_the_family_was_worked_out() { require_worked_out("arranging"); }
};

QTEST_APPLESS_MAIN(TestKindsArranging)
#include "tst_kinds_arranging.moc"
