// SPDX-License-Identifier: GPL-3.0-or-later
// A whole session (open, edit, compare, export) twice: by what a screen reader is told and may do, and by keys alone.
#include <QAccessible>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>

#include "support_window.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/widgets/card.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

using Test = std::function<bool(QAccessibleInterface&)>;

/// The first that is to be seen and passes, from the top; nothing if there is none.
QAccessibleInterface* first(QAccessibleInterface* at, const Test& test, bool hidden_too = false) {
    if (!at || !at->isValid()) return nullptr;
    if (test(*at)) return at;
    for (int i = 0; i < at->childCount(); ++i) {
        QAccessibleInterface* child = at->child(i);
        if (!child || (child->state().invisible && !hidden_too)) continue;
        if (QAccessibleInterface* found = first(child, test, hidden_too)) return found;
    }
    return nullptr;
}

Test named(QAccessible::Role role, const QString& name) {
    return [role, name](QAccessibleInterface& one) {
        return one.role() == role && one.text(QAccessible::Name).remove(QLatin1Char('&')).startsWith(name);
    };
}

}  // namespace

class TestWholeSession : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    QAccessibleInterface* window() { return QAccessible::queryAccessibleInterface(window_.get()); }
    QAccessibleInterface* find_named(QAccessible::Role role, const char* name) {
        QAccessibleInterface* found = first(window(), named(role, QString::fromUtf8(name)));
        if (!found) qWarning("nobody is called %s", name);
        return found;
    }
    /// Of the menu bar: "Scenario", "Pin". Menus say what they have once they have been open.
    void choose(std::initializer_list<const char*> path) {
        QAccessibleInterface* at =
            first(window(), [](QAccessibleInterface& one) { return one.role() == QAccessible::MenuBar; });
        for (const char* name : path) {
            QVERIFY(at);
            QAccessibleInterface* item = first(at, named(QAccessible::MenuItem, QString::fromUtf8(name)), true);
            QVERIFY2(item, name);
            auto* action = qobject_cast<QAction*>(item->object());
            if (action && action->menu()) {
                emit action->menu()->aboutToShow();
                at = QAccessible::queryAccessibleInterface(action->menu());
            } else {
                item->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
            }
        }
        settle();
    }
    /// Answers the file dialog that comes next, as a person does who types a name and presses Enter.
    void answer_dialog(const QString& file) {
        QTimer::singleShot(0, this, [file] {
            for (QWidget* w : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QFileDialog*>(w)) {
                    QAccessibleInterface* name =
                        first(QAccessible::queryAccessibleInterface(dialog), [](QAccessibleInterface& one) {
                            return one.role() == QAccessible::EditableText && one.object() &&
                                   one.object()->objectName() == QLatin1String("fileNameEdit");
                        });
                    if (!name) return;
                    name->setText(QAccessible::Value, file);
                    QTest::keyClick(static_cast<QLineEdit*>(name->object()), Qt::Key_Return);
                }
        });
    }
    /// What the row of the Numbers panel or of a table says.
    QString said(const char* beginning) {
        QAccessibleInterface* found = first(window(), [&](QAccessibleInterface& one) {
            return one.text(QAccessible::Name).startsWith(QString::fromUtf8(beginning)) &&
                   one.role() != QAccessible::Window;
        });
        return found ? found->text(QAccessible::Name) : QString();
    }
    QWidget* focus() {
        QWidget* w = QApplication::focusWidget();
        return w ? w : window_.get();
    }
    void keys(const char* text) { QTest::keyClicks(focus(), QString::fromUtf8(text)); }
    void key(Qt::Key k, Qt::KeyboardModifiers with = Qt::NoModifier) {
        if (!QApplication::activeWindow()) {  // where no window manager gives it back after a dialog
            window_->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        }
        QTest::keyClick(focus(), k, with);
        settle();
    }
    /// Through the command palette.
    void command(const char* text) {
        key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        keys(text);
        key(Qt::Key_Return);
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().clear();
        open();
    }
    void cleanup() { window_.reset(); }

    void by_a_screen_reader() {
        QAccessible::setActive(true);
        // Open.
        choose({"Scenario", "Presets…"});
        QAccessibleInterface* search =
            first(QAccessible::queryAccessibleInterface(window_->findChild<GalleryDialog*>()),
                  [](QAccessibleInterface& one) { return one.role() == QAccessible::EditableText; });
        QVERIFY(search);
        search->setText(QAccessible::Value, QStringLiteral("VGG-16"));
        const QString found = search->text(QAccessible::Description);  // of the first that matches
        QVERIFY2(found.contains(QLatin1String("VGG-16")), qPrintable(found));
        QTest::keyClick(static_cast<QLineEdit*>(search->object()), Qt::Key_Return);
        settle();
        QVERIFY2(scenario().name.find("VGG") != std::string::npos, scenario().name.c_str());
        // Edit: the slider says its value with its unit, and takes another.
        QAccessibleInterface* workers = find_named(QAccessible::Slider, "Workers");
        QVERIFY(workers && workers->valueInterface());
        const QString before = workers->text(QAccessible::Value);
        choose({"Scenario", "Pin"});
        QCOMPARE(window_->document().pins().size(), std::size_t{1});
        workers = find_named(QAccessible::Slider, "Workers");
        workers->valueInterface()->setCurrentValue(2);
        settle();
        QCOMPARE(scenario().cluster.workers, 2);
        QVERIFY(workers->text(QAccessible::Value) != before);
        // Compare: the page, and what its table says of a figure.
        choose({"View", "Compare"});
        QAccessibleInterface* table = first(window(), [](QAccessibleInterface& one) {
            return one.tableInterface() &&
                   one.text(QAccessible::Name).contains(QStringLiteral("figures"), Qt::CaseInsensitive);
        });
        QVERIFY(table && table->tableInterface()->rowCount() > 3);
        const QString cell = table->tableInterface()->cellAt(0, 0)->text(QAccessible::Name);
        QVERIFY2(!cell.isEmpty(), qPrintable(cell));
        // Charts say what they show.
        QAccessibleInterface* chart =
            first(window(), [](QAccessibleInterface& one) { return one.role() == QAccessible::Chart; });
        QVERIFY(chart && !chart->text(QAccessible::Description).isEmpty());
        // Export.
        const QString file = folder_.filePath(QStringLiteral("heard.csv"));
        answer_dialog(file);
        choose({"File", "Export", "Speedup", "CSV"});
        QVERIFY(QFile::exists(file));
    }

    void by_keys_alone() {
        command("VGG-16 scenario");
        QVERIFY2(scenario().network()->name().find("VGG") != std::string::npos, scenario().name.c_str());
        key(Qt::Key_K, Qt::ControlModifier);
        QCOMPARE(window_->document().pins().size(), std::size_t{1});
        command("workers 2");
        QCOMPARE(scenario().cluster.workers, 2);
        key(Qt::Key_6, Qt::ControlModifier);
        QVERIFY(find<QWidget>("compareFigures")->isVisible());
        const QString file = folder_.filePath(QStringLiteral("typed.scalescope.json"));
        answer_dialog(file);
        key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(QFile::exists(file));
        // The report: its title typed, its name typed.
        const QString report = folder_.filePath(QStringLiteral("typed.html"));
        key(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(find<QWidget>("reportDialog")->isVisible());
        find<QWidget>("reportTitle")->setFocus();
        keys("Two or more");
        answer_dialog(report);
        key(Qt::Key_Return);
        QVERIFY(window_->exports().finish_report());
        settle();
        QVERIFY(QFile::exists(report) || QFile::exists(report + QStringLiteral(".pdf")));
    }

    /// Whatever takes the keyboard has a name, and Tab comes to all that is to be seen at the first start.
    void whatever_takes_the_keyboard_has_a_name() {
        QStringList nameless;
        int seen = 0;
        QWidget* at = window_.get();
        QSet<QWidget*> met;
        do {
            at = at->nextInFocusChain();
            if (met.contains(at)) break;
            met << at;
            if (!at->isVisible() || !(at->focusPolicy() & Qt::TabFocus) || !at->isEnabled()) continue;
            if (at->objectName() == QLatin1String("qt_spinbox_lineedit")) continue;  // speaks as its spin box
            ++seen;
            QAccessibleInterface* one = QAccessible::queryAccessibleInterface(at);
            if (!one || one->text(QAccessible::Name).isEmpty())
                nameless << QLatin1String(at->metaObject()->className()) + QLatin1Char(' ') + at->objectName();
        } while (at != window_.get());
        QVERIFY2(seen > 20, qPrintable(QString::number(seen)));
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("; "))));
    }
};

QTEST_MAIN(TestWholeSession)
#include "tst_whole_session.moc"
