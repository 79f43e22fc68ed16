// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window, their list, and the window before an audience.
#include <QAction>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include "core/lessons/beginning.hpp"
#include "core/lessons/lesson_json.hpp"
#include "tests/shots/hands.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/widgets/answer_button.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/presentation.hpp"

namespace scalescope::shots {
namespace {

/// One of the shipped lessons at a step, counted from 0.
void lesson(MainWindow& w, std::size_t index, int step = 0) {
    const auto& all = w.library().lessons;
    if (index >= all.size()) return;
    w.lessons().open_shipped(QString::fromStdString(all[index].id), true);
    settle(w);
    for (int i = 0; i < step && !w.lessons().run()->is_last(); ++i) {
        w.lessons().panel()->go_on();
        settle(w);
    }
    // A page that is opened for what the step points at.
    (void)QTest::qWaitFor([&] { return w.lessons().stage().has_settled(); }, 3000);
}

/// To the first step from here on that asks something.
void to_question(MainWindow& w) {
    while (!w.lessons().run()->now().question && !w.lessons().run()->is_last()) {
        w.lessons().panel()->go_on();
        settle(w);
    }
    for (auto* answer : w.findChildren<AnswerButton*>())
        if (answer->isVisible()) answer->click();
    settle(w);
}

void solve(MainWindow& w) {
    const auto& task = w.lessons().run()->now().task;
    if (!task) return;
    auto solved = lessons::changed(w.document().scenario(), task->solution, w.library());
    if (solved) w.document().edit(std::move(*solved));
    settle(w);
}

void present(MainWindow& w, QSize size) {
    w.lessons().presentation().set_on(true);
    w.resize(size);
    settle(w);
}

void scroll_down(MainWindow& w) {
    auto* bar = w.lessons().panel()->scroll()->verticalScrollBar();
    bar->setValue(bar->maximum());
}

}  // namespace

void add_lesson_states(std::vector<State>& states) {
    const auto add = [&](const QString& name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({name, size, std::move(reach)});
    };
    add(QStringLiteral("lesson-list"), usual, [](MainWindow& w) { w.lessons().show_list(); });
    for (const QSize size : {usual, QSize(1280, 800), QSize(1024, 700), QSize(1920, 1080)}) {
        const QString prefix = QStringLiteral("lesson-%1-").arg(size.width());
        add(prefix + QStringLiteral("open"), size, [](MainWindow& w) { lesson(w, 3); });
        add(prefix + QStringLiteral("first"), size, [](MainWindow& w) { lesson(w, 0); });
    }
    add(QStringLiteral("lesson-done"), usual, [](MainWindow& w) {
        lesson(w, 3);
        solve(w);
        scroll_down(w);
    });
    add(QStringLiteral("lesson-hint"), usual, [](MainWindow& w) {
        lesson(w, 3);
        find<QPushButton>(w, "hint")->click();
        settle(w);
        scroll_down(w);
    });
    add(QStringLiteral("lesson-question"), usual, [](MainWindow& w) {
        lesson(w, 3);
        to_question(w);
        scroll_down(w);
    });
    add(QStringLiteral("lesson-left"), usual, [](MainWindow& w) {
        lesson(w, 3);
        solve(w);
        w.lessons().leave();
        settle(w);
    });
    const auto presented = [&](const QString& name, QSize size, std::size_t index, int step, bool asked_for = false) {
        states.push_back({name, size,
                          [=](MainWindow& w) {
                              if (index < w.library().lessons.size()) lesson(w, index, step);
                              present(w, size);
                          },
                          size, asked_for});
    };
    // "beamed-16-pipeline-schedules-3", "opened-…": every step of every lesson, counted from 1.
    const auto library = formats::load_shipped();
    for (std::size_t index = 0; index < library.lessons.size(); ++index) {
        const auto read = lessons::read_lesson(library.lessons[index], library);
        for (int step = 0; read && step < static_cast<int>(read->steps.size()); ++step) {
            const QString name = QStringLiteral("-%1-%2").arg(QString::fromStdString(read->id)).arg(step + 1);
            presented(QStringLiteral("beamed") + name, {1280, 800}, index, step, true);
            states.push_back({QStringLiteral("opened") + name,
                              {1280, 800},
                              [=](MainWindow& w) { lesson(w, index, step); },
                              {},
                              true});
        }
    }
    constexpr std::size_t none = 1000;
    presented(QStringLiteral("presenting"), {1920, 1080}, none, 0);
    presented(QStringLiteral("presenting-lesson"), {1920, 1080}, 3, 0);
    presented(QStringLiteral("presenting-small"), {1280, 800}, 0, 1);
    presented(QStringLiteral("presenting-small-64"), {1280, 800}, 3, 2);
    presented(QStringLiteral("presenting-small-gpu"), {1280, 800}, 11, 3);
    presented(QStringLiteral("presenting-small-cpu"), {1280, 800}, 12, 2);
    const auto write = [&](const char* name, QSize size, std::function<void(MainWindow&, LessonEditor&)> then) {
        states.push_back({QLatin1String(name), size, [then](MainWindow& w) {
                              LessonEditor& editor = w.lessons().editor();
                              editor.start();
                              editor.show();
                              then(w, editor);
                              settle(w);
                          }});
    };
    write("lesson-editor", usual, [](MainWindow&, LessonEditor&) {});
    write("lesson-editor-whole", usual, [](MainWindow& w, LessonEditor& editor) {
        lesson(w, 3);
        editor.document().open(w.lessons().run()->lesson(), {});
        editor.steps()->setCurrentRow(1);
    });
    write("lesson-editor-task", usual, [](MainWindow& w, LessonEditor& editor) {
        lesson(w, 3);
        editor.document().open(w.lessons().run()->lesson(), {});
        editor.steps()->setCurrentRow(1);
        settle(w);
        auto* area = editor.findChild<QScrollArea*>();
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
    });
}

}  // namespace scalescope::shots
