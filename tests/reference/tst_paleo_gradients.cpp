// SPDX-License-Identifier: GPL-3.0-or-later
// The stand-ins for which PALEO takes gradients, in both eras, worked out by hand. Its own networks hold no case that
// tells some of these rules apart, so that no printed number would.
#include <QTest>

#include "core/paleo/gradients.hpp"

using namespace scalescope::paleo;

class TestPaleoGradients : public QObject {
    Q_OBJECT

private slots:
    /// extent = (out − 1)·stride + 1; before = kernel − 1 − pad; after = image + kernel − 1 − extent − before.
    void by_hand_data() {
        QTest::addColumn<int>("image");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("own_pad");  // SAME: half of (out − 1)·stride + kernel − image, rounded down
        QTest::addColumn<bool>("same");
        QTest::addColumn<bool>("paper");
        QTest::addColumn<double>("extent");
        QTest::addColumn<double>("pad");
        QTest::addColumn<bool>("exact");
        // before 10, after 11: one more column
        QTest::newRow("11×11 stride 4, head") << 224 << 11 << 4 << 54 << 0 << false << false << 214.0 << 10.0 << true;
        QTest::newRow("11×11 stride 4, paper") << 224 << 11 << 4 << 54 << 0 << false << true << 214.0 << 10.0 << true;
        // before 2, after 2
        QTest::newRow("3×3 stride 2, head") << 9 << 3 << 2 << 4 << 0 << false << false << 7.0 << 2.0 << true;
        QTest::newRow("3×3 stride 2, paper") << 9 << 3 << 2 << 4 << 0 << false << true << 7.0 << 2.0 << true;
        // before 1, after 0: head adds a column for a difference of one in either direction, the first commit did not
        QTest::newRow("2×2 same, head") << 4 << 2 << 1 << 4 << 0 << true << false << 5.0 << 0.0 << true;
        QTest::newRow("2×2 same, paper") << 4 << 2 << 1 << 4 << 0 << true << true << 4.0 << 1.0 << false;
        // head: own padding −1, before 1, after 0; paper: (3·2 + 1 − 4)/2 = 1, before −1, after 2
        QTest::newRow("1×1 stride 2 same, head") << 4 << 1 << 2 << 2 << -1 << true << false << 4.0 << 0.0 << true;
        QTest::newRow("1×1 stride 2 same, paper") << 4 << 1 << 2 << 2 << -1 << true << true << 3.0 << -1.0 << false;
    }

    void by_hand() {
        QFETCH(int, image);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        QFETCH(int, out);
        QFETCH(int, own_pad);
        QFETCH(bool, same);
        QFETCH(bool, paper);
        QFETCH(double, extent);
        QFETCH(double, pad);
        QFETCH(bool, exact);
        Layer layer;
        layer.kind = LayerType::convolution;
        layer.padding = same ? Padding::same : Padding::valid;
        layer.input = {1, image, image, 3};
        layer.output = {1, out, out, 5};
        layer.filter = {kernel, kernel, 3, 5};
        layer.strides = {1, stride, stride, 1};
        layer.pad = {own_pad, own_pad};
        const Era era = paper ? Era::paper : Era::head;
        const Convolution own = own_convolution(layer, era);
        const StandIn data = data_gradient_of(layer, own, era), filter = filter_gradient_of(layer, own, era);

        QCOMPARE(data.convolution.h, extent);
        QCOMPARE(data.convolution.w, extent);
        QCOMPARE(data.convolution.ph, pad);
        QCOMPARE(data.convolution.pw, pad);
        QCOMPARE(data.convolution.in, 5.0);
        QCOMPARE(data.convolution.out, 3.0);
        QCOMPARE(data.convolution.oh, double(image));
        QCOMPARE(data.holes, (extent * extent - out * out) / extent / extent);
        QCOMPARE(data.is_exact, exact);

        QCOMPARE(filter.convolution.kh, extent);
        QCOMPARE(filter.convolution.oh, double(kernel));
        QCOMPARE(filter.convolution.ph, paper ? own.ph : same ? pad : 0.0);
        QCOMPARE(filter.holes, data.holes);
    }
};

QTEST_APPLESS_MAIN(TestPaleoGradients)
#include "tst_paleo_gradients.moc"
