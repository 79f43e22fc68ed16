// SPDX-License-Identifier: GPL-3.0-or-later
// Saving, replacing, and the questions before something is lost.
#include "ui/window/files.hpp"

#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/formats/scenario_json.hpp"
#include "ui/document/keeping.hpp"
#include "ui/language/told.hpp"
#include "ui/preferences/settings.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/side_windows.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
namespace {

/// JSON for every program, and by the longer ending known to the desktop as Scalescope's (packaging/desktop/mime.xml).
const QString scenario_ending = QStringLiteral(".scalescope.json");

}  // namespace

Files::Files(QWidget& window, Document& document, formats::Library& library, Messages& messages, SideWindows& beside,
             const QString& session_folder, Surroundings around)
    : window_(window),
      document_(document),
      library_(library),
      messages_(messages),
      beside_(beside),
      session_folder_(session_folder),
      around_(std::move(around)) {
    if (!session_folder.isEmpty()) session_ = std::make_unique<Session>(session_folder);
    keep_soon_.setSingleShot(true);
    keep_soon_.setInterval(400);
    connect(&keep_soon_, &QTimer::timeout, this, &Files::keep_session);
    connect(&beside_, &SideWindows::file_asked, this, &Files::open);
    connect(&beside_, &SideWindows::scenario_asked, this, [this](const Scenario& scenario, const QString& name) {
        Scenario next = scenario;
        next.name = name.toStdString();
        if (!replace({std::move(next), document_.pins()}, tr("Open %1").arg(name))) return;
        messages_.say(tr("%1 is open. Undo restores the previous scenario.").arg(name));
        window_.raise();
        window_.activateWindow();
    });
}

void Files::fill_menu(QMenu& menu) {
    open_action_ = menu.addAction(icon("open"), tr("&Open…"), QKeySequence::Open, this, &Files::ask_to_open);
    recent_menu_ = menu.addMenu(tr("Open &recent"));
    recent_menu_->setToolTipsVisible(true);
    menu.addSeparator();
    save_action_ = menu.addAction(icon("save"), tr("&Save"), QKeySequence::Save, this, &Files::save);
    menu.addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this, &Files::save_as);
    fill_recent();
}

void Files::fill_recent() {
    recent_menu_->clear();
    for (const QString& file : Settings().recent())
        recent_menu_->addAction(QFileInfo(file).fileName(), this, [this, file] { open(file); })->setToolTip(file);
    recent_menu_->setEnabled(!recent_menu_->isEmpty());
}

bool Files::replace(Replacement next, const QString& what, const std::optional<std::string>& view) {
    // Reloading its own file: undo restores unsaved changes.
    const bool again = !next.file.file().isEmpty() && next.file.file() == document_.file();
    if (!again && !offer_to_save()) return false;
    around_.forget_problems();
    std::optional<Views> views;
    if (view) {
        views = Views{around_.view(), json_of(*view)};
        next.drawing = drawing_in(views->after, next.scenario);
    }
    document_.replace(std::move(next), what, std::move(views));
    return true;
}

bool Files::save() {
    const QString file = document_.file();
    if (file.isEmpty()) return save_as();
    switch (document_.on_disk().changed() ? ask_about_changed_file(&window_, file) : ChangedFile::keep_mine) {
        case ChangedFile::keep_mine: return save_to(file);
        case ChangedFile::save_as: return save_as();
        case ChangedFile::reload: open(file); return false;
        case ChangedFile::cancel: return false;
    }
    return false;
}

bool Files::save_as() {
    const QString offered = file_name_from(document_.title(), tr("scenario")) + scenario_ending;
    const QString file =
        ask_where_to_save(&window_, tr("Save the scenario"), document_.file().isEmpty() ? offered : document_.file(),
                          tr("Scenarios (*.json)"), scenario_ending);
    return !file.isEmpty() && save_to(file);
}

