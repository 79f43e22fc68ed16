// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_view.hpp"

#include <QKeyEvent>
#include <QMimeData>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/drawing/fitting.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_tips.hpp"
#include "ui/canvas/minimap.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/charts/chart_tooltip.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double notch = 1.2;  // a notch of a wheel, and Ctrl + and −
constexpr int dots = 24, step = 60, corner = 12, port_reach = 8;

}  // namespace

CanvasView::CanvasView(CanvasScene& scene, QWidget* parent)
    : QGraphicsView(&scene, parent),
      scene_(scene),
      minimap_(new Minimap(*this, scene)),
      legend_(new CanvasLegend(scene, this)),
      tooltip_(new ChartTooltip(this)) {
    setObjectName(QStringLiteral("canvasView"));
    setAccessibleName(tr("Network, drawn"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setDragMode(QGraphicsView::RubberBandDrag);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::NoAnchor);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the map shows where one is
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setOptimizationFlags(QGraphicsView::DontAdjustForAntialiasing);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);  // legend and map lie over it
    setMouseTracking(true);
    setAcceptDrops(true);
    viewport()->setMouseTracking(true);
    connect(&scene, &CanvasScene::laid_out, this, [this] {
        hovered_.clear();
        make_room();
        emit seen_changed();
    });
    connect(&scene, &CanvasScene::selection_changed, this, &CanvasView::say_selection);
}

void CanvasView::set_zoom(double zoom) { zoom_at(viewport()->rect().center(), zoom); }

/// The paper ends where nothing but its edge would be left in sight, so that a hand may put anything anywhere.
void CanvasView::make_room() {
    const double x = 0.8 * viewport()->width() / zoom(), y = 0.8 * viewport()->height() / zoom();
    setSceneRect(scene_.sceneRect().adjusted(-x, -y, x, y));
}

void CanvasView::zoom_at(QPoint at, double wanted) {
    const double to = std::clamp(wanted, least_zoom, most_zoom);
    if (std::abs(to - zoom()) < 1e-9) return;
    const QPointF under = mapToScene(at);
    setTransform(QTransform::fromScale(to, to));
    make_room();
    const QPointF now = mapFromScene(under);
    pan_by((now - QPointF(at)).toPoint() * -1);
    emit zoomed();
    emit seen_changed();
}

void CanvasView::pan_by(QPoint pixels) {
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - pixels.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - pixels.y());
}

void CanvasView::fit() {
    const QRectF all = scene_.sceneRect();
    const QSizeF view = viewport()->size();
    const drawing::Fit fit = drawing::fit_into({all.width(), all.height()}, {view.width(), view.height()});
    QPointF middle = all.center();
    if (!fit.whole) {  // what one looks at stays in sight
        const QSizeF part = view / fit.zoom;
        const auto keep = [](double at, double from, double to, double span) {
            return to - from <= span ? (from + to) / 2 : std::clamp(at, from + span / 2, to - span / 2);
        };
        const QPointF now = mapToScene(viewport()->rect().center());
        middle = {keep(now.x(), all.left(), all.right(), part.width()),
                  keep(now.y(), all.top(), all.bottom(), part.height())};
    }
    setTransform(QTransform::fromScale(fit.zoom, fit.zoom));
    make_room();
    centerOn(middle);
    emit zoomed();
    emit seen_changed();
}

void CanvasView::show_start() {
    const QRectF all = scene_.sceneRect();
    setTransform({});
    make_room();
    if (all.width() <= viewport()->width() && all.height() <= viewport()->height()) {
        centerOn(all.center());
    } else if (!scene_.boxes().empty()) {
        const BoxItem& first = *scene_.boxes().front();
        centerOn(first.pos().x() + first.size().width() / 2, all.top() + viewport()->height() / 2.0);
    }
    emit zoomed();
    emit seen_changed();
}

void CanvasView::show_box(const BoxItem& box) {
    ensureVisible(QRectF(box.pos(), box.size()), 40, 40);
    emit seen_changed();
}

void CanvasView::toggle(const std::string& path) {
    const BoxItem* before = scene_.box(path);
    const auto anchor = [](const BoxItem& b) { return b.pos() + QPointF(b.size().width() / 2, 0); };
    const QPoint was = before ? mapFromScene(anchor(*before)) : QPoint();
    scene_.toggle(path);
    if (const BoxItem* now = scene_.box(path); now && before) pan_by(was - mapFromScene(anchor(*now)));
    emit seen_changed();
}

BoxItem* CanvasView::box_at(QPoint at) const {
    for (QGraphicsItem* item : items(at))
        if (auto* box = dynamic_cast<BoxItem*>(item)) return box;
    return nullptr;
}

