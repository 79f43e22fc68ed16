// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/step_form.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/language/told.hpp"
#include "ui/lessons/assertion_list.hpp"
#include "ui/lessons/condition_row.hpp"
#include "ui/lessons/lesson_document.hpp"
#include "ui/lessons/pinned_list.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::ui {
namespace {

/// One block of markup, or one hint, on each line.
QString lines_of(const std::vector<std::string>& lines) {
    QStringList all;
    for (const std::string& line : lines) all << plain(line);
    return all.join(QLatin1Char('\n'));
}

std::vector<std::string> lines_from(const QString& text) {
    std::vector<std::string> all;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty()) all.push_back(line.trimmed().toStdString());
    return all;
}

std::vector<std::string> words(const QStringList& list) {
    std::vector<std::string> all;
    for (const QString& word : list) all.push_back(word.toStdString());
    return all;
}

QStringList words(const std::vector<std::string>& list) {
    QStringList all;
    for (const std::string& word : list) all << plain(word);
    return all;
}

QPlainTextEdit* lines_field(int lines) {
    auto* field = new QPlainTextEdit;
    field->setTabChangesFocus(true);
    field->setFixedHeight(QFontMetrics(field->font()).lineSpacing() * lines + 14);
    return field;
}

}  // namespace

StepForm::StepForm(LessonDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    column_ = make_layout<QVBoxLayout>(this, 4);
    title_ = new QLineEdit;
    title_->setObjectName(QStringLiteral("stepTitleField"));
    add(tr("Title of the step"), title_, QStringLiteral("title"));
    text_ = lines_field(8);
    text_->setObjectName(QStringLiteral("stepTextField"));
    add(tr("Text, a block on each line"), text_, QStringLiteral("text"),
        tr("# heading   - item   *emphasis*   **strong**   $n * t_1 / t_n$   $$a formula of its own$$"));
    auto* scenario_row = new QWidget;
    auto* row = make_layout<QHBoxLayout>(scenario_row);
    scenario_ = make_label({}, type::control());
    scenario_->setWordWrap(true);
    take_ = new QPushButton(tr("Use current scenario"));
    take_->setObjectName(QStringLiteral("takeScenario"));
    as_before_ = new QPushButton(tr("No scenario"));
    as_before_->setObjectName(QStringLiteral("noScenario"));
    row->addWidget(scenario_, 1);
    row->addWidget(take_);
    row->addWidget(as_before_);
    add(tr("Scenario"), scenario_row, QStringLiteral("scenario"));
    const auto pick = [](const QString& name, const char* object, const QString& none) {
        auto* list = new PickList(name);
        list->setObjectName(QLatin1String(object));
        list->set_words(tr("all"), none, tr("%1 of %2"));
        list->set_named(4);
        return list;
    };
    charts_ = pick(tr("Charts that are lit"), "litCharts", tr("no chart"));
    add(tr("Charts that are lit"), charts_, QStringLiteral("charts"));
    point_ = pick(tr("Controls that are pointed at"), "pointedAt", tr("nothing"));
    add(tr("Controls that are pointed at"), point_, QStringLiteral("point"));
    show_ = pick(tr("Controls that are shown"), "shownControls", tr("all that there are"));
    add(tr("Controls to show; all others are hidden"), show_, QStringLiteral("show"));

    pinned_ = new PinnedList;
    add(tr("Pinned designs"), pinned_, QStringLiteral("pins"));

    add_heading(tr("Task"));
    sentence_ = new QLineEdit;
    sentence_->setObjectName(QStringLiteral("taskSentence"));
    add(tr("What is to be done; empty: nothing"), sentence_, QStringLiteral("task › sentence"));
    condition_ = new ConditionRow;
    add(tr("It is done when"), condition_, QStringLiteral("task › condition"));
    hints_ = lines_field(3);
    hints_->setObjectName(QStringLiteral("taskHints"));
    add(tr("Hints, one on each line"), hints_, QStringLiteral("task › hints"));
    auto* solution_row = new QWidget;
    auto* solved = make_layout<QHBoxLayout>(solution_row);
    solution_ = make_label({}, type::control());
    solution_->setWordWrap(true);
    solve_ = new QPushButton(tr("The open scenario solves it"));
    solve_->setObjectName(QStringLiteral("takeSolution"));
    solved->addWidget(solution_, 1);
    solved->addWidget(solve_);
    add(tr("A solution"), solution_row, QStringLiteral("task › solution"));

    add_heading(tr("Question"));
    question_ = new QLineEdit;
    question_->setObjectName(QStringLiteral("questionField"));
    add(tr("What is asked; empty: nothing"), question_, QStringLiteral("question › text"));
    auto* answers = new QWidget;
    answers_ = make_layout<QVBoxLayout>(answers, 6);
    add(tr("Answers: right ones ticked, each with why"), answers, QStringLiteral("question › answers"));
    add_answer_ = new QPushButton(tr("Add an answer"));
    add_answer_->setObjectName(QStringLiteral("addAnswer"));
    column_->addWidget(add_answer_, 0, Qt::AlignLeft);
    add_heading(tr("Figures and statements"));
    assertions_ = new AssertionList;
    add(tr("What the texts show as {name}, and what must hold; each is worked out"), assertions_,
        QStringLiteral("assertions"));
    column_->addStretch(1);

    connect(pinned_, &PinnedList::edited, this, [this](const QString& part) {
        edit(tr("Pinned designs"), part, [&](lessons::Step& s) { s.pins = pinned_->pins(); });
    });
    connect(pinned_, &PinnedList::open_one_asked, this, &StepForm::pin_asked);
    connect(assertions_, &AssertionList::edited, this, [this](const QString& part) {
        edit(tr("Figures and statements"), part, [&](lessons::Step& s) { s.assertions = assertions_->assertions(); });
    });
    connect(assertions_, &AssertionList::with_asked, this, &StepForm::with_asked);
    connect(title_, &QLineEdit::textEdited, this, [this](const QString& t) {
        edit(tr("Title of a step"), QStringLiteral("title"), [&](lessons::Step& s) { s.title = t.toStdString(); });
    });
    connect(text_, &QPlainTextEdit::textChanged, this, [this] {
        edit(tr("Text"), QStringLiteral("text"), [&](lessons::Step& s) {
            s.text = {lines_from(text_->toPlainText()), {}};
        });
    });
    connect(take_, &QPushButton::clicked, this, &StepForm::scenario_asked);
    connect(as_before_, &QPushButton::clicked, this, [this] {
        edit(tr("No scenario of its own"), {}, [](lessons::Step& s) {
            s.beginning = {};
            s.set.clear();
        });
    });
    connect(charts_, &PickList::picked_changed, this, [this] {
        edit(tr("Charts that are lit"), {}, [&](lessons::Step& s) { s.charts = words(charts_->picked()); });
    });
    connect(point_, &PickList::picked_changed, this,
            [this] { edit(tr("Pointed at"), {}, [&](lessons::Step& s) { s.point = words(point_->picked()); }); });
    connect(show_, &PickList::picked_changed, this,
            [this] { edit(tr("Shown"), {}, [&](lessons::Step& s) { s.show = words(show_->picked()); }); });
    connect(sentence_, &QLineEdit::textEdited, this, [this](const QString& t) {
        if (t.trimmed().isEmpty())
            return edit(tr("No task"), QStringLiteral("sentence"), [](lessons::Step& s) { s.task.reset(); });
        edit_task(tr("Task"), QStringLiteral("sentence"), [&](lessons::Task& task) {
            task.sentence = {t.toStdString(), {}};
        });
    });
    connect(condition_, &ConditionRow::edited, this, [this] {
        edit_task(tr("Condition"), QStringLiteral("condition"),
                  [&](lessons::Task& task) { task.condition = condition_->condition().toStdString(); });
    });
    connect(hints_, &QPlainTextEdit::textChanged, this, [this] {
        if (showing_) return;
        edit_task(tr("Hints"), QStringLiteral("hints"), [&](lessons::Task& task) {
            task.hints.clear();
            for (std::string& hint : lines_from(hints_->toPlainText())) task.hints.push_back({std::move(hint), {}});
        });
    });
    connect(solve_, &QPushButton::clicked, this, &StepForm::solution_asked);
    connect(question_, &QLineEdit::textEdited, this, [this](const QString& t) {
        if (t.trimmed().isEmpty())
            return edit(tr("No question"), QStringLiteral("question"), [](lessons::Step& s) { s.question.reset(); });
        edit_question(tr("Question"), QStringLiteral("question"), [&](lessons::Question& q) {
            q.text = {t.toStdString(), {}};
        });
    });
    connect(add_answer_, &QPushButton::clicked, this,
            [this] { edit_question(tr("Add an answer"), {}, [](lessons::Question& q) { q.answers.emplace_back(); }); });
}

