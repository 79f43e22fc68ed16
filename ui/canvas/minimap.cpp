// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/minimap.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int map_padding = 6;

}  // namespace

Minimap::Minimap(CanvasView& view, CanvasScene& scene) : QWidget(&view), view_(view), scene_(scene) {
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Map of the network"));
    setToolTip(tr("Drag to go there"));
    setCursor(Qt::ArrowCursor);
    connect(&scene, &CanvasScene::laid_out, this, &Minimap::redraw);
    connect(&scene, &CanvasScene::recoloured, this, &Minimap::redraw);
    connect(&view, &CanvasView::seen_changed, this, qOverload<>(&QWidget::update));
}

QRectF Minimap::seen() const { return view_.mapToScene(view_.viewport()->rect()).boundingRect(); }

QRectF Minimap::map_rect(const QRectF& part) const {
    const QRectF all = scene_.sceneRect();
    const double scale = std::min((width() - 2 * map_padding) / std::max(1.0, all.width()),
                                  (height() - 2 * map_padding) / std::max(1.0, all.height()));
    const QPointF origin((width() - all.width() * scale) / 2, (height() - all.height() * scale) / 2);
    return {origin + (part.topLeft() - all.topLeft()) * scale, part.size() * scale};
}

QPointF Minimap::scene_point(QPointF at) const {
    const QRectF all = scene_.sceneRect(), shown = map_rect(all);
    return all.topLeft() + (at - shown.topLeft()) * (all.width() / std::max(1e-9, shown.width()));
}

void Minimap::redraw() {
    picture_ = {};
    update();
}

bool Minimap::is_of_use() const {
    const QRectF all = scene_.sceneRect(), now = seen();
    return !scene_.boxes().empty() && (now.width() < all.width() - 1 || now.height() < all.height() - 1);
}

void Minimap::paintEvent(QPaintEvent*) {
    const Theme& look = theme();
    if (picture_.isNull()) {
        picture_ = QPixmap(size() * devicePixelRatioF());
        picture_.setDevicePixelRatio(devicePixelRatioF());
        picture_.fill(Qt::transparent);
        QPainter painter(&picture_);
        draw_box(painter, QRectF(rect()), look.card, look.card_border, space::control_radius);
        for (const BoxItem* box : scene_.boxes()) {
            QRectF r = map_rect({box->pos(), box->size()});
            r.setHeight(std::max(r.height(), 1.0));
            const QColor ground = box->shown().faulty ? look.error : box->shown().ground;
            if (box->shown().kind == BoxLook::Kind::open)
                draw_box(painter, r, look.card, look.control_border, 1);
            else
                painter.fillRect(r, ground.isValid() ? ground : look.axis);
        }
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    const QRectF now = map_rect(seen()).intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor veil = look.accent;
    veil.setAlphaF(0.08F);
    draw_box(painter, now, veil, look.accent, 3, 1.5);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const QPointF at = scene_point(event->position());
    grip_ = seen().contains(at) ? at - seen().center() : QPointF();
    mouseMoveEvent(event);
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) view_.centerOn(scene_point(event->position()) - grip_);
}

void Minimap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) picture_ = {};
}

}  // namespace scalescope::ui