WireItem* CanvasView::wire_at(QPoint at) const {
    constexpr int reach = 4;
    for (QGraphicsItem* item : items(QRect(at - QPoint(reach, reach), QSize(2 * reach, 2 * reach))))
        if (auto* wire = dynamic_cast<WireItem*>(item)) return wire;
    return nullptr;
}

QPoint CanvasView::port_of(const BoxItem& box) const {
    const double out = scene_.drawing().boxes[static_cast<std::size_t>(box.index())].out;
    return mapFromScene(box.pos() + QPointF(out, box.size().height()));
}

CanvasView::Held CanvasView::hold() const {
    Held held;
    const QPoint middle = viewport()->rect().center();
    for (const BoxItem* b : scene_.boxes()) held.emplace_back(scene_.item_of(*b).path, mapFromScene(b->pos()));
    std::sort(held.begin(), held.end(), [&](const auto& a, const auto& b) {
        return (a.second - middle).manhattanLength() < (b.second - middle).manhattanLength();
    });
    return held;
}

void CanvasView::put_back(const Held& held) {
    for (const auto& [path, was] : held)
        if (const BoxItem* now = scene_.box(path)) {
            pan_by(was - mapFromScene(now->pos()));
            break;
        }
    emit seen_changed();
}

QString CanvasView::tooltip_text() const { return tooltip_->isVisible() ? tooltip_->text().plain() : QString(); }

void CanvasView::drawBackground(QPainter* painter, const QRectF& rect) {
    const Theme& look = scene_.look();
    painter->fillRect(rect, look.card);
    if (zoom() < 0.5) return;
    // A grid of dots, as paper has it: what moves and how large it is can be seen by it.
    painter->setPen(QPen(look.card_border, 1.5 / zoom()));
    painter->setRenderHint(QPainter::Antialiasing, false);
    QVector<QPointF> points;
    for (double y = std::ceil(rect.top() / dots) * dots; y < rect.bottom(); y += dots)
        for (double x = std::ceil(rect.left() / dots) * dots; x < rect.right(); x += dots) points.append({x, y});
    painter->drawPoints(points.constData(), static_cast<int>(points.size()));
}

