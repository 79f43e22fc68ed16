// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_session.hpp"

#include <QDir>

#include "core/lessons/lesson_json.hpp"
#include "ui/lessons/lesson_document.hpp"

namespace scalescope::ui {

std::optional<KeptLesson> LessonSession::take_left_behind(const QString& sessions, const formats::Library& library,
                                                          QStringList& unreadable) {
    if (!QDir(folder(sessions)).exists()) return {};  // nobody has written one
    Session session(folder(sessions));
    while (const auto left = session.find_left_behind(Session::Which::oldest)) {
        // Half-written lessons are wrong in places, and are what must not be lost.
        auto lesson = lessons::read_draft(left->scenario_text, tr("the recovered lesson").toStdString(), library);
        if (lesson || left->scenario_text.empty()) {
            session.forget_left_behind(*left);
            if (lesson) return KeptLesson{std::move(*lesson), {left->file, left->file_digest}, left->waiting};
            continue;
        }
        const QString now = Session::set_aside(*left);
        unreadable << (now.isEmpty() ? left->found_at : now);
        if (now.isEmpty()) break;  // it would be found again
    }
    return {};
}

LessonSession::LessonSession(LessonDocument& document, const QString& sessions, QObject* parent)
    : QObject(parent), document_(document), session_(folder(sessions)) {
    connect(&document_, &LessonDocument::changed, this, &LessonSession::keep);
    connect(&document_, &LessonDocument::state_changed, this, &LessonSession::keep);
    keep();
}

LessonSession::~LessonSession() {
    if (!document_.dirty()) session_.close();
}

void LessonSession::keep() {
    const bool dirty = document_.dirty();
    if (!dirty && !any_) return;
    any_ = dirty;
    if (dirty)
        session_.keep([lesson = document_.lesson()] { return lessons::write_lesson(lesson); },
                      {{}, document_.file(), true, false, {}, document_.on_disk().digest()}, true);
    else
        session_.keep({{}, document_.file(), false, false});
}

}  // namespace scalescope::ui
