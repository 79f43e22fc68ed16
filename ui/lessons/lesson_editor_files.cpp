// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a lesson that is being written: opened, saved, and not lost.
#include <QCloseEvent>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QListWidget>
#include <QMessageBox>

#include "ui/document/files.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/widgets/file_names.hpp"

namespace scalescope::ui {

bool LessonEditor::save() {
    const QString file = document_.file();
    if (file.isEmpty()) return save_as();
    switch (document_.on_disk().changed() ? ask_about_changed_file(this, file) : ChangedFile::keep_mine) {
        case ChangedFile::keep_mine: return save_to(file);
        case ChangedFile::save_as: return save_as();
        case ChangedFile::reload: open(file); return false;
        case ChangedFile::cancel: return false;
    }
    return false;
}

bool LessonEditor::save_to(const QString& file) {
    const auto done = document_.save_to(file);
    if (!done) {
        messages_->say(told(to_text(done.error().front())), true);
        return false;
    }
    messages_->clear();
    emit saved(file);
    return true;
}

QString LessonEditor::offered_file() const {
    if (!document_.file().isEmpty()) return document_.file();
    const QString name = file_name_from(plain(document_.lesson().title), tr("lesson")) + QStringLiteral(".json");
    return around_.folder.isEmpty() ? name : QDir(around_.folder).filePath(name);
}

bool LessonEditor::save_as() {
    const QString offered = offered_file();
    if (const QString folder = QFileInfo(offered).path(); folder == around_.folder) QDir().mkpath(folder);
    const QString file =
        ask_where_to_save(this, tr("Save the lesson"), offered, tr("Lessons (*.json)"), QStringLiteral(".json"));
    return !file.isEmpty() && save_to(file);
}

void LessonEditor::open_dialog() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a lesson"), {}, tr("Lessons (*.json)"));
    if (!file.isEmpty() && offer_to_save()) open(file);
}

void LessonEditor::open(const QString& file) {
    std::string content;
    auto opened = open_file(file, *around_.library, content);
    if (!opened) return messages_->say(told(to_text(opened.error().front())), true);
    if (!opened->lesson) return messages_->say(tr("%1 is not a lesson.").arg(QFileInfo(file).fileName()), true);
    messages_->clear();
    document_.open(std::move(*opened->lesson), {file, std::string_view(content)});
    steps_->setCurrentRow(0);
}

bool LessonEditor::offer_to_save() {
    if (!document_.dirty()) return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"), tr("Save the changes to %1?").arg(plain(document_.lesson().title)),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

void LessonEditor::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow()) look_at_file();
}

/// Another window, or another program, may have written it meanwhile.
void LessonEditor::look_at_file() {
    if (!document_.on_disk().changed()) return;
    const QString file = document_.file();
    messages_->offer_changed_file(
        file,
        [this, file] {
            if (offer_to_save()) open(file);
        },
        [this, file] {
            if (document_.file() == file) document_.keep_mine();
        },
        [this] { save_as(); });
}

void LessonEditor::closeEvent(QCloseEvent* event) {
    if (!offer_to_save()) return event->ignore();
    document_.history().setClean();
    event->accept();
}

void LessonEditor::give_up() {
    document_.history().setClean();
    close();
}

}  // namespace scalescope::ui
