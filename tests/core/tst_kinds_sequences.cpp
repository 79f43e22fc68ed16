// SPDX-License-Identifier: GPL-3.0-or-later
// Products, attention, recurrent layers and experts: shapes, parameters and multiply-adds worked out by hand.
#include "support_kinds.hpp"

using namespace scalescope;
using namespace support;

class TestKindsSequences : public QObject {
    Q_OBJECT

private slots:
    void dense() {
        Builder b;
        b.dense(b.input({6, 6, 256}), 4096);
        check(b, {4096}, 9216LL * 4096 + 4096, 9216LL * 4096);
    }
    void dense_at_every_position() {
        Builder b;
        b.set(b.dense(b.input({6, 16}), 32), "per_position", true);
        check(b, {6, 32}, 16 * 32 + 32, 6 * 16 * 32);
    }
    // [2 × 4 × 6] · [6 × 5]: 40 sums of 6; each input's gradient is a product as large
    void matrix_product() {
        Builder b;
        const int l = b.simple("matmul", {b.input({2, 4, 6}), b.input({6, 5})});
        check(b, {2, 4, 5}, 0, 240);
        QCOMPARE(last(b.make()).input_multiply_adds, 480);
        QCOMPARE(last(b.make()).weight_multiply_adds, 0);
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{1, 2, 1}));
        b.set(l, "transpose_b", true);
        const auto wrong = Network::make(b.draft());
        QVERIFY(!wrong && QString::fromStdString(to_text(wrong.error()[0])).contains("are not the rows"));
        Builder t;
        const int m = t.simple("matmul", {t.input({6, 4}), t.input({5, 6})});
        t.set(m, "transpose_a", true);
        t.set(m, "transpose_b", true);
        check(t, {4, 5}, 0, 120);
    }
    // 4 heads 4 wide over 2 heads of keys, values 5 wide; 6 queries and 6 keys: 36 pairs, 21 of them causal
    void attention() {
        Builder b;
        const int l = b.simple("attention", {b.input({6, 16}), b.input({6, 8}), b.input({6, 10})});
        b.set(l, "heads", std::int64_t{4});
        b.set(l, "kv_heads", std::int64_t{2});
        check(b, {6, 20}, 0, 4 * 36 * (4 + 5));
        QCOMPARE(last(b.make()).input_multiply_adds, 2 * 4 * 36 * 9 + 4 * 36 * 4);  // and the scores once more
        QCOMPARE(last(b.make()).kept_elements, 4 * 6);
        QCOMPARE(last(b.make()).forward.own, 4 * 6);
        QVERIFY(last(b.make()).keeps_input && last(b.make()).keeps_output);
        b.set(l, "causal", true);
        check(b, {6, 20}, 0, 4 * 21 * 9);
        b.set(l, "window", std::int64_t{2});  // the first sees one key, the others two
        check(b, {6, 20}, 0, 4 * 11 * 9);
        b.set(l, "flash", false);  // computes what the mask hides
        check(b, {6, 20}, 0, 4 * 36 * 9);
        const LayerFacts f = last(b.make());
        QCOMPARE(f.input_multiply_adds, 2 * 4 * 36 * 9);
        QCOMPARE(f.kept_elements, 4 * 36);
        QCOMPARE(f.forward.own, 4 * 4 * 36);
        QCOMPARE(f.grad_input.own, 7 * 4 * 36);
        QCOMPARE(f.launches, (std::array<std::int64_t, 3>{3, 5, 1}));
        QVERIFY(f.keeps_input && !f.keeps_output);
    }
    void attention_to_more_and_fewer_keys() {
        struct Row {
            std::int64_t queries, keys, window, pairs;
        };
        // the last query sees the last key: 5 + 6; windows of 4 are full; of 6 queries the last two see 1 and 2
        for (const Row& row : {Row{2, 6, 0, 11}, Row{2, 6, 4, 8}, Row{6, 2, 0, 3}, Row{5, 5, 1, 5}}) {
            Builder b;
            const int l =
                b.simple("attention", {b.input({row.queries, 3}), b.input({row.keys, 3}), b.input({row.keys, 3})});
            b.set(l, "heads", std::int64_t{1});
            b.set(l, "causal", true);
            b.set(l, "window", row.window);
            check(b, {row.queries, 3}, 0, row.pairs * 6);
        }
    }
    void embedding() {
        Builder b;
        const int l = b.simple("embedding", {b.input({6})});
        b.set(l, "vocabulary", std::int64_t{50});
        b.set(l, "width", std::int64_t{16});
        check(b, {6, 16}, 800, 0);
        QCOMPARE(last(b.make()).division, Division::weights);
        QCOMPARE(last(b.make()).grad_weights.outputs, 3.0);
    }
    // 6 steps; a gate is a product of (input and state) · units
    void recurrent() {
        Builder b;
        int l = b.simple("lstm", {b.input({6, 16})});
        b.set(l, "units", std::int64_t{12});
        check(b, {6, 12}, 4 * 12 * (16 + 12) + 2 * 4 * 12, 6 * 4 * 12 * (16 + 12));
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{6, 6, 1}));
        QCOMPARE(last(b.make()).kept_elements, 6 * 5 * 12);  // gates and cells; the states are the output
        QCOMPARE(last(b.make()).forward.weights, 6.0);
        Builder g;  // two directions side by side, the second layer reads both
        l = g.simple("gru", {g.input({6, 10})});
        g.set(l, "units", std::int64_t{6});
        g.set(l, "layers", std::int64_t{2});
        g.set(l, "bidirectional", true);
        const std::int64_t products = 2 * 3 * 6 * (10 + 6) + 2 * 3 * 6 * (12 + 6);
        check(g, {6, 12}, products + 2 * 2 * 2 * 3 * 6, 6 * products);
        QCOMPARE(last(g.make()).launches[0], 24);
        QCOMPARE(last(g.make()).kept_elements, 24 * 5 * 6 - 6 * 12);
        Builder r;
        l = r.simple("rnn", {r.input({6, 12})});
        r.set(l, "units", std::int64_t{16});
        r.set(l, "biases", std::int64_t{1});
        r.set(l, "return_sequences", false);
        check(r, {16}, 16 * (12 + 16) + 16, 6 * 16 * (12 + 16));
        QCOMPARE(last(r.make()).kept_elements, 6 * 16);
    }
    // 6 steps of 7×8×3: four gates of 5 channels from 3×3 of 3 channels at 5×6 places, and of 5 at as many
    void convolutional_lstm() {
        Builder b;
        const int l = b.simple("conv_lstm", {b.input({6, 7, 8, 3})});
        b.set(l, "filters", std::int64_t{5});
        b.set(l, "kernel", std::vector<std::int64_t>{3, 3});
        const std::int64_t weights = 9 * 3 * 20 + 9 * 5 * 20;
        check(b, {6, 5, 6, 5}, weights + 20, 6 * 30 * weights);
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{6, 6, 1}));
        QCOMPARE(last(b.make()).kept_elements, 6 * 5 * 30 * 5);  // gates and cells; the states are the output
        QCOMPARE(last(b.make()).forward.weights, 6.0);
        QCOMPARE(last(b.make()).division, Division::mixing);
        QVERIFY(last(b.make()).gradients_together && last(b.make()).keeps_output);
        b.set(l, "return_sequences", false);
        b.set(l, "bias", false);
        check(b, {5, 6, 5}, weights, 6 * 30 * weights);
        QCOMPARE(last(b.make()).kept_elements, 6 * 6 * 30 * 5);
        QVERIFY(!last(b.make()).keeps_output);  // of the states it gives only the last
        Builder s;                              // steps of a sequence: the input 2 apart, the state at every place
        const int k = s.simple("conv_lstm", {s.input({4, 9, 2})});
        s.set(k, "filters", std::int64_t{3});
        s.set(k, "kernel", std::vector<std::int64_t>{3});
        s.set(k, "stride", std::vector<std::int64_t>{2});
        check(s, {4, 4, 3}, 3 * 2 * 12 + 3 * 3 * 12 + 12, 4 * 4 * (72 + 108));
        Builder wrong;
        wrong.set(wrong.simple("conv_lstm", {wrong.input({4, 9})}), "filters", std::int64_t{3});
        wrong.set(1, "kernel", std::vector<std::int64_t>{3});
        QVERIFY2(problem(wrong.draft()).contains("sequence × axes × channels"), qPrintable(problem(wrong.draft())));
    }
    // 6 positions 5 wide; each meets the router's 5·4 weights and 2 of 4 experts with three matrices of 5·8
    void mixture_of_experts() {
        Builder b;
        const int l = b.simple("mixture_of_experts", {b.input({6, 5})});
        b.set(l, "experts", std::int64_t{4});
        b.set(l, "hidden", std::int64_t{8});
        check(b, {6, 5}, 20 + 4 * 120, 6 * (20 + 2 * 120));
        QCOMPARE(last(b.make()).weight_multiply_adds, 6 * 260);
        QCOMPARE(last(b.make()).kept_elements, 6 * (2 * 24 + 4 + 2 * 5));
        QCOMPARE(last(b.make()).forward.own, 6 * (2 * 48 + 2 * 4 + 4 * 2 * 5));
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{7, 7, 3}));
        b.set(l, "gated", false);
        check(b, {6, 5}, 20 + 4 * 80, 6 * (20 + 2 * 80));
        b.set(l, "top_k", std::int64_t{5});
        const auto wrong = Network::make(b.draft());
        QVERIFY(!wrong && QString::fromStdString(to_text(wrong.error()[0])).contains("5 of 4 experts"));
    }
    // every choice of the letters is one multiply-add: 6·4·5 for a product of matrices, 6·4·2·5 with another axis
    void einstein_sums() {
        Builder b;
        const int l = b.simple("einsum", {b.input({6, 4}), b.input({4, 5})});
        b.set(l, "equation", std::string("bij, bjk -> bik"));
        check(b, {6, 5}, 0, 120);
        QCOMPARE(last(b.make()).input_multiply_adds, 240);
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{1, 2, 1}));
        QVERIFY(same(last(b.make()).forward, {1, 1, 0}) && same(last(b.make()).grad_input, {2, 2, 0}));
        b.set(l, "equation", std::string("ij,jk->ik"));  // of one sample
        check(b, {6, 5}, 0, 120);
        b.set(l, "equation", std::string("ij,jk->k"));
        check(b, {5}, 0, 120);
        b.set(l, "equation", std::string("ij,kl->ilkj"));
        check(b, {6, 5, 4, 4}, 0, 6 * 4 * 4 * 5);
        for (const char* wrong : {"ij,jk", "ij->ij", "bij,ajk->bik", "ij,jk->im", "i..,jk->ik", "ij,jk->ii"}) {
            b.set(l, "equation", std::string(wrong));
            QVERIFY2(problem(b.draft()).contains("is no equation"), wrong);
        }
        b.set(l, "equation", std::string("bij,jk->bik"));  // one has a batch, the other none
        check(b, {6, 5}, 0, 120);
        b.set(l, "equation", std::string("ij,ik->jk"));
        QVERIFY2(problem(b.draft()).contains("\"i\" has 6"), qPrintable(problem(b.draft())));
        // A trained tensor has no batch: a letter less.
        Builder w;
        const int p = w.parameter({4, 2, 5});
        w.set(w.simple("einsum", {w.input({6, 4}), p}), "equation", std::string("bsh,hnd->bsnd"));
        check(w, {6, 2, 5}, 0, 6 * 4 * 2 * 5);
        QCOMPARE(last(w.make()).in_step_elements, 40);
        Builder one;
        one.set(one.simple("einsum", {one.input({6, 4})}), "equation", std::string("bij->bji"));
        check(one, {4, 6}, 0, 0);
        QVERIFY(!last(one.make()).keeps_input);
    }
    void rotary_positions() {
        Builder b;
        b.simple("rotary", {b.input({6, 8})});
        check(b, {6, 8}, 0, 0);
        QVERIFY(!last(b.make()).keeps_input && same(last(b.make()).grad_input, {1, 1, 0}));
        QCOMPARE(last(b.make()).division, Division::mixing);
        Builder odd;
        odd.simple("rotary", {odd.input({6, 7})});
        QVERIFY(problem(odd.draft()).contains("pairs of channels"));
    }

    void every_kind_of_the_family_was_worked_out() { require_worked_out("sequences"); }
};

QTEST_APPLESS_MAIN(TestKindsSequences)
#include "tst_kinds_sequences.moc"
