// SPDX-License-Identifier: GPL-3.0-or-later
// Opening is done off the window's thread: it answers meanwhile, the newest wins, and cancelling leaves all as it was.
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/formats/scenario_json.hpp"
#include "ui/document/loader.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/progress_row.hpp"
#include "ui/widgets/slider.hpp"
#include "ui/widgets/status_line.hpp"
#include "ui/window/main_window.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

/// A reader that takes as long as the test wants.
struct Gate {
    std::mutex mutex;
    std::condition_variable change;
    bool open = false;
    std::atomic<bool> entered = false, cancelled = false, left = false;

    ~Gate() {
        let_go();
        while (entered && !left) std::this_thread::yield();
        std::lock_guard until_it_is_released(mutex);
    }
    Loader::Reader reader(Result<OpenedFile> result = OpenedFile{}) {
        return [this, result](const Watch& watch) {
            entered = true;
            watch.progress(0.25, "layers");
            std::unique_lock lock(mutex);
            while (!open && !watch.cancel.cancelled()) change.wait_for(lock, std::chrono::milliseconds(1));
            cancelled = watch.cancel.cancelled();
            left = true;
            return result;
        };
    }
    void let_go() {
        std::lock_guard lock(mutex);
        open = true;
        change.notify_all();
    }
};

OpenedFile scenario_named(const char* name) {
    OpenedFile opened;
    opened.scenario.emplace();
    opened.scenario->name = name;
    return opened;
}

}  // namespace

class OpeningTest : public QObject {
    Q_OBJECT

    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;

