// SPDX-License-Identifier: GPL-3.0-or-later
// No key belongs to two actions wherever the keyboard may be: Qt would do neither, and print "Ambiguous shortcut
// overload".
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>

#include "support_window.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/help/help_window.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/search/search_window.hpp"
#include "ui/window/lesson_desk.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

bool fills_a_context(Qt::ShortcutContext context, const QWidget* owner, const QWidget* focus) {
    switch (context) {
        case Qt::WidgetShortcut: return owner == focus;
        case Qt::WidgetWithChildrenShortcut: return owner == focus || owner->isAncestorOf(focus);
        case Qt::WindowShortcut: return owner->isVisible() && owner->window() == focus->window();
        case Qt::ApplicationShortcut: return true;
    }
    return false;
}

/// As Qt decides: an action of a menu is wherever that menu is an action.
bool is_active(const QAction& action, Qt::ShortcutContext context, const QWidget* focus) {
    if (!action.isEnabled() || !action.isVisible()) return false;
    for (QObject* owner : action.associatedObjects()) {
        if (auto* menu = qobject_cast<QMenu*>(owner)) {
            if (is_active(*menu->menuAction(), context, focus)) return true;
        } else if (auto* widget = qobject_cast<QWidget*>(owner)) {
            if (fills_a_context(context, widget, focus)) return true;
        }
    }
    return false;
}

/// Submenus that are filled as they open stay filled.
void open_all_menus(QWidget& window) {
    for (int depth = 0; depth < 3; ++depth)
        for (QMenu* menu : window.findChildren<QMenu*>()) emit menu->aboutToShow();
}

/// "Ctrl+C: Copy, Copy data" for every focus at which that is so.
QSet<QString> ambiguous(const QList<QWidget*>& windows, const QWidget& window) {
    QSet<QAction*> actions;  // of windows that are children of others, too
    QSet<QShortcut*> shortcuts;
    for (const QWidget* w : windows) {
        for (QAction* a : w->findChildren<QAction*>()) actions << a;
        for (QShortcut* s : w->findChildren<QShortcut*>()) shortcuts << s;
    }
    QSet<QString> all;
    QList<const QWidget*> places{&window};
    for (const QWidget* w : window.findChildren<QWidget*>())
        if (w->window() == &window && w->isVisible() && w->focusPolicy() != Qt::NoFocus &&
            !qobject_cast<const QMenuBar*>(w))
            places << w;  // a menu that is open takes keys itself
    for (const QWidget* focus : places) {
        QMap<QString, QStringList> owners;
        for (const QAction* a : actions)
            for (const QKeySequence& keys : a->shortcuts())
                if (is_active(*a, a->shortcutContext(), focus)) owners[keys.toString()] << a->text();
        for (const QShortcut* s : shortcuts)
            if (s->isEnabled() && fills_a_context(s->context(), qobject_cast<QWidget*>(s->parent()), focus))
                owners[s->key().toString()] << QStringLiteral("a QShortcut");
        for (auto it = owners.begin(); it != owners.end(); ++it)
            if (it->size() > 1) all << it.key() + QStringLiteral(": ") + it->join(QStringLiteral(", "));
    }
    return all;
}

}  // namespace

class TestShortcuts : public QObject, private window_test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void no_key_belongs_to_two_actions_data() {
        QTest::addColumn<bool>("canvas");
        QTest::newRow("charts") << false;
        QTest::newRow("canvas") << true;
    }
    void no_key_belongs_to_two_actions() {
        QFETCH(bool, canvas);
        if (canvas) QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
        find<QAction>("presets")->trigger();
        find<QAction>("findBest")->trigger();
        find<QAction>("measurements")->trigger();
        find<QAction>("newLesson")->trigger();
        QTest::keyClick(window_.get(), Qt::Key_F1);
        settle();
        QVERIFY(window_->findChild<HelpWindow*>() && window_->findChild<GalleryDialog*>());
        QList<QWidget*> windows;
        for (QWidget* w : QApplication::topLevelWidgets())
            if (w->isWindow() && w->isVisible() && w->windowType() != Qt::Popup) windows << w;
        QVERIFY2(windows.size() >= 6, qPrintable(QString::number(windows.size())));
        for (QWidget* w : windows) open_all_menus(*w);
        for (QWidget* w : windows) {
            const QSet<QString> found = ambiguous({windows}, *w);
            QVERIFY2(found.isEmpty(), qPrintable(w->windowTitle() + QStringLiteral(": ") +
                                                 QStringList(found.values()).join(QStringLiteral("; "))));
        }
    }

    /// The search finds what is there to be found.
    void two_actions_of_one_key_are_found() {
        QMainWindow window;
        for (int i = 0; i < 2; ++i) {
            QMenu* menu = window.menuBar()->addMenu(QStringLiteral("Menu"));
            menu->addAction(QStringLiteral("Copy data"))->setShortcut(QKeySequence::Copy);
        }
        window.show();
        QCOMPARE(ambiguous({&window}, window), QSet<QString>{QStringLiteral("Ctrl+C: Copy data, Copy data")});
    }

    /// What Qt itself says, with the keyboard in a chart and on the canvas, after every menu has been open.
    void copying_is_not_ambiguous() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("Ambiguous")));
        open_all_menus(*window_);
        for (Chart* chart : window_->findChildren<Chart*>())
            if (chart->isVisible()) QTest::keyClick(chart, Qt::Key_C, Qt::ControlModifier);
        QTest::keyClick(window_.get(), Qt::Key_G, Qt::ControlModifier);
        settle();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_C, Qt::ControlModifier);
    }
};

QTEST_MAIN(TestShortcuts)
#include "tst_shortcuts.moc"
