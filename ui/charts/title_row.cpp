// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/title_row.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <iterator>

#include "ui/charts/marks.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF box_side{10.0}, line_length{18.0}, mark_gap{6.0}, entry_gap{14.0}, unit_gap{8.0}, legend_gap{16.0};
constexpr PxF tight_gap{11.0}, tight_legend_gap{9.0}, tight_margin{10.0};  // rather than a row more
constexpr Px title_line{20}, row_overlap{5};                               // the title row has room to spare below

double mark_width(const LegendEntry& entry) { return entry.mark == LegendEntry::Mark::line ? line_length : box_side; }

void paint_mark(QPainter& painter, const LegendEntry& entry, QPointF left_middle, const Theme& theme) {
    const QColor colour = entry.hidden ? theme.disabled : entry.colour;
    const double y = left_middle.y();
    const QRectF box(left_middle.x(), y - box_side / 2, box_side, box_side);
    painter.save();
    switch (entry.mark) {
        case LegendEntry::Mark::box:
            if (theme.high_contrast && !entry.hidden) {
                fill_data(painter, box, colour, theme);
                break;
            }
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(entry.hidden ? QPen(colour, 1) : QPen(Qt::NoPen));
            painter.setBrush(entry.hidden ? QBrush(Qt::NoBrush) : QBrush(colour));
            painter.drawRoundedRect(entry.hidden ? box.adjusted(.5, .5, -.5, -.5) : box, 2, 2);
            break;
        case LegendEntry::Mark::hatch: draw_hatched(painter, box, colour); break;
        case LegendEntry::Mark::cross: draw_cross(painter, box.center(), colour); break;
        case LegendEntry::Mark::hollow: draw_hollow(painter, box, colour, theme.card); break;
        case LegendEntry::Mark::line: {
            QPen pen = entry.pen;
            pen.setColor(colour);
            draw_polyline(painter, {left_middle, left_middle + QPointF(line_length, 0)},
                          QRectF(box.left(), y - 9, line_length, 18), pen);
            if (entry.marker) draw_marker(painter, left_middle + QPointF(line_length / 2, 0), *entry.marker, colour);
            break;
        }
        case LegendEntry::Mark::dot:
            draw_marker(painter, box.center(), entry.marker.value_or(Marker::disc), entry.empty ? theme.card : colour,
                        entry.empty || entry.hidden ? QPen(colour, 1.5) : QPen(Qt::NoPen));
            break;
    }
    painter.restore();
}

}  // namespace

int TitleRow::buttons_width() { return Px{large_controls() ? 2 * touch_size + 4 : 48}; }

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
    const double reserved = with_buttons ? buttons_width() : 0.0;
    const auto try_row = [&](const QString& text, bool buttons, bool short_names, bool tight) {
        buttons_fit_ = buttons && with_buttons;
        const double from = use_unit(text) + (tight ? tight_legend_gap : legend_gap);
        return place(entries_, from, (tight ? width - tight_margin : right) - (buttons ? reserved : 0.0), short_names,
                     tight ? tight_gap : entry_gap);
    };
    total_height_ = height;
    if (try_row(unit, true, false, false) || try_row(unit, true, true, false) || try_row(unit, false, true, false))
        return;
    if (try_row(short_unit, true, true, false) || try_row(short_unit, false, true, false)) return;
    if (try_row(short_unit, false, true, true)) return;
    // Without what is optional, if all of it would need another row.
    const std::vector<LegendEntry> all = entries_;
    std::vector<LegendEntry> fewer;
    std::copy_if(all.begin(), all.end(), std::back_inserter(fewer), [](const LegendEntry& e) { return !e.optional; });
    int without = total_height_;
    if (fewer.size() < all.size()) {
        arrange(title, unit, short_unit, fewer, width, with_buttons);
        without = total_height_;
        if (without == height) return;
        entries_ = all;
    }
    // Below the title, names and all: a mark that nobody can name tells nothing.
    buttons_fit_ = with_buttons && use_unit(unit) <= right - reserved;
    if (!buttons_fit_) buttons_fit_ = with_buttons && use_unit(short_unit) <= right - reserved;
    if (unit_box_.right() > right) use_unit({});
    const double title_end = unit_box_.isEmpty() ? title_box_.right() : unit_box_.right();
    int rows = place_below(left, right, entries_.size());
    // Rather than a third row, the last entries (what is compared with) stand beside the title.
    for (std::size_t beside = 1; rows > 1 && beside < entries_.size(); ++beside) {
        const std::vector<LegendEntry> last(entries_.end() - static_cast<std::ptrdiff_t>(beside), entries_.end());
        if (!place(last, title_end + legend_gap, right - (buttons_fit_ ? reserved : 0.0), true, tight_gap)) break;
        const std::vector<Placed> above = placed_;
        if (place_below(left, right, entries_.size() - beside) > 1) continue;
        placed_.insert(placed_.end(), above.begin(), above.end());
        rows = 1;
    }
    if (rows > 1) rows = place_below(left, right, entries_.size());
    total_height_ = height - row_overlap + title_line * rows;
    if (fewer.size() < all.size() && total_height_ > without)
        arrange(title, unit, short_unit, std::move(fewer), width, with_buttons);
}

QString TitleRow::name_of(const LegendEntry& entry, bool short_name) {
    return short_name && !entry.short_name.isEmpty() ? entry.short_name : entry.name;
}

/// Rows of the first `count` entries under the title; returns how many rows.
int TitleRow::place_below(double left, double right, std::size_t count) {
    const QFont font = type::table();
    placed_.clear();
    double x = left;
    int row = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const LegendEntry& entry = entries_[i];
        const double mark = mark_width(entry) + mark_gap;
        const QString text =
            QFontMetricsF(font).elidedText(name_of(entry, true), Qt::ElideRight, std::max(right - left - mark, 24.0));
        const double wide = mark + text_width(font, text);
        if (x > left && x + wide > right + 0.5) x = left, ++row;
        placed_.push_back({entry, text, QRectF(x, height - row_overlap + row * title_line, wide, title_line)});
        x += wide + entry_gap;
    }
    return count == 0 ? 0 : row + 1;
}

bool TitleRow::place(const std::vector<LegendEntry>& entries, double left, double right, bool short_names, double gap) {
    const QFont font = type::table();
    placed_.clear();
    double total = 0.0;
    for (const LegendEntry& entry : entries) {
        QString text = name_of(entry, short_names);
        const double width = mark_width(entry) + mark_gap + text_width(font, text);
        total += width + (placed_.empty() ? 0.0 : gap);
        placed_.push_back({entry, std::move(text), QRectF(0, row_overlap, width, height - 2 * row_overlap)});
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
        paint_mark(painter, p.entry, QPointF(p.box.left(), p.box.center().y()), theme);
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
        if (p.box.adjusted(-entry_gap / 2, 0, entry_gap / 2, 0).contains(at)) return &p.entry;
    return nullptr;
}

QRectF TitleRow::entry_box(const QString& key) const {
    for (const Placed& p : placed_)
        if (p.entry.key == key) return p.box;
    return {};
}

}  // namespace scalescope::ui
