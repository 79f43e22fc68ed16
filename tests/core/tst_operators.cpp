// SPDX-License-Identifier: GPL-3.0-or-later
// Times of products and convolutions from their shapes: values worked out by hand, and what must hold for every shape.
#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/measure/operators/times.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::operators;
using operators::Pass;

namespace {

/// 10 multiprocessors of 1 TFLOP/s each, of which 80 % is reached; 1 TB/s, of which half.
Chip simple_chip() {
    Chip chip;
    chip.peak = teraflops(10);
    chip.memory = gigabytes_per_second(1000);
    chip.processors = 10;
    chip.reached = 0.8;
    chip.memory_reached = 0.5;
    chip.launch = microseconds(5);
    return chip;
}

constexpr OperatorRules unsplit{1, true};

bool near(Seconds a, double seconds) { return std::abs(a.value / seconds - 1.0) < 1e-12; }

Matmul random_product(std::mt19937_64& engine) {
    const auto side = [&engine](int most) {
        return static_cast<std::int64_t>(std::exp(std::uniform_real_distribution<>(0.0, std::log(most))(engine)));
    };
    return {side(8192), side(8192), side(8192), side(64)};
}

}  // namespace

class TestOperators : public QObject {
    Q_OBJECT

private slots:
    /// 640 × 512 by tiles of 128 × 128: 5 · 4 = 20 tiles, 2 waves of 10. A tile is 2·128·128·(968 + 32) = 32.768 MFLOP
    /// at 0.8 TFLOP/s: 40.96 µs. Tiles of 128 × 64 would be 40, 4 waves of 20.48/0.92 µs: longer.
    void product_by_hand() {
        const OperatorTime time = time_of(Matmul{640, 512, 968, 1}, simple_chip(), Pass::forward, unsplit);
        QCOMPARE(time.tile.rows, 128);
        QCOMPARE(time.tile.columns, 128);
        QCOMPARE(time.tiles, 20.0);
        QCOMPARE(time.waves, 2.0);
        QVERIFY(near(time.arithmetic, 2 * 40.96e-6));
        QVERIFY(near(time.memory, 4.0 * (640 * 968 + 968 * 512 + 640 * 512) / 0.5e12));
        QVERIFY(near(time.total, 86.92e-6));
        QCOMPARE(time.tiles / (time.waves * simple_chip().processors), 1.0);
    }

    /// One tile of 32 × 32 in each size: 2·32·32·(480 + 32) FLOP at 0.8 · 0.45 TFLOP/s is 2.91 µs; 64 × 32 takes 4.2.
    void one_tile() {
        const OperatorTime time = time_of(Matmul{20, 30, 480, 1}, simple_chip(), Pass::forward, unsplit);
        QCOMPARE(time.tile.rows, 32);
        QCOMPARE(time.waves, 1.0);
        QVERIFY(near(time.arithmetic, 2.0 * 32 * 32 * 512 / 0.36e12));
        // smaller ones in the same tile take as long
        QVERIFY(time_of(Matmul{1, 1, 480, 1}, simple_chip(), Pass::forward, unsplit).arithmetic == time.arithmetic);
    }

    /// A product of 1 × 1 × 1 is its launch and one tile's ramp.
    void smallest() {
        const OperatorTime time = time_of(Matmul{}, simple_chip());
        QVERIFY(near(time.total, 2.0 * 32 * 32 * 33 / 0.36e12 + 5e-6));
    }

    /// 8 × 4096 × 8: one tile. In 32 parts of 128: 4 waves of 2·32·32·160 FLOP; sums of 64 numbers, 3 µs and 33 · 256
    /// B. In 8 parts of 512, 1 wave of 2·32·32·544: 3.09 µs and 3 µs + 9 · 256 B.
    void contraction_is_split() {
        const Chip chip = simple_chip();
        const Matmul shape{8, 8, 4096, 1};
        const OperatorTime whole = time_of(shape, chip, Pass::forward, unsplit);
        QVERIFY(near(whole.arithmetic, 2.0 * 1024 * 4128 / 0.36e12));
        const OperatorTime parts = time_of(shape, chip);
        QCOMPARE(parts.splits, 8);
        QVERIFY(near(parts.arithmetic, 2.0 * 1024 * 544 / 0.36e12 + 3e-6 + 9 * 256 / 0.5e12));
        QVERIFY(parts.total < whole.total);
    }

    /// The gradient of the weights of 4096 rows is one product of 64 × 32 with a contraction of 4096.
    void gradients_are_products() {
        const Matmul shape{4096, 32, 64, 3};
        QVERIFY((product_of(shape, Pass::input_gradient) == Matmul{4096, 64, 32, 3}));
        QVERIFY((product_of(shape, Pass::weight_gradient) == Matmul{64, 32, 4096, 3}));
        const Chip chip = simple_chip();
        QVERIFY(time_of(shape, chip, Pass::weight_gradient).total == time_of(Matmul{64, 32, 4096, 3}, chip).total);
    }

