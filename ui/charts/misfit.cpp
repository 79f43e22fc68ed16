// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/misfit.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/charts/marks.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/text.hpp"

namespace scalescope::ui {
namespace {

constexpr double line_distance = 8.0;
constexpr PxF tag_line{24.0}, tag_padding{10.0};

QFont tag_font() {
    QFont font = type::control();
    font.setWeight(QFont::DemiBold);
    return font;
}

/// As much of `why` as there is room for.
QString tag_text(const QRectF& area, const QString& why) {
    return QFontMetricsF(tag_font()).elidedText(why, Qt::ElideRight, std::max(0.0, area.width() - 2 * tag_padding));
}

QColor with_alpha(QColor colour, float alpha) {
    colour.setAlphaF(alpha);
    return colour;
}

}  // namespace

LegendEntry misfit_entry(const Theme& theme) {
    LegendEntry entry =
        LegendEntry::of(LegendEntry::Mark::hatch, misfit_key, tr("Does not fit"), theme.error, tr("OOM"));
    entry.optional = true;
    return entry;
}

LegendEntry misfit_point_entry(const Theme& theme) {
    LegendEntry entry = misfit_entry(theme);
    entry.mark = LegendEntry::Mark::cross;
    return entry;
}

QString misfit_note() { return tr("Does not fit: the step needs more memory than there is."); }
ChartColumn fits_column() { return {QStringLiteral("fits"), tr("Fits into memory"), {}}; }
ChartCell fits_cell(bool fits) {
    return fits ? ChartCell(QStringLiteral("yes"), tr("yes")) : ChartCell(QStringLiteral("no"), tr("no"));
}

QRectF misfit_tag(const QRectF& area, const QString& why) {
    const double width = QFontMetricsF(tag_font()).horizontalAdvance(tag_text(area, why)) + 2 * tag_padding;
    return {area.center().x() - width / 2, area.top() + std::min(8.0, area.height() / 8), width, tag_line};
}

void draw_misfit(QPainter& painter, const QRectF& area, const QString& why, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(area, with_alpha(theme.card, 0.6F));
    draw_slanted_lines(painter, area, QPen(with_alpha(theme.error, 0.35F), 1.0), line_distance);
    const QRectF tag = misfit_tag(area, why);
    painter.setPen(QPen(theme.error, 1.25));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(tag, 6, 6);
    draw_label(painter, tag, Qt::AlignCenter, tag_font(), theme.error, tag_text(area, why));
    painter.restore();
}

void draw_misfit_bar(QPainter& painter, const QRectF& bar, const Theme& theme) {
    if (bar.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(bar, with_alpha(theme.card, 0.65F));
    draw_slanted_lines(painter, bar, QPen(theme.error, 1.0), 6.0);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.error, 1.0));
    if (bar.width() >= 4.0) painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

void draw_misfit_point(QPainter& painter, QPointF at, const Theme& theme) { draw_cross(painter, at, theme.error); }

QPen misfit_pen(const QPen& pen) { return dashed_pen(with_alpha(pen.color(), 0.55F), 1.5, {2, 3}); }

}  // namespace scalescope::ui
