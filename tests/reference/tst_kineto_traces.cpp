// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of real steps: counts and sums known from elsewhere.
#include <QtTest>

#include "core/measure/kineto/digest.hpp"
#include "core/measure/kineto/reader.hpp"

using namespace scalescope;
using namespace scalescope::kineto;

class TestKinetoTraces : public QObject {
    Q_OBJECT

    static Trace read(const std::string& name) {
        auto trace = read_trace(SCALESCOPE_TEST_DATA "/traces/" + name);
        return trace ? std::move(*trace) : Trace{};
    }
    static double ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

private slots:
    void counts_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("device");
        QTest::addColumn<int>("kernels");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("computing");  // ms, without NCCL
        QTest::newRow("V100") << "resnet50-v100-5steps.json.gz"
                              << "Tesla V100-SXM2-32GB" << 4350 << 5 << 468.15;
        QTest::newRow("A100") << "resnet50-a100-3steps.json.gz"
                              << "NVIDIA A100-PG509-200" << 2700 << 3 << 115.66;
        QTest::newRow("AlexNet") << "alexnet-a100.json.gz"
                                 << "NVIDIA A100-PG509-200" << 79 << 1 << 10.69;
    }
    void counts() {
        QFETCH(QString, file);
        QFETCH(int, kernels);
        QFETCH(int, steps);
        QFETCH(double, computing);
        const Trace trace = read(file.toStdString());
        QCOMPARE(static_cast<int>(trace.kernels.size()), kernels);
        QVERIFY(trace.warnings.empty());
        QTEST(QString::fromStdString(trace.devices.at(0).name), "device");
        const Digest d = digest(trace);
        QCOMPARE(static_cast<int>(d.steps.size()), steps);
        QCOMPARE(d.outside, std::size_t{0});
        std::int64_t sum = 0, by_phase = 0, by_class = 0, in_operations = 0, communication = 0;
        std::size_t launched = 0;
        for (const Step& s : d.steps) {
            sum += s.kernel_time;
            communication += s.communication_time;
            for (const auto t : s.by_phase) by_phase += t;
            for (const auto t : s.by_class) by_class += t;
        }
        for (const Operation& o : d.operations) {
            in_operations += o.kernel_time;
            launched += o.kernels;
        }
        QVERIFY2(std::abs(ms(sum) - computing) < 0.005, qPrintable(QString::number(ms(sum))));
        QCOMPARE(by_phase, sum);
        QCOMPARE(by_class, sum + communication);
        QCOMPARE(in_operations, sum + communication);
        QCOMPARE(launched, trace.kernels.size());
    }

    void device_as_recorded() {
        const auto device = read("resnet50-v100-5steps.json.gz").devices.at(0);
        QCOMPARE(device.processors, std::int64_t{80});
        QCOMPARE(device.capability.digits(), 70);
        QCOMPARE(device.memory, std::int64_t{34079637504});
        QCOMPARE(device.shared_per_block_optin, std::int64_t{98304});
    }

    /// Sums of `dur` by name of the launching operator, counted with another program.
    void a_step_of_the_v100() {
        const Trace trace = read("resnet50-v100-5steps.json.gz");
        const Digest d = digest(trace);
        QVERIFY(d.named_phases);
        QCOMPARE(d.steps[0].name, std::string("ProfilerStep#101"));
        for (const Step& s : d.steps) {
            QCOMPARE(s.kernels, std::size_t{870});
            QCOMPARE(s.communication_kernels, std::size_t{0});
        }
        const auto phase = [&](Phase p) { return ms(d.steps[0].by_phase[static_cast<std::size_t>(p)]); };
        QVERIFY(std::abs(phase(Phase::forward) - 29.835) < 5e-4);
        QVERIFY(std::abs(phase(Phase::backward) - 62.758) < 5e-4);
        QVERIFY(std::abs(phase(Phase::optimizer) - 1.104) < 5e-4);
        const auto cls = [&](WorkClass c) {
            std::int64_t sum = 0;
            for (const Step& s : d.steps) sum += s.by_class[static_cast<std::size_t>(c)];
            return ms(sum) / 5.0;
        };
        QVERIFY(std::abs(cls(WorkClass::convolution) - 60.172) < 1e-3);
        QVERIFY(std::abs(cls(WorkClass::batch_norm) - 17.209) < 1e-3);
        QVERIFY(std::abs(cls(WorkClass::other)) < 1e-9);
    }

    void communication_of_the_a100() {
        const Trace trace = read("resnet50-a100-3steps.json.gz");
        QCOMPARE(trace.world_size, std::int64_t{2});
        const Digest d = digest(trace);
        for (const Step& s : d.steps) {
            QCOMPARE(s.kernels, std::size_t{893});
            QCOMPARE(s.communication_kernels, std::size_t{7});
            QVERIFY(s.overlapped > 0 && s.overlapped <= s.communication_time);
            QVERIFY(s.idle > 0 && s.idle < s.device.length);
        }
        QVERIFY(std::abs(ms(d.steps[0].communication_time) - 11.989) < 2e-3);
        QCOMPARE(d.streams.size(), std::size_t{2});
    }
};

QTEST_APPLESS_MAIN(TestKinetoTraces)
#include "tst_kineto_traces.moc"
