// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of measured operators, the names of devices in them, and corrections fitted to them.
#include <QtTest>
#include <cmath>

#include "core/measure/fit/random.hpp"
#include "core/measure/operators/correction.hpp"
#include "core/measure/operators/tables.hpp"
#include "core/words/device_words.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::operators;
using operators::Pass;

namespace {

Result<MeasuredOperators> read(std::string_view text) {
    const auto table = formats::parse_csv(text, "t.csv");
    if (!table) return fail(table.error());
    return read_operator_table(*table);
}

/// Products measured on a chip that takes `factor` times as long as the model says, and longer the larger k is.
std::vector<Sample> planted(const Chip& chip, double factor, std::size_t count, std::uint64_t seed) {
    measure::Draws draws(seed);
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < count; ++i) {
        const auto side = [&] { return static_cast<std::int64_t>(64 * std::exp2(5 * draws.uniform())); };
        const Features f = features_of(Matmul{side(), side(), side(), 1}, chip);
        samples.push_back({f, f.log_base + std::log(factor) + 0.05 * (f.values[8] - 6.0), 0});
    }
    return samples;
}

}  // namespace

class TestOperatorTables : public QObject {
    Q_OBJECT

private slots:
    void devices_by_the_names_of_drivers() {
        const Catalogue& catalogue = support::library().catalogue;
        const auto id = [&](const char* name) {
            const Device* device = require_device(catalogue, name).value_or(nullptr);
            return device ? device->id : std::string();
        };
        QCOMPARE(id("NVIDIA A100-SXM4-40GB"), std::string("a100-sxm-40gb"));
        QCOMPARE(id("NVIDIA A100-PCIE-40GB"), std::string("a100-pcie-40gb"));
        QCOMPARE(id("NVIDIA A100 80GB PCIe"), std::string("a100-pcie-80gb"));
        QCOMPARE(id("A100-80GB-PCIe"), std::string("a100-pcie-80gb"));
        QCOMPARE(id("NVIDIA H100 80GB HBM3"), std::string("h100-sxm-80gb"));
        QCOMPARE(id("NVIDIA H200"), std::string("h200-sxm-141gb"));
        QCOMPARE(id("Tesla V100-PCIE-32GB"), std::string("tesla-v100-pcie-32gb"));
        QCOMPARE(id("P4"), std::string("tesla-p4"));
        QCOMPARE(id("L4"), std::string("l4"));
        QCOMPARE(id("NVIDIA GeForce RTX 3090"), std::string("geforce-rtx-3090"));
        QCOMPARE(id("A100"), std::string());  // which one?
        QCOMPARE(id("NVIDIA"), std::string());
        QCOMPARE(id(""), std::string());
        QVERIFY(require_device(catalogue, "A100").error().front().remedy.find("a100-sxm-80gb") != std::string::npos);
        QVERIFY(require_device(catalogue, "tesla-t5").error().front().remedy.find("tesla-t4") != std::string::npos);
    }

    void columns_of_every_origin() {
        const auto linear =
            read("device,op,batch,m,n,k,latency_ms,grid,kernel_name\nT4,linear,1,1024,2560,640,1.5,20x1x1,x\n");
        QVERIFY(linear);
        QVERIFY(std::get<Matmul>(linear->rows[0].shape) == (Matmul{1024, 2560, 640, 1}));
        QVERIFY(std::abs(linear->rows[0].time.value - 1.5e-3) < 1e-18);
        const auto bmm = read("set,op,device,latency_ms,batch,rows,inner,cols\ntest,bmm,T4,2,64,128,196,200\n");
        QVERIFY(std::get<Matmul>(bmm->rows[0].shape) == (Matmul{128, 200, 196, 64}));
        const auto conv = read(
            "device,batch,in_channels,out_channels,kernel,input_size,stride,padding,latency_ms\nT4,38,893,326,3,5,1,1,"
            "1.0\n");
        QVERIFY(std::get<Convolution>(conv->rows[0].shape) == (Convolution{38, 893, 5, 5, 326, 3, 3, 1, 1, 1, 1, 1}));
        const auto deep = read(
            "device,precision,batch,in_channels,in_height,in_width,out_channels,filter_height,filter_width,pad_h,pad_w,"
            "stride_h,stride_w,forward_ms,backward_input_ms,backward_filter_ms,forward_algorithm\n"
            "T4,mixed,4,1,161,700,32,5,20,0,0,2,2,0.1,0.4,,GEMM\n");
        QCOMPARE(deep->rows.size(), std::size_t{2});
        QVERIFY(std::get<Convolution>(deep->rows[1].shape) == (Convolution{4, 1, 161, 700, 32, 5, 20, 2, 2, 0, 0, 1}));
        QVERIFY(deep->rows[1].pass == Pass::input_gradient);
        QVERIFY(deep->rows[1].precision == Precision::fp16);
        const auto vector = read("device,op,rows,cols,time_us\nT4,add,100,200,7\nT4,softmax,100,200,7\n");
        QVERIFY(std::get<Elementwise>(vector->rows[0].shape) == (Elementwise{40000, 20000}));
        QVERIFY(std::get<Elementwise>(vector->rows[1].shape) == (Elementwise{20000, 20000}));
    }

