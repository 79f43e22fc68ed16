// SPDX-License-Identifier: GPL-3.0-or-later
// The card of the mesh: the equation and its locks, Auto, what does not divide or does not fit, and the charts that
// take the place of speedups where one worker cannot hold the design.
#include <QtTest>

#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "core/estimate/memory.hpp"
#include "core/search/best_mesh.hpp"
#include "support_window.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/design/verdict_card.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestParallelism : public QObject, window_test::WindowFixture {
    Q_OBJECT

    void type(const char* field, const char* text) {
        auto* f = find<NumberField>(field);
        f->setFocus();
        f->selectAll();
        QTest::keyClicks(f, QString::fromUtf8(text));
        QTest::keyClick(f, Qt::Key_Return);
        settle();
    }
    WorkersPanel& panel() { return *window_->findChild<WorkersPanel*>(); }
    void open_llama() {
        window_->open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        settle();
        settle();  // the charts go to more workers now
    }
    void automatic() {
        emit find<Combo>("way")->chosen(QStringLiteral("auto"));
        panel().finish_mesh();
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }

    void auto_takes_the_best_mesh() {
        open_llama();
        const auto best = search::best_mesh(scenario());
        const int steps = window_->document().history().count();
        automatic();
        QVERIFY(panel().automatic());
        QCOMPARE(find<Combo>("way")->current_text(), QStringLiteral("Auto"));
        QVERIFY(scenario().parallelism == best->scenario.parallelism);
        QCOMPARE(window_->document().history().count(), steps + 1);
        // More workers and their mesh are one step.
        find<NumberField>("workersField")->choose(1024);
        panel().finish_mesh();
        settle();
        QCOMPARE(scenario().cluster.workers, 1024);
        QCOMPARE(window_->document().history().count(), steps + 2);
        QVERIFY(degrees_of(scenario()).has_value());
        window_->document().history().undo();
        panel().finish_mesh();
        settle();
        QVERIFY(scenario().parallelism == best->scenario.parallelism && panel().automatic());
        // What was made by hand is not taken over by Auto.
        window_->document().history().undo();
        panel().finish_mesh();
        settle();
        QVERIFY(!panel().automatic());
        QCOMPARE(scenario().parallelism.tensor, 8);
    }

    void locks_keep_degrees() {
        open_llama();
        find<QToolButton>("lock_tensor")->setChecked(true);
        find<QToolButton>("lock_pipeline")->setChecked(true);
        automatic();
        QCOMPARE(scenario().parallelism.tensor, 8);
        QCOMPARE(scenario().parallelism.pipeline, 4);
        window_->analyst().finish();
        QVERIFY(find<QPushButton>("useBest")->isVisible());
        find<QPushButton>("useBest")->click();
        panel().finish_mesh();
        settle();
        QVERIFY(panel().locks().empty());
        QVERIFY(scenario().parallelism.tensor != 8 || scenario().parallelism.pipeline != 4);
    }

    void another_device_has_another_mesh_in_the_same_step() {
        open_llama();
        automatic();
        const int steps = window_->document().history().count();
        emit find<Combo>("device")->chosen(QStringLiteral("b200-sxm-180gb"));
        panel().finish_mesh();
        settle();
        QVERIFY(panel().automatic());
        QCOMPARE(window_->document().history().count(), steps + 1);
        QVERIFY(scenario().parallelism == search::best_mesh(scenario())->scenario.parallelism);
    }

    void degrees_are_typed() {
        open_llama();
        type("data", "32");
        QCOMPARE(scenario().cluster.workers, 512);
        QCOMPARE(degrees_of(scenario())->data, 32);
        QCOMPARE(find<Combo>("way")->current_text(), QStringLiteral("Custom"));
    }

    void what_does_not_divide_is_mended() {
        open_llama();
        find<NumberField>("workersField")->choose(500);
        settle();
        auto* text = find<QLabel>("meshMisfit");
        QVERIFY(text->isVisible() && text->text().contains(QStringLiteral("500")));
        auto* first = text->parentWidget()->findChild<QPushButton*>();
        QVERIFY(first != nullptr);
        first->click();
        settle();
        QCOMPARE(scenario().cluster.workers, 480);
        QVERIFY(!text->isVisible() && window_->result()->estimate);
    }

    /// Lines that come and go while the hand moves do not move the charts to and fro.
    void charts_stay_in_place_while_dragging() {
        open_llama();
        auto* slider = find<WorkerSlider>("workersSlider");
        const auto at = [&](int workers) { return QPoint(qRound(slider->x_of(workers)), slider->height() / 2); };
        const auto drag_to = [&](int workers) {
            const QPointF to = at(workers);
            QMouseEvent move(QEvent::MouseMove, to, slider->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QApplication::sendEvent(slider, &move);
            settle();
        };
        auto* chart = find<SpeedupChart>("speedupChart");
        auto* undo = window_->findChild<QAction*>(QStringLiteral("undo"));
        const QRect before = chart->geometry();
        const QString name = undo->text();
        QTest::mousePress(slider, Qt::LeftButton, {}, at(512));
        std::vector<QRect> places;
        int misfits = 0;
        for (const int workers : {300, 512, 250, 512, 333, 512}) {
            drag_to(workers);
            misfits += find<QLabel>("meshMisfit")->isVisible() ? 1 : 0;
            places.push_back(chart->geometry());
        }
        QVERIFY2(misfits >= 2, qPrintable(QString::number(misfits)));
        QVERIFY(std::all_of(places.begin() + 1, places.end(), [&](QRect place) { return place == places[1]; }));
        QCOMPARE(undo->text(), name);
        drag_to(256);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, at(256));
        settle();
        settle();
        QVERIFY(degrees_of(scenario()).has_value());
        QVERIFY(!find<QLabel>("meshMisfit")->isVisible());
        QCOMPARE(chart->geometry(), before);
        QVERIFY2(undo->text() != name, qPrintable(undo->text()));
    }

    void what_does_not_fit_is_mended() {
        open_llama();
        auto* verdict = window_->findChild<VerdictCard*>();
        QVERIFY(!verdict->isVisible());
        choose("data");
        QVERIFY(verdict->isVisible());
        QVERIFY(verdict->accessibleName().contains(QStringLiteral("1.45")));
        QTRY_COMPARE(verdict->findChildren<QPushButton*>().size(), 3);
        const auto buttons = verdict->findChildren<QPushButton*>();
        const int steps = window_->document().history().count();
        buttons.front()->click();
        settle();
        QVERIFY(!verdict->isVisible());
        QVERIFY(fits_device(scenario(), window_->result()->estimate->memory));
        QCOMPARE(window_->document().history().count(), steps + 1);
        window_->document().history().undo();
        settle();
        QVERIFY(verdict->isVisible());
    }

    void rates_take_the_place_of_speedups() {
        auto* ways = find<StackChart>("waysChart");
        QVERIFY(!ways->isVisible());
        QCOMPARE(find<SpeedupChart>("speedupChart")->title(), QStringLiteral("Speedup"));
        open_llama();
        QVERIFY(ways->isVisible() && !ways->is_empty());
        const auto* chart = find<SpeedupChart>("speedupChart");
        QCOMPARE(chart->title(), QStringLiteral("Throughput"));
        QVERIFY(chart->data().rate && chart->data().rate->fits_from > 1);
        QCOMPARE(find<WorkerSlider>("workersSlider")->maximum(), 16384);
        const StackData& memory = find<StackChart>("memoryChart")->data();
        QCOMPARE(memory.rows.size(), std::size_t{4});
        QCOMPARE(memory.limit, 80e9);
        for (std::size_t i = 0; i < memory.rows.size(); ++i)
            QVERIFY(std::abs(memory.rows[i].sum() - window_->result()->estimate->stages[i].memory.peak.value) < 1);
        // A click on a way takes it.
        QTRY_COMPARE(ways->data().rows.front().name, QStringLiteral("Auto"));
        emit ways->row_chosen(ways->data().rows.front().id);
        settle();
        QVERIFY(scenario().parallelism == search::best_mesh(scenario())->scenario.parallelism);
    }

    /// At each count the best mesh, which no other way beats where both have a point.
    void auto_is_one_more_way_of_throughput() {
        open_llama();
        const auto* chart = window_->findChild<SpeedupChart*>();
        const auto curve = [chart]() -> const SpeedupCurve& { return chart->data().curves.back(); };
        QCOMPARE(curve().name, QStringLiteral("Auto"));
        window_->analyst().finish();
        window_->mesh_curve().finish();
        const SpeedupCurve best = curve();
        QCOMPARE(best.name, QStringLiteral("Auto"));
        QVERIFY(best.points.size() >= 8);
        QCOMPARE(best.points.back().workers, 16384);
        for (const SpeedupPoint& p : best.points) {
            Scenario s = scenario();
            s.cluster.workers = p.workers;
            if (p.workers == 512) QCOMPARE(p.speedup, search::best_mesh(s)->summary.throughput().value * tokens_of(s));
            for (const SpeedupCurve& way : chart->data().curves)
                for (const SpeedupPoint& other : way.points)
                    if (other.workers == p.workers && other.speedup > 0) QVERIFY(p.speedup > 0.9 * other.speedup);
        }
        // Another mesh and another count have the same curve, another batch has not.
        find<NumberField>("workersField")->choose(1024);
        settle();
        QVERIFY(curve() == best);
        find<NumberField>("batch")->choose(2.0 * static_cast<double>(scenario().training.batch));
        settle();
        QVERIFY(curve().points.empty());
        window_->analyst().finish();
        window_->mesh_curve().finish();
        QVERIFY(!curve().points.empty() && !(curve() == best));
    }

    void auto_is_computed_once_its_chart_is_back() {
        window_->resize(1024, 700);
        open_page("sensitivity");
        open_llama();
        const auto* chart = window_->findChild<SpeedupChart*>();
        const auto finish = [this] {
            window_->analyst().finish();
            window_->mesh_curve().finish();
            settle();
        };
        finish();
        QVERIFY(!chart->isVisible() && chart->data().curves.back().points.empty());
        window_->resize(1440, 1200);
        settle();
        finish();
        QVERIFY(chart->isVisible());
        QVERIFY(!chart->data().curves.back().points.empty());
    }

    void the_view_keeps_auto_and_locks() {
        open_llama();
        find<QToolButton>("lock_tensor")->setChecked(true);
        automatic();
        QVERIFY(window_->save_to(folder_.filePath(QStringLiteral("auto.json"))));
        open();
        QVERIFY(!panel().automatic());
        window_->open(folder_.filePath(QStringLiteral("auto.json")));
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(panel().automatic());
        QVERIFY(panel().locks().contains("parallelism.tensor"));
    }
};

QTEST_MAIN(TestParallelism)
#include "tst_parallelism.moc"