    QString write(const char* name, const std::string& text) {
        const QString path = folder_.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0)
            qFatal("cannot write %s", name);
        return path;
    }
    QString scenario_file(const char* name, std::int64_t batch) {
        Scenario s = example_scenario(window_->library());
        s.training.batch = batch;
        return write(name, formats::write_scenario(s, window_->library()));
    }
    ProgressRow* row() { return window_->findChild<ProgressRow*>(); }
    QString status() { return window_->findChild<StatusLine*>()->accessibleDescription(); }
    const Scenario& scenario() { return window_->document().scenario(); }
    void load(Gate& gate) {
        window_->loader().load(QStringLiteral("huge.json"), gate.reader(),
                               [](Result<OpenedFile>) { QFAIL("nobody is to hear of it"); });
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("scalescope-tests"));
        apply_theme(*qApp, ThemeChoice::light);
    }
    void init() {
        Settings().set_window({}, {});
        window_ = std::make_unique<MainWindow>(QString());
        window_->start();
        window_->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->live().finish();
    }
    void cleanup() { window_.reset(); }

    void the_window_answers_while_a_file_is_read() {
        Gate gate;
        load(gate);
        QTRY_VERIFY(row()->isVisible());
        QVERIFY(gate.entered);
        QStringList said;
        for (const auto* label : row()->findChildren<QLabel*>()) said << label->text();
        QVERIFY2(said.join(QLatin1Char(' ')).contains(QLatin1String("huge.json")), qPrintable(said.join(u' ')));
        QTRY_COMPARE(row()->findChild<QProgressBar*>()->value(), 250);
        QVERIFY(!status().contains(QLatin1String("Ready")));
        const auto before = scenario().cluster.workers;
        auto* slider = window_->findChild<WorkerSlider*>(QStringLiteral("workersSlider"));
        slider->setFocus();
        QSignalSpy updates(window_.get(), &MainWindow::updated);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(scenario().cluster.workers, before + 1);
        QTRY_VERIFY(!updates.isEmpty());  // the charts followed
        QVERIFY(window_->loader().loading());
        window_->files().cancel_opening();
    }

    void a_file_read_in_a_moment_shows_no_progress() {
        const QString file = scenario_file("quick.json", 48);
        QSignalSpy slow(&window_->loader(), &Loader::slow);
        window_->open(file);
        QVERIFY(!row()->isVisible());
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().training.batch, 48);
        QCOMPARE(slow.count(), 0);
        QVERIFY(!row()->isVisible());
    }

    void cancelling_leaves_everything_as_it_was_data() {
        QTest::addColumn<bool>("by_key");
        QTest::newRow("button") << false;
        QTest::newRow("escape") << true;
    }
    void cancelling_leaves_everything_as_it_was() {
        QFETCH(bool, by_key);
        const Scenario before = scenario();
        const QString title = window_->windowTitle();
        Gate gate;
        load(gate);
        QTRY_VERIFY(row()->isVisible());
        if (by_key) {
            window_->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(window_.get()));
            QTest::keyClick(window_.get(), Qt::Key_Escape);
        } else {
            QTest::mouseClick(row()->findChild<QPushButton*>(), Qt::LeftButton);
        }
        QTRY_VERIFY(!row()->isVisible());
        QVERIFY(!window_->loader().loading());
        QTRY_VERIFY(gate.left);
        QVERIFY(gate.cancelled);
        QCoreApplication::processEvents();
        QVERIFY(scenario() == before);
        QCOMPARE(window_->windowTitle(), title);
        QVERIFY(status().contains(QLatin1String("Ready")));
    }

    void of_two_opens_the_last_wins() {
        Gate gate;
        load(gate);
        const QString first = scenario_file("first.json", 16), last = scenario_file("last.json", 24);
        window_->open(first);
        window_->open(last);
        QVERIFY(window_->finish_opening());
        QTRY_VERIFY(gate.left);
        QCoreApplication::processEvents();
        QCOMPARE(scenario().training.batch, 24);
        QCOMPARE(window_->document().file(), last);
    }

    void edits_made_meanwhile_stay_when_a_network_comes() {
        const QString network = write("net.json", window_->library().find_network("nin")->text);
        window_->open(network);
        Scenario next = scenario();
        next.cluster.workers = 77;
        window_->document().edit(next);
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().cluster.workers, 77);
        QVERIFY(scenario().network()->name() != example_scenario(window_->library()).network()->name());
    }

    void a_scenario_and_then_a_network_for_it() {
        const QString network = write("net.json", window_->library().find_network("nin")->text);
        window_->open_all({scenario_file("study.json", 40), network});
        QVERIFY(window_->finish_opening());
        QCOMPARE(scenario().training.batch, 40);
        QVERIFY(scenario().network()->name() != example_scenario(window_->library()).network()->name());
    }

    void a_broken_file_still_leads_to_its_problems() {
        const Scenario before = scenario();
        window_->open(write("broken.json", "{\n  \"layers\": oops\n}"));
        QVERIFY(!window_->finish_opening());
        window_->live().finish();
        auto* problems = window_->findChild<ProblemsView*>();
        QTRY_VERIFY(problems->isVisible());
        QVERIFY(scenario() == before);
        QVERIFY2(status().contains(QLatin1String("last good state")), qPrintable(status()));
    }

    void a_large_file_can_be_cancelled_while_it_is_parsed() {
        std::string text = "{\"format\": \"scalescope-network\", \"version\": 1, \"layers\": [0";
        for (int i = 0; i < 400'000; ++i) text += ",[1]";
        CancelSource source;
        int reports = 0;
        Watch watch;
        watch.cancel = source.token();
        watch.progress = Progress([&](double, std::string_view) {
            if (++reports == 3) source.cancel();
        });
        const auto read = open_text(text + "]}", QStringLiteral("large.json"), window_->library(), watch);
        QVERIFY(!read);
        QCOMPARE(reports, 3);  // not a look more
    }

    void closing_while_a_file_is_read_is_clean() {
        Gate gate;
        load(gate);
        QTRY_VERIFY(gate.entered);
        QVERIFY(window_->close());
        window_.reset();
        QVERIFY(gate.left && gate.cancelled);
    }

    void a_result_is_delivered_once() {
        Loader loader;
        Gate gate;
        gate.let_go();
        int heard = 0;
        loader.load(QStringLiteral("a"), gate.reader(scenario_named("a")), [&](Result<OpenedFile> opened) {
            QCOMPARE(opened->scenario->name, std::string("a"));
            ++heard;
        });
        QVERIFY(loader.finish());
        QCoreApplication::processEvents();
        QCOMPARE(heard, 1);
        QVERIFY(!loader.loading());
    }
};

QTEST_MAIN(OpeningTest)
#include "tst_opening.moc"
