// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "ui/theme/theme.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"

using namespace scalescope::ui;

namespace widget_test {

/// A window with one widget in it, shown and active.
template <class W>
struct Shown {
    QWidget window;
    W* widget;

    explicit Shown(W* w, int width = 700) : widget(w) {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(w);
        window.resize(width, 120);
        window.show();
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window)) qFatal("the window does not become active");
    }
    W* operator->() const { return widget; }
};

}  // namespace widget_test

using widget_test::Shown;

namespace {

void wheel(QWidget* widget, int notches) {
    const QPointF at(widget->rect().center());
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

std::vector<ComboItem> links() {
    std::vector<ComboItem> items;
    const auto add = [&items](const char* id, const char* text, const char* detail, const char* section,
                              bool enabled = true) {
        ComboItem item;
        item.id = QString::fromLatin1(id), item.text = QString::fromLatin1(text),
        item.detail = QString::fromLatin1(detail);
        item.section = QString::fromLatin1(section), item.enabled = enabled;
        items.push_back(item);
    };
    add("ib70", "InfiniBand 70 Gb/s", "PALEO", "Between nodes");
    add("eth10", "Ethernet 10 Gb/s", "IEEE", "Between nodes");
    add("eth100", "Ethernet 100 Gb/s", "IEEE", "Between nodes");
    add("if100", "Infinity Fabric", "MI100", "Inside a node");
    add("if250", "Infinity Fabric", "MI250X", "Inside a node");
    add("nv2", "NVLink 2", "V100", "Inside a node");
    add("nv3", "NVLink 3", "A100", "Inside a node", false);
    add("nv4", "NVLink 4", "H100", "Inside a node");
    return items;
}

}  // namespace

class TestWidgetsControls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::German));  // decimal comma: no field may care
        apply_theme(*qApp, ThemeChoice::light);
    }

    // --- workers slider -------------------------------------------------------------------------------------------

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

    // --- segments -------------------------------------------------------------------------------------------------

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

    // --- number field ---------------------------------------------------------------------------------------------

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

    // --- choice with search ---------------------------------------------------------------------------------------

    void combo_searches_and_takes() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("ib70"));
        combo->setFocus();
        QVERIFY(combo->is_searchable());
        QSignalSpy chosen(combo.widget, &Combo::chosen);
        QTest::keyClicks(combo.widget, QStringLiteral("i"));  // typing opens the list
        QVERIFY(combo->is_open());
        QWidget* popup = QApplication::activePopupWidget();
        QVERIFY(popup);
        QTest::keyClicks(popup, QStringLiteral("nfi"));
        auto* list = popup->findChild<QListView*>();
        QStringList shown;
        for (int i = 0; i < list->model()->rowCount(); ++i) shown << list->model()->index(i, 0).data().toString();
        QCOMPARE(shown, QStringList({QStringLiteral("Between nodes"), QStringLiteral("InfiniBand 70 Gb/s"),
                                     QStringLiteral("Inside a node"), QStringLiteral("Infinity Fabric"),
                                     QStringLiteral("Infinity Fabric")}));
        QTest::keyClick(popup, Qt::Key_Down);  // over the heading
        QTest::keyClick(popup, Qt::Key_Return);
        QVERIFY(!combo->is_open());
        QCOMPARE(combo->current(), QStringLiteral("if100"));
        QCOMPARE(chosen.size(), 1);
        QVERIFY(combo->hasFocus());
    }

    void combo_search_takes_words_of_all_columns() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->open(QStringLiteral("mi250 infi"));
        auto* list = QApplication::activePopupWidget()->findChild<QListView*>();
        QCOMPARE(list->model()->rowCount(), 2);
        QCOMPARE(list->currentIndex().data(Qt::UserRole).toString(), QStringLiteral("if250"));
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!combo->is_open());
        QVERIFY(combo->current().isEmpty());
    }

    void combo_that_finds_nothing_says_so() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->add_footer_action(QStringLiteral("duplicate"), QStringLiteral("Duplicate and edit…"));
        combo->open(QStringLiteral("xyz"));
        QWidget* popup = QApplication::activePopupWidget();
        auto* list = popup->findChild<QListView*>();
        QVERIFY(list->model()->index(0, 0).data().toString().contains(QStringLiteral("xyz")));
        QSignalSpy footer(combo.widget, &Combo::footer_chosen), chosen(combo.widget, &Combo::chosen);
        QTest::keyClick(popup, Qt::Key_Down);  // the action below stays within reach
        QTest::keyClick(popup, Qt::Key_Return);
        QCOMPARE(footer.size(), 1);
        QCOMPARE(footer.at(0).at(0).toString(), QStringLiteral("duplicate"));
        QCOMPARE(chosen.size(), 0);
    }

    void combo_steps_while_closed_and_passes_what_is_off() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("nv2"));
        combo->setFocus();
        QTest::keyClick(combo.widget, Qt::Key_Down);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));  // nv3 is off
        QTest::keyClick(combo.widget, Qt::Key_Down);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));
        QTest::keyClick(combo.widget, Qt::Key_Up);
        QCOMPARE(combo->current(), QStringLiteral("nv2"));
        QSignalSpy chosen(combo.widget, &Combo::chosen);
        QTest::keyClick(combo.widget, Qt::Key_Home);
        QCOMPARE(combo->current(), QStringLiteral("ib70"));
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(combo.widget, Qt::Key_Home);
        QCOMPARE(chosen.size(), 1);  // the same again is no choice
        QTest::keyClick(combo.widget, Qt::Key_End);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));
        wheel(combo.widget, -1);
        QCOMPARE(combo->current(), QStringLiteral("nv4"));  // the wheel belongs to the panel
    }

    void combo_takes_a_click_and_tells_what_is_under_the_hand() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("ib70"));
        QSignalSpy highlighted(combo.widget, &Combo::highlighted);
        QTest::mouseClick(combo.widget, Qt::LeftButton);
        QVERIFY(combo->is_open());
        QWidget* popup = QApplication::activePopupWidget();
        auto* list = popup->findChild<QListView*>();
        QTest::keyClick(popup, Qt::Key_Down);
        QCOMPARE(highlighted.last().at(0).toString(), QStringLiteral("eth10"));
        const QRect row = list->visualRect(list->model()->index(3, 0));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(combo->current(), QStringLiteral("eth100"));
        QVERIFY(!combo->is_open());
        QVERIFY(highlighted.last().at(0).toString().isEmpty());
    }

    void combo_is_one_for_assistive_tools() {
        Shown combo(new Combo(QStringLiteral("Link")));
        combo->set_items(links());
        combo->set_current(QStringLiteral("nv2"));
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(combo.widget);
        QCOMPARE(face->role(), QAccessible::ComboBox);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Link"));
        QCOMPARE(face->text(QAccessible::Value), QStringLiteral("NVLink 2"));
        QVERIFY(face->state().collapsed);
        face->actionInterface()->doAction(QAccessibleActionInterface::showMenuAction());
        QVERIFY(combo->is_open());
        combo->close_popup();
    }

    void combo_shows_what_it_does_not_know() {
        Combo combo(QStringLiteral("Device"));
        combo.set_items(links());
        combo.set_current(QStringLiteral("mine"), QStringLiteral("my device (not in the catalogue)"));
        QCOMPARE(combo.current(), QStringLiteral("mine"));
        QCOMPARE(combo.current_text(), QStringLiteral("my device (not in the catalogue)"));
    }

    void a_long_list_scrolls() {
        Shown combo(new Combo(QStringLiteral("Device")));
        std::vector<ComboItem> many(2000);
        for (std::size_t i = 0; i < many.size(); ++i) many[i].id = many[i].text = QStringLiteral("device %1").arg(i);
        combo->set_items(many);
        combo->set_current(QStringLiteral("device 1500"));
        combo->open();
        QWidget* popup = QApplication::activePopupWidget();
        QVERIFY(popup->height() < 400);
        auto* list = popup->findChild<QListView*>();
        QCOMPARE(list->currentIndex().row(), 1500);
        QVERIFY(list->viewport()->rect().intersects(list->visualRect(list->currentIndex())));
        combo->close_popup();
    }
};

QTEST_MAIN(TestWidgetsControls)
#include "tst_widgets_controls.moc"
