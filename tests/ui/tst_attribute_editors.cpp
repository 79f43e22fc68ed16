// SPDX-License-Identifier: GPL-3.0-or-later
// Every attribute of every kind has an editor whose change arrives; what is no value says why and changes nothing.
#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>

#include "core/network/attributes.hpp"
#include "support_canvas.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using Sizes = std::vector<std::int64_t>;

class TestAttributeEditors : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    static std::vector<NumberField*> numbers(const AttributeEditor& editor) {
        std::vector<NumberField*> all;
        for (auto* n : editor.findChildren<NumberField*>())
            if (!n->isHidden()) all.push_back(n);
        return all;
    }
    /// Types into the visible field, as somebody would.
    static void write(QWidget* field, const QString& words) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, words);
        QTest::keyClick(field, Qt::Key_Return);
    }
    static void press(AttributeEditor& editor, const char* name) {
        for (auto* b : editor.findChildren<QToolButton*>())
            if (b->accessibleName() == QLatin1String(name) && b->isVisible())
                return QTest::mouseClick(b, Qt::LeftButton);
        qFatal("no button %s", name);
    }
    static AttributeValue last(QSignalSpy& spy) {
        return spy.isEmpty() ? AttributeValue() : spy.last().front().value<AttributeValue>();
    }

private slots:
    void initTestCase() {
        prepare();
        qRegisterMetaType<AttributeValue>("scalescope::AttributeValue");
        apply_theme(*qApp, ThemeChoice::light);
    }
    void cleanup() { window_.reset(); }

    void every_attribute_of_every_kind() {
        int count = 0;
        for (const Kind* kind : all_kinds())
            for (const AttributeInfo& info : kind->attributes) {
                const QByteArray where = QByteArray(kind->name.data()) + "." + QByteArray(info.name.data());
                QWidget window;
                AttributeEditor editor(info, &window);
                editor.resize(220, 200);
                window.show();
                editor.show_value(info.initial);
                QSignalSpy spy(&editor, &AttributeEditor::changed);
                QVERIFY2(!editor.toolTip().isEmpty(), where);
                switch (info.type) {
                    case AttributeType::boolean: editor.findChild<QCheckBox*>()->click(); break;
                    case AttributeType::choice: {
                        auto* combo = editor.findChild<Combo*>();
                        combo->setFocus();
                        QTest::keyClick(combo, Qt::Key_Home);
                        if (spy.isEmpty()) QTest::keyClick(combo, Qt::Key_End);
                        break;
                    }
                    case AttributeType::integer: write(numbers(editor).front(), QStringLiteral("7")); break;
                    case AttributeType::number: write(numbers(editor).front(), QStringLiteral("0.25")); break;
                    case AttributeType::sizes:
                        if (numbers(editor).empty()) press(editor, "One axis more");
                        write(numbers(editor).front(), QStringLiteral("7"));
                        break;
                    case AttributeType::padding: {
                        auto* combo = editor.findChild<Combo*>();
                        combo->setFocus();
                        QTest::keyClick(combo, Qt::Key_End);  // sizes
                        QCOMPARE(int(numbers(editor).size()), 4);
                        write(numbers(editor).front(), QStringLiteral("7"));
                        break;
                    }
                    case AttributeType::text: write(editor.findChild<QLineEdit*>(), QStringLiteral("a_word")); break;
                    case AttributeType::shape: write(editor.findChild<QLineEdit*>(), QStringLiteral("7×7")); break;
                }
                QVERIFY2(!spy.isEmpty(), where);
                const AttributeValue now = last(spy);
                QVERIFY2(now != info.initial, where);
                QVERIFY2(!about_value(info, now), where);
                QVERIFY2(editor.error().isEmpty(), where);
                ++count;
            }
        QVERIFY(count > 100);
    }

    void sequences_and_volumes() {
        const AttributeInfo& stride = find_kind("convolution")->attributes[2];
        QCOMPARE(stride.name, std::string_view("stride"));
        QWidget window;
        AttributeEditor editor(stride, &window);
        window.show();
        QSignalSpy spy(&editor, &AttributeEditor::changed);
        for (std::size_t axes : {1U, 3U}) {
            editor.set_axes(axes);
            editor.show_value(stride.initial);  // serves any number of axes
            QCOMPARE(numbers(editor).size(), axes);
            write(numbers(editor).front(), QStringLiteral("2"));
            QVERIFY(last(spy) == AttributeValue(Sizes(axes, 2)));
        }
        write(numbers(editor)[2], QStringLiteral("4"));
        const Sizes mixed{2, 2, 4};
        QVERIFY(last(spy) == AttributeValue(mixed));
        // Only what nothing else gives a number of axes can grow and shrink.
        for (auto* b : editor.findChildren<QToolButton*>()) QVERIFY(!b->isVisible());
        editor.set_axes(0);
        editor.show_value(Sizes{3});
        press(editor, "One axis more");
        const Sizes two{3, 3};
        QVERIFY(last(spy) == AttributeValue(two));
        press(editor, "One axis less");
        press(editor, "One axis less");
        QVERIFY(last(spy) == AttributeValue(Sizes{}));
        QVERIFY(numbers(editor).empty());

        const AttributeInfo& padding = find_kind("convolution")->attributes[3];
        AttributeEditor sides(padding, &window);
        sides.show();
        QSignalSpy padded(&sides, &AttributeEditor::changed);
        sides.set_axes(3);
        sides.show_value(Padding{});
        QTest::keyClick(sides.findChild<Combo*>(), Qt::Key_End);
        QCOMPARE(int(numbers(sides).size()), 6);
        write(numbers(sides)[4], QStringLiteral("5"));
        const auto p = std::get<Padding>(last(padded));
        QCOMPARE(p.axes, 3);
        QCOMPARE(p.front, std::int64_t{5});
        QCOMPARE(p.left, std::int64_t{0});
    }

    void a_convolution_over_a_sequence() {
        new_network();
        add("input");
        type("shape", QStringLiteral("100x16"));
        add("convolution");
        QTRY_VERIFY(editor_of("kernel"));
        const std::string conv = selected();
        QCOMPARE(std::get<Sizes>(attribute(layer(conv), "kernel")).size(), std::size_t{1});
        QTRY_COMPARE(int(numbers(*editor_of("stride")).size()), 1);
        type("stride", QStringLiteral("2"));
        QVERIFY(std::get<Sizes>(attribute(layer(conv), "stride")) == Sizes{2});
        QVERIFY(!document().draft());
    }

    void what_is_no_value_says_why_and_changes_nothing() {
        show_canvas();
        click("conv2");
        const int steps = document().history().count();
        type("filters", QStringLiteral("0"));
        QVERIFY(!editor_of("filters")->error().isEmpty());
        QCOMPARE(std::get<std::int64_t>(attribute(layer("conv2"), "filters")), std::int64_t{192});
        click("data");
        QTRY_VERIFY(editor_of("shape"));
        type("shape", QStringLiteral("224×soft!"));
        QTRY_VERIFY(editor_of("shape")->error().startsWith(QStringLiteral("This is not a shape. Still 224×224×3")));
        QCOMPARE(document().history().count(), steps);
        type("shape", QStringLiteral("256×256×3"));
        QVERIFY(editor_of("shape")->error().isEmpty());
        QCOMPARE(document().history().count(), steps + 1);
    }
};

QTEST_MAIN(TestAttributeEditors)
#include "tst_attribute_editors.moc"