QLabel* StepForm::add(const QString& label, QWidget* field, const QString& path, const QString& help) {
    if (column_->count() > 0) column_->addSpacing(6);
    auto* name = make_label(label, type::table(), Ink::secondary);
    name->setBuddy(field);
    if (field->accessibleName().isEmpty()) field->setAccessibleName(label);
    column_->addWidget(name);
    column_->addWidget(field);
    if (!help.isEmpty()) {
        auto* below = make_label(help, type::caption(), Ink::secondary);
        below->setWordWrap(true);
        column_->addWidget(below);
    }
    auto* problem = make_label({}, type::table(), Ink::error);
    problem->setObjectName(QStringLiteral("problem ") + path);
    problem->setWordWrap(true);
    problem->hide();
    column_->addWidget(problem);
    parts_.push_back({path, problem});
    return name;
}

void StepForm::add_heading(const QString& heading) {
    column_->addSpacing(10);
    column_->addWidget(make_rule());
    column_->addSpacing(4);
    column_->addWidget(make_label(heading, type::title()));
}

void StepForm::edit(const QString& what, const QString& part, const std::function<void(lessons::Step&)>& change) {
    if (showing_) return;
    lessons::Lesson next = document_.lesson();
    const auto at = static_cast<std::size_t>(step_);
    if (at >= next.steps.size()) return;
    change(next.steps[at]);
    document_.edit(std::move(next), what, part.isEmpty() ? part : QStringLiteral("%1/%2").arg(step_).arg(part));
}

