// SPDX-License-Identifier: GPL-3.0-or-later
// A window that goes away while a lesson is open: neither the person's document nor the place in the lesson is lost.
#include "core/formats/scenario_json.hpp"
#include "core/lessons/beginning.hpp"
#include "support_lessons.hpp"
#include "support_questions.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_run.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestLessonSession : public QObject, private lessons_test::LessonFixture {
    Q_OBJECT

    QTemporaryDir sessions_;
    /// As the program starts, with what was left behind.
    void start() {
        apply_theme(*qApp, ThemeChoice::light);
        window_ = std::make_unique<MainWindow>(sessions_.path());
        window_->start();
        window_->finish_opening();
        window_->live().finish();
        window_->resize(1440, 900);
        window_->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        settle();
    }

    /// Somebody's own work, in a file that is not up to date.
    void make_own_work() {
        set_workers(48);
        QVERIFY(window_->save_to(folder_.filePath(QStringLiteral("mine.json"))));
        set_workers(64);
    }
    struct Work {
        Scenario scenario;
        Pins pins;
        std::shared_ptr<const NetworkDraft> draft;
        int index = 0, step = 0;
        bool operator==(const Work&) const = default;
    };
    Work work() {
        const Document& d = window_->document();
        return {d.scenario(), d.pins(), d.draft(), window_->document().history().index(),
                desk().is_open() ? desk().run()->step() : -1};
    }
    /// In a lesson: another scenario, a pin and a drawing.
    Work work_in_a_lesson() {
        open_lesson();
        click_next();
        set_workers(7);
        window_->document().pin();
        window_->document().new_network();
        settle();
        return work();
    }
    QString other_file() {
        Scenario other = example_scenario(window_->library());
        other.cluster.workers = 5;
        return write("other.json", QByteArray::fromStdString(formats::write_scenario(other, window_->library())));
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        QSettings().remove(QStringLiteral("lessons"));
        for (const QString& file : QDir(sessions_.path()).entryList(QDir::Files)) QDir(sessions_.path()).remove(file);
        start();
    }
    void cleanup() { close(); }

    void a_crash_in_a_lesson_loses_nothing() {
        set_workers(48);
        const QString file = folder_.filePath(QStringLiteral("mine.json"));
        QVERIFY(window_->save_to(file));
        set_workers(64);
        window_->document().pin();
        open_lesson();
        click_next();
        set_workers(7);
        close();  // without an end of its own
        start();
        QVERIFY(desk().is_open());
        QCOMPARE(desk().run()->step(), 1);
        QCOMPARE(scenario().cluster.workers, std::int64_t{7});
        QVERIFY(window_->document().file().isEmpty());
        QVERIFY(desk().leave());
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
        QCOMPARE(window_->document().file(), file);
        QCOMPARE(window_->document().pins().size(), std::size_t{1});
        QVERIFY(window_->document().dirty());
        // Nothing of the lesson got into the person's file.
        QVERIFY(window_->save_to(file));
        QFile saved(file);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QVERIFY(!saved.readAll().contains("\"lesson\""));
    }

    void what_is_drawn_and_pinned_in_a_lesson_survives_a_crash() {
        make_own_work();
        const Work made = work_in_a_lesson();
        close();  // without an end of its own
        start();
        QVERIFY(desk().is_open());
        const auto written = [this](const Scenario& s, const Pins& pins) {
            return QString::fromStdString(formats::write_scenario(s, window_->library(), {}, pins));
        };
        QCOMPARE(written(scenario(), window_->document().pins()), written(made.scenario, made.pins));
        QVERIFY(window_->document().draft() && window_->document().draft()->name == made.draft->name);
        QVERIFY(desk().leave());
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
        QVERIFY(!window_->document().draft() && window_->document().pins().empty());
    }

    /// The way Auto belongs to the person's own design: a step of a lesson has the mesh that it says.
    void auto_waits_outside() {
        const auto mesh = [this]() -> WorkersPanel& { return *window_->findChild<WorkersPanel*>(); };
        window_->open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        choose("auto");
        mesh().finish_mesh();
        settle();
        const Scenario own = scenario();
        desk().open_shipped(QStringLiteral("16-pipeline-schedules"), true);
        mesh().finish_mesh();
        settle();
        QVERIFY(!mesh().automatic());
        const Scenario step = *lessons::scenario_of(desk().run()->lesson(), 0, window_->library());
        QVERIFY(scenario().parallelism == step.parallelism);
        close();  // without an end of its own
        start();
        mesh().finish_mesh();
        settle();
        QVERIFY(desk().is_open() && scenario().parallelism == step.parallelism);
        QVERIFY(desk().leave());
        mesh().finish_mesh();
        settle();
        QVERIFY(mesh().automatic() && scenario().parallelism == own.parallelism);
    }

    void a_lesson_that_was_left_is_one_click_away() {
        make_own_work();
        const Work made = work_in_a_lesson();
        QVERIFY(desk().leave());
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
        QAction& resume = action("resumeLesson");
        QVERIFY(resume.isEnabled() && resume.text().contains(QLatin1String("A lesson to try")));
        resume.trigger();
        settle();
        QVERIFY(work() == made);
        window_->document().history().undo();
        QVERIFY(!window_->document().draft());
        // And so it is when another lesson was opened meanwhile: the way back is an undo step.
        window_->document().history().redo();
        desk().open_shipped(QString::fromStdString(window_->library().lessons.front().id));
        settle();
        open_lesson();
        QCOMPARE(desk().run()->lesson().title, std::string("A lesson to try"));
        QVERIFY(!window_->document().draft());
        window_->document().history().undo();
        QVERIFY(window_->document().draft() == made.draft && window_->document().pins() == made.pins);
        QVERIFY(desk().leave());
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
    }

    void a_drawing_of_a_lesson_can_be_taken_along() {
        make_own_work();
        const Work made = work_in_a_lesson();
        QVERIFY(desk().leave());
        settle();
        window_test::Questions asked(QMessageBox::Discard);
        for (auto* button : window_->findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Take over"))) QTest::mouseClick(button, Qt::LeftButton);
        settle();
        QCOMPARE(asked.asked(), 1);
        QVERIFY(window_->document().draft() && window_->document().draft()->name == made.draft->name);
        QVERIFY(window_->document().pins() == made.pins);
    }

    void opening_something_else_leaves_a_way_back_to_the_lesson() {
        make_own_work();
        const Work made = work_in_a_lesson();
        {
            window_test::Questions asked(QMessageBox::Cancel);
            window_->open(other_file());
            QVERIFY(!window_->finish_opening());
            settle();
            QCOMPARE(asked.asked(), 1);
            QVERIFY(desk().is_open() && work() == made);
            QCOMPARE(desk().waiting()->scenario().cluster.workers, std::int64_t{64});
        }
        window_test::Questions asked(QMessageBox::Discard);
        window_->open(other_file());
        QVERIFY(window_->finish_opening());
        settle();
        QCOMPARE(asked.asked(), 1);
        QVERIFY(!desk().is_open());
        QCOMPARE(scenario().cluster.workers, std::int64_t{5});
        bool offered = false;
        for (auto* button : window_->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QLatin1String("Return to the lesson")) {
                offered = true;
                QTest::mouseClick(button, Qt::LeftButton);
                break;
            }
        QVERIFY(offered);
        settle();
        QVERIFY(desk().is_open() && work() == made);
        QCOMPARE(desk().waiting()->scenario().cluster.workers, std::int64_t{5});
    }

    void a_window_that_is_not_closed_after_all_keeps_the_lesson() {
        make_own_work();
        const Work made = work_in_a_lesson();
        window_test::Questions asked(QMessageBox::Cancel);
        QVERIFY(!window_->close());
        QCOMPARE(asked.asked(), 1);
        settle();
        QVERIFY(desk().is_open() && work() == made);
        window_->document().history().undo();
        QVERIFY(!window_->document().draft());
    }

    /// What is recovered is the person's own, whatever was opened while it was read.
    void a_lesson_that_is_opened_while_the_session_is_read_does_not_take_it() {
        close();
        const formats::Library library = formats::load_shipped();
        Scenario own = example_scenario(library);
        own.cluster.workers = 64;
        {
            Session left(sessions_.path());
            const std::string blanks(30'000'000, ' ');  // to be read for a moment
            left.keep({formats::write_scenario(own, library) + blanks, {}, true, false});
            left.flush();
        }
        window_ = std::make_unique<MainWindow>(sessions_.path());
        window_->start();
        QVERIFY(window_->loader().loading());
        desk().open_shipped(QString::fromStdString(library.lessons.front().id));
        const Scenario in_lesson = scenario();
        window_->finish_opening();
        settle();
        QVERIFY(desk().is_open() && scenario() == in_lesson);
        QCOMPARE(desk().waiting()->scenario().cluster.workers, std::int64_t{64});
        QVERIFY(desk().waiting()->dirty());
        QVERIFY(desk().leave());
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
    }

    /// Even where it is still wrong; and once it is saved or given up, nothing comes back.
    void a_crash_while_writing_loses_nothing() {
        action("newLesson").trigger();
        auto edit = [this](auto change) {
            lessons::Lesson next = desk().editor().document().lesson();
            change(next);
            desk().editor().document().edit(std::move(next), QStringLiteral("test"));
        };
        edit([](lessons::Lesson& l) { l.title = "Half a lesson"; });
        edit([](lessons::Lesson& l) { l.steps[0].text.source = {"A *star that never ends"}; });
        edit([](lessons::Lesson& l) { l.steps[0].task.emplace().condition = "steep < 3"; });
        QVERIFY(!desk().editor().document().problems().empty());
        close();  // without an end of its own
        start();
        QVERIFY(desk().editor().isVisible() && desk().editor().document().dirty());
        const lessons::Lesson& kept = desk().editor().document().lesson();
        QCOMPARE(kept.title, std::string("Half a lesson"));
        QCOMPARE(kept.steps[0].text.source.front(), std::string("A *star that never ends"));
        QCOMPARE(kept.steps[0].task->condition, std::string("steep < 3"));
        QVERIFY(!kept.steps[0].beginning.scenario.empty());
        const QString file = folder_.filePath(QStringLiteral("half.json"));
        QVERIFY(desk().editor().document().save_to(file));
        close();
        start();
        QVERIFY(!window_->findChild<LessonEditor*>());
    }

    /// Another window wrote its file meanwhile.
    void a_lesson_that_is_recovered_knows_what_its_file_held() {
        const QString file = folder_.filePath(QStringLiteral("known.json"));
        action("newLesson").trigger();
        LessonDocument& document = desk().editor().document();
        QVERIFY(document.save_to(file));
        lessons::Lesson next = document.lesson();
        next.title = "Mine";
        document.edit(std::move(next), QStringLiteral("test"));
        close();  // without an end of its own
        start();
        QCOMPARE(desk().editor().document().file(), file);
        QVERIFY(!desk().editor().document().on_disk().changed());
        write("known.json", "of another window");
        QVERIFY(desk().editor().document().on_disk().changed());
    }

    /// Once, and nothing has gone before the answer.
    void quitting_asks_once_about_a_lesson_that_is_written() {
        action("newLesson").trigger();
        LessonEditor& editor = desk().editor();
        lessons::Lesson next = editor.document().lesson();
        next.title = "Half a lesson";
        editor.document().edit(std::move(next), QStringLiteral("test"));
        {
            window_test::Questions asked(QMessageBox::Cancel);
            QVERIFY(!window_->close());
            QCOMPARE(asked.asked(), 1);
            QVERIFY(window_->isVisible() && editor.isVisible() && editor.document().dirty());
        }
        window_test::Questions asked(QMessageBox::Discard);
        QVERIFY(window_->close());
        // As the program does when its last window is gone.
        QApplication::closeAllWindows();
        QCOMPARE(asked.asked(), 1);
        QVERIFY(!editor.isVisible());
    }

    void a_window_that_is_closed_goes_on_next_time() {
        set_workers(64);
        open_lesson();
        click_next();
        set_workers(7);
        QVERIFY(window_->close());
        close();
        start();
        QVERIFY(desk().is_open());
        QCOMPARE(desk().run()->step(), 1);
        QCOMPARE(scenario().cluster.workers, std::int64_t{7});
        QVERIFY(desk().leave());
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
        // And does so once.
        QVERIFY(window_->close());
        close();
        start();
        QVERIFY(!desk().is_open());
        QCOMPARE(scenario().cluster.workers, std::int64_t{64});
    }
};

QTEST_MAIN(TestLessonSession)
#include "tst_lesson_session.moc"
