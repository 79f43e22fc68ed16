// SPDX-License-Identifier: GPL-3.0-or-later
// Preferences: found by their words, kept at once, and shown as they are.
#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

#include "support_window.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/preferences/preferences_dialog.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestPreferences : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    PreferencesDialog& dialog() { return *find<PreferencesDialog>("preferences"); }
    template <class T>
    T& in(const char* name) {
        T* w = dialog().findChild<T*>(QLatin1String(name));
        if (!w) qFatal("no %s", name);
        return *w;
    }
    void open_preferences() {
        find<QAction>("preferencesAction")->trigger();
        settle();
    }
    void choose(const char* combo, const char* text) {
        Combo& c = in<Combo>(combo);
        for (const ComboItem& item : c.items())
            if (item.text == QLatin1String(text)) {
                emit c.chosen(item.id);
                settle();
                return;
            }
        QFAIL(text);
    }
    void type(const QString& words) {
        in<SearchField>("preferencesSearch").setText(words);
        settle();
    }
    QStringList shown() {
        QStringList names;
        for (const char* name : {"preferTheme", "preferMotion", "preferControls", "preferLanguage", "preferLayout",
                                 "preferTour", "preferForgetLessons", "preferClearRecent"})
            if (in<QWidget>(name).isVisible()) names << QLatin1String(name);
        return names;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().clear();
        set_comfort(*qApp, Motion::full, false);
        open();
        open_preferences();
    }
    void cleanup() {
        window_.reset();
        set_comfort(*qApp, Motion::full, false);
        QSettings().clear();
    }

    void looks_change_at_once_and_are_kept() {
        choose("preferTheme", "Dark");
        QVERIFY(theme().dark && Settings().theme() == ThemeChoice::dark);
        choose("preferControls", "Large");
        QVERIFY(large_controls() && Settings().large_controls());
        choose("preferMotion", "Less motion");
        QVERIFY(less_motion() && Settings().motion() == Motion::less);
        // The menu says the same, and does not switch back what it shows.
        auto* large = find<QAction>("largeControls");
        for (QMenu* menu : window_->findChildren<QMenu*>())
            if (menu->actions().contains(large)) emit menu->aboutToShow();
        QVERIFY(large->isChecked() && large_controls());
        choose("preferControls", "Usual");
        QVERIFY(!large_controls());
    }

    void another_language_waits_for_the_next_start() {
        const auto says = [&] {
            for (const QLabel* label : dialog().findChildren<QLabel*>())
                if (label->text().contains(QStringLiteral("next start"))) return true;
            return false;
        };
        QVERIFY(!says());
        choose("preferLanguage", "Deutsch");
        QVERIFY(says() && Settings().language() == Language::german);
        QCOMPARE(language_told(), QStringLiteral("en"));
        choose("preferLanguage", "English");
        QVERIFY(!says() && Settings().language() == Language::english);
    }

    /// Nothing is cut where the screen has room.
    void all_rows_are_in_sight() {
        open_preferences();
        auto* dialog = window_->findChild<PreferencesDialog*>(QStringLiteral("preferences"));
        auto* scroll = dialog->findChild<QScrollArea*>();
        const int room = dialog->screen()->availableSize().height() - 40;
        QVERIFY(dialog->height() <= room);
        if (dialog->height() < room) QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
    }

    void they_are_found_by_their_words() {
        QCOMPARE(shown().size(), 8);
        type(QStringLiteral("contrast"));
        QCOMPARE(shown(), QStringList{QStringLiteral("preferTheme")});
        type(QStringLiteral("lessons progress"));
        QCOMPARE(shown(), QStringList{QStringLiteral("preferForgetLessons")});
        QVERIFY(!in<QLabel>("preferencesNothing").isVisible());
        type(QStringLiteral("bandwidth"));
        QVERIFY(shown().isEmpty() && in<QLabel>("preferencesNothing").isVisible());
        QSignalSpy asked(&dialog(), &PreferencesDialog::all_settings_asked);
        emit in<QLabel>("preferencesNothing").linkActivated(QStringLiteral("all"));
        QCOMPARE(asked.size(), 1);
        QCOMPARE(window_->focusWidget(), find<QWidget>("settingsSearch"));
    }

    void lists_are_emptied() {
        QVERIFY(!in<QPushButton>("preferForgetLessons").isEnabled());
        QVERIFY(!in<QPushButton>("preferClearRecent").isEnabled());
        dialog().close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        Settings().add_recent(QStringLiteral("/some/file.json"));
        LessonMark mark;
        mark.step = 2;
        Settings().set_lesson_mark(QStringLiteral("a lesson"), mark);
        open_preferences();
        QTest::mouseClick(&in<QPushButton>("preferForgetLessons"), Qt::LeftButton);
        QTest::mouseClick(&in<QPushButton>("preferClearRecent"), Qt::LeftButton);
        QVERIFY(!Settings().has_lessons() && Settings().recent().isEmpty());
        QVERIFY(!Settings().lesson_mark(QStringLiteral("a lesson")).is_begun());
        QVERIFY(!in<QPushButton>("preferForgetLessons").isEnabled());
    }

    void the_tour_begins() {
        QTest::mouseClick(&in<QPushButton>("preferTour"), Qt::LeftButton);
        settle();
        QVERIFY(find<QWidget>("tour")->isVisible());
    }

    void there_is_help() { QCOMPARE(help_of(&dialog()), QStringLiteral("window-preferences")); }
};

QTEST_MAIN(TestPreferences)
#include "tst_preferences.moc"
