// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonDocument>
#include <QString>
#include <QStringList>
#include <QUndoStack>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "core/base/atomic_file.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/lessons/lesson_json.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/lessons/lesson_editor.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

/// The work that is open in a window, in order to check after a gesture that nothing was lost: an undo brings it back.
class Work final {
public:
    explicit Work(const std::unique_ptr<MainWindow>& window) : window_(window) {}

    /// What somebody made, and would miss.
    struct Made {
        Scenario scenario;
        Pins pins;
        std::shared_ptr<const NetworkDraft> draft;
        QString file;
        bool operator==(const Made&) const = default;
    };
    /// What somebody made in the windows beside: null where nothing is unsaved.
    struct Beside {
        std::shared_ptr<const measure::RunSheet> table;
        std::shared_ptr<const lessons::Lesson> lesson;
    };
    /// As a session keeps it, as text: the person's own design, and the one in the lesson.
    using Kept = std::pair<std::string, std::string>;

    Made made() const;
    Beside beside() const;
    Kept kept() const;
    std::optional<QString> open_lesson() const;

    // Each returns what was lost, in a sentence; empty: nothing.
    QString check(const Made& before, const std::optional<QString>& lesson_before, int index_before);
    QString check_beside(const Beside& before);
    QString check_file();
    /// After a restart: `asked` if somebody may have consented to lose the work in the windows beside.
    QString check_restart(const Kept& before, const Beside& beside_before, bool asked);

    /// Gestures after which another design, or another state of it, was open.
    int changes() const { return changes_; }

private:
    RunsDocument* runs() const;
    LessonDocument* written() const;
    QString difference(const Made& was, const Made& is) const;
    std::string kept_text(const Scenario& scenario, const Pins& pins,
                          const std::shared_ptr<const NetworkDraft>& draft) const;
    MainWindow& window() const { return *window_; }

    const std::unique_ptr<MainWindow>& window_;
    Made waiting_;  ///< what was open before the lesson
    int changes_ = 0;
};

inline Work::Made Work::made() const {
    const Document& d = window().document();
    return {d.scenario(), d.pins(), d.draft(), d.file()};
}

inline QString Work::difference(const Made& was, const Made& is) const {
    QStringList all;
    if (!(was.scenario == is.scenario)) all << QStringLiteral("the scenario");
    if (!(was.pins == is.pins)) all << QStringLiteral("the pins");
    if (was.draft != is.draft) all << QStringLiteral("the drawing");
    if (was.file != is.file) all << QStringLiteral("the file");
    return all.join(QStringLiteral(", "));
}

inline RunsDocument* Work::runs() const {
    auto* measure = window().findChild<MeasureWindow*>();
    return measure ? &measure->runs_page()->document() : nullptr;
}

inline LessonDocument* Work::written() const {
    auto* editor = window().findChild<LessonEditor*>();
    return editor ? &editor->document() : nullptr;
}

inline std::optional<QString> Work::open_lesson() const {
    const LessonDesk& desk = window().lessons();
    return desk.is_open() ? std::optional(desk.key()) : std::nullopt;
}

inline Work::Beside Work::beside() const {
    Beside now;
    if (const RunsDocument* table = runs(); table && table->dirty()) now.table = table->state().sheet;
    if (const LessonDocument* lesson = written(); lesson && lesson->dirty())
        now.lesson = std::make_shared<const lessons::Lesson>(lesson->lesson());
    return now;
}

/// As it comes back from a session: a drawing by its layers, since open inputs have no name in a text.
inline std::string Work::kept_text(const Scenario& scenario, const Pins& pins,
                                   const std::shared_ptr<const NetworkDraft>& draft) const {
    std::string text = formats::write_scenario(scenario, window().library(), {}, pins);
    if (draft) {
        text += "\ndrawn: " + draft->name;
        for (const Layer& l : draft->layers) text += ' ' + l.name;
    }
    return text;
}

inline Work::Kept Work::kept() const {
    const Document& d = window().document();
    const std::string open = kept_text(d.scenario(), d.pins(), d.draft());
    if (const Document::Kept* own = window().lessons().waiting())
        return {kept_text(own->scenario(), own->pins(), own->draft()), open};
    return {open, {}};
}

inline QString Work::check_restart(const Kept& before, const Beside& beside_before, bool asked) {
    if (window().lessons().is_open()) {
        const Document::Kept& own = *window().lessons().waiting();
        waiting_ = {own.scenario(), own.pins(), own.draft(), own.file()};
    }
    const Kept after = kept();
    if (!asked) {
        if (beside_before.table && (!runs() || !(runs()->sheet() == *beside_before.table)))
            return QStringLiteral("the restart lost the table");
        // Blanks in the scenarios of a lesson are no part of it.
        const auto text = [](const lessons::Lesson& lesson) {
            return QJsonDocument::fromJson(QByteArray::fromStdString(lessons::write_lesson(lesson)));
        };
        if (beside_before.lesson && (!written() || text(written()->lesson()) != text(*beside_before.lesson)))
            return QStringLiteral("the restart lost the lesson that is written");
    }
    const auto lost = [](const char* what, const std::string& was, const std::string& is) {
        const auto at =
            static_cast<std::size_t>(std::mismatch(was.begin(), was.end(), is.begin(), is.end()).first - was.begin());
        const auto from = [at](const std::string& text) {
            return QString::fromStdString(text.substr(std::min(text.size(), at - std::min<std::size_t>(at, 40)), 120));
        };
        return was == is
                   ? QString()
                   : QStringLiteral("the restart lost %1: %2, not %3").arg(QLatin1String(what), from(is), from(was));
    };
    const QString lesson = lost("the work in the lesson", before.second, after.second);
    return lesson.isEmpty() ? lost("the design", before.first, after.first) : lesson;
}

