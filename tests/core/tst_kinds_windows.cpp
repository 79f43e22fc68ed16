// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions and windows over sequences, images and volumes: shapes, parameters and multiply-adds worked out by hand.
#include "support_kinds.hpp"

using namespace scalescope;
using namespace support;
using Sizes = std::vector<std::int64_t>;

class TestKindsWindows : public QObject {
    Q_OBJECT

private slots:
    // AlexNet's first convolution: 227 − 11 over stride 4, plus 1 = 55; 96 filters of 11·11·3.
    void convolution() {
        Builder b;
        b.conv(b.input({227, 227, 3}), 96, 11, 4, 1, false);
        check(b, {55, 55, 96}, 96 * 363 + 96, 55LL * 55 * 96 * 363);
        QCOMPARE(last(b.make()).in_elements, 227LL * 227 * 3);
        QCOMPARE(last(b.make()).units, 96);
    }
    void convolution_without_bias() {
        Builder b;
        b.conv(b.input({8, 8, 4}), 6, 3, 1, 1, true, false);
        check(b, {8, 8, 6}, 6 * 36, 8 * 8 * 6 * 36);
    }
    // same: ceil(7/2) = 4, padded by (4−1)·2+3−7 = 2, one before and one after
    void convolution_same_with_stride() {
        Builder b;
        b.conv(b.input({7, 7, 2}), 5, 3, 2);
        check(b, {4, 4, 5}, 5 * 18 + 5, 4 * 4 * 5 * 18);
        QCOMPARE(last(b.make()).convolution->pad_top, 1);
        QCOMPARE(last(b.make()).convolution->pad_bottom, 1);
    }
    void convolution_in_groups() {  // AlexNet's second: 48 of 96 channels for each filter
        Builder b;
        const int l = b.conv(b.input({27, 27, 96}), 256, 5, 1, 2);
        check(b, {27, 27, 256}, 256 * 25 * 48 + 256, 27LL * 27 * 256 * 25 * 48);
        b.set(l, "groups", std::int64_t{96});  // depthwise needs a multiple of the channels
        b.set(l, "filters", std::int64_t{192});
        check(b, {27, 27, 192}, 192 * 25 + 192, 27LL * 27 * 192 * 25);
    }
    void convolution_with_filters_for_each_place() {  // 3×2 places of 2 filters of 3×3×4, and a bias at each
        Builder b;
        const int l = b.conv(b.input({5, 4, 4}), 2, 3, 1, 1, false);
        b.set(l, "shared", false);
        check(b, {3, 2, 2}, 6 * 2 * 36 + 12, 6 * 2 * 36);
        QVERIFY(!last(b.make()).convolution);
        b.set(l, "bias", false);
        check(b, {3, 2, 2}, 6 * 2 * 36, 6 * 2 * 36);
    }
    void convolution_dilated() {  // 3 taps two apart span 5
        Builder b;
        const int l = b.conv(b.input({9, 9, 1}), 1, 3, 1, 1, false, false);
        b.set(l, "dilation", std::vector<std::int64_t>{2, 2});
        check(b, {5, 5, 1}, 9, 25 * 9);
    }
    void convolution_with_sizes_of_its_own() {
        Builder b;
        const int l = b.conv(b.input({5, 6, 1}), 1, 3, 1, 1, false, false);
        b.set(l, "kernel", std::vector<std::int64_t>{1, 3});
        Padding p;
        p.mode = Padding::Mode::explicit_sizes;
        p.top = 1, p.bottom = 2, p.left = 0, p.right = 3;
        b.set(l, "padding", p);
        check(b, {5 + 3, 6 + 3 - 2, 1}, 3, 8 * 7 * 3);
    }
    // 4 → 8 with stride 2: every input cell meets every tap of every filter
    void transposed_convolution() {
        Builder b;
        b.transposed(b.input({4, 4, 3}), 5, 3, 2);
        check(b, {8, 8, 5}, 9 * 3 * 5 + 5, 9 * 3 * 5 * 16);
    }
    void transposed_convolution_with_padding() {  // DCGAN: (4−1)·2 + 5 − 2 − 2 + 1 = 8
        Builder b;
        const int l = b.transposed(b.input({4, 4, 3}), 2, 5, 2);
        Padding p;
        p.mode = Padding::Mode::explicit_sizes;
        p.top = p.bottom = p.left = p.right = 2;
        b.set(l, "padding", p);
        b.set(l, "output_padding", std::vector<std::int64_t>{1, 1});
        b.set(l, "bias", false);
        check(b, {8, 8, 2}, 25 * 3 * 2, 25 * 3 * 2 * 16);
    }
    void pooling() {
        Builder b;
        const int l = b.pool(b.input({55, 55, 96}), 3, 2);
        b.set(l, "padding", Padding{});
        check(b, {27, 27, 96}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::channelwise);
    }
    void pooling_rounding_up() {  // 112: valid 55, rounded up 56, the last window hangs over
        Builder b;
        const int l = b.pool(b.input({112, 112, 1}), 3, 2);
        b.set(l, "padding", Padding{});
        check(b, {55, 55, 1}, 0, 0);
        b.set(l, "ceil", true);
        check(b, {56, 56, 1}, 0, 0);
    }
    void pooling_never_begins_outside() {  // 4 cells, windows of 1 every 3: at 0 and 3; a third would begin at 6
        Builder b;
        const int l = b.pool(b.input({5, 5, 1}), 1, 3);
        b.set(l, "padding", Padding{});
        b.set(l, "ceil", true);
        check(b, {2, 2, 1}, 0, 0);
    }
    void global_pooling() {
        Builder b;
        b.global_pool(b.input({7, 7, 512}));
        check(b, {512}, 0, 0);
    }
    void upsampling() {
        Builder b;
        b.upsample(b.input({4, 3, 2}), 3);
        check(b, {12, 9, 2}, 0, 0);
    }
    // 10 steps of 4 channels: 3 taps two apart span 5, so 6 places; two steps before and none after make it 8
    void convolution_of_a_sequence() {
        Builder b;
        const int l = b.conv(b.input({10, 4}), 6, 3);
        b.set(l, "kernel", Sizes{3});
        b.set(l, "stride", Sizes{1});
        b.set(l, "dilation", Sizes{2});
        b.set(l, "padding", Padding{});
        check(b, {6, 6}, 3 * 4 * 6 + 6, 6 * 3 * 4 * 6);
        QCOMPARE(last(b.make()).convolution->in_h, 1);
        QCOMPARE(last(b.make()).convolution->kernel_w, 3);
        Padding causal{Padding::Mode::explicit_sizes, 0, 0, 2, 0, 0, 0, 1};
        b.set(l, "padding", causal);
        check(b, {8, 6}, 3 * 4 * 6 + 6, 8 * 3 * 4 * 6);
        b.set(l, "stride", Sizes{1, 1});  // the default serves any number of axes
        check(b, {8, 6}, 3 * 4 * 6 + 6, 8 * 3 * 4 * 6);
        b.set(l, "stride", Sizes{2, 1});
        QVERIFY2(problem(b.draft()).contains("stride has 2 sizes, its input 1 axis"), qPrintable(problem(b.draft())));
        b.set(l, "stride", Sizes{2});
        b.set(l, "padding", Padding{Padding::Mode::explicit_sizes, 1, 1, 1, 1});
        QVERIFY2(problem(b.draft()).contains("padding is for 2 axes"), qPrintable(problem(b.draft())));
    }
    // C3D's first: 3·3·3 taps over 3 channels at 16 · 112 · 112 places
    void convolution_of_a_volume() {
        Builder b;
        const int l = b.conv(b.input({16, 112, 112, 3}), 64, 3);
        for (const char* a : {"kernel", "stride"}) b.set(l, a, Sizes(3, a[0] == 'k' ? 3 : 1));
        check(b, {16, 112, 112, 64}, 81 * 64 + 64, 16LL * 112 * 112 * 81 * 64);
        QCOMPARE(last(b.make()).convolution->kernel_d, 3);
        QVERIFY(!last(b.make()).convolution->flat());
        b.set(l, "padding", Padding{Padding::Mode::explicit_sizes, 0, 0, 0, 0, 0, 1, 3});  // one plane behind
        b.set(l, "stride", Sizes{2, 2, 2});
        check(b, {8, 55, 55, 64}, 81 * 64 + 64, 8LL * 55 * 55 * 81 * 64);
        b.set(l, "kernel", Sizes{3, 3});
        QVERIFY2(problem(b.draft()).contains("needs height × width × channels"), qPrintable(problem(b.draft())));
    }
    // (5−1)·2 + 4 − 2 = 10 steps; in groups of 2 channels each tap meets 2 of 4; two apart the taps span 7
    void transposed_convolution_of_a_sequence() {
        Builder b;
        const int l = b.transposed(b.input({5, 4}), 6, 4, 2);
        b.set(l, "kernel", Sizes{4});
        b.set(l, "stride", Sizes{2});
        b.set(l, "padding", Padding{Padding::Mode::explicit_sizes, 0, 0, 1, 1, 0, 0, 1});
        check(b, {10, 6}, 4 * 4 * 6 + 6, 5 * 4 * 4 * 6);
        b.set(l, "groups", std::int64_t{2});
        check(b, {10, 6}, 4 * 2 * 6 + 6, 5 * 4 * 2 * 6);
        b.set(l, "dilation", Sizes{2});
        check(b, {13, 6}, 4 * 2 * 6 + 6, 5 * 4 * 2 * 6);
    }
    void windows_of_other_tensors() {
        Builder b;
        const int l = b.pool(b.input({9, 4}), 3, 2);
        b.set(l, "kernel", Sizes{3});
        b.set(l, "stride", Sizes{2});
        b.set(l, "mode", std::string("lp"));
        check(b, {5, 4}, 0, 0);
        QVERIFY(last(b.make()).keeps_input && last(b.make()).mask == 0);
        b.set(l, "mode", std::string("max"));
        QCOMPARE(last(b.make()).mask, 8.0);
        Builder v;
        const int w = v.pool(v.input({4, 6, 6, 2}), 2, 2);
        for (const char* a : {"kernel", "stride"}) v.set(w, a, Sizes{2, 2, 2});
        check(v, {2, 3, 3, 2}, 0, 0);
        Builder g;
        g.global_pool(g.input({4, 6, 6, 2}));
        check(g, {2}, 0, 0);
        Builder u;
        u.set(u.upsample(u.input({9, 4}), 3), "factor", Sizes{3});
        check(u, {27, 4}, 0, 0);
    }
    void to_a_given_size() {
        Builder b;
        const int l = b.simple("adaptive_pooling", {b.input({13, 11, 5})});
        b.set(l, "output", Sizes{6, 6});
        check(b, {6, 6, 5}, 0, 0);
        QCOMPARE(last(b.make()).mask, 0.0);
        b.set(l, "mode", std::string("max"));
        QCOMPARE(last(b.make()).mask, 8.0);
        QCOMPARE(last(b.make()).division, Division::channelwise);
        Builder r;
        r.set(r.simple("resize", {r.input({13, 11, 5})}), "output", Sizes{26, 33});
        check(r, {26, 33, 5}, 0, 0);
        QVERIFY(same(last(r.make()).forward, {1, 1, 0}) && same(last(r.make()).grad_input, {1, 1, 0}));
        // or by a factor, which a divisor makes a fraction: 13·3/2 and 11·1/2, rounded down
        Builder f;
        const int by = f.simple("resize", {f.input({13, 11, 5})});
        f.set(by, "factor", Sizes{3, 1});
        f.set(by, "divisor", Sizes{2, 2});
        check(f, {19, 5, 5}, 0, 0);
        f.set(by, "output", Sizes{26, 33});
        QVERIFY2(problem(f.draft()).contains("either the size of its output or a factor"),
                 qPrintable(problem(f.draft())));
        f.set(by, "output", Sizes{});
        f.set(by, "divisor", Sizes{2, 40});
        QVERIFY2(problem(f.draft()).contains("nothing is left"), qPrintable(problem(f.draft())));
        r.set(1, "output", Sizes{26});
        QVERIFY2(problem(r.draft()).contains("needs length × channels"), qPrintable(problem(r.draft())));
    }

    void every_kind_of_the_family_was_worked_out() { require_worked_out("windows"); }
};

QTEST_APPLESS_MAIN(TestKindsWindows)
#include "tst_kinds_windows.moc"
