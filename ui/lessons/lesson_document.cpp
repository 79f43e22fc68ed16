// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_document.hpp"

#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/lessons/lesson_json.hpp"

namespace scalescope::ui {

class LessonDocument::EditCommand final : public QUndoCommand {
public:
    EditCommand(LessonDocument& document, lessons::Lesson before, lessons::Lesson after, const QString& what,
                QString part)
        : document_(document), before_(std::move(before)), after_(std::move(after)), part_(std::move(part)) {
        setText(what);
    }
    void undo() override { document_.set(before_); }
    void redo() override { document_.set(after_); }
    int id() const override { return part_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const EditCommand*>(other);
        if (next->part_ != part_) return false;
        after_ = next->after_;
        setObsolete(after_ == before_);
        return true;
    }

private:
    LessonDocument& document_;
    lessons::Lesson before_, after_;
    QString part_;
};

LessonDocument::LessonDocument(const formats::Library& library, QObject* parent) : QObject(parent), library_(library) {
    history_.setUndoLimit(500);
    connect(&history_, &QUndoStack::cleanChanged, this, &LessonDocument::state_changed);
}

void LessonDocument::set(const lessons::Lesson& lesson) {
    lesson_ = lesson;
    // What a text means hangs on the figures of the whole lesson.
    problems_ = lessons::parse_texts(lesson_);
    const auto read = lessons::read_lesson(lessons::write_lesson(lesson_), "the lesson", library_);
    if (!read) problems_ = read.error();
    emit changed();
}

void LessonDocument::edit(lessons::Lesson next, const QString& what, const QString& part) {
    if (next == lesson_) return;
    history_.push(new EditCommand(*this, lesson_, std::move(next), what, part));
}

void LessonDocument::start(const QString& title, const std::string& scenario) {
    lessons::Lesson lesson;
    lesson.title = title.toStdString();
    lessons::Step step;
    step.title = tr("First step").toStdString();
    step.text.source = {tr("What is seen here.").toStdString()};
    step.beginning.scenario = scenario;
    lesson.steps.push_back(std::move(step));
    open(std::move(lesson), {});
}

void LessonDocument::open(lessons::Lesson lesson, FileOnDisk file) {
    history_.clear();
    file_ = std::move(file);
    set(lesson);
    emit state_changed();
}

void LessonDocument::recover(lessons::Lesson lesson, FileOnDisk file) {
    open(std::move(lesson), std::move(file));
    history_.resetClean();
    emit state_changed();
}

void LessonDocument::keep_mine() {
    file_.look_again();
    history_.resetClean();
    emit state_changed();
}

Result<void> LessonDocument::save_to(const QString& file) {
    const std::string text = lessons::write_lesson(lesson_);
    const auto written = write_file(file.toStdString(), text);
    if (!written) return tl::unexpected(written.error());
    file_ = {file, std::string_view(text)};
    history_.setClean();
    emit state_changed();
    return {};
}

}  // namespace scalescope::ui
