// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>

#include "core/formats/library.hpp"
#include "core/lessons/lesson.hpp"
#include "ui/document/file_on_disk.hpp"

namespace scalescope::ui {

/// A lesson that is being written: its text, its file, its history, and what is wrong with it now.
class LessonDocument final : public QObject {
    Q_OBJECT
public:
    /// `library` must outlive it.
    explicit LessonDocument(const formats::Library& library, QObject* parent = nullptr);

    const lessons::Lesson& lesson() const { return lesson_; }
    QUndoStack& history() { return history_; }
    const QString& file() const { return file_.file(); }
    const FileOnDisk& on_disk() const { return file_; }
    bool dirty() const { return !history_.isClean(); }
    /// What keeps its file from being opened; `where` is the path of the part: "steps › 2 › task › condition".
    const Problems& problems() const { return problems_; }

    /// One undo step called `what`; edits in a row of the same `part` are one, as typing into a field is.
    void edit(lessons::Lesson next, const QString& what, const QString& part = {});
    /// One step, with a scenario to begin with: the text of a file.
    void start(const QString& title, const std::string& scenario);
    void open(lessons::Lesson lesson, FileOnDisk file);
    /// The same of one that was not saved when its process went away.
    void recover(lessons::Lesson lesson, FileOnDisk file);
    Result<void> save_to(const QString& file);
    /// The file holds what another program wrote; what is open here differs from it, and is to be saved.
    void keep_mine();

signals:
    void changed();
    void state_changed();

private:
    class EditCommand;
    const formats::Library& library_;
    lessons::Lesson lesson_;
    QUndoStack history_;
    FileOnDisk file_;
    Problems problems_;

    void set(const lessons::Lesson& lesson);
};

}  // namespace scalescope::ui