    void what_is_left_out_is_said() {
        const auto some =
            read("device,op,m,n,k,time_ms\nT4,matmul,8,8,8,1\nT4,matmul,8,0,8,1\nT4,matmul,8,8,8,0\nT4,sort,8,8,8,1\n");
        QCOMPARE(some->rows.size(), std::size_t{1});
        QCOMPARE(some->warnings.size(), std::size_t{2});
        QVERIFY(some->warnings[0].what.find("\"sort\"") != std::string::npos);
        QVERIFY(some->warnings[1].what.find("2 rows have no usable shape or time") != std::string::npos);
        QCOMPARE(some->warnings[1].at.line, 3);
    }

    void broken_tables() {
        const auto message = [](std::string_view text) { return support::messages(read(text).error()); };
        QVERIFY(message("op,m,n,k,time_ms\nmatmul,1,1,1,1\n").find("device") != std::string::npos);
        QVERIFY(message("device,m,n,k\nT4,1,1,1\n").find("No column of times") != std::string::npos);
        QVERIFY(message("device,m,n,k,time_ms\nT4,one,1,1,1\n").find("2:4") != std::string::npos);
        QVERIFY(message("device,pass,m,n,k,time_ms\nT4,sideways,1,1,1,1\n").find("sideways") != std::string::npos);
        QVERIFY(message("device,precision,m,n,k,time_ms\nT4,fp12,1,1,1,1\n").find("fp12") != std::string::npos);
        QVERIFY(message("device,m,n,k,time_ms\nT4,0,1,1,1\n").find("No measured operator") != std::string::npos);
    }

    /// A device that takes 1.3 times as long as the model says, and longer the longer the contraction: both come back.
    void planted_corrections_come_back() {
        const Chip chip = chip_of(*support::library().catalogue.device("tesla-t4"), Precision::fp32).value();
        const auto samples = planted(chip, 1.3, 200, 3), others = planted(chip, 1.3, 100, 4);
        const Correction c = fit_correction(samples).value();
        QCOMPARE(c.points, std::size_t{200});
        for (const Sample& s : others) {
            const Corrected time = corrected(s.features, c, c.levels.front());
            if (time.inside) QVERIFY(std::abs(std::log(time.time.value) - s.log_seconds) < 0.01);
        }
        // the same bits again
        QVERIFY(fit_correction(samples).value() == c);
    }

    void few_points_give_a_factor() {
        const Chip chip = chip_of(*support::library().catalogue.device("tesla-t4"), Precision::fp32).value();
        Features f = features_of(Matmul{512, 512, 512, 1}, chip);
        const std::vector<Sample> one{{f, f.log_base + 0.25, 0}};
        const Correction c = fit_correction(one).value();
        QVERIFY(std::abs(c.levels.front() - 0.25) < 1e-12);
        QVERIFY(std::abs(corrected(f, c, c.levels.front()).time.value / std::exp(f.log_base + 0.25) - 1) < 1e-12);
        QVERIFY(!fit_correction({}));
    }

    /// Far from what was seen the level alone is left, and the slopes never make more than a factor of two.
    void clamped_and_faded() {
        const Chip chip = chip_of(*support::library().catalogue.device("tesla-t4"), Precision::fp32).value();
        auto samples = planted(chip, 1.0, 200, 5);
        for (Sample& s : samples) s.log_seconds = s.features.log_base + 3.0 * (s.features.values[8] - 6.0);
        const Correction c = fit_correction(samples).value();
        bool at_bound = false;
        for (const Sample& s : samples) {
            const double log_factor = std::log(corrected(s.features, c, 0.0).time.value) - s.features.log_base;
            QVERIFY(std::abs(log_factor) <= std::log(2.0) + 1e-12);
            at_bound = at_bound || std::abs(log_factor) > std::log(2.0) - 1e-12;
        }
        QVERIFY(at_bound);
        const Features far = features_of(Matmul{1, 1, 1, 4096}, chip);
        const Corrected time = corrected(far, c, 0.1);
        QVERIFY(!time.inside);
        QVERIFY(std::abs(std::log(time.time.value) - far.log_base - 0.1) < 1e-12);
    }

    /// Devices that are slow each in its own way say nothing of the next; all slow in the same way do.
    void level_of_another_device() {
        const Chip chip = chip_of(*support::library().catalogue.device("tesla-t4"), Precision::fp32).value();
        std::vector<Sample> samples;
        const auto add = [&](double level, std::size_t device) {
            for (Sample s : planted(chip, 1.0, 40, device + 1)) {
                s.log_seconds = s.features.log_base + level;
                s.device = device;
                samples.push_back(s);
            }
        };
        add(-0.3, 0);
        add(0.3, 1);
        QVERIFY(std::abs(levels_of(samples).level) < 1e-12);
        samples.clear();
        add(0.29, 0);
        add(0.31, 1);
        // mean 0.3, variance of the mean 0.0001: 0.3 · (1 − 0.0001/0.09)
        QVERIFY(std::abs(levels_of(samples).level - 0.3 * (1 - 0.0001 / 0.09)) < 1e-12);
    }
};

QTEST_APPLESS_MAIN(TestOperatorTables)
#include "tst_operator_tables.moc"
