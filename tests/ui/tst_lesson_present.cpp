// SPDX-License-Identifier: GPL-3.0-or-later
// Presenting: large type, less around it, the keys of a remote; and the window as it was.
#include <QMenuBar>
#include <QToolBar>

#include "support_lessons.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/lessons/cursor_halo.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/presentation.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestLessonPresent : public QObject, private lessons_test::LessonFixture {
    Q_OBJECT

    Presentation& presentation() { return desk().presentation(); }
    /// All that a person would notice if it did not come back.
    struct Look {
        QMap<QString, QRect> docks;
        QRect geometry;
        QList<QRect> places;
        QList<double> fonts;
        bool operator==(const Look&) const = default;
    };
    Look look() {
        settle();
        Look l{dock_places(), window_->geometry(), {}, {}};
        for (QWidget* w : window_->findChildren<QWidget*>())
            if (w->isVisible() && !w->isWindow() && !w->objectName().isEmpty() &&
                !w->objectName().startsWith(QStringLiteral("qt_"))) {
                l.places << QRect(w->mapTo(window_.get(), QPoint()), w->size());
                l.fonts << w->font().pointSizeF();
            }
        return l;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { close(); }

    void the_window_is_reduced_and_comes_back() {
        const Look before = look();
        action("present").trigger();
        settle();
        QVERIFY(presentation().is_on() && window_->isFullScreen());
        const double scale = Presentation::scale_for(before.geometry.width());
        QVERIFY(scale > 1.1);
        QCOMPARE(type_scale(), scale);
        QVERIFY(!window_->menuBar()->isVisible());
        for (const auto* bar : window_->findChildren<QToolBar*>()) QVERIFY(!bar->isVisible());
        for (const auto* dock : window_->findChildren<DockCard*>()) QVERIFY(!dock->isVisible());
        QVERIFY(find<WorkerSlider>("workersSlider")->isVisible());
        QVERIFY(window_->findChild<CursorHalo*>());
        QVERIFY(std::abs(find<NumberField>("batch")->font().pointSizeF() - scale * 9.75) < 0.01);
        // Its keys still do what the menu says.
        QVERIFY(window_->actions().contains(&action("present")));
        QTest::keyClick(window_.get(), Qt::Key_Escape);
        settle();
        QVERIFY(!presentation().is_on() && !action("present").isChecked());
        QVERIFY(!window_->findChild<CursorHalo*>());
        QCOMPARE(type_scale(), 1.0);
        const Look after = look();
        QCOMPARE(after.geometry, before.geometry);
        QVERIFY(after.docks == before.docks);
        QVERIFY(after.fonts == before.fonts);
        QVERIFY(after.places == before.places);
    }

    /// Whatever was open before: it does not stay before an audience, and is there again after.
    void what_was_open_comes_back_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("open");
        for (const QSize size : {QSize(1440, 900), QSize(1024, 700), QSize(1920, 1080)})
            for (const char* what : {"why", "page", "canvas", "side", "lesson with why"})
                QTest::addRow("%s in %d", what, size.width()) << size << QString::fromLatin1(what);
    }
    void what_was_open_comes_back() {
        QFETCH(QSize, size);
        QFETCH(QString, open);
        resize(size.width(), size.height());
        if (open == QLatin1String("why")) emit find<LayerList>("layers")->selected_changed(3);
        if (open == QLatin1String("page")) open_page("sensitivity");
        if (open == QLatin1String("canvas")) QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        if (open == QLatin1String("side"))
            if (auto* tab = window_->findChild<SideTabs*>()->tab(QStringLiteral("why")); tab->isVisible()) tab->click();
        if (open == QLatin1String("lesson with why")) {
            desk().open_shipped(QStringLiteral("01-layer-cost"), true);
            settle();
            for (int i = 0; i < 4; ++i) click_next();
        }
        QTRY_VERIFY(desk().stage().has_settled());
        const Look before = look();
        for (int times = 0; times < 2; ++times) {
            action("present").trigger();
            settle();
            QTRY_VERIFY(desk().stage().has_settled());
            if (open == QLatin1String("page")) QVERIFY(!find<QWidget>("sensitivityPage")->isVisible());
            action("present").trigger();
            settle();
            QTRY_VERIFY(desk().stage().has_settled());
            const Look after = look();
            QCOMPARE(after.geometry, before.geometry);
            QCOMPARE(after.docks, before.docks);
            QCOMPARE(after.fonts, before.fonts);
            QCOMPARE(after.places, before.places);
        }
    }

    void the_size_of_type_goes_with_the_screen() {
        QCOMPARE(Presentation::scale_for(1920), 1.5);
        QCOMPARE(Presentation::scale_for(800), 1.0);
        QCOMPARE(Presentation::scale_for(1280), 1.0);
        QVERIFY(Presentation::scale_for(2560) > Presentation::scale_for(1920));
        QCOMPARE(Presentation::scale_for(100'000), 2.5);
    }

    void a_remote_turns_the_pages() {
        open_lesson();
        action("present").trigger();
        settle();
        QVERIFY(desk().dock()->isVisible());
        const auto key = [&](Qt::Key k) {
            QWidget* focus = QApplication::focusWidget();
            QTest::keyClick(focus && focus->window() == window_.get() ? focus : window_.get(), k);
            settle();
        };
        key(Qt::Key_PageDown);
        QCOMPARE(desk().run()->step(), 1);
        key(Qt::Key_Right);
        QCOMPARE(desk().run()->step(), 2);
        key(Qt::Key_Space);
        QCOMPARE(desk().run()->step(), 3);
        key(Qt::Key_PageDown);  // the last one stays
        QVERIFY(desk().is_open());
        QCOMPARE(desk().run()->step(), 3);
        key(Qt::Key_Left);
        key(Qt::Key_PageUp);
        QCOMPARE(desk().run()->step(), 1);
        key(Qt::Key_Escape);
        QVERIFY(!presentation().is_on() && desk().is_open());
    }

    void a_field_keeps_its_keys() {
        open_lesson();
        action("present").trigger();
        settle();
        auto* field = find<NumberField>("workersField");
        QTest::keyClick(field, Qt::Key_Right);
        settle();
        QCOMPARE(desk().run()->step(), 0);
    }

    /// Whichever of the two ends first.
    void lesson_and_presentation_in_any_order() {
        const Look before = look();
        action("present").trigger();
        open_lesson();
        action("present").trigger();
        settle();
        QVERIFY(desk().dock()->isVisible());
        QVERIFY(desk().leave());
        QVERIFY(look().docks == before.docks);
        open_lesson();
        action("present").trigger();
        QVERIFY(desk().leave());
        settle();
        action("present").trigger();
        QVERIFY(look().docks == before.docks);
        QCOMPARE(look().geometry, before.geometry);
    }
};

QTEST_MAIN(TestLessonPresent)
#include "tst_lesson_present.moc"
