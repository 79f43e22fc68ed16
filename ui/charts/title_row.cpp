// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/title_row.hpp"

#include <QFontMetricsF>
#include <QPainter>

#include "ui/charts/marks.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

const QString ideal_entry = QStringLiteral("ideal");

}  // namespace
namespace {

constexpr double box_side = 10.0, line_length = 18.0, mark_gap = 6.0, entry_gap = 14.0, unit_gap = 8.0,
                 legend_gap = 16.0;
constexpr double tight_gap = 11.0, tight_legend_gap = 9.0, tight_margin = 10.0;  // rather than losing the names

double mark_width(const LegendEntry& entry) { return entry.mark == LegendEntry::Mark::line ? line_length : box_side; }

void paint_mark(QPainter& painter, const LegendEntry& entry, QPointF left_middle, const Theme& theme) {
    const QColor colour = entry.hidden ? theme.disabled : entry.colour;
    const double y = left_middle.y();
    const QRectF box(left_middle.x(), y - box_side / 2, box_side, box_side);
    painter.save();
    switch (entry.mark) {
        case LegendEntry::Mark::box:
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(entry.hidden ? QPen(colour, 1) : QPen(Qt::NoPen));
            painter.setBrush(entry.hidden ? QBrush(Qt::NoBrush) : QBrush(colour));
            painter.drawRoundedRect(entry.hidden ? box.adjusted(.5, .5, -.5, -.5) : box, 2, 2);
            break;
        case LegendEntry::Mark::hatch: draw_hatched(painter, box, colour); break;
        case LegendEntry::Mark::hollow: draw_hollow(painter, box, colour, theme.card); break;
        case LegendEntry::Mark::line: {
            QPen pen = entry.pen;
            pen.setColor(colour);
            draw_polyline(painter, {left_middle, left_middle + QPointF(line_length, 0)},
                          QRectF(box.left(), y - 9, line_length, 18), pen);
            if (entry.marker) draw_marker(painter, left_middle + QPointF(line_length / 2, 0), *entry.marker, colour);
            break;
        }
    }
    painter.restore();
}

}  // namespace

void TitleRow::arrange(const QString& title, const QString& unit, const QString& short_unit,
                       std::vector<LegendEntry> entries, double width, bool with_buttons) {
    title_ = title;
    entries_ = std::move(entries);
    const double left = margin, right = width - margin;
    const double title_width = text_width(type::title(), title_);
    title_box_ = QRectF(left, 0, std::min(title_width + 1.0, std::max(right - left, 0.0)), height);
    const auto use_unit = [&](const QString& text) {
        unit_ = text;
        const double unit_width = text.isEmpty() ? 0.0 : text_width(type::table(), text) + 1.0;
        unit_box_ = QRectF(title_box_.right() + unit_gap, 0, unit_width, height);
        return text.isEmpty() ? title_box_.right() : unit_box_.right();
    };
    const double reserved = with_buttons ? buttons_width : 0.0;
    const auto try_form = [&](const QString& text, bool buttons, int form, bool tight) {
        buttons_fit_ = buttons && with_buttons;
        const double from = use_unit(text) + (tight ? tight_legend_gap : legend_gap);
        return place(from, (tight ? width - tight_margin : right) - (buttons ? reserved : 0.0), form,
                     tight ? tight_gap : entry_gap);
    };
    if (try_form(unit, true, 0, false) || try_form(unit, true, 1, false) || try_form(unit, false, 1, false)) return;
    if (try_form(short_unit, true, 1, false) || try_form(short_unit, false, 1, false)) return;
    if (try_form(short_unit, false, 1, true) || try_form(short_unit, false, 3, true)) return;
    if (try_form(short_unit, true, 2, false)) return;
    if (try_form(short_unit, false, 2, true)) return;
    // Too narrow even for swatches: the unit gives way first, then the swatches that do not fit.
    while (!try_form({}, false, 2, true) && !entries_.empty()) entries_.pop_back();
}

// Forms of the legend: 0 names, 1 short names, 2 marks alone, 3 short names for all but the ideal line, which its dots
// and the tooltip name.
bool TitleRow::place(double left, double right, int form, double gap) {
    const QFont font = type::table();
    placed_.clear();
    double total = 0.0;
    for (const LegendEntry& entry : entries_) {
        QString text = form == 2 || (form == 3 && entry.key == ideal_entry) ? QString()
                       : form != 0 && !entry.short_name.isEmpty()           ? entry.short_name
                                                                            : entry.name;
        const double width = mark_width(entry) + (text.isEmpty() ? 0.0 : mark_gap + text_width(font, text));
        total += width + (placed_.empty() ? 0.0 : gap);
        placed_.push_back({entry, std::move(text), QRectF(0, 0, width, height)});
    }
    if (total > right - left + 0.5) return false;
    double x = right - total;
    for (Placed& p : placed_) {
        p.box.moveLeft(x);
        x += p.box.width() + gap;
    }
    return true;
}

void TitleRow::paint(QPainter& painter, const Theme& theme, const QString& hovered_key) const {
    const QFont strong = type::title();
    const bool fits = text_width(strong, title_) <= title_box_.width();
    draw_label(painter, title_box_, Qt::AlignLeft | Qt::AlignVCenter, strong, theme.text,
               fits ? title_ : QFontMetricsF(strong).elidedText(title_, Qt::ElideRight, title_box_.width()));
    if (!unit_.isEmpty() && !unit_box_.isEmpty())
        draw_label(painter, unit_box_, Qt::AlignLeft | Qt::AlignVCenter, type::table(), theme.secondary, unit_);
    for (const Placed& p : placed_) {
        paint_mark(painter, p.entry, QPointF(p.box.left(), height / 2.0), theme);
        QFont font = type::table();
        font.setStrikeOut(p.entry.hidden);
        const QColor colour = p.entry.hidden               ? theme.disabled
                              : p.entry.key == hovered_key ? theme.text
                                                           : theme.secondary;
        draw_label(painter, p.box.adjusted(mark_width(p.entry) + mark_gap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   font, colour, p.text);
    }
}

const LegendEntry* TitleRow::entry_at(QPointF at) const {
    for (const Placed& p : placed_)
        if (p.box.adjusted(-entry_gap / 2, 4, entry_gap / 2, -4).contains(at)) return &p.entry;
    return nullptr;
}

QRectF TitleRow::entry_box(const QString& key) const {
    for (const Placed& p : placed_)
        if (p.entry.key == key) return p.box;
    return {};
}

}  // namespace scalescope::ui
