// SPDX-License-Identifier: GPL-3.0-or-later
// Published results predicted (tests/data/published): coverage, and errors that may only get better.
#include <QtTest>

#include "core/base/atomic_file.hpp"
#include "core/measure/validate/validate.hpp"

using namespace scalescope;
using namespace scalescope::measure;

namespace {

const formats::Library& shipped() {
    static const auto library = formats::load_shipped();
    return library;
}

Validation validated(const std::string& file, Calibrate calibrate) {
    const std::string path = SCALESCOPE_TEST_DATA "/published/" + file;
    const auto text = read_file(path);
    const auto table = formats::parse_csv(text.value(), path);
    const auto rows = read_published(table.value());
    return validate(rows.value(), shipped(), shipped_profiles().value(), {calibrate, {}}).value();
}

const GroupSummary* group(const Validation& v, const std::string& range) {
    for (const auto& g : v.groups)
        if (g.range == range) return &g;
    return nullptr;
}

}  // namespace

class TestValidation : public QObject {
    Q_OBJECT

private slots:
    void more_workers_from_one_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("range");
        QTest::addColumn<double>("reached");  ///< mean error in percent that was reached once
        QTest::addColumn<double>("share");    ///< of the errors of what is fitted on these very rows
        QTest::newRow("TensorFlow, to 8") << "tensorflow-benchmarks-2017.csv"
                                          << "2–8 workers" << 4.34 << 1.0;
        QTest::newRow("TensorFlow, above") << "tensorflow-benchmarks-2017.csv"
                                           << "more than 8" << 4.57 << 1.0;
        QTest::newRow("NVIDIA, to 8") << "nvidia-dle.csv"
                                      << "2–8 workers" << 3.14 << 2.0 / 3;
        QTest::newRow("NVIDIA, above") << "nvidia-dle.csv"
                                       << "more than 8" << 4.32 << 2.0 / 3;
        QTest::newRow("Lambda, to 8") << "lambda-tensorflow.csv"
                                      << "2–8 workers" << 12.98 << 2.0 / 3;
    }
    void more_workers_from_one() {
        QFETCH(QString, file);
        QFETCH(QString, range);
        QFETCH(double, reached);
        QFETCH(double, share);
        const auto v = validated(file.toStdString(), Calibrate::first_row);
        const GroupSummary* g = group(v, range.toStdString());
        QVERIFY(g);
        qInfo("mean %.4f %%, linear %.3f, constant %.3f, power %.3f", 100 * g->ours.mean, 100 * g->linear->mean,
              100 * g->constant->mean, 100 * g->power->mean);
        QVERIFY(g->coverage() >= 0.95);
        QVERIFY2(100 * g->ours.mean <= reached, qPrintable(QString::number(100 * g->ours.mean)));
        // At most half as far off as speedup n; better than any constant and any power law fitted on these very rows.
        QVERIFY(g->ours.mean <= 0.5 * g->linear->mean);
        QVERIFY(g->ours.mean < share * g->constant->mean);
        QVERIFY(g->ours.mean < share * g->power->mean);
    }

    void one_device_uncalibrated_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("reached");  ///< median error in percent
        QTest::newRow("TensorFlow") << "tensorflow-benchmarks-2017.csv" << 41.6;
        QTest::newRow("NVIDIA") << "nvidia-dle.csv" << 19.6;
        QTest::newRow("Lambda") << "lambda-tensorflow.csv" << 26.2;
        QTest::newRow("MXNet") << "mxnet-single-gpu-batch-sweep.csv" << 33.0;
    }
    void one_device_uncalibrated() {
        QFETCH(QString, file);
        QFETCH(double, reached);
        const auto v = validated(file.toStdString(), Calibrate::none);
        const GroupSummary* g = group(v, "1 worker");
        QVERIFY(g && g->roofline);
        qInfo("median %.4f %%, roofline %.3f", 100 * g->ours.median, 100 * g->roofline->median);
        QVERIFY(g->coverage() >= 0.95);
        QVERIFY2(100 * g->ours.median <= reached, qPrintable(QString::number(100 * g->ours.median)));
        QVERIFY(g->ours.median <= 0.7 * g->roofline->median);
    }
};

QTEST_APPLESS_MAIN(TestValidation)
#include "tst_validation.moc"