void CanvasView::paintEvent(QPaintEvent* event) {
    QGraphicsView::paintEvent(event);
    if (!focus_ring_) return;
    QPainter painter(viewport());
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    tooltip_->hide();
    // Two fingers push the paper; a wheel comes nearer, and Ctrl makes either zoom, Shift either go across.
    const bool fingers =
        !event->pixelDelta().isNull() || event->pointingDevice()->type() == QInputDevice::DeviceType::TouchPad;
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier) ||
                       (!fingers && !event->modifiers().testFlag(Qt::ShiftModifier));
    if (zooms) {
        const double notches = event->angleDelta().y() / 120.0;
        zoom_at(event->position().toPoint(), zoom() * std::pow(notch, notches));
    } else {
        QPoint by = event->pixelDelta().isNull() ? event->angleDelta() / 2 : event->pixelDelta();
        if (event->modifiers().testFlag(Qt::ShiftModifier) && by.x() == 0) by = by.transposed();
        pan_by(by);
    }
    event->accept();
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    tooltip_->hide();
    const QPoint at = event->position().toPoint();
    last_ = at;
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && space_)) {
        hand_ = Hand::panning;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() == Qt::LeftButton && zoom() >= BoxItem::readable && !hovered_.empty())
        if (const BoxItem* box = scene_.box(hovered_); box && (at - port_of(*box)).manhattanLength() <= port_reach) {
            hand_ = Hand::connecting;
            from_ = hovered_;
            viewport()->setCursor(Qt::CrossCursor);
            return;
        }
    if (event->button() == Qt::LeftButton)
        if (BoxItem* box = box_at(at); box && box->on_sign(box->mapFromScene(mapToScene(at)))) {
            hand_ = Hand::on_sign;
            toggle(scene_.item_of(*box).path);
            return;
        }
    if (event->button() == Qt::RightButton) {  // what is under the hand is what the menu is about
        if (BoxItem* box = box_at(at); box && !box->isSelected()) scene_.select({scene_.item_of(*box).path});
        return;
    }
    QGraphicsView::mousePressEvent(event);
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (hand_ == Hand::panning) {
        pan_by(at - last_);
        last_ = at;
        return;
    }
    last_ = at;
    if (hand_ == Hand::on_sign) return;
    if (hand_ == Hand::connecting) {
        light_target(at);
        viewport()->update();
        return;
    }
    QGraphicsView::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton) hover(at);
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (hand_ != Hand::free) {
        const Hand was = std::exchange(hand_, Hand::free);
        const BoxItem* to = was == Hand::connecting ? box_at(event->position().toPoint()) : nullptr;
        light_target({-1, -1});
        viewport()->update();
        if (to && scene_.item_of(*to).path != from_)
            emit connect_asked(QString::fromStdString(from_), QString::fromStdString(scene_.item_of(*to).path));
        viewport()->setCursor(space_ ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return;
    }
    QGraphicsView::mouseReleaseEvent(event);
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    BoxItem* box = box_at(event->position().toPoint());
    if (!box || event->button() != Qt::LeftButton) return;
    const drawing::Item& item = scene_.item_of(*box);
    const std::string path = item.path;
    if (box->on_sign(box->mapFromScene(mapToScene(event->position().toPoint())))) {  // two clicks on it are two clicks
        hand_ = Hand::on_sign;
        return toggle(path);
    }
    if (item.is_layer())
        emit box_activated(QString::fromStdString(path));
    else
        toggle(path);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const bool extend = event->modifiers().testFlag(Qt::ShiftModifier);
    const auto chosen = scene_.selected();
    switch (event->key()) {
        case Qt::Key_Space:
            if (event->isAutoRepeat()) return;
            space_ = true;
            viewport()->setCursor(Qt::OpenHandCursor);
            return;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            if (control) return zoom_by(notch);
            for (const auto& path : chosen)
                if (!scene_.is_open(path)) toggle(path);
            return;
        case Qt::Key_Minus:
            if (control) return zoom_by(1 / notch);
            for (const auto& path : chosen)
                if (scene_.is_open(path)) toggle(path);
            return;
        case Qt::Key_0:
            if (control) return set_zoom(1);
            break;
        case Qt::Key_F:
            if (control) return emit find_asked();
            return fit();
        case Qt::Key_A:
            if (!control) break;
            {
                std::vector<std::string> all;
                for (const BoxItem* b : scene_.boxes())
                    if (b->shown().kind != BoxLook::Kind::open) all.push_back(scene_.item_of(*b).path);
                scene_.select(all);
            }
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (chosen.empty()) return;
            if (const BoxItem* b = scene_.box(chosen.front()); b && scene_.item_of(*b).is_layer())
                return emit box_activated(QString::fromStdString(chosen.front()));
            return toggle(chosen.front());
        case Qt::Key_Escape:
            if (chosen.empty() && scene_.selected_connections().empty()) break;
            return scene_.select({});
        case Qt::Key_Left: return walk(-1, 0, extend);
        case Qt::Key_Right: return walk(1, 0, extend);
        case Qt::Key_Up: return walk(0, -1, extend);
        case Qt::Key_Down: return walk(0, 1, extend);
        case Qt::Key_PageUp: return pan_by({0, viewport()->height() - step});
        case Qt::Key_PageDown: return pan_by({0, step - viewport()->height()});
        case Qt::Key_Home:
            if (scene_.boxes().empty()) return;
            scene_.select({scene_.item_of(*scene_.boxes().front()).path});
            return show_box(*scene_.boxes().front());
        case Qt::Key_End:
            if (scene_.boxes().empty()) return;
            scene_.select({scene_.item_of(*scene_.boxes().back()).path});
            return show_box(*scene_.boxes().back());
        default: break;
    }
    // What nobody uses here belongs to the window: arrows and pages are used above.
    event->ignore();
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return event->ignore();
    space_ = false;
    if (hand_ == Hand::free) viewport()->setCursor(Qt::ArrowCursor);
}

/// To the nearest box that way, where what lies straight ahead is nearer than what lies aside.
void CanvasView::walk(int dx, int dy, bool extend) {
    auto chosen = scene_.selected();
    const BoxItem* from = chosen.empty() ? nullptr : scene_.box(dy > 0 || dx > 0 ? chosen.back() : chosen.front());
    const BoxItem* best = nullptr;
    double least = 0;
    const auto middle = [](const BoxItem& b) { return QRectF(b.pos(), b.size()).center(); };
    for (const BoxItem* b : scene_.boxes()) {
        if (b == from) continue;
        double distance = 0;
        if (from) {
            const QPointF by = middle(*b) - middle(*from);
            const double ahead = dx * by.x() + dy * by.y(), aside = std::abs(dy * by.x()) + std::abs(dx * by.y());
            if (ahead <= 1 || (dx != 0 && aside > 30)) continue;
            distance = ahead + 2 * aside;
        }
        if (best && distance >= least) continue;
        best = b;
        least = distance;
        if (!from) break;
    }
    if (!best) return;
    const std::string path = scene_.item_of(*best).path;
    if (!extend) chosen.clear();
    chosen.push_back(path);
    scene_.select(chosen);
    if (const BoxItem* b = scene_.box(path)) show_box(*b);
}

/// The box or wire under a hand that brings something.
void CanvasView::light_target(QPoint at) {
    const BoxItem* box = box_at(at);
    for (BoxItem* b : scene_.boxes()) b->set_hovered(b == box);
    const WireItem* wire = box || hand_ == Hand::connecting ? nullptr : wire_at(at);
    for (WireItem* w : scene_.wires()) w->set_hovered(w == wire);
}