    /// 2 × 6 × 14 × 14, 8 filters of 3 × 3, stride 2, padding 1, 2 groups: 7 × 7 outputs.
    void convolution_is_an_implicit_product() {
        Convolution conv{2, 6, 14, 14, 8, 3, 3, 2, 2, 1, 1, 2};
        QVERIFY(usable(conv));
        QVERIFY((product_of(conv, Pass::forward) == Matmul{98, 4, 27, 2}));
        const Chip chip = simple_chip();
        const OperatorTime time = time_of(conv, chip);
        QVERIFY(!time.winograd);
        // not the traffic of the implicit product, whose input stands there nine times
        QVERIFY(near(time.memory, 4.0 * (2 * 6 * 196 + 2 * 8 * 49 + 8 * 3 * 9) / 0.5e12));
    }

    /// 16 × 256 × 28 × 28 to 256 filters: 16 products of 3136 × 256 × 256 instead of one of 12544 × 256 × 2304. Tiles
    /// of 128 × 128: 16 · 25 · 2 = 800 in 80 waves of 2·128·128·288/0.8e12 = 11.7965 µs.
    void winograd_by_hand() {
        Convolution conv{16, 256, 28, 28, 256, 3, 3, 1, 1, 1, 1, 1};
        const Chip chip = simple_chip();
        const OperatorTime time = time_of(conv, chip);
        QVERIFY(time.winograd);
        QVERIFY(near(time.arithmetic, 80 * 2.0 * 128 * 128 * 288 / 0.8e12));
        const double transformed = 16.0 * (3136 * 256 + 256 * 256 + 3136 * 256);
        const double plain = 2.0 * 16 * 256 * 784 + 9 * 256 * 256;
        QVERIFY(near(time.memory, 4.0 * (plain + 2 * transformed) / 0.5e12));
        const OperatorTime direct = time_of(conv, chip, Pass::forward, {32, false});
        QVERIFY(!direct.winograd && direct.total > time.total);
        conv.stride_height = conv.stride_width = 2;
        QVERIFY(!time_of(conv, chip).winograd);
    }

    void depthwise_is_traffic() {
        const Convolution conv{8, 96, 56, 56, 96, 3, 3, 1, 1, 1, 1, 96};
        const OperatorTime time = time_of(conv, simple_chip());
        QVERIFY(near(time.total, 4.0 * (2.0 * 8 * 96 * 3136 + 96 * 9) / 0.5e12 + 5e-6));
    }

    void rooflines() {
        const Chip chip = simple_chip();
        QVERIFY(near(roofline_of(Matmul{1000, 1000, 1000, 2}, chip), 4e9 / 10e12));
        QVERIFY(near(roofline_of(Matmul{1000, 1, 1000, 1}, chip), 4.0 * 1002000 / 1e12));
        QVERIFY(near(roofline_of(Convolution{16, 256, 28, 28, 256, 3, 3, 1, 1, 1, 1, 1}, chip),
                     2.0 * 12544 * 256 * 2304 / 10e12));
    }

    /// More speed, more bandwidth or less launch never takes longer; twice both peaks is half the time without launch.
    void faster_chips_are_faster() {
        std::mt19937_64 engine(7);
        for (int i = 0; i < 2000; ++i) {
            const Matmul shape = random_product(engine);
            const Chip chip = simple_chip();
            for (const Pass pass : {Pass::forward, Pass::input_gradient, Pass::weight_gradient}) {
                const Seconds time = time_of(shape, chip, pass).total;
                QVERIFY(std::isfinite(time.value) && time.value > 0);
                Chip quick = chip, wide = chip;
                quick.peak = 1.5 * chip.peak;
                wide.memory = 1.5 * chip.memory;
                QVERIFY(time_of(shape, quick, pass).total <= time);
                QVERIFY(time_of(shape, wide, pass).total <= time);
                Chip bare = chip;
                bare.launch = Seconds{0};
                QVERIFY(time_of(shape, bare, pass).total < time);
                Chip twice = bare;
                twice.peak = 2.0 * bare.peak;
                twice.memory = 2.0 * bare.memory;
                const double factor = ratio(shape, bare, twice, pass, unsplit);
                QVERIFY(std::abs(factor - 0.5) < 1e-12);
            }
        }
    }

    /// Efficiency over the number of rows is a saw: it falls where a wave begins and rises to its end.
    void waves_are_a_saw() {
        const Chip chip = simple_chip();
        double last = 0;
        int falls = 0;
        for (std::int64_t m = 128; m <= 128 * 10 * 4; m += 128) {
            const OperatorTime time = time_of(Matmul{m, 128, 4096, 1}, chip, Pass::forward, unsplit);
            const double efficiency = 2.0 * static_cast<double>(m) * 128 * 4096 / 10e12 / time.arithmetic.value;
            QVERIFY(efficiency <= 0.8);
            if (efficiency < last) ++falls;
            last = efficiency;
        }
        QVERIFY(falls >= 3);
        QVERIFY(std::abs(last - 0.8 * 4096 / 4128) < 1e-12);  // the last one fills its waves
    }

