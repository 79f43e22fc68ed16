// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/formats/library.hpp"
#include "ui/preferences/settings.hpp"

class QListWidget;
class QPushButton;

namespace scalescope::ui {

/// All lessons: what each is about, how long it takes, how far one came. Arrows move, Enter begins or goes on.
class LessonList final : public QDialog {
    Q_OBJECT
public:
    /// Both must outlive the dialog.
    LessonList(const formats::Library& library, Settings& settings, QWidget* parent = nullptr);
    QListWidget* list() const { return list_; }
    QPushButton* open_button() const { return open_; }
    /// The list anew, after a lesson came into the library.
    void fill(const formats::Library& library, Settings& settings);

signals:
    void chosen(const QString& id, bool from_start);
    void file_asked();

private:
    class Row;
    QListWidget* list_;
    QPushButton *open_, *again_;

    void show_choice();
    void choose(bool from_start);
};

}  // namespace scalescope::ui
