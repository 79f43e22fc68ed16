// SPDX-License-Identifier: GPL-3.0-or-later
// How long kernels take on another GPU, in which precision and layout, by hand.
#include <QtTest>

#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/tables.hpp"
#include "core/measure/transfer/work.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::transfer;
using kineto::WorkClass;
using transfer::Work;

namespace {

const Device& device(const char* id) { return *support::library().catalogue.device(id); }
Gpu gpu(const char* id) { return *gpu_of(device(id)); }

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

class TestTransferKernels : public QObject {
    Q_OBJECT

private slots:
    /// Traffic: 4 bytes of each element at 0.7 of the bandwidth, and 2 µs.
    void time_of_traffic() {
        Work w;
        w.shape = operators::Elementwise{6'000'000, 3'000'000};
        const auto t = kernel_time(w, device("tesla-v100-sxm2-32gb"), Precision::fp32, Layout::channels_first);
        QVERIFY(t && t->unit == Unit::memory && close(t->time.value, 9e6 * 4 / (900e9 * 0.7) + 2e-6));
        QVERIFY(!kernel_time(Work{}, device("tesla-t4"), Precision::fp32, Layout::channels_first));
    }

    /// On tensor cores tensors with channels first are transposed: read and written once more each.
    void tensor_cores_want_channels_last() {
        Work w;
        w.shape = operators::Convolution{32, 64, 56, 56, 64, 3, 3, 1, 1, 1, 1, 1};
        w.passes.forward = true;
        const Device& a100 = device("a100-sxm-40gb");
        const auto first = kernel_time(w, a100, Precision::tf32, Layout::channels_first),
                   last = kernel_time(w, a100, Precision::tf32, Layout::channels_last);
        QVERIFY(first && last);
        const double elements = 2.0 * 32 * 64 * 56 * 56 + 64 * 64 * 9;
        QVERIFY(close(first->time.value - last->time.value, 2 * elements * 4 / (1555e9 * 0.7)));
        // Vector units take them as they lie.
        QCOMPARE(kernel_time(w, a100, Precision::fp32, Layout::channels_first)->time.value,
                 kernel_time(w, a100, Precision::fp32, Layout::channels_last)->time.value);
        // Sums over passes.
        w.passes = {true, true, true};
        const auto all = kernel_time(w, a100, Precision::tf32, Layout::channels_first);
        w.passes = {false, true, true};
        QVERIFY(close(first->time.value + kernel_time(w, a100, Precision::tf32, Layout::channels_first)->time.value,
                      all->time.value));
    }

    /// Three channels fill no 16 bytes: a network's first convolution stays on vector units.
    void first_convolutions_have_no_tensor_cores() {
        Work w;
        w.shape = operators::Convolution{32, 3, 224, 224, 64, 7, 7, 2, 2, 3, 3, 1};
        w.passes.forward = true;
        const Device& a100 = device("a100-sxm-40gb");
        QCOMPARE(kernel_time(w, a100, Precision::tf32, Layout::channels_first)->time.value,
                 kernel_time(w, a100, Precision::fp32, Layout::channels_first)->time.value);
    }

    /// 1×1 filters with channels first are a product for each sample: m = 56·56, n = 256, k = 64, 32 times, on tiles of
    /// 256×128: 32 · 13 · 2 = 832 in 8 waves on 108 processors. But memory takes longer: input, output and filters.
    void pointwise_convolutions_need_no_other_layout() {
        Work w;
        w.shape = operators::Convolution{32, 64, 56, 56, 256, 1, 1, 1, 1, 0, 0, 1};
        w.passes.forward = true;
        const auto t = kernel_time(w, device("a100-sxm-40gb"), Precision::tf32, Layout::channels_first);
        const double elements = 32.0 * 56 * 56 * (64 + 256) + 64 * 256;
        QVERIFY(close(t->time.value, elements * 4 / (1555e9 * 0.7) + 2e-6));
        // Of 7×7 places a row is no multiple of 16 bytes: they are transposed.
        w.shape = operators::Convolution{32, 512, 7, 7, 2048, 1, 1, 1, 1, 0, 0, 1};
        const auto small = kernel_time(w, device("a100-sxm-40gb"), Precision::tf32, Layout::channels_first);
        const auto implicit = kernel_time(w, device("a100-sxm-40gb"), Precision::tf32, Layout::channels_last);
        QVERIFY(close(small->time.value - implicit->time.value,
                      2 * (32.0 * 49 * (512 + 2048) + 512 * 2048) * 4 / (1555e9 * 0.7)));
    }

    void precision_elsewhere() {
        const Gpu v100 = gpu("tesla-v100-sxm2-32gb"), a100 = gpu("a100-sxm-40gb");
        RecordedMath nothing, convolutions;
        convolutions.tf32[static_cast<std::size_t>(WorkClass::convolution)] = true;
        const auto there = [&](Precision here, WorkClass c, const RecordedMath& m, const Gpu& from, const Gpu& to,
                               Tf32 choice = Tf32::as_recorded) {
            return precision_there(here, c, m, from, to, choice);
        };
        using enum Precision;
        const auto conv = WorkClass::convolution, product = WorkClass::matmul;
        // PyTorch's defaults where the origin cannot show them.
        QCOMPARE(there(fp32, conv, nothing, v100, a100), tf32);
        QCOMPARE(there(fp32, product, nothing, v100, a100), fp32);
        QCOMPARE(there(fp32, product, nothing, v100, a100, Tf32::all), tf32);
        QCOMPARE(there(fp32, conv, nothing, v100, a100, Tf32::none), fp32);
        // What the origin shows: convolutions, or nothing, on tensor cores.
        QCOMPARE(there(tf32, conv, convolutions, a100, v100), fp32);
        QCOMPARE(there(fp32, conv, convolutions, a100, gpu("h100-sxm-80gb")), tf32);
        QCOMPARE(there(fp32, conv, nothing, a100, gpu("h100-sxm-80gb")), fp32);
        // The same chip takes the kernels that were recorded.
        QCOMPARE(there(fp32, conv, convolutions, a100, a100), fp32);
        QCOMPARE(there(tf32, conv, convolutions, a100, gpu("a100-sxm-80gb")), tf32);
        QCOMPARE(there(tf32, conv, convolutions, a100, a100, Tf32::none), fp32);
        QCOMPARE(there(fp16, conv, nothing, v100, a100), fp16);
        QCOMPARE(there(bf16, conv, nothing, a100, v100), fp16);
        QCOMPARE(there(fp32, WorkClass::element_wise, nothing, v100, a100), fp32);
        // Sixteen bits where a GPU is faster with them: a V100 is, a P4 has them at 1/64; what does not multiply stays.
        const auto halved = [&](WorkClass c, const Gpu& to) {
            return precision_there(fp32, c, nothing, v100, to, Tf32::as_recorded, true);
        };
        QCOMPARE(halved(conv, v100), fp16);
        QCOMPARE(halved(product, a100), fp16);
        QCOMPARE(halved(conv, gpu("tesla-p4")), fp32);
        QCOMPARE(halved(WorkClass::batch_norm, a100), fp32);
    }
};

QTEST_APPLESS_MAIN(TestTransferKernels)
#include "tst_transfer_kernels.moc"
