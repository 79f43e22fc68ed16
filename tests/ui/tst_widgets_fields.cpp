// SPDX-License-Identifier: GPL-3.0-or-later
// Segments, number fields and percent fields.
#include <QAbstractButton>
#include <QAccessible>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalSpy>

#include "support_widgets.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using namespace widget_test;

class TestWidgetsFields : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::German));  // decimal comma: no field may care
        apply_theme(*qApp, ThemeChoice::light);
    }

    void a_negative_number_has_a_minus_sign() {
        Shown field(new NumberField(QStringLiteral("Axis")));
        field->set_range(-5000, 5000);
        field->clearFocus();
        field->set_value(-1234);
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("−1,234"));
        field->setFocus();
        QTest::keyClick(field.widget, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field.widget, QStringLiteral("-2"));
        QTest::keyClick(field.widget, Qt::Key_Return);
        QCOMPARE(field->value(), -2.0);
    }

    void segments_choose_by_mouse_and_keys() {
        Shown control(new SegmentedControl(QStringLiteral("Parallel")));
        control->set_segments({{QStringLiteral("data"), QStringLiteral("Data"), {}},
                               {QStringLiteral("outputs"), QStringLiteral("Outputs"), {}},
                               {QStringLiteral("layers"), QStringLiteral("Layers"), {}},
                               {QStringLiteral("hybrid"), QStringLiteral("Hybrid"), {}}});
        QCOMPARE(control->current(), QStringLiteral("data"));
        QTRY_VERIFY(control->button(QStringLiteral("layers"))->isVisible());
        QSignalSpy chosen(control.widget, &SegmentedControl::chosen);
        QTest::mouseClick(control->button(QStringLiteral("layers")), Qt::LeftButton);
        QCOMPARE(control->current(), QStringLiteral("layers"));
        QCOMPARE(chosen.size(), 1);
        control->button(QStringLiteral("layers"))->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
        QCOMPARE(control->current(), QStringLiteral("outputs"));
        QCOMPARE(chosen.size(), 2);
        QCOMPARE(QApplication::focusWidget(), control->button(QStringLiteral("outputs")));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(control->current(), QStringLiteral("hybrid"));
        QCOMPARE(chosen.size(), 4);
        control->set_current(QStringLiteral("data"));
        QCOMPARE(chosen.size(), 4);  // by program: silent
        control->set_current(QStringLiteral("no such"));
        QCOMPARE(control->current(), QStringLiteral("data"));
        // One stop for Tab.
        int stops = 0;
        for (auto* button : control->findChildren<QAbstractButton*>())
            stops += button->focusPolicy() & Qt::TabFocus ? 1 : 0;
        QCOMPARE(stops, 1);
    }

    void a_segment_that_is_off_says_why() {
        Shown control(new SegmentedControl(QStringLiteral("Parallel")));
        control->set_segments({{QStringLiteral("data"), QStringLiteral("Data"), {}},
                               {QStringLiteral("hybrid"), QStringLiteral("Hybrid"), {}}});
        const QString reason = QStringLiteral("AlexNet has no place to cut");
        control->set_segment_enabled(QStringLiteral("hybrid"), false, reason);
        auto* hybrid = control->button(QStringLiteral("hybrid"));
        QTest::mouseClick(hybrid, Qt::LeftButton);
        QCOMPARE(control->current(), QStringLiteral("data"));
        QCOMPARE(hybrid->toolTip(), reason);
        QCOMPARE(QAccessible::queryAccessibleInterface(hybrid)->text(QAccessible::Description), reason);
        QCOMPARE(QAccessible::queryAccessibleInterface(hybrid)->role(), QAccessible::RadioButton);
        control->set_segment_enabled(QStringLiteral("hybrid"), true);
        QTest::mouseClick(hybrid, Qt::LeftButton);
        QCOMPARE(control->current(), QStringLiteral("hybrid"));
        QVERIFY(hybrid->toolTip().isEmpty());
    }

    void typing_counts_while_it_is_valid() {
        Shown field(new NumberField(QStringLiteral("Batch")));
        field->set_range(1, 100000);
        field->set_value(128);
        field->setFocus();
        field->selectAll();
        QSignalSpy changed(field.widget, &NumberField::value_changed),
            finished(field.widget, &NumberField::editing_finished);
        QTest::keyClicks(field.widget, QStringLiteral("256"));
        QCOMPARE(field->value(), 256.0);
        QCOMPARE(changed.size(), 3);  // 2, 25, 256
        QCOMPARE(finished.size(), 0);
        QTest::keyClick(field.widget, Qt::Key_Return);
        QCOMPARE(finished.size(), 1);
    }

    void a_wrong_number_is_red_and_says_what_is_right() {
        Shown field(new NumberField(QStringLiteral("Batch")));
        field->set_range(1, 1e9);
        field->set_value(128);
        QLabel* message = field->message_label();
        message->setParent(&field.window);
        QVERIFY(message->isHidden());
        field->setFocus();
        field->selectAll();
        QSignalSpy changed(field.widget, &NumberField::value_changed);
        QTest::keyClicks(field.widget, QStringLiteral("0"));
        QVERIFY(field->has_error());
        QCOMPARE(field->error(), QStringLiteral("Batch is 1 or more."));
        QCOMPARE(message->text(), QStringLiteral("Batch is 1 or more."));
        QVERIFY(!message->isHidden());
        QCOMPARE(field->accessibleDescription(), QStringLiteral("Batch is 1 or more."));
        QCOMPARE(field->value(), 128.0);  // the last good value stays in force
        QCOMPARE(changed.size(), 0);
        const QImage shot = field->grab().toImage();
        QCOMPARE(shot.pixelColor(shot.width() / 2, 0), Theme::light().error);
        QTest::keyClick(field.widget, Qt::Key_Escape);
        QVERIFY(!field->has_error());
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("128"));
    }

    void texts_that_are_no_numbers_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QString>("error");
        QTest::addColumn<double>("value");
        const double kept = 7;
        QTest::newRow("empty") << QStringLiteral(" ") << 0 << QStringLiteral("Share needs a number.") << kept;
        QTest::newRow("word") << QStringLiteral("abc") << 2 << QStringLiteral("Share is 0 to 1,000,000.") << kept;
        // What was right on the way counts until it goes wrong.
        QTest::newRow("comma") << QStringLiteral("0,5") << 2 << QStringLiteral("Write the decimal point as a dot.")
                               << 0.0;
        QTest::newRow("fraction") << QStringLiteral("3.5") << 0 << QStringLiteral("Share is a whole number.") << 3.0;
        QTest::newRow("infinite") << QStringLiteral("1e999") << 2 << QStringLiteral("Share is 0 to 1,000,000.") << 1.0;
        QTest::newRow("unit") << QStringLiteral("80 GB/s") << 0 << QString() << 80.0;
        QTest::newRow("unit, small and close") << QStringLiteral("8.5gb/s") << 2 << QString() << 8.5;
        QTest::newRow("another unit") << QStringLiteral("80 MB/s") << 0 << QStringLiteral("Share is 0 to 1,000,000.")
                                      << 80.0;
        QTest::newRow("unit alone") << QStringLiteral("GB/s") << 0 << QStringLiteral("Share is 0 to 1,000,000.")
                                    << kept;
        QTest::newRow("dot") << QStringLiteral("0.5") << 2 << QString() << 0.5;
        QTest::newRow("groups") << QStringLiteral("65,536") << 0 << QString() << 65536.0;
        QTest::newRow("exponent") << QStringLiteral("1e3") << 0 << QString() << 1000.0;
        QTest::newRow("leading dot") << QStringLiteral(".25") << 2 << QString() << 0.25;
    }

    void texts_that_are_no_numbers() {
        QFETCH(QString, text);
        QFETCH(int, decimals);
        QFETCH(QString, error);
        QFETCH(double, value);
        Shown field(new NumberField(QStringLiteral("Share")));
        field->set_range(0, 1e6);
        field->set_decimals(decimals);
        field->set_unit(QStringLiteral("GB/s"));
        field->set_value(7);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field.widget, text);
        QCOMPARE(field->error(), error);
        QCOMPARE(field->value(), value);
        // Enter tidies what is right and leaves what is wrong to be mended; leaving brings the last good value back.
        auto* line = field->findChild<QLineEdit*>();
        QTest::keyClick(field.widget, Qt::Key_Return);
        QCOMPARE(line->text().simplified() == QLocale::c().toString(value, 'g', 10), error.isEmpty());
        field->clearFocus();
        QVERIFY(!field->has_error());
        QCOMPARE(QLocale::c().toDouble(line->text()), value);
        // Pasted whole, a wrong text changes nothing.
        field->set_value(7);
        QApplication::clipboard()->setText(text);
        field->setFocus();
        field->selectAll();
        line->paste();
        QCOMPARE(field->error(), error);
        QCOMPARE(field->value(), error.isEmpty() ? value : 7.0);
    }

    void field_steps() {
        Shown field(new NumberField(QStringLiteral("Workers")));
        field->set_range(1, 1024);
        field->set_value(32);
        field->setFocus();
        QTest::keyClick(field.widget, Qt::Key_Up);
        QCOMPARE(field->value(), 33.0);
        QTest::keyClick(field.widget, Qt::Key_PageUp);
        QCOMPARE(field->value(), 43.0);
        field->set_doubling(true);
        field->set_value(32);
        QTest::keyClick(field.widget, Qt::Key_PageUp);
        QCOMPARE(field->value(), 64.0);
        QTest::keyClick(field.widget, Qt::Key_PageDown);
        QTest::keyClick(field.widget, Qt::Key_PageDown);
        QCOMPARE(field->value(), 16.0);
        QSignalSpy finished(field.widget, &NumberField::editing_finished);
        QTest::mouseClick(field.widget, Qt::LeftButton, {}, {field->width() - 8, 7});
        QCOMPARE(field->value(), 17.0);
        QTest::mouseClick(field.widget, Qt::LeftButton, {}, {field->width() - 8, field->height() - 7});
        QCOMPARE(field->value(), 16.0);
        QCOMPARE(finished.size(), 2);
        field->clearFocus();
        wheel(field.widget, 1);
        QCOMPARE(field->value(), 16.0);  // the panel scrolls under the pointer
        field->setFocus();
        wheel(field.widget, 1);
        QCOMPARE(field->value(), 17.0);
        wheel(field.widget, -2);
        QCOMPARE(field->value(), 15.0);
        field->set_value(1024);
        QTest::keyClick(field.widget, Qt::Key_Up);
        QTest::keyClick(field.widget, Qt::Key_PageUp);
        QCOMPARE(field->value(), 1024.0);  // no further than the range
        field->set_value(1);
        QTest::keyClick(field.widget, Qt::Key_PageDown);
        QCOMPARE(field->value(), 1.0);
    }

    void a_dot_is_shown_whatever_the_locale() {
        NumberField field(QStringLiteral("Share"));
        field.set_decimals(3);
        field.set_value(12.5);
        QCOMPARE(field.findChild<QLineEdit*>()->text(), QStringLiteral("12.5"));
    }

    void thousands_have_commas_at_rest_and_none_while_typing() {
        Shown field(new NumberField(QStringLiteral("Batch")));
        field->set_range(1, 1e9);
        auto* edit = field->findChild<QLineEdit*>();
        field->clearFocus();
        field->set_value(1281167);
        QCOMPARE(edit->text(), QStringLiteral("1,281,167"));
        field->set_value(999);
        QCOMPARE(edit->text(), QStringLiteral("999"));
        field->set_value(65536);
        field->setFocus();
        QCOMPARE(edit->text(), QStringLiteral("65536"));
        QTest::keyClick(field.widget, Qt::Key_End);
        QTest::keyClicks(field.widget, QStringLiteral("0"));
        QCOMPARE(field->value(), 655360.0);
        field->selectAll();
        QTest::keyClicks(field.widget, QStringLiteral("12,345"));
        QCOMPARE(field->value(), 12345.0);
        field->clearFocus();
        QCOMPARE(edit->text(), QStringLiteral("12,345"));
    }

    void a_missing_value_is_an_empty_field() {
        Shown field(new NumberField(QStringLiteral("Memory")));
        field->set_range(1, 1000);
        field->set_optional(QStringLiteral("not known"));
        field->set_missing();
        auto* edit = field->findChild<QLineEdit*>();
        QVERIFY(edit->text().isEmpty());
        QCOMPARE(edit->placeholderText(), QStringLiteral("not known"));
        QSignalSpy changed(field.widget, &NumberField::value_changed),
            removed(field.widget, &NumberField::value_removed);
        field->setFocus();
        QTest::keyClicks(field.widget, QStringLiteral("1"));  // what it would be at first: known all the same
        QCOMPARE(changed.size(), 1);
        QVERIFY(!field->missing());
        QTest::keyClick(field.widget, Qt::Key_Backspace);
        QCOMPARE(removed.size(), 1);
        QVERIFY(field->missing() && !field->has_error());
        QTest::keyClick(field.widget, Qt::Key_Up);
        QVERIFY(!field->missing());
    }

    void setting_a_field_does_not_disturb_typing() {
        Shown field(new NumberField(QStringLiteral("Share")));
        field->set_decimals(2);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field.widget, QStringLiteral("1."));
        field->set_value(1);  // the document's echo of what was typed
        QCOMPARE(field->findChild<QLineEdit*>()->text(), QStringLiteral("1."));
        QTest::keyClicks(field.widget, QStringLiteral("5"));
        QCOMPARE(field->value(), 1.5);
    }

    void an_outer_error_stays_until_the_next_edit() {
        Shown field(new NumberField(QStringLiteral("Workers")));
        field->set_range(1, 1024);
        field->set_error(QStringLiteral("Only 4 of them fit."));
        QVERIFY(field->has_error());
        field->setFocus();
        QTest::keyClick(field.widget, Qt::Key_Up);
        QVERIFY(!field->has_error());
    }

    void field_is_a_spin_box_for_assistive_tools() {
        Shown field(new NumberField(QStringLiteral("Batch")));
        field->set_range(1, 512);
        field->set_value(128);
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(field.widget);
        QCOMPARE(face->role(), QAccessible::SpinBox);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Batch"));
        auto* value = face->valueInterface();
        QVERIFY(value);
        QCOMPARE(value->currentValue().toDouble(), 128.0);
        QCOMPARE(value->maximumValue().toDouble(), 512.0);
        value->setCurrentValue(64.0);
        QCOMPARE(field->value(), 64.0);
    }

    void percent_field_keeps_slider_and_number_together() {
        Shown field(new PercentField(QStringLiteral("Compute")));
        field->set_value(60);
        QCOMPARE(field->slider()->value(), 60);
        QSignalSpy changed(field.widget, &PercentField::value_changed);
        field->slider()->setFocus();
        QTest::keyClick(field->slider(), Qt::Key_PageDown);
        QCOMPARE(field->field()->value(), 50.0);
        QCOMPARE(changed.size(), 1);
        field->field()->setFocus();
        field->field()->selectAll();
        QTest::keyClicks(field->field(), QStringLiteral("80"));
        QCOMPARE(field->slider()->value(), 80);
        QCOMPARE(changed.last().at(0).toDouble(), 80.0);
        // By mouse: the slider drags in whole percents, and the field goes along.
        QSignalSpy started(field.widget, &PercentField::drag_started),
            finished(field.widget, &PercentField::drag_finished);
        auto* slider = field->slider();
        QTest::mousePress(slider, Qt::LeftButton, {}, {qRound(slider->x_of(80)), 14});
        QTest::mouseMove(slider, {qRound(slider->x_of(60)), 14});
        QTest::mouseMove(slider, {qRound(slider->x_of(35)), 14});
        QTest::mouseRelease(slider, Qt::LeftButton, {}, {qRound(slider->x_of(35)), 14});
        QCOMPARE(field->value(), 35.0);
        QCOMPARE(field->field()->value(), 35.0);
        QCOMPARE(started.size(), 1);
        QVERIFY(finished.size() >= 1);
        slider->setFocus();
        wheel(slider, 2);
        QCOMPARE(field->value(), 37.0);
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(field->value(), 1.0);
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(field->value(), 100.0);
        const auto before = changed.size();
        field->set_value(42.4);  // by program: silent
        QCOMPARE(changed.size(), before);
        QCOMPARE(slider->value(), 42);
    }
};

QTEST_MAIN(TestWidgetsFields)
#include "tst_widgets_fields.moc"
