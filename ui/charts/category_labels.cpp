// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/category_labels.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF label_height{18.0}, base_gap{3.0};  // a line of 11 px text, its distance from the base line
constexpr PxF flat_gap{3.0}, flat_least{56.0},
    flat_least_in_blocks{40.0};  // slots at least this wide shorten names rather than slant them
constexpr PxF slanted_least{15.0}, slanted_longest{66.0};
constexpr PxF sparse_widest{84.0}, block_widest{96.0}, between{8.0};
constexpr int slanted_least_height = 230, least_height_for_two = 170;

}  // namespace

void CategoryLabels::set(std::vector<QString> names, std::vector<QString> blocks) {
    if (names == names_ && blocks == blocks_) return;
    names_ = std::move(names);
    blocks_ = std::move(blocks);
    has_blocks_ = std::any_of(blocks_.begin(), blocks_.end(), [](const QString& b) { return !b.isEmpty(); });
    widths_.assign(names_.size(), -1.0);
    block_widths_.clear();
    widest_ = -1.0;
    elided_for_ = -1.0;
}

double CategoryLabels::width_of(int index) {
    double& width = widths_[at(index)];
    if (width < 0.0) width = QFontMetricsF(type::caption()).horizontalAdvance(names_[at(index)]);
    return width;
}

QString CategoryLabels::fitted(int index, double width) const {
    const QString& name = names_[at(index)];
    const QFontMetricsF metrics(type::caption());
    if (text_width(type::caption(), name) <= width) return name;
    const QString last = name.mid(name.lastIndexOf(QLatin1Char('/')) + 1);
    return metrics.elidedText(last.isEmpty() ? name : last, Qt::ElideMiddle, width);
}

const QString& CategoryLabels::elided(int index, double width) {
    if (width != elided_for_) {
        elided_.assign(names_.size(), QString());
        elided_for_ = width;
    }
    QString& text = elided_[at(index)];
    if (text.isNull()) text = fitted(index, width);
    return text;
}

void CategoryLabels::fit(double slot_px, int chart_height) {
    slot_ = slot_px;
    choose_mode(chart_height);
    level_below_ = has_blocks_ && mode_ != Mode::blocks && chart_height >= least_height_for_two;
}

void CategoryLabels::choose_mode(int chart_height) {
    if (std::exchange(scale_, type_scale()) != type_scale()) {  // type is larger: no width is known
        std::fill(widths_.begin(), widths_.end(), -1.0);
        block_widths_.clear();
        widest_ = elided_for_ = -1.0;
    }
    if (slot_ >= (has_blocks_ ? flat_least_in_blocks : flat_least)) {
        mode_ = Mode::flat;
        return;
    }
    if (slot_ >= slanted_least) {
        if (widest_ < 0.0)
            for (int i = 0; i < static_cast<int>(names_.size()); ++i) widest_ = std::max(widest_, width_of(i));
        if (widest_ <= slot_ - (may_slant_ ? flat_gap : 1.0)) {
            mode_ = Mode::flat;
            return;
        }
        if (may_slant_ && chart_height >= slanted_least_height) {
            mode_ = Mode::slanted;
            return;
        }
    }
    mode_ = has_blocks_ ? Mode::blocks : Mode::sparse;
}

int CategoryLabels::room() const { return room_of_names() + (level_below_ ? most_level_room : 0); }

int CategoryLabels::room_of_names() const {
    switch (mode_) {
        case Mode::flat:
        case Mode::sparse: return static_cast<int>(base_gap + label_height);
        case Mode::blocks: return most_level_room;
        case Mode::slanted:
            return static_cast<int>(std::min<double>(std::max(widest_, 20.0), slanted_longest) * 0.7071 + 16.0);
    }
    return 0;
}

void CategoryLabels::paint(QPainter& painter, const Theme& theme, const Frame& frame) {
    painter.setRenderHint(QPainter::Antialiasing);
    place_marked(frame);
    switch (mode_) {
        case Mode::flat: {
            const double top = frame.plot.bottom() + base_gap;
            for (int i = frame.first; i < frame.last; ++i) {
                const double left = frame.px(i), right = frame.px(i + 1), middle = (left + right) / 2;
                if (i == frame.marked || middle < frame.plot.left() || middle > frame.plot.right()) continue;
                draw_label(painter, QRectF(left - 40, top, right - left + 80, label_height), Qt::AlignCenter,
                           type::caption(), theme.secondary, elided(i, right - left - (may_slant_ ? flat_gap : 1.0)));
            }
            break;
        }
        case Mode::slanted: paint_slanted(painter, theme, frame); break;
        case Mode::blocks: paint_blocks(painter, theme, frame, frame.plot.bottom()); break;
        case Mode::sparse: paint_sparse(painter, theme, frame); break;
    }
    if (mode_ != Mode::slanted) paint_marked(painter, theme, frame);
    marked_to_ = marked_from_ = -1e9;  // no name of a layer stands on the level below
    if (level_below_) paint_blocks(painter, theme, frame, frame.plot.bottom() + room_of_names() - base_gap);
}

