// SPDX-License-Identifier: GPL-3.0-or-later
// Published results in the real windows: dropped, compared with the model, and a point opened as a scenario.
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTemporaryDir>

#include "support_window.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/columns_dialog.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/widgets/combo.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestMeasureValidation : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    MeasureWindow& measure() { return window_->measurements(); }
    ValidationPage& page() { return *measure().validation_page(); }
    static QString results() {
        return QStringLiteral(SCALESCOPE_TEST_DATA "/published/tensorflow-benchmarks-2017.csv");
    }
    void validated() {
        page().work().finish();
        settle();
    }
    void open_results() {
        measure().show_page(MeasureWindow::Page::validation);
        window_->open(results());
        QVERIFY(window_->finish_opening());
        validated();
    }
    void choose(const char* combo, const char* id) {
        auto* c = measure().findChild<Combo*>(QLatin1String(combo));
        c->set_current(QLatin1String(id));
        emit c->chosen(QLatin1String(id));
        validated();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    /// A table of results is a table of runs too: it is read as those, and the comparison is offered.
    void a_table_of_results_is_offered_to_be_compared() {
        window_->open(results());
        QVERIFY(window_->finish_opening());
        QVERIFY(measure().isVisible());
        QVERIFY(measure().runs_page()->document().runs());
        QVERIFY(page().empty());
        QPushButton* compare = nullptr;
        for (auto* b : measure().findChildren<QPushButton*>())
            if (b->text() == QStringLiteral("Compare with the model")) compare = b;
        QVERIFY(compare);
        QTest::mouseClick(compare, Qt::LeftButton);
        validated();
        QVERIFY(page().isVisible());
        QVERIFY(page().validation());
        QVERIFY(!page().chart()->data().series.empty());
    }

    void every_row_has_a_prediction_or_a_reason() {
        open_results();
        const measure::Validation& v = *page().validation();
        QVERIFY(v.rows.size() > 20);
        std::size_t drawn = 0;
        for (const auto& series : page().chart()->data().series) drawn += series.points.size();
        std::size_t predicted = 0;
        for (const auto& row : v.rows) {
            QVERIFY(row.predicted.has_value() != !row.reason.empty());
            predicted += row.predicted.has_value();
        }
        QCOMPARE(drawn, predicted);
        QCOMPARE(page().rows_view()->model()->rowCount(), int(v.rows.size()));
        QVERIFY(measure()
                    .findChild<QLabel*>(QStringLiteral("validationVerdict"))
                    ->text()
                    .contains(QStringLiteral("predicted")));
    }

    void learning_from_one_worker_is_an_option() {
        open_results();
        const auto before = page().validation();
        choose("validateCalibrate", "first-row");
        QVERIFY(page().validation() != before);
        bool learnt = false, calibrated = false;
        for (const auto& row : page().validation()->rows) {
            learnt |= row.learnt_from;
            calibrated |= row.evidence == measure::Evidence::calibrated;
        }
        QVERIFY(learnt && calibrated);
        choose("validateModel", "roofline");
        QVERIFY(page().validation() != before);
    }

    /// A table whose figures nothing names is asked about; what is answered is kept beside it and read next time.
    void columns_are_corrected_and_kept() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("results.csv"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("Net,Card,Cards,Each,Quickness\nResNet-50,V100 32GB,1,32,360\nResNet-50,V100 32GB,8,32,2700\n");
        out.close();
        measure().show_page(MeasureWindow::Page::validation);
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        auto* dialog = measure().findChild<ColumnsDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(!dialog->rows());
        const auto hold = [&](const char* column, const char* means) {
            auto* combo = dialog->findChild<Combo*>(QLatin1String("means ") + QLatin1String(column));
            QVERIFY(combo);
            combo->set_current(QLatin1String(means));
            emit combo->chosen(QLatin1String(means));
        };
        hold("Net", "network");
        hold("Card", "device");
        hold("Cards", "workers");
        hold("Each", "batch_per_worker");
        hold("Quickness", "images/s");
        dialog->findChild<QLineEdit*>(QStringLiteral("all precision"))->setText(QStringLiteral("fp16"));
        QVERIFY(dialog->rows() && dialog->rows()->size() == 2);
        const auto corrections = dialog->corrections();
        dialog->accept();
        validated();
        QCOMPARE(page().validation()->rows.size(), std::size_t{2});
        for (const auto& row : page().validation()->rows) QVERIFY2(row.predicted, row.reason.c_str());
        QVERIFY(QFile::exists(file + QStringLiteral(".map")));

        // Asked again, it shows them; taken back, the file goes.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QTest::mouseClick(measure().findChild<QPushButton*>(QStringLiteral("validateColumns")), Qt::LeftButton);
        dialog = measure().findChild<ColumnsDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->corrections(), corrections);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("columnsReset")), Qt::LeftButton);
        QVERIFY(dialog->corrections().empty() && !dialog->rows());
        dialog->reject();
    }

    void a_point_is_opened_as_a_scenario_and_undone() {
        open_results();
        const Scenario before = scenario();
        XyChart* chart = page().chart();
        chart->refresh();
        settle();
        const XyPoint point = chart->data().series.back().points.back();
        QTest::mouseClick(chart, Qt::LeftButton, {},
                          QPoint(qRound(chart->x_pixel(point.x)), qRound(chart->y_pixel(point.y))));
        settle();
        const int opened = chart->selected();
        QVERIFY(opened >= 0);
        const auto& there = page().validation()->rows[std::size_t(opened)];
        QCOMPARE(scenario().cluster.workers, there.row.workers);
        QVERIFY(scenario().workload == there.scenario->workload);
        QVERIFY(window_->result()->estimate.has_value());
        const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(page().rows_view()->model());
        QCOMPARE(sorted->mapToSource(page().rows_view()->currentIndex()).row(), opened);
        window_->document().history().undo();
        QVERIFY(scenario() == before);
    }

    void the_table_is_cleared() {
        open_results();
        QTest::mouseClick(measure().findChild<QPushButton*>(QStringLiteral("validateClear")), Qt::LeftButton);
        QVERIFY(page().empty());
        QVERIFY(!page().validation());
    }
};

QTEST_MAIN(TestMeasureValidation)
#include "tst_measure_validation.moc"
