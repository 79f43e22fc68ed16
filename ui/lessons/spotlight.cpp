// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/spotlight.hpp"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTimer>
#include <QWidget>
#include <cmath>
#include <utility>

#include "ui/theme/comfort.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int outside = 4, ring_width = 3, arrow_room = 10, arrow_width = 14, arrow_height = 7;
constexpr int frame_ms = 40, breath_ms = 1600, breaths = 4;

}  // namespace

/// A frame over its window, around one widget of it: follows it, and is gone while that is not to be seen.
class Spotlight::Ring final : public QWidget {
public:
    Ring(QWidget& target, Kind kind) : QWidget(target.window()), target_(&target), kind_(kind) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setObjectName(QStringLiteral("spotlight"));
        setFocusPolicy(Qt::NoFocus);
        for (QWidget* w = &target; w; w = w->parentWidget()) {
            w->installEventFilter(this);
            if (w->isWindow()) break;
        }
        timer_.setInterval(frame_ms);
        connect(&timer_, &QTimer::timeout, this, [this] {
            if (++frame_ * frame_ms >= breaths * breath_ms) timer_.stop();
            update();
        });
        follow();
        if (!less_motion()) timer_.start();
    }
    QWidget* target() const { return target_; }

    bool eventFilter(QObject* object, QEvent* event) override {
        switch (event->type()) {
            case QEvent::Move:
            case QEvent::Resize:
            case QEvent::Show:
            case QEvent::Hide:
            case QEvent::LayoutRequest:
            case QEvent::ZOrderChange: soon(); break;
            default: break;
        }
        return QWidget::eventFilter(object, event);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const double phase = static_cast<double>(frame_ * frame_ms % breath_ms) / breath_ms;
        const double swing = 0.5 - 0.5 * std::cos(2 * M_PI * phase);  // 0 at rest, 1 in the middle of a breath
        QColor ink = theme().accent;
        ink.setAlphaF(static_cast<float>(1.0 - 0.55 * swing));
        painter.setPen(QPen(ink, ring_width));
        const double half = ring_width / 2.0;
        const QRectF frame = QRectF(rect()).adjusted(half, half + top(), -half, -half);
        const double radius = kind_ == Kind::ring ? space::card_radius + 2 : space::control_radius + 2;
        painter.drawRoundedRect(frame, radius, radius);
        if (kind_ != Kind::pointer) return;
        const double x = width() / 2.0, tip = top() - 2 * swing;
        QPainterPath arrow(QPointF(x, tip));
        arrow.lineTo(x - arrow_width / 2.0, tip - arrow_height);
        arrow.lineTo(x + arrow_width / 2.0, tip - arrow_height);
        arrow.closeSubpath();
        painter.fillPath(arrow, theme().accent);
    }

private:
    int top() const { return kind_ == Kind::pointer ? arrow_room : 0; }

    /// After the layout that is going on.
    void soon() {
        if (std::exchange(waiting_, true)) return;
        QTimer::singleShot(0, this, [this] {
            waiting_ = false;
            follow();
        });
    }

    void follow() {
        if (!target_ || !target_->isVisible()) return hide();
        QWidget* in = target_->window();
        if (in != parentWidget()) setParent(in);
        QRect seen(target_->mapTo(in, QPoint()), target_->size());
        // What a scrolled pane shows of it.
        const QRect part = target_->visibleRegion().boundingRect();
        if (part.isEmpty()) return hide();
        if (kind_ == Kind::pointer) seen = part.translated(seen.topLeft());
        // A row of several things begins with words, which would touch the frame.
        const int gap = kind_ == Kind::pointer && target_->layout() ? outside + 5 : outside;
        const QRect place = seen.adjusted(-gap, -gap - top(), gap, gap).intersected(in->rect());
        if (place != geometry()) {
            setGeometry(place);
            // Only the frame is repainted when it breathes, not the chart inside.
            QRegion frame(rect());
            const int in_px = ring_width + space::card_radius / 2;
            setMask(frame.subtracted(QRegion(rect().adjusted(in_px, in_px + top(), -in_px, -in_px))));
        }
        show();
        raise();
    }

    QPointer<QWidget> target_;
    Kind kind_;
    QTimer timer_;
    int frame_ = 0;
    bool waiting_ = false;
};

Spotlight::Spotlight(QObject* parent) : QObject(parent) {}

Spotlight::~Spotlight() { clear(); }

void Spotlight::set_targets(const std::vector<Target>& targets) {
    for (const auto& ring : rings_) delete ring.data();
    rings_.clear();
    for (const Target& target : targets)
        if (target.widget) rings_.emplace_back(new Ring(*target.widget, target.kind));
}

std::vector<QWidget*> Spotlight::lit() const {
    std::vector<QWidget*> all;
    for (const auto& ring : rings_)
        if (ring && ring->target()) all.push_back(ring->target());
    return all;
}

}  // namespace scalescope::ui
