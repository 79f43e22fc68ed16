// SPDX-License-Identifier: GPL-3.0-or-later
// The workers slider: by hand, by keys, and for those who cannot see it.
#include <QAccessible>
#include <QSignalSpy>

#include "support_widgets.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

class TestWidgetsSlider : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { apply_theme(*qApp, ThemeChoice::light); }

    void slider_follows_a_real_drag() {
        Shown slider(new WorkerSlider);
        slider->set_value(8);
        QSignalSpy changed(slider.widget, &Slider::value_changed);
        QSignalSpy started(slider.widget, &Slider::drag_started), finished(slider.widget, &Slider::drag_finished);
        const QPoint from(qRound(slider->x_of(8)), 14), to(qRound(slider->x_of(128)), 14);
        QTest::mousePress(slider.widget, Qt::LeftButton, {}, from);
        QCOMPARE(started.size(), 1);
        QCOMPARE(changed.size(), 0);  // taking the handle moves nothing
        QVERIFY(slider->is_dragging());
        int last = 8;
        for (int i = 1; i <= 20; ++i) {
            QTest::mouseMove(slider.widget, from + (to - from) * i / 20);
            QVERIFY(slider->value() >= last);
            last = slider->value();
        }
        QTest::mouseRelease(slider.widget, Qt::LeftButton, {}, to);
        QCOMPARE(slider->value(), 128);  // the magnet of a tick
        QVERIFY(changed.size() >= 15);
        QCOMPARE(changed.last().at(0).toInt(), 128);
        QCOMPARE(finished.size(), 1);
        QVERIFY(!slider->is_dragging());
    }

    void slider_is_logarithmic() {
        Shown slider(new WorkerSlider);
        const double step = slider->x_of(2) - slider->x_of(1);
        QVERIFY(step > 20);
        for (int power = 2; power < 1024; power *= 2)
            QVERIFY(std::abs(slider->x_of(2 * power) - slider->x_of(power) - step) < 1e-6);
    }

    void slider_reaches_every_small_value_by_mouse() {
        // Between the magnets of 2 px round the ticks, every number up to 32 has its place on 700 px.
        Shown slider(new WorkerSlider);
        for (int value = 1; value <= 32; ++value) {
            slider->set_value(1000);
            QTest::mousePress(slider.widget, Qt::LeftButton, {}, {qRound(slider->x_of(value)), 14});
            QTest::mouseRelease(slider.widget, Qt::LeftButton, {}, {qRound(slider->x_of(value)), 14});
            QCOMPARE(slider->value(), value);
        }
    }

    void escape_takes_a_drag_back() {
        Shown slider(new WorkerSlider);
        slider->set_value(32);
        slider->setFocus();
        QSignalSpy finished(slider.widget, &Slider::drag_finished);
        QTest::mousePress(slider.widget, Qt::LeftButton, {}, {qRound(slider->x_of(32)), 14});
        QTest::mouseMove(slider.widget, {qRound(slider->x_of(500)), 14});
        QVERIFY(slider->value() > 400);
        QTest::keyClick(slider.widget, Qt::Key_Escape);
        QCOMPARE(slider->value(), 32);
        QCOMPARE(finished.size(), 1);
    }

    void clicking_a_tick_label_is_exact() {
        Shown slider(new WorkerSlider);
        QTest::mouseClick(slider.widget, Qt::LeftButton, {}, {qRound(slider->x_of(256)) + 6, 36});
        QCOMPARE(slider->value(), 256);
    }

    void slider_keys_are_exact() {
        Shown slider(new WorkerSlider);
        slider->set_value(32);
        slider->setFocus();
        QSignalSpy changed(slider.widget, &Slider::value_changed);
        const auto key = [&](Qt::Key k) {
            QTest::keyClick(slider.widget, k);
            return slider->value();
        };
        QCOMPARE(key(Qt::Key_Right), 33);
        QCOMPARE(key(Qt::Key_Up), 34);
        QCOMPARE(key(Qt::Key_Left), 33);
        QCOMPARE(key(Qt::Key_PageUp), 64);
        QCOMPARE(key(Qt::Key_PageUp), 128);
        QCOMPARE(key(Qt::Key_Down), 127);
        QCOMPARE(key(Qt::Key_PageDown), 64);
        QCOMPARE(key(Qt::Key_PageDown), 32);
        QCOMPARE(key(Qt::Key_Home), 1);
        QCOMPARE(key(Qt::Key_PageDown), 1);
        QCOMPARE(key(Qt::Key_Left), 1);
        QCOMPARE(key(Qt::Key_End), 1024);
        QCOMPARE(key(Qt::Key_PageUp), 1024);
        QCOMPARE(changed.size(), 10);  // the three at an end changed nothing
    }

    void slider_with_an_uneven_end() {
        Shown slider(new WorkerSlider);
        slider->set_maximum(100);
        slider->set_value(64);
        slider->setFocus();
        QTest::keyClick(slider.widget, Qt::Key_PageUp);
        QCOMPARE(slider->value(), 100);
        QTest::keyClick(slider.widget, Qt::Key_PageDown);
        QCOMPARE(slider->value(), 64);
        slider->set_value(5000);
        QCOMPARE(slider->value(), 100);
    }

    void wheel_counts_only_with_focus() {
        Shown slider(new WorkerSlider);
        slider->set_value(64);
        slider->clearFocus();
        wheel(slider.widget, 1);
        QCOMPARE(slider->value(), 64);
        slider->setFocus();
        wheel(slider.widget, 1);
        QCOMPARE(slider->value(), 70);  // an eighth of a power of two
        slider->set_value(2);
        wheel(slider.widget, 1);
        QCOMPARE(slider->value(), 3);  // and never nothing
    }

    void setting_by_program_is_silent() {
        WorkerSlider slider;
        QSignalSpy changed(&slider, &Slider::value_changed);
        slider.set_value(77);
        QCOMPARE(slider.value(), 77);
        QCOMPARE(changed.size(), 0);
    }

    void slider_is_one_for_assistive_tools() {
        Shown slider(new WorkerSlider);
        slider->set_value(32);
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(slider.widget);
        QVERIFY(face);
        QCOMPARE(face->role(), QAccessible::Slider);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Workers"));
        QCOMPARE(face->text(QAccessible::Value), QStringLiteral("32 workers"));
        auto* value = face->valueInterface();
        QVERIFY(value);
        QCOMPARE(value->currentValue().toInt(), 32);
        QCOMPARE(value->maximumValue().toInt(), 1024);
        QSignalSpy changed(slider.widget, &Slider::value_changed);
        value->setCurrentValue(48);
        QCOMPARE(slider->value(), 48);
        QCOMPARE(changed.size(), 1);
    }

    void a_slider_that_is_off_ends_its_drag() {
        Shown slider(new WorkerSlider);
        QSignalSpy finished(slider.widget, &Slider::drag_finished);
        QTest::mousePress(slider.widget, Qt::LeftButton, {}, {qRound(slider->x_of(slider->value())), 14});
        slider->setEnabled(false);
        QCOMPARE(finished.size(), 1);
    }
};

QTEST_MAIN(TestWidgetsSlider)
#include "tst_widgets_slider.moc"
