// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/cursor_halo.hpp"

#include <QCursor>
#include <QGuiApplication>
#include <QPainter>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int halo_side = 64, held_side = 44, look_ms = 16;

}  // namespace

CursorHalo::CursorHalo(QWidget* window) : QWidget(window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setObjectName(QStringLiteral("cursorHalo"));
    setFocusPolicy(Qt::NoFocus);
    setFixedSize(halo_side, halo_side);
    // Widgets hear of a pointer that moves over them only if they ask: the pointer itself is asked.
    timer_.setInterval(look_ms);
    connect(&timer_, &QTimer::timeout, this, &CursorHalo::follow);
    timer_.start();
    follow();
}

void CursorHalo::follow() {
    QWidget* window = parentWidget();
    const QPoint at = window->mapFromGlobal(QCursor::pos());
    const bool inside = window->rect().contains(at);
    if (isVisible() != inside) setVisible(inside);
    if (!inside) return;
    const QPoint corner = at - QPoint(halo_side / 2, halo_side / 2);
    if (corner != pos()) {
        move(corner);
        raise();
    }
    const bool held = QGuiApplication::mouseButtons() != Qt::NoButton;
    if (held == held_) return;
    held_ = held;
    update();
}

void CursorHalo::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = theme().accent;
    fill.setAlphaF(held_ ? 0.34F : 0.2F);
    QColor edge = theme().accent;
    edge.setAlphaF(0.75F);
    const double side = held_ ? held_side : halo_side;
    painter.setPen(QPen(edge, 2));
    painter.setBrush(fill);
    painter.drawEllipse(
        QRectF(0, 0, side - 4, side - 4).translated((halo_side - side) / 2 + 2, (halo_side - side) / 2 + 2));
}

}  // namespace scalescope::ui