void StepForm::edit_task(const QString& what, const QString& part, const std::function<void(lessons::Task&)>& change) {
    edit(what, part, [&](lessons::Step& s) {
        if (!s.task) s.task.emplace();
        change(*s.task);
    });
}

void StepForm::edit_question(const QString& what, const QString& part,
                             const std::function<void(lessons::Question&)>& change) {
    edit(what, part, [&](lessons::Step& s) {
        if (!s.question) s.question.emplace();
        change(*s.question);
    });
}

void StepForm::set_charts(const std::vector<ComboItem>& charts) { charts_->set_items(charts); }

void StepForm::set_places(const std::vector<ComboItem>& places) { places_ = places; }

/// A file may name what the list has no row for, as a second field of one control: it must not be lost by a pick.
void StepForm::pick(PickList& list, const std::vector<std::string>& named) {
    std::vector<ComboItem> items = places_;
    for (const std::string& name : named)
        if (std::none_of(items.begin(), items.end(), [&](const ComboItem& item) { return item.id == plain(name); }))
            items.push_back(combo_item(plain(name), plain(name)));
    list.set_items(std::move(items));
    list.set_picked(words(named));
}

void StepForm::set_names(std::vector<lessons::Name> names) {
    assertions_->set_names(names);
    condition_->set_names(std::move(names));
}

void StepForm::begin_at_top() {
    title_->setFocus();
    title_->selectAll();
}

void StepForm::show_step(int step) {
    const auto at = static_cast<std::size_t>(step);
    if (at >= document_.lesson().steps.size()) return;
    showing_ = true;
    step_ = step;
    const lessons::Step& s = document_.lesson().steps[at];
    const auto set_line = [](QLineEdit& field, const QString& t) {
        if (field.text() != t) field.setText(t);  // the cursor stays where somebody types
    };
    const auto set_lines = [](QPlainTextEdit& field, const std::vector<std::string>& lines) {
        if (lines_from(field.toPlainText()) != lines) field.setPlainText(lines_of(lines));
    };
    set_line(*title_, plain(s.title));
    set_lines(*text_, s.text.source);
    scenario_->setText(!s.beginning.preset.empty()     ? tr("%1, as shipped").arg(plain(s.beginning.preset))
                       : !s.beginning.scenario.empty() ? tr("Its own, kept in the file")
                       : !s.set.empty()                ? tr("That of the step before, changed")
                                                       : tr("What the reader has made of the step before"));
    as_before_->setEnabled(step > 0 && !s.goes_on());
    charts_->set_picked(words(s.charts));
    pick(*point_, s.point);
    pick(*show_, s.show);
    set_line(*sentence_, s.task ? plain(s.task->sentence.source) : QString());
    condition_->set_condition(s.task ? plain(s.task->condition) : QString());
    std::vector<std::string> hints;
    if (s.task)
        for (const lessons::Text& hint : s.task->hints) hints.push_back(hint.source);
    set_lines(*hints_, hints);
    solution_->setText(s.task && !s.task->solution.empty()
                           ? told_changes(s.task->solution)
                           : tr("None yet. Set up the solution of the task, then capture it"));
    set_line(*question_, s.question ? plain(s.question->text.source) : QString());
    pinned_->show_pins(s.pins);
    assertions_->show_assertions(s.assertions);
    show_answers(s);
    show_problems();
    showing_ = false;
}

