// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/task_card.hpp"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/lesson_text.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr Px mark_side{18};
constexpr int digits = 3;

QString amount(double value, const std::string& unit) {
    const bool count = unit.empty() && value == std::round(value) && std::abs(value) < 1e9;
    const QString number =
        QString::fromStdString(count ? format_count(static_cast<std::int64_t>(value)) : format_number(value, digits));
    return unit.empty() ? number : number + QChar(0x00A0) + QString::fromStdString(unit);
}

void clear(QVBoxLayout& column) {
    while (QLayoutItem* item = column.takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

}  // namespace

/// An open ring that fills with the way that is done, then a disc with a tick.
class TaskCard::Mark final : public QWidget {
public:
    Mark() { setFixedSize(mark_side, mark_side); }
    void set(LessonRun::TaskState state, double progress) {
        if (state == state_ && progress == progress_) return;
        state_ = state;
        progress_ = progress;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF disc = QRectF(rect()).adjusted(2, 2, -2, -2);
        if (state_ == LessonRun::TaskState::done) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(t.better);
            painter.drawEllipse(QRectF(rect()).adjusted(1, 1, -1, -1));
            return draw_icon(painter, "check", QRectF(rect()).adjusted(3, 3, -3, -3), t.card);
        }
        painter.setPen(QPen(t.control_border, 2));
        painter.drawEllipse(disc);
        if (progress_ <= 0) return;
        painter.setPen(QPen(t.accent, 3));
        painter.drawArc(disc, 90 * 16, -static_cast<int>(360 * 16 * progress_));
    }

private:
    LessonRun::TaskState state_ = LessonRun::TaskState::open;
    double progress_ = 0;
};

TaskCard::TaskCard(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("taskCard"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 10, 12, 12);
    column->setSpacing(8);
    auto* top = make_layout<QHBoxLayout>(nullptr, 8);
    mark_ = new Mark;
    state_ = make_label({}, type::title());
    state_->setObjectName(QStringLiteral("taskState"));
    distance_ = make_label({}, type::table(), Ink::secondary);
    distance_->setObjectName(QStringLiteral("taskDistance"));
    distance_->setWordWrap(true);
    top->addWidget(mark_);
    top->addWidget(state_, 1);
    column->addLayout(top);
    sentence_ = new QVBoxLayout;
    column->addLayout(sentence_);
    column->addWidget(distance_);
    hints_ = make_layout<QVBoxLayout>(nullptr, 6);
    column->addLayout(hints_);
    hint_ = new QPushButton;
    hint_->setObjectName(QStringLiteral("hint"));
    hint_->setProperty("kind", QStringLiteral("small"));
    column->addWidget(hint_, 0, Qt::AlignLeft);
    connect(hint_, &QPushButton::clicked, this, [this] {
        if (run_) run_->open_hint();
    });
}

void TaskCard::set_run(LessonRun* run) {
    run_ = run;
    shown_task_ = nullptr;
    refresh();
}

void TaskCard::refresh() {
    const bool asked = run_ && run_->now().task;
    setVisible(asked);
    if (!asked) return;
    const lessons::Task& task = *run_->now().task;
    if (shown_task_ != &task) {
        shown_task_ = &task;
        shown_hints_ = 0;
        clear(*sentence_);
        clear(*hints_);
        sentence_->addWidget(make_prose(task.sentence.line, type::reading()));
    }
    show_state();
    show_hints();
}

void TaskCard::show_hints() {
    const auto& hints = run_->now().task->hints;
    const int open = run_->hints_open(), all = static_cast<int>(hints.size());
    for (; shown_hints_ < open; ++shown_hints_) {
        auto* row = new QWidget;
        auto* line = make_layout<QHBoxLayout>(row, 8);
        line->addWidget(make_label(QStringLiteral("%1.").arg(shown_hints_ + 1), type::control(), Ink::secondary), 0,
                        Qt::AlignTop);
        QLabel* hint = make_prose(hints[static_cast<std::size_t>(shown_hints_)].line, type::control());
        hint->setObjectName(QStringLiteral("hint%1").arg(shown_hints_));
        line->addWidget(hint, 1);
        hints_->addWidget(row);
    }
    hint_->setVisible(open < all && run_->task() != LessonRun::TaskState::done);
    hint_->setText(all == 1    ? tr("Show a hint")
                   : open == 0 ? tr("Show a hint (%1)").arg(all)
                               : tr("Another hint (%1 of %2)").arg(open + 1).arg(all));
}

QString TaskCard::state_text() const { return state_->text(); }

void TaskCard::show_state() {
    const LessonRun::TaskState state = run_->task();
    const auto& judgement = run_->judgement();
    const bool open = state != LessonRun::TaskState::done;
    const QString word = state == LessonRun::TaskState::done     ? tr("Done")
                         : state == LessonRun::TaskState::nearly ? tr("Nearly there")
                                                                 : tr("To do");
    if (word != state_->text()) {
        state_->setText(word);
        setAccessibleName(tr("Task: %1").arg(word));
        QAccessibleEvent event(this, QAccessible::NameChanged);
        QAccessible::updateAccessibility(&event);
        update();
    }
    double progress = 0;
    QString distance;
    if (open && judgement && judgement->distance) {
        const auto& d = *judgement->distance;
        progress = d.progress.value_or(0);
        QString wanted = amount(d.wanted, d.unit);
        if (!d.relation.empty())
            wanted.prepend(QString::fromUtf8(d.relation.data(), static_cast<qsizetype>(d.relation.size())) +
                           QChar(0x00A0));
        const QString now = amount(d.now, d.unit);
        distance = d.of.empty() ? tr("now %1, asked for %2").arg(now, wanted)
                                : tr("%1 now %2, asked for %3").arg(told(d.of), now, wanted);
    } else if (open && judgement && !judgement->why.empty()) {
        distance = QString::fromStdString(judgement->why);
    }
    distance_->setText(distance);
    distance_->setVisible(!distance.isEmpty());
    mark_->set(state, progress);
}

void TaskCard::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const bool done = run_ && run_->task() == LessonRun::TaskState::done;
    draw_box(painter, QRectF(rect()), t.selection, done ? t.better : t.accent, space::control_radius);
}

}  // namespace scalescope::ui
