// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_tooltip.hpp"

#include <QFontMetrics>
#include <QPainter>
#include <QStringList>
#include <algorithm>

#include "ui/charts/marks.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px padding{10}, tip_line{18}, column_gap{24}, mark_side{10}, tip_mark_gap{8}, pointer_gap{12},
    tip_widest{320};

QRect note_box(const QString& note, int width) {
    return QFontMetrics(type::table()).boundingRect(QRect(0, 0, width, 1000), Qt::TextWordWrap, note);
}

}  // namespace

QString TooltipText::plain() const {
    QStringList parts{value.isEmpty() ? title : title + QLatin1Char(' ') + value};
    if (!subtitle.isEmpty()) parts << subtitle;
    for (const Row& row : rows) parts << row.label + QLatin1Char(' ') + row.value;
    if (!note.isEmpty()) parts << note;
    return parts.join(QStringLiteral("; "));
}

ChartTooltip::ChartTooltip(QWidget* chart) : QFrame(chart), chart_(chart) {
    setObjectName(QStringLiteral("chart_tooltip"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

int ChartTooltip::subtitle_height(int width) const {
    if (text_.subtitle.isEmpty()) return 0;
    return std::max<int>(tip_line, note_box(text_.subtitle, width).height());
}

QSize ChartTooltip::fitting_size() const {
    const QFontMetrics strong(type::table_strong()), plain(type::table());
    int width = strong.horizontalAdvance(text_.title);
    if (!text_.value.isEmpty()) width += column_gap + strong.horizontalAdvance(text_.value);
    width = std::max(width, plain.horizontalAdvance(text_.subtitle) + 1);
    for (const TooltipText::Row& row : text_.rows) {
        const int mark = row.mark == TooltipText::Row::Mark::none ? 0 : mark_side + tip_mark_gap;
        width = std::max(width,
                         mark + plain.horizontalAdvance(row.label) + column_gap + plain.horizontalAdvance(row.value));
    }
    if (!text_.note.isEmpty()) width = std::max(width, std::min<int>(plain.horizontalAdvance(text_.note) + 1, Px{240}));
    width = std::min<int>(width, tip_widest);
    int height = tip_line + subtitle_height(width) + static_cast<int>(text_.rows.size()) * tip_line;
    if (!text_.rows.empty()) height += 4;
    if (!text_.note.isEmpty()) height += 4 + note_box(text_.note, width).height();
    return {width + 2 * padding, height + 2 * padding - 4};
}

void ChartTooltip::show_text(const TooltipText& text, QPoint at) {
    QWidget* host = chart_->window();
    if (parentWidget() != host) setParent(host);  // the chart may have been put into another window since
    if (text != text_) {
        text_ = text;
        update();
    }
    const QSize size = fitting_size();
    const QPoint pointer = chart_->mapTo(host, at);
    const QRect area = host->rect().adjusted(4, 4, -4, -4);
    int x = pointer.x() + pointer_gap;
    if (x + size.width() > area.right()) x = pointer.x() - pointer_gap - size.width();
    int y = pointer.y() + pointer_gap;
    if (y + size.height() > area.bottom()) y = pointer.y() - pointer_gap - size.height();
    setGeometry(QRect(QPoint(std::max(x, area.left()), std::max(y, area.top())), size));
    raise();
    show();
}

void ChartTooltip::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.tooltip);
    painter.drawRoundedRect(rect(), 6, 6);

    QRect box(padding, padding - 2, width() - 2 * padding, tip_line);
    const QFontMetrics strong(type::table_strong());
    const int value_width = text_.value.isEmpty() ? 0 : strong.horizontalAdvance(text_.value) + column_gap;
    draw_label(painter, box, Qt::AlignLeft | Qt::AlignVCenter, type::table_strong(), t.tooltip_text,
               strong.elidedText(text_.title, Qt::ElideMiddle, box.width() - value_width));
    draw_label(painter, box, Qt::AlignRight | Qt::AlignVCenter, type::table_strong(), t.tooltip_text, text_.value);
    if (const int high = subtitle_height(box.width()); high > 0) {
        painter.setFont(type::table());
        painter.setPen(t.tooltip_label);
        painter.drawText(QRect(box.left(), box.bottom() + 1, box.width(), high),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, text_.subtitle);
        box.translate(0, high);
    }
    if (!text_.rows.empty()) box.translate(0, 4);
    for (const TooltipText::Row& row : text_.rows) {
        box.translate(0, tip_line);
        QRect label = box;
        if (row.mark != TooltipText::Row::Mark::none) {
            const QRectF mark(box.left(), box.center().y() - mark_side / 2 + 0.0, mark_side, mark_side);
            if (row.mark == TooltipText::Row::Mark::hatch) {
                draw_hatched(painter, mark, row.colour);
            } else if (row.mark == TooltipText::Row::Mark::hollow) {
                draw_hollow(painter, mark, row.colour, t.tooltip);
            } else {
                painter.setPen(Qt::NoPen);
                painter.setBrush(row.colour);
                painter.drawRoundedRect(mark, 2, 2);
            }
            label.setLeft(label.left() + mark_side + tip_mark_gap);
        }
        draw_label(painter, label, Qt::AlignLeft | Qt::AlignVCenter, type::table(), t.tooltip_text, row.label);
        draw_label(painter, box, Qt::AlignRight | Qt::AlignVCenter, type::table(), t.tooltip_text, row.value);
    }
    if (!text_.note.isEmpty()) {
        painter.setFont(type::table());
        painter.setPen(t.tooltip_label);
        painter.drawText(QRect(padding, box.bottom() + 5, width() - 2 * padding, 1000), Qt::TextWordWrap, text_.note);
    }
}

}  // namespace scalescope::ui
