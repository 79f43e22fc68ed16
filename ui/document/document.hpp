// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <functional>

#include "core/scenario/scenario.hpp"

namespace scalescope::ui {

/// The open document: the scenario, its file and its history. Everything that changes a number goes through edit().
class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);

    const Scenario& scenario() const { return scenario_; }
    QUndoStack& history() { return history_; }
    QString file() const { return file_; }
    /// What the title bar shows: the file's name, or the scenario's.
    QString title() const;
    bool dirty() const { return !history_.isClean() || recovered_; }

    /// Applies `next` as one undo step named after what changed. While a drag is on, all its edits are one step.
    void edit(Scenario next);
    void begin_drag();
    void end_drag();
    bool dragging() const { return drag_ != 0; }
    /// Between these, what is typed into a field is one step too; unlike a drag it is answered in full at every key.
    void begin_typing();
    void end_typing() { typing_ = 0; }

    /// Starts afresh with `scenario`, clean, history empty. `file` may be empty: never saved.
    void open(Scenario scenario, const QString& file);
    /// The same, but dirty: work that survived a crash.
    void recover(Scenario scenario, const QString& file);
    /// The document was written to `file`.
    void saved(const QString& file);

signals:
    void changed();        ///< the scenario is another one
    void state_changed();  ///< file, title or dirty mark

private:
    class EditCommand;
    Scenario scenario_;
    QUndoStack history_;
    QString file_;
    int drag_ = 0, typing_ = 0, next_run_ = 1;
    bool recovered_ = false;

    void set(const Scenario& s);
};

}  // namespace scalescope::ui
