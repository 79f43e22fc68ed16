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

/// The open document and its files: opens, saves, recovers and replaces it, and keeps the session. Asks before work
/// that only this window holds would be lost.
class Files final : public QObject {
    Q_OBJECT
public:
    /// What files need of the window.
    struct Surroundings {
        std::function<QJsonObject()> view;  ///< how the design is looked at, as its file keeps it
        std::function<void(const QJsonObject&)> apply_view;
        /// A file could not be opened, or warned; `text` is what was read of it, if it has lines.
        std::function<void(const Problems&, const QString& file, const QString& text)> show_problems;
        std::function<void()> forget_problems;  ///< those, and what was said about the design before
    };
    /// `session_folder`: where unsaved work is kept; empty: nowhere.
    Files(QWidget& window, Document& document, formats::Library& library, Messages& messages, SideWindows& beside,
          const QString& session_folder, Surroundings around);
    void set_lessons(LessonDesk& lessons) { lessons_ = &lessons; }
    /// *Open*, *Open recent*, *Save* and *Save as*.
    void fill_menu(QMenu& menu);
    void fill_recent();
    QAction* open_action() const { return open_action_; }
    QAction* save_action() const { return save_action_; }
    Loader& loader() { return loader_; }
    const QString& session_folder() const { return session_folder_; }

    /// Opens the example, and recovers the session that was left behind: at once if it can be read in a moment.
    void start();
    /// Reads a file or a scenario as text off this thread and then shows it; on failure shows what is wrong and keeps
    /// what is open. A file that is still being read is given up.
    void open(const QString& file);
    /// One after the other, after what is being read now.
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
    /// Waits until nothing is being read any more; true if the last file was opened. For who has no event loop.
    bool finish_opening();
    /// Writes a file off this thread, in the order of what is being read.
    void load(const QString& name, Loader::Reader reader, Loader::Done done);
    /// The name of a text that has no file.
    static QString pasted_name();

    bool save();
    bool save_as();
    bool save_to(const QString& file);
    /// Another window or another program may have written the file meanwhile.
    void look_at_file();
    /// `leaving`: the window closes, and with it goes what no session keeps. False: the person wants to go on.
    bool offer_to_save(bool leaving = false);
    /// Another design takes the place of the open one, by an undo step called `what`. `view` is the JSON of its file;
    /// without, it is looked at as the one before. False if a person wants to stay with that.
    bool replace(Replacement next, const QString& what, const std::optional<std::string>& view = {});

    void keep_session();
    /// After what changes with every notch of a wheel.
    void keep_soon() { keep_soon_.start(); }
    /// The window is about to close: everything is saved, kept, or given up by the person. False: it stays open.
    bool leave();
    /// It closes.
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
    Loader loader_;  ///< after all that its readers read: it ends before
    QStringList waiting_files_;
    bool opened_ = false;  ///< the last file was
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
    void take_link(Result<OpenedFile> opened);
    void open_next();
    bool offer_to_stay(bool work_in_lesson);
};

}  // namespace scalescope::ui
