// SPDX-License-Identifier: GPL-3.0-or-later
// A home folder that is full or read-only: it is said, tried again, and asked
// about before the work is gone.
#include <QDir>
#include <QSettings>
#include <set>

#include "support_questions.hpp"
#include "support_window.hpp"
#include "ui/document/keeping.hpp"
#include "ui/widgets/status_line.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestKeeping : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    /// A file where a folder should be: not even root can write into it.
    QString blocked() { return folder_.filePath(QStringLiteral("home")); }
    void block() { write("home", "no folder"); }
    void unblock() { QVERIFY(QFile::remove(blocked())); }
    void open_with_sessions() {
        apply_theme(*qApp, ThemeChoice::light);
        window_ = std::make_unique<MainWindow>(blocked() + QStringLiteral("/sessions"));
        window_->start();
        window_->finish_opening();
        window_->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        settle();
    }
    void edit() {
        Scenario s = scenario();
        s.cluster.workers = s.cluster.workers + 1;
        window_->document().edit(std::move(s));
        settle();
    }
    QString status() { return window_->findChild<StatusLine*>()->accessibleDescription(); }

private slots:
    void initTestCase() { prepare(); }
    void init() { block(); }
    void cleanup() {
        window_.reset();
        QCoreApplication::processEvents();
        QFile::remove(blocked());
        QDir(blocked()).removeRecursively();
    }

    void a_session_that_cannot_be_written_is_said_and_asked_about() {
        open_with_sessions();
        edit();
        QTRY_VERIFY2(status().contains(QLatin1String("Unsaved work cannot be stored: ")), qPrintable(status()));
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY2(asked.text().contains(QLatin1String("cannot be stored")), qPrintable(asked.text()));
            QVERIFY(window_->isVisible());
        }
        // It is tried again, without another edit.
        unblock();
        QTRY_VERIFY2(!status().contains(QLatin1String("cannot be stored")), qPrintable(status()));
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
        window_.reset();
        open_with_sessions();
        QVERIFY(window_->document().dirty());
    }

    /// Two windows were closed, each with work that is saved nowhere else.
    void each_of_two_windows_finds_its_work_again() {
        unblock();
        const QString folder = blocked();
        {
            Session first(folder), second(folder);
            first.keep({"one", {}, true, false});
            second.keep({"two", {}, true, false});
            first.close();
            second.close();
        }
        std::set<std::string> found;
        Session next(folder);
        while (const auto left = next.take_left_behind()) found.insert(left->scenario_text);
        QCOMPARE(found.size(), std::size_t{2});
    }

    void what_is_not_changed_is_not_asked_about() {
        open_with_sessions();
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
    }

    void settings_that_cannot_be_written_are_said_and_kept() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, blocked());
        QVERIFY(QSettings().fileName().startsWith(blocked()));
        Settings().add_recent(QStringLiteral("first"));
        QVERIFY2(Keeping::instance().trouble().startsWith(QLatin1String("Settings cannot be stored: ")),
                 qPrintable(Keeping::instance().trouble()));
        QCOMPARE(Settings().recent(), QStringList{QStringLiteral("first")});
        unblock();
        Settings().set_theme(ThemeChoice::dark);
        QCOMPARE(Keeping::instance().trouble(), QString());
        QFile file(QSettings().fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("first") && text.contains("dark"), text.constData());
    }
};

QTEST_MAIN(TestKeeping)
#include "tst_keeping.moc"
