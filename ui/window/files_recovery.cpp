// SPDX-License-Identifier: GPL-3.0-or-later
// Start: the example, and the recovery of sessions that were left behind.
#include <QDesktopServices>
#include <QDir>
#include <QUrl>
#include <utility>

#include "core/formats/named_settings.hpp"
#include "core/formats/scenario_json.hpp"
#include "ui/document/keeping.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_session.hpp"
#include "ui/widgets/messages.hpp"
#include "ui/window/files.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/side_windows.hpp"
#include "ui/window/view_state.hpp"

namespace scalescope::ui {
namespace {

/// "~/.local/share/…" for what lies in the home folder.
QString short_path(const QString& path) {
    const QString home = QDir::homePath() + QLatin1Char('/');
    return path.startsWith(home) ? QStringLiteral("~/") + path.mid(home.size()) : path;
}

}  // namespace

void Files::start() {
    document_.open(example_scenario(library_));
    around_.apply_view({});
    say_about_own_presets();
    if (!session_) return;
    recover(Session::Which::newest);
    loader_.finish(Loader::patience);
}

/// A sentence on the first of them, all in the tip; a file that is opened, or a lost session, has more to say.
void Files::say_about_own_presets() {
    if (library_.problems.empty()) return;
    QStringList all;
    for (const Problem& p : library_.problems) {
        const bool out = p.what.starts_with(formats::left_out);
        QString place = short_path(told(p.at.file));
        if (p.at.line > 0) place = tr("%1, line %2,").arg(place).arg(p.at.line);
        all << (out ? tr("Your file %1 could not be read and was skipped. %2")
                          .arg(place, told(p.what.substr(formats::left_out.size())))
                    : QStringLiteral("%1: %2").arg(place, told(p.what)));
    }
    const qsizetype more = all.size() - 1;
    messages_.say(more == 0   ? all.front()
                  : more == 1 ? tr("%1 There is one more problem with your files.").arg(all.front())
                              : tr("%1 There are %2 more problems with your files.").arg(all.front()).arg(more));
    messages_.set_tip(all.join(QStringLiteral("\n\n")));
    messages_.offer(tr("Open folder"),
                    [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(beside_.own_folder())); });
}

/// The session stays on disk until it is open here, so it is found again next time if the user cancels. `unreadable`:
/// message about sessions found before that could not be read.
void Files::recover(Session::Which which, const QString& unreadable) {
    auto left = std::make_shared<std::optional<SessionSnapshot>>();
    auto reader = [left, which, &session = *session_, &library = library_,
                   name = tr("the recovered session").toStdString()](const Watch& watch) -> Result<OpenedFile> {
        *left = session.find_left_behind(which);
        if (!*left) return OpenedFile{};
        return opened_scenario(formats::read_scenario((*left)->scenario_text, name, library,
                                                      formats::no_files(formats::kept_names_a_file()), watch));
    };
    load(tr("your unsaved work"), std::move(reader), [this, left, which, unreadable](Result<OpenedFile> opened) {
        const auto kept = std::exchange(*left, {});
        if (kept && !opened) {
            // Must not block every later start.
            const QString now = Session::set_aside(*kept);
            const QString said = tr("Your unsaved work from last time could not be read: %1 The file was kept as %2.")
                                     .arg(told(opened.error().front().what), now.isEmpty() ? kept->found_at : now);
            if (!now.isEmpty()) return recover(which, said);
            messages_.say(said, true);
        } else if (kept) {
            take_recovered(*kept, std::move(*opened), which, unreadable);
        } else if (!unreadable.isEmpty()) {
            messages_.say(unreadable, true);
        }
        recover_measurements();
    });
}

void Files::take_recovered(const SessionSnapshot& kept, OpenedFile opened, Session::Which which,
                           const QString& unreadable) {
    // A lesson opened in the meantime is set aside: the recovered work does not belong to it.
    const QString lesson = lessons_->is_open() ? lessons_->set_aside() : QString();
    const QJsonObject view = json_of(opened.view);
    auto drawing = drawing_in(view, *opened.scenario);
    Replacement found{std::move(*opened.scenario), std::move(opened.pins), FileOnDisk(kept.file, kept.file_digest),
                      std::move(drawing), !kept.dirty && !kept.crashed};
    if (document_.history().count() == 0 || which == Session::Which::oldest) {
        document_.open(std::move(found));
        around_.apply_view(view);
    } else {  // it took long to read, and work went on meanwhile
        document_.replace(std::move(found), tr("Recover the last session"), Views{around_.view(), view});
    }
    lessons_->restore(view[QStringLiteral("lesson")].toObject());
    lessons_->come_back(lesson);
    keep_session();
    session_->flush();
    if (session_->kept()) session_->forget_left_behind(kept);
    QStringList said;
    if (kept.crashed)
        said << tr("Scalescope did not shut down properly last time. Your unsaved work has been recovered.");
    if (kept.waiting > 0)
        said << (kept.waiting == 1 ? tr("Another window was closed with unsaved work.")
                                   : tr("%1 other windows were closed with unsaved work.").arg(kept.waiting));
    said << unreadable;
    said.removeAll(QString());
    if (said.isEmpty()) return;
    messages_.say(said.join(QLatin1Char(' ')), !unreadable.isEmpty());
    if (kept.waiting > 0)
        messages_.offer(kept.waiting == 1 ? tr("Open it") : tr("Open the next"), [this] { recover_next(); });
}

/// The open document becomes the last of the waiting sessions.
void Files::recover_next() {
    if (loader_.loading()) return;
    keep_session();
    session_->close();
    if (!session_->kept()) return messages_.say(Keeping::instance().trouble(), true);
    session_ = std::make_unique<Session>(session_folder_);
    if (lessons_->is_open()) lessons_->set_aside();
    recover(Session::Which::oldest);
    finish_opening();
}

/// The same for the window of measurements, which has sessions of its own and is made only if one was left. The oldest
/// comes first, so that each start shows another if several wait.
void Files::recover_measurements() {
    if (std::exchange(measurements_recovered_, true)) return;
    auto sessions = std::make_shared<Session>(RunsSession::folder(session_folder_));
    auto left = std::make_shared<std::optional<SessionSnapshot>>();
    auto kept = std::make_shared<std::optional<KeptRuns>>();
    auto reader = [left, kept, sessions,
                   name = tr("the recovered measurements").toStdString()](const Watch& watch) -> Result<OpenedFile> {
        *left = sessions->find_left_behind(Session::Which::oldest);
        OpenedFile nothing;
        if (!*left) return nothing;
        auto read = read_kept_runs((*left)->scenario_text, name, watch);
        if (!read) return tl::unexpected(read.error());
        read->file = {(*left)->file, (*left)->file_digest};
        read->dirty = (*left)->dirty;
        *kept = std::move(*read);
        return nothing;
    };
    load(tr("your unsaved measurements"), std::move(reader), [this, left, kept, sessions](Result<OpenedFile> read) {
        const auto found = std::exchange(*left, {});
        if (found && !read) {
            const QString now = Session::set_aside(*found);
            messages_.say(tr("Your measurements from last time could not be read: %1 The file was kept as %2.")
                              .arg(told(read.error().front().what), now.isEmpty() ? found->found_at : now),
                          true);
        } else if (found && *kept) {
            MeasureWindow& window = beside_.measurements();
            window.restore(**kept, found->crashed, found->waiting);
            Session& own = window.session()->session();
            own.flush();
            if (own.kept()) sessions->forget_left_behind(*found);
        }
        lessons_->restore_editor();
    });
}

}  // namespace scalescope::ui