/// Rows are made anew only when there is one more or less.
void StepForm::show_answers(const lessons::Step& step) {
    const std::size_t count = step.question ? step.question->answers.size() : 0;
    remove_items(*answers_, static_cast<int>(count));
    while (static_cast<std::size_t>(answers_->count()) < count) {
        const int i = answers_->count();
        auto* row = new QWidget;
        auto* line = make_layout<QHBoxLayout>(row);
        auto* right = new QCheckBox;
        right->setObjectName(QStringLiteral("right%1").arg(i));
        right->setAccessibleName(tr("Answer %1 is right").arg(i + 1));
        auto* what = new QLineEdit;
        what->setObjectName(QStringLiteral("answerField%1").arg(i));
        what->setPlaceholderText(tr("Answer"));
        auto* why = new QLineEdit;
        why->setObjectName(QStringLiteral("why%1").arg(i));
        why->setPlaceholderText(tr("Why it is so, or not"));
        auto* remove = make_icon_button("close", tr("Remove this answer"));
        line->addWidget(right);
        line->addWidget(what, 2);
        line->addWidget(why, 3);
        line->addWidget(remove);
        answers_->addWidget(row);
        const auto at = static_cast<std::size_t>(i);
        connect(right, &QCheckBox::toggled, this, [this, at](bool on) {
            edit_question(tr("Right answer"), {}, [&](lessons::Question& q) { q.answers[at].right = on; });
        });
        connect(what, &QLineEdit::textEdited, this, [this, at](const QString& t) {
            edit_question(tr("Answer"), QStringLiteral("answer%1").arg(at), [&](lessons::Question& q) {
                q.answers[at].text = {t.toStdString(), {}};
            });
        });
        connect(why, &QLineEdit::textEdited, this, [this, at](const QString& t) {
            edit_question(tr("Explanation"), QStringLiteral("why%1").arg(at), [&](lessons::Question& q) {
                q.answers[at].explanation = {t.toStdString(), {}};
            });
        });
        connect(remove, &QAbstractButton::clicked, this, [this, at] {
            edit_question(tr("Remove an answer"), {}, [&](lessons::Question& q) {
                q.answers.erase(q.answers.begin() + static_cast<std::ptrdiff_t>(at));
            });
        });
    }
    for (std::size_t i = 0; i < count; ++i) {
        const lessons::Answer& answer = step.question->answers[i];
        QWidget* row = answers_->itemAt(static_cast<int>(i))->widget();
        row->findChild<QCheckBox*>()->setChecked(answer.right);
        const auto fields = row->findChildren<QLineEdit*>();
        if (fields[0]->text() != plain(answer.text.source)) fields[0]->setText(plain(answer.text.source));
        if (fields[1]->text() != plain(answer.explanation.source)) fields[1]->setText(plain(answer.explanation.source));
    }
}

void StepForm::show_problems() {
    const QString here = QStringLiteral("steps › %1 › ").arg(step_ + 1);
    const QString whole = QStringLiteral("steps › %1").arg(step_ + 1);
    for (const Part& part : parts_) {
        QStringList said;
        for (const Problem& p : document_.problems()) {
            const QString where = plain(p.where);
            const bool of_part = where.startsWith(here + part.path);
            // What is wrong with a step that has no scenario stands where one is taken.
            if (of_part || (where == whole && part.path == QLatin1String("scenario")))
                said << told(p.what) + (p.remedy.empty() ? QString() : QLatin1Char(' ') + told(p.remedy));
        }
        part.problem->setText(said.join(QLatin1Char('\n')));
        part.problem->setVisible(!said.isEmpty());
    }
}

}  // namespace scalescope::ui
