// SPDX-License-Identifier: GPL-3.0-or-later
// A ResNet-50 step recorded on two GPUs: each predicts the other. Kernel time, without NCCL. No constant of the rules
// was taken from these recordings (docs/decisions/traces.md). Bounds are what is reached; they may only get smaller.
#include <QtTest>

#include "core/formats/library.hpp"
#include "core/measure/kineto/reader.hpp"
#include "core/measure/transfer/predict.hpp"
#include "core/measure/transfer/work.hpp"

using namespace scalescope;
using namespace scalescope::transfer;
using kineto::WorkClass;

namespace {

struct Recording {
    kineto::Trace trace;
    kineto::Digest digest;
    Works works;
};

Recording recording(const std::string& name, const formats::Library& library, bool align_it) {
    auto trace = kineto::read_trace(SCALESCOPE_TEST_DATA "/traces/" + name);
    if (!trace) qFatal("%s", to_text(trace.error().front()).c_str());
    Recording r{std::move(*trace), {}, {}};
    r.digest = kineto::digest(r.trace);
    r.works = recorded_works(r.trace, r.digest);
    if (!align_it) return r;
    const auto* preset = library.find_network("resnet-50");
    const auto network = formats::read_any_network(preset->text, preset->file, nullptr);
    if (const auto done = align(r.works, r.trace, r.digest, **network, 32); !done)
        qFatal("%s", to_text(done.error().front()).c_str());
    return r;
}

/// Convolution, batch norm, the rest, and all of it, in ms a step.
struct Parts {
    double convolution = 0, norm = 0, rest = 0;
    double step() const { return convolution + norm + rest; }
};
Parts parts_of(const Prediction& p, Seconds Times::*which) {
    Parts parts;
    for (std::size_t c = 0; c < kineto::work_classes; ++c) {
        const double t = in_milliseconds(total(p.by_class[c]).*which);
        const auto cls = static_cast<WorkClass>(c);
        (cls == WorkClass::convolution  ? parts.convolution
         : cls == WorkClass::batch_norm ? parts.norm
                                        : parts.rest) += t;
    }
    return parts;
}

double off(double predicted, double measured) { return 100.0 * (predicted / measured - 1.0); }

}  // namespace

class TestTracePrediction : public QObject {
    Q_OBJECT

private slots:
    void one_gpu_from_the_other_data() {
        QTest::addColumn<bool>("to_a100");
        QTest::addColumn<bool>("waves_only");
        QTest::addColumn<double>("step");  // % of error at most
        QTest::addColumn<double>("convolution");
        QTest::addColumn<double>("norm");
        QTest::addColumn<double>("rest");
        QTest::newRow("V100 to A100") << true << false << 1.3 << 3.8 << 4.1 << 7.0;
        QTest::newRow("A100 to V100") << false << false << 3.7 << 6.0 << 4.3 << 5.6;
        QTest::newRow("V100 to A100, wave scaling") << true << true << 63.3 << 117.8 << 16.5 << 6.9;
        QTest::newRow("A100 to V100, wave scaling") << false << true << 36.1 << 51.3 << 12.1 << 5.6;
    }
    void one_gpu_from_the_other() {
        QFETCH(bool, to_a100);
        QFETCH(bool, waves_only);
        const auto library = formats::load_shipped();
        const auto v100 = recording("resnet50-v100-5steps.json.gz", library, true);
        const auto a100 = recording("resnet50-a100-3steps.json.gz", library, true);
        const Recording& from = to_a100 ? v100 : a100;
        const Recording& there = to_a100 ? a100 : v100;
        const auto origin = gpu_of(from.trace, library.catalogue), destination = gpu_of(there.trace, library.catalogue);
        QVERIFY(origin && destination);
        Options options;
        options.wave_scaling_only = waves_only;
        const auto predicted =
            parts_of(predict(from.trace, from.digest, from.works, *origin, *destination, options), &Times::predicted);
        const auto measured =
            parts_of(predict(there.trace, there.digest, there.works, *destination, *destination), &Times::measured);
        const auto check = [](const char* what, double found, double wanted, double bound) {
            const double error = off(found, wanted);
            qInfo("%s: measured %.2f ms, predicted %.2f ms, %+.1f %%", what, wanted, found, error);
            return std::abs(error) <= bound;
        };
        QFETCH(double, step);
        QFETCH(double, convolution);
        QFETCH(double, norm);
        QFETCH(double, rest);
        QVERIFY(check("step", predicted.step(), measured.step(), step));
        QVERIFY(check("convolution", predicted.convolution, measured.convolution, convolution));
        QVERIFY(check("batch norm", predicted.norm, measured.norm, norm));
        QVERIFY(check("the rest", predicted.rest, measured.rest, rest));
    }