/// One step of the history leads back, and forth again. A lesson puts aside what was open, and brings it back; the work
/// in it is a click away when it was left.
inline QString Work::check(const Made& before, const std::optional<QString>& lesson_before, int index_before) {
    LessonDesk& desk = window().lessons();
    const auto lesson_now = open_lesson();
    if (lesson_now && !lesson_before) waiting_ = before;
    if (lesson_now) {
        const Document::Kept* kept = desk.waiting();
        if (!kept || !(Made{kept->scenario(), kept->pins(), kept->draft(), kept->file()} == waiting_))
            return QStringLiteral("what the lesson put aside is not what was open");
    }
    if (lesson_before && lesson_now != lesson_before) {
        const Made now = made();
        desk.come_back(*lesson_before);
        if (open_lesson() != lesson_before) return QStringLiteral("no way back to the lesson that was left");
        const QString gone = difference(before, made());
        if (lesson_now)
            desk.come_back(*lesson_now);
        else
            desk.set_aside();
        if (!gone.isEmpty()) return QStringLiteral("the lesson that was left lost: %1").arg(gone);
        const QString wrong = difference(now, made());
        if (!wrong.isEmpty()) return QStringLiteral("a look into the lesson changed: %1").arg(wrong);
    }
    QUndoStack& steps = window().document().history();
    const Made now = made();
    if (lesson_now != lesson_before) {
        if (lesson_now) return {};
        // Something may have been opened in the place of what waited.
        if (now == waiting_) return {};
        steps.undo();
        const QString gone = difference(waiting_, made());
        steps.redo();
        const QString wrong = difference(now, made());
        if (!wrong.isEmpty()) return QStringLiteral("redo does not bring back %1").arg(wrong);
        return gone.isEmpty() ? QString() : QStringLiteral("left the lesson, and lost: %1").arg(gone);
    }
    if (steps.count() < index_before) return QStringLiteral("the history is gone");
    if (now == before) return {};
    if (const int index = steps.index(); index < index_before) {  // undone: redo leads back
        steps.setIndex(index_before);
        const QString gone = difference(before, made());
        steps.setIndex(index);
        const QString wrong = difference(now, made());
        if (!gone.isEmpty()) return QStringLiteral("redo does not bring back %1").arg(gone);
        return wrong.isEmpty() ? QString() : QStringLiteral("undo does not bring back %1").arg(wrong);
    }
    ++changes_;
    if (now.scenario == before.scenario && now.pins == before.pins && now.draft == before.draft) return {};  // saved as
    // Nothing was made in a lesson without a history: opened again, it may begin at another step.
    if (lesson_now && index_before == 0 && steps.count() == 0) return {};
    if (steps.index() == 0) return QStringLiteral("no undo; changed: %1").arg(difference(before, now));
    steps.undo();
    // Where it was saved is where it is saved, whatever is undone.
    Made undone = made();
    const QString gone = difference(before, undone);
    steps.redo();
    const QString wrong = difference(now, made());
    if (!gone.isEmpty()) return QStringLiteral("undo does not bring back %1").arg(gone);
    if (!wrong.isEmpty()) return QStringLiteral("redo does not bring back %1").arg(wrong);
    return {};
}

/// Tables and lessons that were not saved are there, or an undo step away.
inline QString Work::check_beside(const Beside& before) {
    if (before.table) {
        RunsDocument* table = runs();
        const auto same = [&] { return table && table->sheet() == *before.table; };
        if (!same()) {
            if (!table) return QStringLiteral("the table is gone");
            table->history().undo();
            const bool back = same();
            table->history().redo();
            if (!back) return QStringLiteral("undo does not bring back the table");
        }
    }
    if (before.lesson) {
        LessonDocument* lesson = written();
        const auto same = [&] { return lesson && lesson->lesson() == *before.lesson; };
        if (!same()) {
            if (!lesson) return QStringLiteral("the lesson that is written is gone");
            lesson->history().undo();
            const bool back = same();
            lesson->history().redo();
            if (!back) return QStringLiteral("undo does not bring back the lesson that is written");
        }
    }
    return {};
}

/// A design without a dirty mark is what its file holds.
inline QString Work::check_file() {
    const Document& d = window().document();
    if (d.dirty() || d.file().isEmpty() || d.draft() || window().lessons().is_open()) return {};
    // An export may have been written over it, with consent: the window says so when it is active again.
    if (d.on_disk().changed()) return {};
    const auto text = read_file(d.file().toStdString());
    if (!text) return {};
    const auto held = formats::read_scenario(*text, d.file().toStdString(), window().library());
    if (!held) return QStringLiteral("%1 cannot be read again").arg(d.file());
    const auto written = [&](const Scenario& s, const Pins& pins) {
        return formats::write_scenario(s, window().library(), {}, pins);
    };
    if (written(held->scenario, held->pins) == written(d.scenario(), d.pins())) return {};
    return QStringLiteral("%1 does not hold what is open, which is not marked as changed").arg(d.file());
}

}  // namespace window_test
