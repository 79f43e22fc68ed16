// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <array>
#include <clocale>
#include <limits>

#include "core/base/format.hpp"
#include "core/base/time_scale.hpp"

using namespace scalescope;

namespace {

/// '_' stands for the no-break space and '-' for the real minus, so that the expected texts can be read.
QString shown(const std::string& text) {
    QString out = QString::fromStdString(text);
    out.replace(QChar(0x00a0), QLatin1Char('_'));
    if (out.contains(QLatin1Char('-'))) return QStringLiteral("hyphen in ") + out;
    return out.replace(QChar(0x2212), QLatin1Char('-'));
}

}  // namespace

#define SHOWS(expression, text) QCOMPARE(shown(expression), QStringLiteral(text))

class TestFormat : public QObject {
    Q_OBJECT

private slots:
    void numbers();
    void fixed_and_signed();
    void times();
    void bytes_and_rates();
    void counts_ratios_shapes();
    void nothing_to_show();
    void locale_does_not_matter();
    void times_shown_together();
    void a_drag_keeps_unit_and_digits();
};

void TestFormat::numbers() {
    SHOWS(format_number(0.0), "0");
    SHOWS(format_number(0.472), "0.47");
    SHOWS(format_number(0.02), "0.02");
    SHOWS(format_number(0.004), "0.00");
    SHOWS(format_number(-0.004), "0.00");
    SHOWS(format_number(6.657), "6.66");
    SHOWS(format_number(9.996), "10.0");
    SHOWS(format_number(27.52), "27.5");
    SHOWS(format_number(99.96), "100");
    SHOWS(format_number(238.91), "239");
    SHOWS(format_number(999.6), "1,000");
    SHOWS(format_number(17144.3), "17,144");
    SHOWS(format_number(1234567.0), "1,234,567");
    SHOWS(format_number(-17.72), "-17.7");
    SHOWS(format_number(238.912, 5), "238.91");
    SHOWS(format_number(1e300), "1.00e+300");
}

void TestFormat::fixed_and_signed() {
    SHOWS(format_fixed(8.9217, 2), "8.92");
    SHOWS(format_fixed(1124.0, 2), "1,124.00");
    SHOWS(format_fixed(-0.001, 1), "0.0");
    SHOWS(format_fixed(0.0, 2), "0.00");
    SHOWS(format_signed(21.49), "+21.5");
    SHOWS(format_signed(-21.49), "-21.5");
    SHOWS(format_signed(0.0), "0");
    SHOWS(format_signed(0.001), "0.00");
}

void TestFormat::times() {
    SHOWS(format_time(milliseconds(0.47)), "0.47_ms");
    SHOWS(format_time(milliseconds(12.4)), "12.4_ms");
    SHOWS(format_time(milliseconds(238.9)), "239_ms");
    SHOWS(format_time(Seconds{1.28}), "1.28_s");
    SHOWS(format_time(Seconds{185.0}), "3_min 05_s");
    SHOWS(format_time(Seconds{0.0}), "0_ms");
    SHOWS(format_time(microseconds(21.3)), "21.3_µs");
    SHOWS(format_time(microseconds(0.0213)), "21.3_ns");
    SHOWS(format_time(milliseconds(999.6)), "1.00_s");
    SHOWS(format_time(milliseconds(999.4)), "999_ms");
    SHOWS(format_time(Seconds{59.94}), "59.9_s");
    SHOWS(format_time(Seconds{59.96}), "1_min 00_s");
    SHOWS(format_time(Seconds{3599.4}), "59_min 59_s");
    SHOWS(format_time(Seconds{3599.6}), "1_h 00_min");
    SHOWS(format_time(Seconds{7500.0}), "2_h 05_min");
    SHOWS(format_time(Seconds{86400.0 * 4 + 3600 * 7}), "4_d 07_h");
    SHOWS(format_time(milliseconds(-12.4)), "-12.4_ms");
    SHOWS(format_time(milliseconds(238.912), 5), "238.91_ms");
}

void TestFormat::bytes_and_rates() {
    SHOWS(format_bytes(Bytes{97.2e3}), "97.2_kB");
    SHOWS(format_bytes(Bytes{201e6}), "201_MB");
    SHOWS(format_bytes(gigabytes(3.21)), "3.21_GB");
    SHOWS(format_bytes(Bytes{512}), "512_B");
    SHOWS(format_bytes(Bytes{0}), "0_B");
    SHOWS(format_bytes(Bytes{999.6e6}), "1.00_GB");
    SHOWS(format_bytes_binary(gibibytes(1.5)), "1.50_GiB");
    SHOWS(format_bytes_binary(Bytes{1023}), "1,023_B");
    SHOWS(format_bit_rate(gigabits_per_second(20)), "20_Gb/s");
    SHOWS(format_bit_rate(gigabits_per_second(2.5)), "2.5_Gb/s");
    SHOWS(format_rate(gigabytes_per_second(8.75)), "8.75_GB/s");
    SHOWS(format_rate(teraflops(6.144)), "6.14_TFLOP/s");
    SHOWS(format_rate(SamplesPerSecond{17144.4}), "17,144_img/s");
    SHOWS(format_rate(SamplesPerSecond{12.34}, "tokens/s"), "12.3_tokens/s");
    SHOWS(format_work(Flops{53.16e9}), "53.2_GFLOP");
    SHOWS(format_work(Flops{1.43e15}), "1.43_PFLOP");
    SHOWS(format_large_count(70.553e9), "70.6_B");
    SHOWS(format_large_count(61.1e6), "61.1_M");
    SHOWS(format_large_count(50e6, 3, true), "50_M");
    SHOWS(format_large_count(1.04e12), "1.04_T");
    SHOWS(format_large_count(512), "512");
    SHOWS(format_bytes(Bytes{-50.3e6}), "-50.3_MB");
}

