// SPDX-License-Identifier: GPL-3.0-or-later
// The model calibrated on a table of runs in the real windows: dropped, fitted, kept, used in the design and undone.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <fstream>

#include "core/estimate/estimate.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/scenario/calibrated.hpp"
#include "support_questions.hpp"
#include "support_window.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/measure/calibration_page.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_document.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/evidence_tag.hpp"
#include "ui/widgets/key_figures.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestMeasureCalibration : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    QTemporaryDir own_;

    MeasureWindow& measure() { return window_->measurements(); }
    CalibrationPage& page() { return *measure().calibration_page(); }
    QString write(const char* name, const std::string& text) {
        const QString file = own_.filePath(QLatin1String(name));
        std::ofstream(file.toStdString()) << text;
        return file;
    }
    /// Steps of the design with constants of the test's own.
    QString runs(const char* name = "our-runs.csv") {
        std::string text = "workers,batch_per_worker,time_s\n";
        for (const std::int64_t workers : {1, 2, 4, 8}) {
            Scenario s = scenario();
            s.model.compute = Fraction{0.55};
            s.model.overhead = milliseconds(3);
            s.cluster.workers = workers;
            s.training.batch_rule = BatchRule::per_worker;
            s.training.batch = 32;
            text += std::to_string(workers) + ",32," + std::to_string(estimate(s).value().summary.step.value) + '\n';
        }
        return write(name, text);
    }
    void open_runs() {
        window_->open(runs());
        QVERIFY(window_->finish_opening());
        measure().show_page(MeasureWindow::Page::calibration);
    }
    void calibrate() {
        QTest::mouseClick(measure().findChild<QPushButton*>(QStringLiteral("calibrate")), Qt::LeftButton);
        page().work().finish();
        settle();
        QVERIFY(page().made());
    }
    QPushButton* keep() { return measure().findChild<QPushButton*>(QStringLiteral("keepCalibration")); }
    EvidenceTag* tag() { return find<EvidenceTag>("numbersEvidence"); }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        open();
        window_ = std::make_unique<MainWindow>(QString(), own_.filePath(QStringLiteral("own")));
        window_->start();
        window_->finish_opening();
        window_->resize(1440, 900);
        window_->QWidget::show();
        settle();
    }
    void cleanup() {
        window_.reset();
        QDir(own_.filePath(QStringLiteral("own"))).removeRecursively();
    }

    void runs_calibrate_the_design() {
        QVERIFY(!tag()->isVisible());
        open_runs();
        QVERIFY(!keep()->isEnabled());
        calibrate();
        QVERIFY(page().made()->fit.error_after < 0.01);
        QCOMPARE(page().chart()->data().series.size(), std::size_t{2});
        QCOMPARE(page().chart()->data().series[1].points.size(), std::size_t{4});
        QVERIFY(measure()
                    .findChild<QLabel*>(QStringLiteral("calibrationVerdict"))
                    ->text()
                    .startsWith(QStringLiteral("4 times")));
        auto* name = measure().findChild<QLineEdit*>(QStringLiteral("calibrationName"));
        QCOMPARE(name->text(), QStringLiteral("our-runs"));
        name->clear();
        QVERIFY(!keep()->isEnabled());
        QTest::keyClicks(name, QStringLiteral("Our GPUs"));
        const int before = window_->document().history().count();
        QTest::mouseClick(keep(), Qt::LeftButton);
        settle();
        QCOMPARE(window_->document().history().count(), before + 1);
        QVERIFY(QFile::exists(own_.filePath(QStringLiteral("own/calibrations/our-gpus.json"))));
        const CalibratedConstant* compute = scenario().model.calibration->constant("model.compute");
        QVERIFY(std::abs(scenario().model.compute.value - compute->value / 100) < 1e-9);
        QVERIFY(compute->low < 55 && compute->high > 55);
        // Every figure says so; 32 workers were not measured.
        QVERIFY(tag()->isVisible());
        QCOMPARE(tag()->accessibleName(), QStringLiteral("Evidence: extrapolated"));
        QTRY_VERIFY(window_->result()->band);
        bool band = false;
        const auto& figures = find<KeyFigures>("numbers")->figures();
        for (int r = 0; r < figures.rowCount(); ++r) band |= figures.row(r).id == QStringLiteral("band");
        QVERIFY(band);
        QVERIFY(find<SpeedupChart>("speedupChart")
                    ->notes()
                    .join(QLatin1Char(' '))
                    .contains(QStringLiteral("Extrapolated from 4 points (Our GPUs)")));
        // It is a choice of the model's panel now, and undo brings back what was.
        auto* reached = find<Combo>("percents");
        QCOMPARE(reached->current_text(), QStringLiteral("Our GPUs"));
        window_->document().history().undo();
        settle();
        QVERIFY(!tag()->isVisible());
        QVERIFY(!window_->result()->band);
        reached->set_current(QStringLiteral("calibration:our-gpus"));
        emit reached->chosen(QStringLiteral("calibration:our-gpus"));
        settle();
        QVERIFY(scenario().model.calibration);
        // A constant changed by hand is no longer calibrated.
        Scenario s = scenario();
        s.model.compute = Fraction{0.9};
        window_->document().edit(std::move(s));
        settle();
        QCOMPARE(tag()->accessibleName(), QStringLiteral("Evidence: changed"));
        QCOMPARE(reached->current_text(), QString());
    }

    /// The window's own names of it again after a new start.
    void kept_for_the_next_start() {
        open_runs();
        calibrate();
        QTest::mouseClick(keep(), Qt::LeftButton);
        settle();
        MainWindow next(QString(), own_.filePath(QStringLiteral("own")));
        QCOMPARE(next.library().calibrations.size(), std::size_t{1});
        QCOMPARE(next.library().calibrations.front().name, std::string("our-runs"));
        // Kept again under the same name, it takes the place of the first, if that is wanted.
        calibrate();
        {
            window_test::Questions asked(QMessageBox::Cancel);
            const int before = window_->document().history().count();
            QTest::mouseClick(keep(), Qt::LeftButton);
            QCOMPARE(asked.asked(), 1);
            QVERIFY(asked.text().contains(QLatin1String("our-runs")));
            QCOMPARE(window_->document().history().count(), before);
        }
        window_test::Questions asked(QMessageBox::Save);
        QTest::mouseClick(keep(), Qt::LeftButton);
        QCOMPARE(asked.asked(), 1);
        QCOMPARE(window_->library().calibrations.size(), std::size_t{1});
    }

    void leaving_asks_about_a_calibration_that_is_nowhere() {
        open_runs();
        calibrate();
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY2(asked.text().contains(QLatin1String("the calibration you made")), qPrintable(asked.text()));
        }
        QVERIFY(measure().save_calibration_to(own_.filePath(QStringLiteral("ours.json"))));
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
    }

    void a_folder_that_cannot_be_written_is_said() {
        open_runs();
        calibrate();
        QFile in_the_way(own_.filePath(QStringLiteral("own")));
        QVERIFY(in_the_way.open(QIODevice::WriteOnly));
        QTest::mouseClick(keep(), Qt::LeftButton);
        settle();
        bool said = false;
        for (const auto* banner : measure().findChildren<Banner*>())
            said |= banner->isVisible() && banner->accessibleName().contains(QLatin1String("own/calibrations"));
        QVERIFY(said);
        // Nothing pretends to be kept, and the calibration can be kept elsewhere.
        QVERIFY(window_->library().calibrations.empty() && !scenario().model.calibration);
        QVERIFY(measure().save_calibration_to(own_.filePath(QStringLiteral("elsewhere.json"))));
        QVERIFY(in_the_way.remove());
        QTest::mouseClick(keep(), Qt::LeftButton);
        QCOMPARE(window_->library().calibrations.size(), std::size_t{1});
    }

    void a_calibration_is_opened_as_a_file() {
        open_runs();
        calibrate();
        const QString file = own_.filePath(QStringLiteral("ours.json"));
        QVERIFY(measure().save_calibration_to(file));
        QVERIFY(!scenario().model.calibration);
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(scenario().model.calibration);
        QCOMPARE(find<Combo>("percents")->current_text(), QStringLiteral("our-runs"));
    }

    void a_table_that_says_nothing() {
        window_->open(write("no-runs.csv", "colour,shape\nred,round\n"));
        window_->finish_opening();
        measure().show_page(MeasureWindow::Page::calibration);
        page().start();
        page().work().finish();
        QVERIFY(!page().made());
        QVERIFY(!page().chart()->data().empty_reason.isEmpty());
        QVERIFY(!keep()->isEnabled());
    }

    /// Operators timed one by one open on this page, and correct traces, not the design.
    void operators_give_corrections() {
        window_->open(QStringLiteral(SCALESCOPE_TEST_DATA "/measured/script-sample.csv"));
        QVERIFY(window_->finish_opening());
        QVERIFY(page().isVisible());
        calibrate();
        QVERIFY(page().made()->operators);
        QVERIFY(!page().chart()->isVisible());
        const int before = window_->document().history().count();
        QTest::mouseClick(keep(), Qt::LeftButton);
        settle();
        QCOMPARE(window_->library().calibrations.size(), std::size_t{1});
        QVERIFY(!window_->library().calibrations.front().operators.empty());
        QCOMPARE(window_->document().history().count(), before);
    }

    void another_table_makes_it_stale() {
        open_runs();
        calibrate();
        measure().runs_page()->document().remove_rows({0});
        QVERIFY(measure()
                    .findChild<QLabel*>(QStringLiteral("calibrationVerdict"))
                    ->text()
                    .startsWith(QStringLiteral("The table has changed")));
    }
};

QTEST_MAIN(TestMeasureCalibration)
#include "tst_measure_calibration.moc"
