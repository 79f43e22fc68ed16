// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/language/told.hpp"
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

constexpr int panel_side = 16, part_gap = 12, least_seen = 56;

}  // namespace

LessonPanel::LessonPanel(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, 0);

    auto* pane = new QWidget;
    pane->setObjectName(QStringLiteral("pane"));
    auto* content = new QVBoxLayout(pane);
    content->setContentsMargins(panel_side, 2, panel_side, panel_side);
    content->setSpacing(part_gap);
    where_ = make_label({}, type::table(), Ink::secondary);
    where_->setObjectName(QStringLiteral("stepWhere"));
    title_ = make_label({}, type::page_title());
    title_->setObjectName(QStringLiteral("stepTitle"));
    title_->setWordWrap(true);
    auto* head = make_layout<QVBoxLayout>(nullptr, 2);
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
    more_ = new QPushButton(scroll_);
    more_->setObjectName(QStringLiteral("lessonMore"));
    more_->setProperty("kind", QStringLiteral("small"));
    more_->hide();
    look_ = new QTimer(this);
    look_->setSingleShot(true);
    look_->setInterval(0);  // once all have their places
    connect(look_, &QTimer::timeout, this, &LessonPanel::show_more);
    connect(more_, &QPushButton::clicked, this, [this] {
        if (QWidget* card = asking()) scroll_->ensureWidgetVisible(card, 0, panel_side);
    });
    connect(scroll_->verticalScrollBar(), &QScrollBar::valueChanged, look_, qOverload<>(&QTimer::start));
    connect(scroll_->verticalScrollBar(), &QScrollBar::rangeChanged, look_, qOverload<>(&QTimer::start));
    scroll_->viewport()->installEventFilter(this);

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

/// What of the step waits for the person; nullptr once nothing does.
QWidget* LessonPanel::asking() const {
    if (!run_) return nullptr;
    const bool open = run_->task() == LessonRun::TaskState::open || run_->task() == LessonRun::TaskState::nearly;
    if (open) return task_;
    return run_->is_answered() ? nullptr : static_cast<QWidget*>(question_);
}

/// A text may be longer than the panel: that there is something to do below it must not be missed.
void LessonPanel::show_more() {
    QWidget* card = asking();
    const int height = scroll_->viewport()->height();
    const bool below =
        card && card->isVisibleTo(this) && card->mapTo(scroll_->viewport(), QPoint(0, least_seen)).y() > height;
    more_->setVisible(below);
    if (!below) return;
    more_->setText(card == task_ ? tr("↓ To do") : tr("↓ Question"));
    more_->adjustSize();
    more_->move((scroll_->width() - more_->width()) / 2, height - more_->height() - 6);
    more_->raise();
}

bool LessonPanel::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) look_->start();
    return QWidget::eventFilter(object, event);
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
    title_->setText(plain(run_->now().title));
    title_->setVisible(!run_->now().title.empty());
    text_->set_blocks(run_->now().text.blocks);
    task_->refresh();
    question_->refresh();
    const bool last = run_->is_last();
    QStringList sources;
    for (const std::string& source : lesson.sources) sources << plain(source).toHtmlEscaped();
    sources_->setVisible(last && !sources.isEmpty());
    sources_->setText(tr("Sources: %1").arg(sources.join(QStringLiteral("<br>"))));
    back_->setEnabled(run_->step() > 0);
    next_->setText(last ? tr("Finish") : tr("Next"));
    next_->setToolTip(last ? tr("Leave the lesson and return to your own work") : tr("The next step (Alt+Page Down)"));
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
    look_->start();
}

}  // namespace scalescope::ui
