// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/simulate.hpp"
#include "reference/support_paleo.hpp"

#include <QTest>

using namespace scalescope;
using namespace scalescope::paleo;

class TestPaleoSimulate : public QObject {
    Q_OBJECT

private slots:
    void data_parallel_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("simulate_data") << "simulate_data" << 1920;
        QTest::newRow("simulate_data_pipeline") << "simulate_data_pipeline" << 128;
        QTest::newRow("synthetic_simulate_data") << "synthetic_simulate_data" << 24;
    }

    void data_parallel() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        int checked = 0;
        for (const auto& row : paleo_test::csv(file.toStdString()).rows) {
            const auto scaling = row["scaling"] == "weak" ? Scaling::weak : Scaling::strong;
            const auto point = simulate_data(paleo_test::plan(row["net"], Era::head), paleo_test::setup(row), scaling,
                                             row.integer("batch_arg"), row.integer("workers"));
            const auto difference = paleo_test::disagreement(row, point);
            QVERIFY2(difference.empty(), difference.c_str());
            ++checked;
        }
        qInfo("%d rows", checked);
        QCOMPARE(checked, rows);
    }

    /// Named exceptions: the rows on which PALEO crashed (code_raises); there only a sane answer is asked for.
    void model_parallel() {
        int checked = 0, crashed = 0;
        for (const auto& row : paleo_test::csv("simulate_model").rows) {
            const auto point =
                simulate_model(paleo_test::plan(row["net"], Era::head), paleo_test::setup(row), row.integer("batch"));
            ++checked;
            if (!row["code_raises"].empty()) {
                QVERIFY(point.forward.lower > Seconds{} && point.forward.lower < point.forward.upper);
                QVERIFY(point.backward.lower > Seconds{} && point.backward.lower < point.backward.upper);
                ++crashed;
                continue;
            }
            const auto& bounds = row["pass"] == "Fwd" ? point.forward : point.backward;
            PALEO_AGREES(row, "lowerbound_ms", in_milliseconds(bounds.lower));
            PALEO_AGREES(row, "upperbound_ms", in_milliseconds(bounds.upper));
        }
        qInfo("%d rows, on %d of them PALEO crashes", checked, crashed);
        QCOMPARE(checked, 32);
        QCOMPARE(crashed, 8);
    }

    void hybrid() {
        int checked = 0;
        for (const auto& row : paleo_test::csv("simulate_hybrid").rows) {
            const auto point = simulate_hybrid(paleo_test::plan(row["net"], Era::head), paleo_test::setup(row),
                                               row.integer("batch_arg"), row.integer("hybrid_workers"));
            const auto& part = row["part"] == "data_parallel_part" ? point.data : point.model;
            QCOMPARE(point.effective_batch, row.integer("effective_batch"));
            PALEO_AGREES(row, "fwd_ms", in_milliseconds(part.forward));
            PALEO_AGREES(row, "bwd_ms", in_milliseconds(part.backward));
            PALEO_AGREES(row, "apply_ms", in_milliseconds(part.update));
            PALEO_AGREES(row, "sync_tree_ms", in_milliseconds(part.sync));
            ++checked;
        }
        qInfo("%d rows", checked);
        QCOMPARE(checked, 192);
    }
};

QTEST_APPLESS_MAIN(TestPaleoSimulate)
#include "tst_paleo_simulate.moc"