    /// What the catalogue says of devices: the sustained fractions, and which units a precision runs on.
    void chips_of_the_catalogue() {
        const Catalogue& catalogue = support::library().catalogue;
        const auto chip = [&](const char* id, Precision p) { return chip_of(*catalogue.device(id), p); };
        QCOMPARE(chip("tesla-t4", Precision::fp32)->reached, 0.55);
        QCOMPARE(chip("tesla-t4", Precision::fp32)->processors, 40.0);
        QVERIFY(!chip("tesla-t4", Precision::fp32)->matrix_units);
        QVERIFY(chip("tesla-t4", Precision::fp16)->matrix_units);
        QVERIFY(!chip("tesla-p100-pcie-16gb", Precision::fp16)->matrix_units);
        QCOMPARE(chip("a100-sxm-40gb", Precision::bf16)->reached, 0.87);
        QVERIFY(chip("a100-sxm-40gb", Precision::bf16)->measured);
        QCOMPARE(chip("a100-sxm-40gb", Precision::fp32)->reached, 0.85);
        QVERIFY(!chip("a100-sxm-40gb", Precision::fp32)->measured);
        QCOMPARE(chip("a100-sxm-40gb", Precision::tf32)->element_bytes, 4.0);
        QVERIFY(chip("instinct-mi100", Precision::bf16)->matrix_units);
        QVERIFY(!chip("tesla-p4", Precision::tf32));
        Device unknown = *catalogue.device("tesla-t4");
        unknown.multiprocessors.reset();
        QVERIFY(QString::fromStdString(chip_of(unknown, Precision::fp32).error().front().what)
                    .contains(QStringLiteral("multiprocessors")));
    }

    /// Tensor cores make a large product faster by their peak, and a small one by hardly anything.
    void precision_changes_the_peak() {
        const Catalogue& catalogue = support::library().catalogue;
        const Device& a100 = *catalogue.device("a100-sxm-80gb");
        const Chip single = *chip_of(a100, Precision::fp32), tensor = *chip_of(a100, Precision::tf32);
        QVERIFY(ratio(Matmul{8192, 8192, 8192, 1}, single, tensor) < 0.2);
        QVERIFY(ratio(Matmul{8, 8, 8, 1}, single, tensor) > 0.9);
    }

    void unusable_shapes() {
        QVERIFY(usable(Matmul{1, 1, 1, 1}));
        QVERIFY(!usable(Matmul{0, 1, 1, 1}));
        QVERIFY(!usable(Matmul{1LL << 40, 1LL << 40, 1, 1}));
        QVERIFY(!usable(Convolution{1, 3, 2, 2, 8, 5, 5, 1, 1, 0, 0, 1}));  // the filter does not fit
        QVERIFY(!usable(Convolution{1, 3, 8, 8, 8, 3, 3, 1, 1, 0, 0, 2}));  // 3 channels in 2 groups
        QVERIFY(!usable(Convolution{1, 3, 8, 8, 8, 3, 3, 0, 1, 0, 0, 1}));
        QVERIFY(!usable(Convolution{1, 3, 8, 8, 8, 3, 3, 1, 1, -1, 0, 1}));
    }

    /// Sizes with which products of them do not fit into 64 bits: refused before anything is multiplied.
    void hostile_shapes() {
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), huge = 1LL << 40;
        // each tensor is small enough; 2^40 filters' rows of padding on both sides make 2^47 × 2^47 outputs
        QVERIFY(!usable(Convolution{1, 1, 1, 1, 1, 1 << 24, 1 << 24, 1, 1, 1 << 30, 1 << 30, 1}));
        QVERIFY(!usable(Convolution{1, 1, huge, 1, 1, huge, 1, 1, 1, huge, 64, 1}));
        QVERIFY(!usable(Convolution{huge, 1, 1, 1, 1, huge, 1, 1, 1, 60 * huge, 64, 1}));
        for (const std::int64_t value : {most, most / 2, -most, huge}) {
            const Convolution small{2, 4, 8, 8, 6, 3, 3, 1, 1, 1, 1, 2};
            QVERIFY(usable(small));
            for (std::int64_t Convolution::*size :
                 {&Convolution::batch, &Convolution::channels, &Convolution::height, &Convolution::width,
                  &Convolution::filters, &Convolution::kernel_height, &Convolution::kernel_width,
                  &Convolution::padding_height, &Convolution::padding_width, &Convolution::groups}) {
                Convolution shape = small;
                shape.*size = value;
                if (usable(shape)) QVERIFY(std::isfinite(time_of(shape, simple_chip()).total.value));
                shape.stride_height = shape.stride_width = value;
                if (usable(shape)) QVERIFY(std::isfinite(time_of(shape, simple_chip()).total.value));
            }
            if (value != huge) QVERIFY(!usable(Matmul{value, 2, 2, 1}) && !usable(Matmul{2, 2, value, value}));
            QVERIFY(!usable(Elementwise{value, -1}) && !usable(Elementwise{most, value}));
        }
    }
};

QTEST_APPLESS_MAIN(TestOperators)
#include "tst_operators.moc"
