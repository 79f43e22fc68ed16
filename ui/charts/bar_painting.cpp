// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/bar_chart.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

/// How bar charts look: whole device pixels, no outline and no antialiasing on bars, which is also what makes a
/// thousand layers cheap.
namespace scalescope::ui {
namespace {

constexpr int many_bars = 60;  // from here on bars are wider, unlabelled, and pins are only caps
constexpr PxF widest_bar{40.0}, pin_overhang{3.0}, value_line{18.0};

}  // namespace

BarChart::Widths BarChart::widths(double scale) const {
    const double slot = (x_map_.to_px - x_map_.from_px) / x_map_.range.size();
    const bool many = bars_.size() >= static_cast<std::size_t>(many_bars);
    const auto whole = [scale](double px) { return std::max(1.0, std::floor(px * scale)) / scale; };
    // A fixed width and a gap of at least one pixel: bars of equal time look equal wherever they fall on the grid.
    const double share = many ? std::min<double>(slot * 0.8, std::max(slot - 1.0, 1.0 / scale))
                              : std::min<double>(slot * 0.66, widest_bar);
    if (!parts_.hidden) return {slot, whole(share), 0.0};
    const double group = many ? share : std::min(slot * 0.78, widest_bar + 12.0);
    if (group < 9.0) {
        const double strip = group < 3.0 ? 0.0 : whole(group / 3.0);
        return {slot, whole(group - strip), strip};
    }
    const double strip = whole(std::max(4.0, group * 0.26));
    return {slot, whole(group - strip - 2.0), strip};
}

double BarChart::bar_left(int index, double scale) const {
    const Widths w = widths(scale);
    const double gap = w.strip >= 4.0 ? 2.0 : 0.0;
    return snapped(x_map_.px(index + 0.5) - (w.bar + gap + w.strip) / 2, scale);
}

QRectF BarChart::bar_box(int index) const {
    const double scale = plot()->bufferDevicePixelRatio();
    const double top = snapped(y_map_.px(visible_total(index).value * per_second(time_unit_)), scale);
    return {bar_left(index, scale), top, widths(scale).bar, y_map_.from_px - top};
}

QRectF BarChart::hidden_box(int index) const {
    const TimeParts& time = bars_[at(index)].time;
    if (!hidden_shown() || !(time.hidden.value > 0.0)) return {};
    const double scale = plot()->bufferDevicePixelRatio(), k = per_second(time_unit_);
    const Widths w = widths(scale);
    if (w.strip <= 0.0) return {};
    // It ends where the backward pass ends, which hides it; what is longer than both passes stands on the base line.
    double passes = 0.0;
    for (const Part part : {Part::forward, Part::backward})
        if (part_shown(part)) passes += time[part].value;
    const double upper = std::max(passes, time.hidden.value), lower = upper - time.hidden.value;
    const double top = snapped(y_map_.px(upper * k), scale), bottom = snapped(y_map_.px(lower * k), scale);
    const double left = bar_left(index, scale) + w.bar + (w.strip >= 4.0 ? 2.0 : 0.0);
    return {left, top, w.strip, std::max(bottom - top, 1.0 / scale)};
}

std::pair<int, int> BarChart::visible() const {
    const int n = static_cast<int>(bars_.size());
    return {std::clamp(static_cast<int>(std::floor(x_map_.range.lower)), 0, n),
            std::clamp(static_cast<int>(std::ceil(x_map_.range.upper)), 0, n)};
}

void BarChart::paint_bands(QPainter& painter) {
    if (bars_.empty()) return;
    const auto [first, last] = visible();
    const QRectF rect(plot_rect());
    const bool flat = labels_.mode() == CategoryLabels::Mode::flat;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const auto band = [&](int index, const QColor& colour, int from, int to) {
        if (index < from || index >= to) return;
        const double slot = x_map_.px(index + 1) - x_map_.px(index);
        const double inset = slot * 0.05, least = std::max(slot - 2 * inset, 3.0);
        const double middle = x_map_.px(index + 0.5);
        QRectF box(middle - least / 2, rect.top() - 5, least, rect.height() + 5 + (flat ? labels_.room() + 1 : 0));
        box.setLeft(std::max(box.left(), rect.left()));
        box.setRight(std::min(box.right(), rect.right()));
        painter.setBrush(colour);
        painter.drawRoundedRect(box, std::min(4.0, least / 3), std::min(4.0, least / 3));
    };
    if (hovered_item() != marked_ && !exporting()) band(hovered_item(), look().hover, first, last);
    band(marked_, look().selection, first, last);
}

void BarChart::paint_bars(QPainter& painter) {
    if (bars_.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double scale = paints_vectors(painter) ? 4.0 : paint_scale(painter);
    const Widths w = widths(scale);
    const double raster = paints_vectors(painter) ? 1.0 : scale;
    if (w.slot * raster < 2.0) {
        paint_columns(painter, raster);
        return;
    }
    const QRectF rect(plot_rect());
    const auto [first, last] = visible();
    for (int i = first; i < last; ++i) {
        const double left = bar_left(i, scale);
        const QRectF column = QRectF(left, rect.top(), w.bar, rect.height()).intersected(rect);
        if (column.width() > 0.0) paint_stack(painter, i, column, scale, w.bar >= 3.0);
        if (const QRectF strip = hidden_box(i).intersected(rect); !strip.isEmpty())
            draw_hatched(painter, strip, look().communication);
        if (!bars_[at(i)].fits && misfits_shown_ && bars_[at(i)].reason.isEmpty())
            draw_misfit_bar(painter, bar_box(i).intersected(rect), look());
        if (!pins_.empty()) paint_pins(painter, i, QRectF(left, 0, w.bar + (w.strip >= 4.0 ? 2.0 : 0.0) + w.strip, 0));
    }
    paint_values(painter);
}

void BarChart::paint_columns(QPainter& painter, double scale) {
    // Less than two pixels a bar: each pixel column shows the longest of the bars under it, so no peak is lost.
    const QRectF rect(plot_rect());
    const int columns = static_cast<int>(std::floor(rect.width() * scale));
    const int n = static_cast<int>(bars_.size());
    for (int c = 0; c < columns; ++c) {
        const double left = rect.left() + c / scale;
        const int from = std::clamp(static_cast<int>(std::floor(x_map_.value(left))), 0, n - 1);
        const int to = std::clamp(static_cast<int>(std::ceil(x_map_.value(left + 1 / scale))), from + 1, n);
        int longest = from;
        for (int i = from + 1; i < to; ++i)
            if (visible_total(i) > visible_total(longest)) longest = i;
        paint_stack(painter, longest, QRectF(left, rect.top(), 1 / scale, rect.height()), scale, false);
    }
}

void BarChart::paint_stack(QPainter& painter, int index, QRectF column, double scale, bool gaps) {
    const Bar& bar = bars_[at(index)];
    if (!bar.reason.isEmpty() || (!bar.fits && !misfits_shown_)) return;
    const Theme& t = look();
    const double k = per_second(time_unit_), base = y_map_.from_px, ceiling = y_map_.to_px;
    double sum = 0.0, below = base;
    Part largest = Part::forward;
    for (const Part part : all_parts) {
        const double value = bar.time[part].value;
        if (!(value > 0.0) || !part_shown(part)) continue;
        if (value > bar.time[largest].value || !part_shown(largest)) largest = part;
        sum += value;
        const double above = std::max(snapped(y_map_.px(sum * k), scale), ceiling);
        double height = below - above;
        if (height <= 0.0) continue;
        // One pixel of the card between the parts, as long as something of the part is left.
        if (gaps && height >= 3.0) height -= 1.0;
        const QRectF box(column.left(), above, column.width(), height);
        if (part == Part::idle && column.width() >= 4.0)
            draw_hollow(painter, box, part_colour(t, part), t.card);
        else
            fill_data(painter, box, part_colour(t, part), t);
        below = above;
    }
    // Whatever takes time is seen, be it a hair's breadth.
    if (below == base && sum > 0.0)
        painter.fillRect(QRectF(column.left(), base - 1 / scale, column.width(), 1 / scale), part_colour(t, largest));
}

void BarChart::paint_pins(QPainter& painter, int index, const QRectF& bar) {
    const QRectF rect(plot_rect());
    for (std::size_t p = 0; p < pins_.size(); ++p) {
        const auto total = pins_[p].total(at(index));
        const bool misfit = pins_[p].misfit(at(index));
        if (!total || !pin_shown(p) || (misfit && !misfits_shown_)) continue;
        const double value = total->value * per_second(time_unit_);
        const double top = std::round(y_map_.px(value)), base = y_map_.from_px;
        if (!(value > 0.0) || top < rect.top() - 0.5 || base - top < 4.0) continue;
        const double overhang =
            bars_.size() >= static_cast<std::size_t>(many_bars) ? 0.0 : pin_overhang + 2.0 * static_cast<double>(p);
        const double left = std::max(bar.left() - overhang, rect.left()),
                     right = std::min(bar.right() + overhang, rect.right());
        if (right <= left) continue;
        if (bars_.size() >= static_cast<std::size_t>(many_bars)) {
            painter.fillRect(QRectF(left, top, right - left, 1.0), misfit ? look().error : look().pin);
            continue;
        }
        // By hand: a dashed path costs ten times as much, and these are most of what a chart with pins draws.
        static const std::vector<std::vector<double>> dashes{{4, 3}, {2, 2}, {8, 3}, {8, 3, 2, 3}};
        draw_dashed_bracket(painter, QRectF(left - 1.0, top, right - left + 2.0, base - top),
                            misfit ? look().error : look().pin, dashes[p % dashes.size()]);
        if (misfit) draw_misfit_point(painter, QPointF((left + right) / 2.0, top), look());
    }
}

void BarChart::paint_values(QPainter& painter) {
    const auto [first, last] = visible();
    const double k = per_second(time_unit_), slot = x_map_.px(1) - x_map_.px(0);
    const bool all = values_over_all_ && bars_.size() < static_cast<std::size_t>(many_bars) && slot >= 28.0;
    QFont strong = type::caption();
    strong.setWeight(values_over_all_ ? QFont::Medium : QFont::DemiBold);
    const QFontMetricsF metrics(strong);
    double longest = 0.0;
    for (int i = first; i < last; ++i) longest = std::max(longest, visible_total(i).value);
    const QRectF tag = cannot_run_tag();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = first; i < last; ++i) {
        const Bar& bar = bars_[at(i)];
        const bool missing = !bar.reason.isEmpty();
        if (!all && i != marked_ && !missing) continue;
        const double total = visible_total(i).value;
        const QString text = told(missing ? std::string(no_value) : format_number(total * k));
        const double middle = x_map_.px(i + 0.5);
        if (middle < x_map_.from_px || middle > x_map_.to_px) continue;
        if (metrics.horizontalAdvance(text) > slot + 4.0 && i != marked_) continue;
        const double top = y_map_.px(missing ? 0.0 : total * k);
        double floor = top;
        if (i < static_cast<int>(bars_.size()) && !missing) {
            for (std::size_t p = 0; p < pins_.size(); ++p) {
                const auto pinned = pins_[p].total(at(i));
                if (!pinned || !pin_shown(p)) continue;
                const double outline = y_map_.px(pinned->value * k);
                // Inside the outline if it leaves room for a line, else over it.
                if (outline < floor + 1.0 && floor - outline < value_line) floor = std::min(floor, outline - 1.0);
            }
        }
        // Among many narrow bars the value would lie over its neighbours: it goes to the top of the band instead.
        if (values_over_all_ && !all) floor = plot_rect().top() + value_line - 6.0;
        if (floor < plot_rect().top() - 8.0) continue;
        const bool small = total < longest * 0.1 && values_over_all_;
        // Not over the axis beside the first bar.
        const double half = std::max(10.0, metrics.horizontalAdvance(text) / 2.0);
        const double place = std::max(middle, std::min(plot_rect().left() + half, middle + half));
        const QRectF line(place - 60, floor - value_line, 120, value_line - 2);
        if (QRectF(place - half, line.top(), 2 * half, line.height()).intersects(tag)) continue;
        if (!pins_.empty()) {  // their outlines would strike it through
            QColor ground = look().card;
            ground.setAlphaF(0.8F);
            painter.fillRect(QRectF(place - half - 1, line.top() + 1, 2 * half + 2, line.height() - 2), ground);
        }
        draw_label(painter, line, Qt::AlignCenter, small || missing ? type::caption() : strong,
                   small || missing ? look().secondary : look().text, text);
    }
}

void BarChart::paint_caption(QPainter& painter) {
    if (caption_.isEmpty()) return;
    const QRectF rect(plot_rect());
    draw_label(painter, QRectF(rect.left(), rect.bottom() + labels_.room() + 1, rect.width(), 14), Qt::AlignCenter,
               type::caption(), look().secondary, caption_);
}

}  // namespace scalescope::ui
