// SPDX-License-Identifier: GPL-3.0-or-later
// Measured runs in the real windows: dropped, edited, filtered, fitted, and drawn beside the model's speedup.
#include <QCheckBox>
#include <QClipboard>
#include <QDropEvent>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "core/base/atomic_file.hpp"
#include "support_questions.hpp"
#include "support_window.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/language/language.hpp"
#include "ui/measure/fit_charts.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/runs_table.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestMeasureRuns : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    MeasureWindow& measure() { return window_->measurements(); }
    RunsDocument& runs() { return measure().runs_page()->document(); }
    RunsTable* table() { return measure().findChild<RunsTable*>(); }
    template <class T>
    T* in(const char* name) {
        T* widget = measure().findChild<T*>(QLatin1String(name));
        if (!widget) qFatal("no widget %s", name);
        return widget;
    }
    static QString data(const char* name) { return QStringLiteral(SCALESCOPE_TEST_DATA "/fit/") + QLatin1String(name); }

    void drop(QWidget& on, const QString& file) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&on, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(20, 20), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&on, &event);
        QVERIFY(window_->finish_opening());
        settle();
    }
    void click(const char* button) { QTest::mouseClick(in<QPushButton>(button), Qt::LeftButton); }
    void fit() {
        click("fit");
        QTRY_VERIFY_WITH_TIMEOUT(!runs().fitting(), 120'000);
        settle();
    }
    void choose(const char* combo, const char* id) {
        auto* c = in<Combo>(combo);
        c->set_current(QLatin1String(id));
        emit c->chosen(QLatin1String(id));
        settle();
    }
    QPoint cell(int row, int column) {
        const QModelIndex at = table()->model()->index(row, column);
        table()->scrollTo(at);
        return table()->visualRect(at).center();
    }
    /// QTest moves the cursor of the screen, where the main window lies on top.
    static void move(QWidget* on, QPoint there) {
        QMouseEvent event(QEvent::MouseMove, there, on->mapToGlobal(QPointF(there)), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(on, &event);
    }
    void double_click(int row, int column) {
        const QPoint there = cell(row, column);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, there);
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, there);
    }
    QString shown(int row, int column) { return table()->model()->index(row, column).data().toString(); }
    int column_of(const char* name) {
        for (int c = 0; c < table()->model()->columnCount(); ++c)
            if (table()->model()->headerData(c, Qt::Horizontal).toString() == QLatin1String(name)) return c;
        qFatal("no column %s", name);
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        open();
        settle();
    }
    void cleanup() {
        window_.reset();
        use_language(Language::english);
    }

    void a_table_is_dropped_fitted_and_saved() {
        const auto before = window_->document().scenario();
        drop(*window_, data("g2-generic-noise5.csv"));
        QVERIFY(measure().isVisible());
        QVERIFY(window_->document().scenario() == before);  // runs change no scenario
        QCOMPARE(table()->model()->rowCount(), 240);
        QCOMPARE(shown(0, RunsTableModel::use), QStringLiteral("fitted"));
        QCOMPARE(shown(4, RunsTableModel::use), QStringLiteral("held out"));
        QVERIFY(shown(0, RunsTableModel::predicted).isEmpty());
        QCOMPARE(in<Combo>("mapTime")->current_text(), QStringLiteral("time_s"));
        QCOMPARE(in<Combo>("mapWorkers")->current_text(), QStringLiteral("workers"));
        QCOMPARE(in<Combo>("role_workers")->current_text(), QStringLiteral("scales"));
        QCOMPARE(in<Combo>("role_filters")->current_text(), QStringLiteral("power"));
        QVERIFY(!in<QPushButton>("saveFit")->isEnabled());
        in<NumberField>("fitRefits")->choose(40);
        fit();
        QVERIFY(runs().fit());
        // The reference's figures of this table (its README): 3.60 % on the fitted, 3.90 % on the held out.
        QVERIFY(std::abs(runs().fit()->fit.metrics.training.mean_error - 0.0360) < 0.0005);
        QVERIFY(std::abs(runs().fit()->fit.metrics.held_out.mean_error - 0.0390) < 0.0005);
        QVERIFY(in<QLabel>("fitVerdict")->text().contains(QStringLiteral("3.6\u00a0% on 192 fitted")));
        QVERIFY(!shown(0, RunsTableModel::predicted).isEmpty());
        const XyChart* chart = measure().runs_page()->predicted_chart();
        QCOMPARE(chart->data().series.front().points.size(), std::size_t{240});
        QVERIFY(chart->isVisible());
        QVERIFY(!runs().costs().empty());
        const QString file = folder_.filePath(QStringLiteral("fit.json"));
        QVERIFY(measure().save_fit_to(file));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const auto json = QJsonDocument::fromJson(written.readAll()).object();
        QCOMPARE(json[QStringLiteral("form")].toString(), QStringLiteral("product"));
        QCOMPARE(json[QStringLiteral("data_hash")].toString().toStdString(), runs().fit()->data_hash);
    }

    /// "workers" is a word that the window tells, and here the name of a column.
    void columns_keep_their_names_in_other_languages() {
        use_language(Language::german);
        drop(*window_, data("g2-generic-noise5.csv"));
        QCOMPARE(in<Combo>("mapWorkers")->current_text(), QStringLiteral("workers"));
        QStringList ids;
        for (const ComboItem& item : in<Combo>("mapWorkers")->items()) ids << item.id;
        QVERIFY(ids.contains(QStringLiteral("workers")) && !ids.contains(QStringLiteral("Worker")));
        QCOMPARE(in<Combo>("role_workers")->current_text(), QStringLiteral("skaliert"));
    }

    void a_saved_fit_is_opened() {
        const QString table_file = data("g2-generic-noise5.csv"),
                      file = folder_.filePath(QStringLiteral("opened.json"));
        drop(*window_, table_file);
        auto options = runs().state().options;
        options.refits = 20;
        options.loss = measure::Loss::huber;
        runs().set_options(options, QStringLiteral("huber"));
        runs().set_hold({6, 0.0});
        fit();
        QVERIFY(measure().save_fit_to(file));
        const auto predicted = runs().fit()->fit.predicted;

        // Without its table: curves, constants and the speedup chart's curve are there.
        open();
        settle();
        drop(*window_, file);
        QVERIFY(measure().isVisible() && runs().empty() && runs().fit_is_foreign());
        QCOMPARE(runs().fit()->fit.predicted, predicted);
        QCOMPARE(measure().runs_page()->predicted_chart()->data().series.front().points.size(), std::size_t{240});
        QVERIFY(measure().runs_page()->predicted_chart()->isVisible());
        QVERIFY(in<QLabel>("fitVerdict")->text().contains(QStringLiteral("shown without its table")));
        QVERIFY(!in<QPushButton>("fit")->isEnabled() && in<QPushButton>("saveFit")->isEnabled());
        QVERIFY(in<QCheckBox>("inSpeedup")->isEnabled());
        in<QCheckBox>("inSpeedup")->setChecked(true);
        QVERIFY(measure().runs_page()->curve());
        const QString again = folder_.filePath(QStringLiteral("again.json"));
        QVERIFY(measure().save_fit_to(again));
        QCOMPARE(read_file(again.toStdString())->size(), read_file(file.toStdString())->size());

        // Its table comes: it belongs, with the settings it was made with, and nothing needs fitting.
        drop(measure(), table_file);
        QVERIFY(!runs().fit_is_foreign() && !runs().fit_is_stale());
        QCOMPARE(runs().state().hold.every, std::size_t{6});
        QVERIFY(runs().state().options.loss == measure::Loss::huber);
        QVERIFY(!shown(0, RunsTableModel::predicted).isEmpty());

        // Another table: the fit goes. Opened beside it, it says that it is from other runs.
        drop(measure(), data("g1-generic-noiseless.csv"));
        QVERIFY(!runs().fit());
        drop(measure(), file);
        QVERIFY(runs().fit() && runs().fit_is_foreign());
        QVERIFY(in<QLabel>("fitVerdict")->text().contains(QStringLiteral("from other runs")));
        QVERIFY(shown(0, RunsTableModel::predicted).isEmpty());
        QVERIFY(runs().state().options.loss == measure::Loss::squared);

        // The table is open with other settings: the fit brings its own, and one step takes them back.
        drop(measure(), table_file);
        drop(measure(), file);
        QVERIFY(!runs().fit_is_stale() && !runs().fit_is_foreign());
        QVERIFY(runs().state().options.loss == measure::Loss::huber);
        runs().history().undo();
        QVERIFY(runs().fit_is_stale() && !runs().fit_is_foreign());
        QVERIFY(runs().state().options.loss == measure::Loss::squared);
    }

    void a_cell_is_edited_by_hand() {
        drop(*window_, data("g2-generic-noise5.csv"));
        const int workers = column_of("workers");
        const QString was = shown(2, workers);
        double_click(2, workers);
        auto* editor = table()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("3"));
        QTest::keyClick(editor, Qt::Key_Return);
        settle();
        QCOMPARE(shown(2, workers), QStringLiteral("3"));
        QCOMPARE(runs().runs()->find("workers")->numbers[2], 3.0);
        QVERIFY(runs().dirty());
        QVERIFY(measure().isWindowModified());
        // What is no number leaves the run out, and says so with its row.
        double_click(2, column_of("time_s"));
        editor = table()->viewport()->findChild<QLineEdit*>();
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("late"));
        QTest::keyClick(editor, Qt::Key_Return);
        settle();
        QCOMPARE(shown(2, RunsTableModel::use), QStringLiteral("not read"));
        QCOMPARE(runs().runs()->size(), std::size_t{239});
        QVERIFY(!runs().imported()->warnings.empty());
        // Saved and opened again it is the same table.
        const QString file = folder_.filePath(QStringLiteral("edited.csv"));
        QVERIFY(measure().save_table_to(file));
        QVERIFY(!runs().dirty());
        const auto kept = runs().sheet();
        drop(measure(), file);
        QVERIFY(runs().sheet() == kept);
        QCOMPARE(runs().history().count(), 0);
    }

    /// A cell that a spreadsheet would take for a formula is copied as text, from the runs and from the report tables.
    void copied_cells_are_no_formulas() {
        drop(*window_, data("g2-generic-noise5.csv"));
        runs().set_cell(2, std::size_t(column_of("filters") - RunsTableModel::first_cell), QStringLiteral("=1+1"));
        settle();
        table()->select_row(2);
        QTest::keySequence(table(), QKeySequence::Copy);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.value(1).split(QLatin1Char('\t')).value(column_of("filters")), QStringLiteral("'=1+1"));
        ChartTableModel model;
        model.set_table(
            {{{QStringLiteral("=name"), QStringLiteral("=Name"), {}}}, {{ChartCell(QStringLiteral("@x"))}}});
        const std::unique_ptr<QTableView> report(make_report_table(model, QStringLiteral("report"), false));
        report->selectAll();
        report->actions().front()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("'=Name\n'@x"));
    }

    void rows_are_removed_and_come_back() {
        drop(*window_, data("g2-generic-noise5.csv"));
        const QString first = shown(0, column_of("run_id")), third = shown(2, column_of("run_id"));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell(0, 0));
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, Qt::ShiftModifier, cell(1, 0));
        QTest::keyClick(table(), Qt::Key_Delete);
        settle();
        QCOMPARE(table()->model()->rowCount(), 238);
        QCOMPARE(shown(0, column_of("run_id")), third);
        QTest::keyClick(&measure(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QCOMPARE(table()->model()->rowCount(), 240);
        QCOMPARE(shown(0, column_of("run_id")), first);
        QVERIFY(!runs().dirty());
    }

    void filters_and_held_out_runs() {
        drop(*window_, data("g2-generic-noise5.csv"));
        choose("mapSplit", "run_id");  // neither train nor test: an error that says so, and nothing is lost
        QVERIFY(!runs().imported());
        QVERIFY(!in<QPushButton>("fit")->isEnabled());
        runs().history().undo();
        QVERIFY(runs().imported());
        click("addFilter");
        Combo* column = nullptr;
        for (auto* c : measure().findChildren<Combo*>())
            if (c->accessibleName() == QStringLiteral("Column to filter by")) column = c;
        QVERIFY(column);
        column->set_current(QStringLiteral("workers"));
        emit column->chosen(QStringLiteral("workers"));
        QLineEdit* value = nullptr;
        for (auto* e : measure().findChildren<QLineEdit*>())
            if (e->accessibleName() == QStringLiteral("Value to compare with")) value = e;
        value->setFocus();
        QTest::keyClicks(value, QStringLiteral("4"));
        QTest::keyClick(value, Qt::Key_Return);
        settle();
        const std::size_t fours = runs().runs()->size();
        QVERIFY(fours > 0 && fours < 240);
        for (const double w : runs().runs()->find("workers")->numbers) QCOMPARE(w, 4.0);
        QVERIFY(in<QLabel>("runsSummary")->text().contains(QStringLiteral("rows not read")));
        runs().history().undo();
        QCOMPARE(runs().runs()->size(), std::size_t{240});
        in<NumberField>("holdAbove")->choose(8);
        for (std::size_t i = 0; i < 240; ++i)
            QCOMPARE(bool(runs().runs()->held_out[i]), runs().runs()->find("workers")->numbers[i] > 8);
    }

    void every_choice_stays_chosen() {
        drop(*window_, data("g2-generic-noise5.csv"));
        for (const char* name :
             {"fitForm", "fitLoss", "fitLambda", "fitPenalty", "fitOptimizer", "mapUnit", "mapSplit"}) {
            auto* combo = in<Combo>(name);
            const auto items = combo->items();
            for (const ComboItem& item : items) {
                choose(name, item.id.toUtf8().constData());
                QCOMPARE(in<Combo>(name)->current(), item.id);
            }
        }
        QCOMPARE(runs().state().options.lambda.value_or(0.0), 1e-3);
        // What makes no sense (tokens a second, a split by numbers) is undone like anything else.
        while (runs().history().canUndo()) runs().history().undo();
        QVERIFY(runs().imported().has_value());
        QCOMPARE(in<Combo>("fitForm")->current(), QStringLiteral("product"));
    }

    /// Two runs for three constants: no intervals, no band, and a verdict that says so.
    void a_fit_that_is_not_determined() {
        const auto read = measure::import_runs("workers,time_s\n1,1\n2,.5\n", "two.csv").value();
        measure::FitOptions options;
        options.form.extrinsic = {"workers"};
        const measure::FittedRuns fitted{
            measure::fit_runs(read.runs, options).value(), read.runs, read.rows, read.data_hash, read.used, {}};
        for (const auto& row : constants_table(fitted).rows) {
            QVERIFY(row[2] == ChartCell() && row[3] == ChartCell());
            QCOMPARE(row[5].text(), QStringLiteral("not determined"));
        }
        for (const auto what : {OverWorkers::time, OverWorkers::speedup})
            for (const auto& series : over_workers_data(fitted, 0, what).series)
                for (const auto& point : series.points) QVERIFY(!point.band);
        for (const auto& point : fitted_curve(fitted, 0).points) QVERIFY(point.low == 0.0 && point.high == 0.0);
        double sum = 0.0;
        for (const auto& row : factors_table(fitted).rows) sum += row[1].number();
        QVERIFY(std::abs(sum - 100.0) < 1e-6);
    }

    void a_fit_is_cancelled() {
        drop(*window_, data("g2-generic-noise5.csv"));
        choose("fitOptimizer", "de");
        in<NumberField>("fitRefits")->choose(10'000);
        click("fit");
        QVERIFY(runs().fitting());
        QCOMPARE(in<QPushButton>("fit")->text(), QStringLiteral("Cancel"));
        QCOMPARE(in<SegmentedControl>("fitChart")->current(), QStringLiteral("cost"));
        QTRY_VERIFY_WITH_TIMEOUT(!measure().runs_page()->cost_chart()->data().series.front().points.empty(), 60'000);
        click("fit");
        QVERIFY(!runs().fitting());
        QVERIFY(!runs().fit());
        QCOMPARE(in<QPushButton>("fit")->text(), QStringLiteral("Fit"));
    }

    void a_fit_that_no_longer_belongs_says_so() {
        drop(*window_, data("g2-generic-noise5.csv"));
        in<NumberField>("fitRefits")->choose(0);
        fit();
        QVERIFY(!runs().fit_is_stale());
        runs().set_cell(0, std::size_t(column_of("filters") - RunsTableModel::first_cell), QStringLiteral("9"));
        QVERIFY(runs().fit_is_stale());
        QVERIFY(in<QLabel>("fitVerdict")->text().contains(QStringLiteral("fit again")));
        QVERIFY(!in<QPushButton>("saveFit")->isEnabled());
        runs().history().undo();
        QVERIFY(!runs().fit_is_stale());
        choose("role_chunks", "0");
        QVERIFY(runs().fit_is_stale());
    }

    void the_fit_stands_beside_the_model() {
        drop(*window_, data("p1-physical-ring-noise3.csv"));
        choose("fitForm", "physical");
        in<NumberField>("fitRefits")->choose(40);
        auto* wanted = in<QCheckBox>("inSpeedup");
        QVERIFY(!wanted->isEnabled());
        fit();
        auto* speedup = window_->findChild<SpeedupChart*>(QStringLiteral("speedupChart"));
        QVERIFY(!speedup->data().fitted);
        QTest::mouseClick(wanted, Qt::LeftButton, {}, QPoint(8, wanted->height() / 2));
        settle();
        QVERIFY(speedup->data().fitted);
        const FittedCurve& curve = *speedup->data().fitted;
        QVERIFY(!curve.measured.empty());
        const auto at = [&](double w) {
            for (const FittedPoint& p : curve.points)
                if (p.workers == w) return p;
            qFatal("no such count");
        };
        QCOMPARE(at(1).speedup, 1.0);
        QVERIFY(!at(16).extrapolated);
        QVERIFY(at(64).extrapolated);
        QVERIFY(at(16).low < at(16).speedup && at(16).speedup < at(16).high);
        // The runs themselves lie near it.
        for (const FittedPoint& m : curve.measured) QVERIFY(std::abs(m.speedup / at(m.workers).speedup - 1.0) < 0.15);
        // It travels with the numbers behind the chart.
        bool column = false;
        for (const auto& c : speedup->table().columns) column |= c.key == QStringLiteral("speedup_fitted");
        QVERIFY(column);
        // A click on a run shows its like.
        XyChart* over = measure().runs_page()->workers_chart();
        auto* choice = in<SegmentedControl>("fitChart");
        QTest::mouseClick(choice->button(QStringLiteral("workers")), Qt::LeftButton);
        settle();
        QVERIFY(over->isVisible());
        over->refresh();
        settle();
        const XyPoint point = over->data().series.back().points.front();
        const QPoint there(qRound(over->x_pixel(point.x)), qRound(over->y_pixel(point.y)));
        move(over, there);
        QVERIFY(!over->tooltip_text().isEmpty());
        QTest::mouseClick(over, Qt::LeftButton, {}, there);
        QCOMPARE(table()->currentIndex().row(), point.id);
        QTest::mouseClick(wanted, Qt::LeftButton, {}, QPoint(8, wanted->height() / 2));
        settle();
        QVERIFY(!speedup->data().fitted);
    }

    void another_table_asks_about_a_fit_that_is_not_saved() {
        drop(*window_, data("g2-generic-noise5.csv"));
        in<NumberField>("fitRefits")->choose(0);
        fit();
        const FittedRunsPtr made = runs().fit();
        {
            window_test::Questions asked(QMessageBox::Cancel);
            drop(measure(), data("g1-generic-noiseless.csv"));
            QCOMPARE(asked.asked(), 1);
            QVERIFY(runs().fit() == made);
            QCOMPARE(table()->model()->rowCount(), 240);
        }
        const QString file = folder_.filePath(QStringLiteral("asked.json"));
        QVERIFY(measure().save_fit_to(file));
        {
            window_test::Questions asked(QMessageBox::Cancel);
            drop(measure(), data("g1-generic-noiseless.csv"));
            QCOMPARE(asked.asked(), 0);
            QVERIFY(!runs().fit());
            // As it was opened: nothing to ask about.
            drop(measure(), data("g2-generic-noise5.csv"));
            QCOMPARE(asked.asked(), 0);
        }
        // What the columns are was chosen by hand.
        choose("role_chunks", "0");
        {
            window_test::Questions asked(QMessageBox::Cancel);
            drop(measure(), data("g1-generic-noiseless.csv"));
            QCOMPARE(asked.asked(), 1);
            QCOMPARE(table()->model()->rowCount(), 240);
        }
        window_test::Questions asked(QMessageBox::Discard);
        drop(measure(), data("g1-generic-noiseless.csv"));
        QCOMPARE(asked.asked(), 1);
        QVERIFY(runs().file().endsWith(QLatin1String("g1-generic-noiseless.csv")));
        // A saved fit does not take the place of one that is not saved either.
        in<NumberField>("fitRefits")->choose(0);
        fit();
        drop(measure(), file);
        QCOMPARE(asked.asked(), 2);
        QCOMPARE(runs().fit_file(), file);
    }

    void a_broken_table_is_no_loss() {
        drop(*window_, data("g2-generic-noise5.csv"));
        const auto before = runs().sheet();
        const QString file = folder_.filePath(QStringLiteral("broken.csv"));
        QFile broken(file);
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("workers,time_s\n1,2\n2,\"3\n");
        broken.close();
        window_->open(file);
        QVERIFY(!window_->finish_opening());
        QVERIFY(runs().sheet() == before);
    }
};

QTEST_MAIN(TestMeasureRuns)
#include "tst_measure_runs.moc"
