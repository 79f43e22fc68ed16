// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <optional>

#include "core/formats/library.hpp"
#include "core/lessons/lesson.hpp"
#include "ui/document/file_on_disk.hpp"
#include "ui/document/session.hpp"

namespace scalescope::ui {

class LessonDocument;

/// A lesson that was being written when its process went away.
struct KeptLesson {
    lessons::Lesson lesson;
    FileOnDisk file;  ///< where it was last saved; without a name: never
    int waiting = 0;  ///< others like it
};

/// Keeps the lesson that is being written on disk while it is not saved, as the main window keeps its scenario. Once it
/// is saved, or given up, nothing is kept.
class LessonSession final : public QObject {
    Q_OBJECT
public:
    /// Where sessions of lessons stand beside those of scenarios.
    static QString folder(const QString& sessions) { return sessions + QStringLiteral("/lessons"); }
    /// What a process left behind, if any did, the oldest first; it is not found again. Files that cannot be read are
    /// kept under other names, which are added to `unreadable`.
    static std::optional<KeptLesson> take_left_behind(const QString& sessions, const formats::Library& library,
                                                      QStringList& unreadable);

    LessonSession(LessonDocument& document, const QString& sessions, QObject* parent = nullptr);
    ~LessonSession() override;
    Session& session() { return session_; }

private:
    void keep();

    LessonDocument& document_;
    Session session_;
    bool any_ = false;  ///< a lesson stands on disk
};

}  // namespace scalescope::ui
