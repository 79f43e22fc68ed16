// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_view.hpp"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "core/drawing/drawing.hpp"
#include "ui/canvas/border_item.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_legend.hpp"
#include "ui/canvas/canvas_notes.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_tips.hpp"
#include "ui/canvas/minimap.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/charts/chart_tooltip.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int dots = 24, corner = 12;

}  // namespace

CanvasView::CanvasView(CanvasScene& scene, QWidget* parent)
    : QGraphicsView(&scene, parent),
      scene_(scene),
      minimap_(new Minimap(*this, scene)),
      legend_(new CanvasLegend(scene, this)),
      notes_(nullptr),
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
    viewport()->grabGesture(Qt::PinchGesture);
    connect(&scene, &CanvasScene::laid_out, this, [this] {
        hovered_.clear();
        make_room();
        emit seen_changed();
    });
    connect(this, &CanvasView::seen_changed, this, &CanvasView::place_corners);
    connect(&scene, &CanvasScene::recoloured, this, &CanvasView::place_corners);
    connect(&scene, &CanvasScene::selection_changed, this, &CanvasView::say_selection);
    connect(&scene, &CanvasScene::borders_changed, this, &CanvasView::mark_borders);
    connect(this, &CanvasView::seen_changed, this, &CanvasView::see_borders);
    notes_ = new CanvasNotes(*this, scene);  // hears of a new drawing after the view
    notes_->set_taken([this] {
        std::vector<QRect> taken;
        for (const QWidget* w : std::initializer_list<QWidget*>{minimap_, legend_})
            if (w->isVisible()) taken.push_back(w->geometry());
        return taken;
    });
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

void CanvasView::show_top() {
    const QRectF all = scene_.sceneRect();
    make_room();
    centerOn(all.center().x(), all.top() + viewport()->height() / 2.0 / zoom());
    emit seen_changed();
}

void CanvasView::show_box(const BoxItem& box) {
    ensureVisible(QRectF(box.pos(), box.size()), 40, 40);
    if (box.shown().kind != BoxLook::Kind::open)  // not below the map or the legend
        for (const QWidget* over : std::initializer_list<const QWidget*>{minimap_, legend_}) {
            const QRect at = mapFromScene(QRectF(box.pos(), box.size())).boundingRect();
            if (over->isVisible() && at.intersects(over->geometry()))
                pan_by({0, over->geometry().top() - corner - at.bottom()});
        }
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
    painter->setPen(QPen(look.high_contrast ? look.grid : look.card_border, 1.5 / zoom()));  // words stand on it
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
                  tr("Click a layer kind on the left, or drag it here. Begin with Input."), type::control(),
                  look.secondary);
    }
    notes_->draw_lines(*painter);
    const BoxItem* box = scene_.box(hand_ == Hand::connecting ? from_ : hovered_);
    if (box && zoom() >= BoxItem::readable) {  // its output, to be taken hold of
        painter->setPen(QPen(look.accent, 1.5));
        painter->setBrush(look.card);
        painter->drawEllipse(QPointF(port_of(*box)), 4.5, 4.5);
        if (hand_ == Hand::connecting) painter->drawLine(port_of(*box), last_);
    }
    painter->restore();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    make_room();
    emit seen_changed();
}

/// Nobody else shows or hides the map and the legend.
void CanvasView::place_corners() {
    const auto place = [this](QWidget& w, bool of_use, bool right) {
        const QRect all = rect(), before = w.isHidden() ? QRect() : w.geometry();
        const QSize size = w.sizeHint();
        w.setGeometry({QPoint(right ? all.right() - size.width() - corner + 1 : corner,
                              all.bottom() - size.height() - corner + 1),
                       size});
        w.setVisible(of_use && drawing::fits_corner({1.0 * size.width(), 1.0 * size.height()},
                                                    {1.0 * all.width(), 1.0 * all.height()}));
        return (w.isHidden() ? QRect() : w.geometry()) != before;
    };
    const bool map = place(*minimap_, minimap_->is_of_use(), true),
               legend = place(*legend_, legend_->is_of_use(), false);
    if ((map || legend) && notes_) notes_->place();  // they keep clear of both
}

void CanvasView::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    emit seen_changed();
}

void CanvasView::changeEvent(QEvent* event) {
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) scene_.set_look(nullptr);
}

/// For who hears the canvas rather than sees it.
void CanvasView::say_selection() {
    const auto chosen = scene_.selected();
    QString words = tr("Nothing is selected. Use the arrow keys to move from box to box, and Enter to unfold a block.");
    if (chosen.size() == 1)
        if (const BoxItem* box = scene_.box(chosen.front())) words = canvas_tip(scene_, *box).plain();
    if (chosen.size() > 1) words = tr("%1 boxes are selected.").arg(chosen.size());
    if (const BorderItem* item = border(focused_border_)) words = item->border().tip.plain();
    setAccessibleDescription(words);
}

}  // namespace scalescope::ui