bool Files::save_to(const QString& file) {
    const std::string text =
        formats::write_scenario(document_.scenario(), library_, json_text(around_.view()), document_.pins());
    if (const auto written = write_file(file.toStdString(), text); !written) {
        // The document stays as it is, and dirty.
        messages_.say(told(to_text(written.error().front())), true);
        return false;
    }
    messages_.forget_changed_file();
    document_.saved({file, std::string_view(text)});
    Settings().add_recent(QFileInfo(file).absoluteFilePath());
    fill_recent();
    keep_session();
    return true;
}

void Files::look_at_file() {
    if (loader_.loading() || !document_.on_disk().changed()) return;
    const QString file = document_.file();
    messages_.offer_changed_file(
        file, [this, file] { open(file); },
        [this, file] {
            if (document_.file() == file) document_.keep_mine();
        },
        [this] { save_as(); });
}

bool Files::offer_to_save(bool leaving) {
    // Work that never had a file lives on in the session; only a file's changes are asked about.
    const bool kept = !leaving || !session_ || session_->kept();
    if (!document_.dirty() || (document_.file().isEmpty() && kept)) return true;
    const QString question = tr("Save the changes to %1?").arg(document_.title());
    const auto answer =
        QMessageBox::question(&window_, tr("Unsaved changes"),
                              kept ? question : question + QStringLiteral("\n\n") + Keeping::instance().trouble(),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Save ? save() : answer == QMessageBox::Discard;
}

/// One question about all other work that would be lost with this window.
bool Files::offer_to_stay(bool work_in_lesson) {
    QStringList lost;
    if (session_ && !session_->kept() && work_in_lesson) lost << tr("your work in the lesson");
    lost << beside_.unsaved();
    if (const QString drawing = document_.replaced_drawing(); !drawing.isEmpty())
        lost << tr("the drawing “%1”, which only Undo brings back").arg(drawing);
    if (!Settings::try_again()) lost << tr("settings, progress in lessons and recent files");
    if (lost.isEmpty()) return true;
    QString text =
        tr("If you quit now, this will be lost:") + QStringLiteral("\n• ") + lost.join(QLatin1String("\n• "));
    if (const QString trouble = Keeping::instance().trouble(); !trouble.isEmpty())
        text += QStringLiteral("\n\n") + trouble;
    return QMessageBox::question(&window_, tr("Quit Scalescope"), text, QMessageBox::Discard | QMessageBox::Cancel,
                                 QMessageBox::Cancel) == QMessageBox::Discard;
}

void Files::keep_session() {
    if (!session_) return;
    // While a lesson is open it is the document that waits which must not be lost, and then where the lesson was.
    const Document::Kept* waiting = lessons_->waiting();
    auto text_of_all = [scenario = waiting ? waiting->scenario() : document_.scenario(),
                        pins = waiting ? waiting->pins() : document_.pins(), &library = library_,
                        view = waiting ? lessons_->waiting_view() : around_.view(), lesson = lessons_->session(),
                        worked_on = document_.scenario(), its_pins = document_.pins(),
                        its_view = waiting ? around_.view() : QJsonObject()] {
        QJsonObject whole = view;
        if (!lesson.isEmpty())
            whole[QStringLiteral("lesson")] = LessonDesk::with_work(lesson, worked_on, its_pins, its_view, library);
        return formats::write_scenario(scenario, library, json_text(whole), pins);
    };
    session_->keep(std::move(text_of_all),
                   {{},
                    waiting ? waiting->file() : document_.file(),
                    waiting ? waiting->dirty() : document_.dirty(),
                    false,
                    {},
                    (waiting ? waiting->on_disk() : document_.on_disk()).digest()},
                   document_.dragging());
}

bool Files::leave() {
    const bool work_in_lesson = lessons_->is_open() && document_.history().index() > 0;
    if (!lessons_->put_away()) return false;
    if (session_) {
        keep_session();
        session_->flush();
    }
    if (!offer_to_save(true) || !beside_.offer_to_save() || !offer_to_stay(work_in_lesson)) {
        lessons_->take_out_again();
        return false;
    }
    cancel_opening();
    lessons_->close_editor();
    return true;
}

void Files::close() {
    if (session_) session_->close();
    beside_.close_sessions();
}

}  // namespace scalescope::ui
