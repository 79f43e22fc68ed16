// SPDX-License-Identifier: GPL-3.0-or-later
// The tour of the first start: points at real widgets, blocks nothing, is seen once and can be taken again.
#include <QPushButton>
#include <QToolBar>
#include <QToolButton>

#include "support_window.hpp"
#include "ui/tour/tour.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/window/lesson_desk.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestTour : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    Tour* tour() { return window_->findChild<Tour*>(QStringLiteral("tour")); }
    void press(const char* name) { tour()->findChild<QPushButton*>(QLatin1String(name))->click(); }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().remove(QStringLiteral("help/firstHintSeen"));
        open();
    }
    void cleanup() { window_.reset(); }

    void it_greets_once() {
        QVERIFY(!tour());
        window_->greet();
        QVERIFY(tour() && tour()->running() && tour()->isVisible());
        press("tourSkip");
        QVERIFY(!tour()->running() && !tour()->isVisible());
        window_->greet();
        QVERIFY(!tour()->running());
        find<QAction>("takeTour")->trigger();
        QVERIFY(tour()->running());
    }

    void four_stops_point_at_what_is_there() {
        for (const QSize size : {QSize(1440, 900), QSize(1280, 800), QSize(1024, 700)}) {
            resize(size.width(), size.height());
            window_->take_tour();
            int stops = 0;
            for (; tour()->running(); press("tourNext"), ++stops) {
                QCOMPARE(tour()->stop(), stops);
                QVERIFY(tour()->target() && tour()->target()->isVisible());
                QVERIFY(window_->rect().contains(tour()->geometry()));
                const QRect at(tour()->target()->mapTo(window_.get(), QPoint(0, 0)), tour()->target()->size());
                if (stops != 1) QVERIFY(!at.intersects(tour()->geometry()));  // a chart may fill the middle
            }
            QCOMPARE(stops, 4);
        }
    }

    void long_words_have_room() {
        window_->take_tour();
        tour()->findChild<QPushButton*>(QStringLiteral("tourSkip"))->setText(QStringLiteral("Überspringen, später"));
        press("tourNext");
        settle();
        for (const QPushButton* b : tour()->findChildren<QPushButton*>())
            if (b->isVisible()) QVERIFY2(b->width() >= b->minimumSizeHint().width(), qPrintable(b->text()));
    }

    void it_blocks_nothing() {
        window_->take_tour();
        auto* slider = window_->findChild<WorkerSlider*>();
        QCOMPARE(tour()->target(), slider);
        const auto before = scenario().cluster.workers;
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_PageUp);
        settle();
        QVERIFY(scenario().cluster.workers != before);
        QVERIFY(tour()->running());
        resize(1100, 760);
        QVERIFY(tour()->running() && window_->rect().contains(tour()->geometry()));
    }

    void back_and_escape() {
        window_->take_tour();
        press("tourNext");
        QCOMPARE(tour()->stop(), 1);
        press("tourBack");
        QCOMPARE(tour()->stop(), 0);
        QTest::keyClick(tour(), Qt::Key_Escape);
        QVERIFY(!tour()->running());
    }

    /// Enter goes on from the start, as a person expects of the marked button; the last stop leads to the lessons.
    void enter_goes_on_and_the_end_leads_to_the_lessons() {
        window_->greet();
        for (int stop = 0; stop < 3; ++stop) {
            QCOMPARE(tour()->stop(), stop);
            QVERIFY(!tour()->findChild<QPushButton*>(QStringLiteral("tourOffer"))->isVisible());
            QTest::keyClick(window_->focusWidget(), Qt::Key_Return);
        }
        QCOMPARE(tour()->stop(), 3);
        QVERIFY(!tour()->findChild<QPushButton*>(QStringLiteral("tourSkip"))->isVisible());
        press("tourOffer");
        QVERIFY(!tour()->running());
        settle();
        QVERIFY(window_->lessons().is_open());
    }

    /// Nothing is pushed into the overflow of the tool bar at the first start.
    void the_tool_bar_has_room_at_the_first_start() {
        resize(1024, 700);
        window_->greet();
        settle();
        const auto* bar = find<QToolBar>("mainBar");
        for (QAction* action : bar->actions())
            if (const QWidget* w = bar->widgetForAction(action); w && action->isVisible())
                QVERIFY2(w->isVisible() && w->geometry().right() <= bar->width(), qPrintable(action->text()));
    }
};

QTEST_MAIN(TestTour)
#include "tst_tour.moc"