    /// Recorded times again.
    void the_gpu_itself() {
        const auto library = formats::load_shipped();
        const auto r = recording("resnet50-v100-5steps.json.gz", library, false);
        const auto origin = gpu_of(r.trace, library.catalogue);
        QVERIFY(origin);
        QCOMPARE(origin->device.id, std::string("tesla-v100-sxm2-32gb"));
        const auto p = predict(r.trace, r.digest, r.works, *origin, *origin);
        QCOMPARE(p.step.predicted.value, p.step.measured.value);
        QVERIFY(std::abs(in_milliseconds(p.step.measured) - 468.15 / 5) < 0.005);
        QCOMPARE(total(p.by_class[0]).predicted.value,
                 p.by_class[0][static_cast<std::size_t>(Rule::measured)].predicted.value);
    }

    /// A board of the same chip with the same figures takes the same time, and so does the GPU itself where not all of
    /// its convolutions are on tensor cores.
    void boards_of_one_chip_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("to");
        QTest::newRow("V100, less memory") << "resnet50-v100-5steps.json.gz"
                                           << "tesla-v100-sxm2-16gb";
        QTest::newRow("A100 itself") << "resnet50-a100-3steps.json.gz"
                                     << "a100-sxm-40gb";
    }
    void boards_of_one_chip() {
        QFETCH(QString, file);
        QFETCH(QString, to);
        const auto library = formats::load_shipped();
        const auto r = recording(file.toStdString(), library, true);
        const auto origin = gpu_of(r.trace, library.catalogue);
        const auto destination = gpu_of(*library.catalogue.device(to.toStdString()));
        QVERIFY(origin && destination);
        const auto p = predict(r.trace, r.digest, r.works, *origin, *destination);
        for (const auto& o : p.operations) QVERIFY(std::abs(o.predicted / o.measured - 1.0) < 1e-9);
        QVERIFY(std::abs(p.step.predicted / p.step.measured - 1.0) < 1e-9);
    }

    /// Backward is forward's order the other way round, and every layer has its operators.
    void aligned_with_the_preset() {
        const auto library = formats::load_shipped();
        const auto r = recording("resnet50-a100-3steps.json.gz", library, true);
        std::size_t forward = 0, backward = 0, norms = 0;
        for (std::size_t i = 0; i < r.works.size(); ++i) {
            if (r.digest.operations[i].step != 0 || !r.works[i].known()) continue;
            const bool conv = r.digest.operations[i].cls == WorkClass::convolution;
            if (r.digest.operations[i].cls == WorkClass::batch_norm) ++norms;
            if (conv) ++(r.works[i].passes.forward ? forward : backward);
            if (r.works[i].layer == "conv1" && !r.works[i].passes.forward)
                QVERIFY(!r.works[i].passes.input_gradient && r.works[i].passes.weight_gradient);
        }
        QCOMPARE(forward, std::size_t{53});
        QCOMPARE(backward, std::size_t{53});
        QCOMPARE(norms, std::size_t{106});
    }

    void other_networks_are_refused_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<QString>("what");
        QTest::newRow("ResNet-18") << "resnet-18"
                                   << "The forward pass has 53 convolutions, ResNet-18 has 20.";
        QTest::newRow("VGG-16") << "vgg-16"
                                << "The forward pass has 53 convolutions, VGG-16 has 13.";
    }
    void other_networks_are_refused() {
        QFETCH(QString, network);
        const auto library = formats::load_shipped();
        auto r = recording("resnet50-a100-3steps.json.gz", library, false);
        const auto* preset = library.find_network(network.toStdString());
        QVERIFY(preset);
        const auto other = formats::read_any_network(preset->text, preset->file, nullptr);
        QVERIFY(other);
        const auto done = align(r.works, r.trace, r.digest, **other, 32);
        QVERIFY(!done);
        QTEST(QString::fromStdString(done.error().front().what), "what");
    }
};

QTEST_APPLESS_MAIN(TestTracePrediction)
#include "tst_trace_prediction.moc"
