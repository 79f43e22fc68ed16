// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "core/formats/library.hpp"
#include "ui/document/document.hpp"
#include "ui/document/loader.hpp"
#include "ui/document/session.hpp"

class QAction;
class QMenu;
class QMimeData;

namespace scalescope::ui {

class LessonDesk;
class Messages;
class SideWindows;

/// Opens, saves, recovers and replaces the document, and stores its session. Asks before work that exists only in this
/// window is lost.
class Files final : public QObject {
    Q_OBJECT
public:
    /// What files need from the main window.
    struct Surroundings {
        std::function<QJsonObject()> view;  ///< the view of the design, as stored in its file
        std::function<void(const QJsonObject&)> apply_view;
        /// Shows problems of a file that failed to open or has warnings; `text`: what was read, if it has lines.
        std::function<void(const Problems&, const QString& file, const QString& text)> show_problems;
        std::function<void()> forget_problems;  ///< hides those, and the message about the previous design
    };
    /// `session_folder`: where unsaved work is stored; empty: nowhere.
    Files(QWidget& window, Document& document, formats::Library& library, Messages& messages, SideWindows& beside,
          const QString& session_folder, Surroundings around);
    void set_lessons(LessonDesk& lessons) { lessons_ = &lessons; }
    /// Adds *Open*, *Open recent*, *Save* and *Save as*.
    void fill_menu(QMenu& menu);
    void fill_recent();
    QAction* open_action() const { return open_action_; }
    QAction* save_action() const { return save_action_; }
    Loader& loader() { return loader_; }
    const QString& session_folder() const { return session_folder_; }

    /// Opens the example, and recovers the last session if it was left behind; waits a moment for that.
    void start();
    /// Reads a file or a link on another thread and then opens it; on failure shows the problems and keeps the open
    /// document. Cancels a file that is still being read.
    void open(const QString& file);
    /// Opens files one after the other, after the one being read now.
    void open_all(const QStringList& files);
    void open_link(const QString& link);
    void paste();
    void copy_link();
    static bool clipboard_has_link();
    static bool takes(const QMimeData& dropped);
    void open_dropped(const QMimeData& dropped);
    void open_preset(const QString& id);
    void reset_to_example();
    void ask_to_open();
    void cancel_opening();
    /// Blocks until all files are read, for callers without an event loop; true if the last file was opened.
    bool finish_opening();
    /// Runs `reader` on another thread, then `done` on this one, then opens the next waiting file.
    void load(const QString& name, Loader::Reader reader, Loader::Done done);
    /// Name shown for a pasted text, which has no file.
    static QString pasted_name();

    bool save();
    bool save_as();
    bool save_to(const QString& file);
    /// Checks whether another window or program has changed the file, and offers what to do about it.
    void look_at_file();
    /// Offers to save a changed file; if `leaving`, also work that no session holds. False if the user cancels.
    bool offer_to_save(bool leaving = false);
    /// Replaces the open design as one undo step named `what`. `view` is the JSON of its file; without it, the view
    /// stays as it is. False if the user cancels.
    bool replace(Replacement next, const QString& what, const std::optional<std::string>& view = {});

    void keep_session();
    /// keep_session() after a short delay: for changes that come in quick succession, such as by the mouse wheel.
    void keep_soon() { keep_soon_.start(); }
    /// Called before the window closes: saves work, or lets the user discard it. False: the window stays open.
    bool leave();
    /// Called when the window closes.
    void close();

private:
    QWidget& window_;
    Document& document_;
    formats::Library& library_;
    Messages& messages_;
    SideWindows& beside_;
    LessonDesk* lessons_ = nullptr;
    QString session_folder_;
    Surroundings around_;
    std::unique_ptr<Session> session_;
    Loader loader_;  ///< declared after what its readers use, so that it is destroyed first
    QStringList waiting_files_;
    bool opened_ = false;  ///< the last file was opened
    bool measurements_recovered_ = false;
    QTimer keep_soon_;
    QAction *open_action_ = nullptr, *save_action_ = nullptr;
    QMenu* recent_menu_ = nullptr;

    void say_about_own_presets();
    void recover(Session::Which which, const QString& unreadable = {});
    void take_recovered(const SessionSnapshot& kept, OpenedFile opened, Session::Which which,
                        const QString& unreadable);
    void recover_next();
    void recover_measurements();
    bool show_opened(const QString& file, const std::string& text, OpenedFile opened);
    void take(const QString& file, const std::string& text, Result<OpenedFile> opened);
    void take_link(const std::string& text, Result<OpenedFile> opened);
    /// Reads a training configuration as one of the trainer with that id. `file`: empty if it was pasted.
    void open_as(const QString& file, const std::string& text, const std::string& trainer);
    void offer_trainers(const QString& sentence, const QString& file, const std::string& text,
                        const std::vector<formats::trainers::TrainerName>& trainers);
    void open_next();
    bool offer_to_stay(bool work_in_lesson);
};

}  // namespace scalescope::ui
