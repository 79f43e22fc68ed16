// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/focus_ring.hpp"

#include <QApplication>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

class RingFrame final : public QFocusFrame {
public:
    RingFrame() : QFocusFrame(nullptr) { setObjectName(QStringLiteral("focus_ring")); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme().accent, 2));
        // A bordered button gets a gap of two pixels, a flat one none.
        const qreal in = qobject_cast<QPushButton*>(widget()) ? 1 : 3;
        painter.drawRoundedRect(QRectF(rect()).adjusted(in, in, -in, -in), space::control_radius + 2,
                                space::control_radius + 2);
    }
};

}  // namespace

FocusRing::FocusRing(QApplication& app) : QObject(&app) {
    connect(&app, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusRing::follow(QWidget* widget) {
    const bool button = qobject_cast<QPushButton*>(widget) || qobject_cast<QToolButton*>(widget);
    const bool wanted = button && widget->window()->testAttribute(Qt::WA_KeyboardFocusChange);
    if (wanted) {
        if (!frame_) frame_ = new RingFrame;
        frame_->setWidget(widget);
    } else if (frame_) {
        frame_->setWidget(nullptr);
    }
}

}  // namespace scalescope::ui