void CategoryLabels::paint_slanted(QPainter& painter, const Theme& theme, const Frame& frame) {
    for (int i = frame.first; i < frame.last; ++i) {
        const double middle = (frame.px(i) + frame.px(i + 1)) / 2;
        if (middle < frame.plot.left() || middle > frame.plot.right()) continue;
        QFont font = type::caption();
        const bool marked = i == frame.marked;
        if (marked) font.setWeight(QFont::DemiBold);
        // The first names reach left past the plot; they are cut at the card's edge.
        const double longest = std::min<double>(slanted_longest, (middle - 6.0) / 0.7071);
        const QString text = longest >= slanted_longest ? elided(i, slanted_longest) : fitted(i, longest);
        painter.save();
        painter.translate(middle + 3.0, frame.plot.bottom() + base_gap + 4.0);
        painter.rotate(-45.0);
        draw_label(painter, QRectF(-slanted_longest, -PxF{7}, slanted_longest, PxF{14}),
                   Qt::AlignRight | Qt::AlignVCenter, font, marked ? theme.accent : theme.secondary, text);
        painter.restore();
    }
}

void CategoryLabels::paint_blocks(QPainter& painter, const Theme& theme, const Frame& frame, double above) {
    const double bracket = above + 4.0, top = above + base_gap + 3.0;
    const QFontMetricsF metrics(type::caption());
    double free_from = frame.plot.left() - 20.0;
    for (int i = frame.first; i < frame.last;) {
        const QString& block = blocks_[at(i)];
        int end = i + 1;
        while (end < static_cast<int>(names_.size()) && blocks_[at(end)] == block) ++end;
        int begin = i;
        while (begin > 0 && blocks_[at(begin - 1)] == block) --begin;
        i = end;
        if (block.isEmpty()) continue;
        const double left = std::max(frame.px(begin), frame.plot.left()),
                     right = std::min(frame.px(end), frame.plot.right());
        if (right - left < 2.0) continue;
        painter.fillRect(QRectF(left + 0.5, bracket, std::max(right - left - 1.5, 1.0), 1.0), theme.axis);
        auto known = block_widths_.find(block);
        if (known == block_widths_.end()) known = block_widths_.insert(block, metrics.horizontalAdvance(block));
        const double longest = std::max<double>(right - left - 6.0, block_widest);
        const double width = std::min(*known, longest);
        const double from = std::clamp((left + right - width) / 2, 4.0, std::max(frame.plot.right() + 10 - width, 4.0));
        // A name wider than its block may lean over its neighbours, if no name stands there.
        if (from < free_from || hides(from - between, from + width + between)) continue;
        free_from = from + width + between;
        const QString text = *known <= longest ? block : metrics.elidedText(block, Qt::ElideRight, longest);
        draw_label(painter, QRectF(from, top, width, label_height), Qt::AlignLeft | Qt::AlignVCenter, type::caption(),
                   theme.secondary, text);
    }
}

void CategoryLabels::paint_sparse(QPainter& painter, const Theme& theme, const Frame& frame) {
    // Counted from the first layer, not from the first visible one: labels scroll with their bars.
    const double width_of_one = (widest_ >= 0.0 ? std::min<double>(widest_, sparse_widest) : sparse_widest) + between;
    const int step = std::max(1, static_cast<int>(std::ceil(width_of_one / std::max(slot_, 1e-6))));
    const QFont font = type::caption();
    double free_from = 0.0;
    for (int i = (frame.first + step - 1) / step * step; i < frame.last; i += step) {
        const double middle = (frame.px(i) + frame.px(i + 1)) / 2;
        if (middle < frame.plot.left() || middle > frame.plot.right()) continue;
        const QString text = fitted(i, step * slot_ - between);
        const double width = text_width(font, text);
        const double from = std::clamp(middle - width / 2, 8.0, std::max(8.0, frame.plot.right() + 10 - width));
        if (i == frame.marked || from < free_from || hides(from - between / 2, from + width + between / 2)) continue;
        free_from = from + width + between / 2;
        if (step > 1) painter.fillRect(QRectF(std::round(middle), frame.plot.bottom() + 1, 1, 3), theme.axis);
        draw_label(painter, QRectF(from, frame.plot.bottom() + base_gap, width, label_height),
                   Qt::AlignLeft | Qt::AlignVCenter, type::caption(), theme.secondary, text);
    }
}

void CategoryLabels::place_marked(const Frame& frame) {
    marked_text_.clear();
    marked_from_ = marked_to_ = -1e9;
    if (frame.marked < 0) return;
    const double middle = (frame.px(frame.marked) + frame.px(frame.marked + 1)) / 2;
    if (middle < frame.plot.left() || middle > frame.plot.right()) return;
    QFont font = type::caption();
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const double longest = mode_ == Mode::flat ? std::max(slot_, 24.0) : std::min(240.0, frame.plot.width());
    const QString& name = names_[at(frame.marked)];
    marked_text_ = name;
    if (metrics.horizontalAdvance(name) > longest)
        marked_text_ = metrics.elidedText(name.mid(name.lastIndexOf(QLatin1Char('/')) + 1), Qt::ElideMiddle, longest);
    const double width = metrics.horizontalAdvance(marked_text_) + 1.0;
    marked_from_ = std::clamp(middle - width / 2, 4.0, std::max(4.0, frame.plot.right() + 10 - width));
    marked_to_ = marked_from_ + width;
}

void CategoryLabels::paint_marked(QPainter& painter, const Theme& theme, const Frame& frame) {
    if (marked_text_.isEmpty()) return;
    QFont font = type::caption();
    font.setWeight(QFont::DemiBold);
    const double top = frame.plot.bottom() + base_gap + (mode_ == Mode::blocks ? 3.0 : 0.0);
    draw_label(painter, QRectF(marked_from_, top, marked_to_ - marked_from_, label_height), Qt::AlignCenter, font,
               theme.accent, marked_text_);
}

}  // namespace scalescope::ui
