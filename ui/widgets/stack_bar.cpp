// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stack_bar.hpp"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px stack_height{12}, hidden_height{15};
constexpr int part_gap = 1;
constexpr Px parts_row{20}, parts_rule{8}, swatch{10};

struct PlacedPart {
    QRectF bar, hidden;
};

/// Where parts and their hidden shares lie in a width.
std::vector<PlacedPart> place_parts(const std::vector<StackPart>& parts, double total, double width, double height) {
    std::vector<PlacedPart> placed(parts.size());
    if (total <= 0) return placed;
    double before = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double left = std::round(before / total * width);
        before += std::max(0.0, parts[i].value);
        const double right = std::round(before / total * width);
        const bool shown = parts[i].value > 0;
        const double gap = right < width && right - left > part_gap ? part_gap : 0;
        if (shown) placed[i].bar = QRectF(left, 0, std::max(1.0, right - left - gap), height);
        if (parts[i].hidden > 0) {
            const double length = std::min(std::round(parts[i].hidden / total * width), left);
            placed[i].hidden = QRectF(left - part_gap - length, height + 4, length, hidden_height);
        }
    }
    return placed;
}

QString parts_description(const std::vector<StackPart>& parts) {
    QStringList lines;
    for (const StackPart& part : parts) {
        QStringList words{part.name, part.value_text, part.share_text, part.hidden_text};
        words.removeAll(QString());
        lines << words.join(QLatin1Char(' '));
    }
    return lines.join(QStringLiteral("; "));
}

}  // namespace

StackBar::StackBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Parts of the time"));
}

void StackBar::set_parts(const std::vector<StackPart>& parts) {
    if (parts == parts_) return;
    const bool hidden_before = has_hidden();
    parts_ = parts;
    setAccessibleDescription(parts_description(parts_));
    if (hidden_before != has_hidden()) updateGeometry();
    update();
}

double StackBar::total() const {
    double sum = 0;
    for (const StackPart& part : parts_) sum += std::max(0.0, part.value);
    return sum;
}

bool StackBar::has_hidden() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const StackPart& part) { return part.hidden > 0; });
}

QSize StackBar::sizeHint() const { return {240, stack_height + (has_hidden() ? 4 + hidden_height : 0)}; }
QSize StackBar::minimumSizeHint() const { return {60, sizeHint().height()}; }

void StackBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& t = theme();
    const auto placed = place_parts(parts_, total(), width(), stack_height);
    const QFontMetricsF metrics(type::table());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const StackPart& part = parts_[i];
        const QColor color = t.*part.color;
        if (placed[i].bar.isValid()) fill_data(painter, placed[i].bar, color, t);
        const QRectF hidden = placed[i].hidden;
        if (hidden.width() < 1) continue;
        painter.setBrushOrigin(hidden.topLeft());
        painter.fillRect(hidden, hatch_brush(color, devicePixelRatioF()));
        painter.setPen(QPen(color, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(hidden.adjusted(0.5, 0.5, -0.5, -0.5));
        const QRectF label(0, hidden.top(), hidden.left() - 6, hidden.height());
        if (!part.hidden_text.isEmpty() && metrics.horizontalAdvance(part.hidden_text) < label.width())
            draw_text(painter, label, Qt::AlignRight | Qt::AlignVCenter, part.hidden_text, type::caption(),
                      t.secondary);
    }
}

bool StackBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto placed = place_parts(parts_, total(), width(), stack_height);
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            const bool on_hidden = placed[i].hidden.contains(help->pos());
            if (!on_hidden && !placed[i].bar.contains(help->pos())) continue;
            QToolTip::showText(
                help->globalPos(),
                QStringLiteral("%1 %2").arg(parts_[i].name, on_hidden ? parts_[i].hidden_text : parts_[i].value_text),
                this);
            return true;
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

PartsList::PartsList(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); }

void PartsList::set_parts(const std::vector<StackPart>& parts) {
    if (parts == parts_) return;
    const bool resized = parts.size() != parts_.size();
    parts_ = parts;
    describe();
    if (resized) updateGeometry();
    update();
}

void PartsList::set_total(const QString& label_html, const QString& value) {
    const bool resized = label_html.isEmpty() != total_label_.is_empty();
    total_label_.set(label_html, type::table_strong());
    total_value_ = value;
    describe();
    if (resized) updateGeometry();
    update();
}

void PartsList::describe() {
    setAccessibleName(tr("Parts"));
    setAccessibleDescription(
        parts_description(parts_) +
        (total_label_.is_empty() ? QString() : QStringLiteral("; %1 %2").arg(total_label_.plain(), total_value_)));
}

QSize PartsList::sizeHint() const {
    return {220, static_cast<int>(parts_.size()) * parts_row + (total_label_.is_empty() ? 0 : parts_rule + parts_row)};
}
QSize PartsList::minimumSizeHint() const { return {120, sizeHint().height()}; }

void PartsList::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const QFontMetricsF metrics(type::table());
    double value_width = 0, share_width = 0, name_width = 0;
    for (const StackPart& part : parts_) {
        value_width = std::max(value_width, metrics.horizontalAdvance(part.value_text));
        share_width = std::max(share_width, metrics.horizontalAdvance(part.share_text));
        name_width = std::max(name_width, metrics.horizontalAdvance(part.name));
    }
    // Where not all has room, the bar above shows the shares; the names stay.
    const bool shares = swatch + 8 + name_width + 8 + share_width + 12 + value_width <= width();
    QRectF row(0, 0, width(), parts_row);
    for (const StackPart& part : parts_) {
        const QRectF mark(0, row.center().y() - swatch / 2.0, swatch, swatch);
        if (t.high_contrast)
            fill_data(painter, mark, t.*part.color, t);
        else
            draw_box(painter, mark, t.*part.color, {}, 2);
        QRectF text = row.adjusted(swatch + 8, 0, 0, 0);
        draw_text(painter, text, Qt::AlignRight | Qt::AlignVCenter, part.value_text, type::table(), t.text);
        text.setRight(text.right() - value_width - 12);
        if (shares) {
            draw_text(painter, text, Qt::AlignRight | Qt::AlignVCenter, part.share_text, type::table(), t.secondary);
            text.setRight(text.right() - metrics.horizontalAdvance(part.share_text) - 8);
        }
        draw_text(painter, text, Qt::AlignLeft | Qt::AlignVCenter, part.name, type::table(), t.text);
        row.translate(0, parts_row);
    }
    if (total_label_.is_empty()) return;
    painter.fillRect(QRectF(0, row.top() + 3, width(), 1), t.card_border);
    row.translate(0, parts_rule);
    total_label_.draw(painter, row, Qt::AlignLeft | Qt::AlignVCenter, t.text);
    draw_text(painter, row, Qt::AlignRight | Qt::AlignVCenter, total_value_, type::table_strong(), t.text);
}

}  // namespace scalescope::ui
