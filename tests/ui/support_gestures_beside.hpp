// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QDir>
#include <QString>
#include <string>
#include <utility>

#include "support_gestures_hand.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/window/lesson_desk.hpp"

/// Gestures on lessons and on tables of runs.
namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

inline QString lesson(Hand& hand) {
    LessonDesk& desk = hand.window().lessons();
    if (!desk.is_open() || hand.one_in(4)) {
        const auto& preset = hand.any_of(hand.window().library().lessons);
        desk.open_shipped(plain(preset.id), hand.one_in(2));
        return QStringLiteral("open the lesson %1").arg(plain(preset.id));
    }
    switch (hand.below(4)) {
        case 0: desk.panel()->go_on(); return QStringLiteral("next step of the lesson");
        case 1: desk.panel()->go_back(); return QStringLiteral("step before of the lesson");
        case 2: desk.reset_step(); return QStringLiteral("back to how the step begins");
        default: desk.leave(); return QStringLiteral("leave the lesson");
    }
}

/// A cell of a table of runs.
inline QString edit_table(Hand& hand) {
    RunsDocument& table = hand.window().measurements().runs_page()->document();
    if (table.empty()) {
        hand.window().open(QDir(hand.folder).filePath(QStringLiteral("runs.csv")));
        return QStringLiteral("open a table");
    }
    const int row = hand.below(static_cast<int>(table.sheet().rows()));
    table.set_cell(static_cast<std::size_t>(row), 0, QString::number(1 + hand.below(64)));
    return QStringLiteral("edit row %1 of the table").arg(row);
}

/// The title of a lesson that is being written.
inline QString write_lesson(Hand& hand) {
    LessonEditor& editor = hand.window().lessons().editor();
    if (!editor.isVisible()) hand.window().findChild<QAction*>(QStringLiteral("newLesson"))->trigger();
    lessons::Lesson next = editor.document().lesson();
    next.title = "Lesson " + std::to_string(hand.below(1000));
    const std::string title = next.title;
    editor.document().edit(std::move(next), QStringLiteral("title"));
    return QStringLiteral("write the title %1").arg(plain(title));
}

}  // namespace window_test
