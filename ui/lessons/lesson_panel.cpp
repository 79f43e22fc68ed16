// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/lesson_text.hpp"
#include "ui/lessons/question_card.hpp"
#include "ui/lessons/step_dots.hpp"
#include "ui/lessons/task_card.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/button_kind.hpp"
#include "ui/widgets/overlay_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int side = 16, part_gap = 12;

QString text(const std::string& s) { return QString::fromStdString(s); }

}  // namespace

LessonPanel::LessonPanel(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* pane = new QWidget;
    pane->setObjectName(QStringLiteral("pane"));
    auto* content = new QVBoxLayout(pane);
    content->setContentsMargins(side, 2, side, side);
    content->setSpacing(part_gap);
    where_ = make_label({}, type::table(), Ink::secondary);
    where_->setObjectName(QStringLiteral("stepWhere"));
    title_ = make_label({}, type::page_title());
    title_->setObjectName(QStringLiteral("stepTitle"));
    title_->setWordWrap(true);
    auto* head = new QVBoxLayout;
    head->setSpacing(2);
    head->addWidget(where_);
    head->addWidget(title_);
    text_ = new LessonText;
    task_ = new TaskCard;
    question_ = new QuestionCard;
    sources_ = make_label({}, type::caption(), Ink::secondary);
    sources_->setWordWrap(true);
    content->addLayout(head);
    content->addWidget(text_);
    content->addWidget(task_);
    content->addWidget(question_);
    content->addWidget(sources_);
    content->addStretch(1);
    scroll_ = new QScrollArea;
    scroll_->setObjectName(QStringLiteral("lessonScroll"));
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::TabFocus);  // the arrows scroll
    scroll_->setWidget(pane);
    scroll_->viewport()->setAutoFillBackground(false);
    pane->setAutoFillBackground(false);
    use_overlay_scroll_bar(*scroll_, 2);
    column->addWidget(scroll_, 1);

    column->addWidget(make_rule());
    back_ = new QPushButton(tr("Back"));
    back_->setObjectName(QStringLiteral("lessonBack"));
    back_->setToolTip(tr("The step before (Alt+Page Up)"));
    next_ = new QPushButton(tr("Next"));
    next_->setObjectName(QStringLiteral("lessonNext"));
    dots_ = new StepDots;
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(12, 10, 12, 10);
    foot->addWidget(back_);
    foot->addStretch(1);
    foot->addWidget(dots_);
    foot->addStretch(1);
    foot->addWidget(next_);
    column->addLayout(foot);
    connect(back_, &QPushButton::clicked, this, &LessonPanel::go_back);
    connect(next_, &QPushButton::clicked, this, &LessonPanel::go_on);
}

void LessonPanel::go_on() {
    if (!run_) return;
    if (run_->is_last()) return emit finished();
    run_->go_to(run_->step() + 1);
}

void LessonPanel::go_back() {
    if (run_) run_->go_to(run_->step() - 1);
}

void LessonPanel::set_run(LessonRun* run) {
    if (run_)
        for (const QObject* told : std::initializer_list<const QObject*>{this, task_, question_})
            run_->disconnect(told);
    run_ = run;
    text_->set_blocks({});  // anew, in whatever size type has now
    dots_->set_run(run);
    task_->set_run(run);
    question_->set_run(run);
    if (!run) return;
    connect(run, &LessonRun::step_changed, this, &LessonPanel::show_step);
    connect(run, &LessonRun::task_changed, this, &LessonPanel::show_task);
    connect(run, &LessonRun::hints_changed, task_, &TaskCard::refresh);
    connect(run, &LessonRun::answers_changed, question_, &QuestionCard::refresh);
    connect(run, &LessonRun::answers_changed, this, &LessonPanel::show_task);
    show_step();
}

void LessonPanel::show_step() {
    const lessons::Lesson& lesson = run_->lesson();
    where_->setText(tr("Step %1 of %2").arg(run_->step() + 1).arg(run_->step_count()));
    title_->setText(text(run_->now().title));
    title_->setVisible(!run_->now().title.empty());
    text_->set_blocks(run_->now().text.blocks);
    task_->refresh();
    question_->refresh();
    const bool last = run_->is_last();
    QStringList sources;
    for (const std::string& source : lesson.sources) sources << text(source).toHtmlEscaped();
    sources_->setVisible(last && !sources.isEmpty());
    sources_->setText(tr("Sources: %1").arg(sources.join(QStringLiteral("<br>"))));
    back_->setEnabled(run_->step() > 0);
    next_->setText(last ? tr("Finish") : tr("Next"));
    next_->setToolTip(last ? tr("Leave the lesson: what was open before comes back")
                           : tr("The next step (Alt+Page Down)"));
    scroll_->verticalScrollBar()->setValue(0);
    show_task();
}

/// What a person does next is the step's task or question, then the next step. Nothing keeps them from going on before.
void LessonPanel::show_task() {
    task_->refresh();
    dots_->refresh();
    const bool open = run_->task() == LessonRun::TaskState::open || run_->task() == LessonRun::TaskState::nearly ||
                      !run_->is_answered();
    set_kind(*next_, open ? QString() : QStringLiteral("primary"));
}

}  // namespace scalescope::ui
