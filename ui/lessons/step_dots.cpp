// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/step_dots.hpp"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/lessons/lesson_run.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

constexpr Px dot_side{8}, dot_room{14}, dot_long{18}, dot_height{22};

}  // namespace

class StepDots::Dot final : public QAbstractButton {
public:
    explicit Dot(QWidget* parent) : QAbstractButton(parent) {
        setAttribute(Qt::WA_Hover);
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    bool current = false, done = false, asks = false;
    QSize sizeHint() const override { return {current ? dot_long + dot_room - dot_side : dot_room, dot_height}; }

protected:
    /// A step with a task is a ring until it is done; a step that only tells something is a small disc.
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const double side = dot_side, wide = current ? static_cast<double>(dot_long) : side;
        const QRectF box((width() - wide) / 2, (height() - side) / 2, wide, side);
        if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange))
            draw_box(painter, box.adjusted(-3, -3, 3, 3), {}, t.accent, side, 2);
        const QColor ink = current ? t.accent : done ? t.better : underMouse() ? t.text : t.secondary;
        const bool ring = asks && !done && !current;
        painter.setPen(ring ? QPen(ink, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(ring ? QBrush(Qt::NoBrush) : QBrush(ink));
        const double in = ring ? 0.75 : !asks && !current ? side / 6 : 0;
        painter.drawRoundedRect(box.adjusted(in, in, -in, -in), side / 2, side / 2);
    }
};

StepDots::StepDots(QWidget* parent) : QWidget(parent) {
    make_layout<QHBoxLayout>(this, 0);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Steps"));
}

void StepDots::set_run(LessonRun* run) {
    run_ = run;
    qDeleteAll(dots_);
    dots_.clear();
    if (!run_) return;
    for (int i = 0; i < run_->step_count(); ++i) {
        auto* dot = new Dot(this);
        layout()->addWidget(dot);
        dots_.push_back(dot);
        connect(dot, &QAbstractButton::clicked, this, [this, i] { run_->go_to(i); });
    }
    refresh();
}

void StepDots::refresh() {
    if (!run_) return;
    for (int i = 0; i < static_cast<int>(dots_.size()); ++i) {
        Dot& dot = *dots_[static_cast<std::size_t>(i)];
        const LessonRun::TaskState state = run_->task_of(i);
        dot.done = state == LessonRun::TaskState::done;
        dot.asks = state != LessonRun::TaskState::none;
        if (dot.current != (i == run_->step())) {
            dot.current = i == run_->step();
            dot.updateGeometry();
        }
        const QString title = QString::fromStdString(run_->lesson().steps[static_cast<std::size_t>(i)].title);
        const QString named = title.isEmpty() ? tr("Step %1").arg(i + 1) : tr("Step %1: %2").arg(i + 1).arg(title);
        const QString name = dot.done ? tr("%1, done").arg(named) : named;
        dot.setToolTip(name);
        dot.setAccessibleName(dot.current ? tr("%1, current").arg(name) : name);
        dot.update();
    }
}

QAbstractButton* StepDots::dot(int step) const { return dots_[static_cast<std::size_t>(step)]; }

}  // namespace scalescope::ui