void TestFormat::counts_ratios_shapes() {
    SHOWS(format_count(1), "1");
    SHOWS(format_count(1024), "1,024");
    SHOWS(format_count(65536), "65,536");
    SHOWS(format_count(-1234567), "-1,234,567");
    SHOWS(format_count(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
    SHOWS(format_ratio(16.6), "16.6×");
    SHOWS(format_ratio(1.0), "1.00×");
    SHOWS(format_percent(Fraction{0.519}), "51.9_%");
    SHOWS(format_change(Fraction{-0.177}), "-17.7_%");
    SHOWS(format_change(Fraction{0.2149}), "+21.5_%");
    SHOWS(format_change(Fraction{0.0}), "0_%");
    SHOWS(format_change(Fraction{-0.0001}), "0.0_%");
    SHOWS(format_points(Fraction{-0.085}), "-8.5_pp");
    const std::array<std::int64_t, 3> shape{26, 26, 192};
    const std::array<std::int64_t, 1> flat{4096};
    SHOWS(format_shape(shape), "26×26×192");
    SHOWS(format_shape(128, shape), "128_×_26×26×192");
    SHOWS(format_shape(flat), "4,096");
}

void TestFormat::nothing_to_show() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double inf = std::numeric_limits<double>::infinity();
    for (const double x : {nan, inf, -inf}) {
        SHOWS(format_number(x), "–");
        SHOWS(format_fixed(x, 2), "–");
        SHOWS(format_signed(x), "–");
        SHOWS(format_bytes(Bytes{x}), "–");
        SHOWS(format_time(Seconds{x}), "–");
        SHOWS(format_bytes_binary(Bytes{x}), "–");
        SHOWS(format_rate(SamplesPerSecond{x}), "–");
        SHOWS(format_ratio(x), "–");
        SHOWS(format_percent(Fraction{x}), "–");
        SHOWS(format_change(Fraction{x}), "–");
        SHOWS(format_points(Fraction{x}), "–");
    }
    // The largest finite numbers stay text, whatever the unit.
    const double huge = std::numeric_limits<double>::max();
    QVERIFY(!format_number(huge).empty());
    QVERIFY(!format_fixed(huge, 2).empty());
    QVERIFY(!format_time(Seconds{huge}).empty());
    QVERIFY(!format_change(Fraction{1e300}).empty());
}

void TestFormat::locale_does_not_matter() {
    // Not every machine has a locale with decimal commas; where it has, it must change nothing.
    std::setlocale(LC_ALL, "de_DE.UTF-8");
    SHOWS(format_number(1234.5, 6), "1,234.50");
    std::setlocale(LC_ALL, "C");
}

/// One unit and as many decimals for all, by the longest; what is there is never "0.00".
void TestFormat::times_shown_together() {
    const auto all = [](Seconds longest) {
        const TimeScale scale = fitting_scale(longest);
        return shown(format_in(longest, scale)) + '_' + QString::fromUtf8(std::string(name_of(scale.unit)).c_str());
    };
    QCOMPARE(all(Seconds{7.835}), QStringLiteral("7.835_s"));
    QCOMPARE(all(Seconds{1280}), QStringLiteral("1,280_s"));
    QCOMPARE(all(Seconds{0.23891}), QStringLiteral("238.9_ms"));
    QCOMPARE(all(Seconds{0.0023891}), QStringLiteral("2.389_ms"));
    QCOMPARE(all(Seconds{45.6e-6}), QString::fromUtf8("45.60_µs"));
    const TimeScale scale = fitting_scale(Seconds{0.23891});
    SHOWS(format_in(Seconds{0.01}, scale), "10.0");
    SHOWS(format_in(Seconds{1e-6}, scale), "<0.1");
    SHOWS(format_in(Seconds{-1e-6}, scale), ">-0.1");
    SHOWS(format_in(Seconds{0}, scale), "0");
    SHOWS(format_in(Seconds{std::numeric_limits<double>::quiet_NaN()}, scale), "–");
    // The unit is that of a time that stands alone.
    for (const double s : {3e-5, 0.5e-3, 0.02, 0.7, 1.5, 30.0})
        QVERIFY2(format_time(Seconds{s}).ends_with(name_of(fitting_unit(Seconds{s}))), format_time(Seconds{s}).c_str());
}

void TestFormat::a_drag_keeps_unit_and_digits() {
    TimeScale scale = fitting_scale(Seconds{0.9});
    const TimeScale start = scale;
    int changes = 0;
    for (int i = 0; i < 200; ++i) {  // to and fro over a border, as a hand does
        const TimeScale next = fitting_scale(Seconds{i % 2 == 0 ? 0.95 : 1.05}, scale);
        changes += !(next == scale);
        scale = next;
    }
    QCOMPARE(changes, 0);
    QVERIFY(scale == start);
    QVERIFY(fitting_scale(Seconds{4.0}, scale).unit == TimeUnit::seconds);
    scale = fitting_scale(Seconds{0.0999});
    QCOMPARE(scale.decimals, 2);
    QCOMPARE(fitting_scale(Seconds{0.1001}, scale).decimals, 2);
    QCOMPARE(fitting_scale(Seconds{0.1001}).decimals, 1);
}

QTEST_APPLESS_MAIN(TestFormat)
#include "tst_format.moc"