void CanvasView::drawForeground(QPainter* painter, const QRectF&) {
    const Theme& look = scene_.look();
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    if (scene_.boxes().empty()) {
        const QRectF all(viewport()->rect());
        draw_text(*painter, all.adjusted(0, 0, 0, -22), Qt::AlignCenter, tr("Nothing is drawn yet."), type::title(),
                  look.text);
        draw_text(*painter, all.adjusted(0, 22, 0, 0), Qt::AlignCenter,
                  tr("Click a kind of layer at the left, or drag it here. The first is Input."), type::control(),
                  look.secondary);
    }
    const BoxItem* box = scene_.box(hand_ == Hand::connecting ? from_ : hovered_);
    if (box && zoom() >= BoxItem::readable) {  // its output, to be taken hold of
        painter->setPen(QPen(look.accent, 1.5));
        painter->setBrush(look.card);
        painter->drawEllipse(QPointF(port_of(*box)), 4.5, 4.5);
        if (hand_ == Hand::connecting) painter->drawLine(port_of(*box), last_);
    }
    painter->restore();
}

void CanvasView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(kind_mime))) return event->acceptProposedAction();
    event->ignore();  // files are the window's
}

void CanvasView::dragMoveEvent(QDragMoveEvent* event) {
    light_target(event->position().toPoint());
    event->acceptProposedAction();
}

void CanvasView::dragLeaveEvent(QDragLeaveEvent*) { light_target({-1, -1}); }

void CanvasView::dropEvent(QDropEvent* event) {
    const QPoint at = event->position().toPoint();
    const BoxItem* box = box_at(at);
    const WireItem* wire = box ? nullptr : wire_at(at);
    const QString path = box ? QString::fromStdString(scene_.item_of(*box).path) : QString();
    const int index = wire ? wire->index() : -1;
    light_target({-1, -1});
    event->acceptProposedAction();
    emit kind_dropped(QString::fromUtf8(event->mimeData()->data(QLatin1String(kind_mime))), index, path);
}

void CanvasView::hover(QPoint at) {
    BoxItem* box = box_at(at);
    if (!box && !hovered_.empty())  // half of the port lies below its box
        if (BoxItem* last = scene_.box(hovered_); last && (at - port_of(*last)).manhattanLength() <= port_reach)
            box = last;
    const std::string path = box ? scene_.item_of(*box).path : std::string();
    if (path != hovered_) {
        hovered_ = path;
        for (BoxItem* b : scene_.boxes()) b->set_hovered(b == box);
        viewport()->update();
        emit hovered(QString::fromStdString(path));
    }
    tell(box, at);
}

void CanvasView::tell(const BoxItem* box, QPoint at) {
    if (box && (box->shown().kind != BoxLook::Kind::open || box->on_sign(box->mapFromScene(mapToScene(at)))))
        tooltip_->show_text(canvas_tip(scene_, *box), at);
    else
        tooltip_->hide();
}

void CanvasView::leaveEvent(QEvent* event) {
    QGraphicsView::leaveEvent(event);
    hover({-1, -1});
}

void CanvasView::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    focus_ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    viewport()->update();
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    focus_ring_ = space_ = false;
    viewport()->update();
}

bool CanvasView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoom_at(gesture->position().toPoint(), zoom() * (1 + gesture->value()));
            return true;
        }
    }
    return QGraphicsView::viewportEvent(event);
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    make_room();
    place_corners();
    emit seen_changed();
}

void CanvasView::place_corners() {
    const QRect all = rect();
    minimap_->resize(minimap_->sizeHint());
    minimap_->move(all.right() - minimap_->width() - corner + 1, all.bottom() - minimap_->height() - corner + 1);
    legend_->adjustSize();
    legend_->move(corner, all.bottom() - legend_->height() - corner + 1);
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    emit seen_changed();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    tooltip_->hide();
    const auto chosen = scene_.selected();
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        const BoxItem* box = chosen.empty() ? nullptr : scene_.box(chosen.front());
        at = viewport()->mapToGlobal(box ? mapFromScene(box->pos()) : viewport()->rect().center());
    }
    emit menu_asked(at);
}

void CanvasView::changeEvent(QEvent* event) {
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) scene_.set_look(nullptr);
}

/// For who hears the canvas rather than sees it.
void CanvasView::say_selection() {
    const auto chosen = scene_.selected();
    QString words = tr("Nothing is selected. Arrow keys go from box to box, Enter unfolds a block.");
    if (chosen.size() == 1)
        if (const BoxItem* box = scene_.box(chosen.front())) words = canvas_tip(scene_, *box).plain();
    if (chosen.size() > 1) words = tr("%1 boxes are selected.").arg(chosen.size());
    setAccessibleDescription(words);
}

}  // namespace scalescope::ui
