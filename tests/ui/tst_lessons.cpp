// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window: opened, worked through, left; what was open before is as it was.
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "support_lessons.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/lessons/lesson_list.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/step_dots.hpp"
#include "ui/lessons/task_card.hpp"
#include "ui/widgets/answer_button.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using lessons_test::LessonFixture;

class TestLessons : public QObject, private LessonFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void a_file_opens_beside_the_charts() {
        QVERIFY(!desk().is_open() && desk().dock()->isHidden());
        open_lesson();
        QVERIFY(desk().is_open());
        QVERIFY(desk().dock()->isVisible());
        QVERIFY(desk().dock()->width() >= space::lesson_width);
        QCOMPARE(label("stepTitle"), QStringLiteral("More workers, smaller shares"));
        QCOMPARE(label("stepWhere"), QStringLiteral("Step 1 of 4"));
        QCOMPARE(scenario().cluster.workers, std::int64_t{2});
        QCOMPARE(find<TaskCard>("taskCard")->state_text(), QStringLiteral("To do"));
        // Figures, answers and why make room for it.
        QVERIFY(find<DockCard>("whyDock")->isHidden() && find<DockCard>("numbersDock")->isHidden());
    }

    /// The hand drags, the answer comes, the task is done; nobody was kept from going on before.
    void dragging_does_the_task() {
        open_lesson();
        QSignalSpy done(desk().run(), &LessonRun::task_done);
        QVERIFY(panel().next_button()->isEnabled());
        auto* slider = find<WorkerSlider>("workersSlider");
        const QPoint from(qRound(slider->x_of(2)), 14);
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        bool nearly = false;
        for (const int workers : {3, 5, 9, 14, 17, 24, 33}) {
            QTest::mouseMove(slider, QPoint(qRound(slider->x_of(workers)), 14));
            settle();
            nearly |= find<TaskCard>("taskCard")->state_text() == QStringLiteral("Nearly there");
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, QPoint(qRound(slider->x_of(33)), 14));
        settle();
        QVERIFY(nearly);
        QCOMPARE(done.size(), 1);
        QCOMPARE(find<TaskCard>("taskCard")->state_text(), QStringLiteral("Done"));
        QCOMPARE(panel().next_button()->property("kind").toString(), QStringLiteral("primary"));
        // Done stays done, whatever is tried after.
        slider->choose(1);
        settle();
        QCOMPARE(desk().run()->task(), LessonRun::TaskState::done);
    }

    /// What a hand passes on its way is not what it chose.
    void a_task_is_judged_when_the_hand_is_released() {
        open_lesson();
        auto* slider = find<WorkerSlider>("workersSlider");
        const auto at = [&](int workers) { return QPoint(qRound(slider->x_of(workers)), 14); };
        QTest::mousePress(slider, Qt::LeftButton, {}, at(2));
        for (const int workers : {17, 33, 64}) {
            QTest::mouseMove(slider, at(workers));
            settle();
        }
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});  // which would do
        QVERIFY(desk().run()->task() != LessonRun::TaskState::done);
        for (const int workers : {17, 2}) {
            QTest::mouseMove(slider, at(workers));
            settle();
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, at(2));
        settle();
        QCOMPARE(desk().run()->task(), LessonRun::TaskState::open);
    }

    void hints_come_one_by_one() {
        open_lesson();
        auto* hint = find<QPushButton>("hint");
        QVERIFY(!window_->findChild<QLabel*>(QStringLiteral("hint0")));
        QTest::mouseClick(hint, Qt::LeftButton);
        settle();
        QVERIFY(find<QLabel>("hint0")->isVisible());
        QVERIFY(!window_->findChild<QLabel*>(QStringLiteral("hint1")));
        QTest::mouseClick(hint, Qt::LeftButton);
        settle();
        QVERIFY(find<QLabel>("hint1")->isVisible());
        QVERIFY(hint->isHidden());
    }

    void answers_explain_themselves() {
        open_lesson();
        click_next();
        click_next();
        QTest::mouseClick(find<AnswerButton>("answer0"), Qt::LeftButton);
        settle();
        QCOMPARE(find<AnswerButton>("answer0")->verdict(), AnswerButton::Verdict::wrong);
        QVERIFY(find<QLabel>("explanation0")->text().contains(QStringLiteral("Not so.")));
        QCOMPARE(find<AnswerButton>("answer1")->verdict(), AnswerButton::Verdict::none);
        QVERIFY(find<QLabel>("explanation0")->isVisible() && find<QLabel>("explanation1")->isHidden());
        QTest::mouseClick(find<AnswerButton>("answer1"), Qt::LeftButton);
        settle();
        QCOMPARE(find<AnswerButton>("answer1")->verdict(), AnswerButton::Verdict::right);
        QVERIFY(find<QLabel>("explanation1")->text().contains(QStringLiteral("Right.")));
    }

    void next_back_and_dots_lead_anywhere() {
        open_lesson();
        QVERIFY(!panel().back_button()->isEnabled());
        click_next();
        QCOMPARE(desk().run()->step(), 1);
        QCOMPARE(scenario().training.batch, std::int64_t{64});
        QTest::mouseClick(panel().dots()->dot(3), Qt::LeftButton);
        settle();
        QCOMPARE(desk().run()->step(), 3);
        QCOMPARE(panel().next_button()->text(), QStringLiteral("Finish"));
        QTest::mouseClick(panel().back_button(), Qt::LeftButton);
        settle();
        QCOMPARE(desk().run()->step(), 2);
        action("nextStep").trigger();
        QCOMPARE(desk().run()->step(), 3);
    }

    /// A step that sets nothing leaves the person's own scenario alone; the reset brings the step's.
    void a_step_that_goes_on_keeps_what_was_tried() {
        open_lesson();
        click_next();
        set_workers(77);
        click_next();
        QCOMPARE(scenario().cluster.workers, std::int64_t{77});
        QTest::mouseClick(find<QToolButton>("resetStep"), Qt::LeftButton);
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{2});
        window_->document().history().undo();
        QCOMPARE(scenario().cluster.workers, std::int64_t{77});
    }

    void leaving_brings_everything_back() {
        Document& document = window_->document();
        set_workers(48);
        const QString file = folder_.filePath(QStringLiteral("mine.json"));
        QVERIFY(window_->save_to(file));
        const int saved = document.history().index();
        document.pin();
        set_workers(64);
        set_workers(96);
        document.history().undo();
        open_page("timeline");
        find<SpeedupChart>("speedupChart")->zoom_by(0.5);
        settle();
        const Scenario before = scenario();
        const Pins pins = document.pins();
        const QString undo = document.history().undoText(), redo = document.history().redoText();
        const int index = document.history().index(), count = document.history().count();
        const QString title = window_->windowTitle();
        const ChartView view = find<SpeedupChart>("speedupChart")->view();
        const auto places = dock_places();

        open_lesson();
        QVERIFY(document.file().isEmpty() && document.pins().empty());
        QCOMPARE(document.history().count(), 0);
        set_workers(7);
        click_next();
        set_workers(9);
        document.pin();
        QTest::mouseClick(find<QToolButton>("leaveLesson"), Qt::LeftButton);
        settle();

        QVERIFY(!desk().is_open() && desk().dock()->isHidden());
        QVERIFY(scenario() == before);
        QVERIFY(document.pins() == pins);
        QCOMPARE(document.file(), file);
        QVERIFY(document.dirty());
        QCOMPARE(document.history().undoText(), undo);
        QCOMPARE(document.history().redoText(), redo);
        QCOMPARE(document.history().index(), index);
        QCOMPARE(document.history().count(), count);
        QCOMPARE(window_->windowTitle(), title);
        QVERIFY(window_->isWindowModified());
        QVERIFY(find<SpeedupChart>("speedupChart")->view() == view);
        QCOMPARE(dock_places(), places);
        document.history().redo();
        QCOMPARE(scenario().cluster.workers, std::int64_t{96});
        while (document.history().index() > saved) {
            QVERIFY(document.dirty());
            document.history().undo();
        }
        QVERIFY(!document.dirty());
        QCOMPARE(scenario().cluster.workers, std::int64_t{48});
        // The actions in the menu follow the history that came back.
        for (const QAction* a : window_->findChildren<QAction*>())
            if (a->text().startsWith(QStringLiteral("Redo"))) QVERIFY(a->isEnabled());
    }

    void what_was_tried_can_be_taken_along() {
        open_lesson();
        set_workers(7);
        QVERIFY(desk().leave());
        settle();
        QVERIFY(scenario().cluster.workers != 7);
        for (auto* button : window_->findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Take over"))) QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{7});
        window_->document().history().undo();
        QVERIFY(scenario().cluster.workers != 7);
    }

    void progress_is_kept_over_a_restart() {
        open_lesson();
        set_workers(64);
        QCOMPARE(desk().run()->task(), LessonRun::TaskState::done);
        click_next();
        close();
        LessonFixture::WindowFixture::open();
        open_lesson();
        QCOMPARE(desk().run()->step(), 1);
        QCOMPARE(desk().run()->task_of(0), LessonRun::TaskState::done);
        QTest::mouseClick(panel().dots()->dot(0), Qt::LeftButton);
        settle();
        QCOMPARE(find<TaskCard>("taskCard")->state_text(), QStringLiteral("Done"));
    }

    void a_broken_file_says_where_and_nothing_is_lost() {
        set_workers(48);
        QByteArray text = lessons_test::lesson_text();
        text.replace("communication > step / 4", "comunication > step / 4");
        window_->open(write("broken-lesson.json", text));
        QVERIFY(!window_->finish_opening());
        settle();
        QVERIFY(!desk().is_open());
        QCOMPARE(scenario().cluster.workers, std::int64_t{48});
        QCOMPARE(window_->document().history().index(), 1);
        auto* problems = window_->findChild<QWidget*>(QStringLiteral("problems"));
        Q_UNUSED(problems)
        QCOMPARE(window_->findChild<BottomTabs*>()->current(), QStringLiteral("problems"));
    }

    void a_step_shows_hides_and_points() {
        open_lesson();
        // Charts are lit, the field is pointed at.
        const auto lit = desk().stage().spotlight().lit();
        QVERIFY(std::find(lit.begin(), lit.end(), find<StepTimeChart>("stepChart")) != lit.end());
        QCOMPARE(lit.size(), std::size_t{2});
        click_next();  // shows the batch alone
        QVERIFY(find<NumberField>("batch")->isVisible());
        QVERIFY(!find<NumberField>("workersField")->isVisible());
        QVERIFY(!find<Combo>("collective")->isVisible());
        QVERIFY(!find<Combo>("device")->isVisible());
        // What the panel has to say meanwhile does not lift the curtain.
        set_workers(9);
        QVERIFY(!find<Combo>("collective")->isVisible());
        click_next();
        QVERIFY(find<NumberField>("workersField")->isVisible());
        QVERIFY(find<Combo>("collective")->isVisible());
        QVERIFY(find<Combo>("device")->isVisible());
        QVERIFY(desk().stage().spotlight().lit().empty());
        click_next();
        QVERIFY(desk().leave());
        settle();
        QVERIFY(find<Combo>("device")->isVisible() && find<Combo>("overlap")->isVisible());
    }

    void places_are_those_that_lessons_may_name() {
        for (const std::string_view name : lessons::chart_names)
            QVERIFY2(desk().stage().place(std::string(name)), name.data());
        for (const std::string_view name : lessons::panel_names)
            QVERIFY2(desk().stage().place(std::string(name)), name.data());
        for (const auto& [id, chart] : window_->charts())
            QVERIFY2(std::find(lessons::chart_names.begin(), lessons::chart_names.end(), id.toStdString()) !=
                         lessons::chart_names.end(),
                     qPrintable(id));
    }

    void every_shipped_lesson_opens_and_every_step_shows() {
        for (const auto& preset : window_->library().lessons) {
            desk().open_shipped(QString::fromStdString(preset.id), true);
            QVERIFY2(desk().is_open(), preset.id.c_str());
            settle();
            while (!desk().run()->is_last()) {
                click_next();
                QVERIFY2(window_->result()->estimate, preset.id.c_str());
            }
            QVERIFY(desk().leave());
        }
    }

    void the_list_says_how_far_one_came() {
        action("allLessons").trigger();
        auto* list = find<LessonList>("lessonList");
        QCOMPARE(list->list()->count(), static_cast<int>(window_->library().lessons.size()));
        if (list->list()->count() == 0) return;
        QCOMPARE(list->open_button()->text(), QStringLiteral("Begin"));
        QTest::keyClick(list->list(), Qt::Key_Return);
        settle();
        QVERIFY(desk().is_open());
        click_next();
        QVERIFY(desk().leave());
        action("allLessons").trigger();
        settle();
        QVERIFY(action("resumeLesson").isEnabled());
    }

    void opening_a_scenario_leaves_the_lesson_first() {
        set_workers(48);
        const QString file = folder_.filePath(QStringLiteral("other.json"));
        QVERIFY(window_->save_to(file));
        open_lesson();
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QVERIFY(!desk().is_open());
        QCOMPARE(window_->document().file(), file);
        QCOMPARE(scenario().cluster.workers, std::int64_t{48});
    }

    void saving_from_within_a_lesson() {
        open_lesson();
        set_workers(12);
        const QString file = folder_.filePath(QStringLiteral("tried.json"));
        QVERIFY(window_->save_to(file));
        QVERIFY(!window_->document().dirty());
        QVERIFY(desk().leave());
        settle();
        QVERIFY(window_->document().file().isEmpty());
        window_->open(file);
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().cluster.workers, std::int64_t{12});
    }
};

QTEST_MAIN(TestLessons)
#include "tst_lessons.moc"
