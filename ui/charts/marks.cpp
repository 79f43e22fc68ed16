// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/marks.hpp"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QPixmapCache>
#include <cmath>

#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double hatch_period = 6.0, hatch_line = 2.0;

/// Cuts a segment to a rectangle (Liang and Barsky); false when nothing of it is inside.
bool cut(QPointF& a, QPointF& b, const QRectF& r) {
    double t0 = 0.0, t1 = 1.0;
    const QPointF d = b - a;
    const double p[4] = {-d.x(), d.x(), -d.y(), d.y()};
    const double q[4] = {a.x() - r.left(), r.right() - a.x(), a.y() - r.top(), r.bottom() - a.y()};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0.0) {
            if (q[i] < 0.0) return false;
            continue;
        }
        const double t = q[i] / p[i];
        if (p[i] < 0.0)
            t0 = std::max(t0, t);
        else
            t1 = std::min(t1, t);
    }
    if (t0 > t1) return false;
    const QPointF start = a;
    a = start + t0 * d;
    b = start + t1 * d;
    return true;
}

QBrush hatch_tile(const QColor& colour, double scale) {
    const int side = std::max(2, qRound(hatch_period * scale));
    const QString key = QStringLiteral("scalescope-hatch-%1-%2").arg(colour.rgba()).arg(side);
    QPixmap tile;
    if (!QPixmapCache::find(key, &tile)) {
        tile = QPixmap(side, side);
        tile.fill(Qt::transparent);
        QPainter painter(&tile);
        painter.setRenderHint(QPainter::Antialiasing);
        // The stroke's width is measured across the slanted line; one line per corner makes the tile seamless.
        painter.setPen(QPen(colour, hatch_line * scale * 0.75, Qt::SolidLine, Qt::SquareCap));
        for (const int k : {-1, 0, 1}) painter.drawLine(QPointF(k * side, side), QPointF((k + 1) * side, 0));
        painter.end();
        tile.setDevicePixelRatio(scale);
        QPixmapCache::insert(key, tile);
    }
    return QBrush(tile);
}

/// Drops points whose loss no eye can see: curves over a thousand counts are nearly straight, and strokes cost by
/// points.
std::vector<QPointF> thinned(const std::vector<QPointF>& points) {
    constexpr double slack = 0.2;
    constexpr std::size_t longest = 24;  // points passed over at once
    const auto finite = [](QPointF p) { return std::isfinite(p.x()) && std::isfinite(p.y()); };
    std::vector<QPointF> kept;
    std::size_t i = 0;
    while (i < points.size()) {
        kept.push_back(points[i]);
        if (!finite(points[i])) {
            ++i;
            continue;
        }
        std::size_t to = i + 1;
        for (std::size_t k = i + 2; k < points.size() && k - i <= longest && finite(points[k]) && finite(points[k - 1]);
             ++k) {
            const QPointF d = points[k] - points[i];
            const double length = std::hypot(d.x(), d.y());
            bool straight = length > 0.0;
            for (std::size_t m = i + 1; straight && m < k; ++m) {
                const QPointF e = points[m] - points[i];
                straight = std::abs(d.x() * e.y() - d.y() * e.x()) <= slack * length;
            }
            if (!straight) break;
            to = k;
        }
        i = to;
    }
    return kept;
}

double luminance(const QColor& colour) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr int markers = 4;

const std::vector<double>& curve_dashes(int index) {
    static const std::vector<std::vector<double>> dashes{{}, {7, 3}, {3, 2}, {9, 3, 2, 3}};
    return dashes[static_cast<std::size_t>(index) % dashes.size()];
}

}  // namespace

bool paints_vectors(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf ||
                      engine->type() == QPaintEngine::Picture);
}

double paint_scale(const QPainter& painter) {
    if (paints_vectors(painter)) return 4.0;
    const double scale = painter.device() ? painter.device()->devicePixelRatio() : 1.0;
    return scale > 0.0 ? scale : 1.0;
}

double snapped(double logical, double scale) { return std::round(logical * scale) / scale; }

QColor part_colour(const Theme& theme, Part part) {
    switch (part) {
        case Part::forward: return theme.forward;
        case Part::backward: return theme.backward;
        case Part::update: return theme.update;
        case Part::communication:
        case Part::forward_exchange:
        case Part::backward_exchange:
        case Part::update_exchange: return theme.communication;
        case Part::idle: return theme.ideal;
    }
    return theme.text;
}

QColor curve_colour(const Theme& theme, int index) {
    if (index == best_look) return theme.text;
    return theme.curves[static_cast<std::size_t>(std::max(index, 0)) % theme.curves.size()];
}

Marker curve_marker(int index) { return static_cast<Marker>(std::max(index, 0) % markers); }

QPen dashed_pen(const QColor& colour, double width, const std::vector<double>& dashes_in_px) {
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    if (dashes_in_px.empty()) {
        pen.setCapStyle(Qt::RoundCap);
        return pen;
    }
    QList<qreal> pattern;
    for (const double px : dashes_in_px) pattern.append(px / width);  // Qt counts dashes in pen widths
    pen.setDashPattern(pattern);
    return pen;
}

QPen curve_pen(const Theme& theme, int index, double width) {
    return dashed_pen(curve_colour(theme, index), width, curve_dashes(std::max(index, 0) / markers));
}

QPen line_pen(const Theme& theme, int index, double width, bool dashed) {
    return dashed_pen(curve_colour(theme, index), width, curve_dashes(std::max(index, 0) + (dashed ? 1 : 0)));
}

QPen pin_pen(const Theme& theme, int index, double width) {
    static const std::vector<std::vector<double>> dashes{{5, 3}, {2, 2}, {8, 3}, {8, 3, 2, 3}};
    return dashed_pen(theme.pin, width, dashes[static_cast<std::size_t>(std::max(index, 0)) % dashes.size()]);
}

