// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered between runs, and the lock that a killed program leaves on it.
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include "ui/preferences/settings.hpp"

using namespace scalescope::ui;

class SettingsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("scalescope-tests"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
        QVERIFY(QSettings().fileName().startsWith(folder_.path()));
    }

    void recent_files_are_ten_and_the_newest_is_first() {
        Settings settings;
        for (int i = 0; i < 12; ++i) settings.add_recent(QString::number(i));
        settings.add_recent(QStringLiteral("5"));
        QCOMPARE(settings.recent().size(), 10);
        QCOMPARE(settings.recent().first(), QStringLiteral("5"));
        QCOMPARE(settings.recent().count(QStringLiteral("5")), 1);
        settings.remove_recent(QStringLiteral("5"));
        QCOMPARE(settings.recent().first(), QStringLiteral("11"));
    }

    void looks_are_kept() {
        for (const ThemeChoice one :
             {ThemeChoice::light, ThemeChoice::dark, ThemeChoice::high_contrast, ThemeChoice::system}) {
            Settings().set_theme(one);
            QVERIFY(Settings().theme() == one);
        }
        for (const Motion one : {Motion::less, Motion::full, Motion::as_desktop}) {
            Settings().set_motion(one);
            QVERIFY(Settings().motion() == one);
        }
        Settings().set_large_controls(true);
        QVERIFY(Settings().large_controls());
        Settings().set_large_controls(false);
        for (int i = 0; i < 12; ++i) Settings().add_recent_command(QString::number(i));
        QCOMPARE(Settings().recent_commands().size(), 10);
        QCOMPARE(Settings().recent_commands().first(), QStringLiteral("11"));
    }

    /// QSettings by itself waits for 30 s and more here.
    void an_empty_lock_of_a_killed_program_holds_nobody_up() {
        Settings().set_theme(ThemeChoice::light);
        QFile lock(QSettings().fileName() + QStringLiteral(".lock"));
        QVERIFY(lock.open(QIODevice::WriteOnly));
        lock.close();
        forget_abandoned_lock(QSettings().fileName());
        QVERIFY(!lock.exists());
        QVERIFY(lock.open(QIODevice::WriteOnly));
        lock.write("4711\nanother program\n");
        lock.close();
        forget_abandoned_lock(QSettings().fileName());
        QVERIFY(lock.exists());  // signed: somebody is writing
        QVERIFY(lock.remove());
        Settings().set_theme(ThemeChoice::dark);
        QVERIFY(Settings().theme() == ThemeChoice::dark);
    }
};

QTEST_GUILESS_MAIN(SettingsTest)
#include "tst_settings.moc"
