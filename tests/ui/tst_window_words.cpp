// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says, and what everything in it is called.
#include <QAbstractButton>
#include <QFile>
#include <QLineEdit>
#include <QMenuBar>
#include <QToolBar>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include "support_window.hpp"
#include "ui/help/shortcuts_dialog.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/status_line.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class WindowWordsTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    // --- what the window says ------------------------------------------------------------------------------------

    void after_a_failed_open_the_status_says_what_is_shown() {
        window_->open(write("broken.json", "{\"layers\": 3}"));
        QVERIFY(!window_->finish_opening());
        const auto* status = window_->findChild<StatusLine*>();
        QVERIFY(status->accessibleDescription().contains(QLatin1String("last good state")));
        window_->reset_to_example();
        settle();
        QVERIFY(status->accessibleDescription().startsWith(QLatin1String("Ready")));
    }

    void long_sentences_do_not_push_buttons_out_of_the_window() {
        resize(1024, 700);
        for (const auto& preset : window_->library().scenarios) {
            window_->open_scenario_preset(QString::fromStdString(preset.id));
            settle();
            const auto* bar = find<QToolBar>("mainBar");
            for (QAction* action : bar->actions())
                if (QWidget* w = bar->widgetForAction(action); w && action->isVisible())
                    QVERIFY2(w->isVisible() && w->geometry().right() <= bar->width(), preset.id.c_str());
        }
    }

    void the_list_of_shortcuts_has_all_of_the_menus() {
        find<QAction>("shortcutsAction")->trigger();
        auto* dialog = window_->findChild<ShortcutsDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QString all;
        for (QTreeWidgetItemIterator it(dialog->list()); *it; ++it) all += (*it)->text(1) + QLatin1Char('\n');
        for (const QAction* action : window_->findChildren<QAction*>())
            if (!action->shortcut().isEmpty() && action->parent() != dialog)
                QVERIFY2(all.contains(action->shortcut().toString(QKeySequence::NativeText)),
                         qPrintable(action->text()));
        dialog->close();
    }

    void a_file_dropped_on_a_field_is_not_typed_into_it() {
        for (const auto* field : window_->findChildren<QLineEdit*>()) QVERIFY(!field->acceptDrops());
    }

    // --- problems, names -----------------------------------------------------------------------------------------

    void a_problem_of_the_design_leads_to_its_control() {
        choose("layers");  // 15 layers, 32 workers
        open_page("problems");
        auto* problems = window_->findChild<ProblemsView*>();
        QCOMPARE(problems->error_count(), 1);
        emit problems->problem_activated(0);
        QWidget* now = QApplication::focusWidget();
        QVERIFY(now && (now == find<QWidget>("workersField") || find<QWidget>("workersField")->isAncestorOf(now)));
    }

    void a_saved_file_is_among_the_recent_ones_until_it_cannot_be_opened() {
        const QString file = folder_.filePath(QStringLiteral("recent.json"));
        QVERIFY(window_->save_to(file));
        const auto listed = [&] {
            for (const QAction* action : window_->findChildren<QAction*>())
                if (action->toolTip() == file) return true;
            return false;
        };
        QVERIFY(listed());
        QVERIFY(QFile::remove(file));
        window_->open(file);
        QVERIFY(!window_->finish_opening());
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!listed());
    }

    void everything_that_takes_keys_has_a_name() {
        for (const char* id : {"problems", "layers", "timeline", "sensitivity"}) {
            open_page(id);
            for (const auto* w : window_->findChildren<QWidget*>()) {
                if (!w->isVisible() || w->focusPolicy() == Qt::NoFocus || w->focusProxy()) continue;
                const auto* button = qobject_cast<const QAbstractButton*>(w);
                QWidget* parent = w->parentWidget();
                const bool inside = qobject_cast<const QLineEdit*>(w) && parent && !parent->accessibleName().isEmpty();
                QVERIFY2(inside || !w->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                         qPrintable(QStringLiteral("%1 %2 in %3")
                                        .arg(QLatin1String(w->metaObject()->className()), w->objectName(),
                                             parent ? QLatin1String(parent->metaObject()->className()) : QString())));
            }
        }
    }
};

QTEST_MAIN(WindowWordsTest)
#include "tst_window_words.moc"