QColor text_on(const QColor& fill) {
    const QColor &white = Theme::light().on_accent, &ink = Theme::light().text;
    const double on = luminance(fill) + 0.05;
    return (luminance(white) + 0.05) / on >= on / (luminance(ink) + 0.05) ? white : ink;
}

void draw_marker(QPainter& painter, QPointF c, Marker marker, const QColor& colour) {
    draw_marker(painter, c, marker, colour, QPen(Qt::NoPen));
}

void draw_marker(QPainter& painter, QPointF c, Marker marker, const QColor& fill, const QPen& outline) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(outline);
    painter.setBrush(fill);
    switch (marker) {
        case Marker::disc: painter.drawEllipse(c, 3.25, 3.25); break;
        case Marker::square: painter.drawRect(QRectF(c.x() - 2.75, c.y() - 2.75, 5.5, 5.5)); break;
        case Marker::triangle:
            painter.drawPolygon(
                QPolygonF({{c.x(), c.y() - 3.75}, {c.x() + 3.75, c.y() + 2.75}, {c.x() - 3.75, c.y() + 2.75}}));
            break;
        case Marker::diamond:
            painter.drawPolygon(
                QPolygonF({{c.x(), c.y() - 4}, {c.x() + 4, c.y()}, {c.x(), c.y() + 4}, {c.x() - 4, c.y()}}));
            break;
    }
    painter.restore();
}

void draw_slanted_lines(QPainter& painter, const QRectF& box, const QPen& pen, double distance) {
    painter.setPen(pen);
    for (double x = box.left() + distance / 2; x < box.right() + box.height(); x += distance) {
        QPointF from(x, box.top()), to(x - box.height(), box.bottom());
        if (cut(from, to, box)) painter.drawLine(from, to);
    }
}

void draw_hatched(QPainter& painter, const QRectF& box, const QColor& colour) {
    if (box.width() <= 0.0 || box.height() <= 0.0) return;
    painter.save();
    const double scale = paint_scale(painter), line = 1.0;
    if (box.height() < 3.0) {
        painter.fillRect(box, colour);  // too low for lines to be told from dots
    } else if (paints_vectors(painter)) {
        draw_slanted_lines(painter, box, QPen(colour, hatch_line * 0.75, Qt::SolidLine, Qt::FlatCap), hatch_period);
    } else {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrushOrigin(box.topLeft());
        painter.fillRect(box, hatch_tile(colour, scale));
    }
    if (box.width() >= 4.0 && box.height() >= 4.0) {  // narrower boxes would be all outline
        painter.fillRect(QRectF(box.left(), box.top(), box.width(), line), colour);
        painter.fillRect(QRectF(box.left(), box.bottom() - line, box.width(), line), colour);
        painter.fillRect(QRectF(box.left(), box.top(), line, box.height()), colour);
        painter.fillRect(QRectF(box.right() - line, box.top(), line, box.height()), colour);
    }
    painter.restore();
}

void draw_cross(QPainter& painter, QPointF centre, const QColor& colour) {
    constexpr double arm = 3.25;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.75, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre - QPointF(arm, arm), centre + QPointF(arm, arm));
    painter.drawLine(centre - QPointF(arm, -arm), centre + QPointF(arm, -arm));
    painter.restore();
}

void draw_hollow(QPainter& painter, const QRectF& box, const QColor& outline, const QColor& inside) {
    painter.fillRect(box, outline);
    const QRectF inner = box.adjusted(1, 1, -1, -1);
    if (inner.width() > 0.0 && inner.height() > 0.0) painter.fillRect(inner, inside);
}

void draw_dashed_bracket(QPainter& painter, const QRectF& box, const QColor& colour,
                         const std::vector<double>& dashes) {
    const double height = box.height(), width = box.width(), total = 2 * height + width;
    double at = 0.0;
    for (std::size_t i = 0; at < total; ++i) {
        const double next = std::min(at + dashes[i % dashes.size()], total);
        if (i % 2 == 0) {
            // Up the left side, across, down the right side; a dash may lie on two of them.
            const double up = std::min(next, height), across = std::min(next, height + width);
            if (at < up) painter.fillRect(QRectF(box.left(), box.bottom() - up, 1, up - at), colour);
            const double from = std::max(at, height);
            if (from < across)
                painter.fillRect(QRectF(box.left() + from - height, box.top(), across - from, 1), colour);
            const double down = std::max(at, height + width);
            if (down < next)
                painter.fillRect(QRectF(box.right() - 1, box.top() + down - height - width, 1, next - down), colour);
        }
        at = next;
    }
}

void draw_polyline(QPainter& painter, const std::vector<QPointF>& all, const QRectF& clip, const QPen& pen) {
    const std::vector<QPointF> points = thinned(all);
    QPainterPath path;
    bool drawing = false;
    for (std::size_t i = 1; i < points.size(); ++i) {
        QPointF a = points[i - 1], b = points[i];
        const bool finite =
            std::isfinite(a.x()) && std::isfinite(a.y()) && std::isfinite(b.x()) && std::isfinite(b.y());
        if (!finite || !cut(a, b, clip)) {
            drawing = false;
            continue;
        }
        if (!drawing || path.currentPosition() != a) path.moveTo(a);
        path.lineTo(b);
        drawing = true;
    }
    if (path.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.strokePath(path, pen);
    painter.restore();
}

void draw_label(QPainter& painter, const QRectF& box, int alignment, const QFont& font, const QColor& colour,
                const QString& text) {
    draw_line(painter, box, alignment, font, colour, text);
}

}  // namespace scalescope::ui
