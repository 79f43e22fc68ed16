// SPDX-License-Identifier: GPL-3.0-or-later
// A home folder that is full or read-only: it is said, tried again, and asked
// about before the work is gone.
#include <QDir>
#include <QPushButton>
#include <QSettings>
#include <set>

#include "core/formats/scenario_json.hpp"
#include "support_questions.hpp"
#include "support_window.hpp"
#include "ui/document/keeping.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/window/lesson_desk.hpp"

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
    /// As a window that was closed, or killed, with unsaved work that has no file.
    void leave_work(std::int64_t workers, bool killed = false) {
        const formats::Library library = formats::load_shipped();
        Scenario s = example_scenario(library);
        s.cluster.workers = workers;
        Session session(sessions());
        session.keep({formats::write_scenario(s, library), {}, true, false});
        session.flush();
        if (!killed) session.close();
    }
    QString sessions() { return blocked() + QStringLiteral("/sessions"); }
    QPushButton* offered(const QString& text) {
        for (const Banner* banner : window_->findChildren<Banner*>())
            for (auto* button : banner->findChildren<QPushButton*>())
                if (banner->isVisible() && button->text() == text) return button;
        return nullptr;
    }
    bool is_said(const QString& part) {
        for (const Banner* banner : window_->findChildren<Banner*>())
            if (banner->isVisible() && banner->accessibleName().contains(part)) return true;
        return false;
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
        leave_work(3);
        leave_work(5);
        leave_work(7);
        open_with_sessions();
        QVERIFY(is_said(QStringLiteral("2 other windows were closed with unsaved work.")));
        std::multiset<std::int64_t> seen{scenario().cluster.workers};
        for (int i = 0; i < 3; ++i) {
            QPushButton* next = offered(QStringLiteral("Open the next"));
            QVERIFY(next);
            next->click();
            settle();
            QVERIFY(window_->document().dirty());
            seen.insert(scenario().cluster.workers);
        }
        // In turn, and back at the first.
        QCOMPARE(seen.size(), std::size_t{4});
        for (const std::int64_t workers : {3, 5, 7}) QVERIFY(seen.count(workers) > 0);
        // What is changed in one of them is found again too.
        edit();
        const std::int64_t changed = scenario().cluster.workers;
        for (int i = 0; i < 3; ++i) {
            offered(QStringLiteral("Open the next"))->click();
            settle();
        }
        QCOMPARE(scenario().cluster.workers, changed);
    }

    void a_session_that_cannot_be_read_is_said_and_kept() {
        unblock();
        leave_work(3);
        QVERIFY(QDir().mkpath(sessions()));
        const auto broken = [&](const char* name, const QByteArray& text) {
            QFile file(sessions() + QLatin1Char('/') + QLatin1String(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.flush());
            // Newer than the work that was left, however coarse the file system's clock: the newest is tried first.
            QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(1), QFileDevice::FileModificationTime));
        };
        broken("session-cut.json", "{\"format\": \"scalescope-session\", \"version\": 1, \"dirty\": tr");
        broken("session-other.json",
               "{\"format\": \"scalescope-session\", \"version\": 1, \"dirty\": true, \"scenario\": \"no scenario\"}");
        open_with_sessions();
        QCOMPARE(scenario().cluster.workers, std::int64_t{3});
        QVERIFY(is_said(QStringLiteral("could not be read")));
        const QDir folder(sessions());
        QVERIFY(folder.exists(QStringLiteral("unreadable-session-cut.json")));
        QVERIFY(folder.exists(QStringLiteral("unreadable-session-other.json")));
        window_.reset();
        open_with_sessions();
        QCOMPARE(scenario().cluster.workers, std::int64_t{3});
        QVERIFY(!is_said(QStringLiteral("could not be read")));
    }

    /// Or another window, which starts meanwhile, would take it over.
    void the_retry_takes_the_lock() {
        Session session(sessions());
        session.keep({"work", {}, true, false});
        session.flush();
        QVERIFY(!session.kept());
        unblock();
        QTRY_VERIFY(session.kept());
        Session other(sessions());
        QVERIFY(!other.find_left_behind().has_value());
    }

    /// An invalid network that is being drawn is what could be lost.
    void it_is_said_beside_the_faults_of_a_drawing() {
        open_with_sessions();
        window_->document().new_network();
        settle();
        QTRY_VERIFY2(status().contains(QLatin1String("Unsaved work cannot be stored: ")), qPrintable(status()));
        QVERIFY2(status().contains(QLatin1String("problem")), qPrintable(status()));
    }

    void work_in_a_lesson_that_cannot_be_kept_is_asked_about() {
        open_with_sessions();
        window_->lessons().open_shipped(QString::fromStdString(window_->library().lessons.front().id));
        settle();
        edit();
        QTRY_VERIFY2(status().contains(QLatin1String("Unsaved work cannot be stored: ")), qPrintable(status()));
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY2(asked.text().contains(QLatin1String("your work in the lesson")), qPrintable(asked.text()));
            QVERIFY(window_->lessons().is_open());
        }
        window_test::Questions asked(QMessageBox::Discard);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 1);
    }

    void a_fit_that_cannot_be_kept_is_asked_about() {
        open_with_sessions();
        window_->open(QStringLiteral(SCALESCOPE_TEST_DATA "/fit/g2-generic-noise5.csv"));
        QVERIFY(window_->finish_opening());
        RunsDocument& runs = window_->measurements().runs_page()->document();
        auto options = runs.state().options;
        options.refits = 0;
        runs.set_options(options, QStringLiteral("test"));
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY2(asked.text().contains(QLatin1String("fit of measured runs")), qPrintable(asked.text()));
        }
        unblock();
        window_test::Questions asked(QMessageBox::Cancel);
        QTRY_VERIFY(window_->measurements().session()->session().kept());
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
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
        open_with_sessions();
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY2(asked.text().contains(QLatin1String("recent files")), qPrintable(asked.text()));
            QVERIFY(window_->isVisible());
        }
        Settings().set_theme(ThemeChoice::dark);
        unblock();
        // It is tried again by itself.
        QTRY_COMPARE(Keeping::instance().trouble(), QString());
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(window_->close());
        QCOMPARE(asked.asked(), 0);
        QFile file(QSettings().fileName());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.contains("first") && text.contains("dark"), text.constData());
    }
};

QTEST_MAIN(TestKeeping)
#include "tst_keeping.moc"
