// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has before them while a lesson is open: all of it on the screen, what it speaks of in sight, and what
// to do next.
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include "support_lessons.hpp"
#include "ui/canvas/border_item.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/task_card.hpp"
#include "ui/widgets/answer_button.hpp"
#include "ui/window/lesson_stage.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestLessonRooms : public QObject, private lessons_test::LessonFixture {
    Q_OBJECT

    void open_shipped(const char* id, int steps) {
        desk().open_shipped(QLatin1String(id), true);
        settle();
        for (int i = 0; i < steps; ++i) click_next();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    /// What is asked for beside the lesson takes the room of what is only there as before.
    void why_stands_beside_a_lesson_and_the_charts_keep_their_room() {
        resize(1280, 800);
        open_shipped("01-layer-cost", 4);
        QTRY_VERIFY(desk().stage().has_settled());
        QVERIFY(find<DockCard>("whyDock")->isVisible() && !find<DockCard>("networkDock")->isVisible());
        QVERIFY(find<QWidget>("layerChart")->width() > 480);
        QTest::mouseClick(panel().back_button(), Qt::LeftButton);
        settle();
        QVERIFY(!find<DockCard>("whyDock")->isVisible() && find<DockCard>("networkDock")->isVisible());
    }

    /// What stood at the right and goes leaves its room to the charts.
    void a_wide_window_gives_the_charts_what_it_has() {
        resize(1920, 1080);
        QVERIFY(find<DockCard>("whyDock")->isVisible());
        open_shipped("04-the-64th-gpu", 0);
        QTRY_VERIFY(desk().stage().has_settled());
        QVERIFY(!find<DockCard>("whyDock")->isVisible());
        QCOMPARE(desk().dock()->width(), static_cast<int>(space::lesson_width));
    }

    /// A panel that is too low for all it holds is scrolled to the control a step points at.
    void what_a_step_points_at_is_in_sight() {
        resize(1440, 900);
        open_shipped("04-the-64th-gpu", 2);
        QTRY_VERIFY(desk().stage().has_settled());
        const auto* link = find<QWidget>("between");
        QCOMPARE(link->visibleRegion().boundingRect().size(), link->size());
    }

    void a_control_that_comes_with_the_answer_is_in_sight() {
        resize(1280, 800);
        open_shipped("13-super-linear", 0);
        QTRY_VERIFY(desk().stage().has_settled());
        const auto* machines = find<QWidget>("partitions");
        QVERIFY(!machines->visibleRegion().isEmpty());
    }

    void the_cut_that_a_step_speaks_of_is_in_sight() {
        resize(1280, 800);
        open_shipped("08-one-weird-trick", 1);
        QVERIFY(!find<DockCard>("paletteDock")->isVisible() && !find<DockCard>("propertiesDock")->isVisible());
        auto& view = window_->findChild<Canvas*>()->view();
        const auto& borders = window_->findChild<Canvas*>()->scene().borders();
        QVERIFY(!borders.empty());
        const auto seen = [&] {
            const double x = view.mapToScene(view.viewport()->rect().center()).x();
            const double y = view.mapFromScene(QPointF(x, borders.front()->height_at(x))).y();
            return y > 0 && y < view.viewport()->height();
        };
        QVERIFY(seen());
        // A hand at the upper edge scrolls as far as there is something to be cut.
        const QPoint tag = view.mapFromScene(borders.front()->tag_box().center());
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, tag);
        QTest::mouseMove(view.viewport(), tag - QPoint(0, 40));
        QTest::mouseMove(view.viewport(), QPoint(tag.x(), 4));
        const auto top = [&] { return view.mapFromScene(view.scene()->sceneRect().topLeft()).y(); };
        const int all = 28 + 14;  // its zone and one notch
        QTRY_VERIFY(view.mapFromScene(window_->findChild<Canvas*>()->scene().sceneRect().topLeft()).y() >= 28);
        QTRY_VERIFY(!view.scrolls_at_edge());
        QVERIFY2(top() <= all, QByteArray::number(top()));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, QPoint(tag.x(), 4));
        settle();
        QVERIFY(seen());
    }

    /// An open task says how it compares, a task that is done offers no hints any more.
    void a_task_says_what_is_asked_for() {
        open_lesson();
        const auto* distance = find<QLabel>("taskDistance");
        QVERIFY2(distance->text().contains(QStringLiteral("asked for >")), qPrintable(distance->text()));
        QVERIFY(distance->wordWrap());
        QVERIFY(find<QPushButton>("hint")->isVisible());
        set_workers(64);
        QCOMPARE(desk().run()->task(), LessonRun::TaskState::done);
        QVERIFY(find<QPushButton>("hint")->isHidden());
    }

    /// A task below the edge of the panel is told of, and a click brings it up.
    void what_is_to_be_done_is_not_missed() {
        resize(1024, 700);
        open_shipped("05-collectives", 1);
        auto* more = find<QPushButton>("lessonMore");
        QTRY_VERIFY(more->isVisible());
        QVERIFY(more->text().contains(QStringLiteral("To do")));
        QTest::mouseClick(more, Qt::LeftButton);
        QTRY_VERIFY(!more->isVisible());
        const auto* card = find<TaskCard>("taskCard");
        const auto* scroll = find<QScrollArea>("lessonScroll");
        QVERIFY(scroll->viewport()->rect().contains(card->mapTo(scroll->viewport(), card->rect().center())));
        scroll->verticalScrollBar()->setValue(0);
        QTRY_VERIFY(more->isVisible());
        Scenario s = scenario();
        s.parallelism.collective = Collective::ring;
        window_->document().edit(std::move(s));
        settle();
        if (desk().run()->task() == LessonRun::TaskState::done) QTRY_VERIFY(!more->isVisible());
    }

    /// A question comes before the way on, and its verdict is said once.
    void a_question_is_answered_first() {
        open_shipped("01-layer-cost", 4);
        const auto primary = [&] {
            return panel().next_button()->property("kind").toString() == QLatin1String("primary");
        };
        QVERIFY(!primary() && panel().next_button()->isEnabled());
        QTest::mouseClick(find<AnswerButton>("answer0"), Qt::LeftButton);
        settle();
        QVERIFY(!primary());
        QTest::mouseClick(find<AnswerButton>("answer1"), Qt::LeftButton);
        settle();
        QVERIFY(primary());
        QCOMPARE(find<QLabel>("explanation1")->accessibleName(),
                 QStringLiteral("Right. Its time is its bytes divided by the bandwidth."));
        QCOMPARE(find<QLabel>("explanation1")->text().count(QStringLiteral("Right")), 1);
    }
};

QTEST_MAIN(TestLessonRooms)
#include "tst_lesson_rooms.moc"
