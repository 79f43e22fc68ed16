// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <type_traits>

#include "core/hardware/device.hpp"
#include "core/units/units.hpp"

using namespace scalescope;

namespace {

// What must not compile: adding, comparing or confusing different quantities.
template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a < b;
};
template <class A, class B>
concept Dividable = requires(A a, B b) {
    a / b;
};

static_assert(Addable<Seconds, Seconds> && !Addable<Seconds, Bytes> && !Addable<Seconds, double>);
static_assert(Comparable<Bytes, Bytes> && !Comparable<Bytes, Flops> && !Comparable<Bytes, double>);
static_assert(!std::is_convertible_v<double, Seconds> && !std::is_convertible_v<Seconds, double>);
static_assert(!Dividable<Bytes, FlopsPerSecond> && !Dividable<Flops, BytesPerSecond>);
static_assert(std::is_same_v<decltype(Bytes{1} / BytesPerSecond{1}), Seconds>);
static_assert(std::is_same_v<decltype(Flops{1} / FlopsPerSecond{1}), Seconds>);
static_assert(std::is_same_v<decltype(Samples{1} / Seconds{1}), SamplesPerSecond>);
static_assert(std::is_same_v<decltype(Samples{1} / SamplesPerSecond{1}), Seconds>);
static_assert(std::is_same_v<decltype(Seconds{1} / Seconds{1}), double>);
static_assert(sizeof(Seconds) == sizeof(double));

}  // namespace

class TestUnits : public QObject {
    Q_OBJECT

private slots:
    void decimal_and_binary_bytes() {
        QCOMPARE(gigabytes(1).value, 1e9);
        QCOMPARE(gibibytes(1).value, 1073741824.0);
        QCOMPARE(gigabytes_per_second(10).value, 1e10);
        QCOMPARE(gigabits_per_second(20).value, 2.5e9);  // bits
    }
    void rates() {
        QCOMPARE(teraflops(2.8).value, 2.8e12);
        QCOMPARE(gigaflops(289).value, 2.89e11);
        QCOMPARE((gigabytes(3) / gigabits_per_second(24)).value, 1.0);
        QCOMPARE((Flops{6e12} / teraflops(3)).value, 2.0);
        QCOMPARE((Samples{128} / Seconds{0.5}).value, 256.0);
        QCOMPARE((Samples{128} / SamplesPerSecond{256}).value, 0.5);
        QCOMPARE((teraflops(4) * Fraction{0.25}).value, 1e12);
    }
    void times() {
        QCOMPARE(milliseconds(12.5).value, 0.0125);
        QCOMPARE(microseconds(5).value, 5e-6);
        QCOMPARE(in_milliseconds(Seconds{0.25}), 250.0);
    }
    void arithmetic() {
        Seconds t{1};
        t += Seconds{2};
        t -= Seconds{0.5};
        QCOMPARE(t, Seconds{2.5});
        QCOMPARE(2.0 * t, Seconds{5});
        QCOMPARE(t / 2.0, Seconds{1.25});
        QCOMPARE(t / Seconds{5}, 0.5);
        QVERIFY(Seconds{1} < Seconds{2} && Seconds{2} >= Seconds{2});
    }
    void elements() {
        QCOMPARE(bytes_per_element(Precision::fp64), 8.0);
        QCOMPARE(bytes_per_element(Precision::fp32), 4.0);
        QCOMPARE(bytes_per_element(Precision::tf32), 4.0);
        QCOMPARE(bytes_per_element(Precision::fp16), 2.0);
        QCOMPARE(bytes_per_element(Precision::bf16), 2.0);
    }
};

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
