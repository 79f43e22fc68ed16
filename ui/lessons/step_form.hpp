// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/lessons/lesson.hpp"
#include "core/lessons/names.hpp"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

class ConditionRow;
class LessonDocument;
class AssertionList;
class PickList;
class PinnedList;
struct ComboItem;

/// All of one step of a lesson that is being written, field below field. What is wrong stands below its field.
class StepForm final : public QWidget {
    Q_OBJECT
public:
    explicit StepForm(LessonDocument& document, QWidget* parent = nullptr);

    /// What may be named: charts, panels and fields, and what a condition may speak of.
    void set_charts(const std::vector<ComboItem>& charts);
    void set_places(const std::vector<ComboItem>& places);
    void set_names(std::vector<lessons::Name> names);
    /// Emits nothing.
    void show_step(int step);
    /// The keyboard goes to the title, and what is typed replaces it.
    void begin_at_top();
    PinnedList* pinned() const { return pinned_; }
    AssertionList* assertions() const { return assertions_; }

signals:
    /// The open scenario is to be the step's own.
    void scenario_asked();
    /// The open scenario solves the task.
    void solution_asked();
    /// The open scenario is to be one more pin of the step, or what an assertion is about.
    void pin_asked();
    void with_asked(int assertion);

private:
    struct Part {
        QString path;  ///< of its problems, below the step's: "task › condition"
        QLabel* problem;
    };
    LessonDocument& document_;
    int step_ = 0;
    bool showing_ = false;
    QVBoxLayout* column_;
    QLineEdit *title_, *sentence_, *question_;
    QPlainTextEdit *text_, *hints_;
    QLabel *scenario_, *solution_;
    QPushButton *take_, *as_before_, *solve_, *add_answer_;
    PickList *charts_, *point_, *show_;
    ConditionRow* condition_;
    PinnedList* pinned_;
    std::vector<ComboItem> places_;
    AssertionList* assertions_;
    QVBoxLayout* answers_;
    std::vector<Part> parts_;

    QLabel* add(const QString& label, QWidget* field, const QString& path, const QString& help = {});
    void add_heading(const QString& text);
    void edit(const QString& what, const QString& part, const std::function<void(lessons::Step&)>& change);
    void edit_task(const QString& what, const QString& part, const std::function<void(lessons::Task&)>& change);
    void edit_question(const QString& what, const QString& part, const std::function<void(lessons::Question&)>& change);
    void pick(PickList& list, const std::vector<std::string>& named);
    void show_answers(const lessons::Step& step);
    void show_problems();
};

}  // namespace scalescope::ui
