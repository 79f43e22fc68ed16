// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <optional>

#include "ui/language/language.hpp"
#include "ui/preferences/lesson_mark.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {

/// A program killed between making the lock of the settings file and signing it leaves an empty one, for which
/// QSettings waits half a minute. It goes; a living program signs its own at once.
void forget_abandoned_lock(const QString& settings_file);

/// What the program remembers between runs, apart from documents. The only place where a settings key is spelled.
class Settings {
public:
    ThemeChoice theme() const;
    void set_theme(ThemeChoice choice);
    Language language() const;
    void set_language(Language language);
    Motion motion() const;
    void set_motion(Motion motion);
    /// Controls for fingers.
    bool large_controls() const;
    void set_large_controls(bool large);
    QByteArray geometry() const;
    QByteArray layout() const;
    void set_window(const QByteArray& geometry, const QByteArray& layout);
    /// How the docks stand beside the canvas, and whether the workers stand above it.
    QByteArray canvas_layout() const;
    bool canvas_workers() const;
    void set_canvas(const QByteArray& layout, bool workers);
    /// Ids of the GPUs that traces are predicted on; nothing: all.
    std::optional<QStringList> trace_gpus() const;
    void set_trace_gpus(const std::optional<QStringList>& ids);
    bool hint_seen() const;
    void set_hint_seen();

    /// How far somebody came in the lesson of that key, and which of the shipped ones was the last.
    LessonMark lesson_mark(const QString& key) const;
    void set_lesson_mark(const QString& key, const LessonMark& mark);
    QString last_lesson() const;
    void set_last_lesson(const QString& key);
    bool has_lessons() const;
    void forget_lessons();
    /// The version that was started last; empty at the first start.
    QString version_seen() const;
    void set_version_seen(const QString& version);

    /// What was done by the command palette, the newest first.
    QStringList recent_commands() const;
    void add_recent_command(const QString& id);

    /// Newest first, at most ten; files that are gone stay listed until they fail to open.
    QStringList recent() const;
    void add_recent(const QString& file);
    void remove_recent(const QString& file);
    void clear_recent();

    /// Tries again what could not be written; so does a timer. False if something that somebody would miss still is not
    /// on disk: everything but the places of windows and what was seen of the help.
    static bool try_again();

    /// Raised whenever docks or bars change, so that an old layout cannot break a new window.
    static constexpr int layout_version = 4;
};

}  // namespace scalescope::ui
