// SPDX-License-Identifier: GPL-3.0-or-later
// Two windows on one file: what one of them saved is not overwritten by the
// other without a question.
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

#include "core/formats/scenario_json.hpp"
#include "support_questions.hpp"
#include "support_window.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/window/lesson_desk.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestChangedFiles : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    QString file_;

    void set_workers(std::int64_t workers) {
        Scenario s = scenario();
        s.cluster.workers = workers;
        window_->document().edit(std::move(s));
        settle();
    }
    /// As another window would: the file has that many workers.
    void another_window_saves(std::int64_t workers) {
        Scenario s = scenario();
        s.cluster.workers = workers;
        write("mine.json", QByteArray::fromStdString(formats::write_scenario(s, window_->library())));
    }
    std::int64_t workers_in_file() {
        QFile file(file_);
        if (!file.open(QIODevice::ReadOnly)) return -1;
        const auto read = formats::read_scenario(file.readAll().toStdString(), file_.toStdString(), window_->library());
        return read ? read->scenario.cluster.workers : -1;
    }
    void save(QMainWindow& window) {
        for (const QAction* menu : window.menuBar()->actions())
            for (QAction* a : menu->menu()->actions())
                if (a->shortcut() == QKeySequence(QKeySequence::Save)) return a->trigger();
        qFatal("nothing saves");
    }
    void save() {
        save(*window_);
        window_->finish_opening();
        settle();
    }
    /// Presses the button of that name in the next question.
    struct Answer {
        explicit Answer(const char* button) {
            QObject::connect(&timer, &QTimer::timeout, &timer, [this, name = QLatin1String(button)] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (!box) return;
                ++asked;
                timer.stop();
                for (QAbstractButton* b : box->buttons())
                    if (b->text().remove(QLatin1Char('&')) == name) return b->click();
                box->reject();
            });
            timer.start(0);
        }
        QTimer timer;
        int asked = 0;
    };
    QPushButton* offered(const char* name) { return offered(*window_, name); }
    static QPushButton* offered(QWidget& window, const char* name) {
        for (const Banner* b : window.findChildren<Banner*>())
            for (auto* button : b->findChildren<QPushButton*>())
                if (b->isVisible() && button->text() == QString::fromUtf8(name)) return button;
        return nullptr;
    }
    void come_back() { come_back(*window_); }
    void come_back(QWidget& window) {
        QEvent away(QEvent::ActivationChange);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QApplication::sendEvent(&window, &away);
        settle();
    }
    QByteArray held(const QString& file) {
        QFile in(file);
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        open();
        file_ = folder_.filePath(QStringLiteral("mine.json"));
        set_workers(2);
        QVERIFY(window_->save_to(file_));
    }
    void cleanup() { window_.reset(); }

    void saving_twice_asks_nothing() {
        Answer answer("Overwrite");
        set_workers(3);
        save();
        set_workers(4);
        save();
        QCOMPARE(answer.asked, 0);
        QCOMPARE(workers_in_file(), std::int64_t{4});
    }

    void saving_over_another_ones_change_asks_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<int>("in_file");
        QTest::addColumn<int>("open");
        QTest::addColumn<bool>("dirty");
        QTest::newRow("cancel") << QByteArray("Cancel") << 50 << 3 << true;
        QTest::newRow("overwrite") << QByteArray("Overwrite") << 3 << 3 << false;
        QTest::newRow("reload") << QByteArray("Reload") << 50 << 50 << false;
    }
    void saving_over_another_ones_change_asks() {
        QFETCH(QByteArray, button);
        QFETCH(int, in_file);
        QFETCH(int, open);
        QFETCH(bool, dirty);
        another_window_saves(50);
        set_workers(3);
        Answer answer(button.constData());
        save();
        QCOMPARE(answer.asked, 1);
        QCOMPARE(workers_in_file(), std::int64_t{in_file});
        QCOMPARE(scenario().cluster.workers, std::int64_t{open});
        QCOMPARE(window_->document().dirty(), dirty);
        if (button != "Reload") return;
        // What was not saved is an undo step away.
        window_->document().history().undo();
        QCOMPARE(scenario().cluster.workers, std::int64_t{3});
        QVERIFY(window_->document().dirty());
    }

    void whoever_comes_back_to_the_window_is_told() {
        come_back();
        QVERIFY(!offered("Reload"));
        another_window_saves(50);
        come_back();
        QVERIFY(offered("Reload") && offered("Keep mine") && offered("Save as…"));
        offered("Reload")->click();
        window_->finish_opening();
        settle();
        QCOMPARE(scenario().cluster.workers, std::int64_t{50});
        QVERIFY(!offered("Reload") && !window_->document().dirty());
        // Once more, to keep what is open.
        another_window_saves(60);
        come_back();
        QVERIFY(offered("Keep mine"));
        offered("Keep mine")->click();
        come_back();
        QVERIFY(!offered("Keep mine"));
        QVERIFY(window_->document().dirty());
        Answer answer("Cancel");
        save();
        QCOMPARE(answer.asked, 0);
        QCOMPARE(workers_in_file(), std::int64_t{50});
    }

    /// The change is overwritten, as was asked for: nothing more is to be said about it.
    void saving_ends_the_notice() {
        another_window_saves(50);
        come_back();
        QVERIFY(offered("Keep mine"));
        set_workers(3);
        Answer answer("Overwrite");
        save();
        QCOMPARE(answer.asked, 1);
        QVERIFY(!offered("Keep mine"));
        QVERIFY(!window_->document().dirty());
    }

    void a_file_that_is_gone_is_written_again() {
        QVERIFY(QFile::remove(file_));
        set_workers(5);
        Answer answer("Cancel");
        save();
        QCOMPARE(answer.asked, 0);
        QCOMPARE(workers_in_file(), std::int64_t{5});
    }

    void lessons_ask_too() {
        find<QAction>("newLesson")->trigger();
        LessonEditor& editor = window_->lessons().editor();
        const QString file = folder_.filePath(QStringLiteral("lesson.json"));
        QVERIFY(editor.document().save_to(file));
        const auto rename = [&](const char* title) {
            lessons::Lesson next = editor.document().lesson();
            next.title = title;
            editor.document().edit(std::move(next), QStringLiteral("test"));
        };
        write("lesson.json", "of another window");
        rename("Mine");
        {
            Answer answer("Cancel");
            save(editor);
            QCOMPARE(answer.asked, 1);
            QFile held(file);
            QVERIFY(held.open(QIODevice::ReadOnly));
            QCOMPARE(held.readAll(), QByteArray("of another window"));
        }
        Answer answer("Overwrite");
        save(editor);
        QCOMPARE(answer.asked, 1);
        QVERIFY(!editor.document().dirty());
    }

    void whoever_comes_back_to_a_lesson_is_told() {
        find<QAction>("newLesson")->trigger();
        LessonEditor& editor = window_->lessons().editor();
        const QString file = folder_.filePath(QStringLiteral("told.json"));
        QVERIFY(editor.document().save_to(file));
        const QByteArray mine = held(file);
        come_back(editor);
        QVERIFY(!offered(editor, "Reload"));
        QByteArray theirs = mine;
        theirs.replace("A new lesson", "Another title");
        QVERIFY(theirs != mine);
        write("told.json", theirs);
        come_back(editor);
        QVERIFY(offered(editor, "Reload"));
        offered(editor, "Reload")->click();
        QCOMPARE(editor.document().lesson().title, std::string("Another title"));
        QVERIFY(!offered(editor, "Reload"));
        write("told.json", mine);
        come_back(editor);
        offered(editor, "Keep mine")->click();
        QVERIFY(editor.document().dirty() && !offered(editor, "Keep mine"));
        Answer answer("Cancel");
        save(editor);
        QCOMPARE(answer.asked, 0);
        QVERIFY(held(file).contains("Another title"));
    }

    void tables_of_runs_ask_too() {
        const QString file = write("runs.csv", "workers,time_s\n1,8\n2,4\n");
        window_->open(file);
        QVERIFY(window_->finish_opening());
        MeasureWindow& measure = window_->measurements();
        RunsDocument& runs = measure.runs_page()->document();
        come_back(measure);
        QVERIFY(!offered(measure, "Reload"));
        const QByteArray theirs = "workers,time_s\n1,8\n2,4\n4,2\n";
        write("runs.csv", theirs);
        come_back(measure);
        QVERIFY(offered(measure, "Reload") && offered(measure, "Keep mine") && offered(measure, "Save as…"));
        offered(measure, "Keep mine")->click();
        QVERIFY(runs.dirty() && !offered(measure, "Keep mine"));
        QVERIFY(measure.save_table_to(file));
        QVERIFY(!runs.dirty());
        // When saving, too.
        write("runs.csv", theirs);
        {
            Answer answer("Cancel");
            QVERIFY(!measure.save_table_to(file));
            QCOMPARE(answer.asked, 1);
            QCOMPARE(held(file), theirs);
        }
        runs.set_cell(0, 1, QStringLiteral("9"));
        Answer answer("Reload");
        QVERIFY(!measure.save_table_to(file));
        window_->finish_opening();
        QCOMPARE(answer.asked, 1);
        QCOMPARE(runs.sheet().rows(), std::size_t{3});
        QVERIFY(!runs.dirty());
    }
};

QTEST_MAIN(TestChangedFiles)
#include "tst_changed_files.moc"
