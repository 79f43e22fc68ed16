// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/input_list.hpp"

#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px input_height{24}, chevron_room{16}, value_gap{8}, input_margin{9};

}  // namespace

InputRow::InputRow(QWidget* parent) : QAbstractButton(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);  // "fixed" would be the height of one line
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAttribute(Qt::WA_Hover);
}

void InputRow::set_line(const InputLine& line) {
    if (line == line_) return;
    line_ = line;
    symbol_.set(line.symbol_html, type::table_strong());
    const bool link = !line.field.isEmpty();
    setFocusPolicy(link ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(line.note);
    setAccessibleName(QStringLiteral("%1, %2: %3").arg(symbol_.plain(), line.text, line.value));
    setAccessibleDescription(line.note);
    updateGeometry();
    update();
}

void InputRow::set_symbol_width(int width) {
    if (width == symbol_room()) return;
    symbol_width_ = {width / type_scale()};
    updateGeometry();
    update();
}

int InputRow::wanted_symbol_width() const { return static_cast<int>(std::ceil(symbol_.size().width())); }
QSize InputRow::sizeHint() const { return {220, input_height}; }

/// Beside its value, or above it where a word would not fit.
InputRow::Layout InputRow::layout(int width) const {
    const QFontMetrics metrics(type::table());
    const int room = std::max(1, width - symbol_room() - chevron_room);
    const int beside = room - metrics.horizontalAdvance(line_.value) - value_gap;
    int longest = 0;
    for (const QString& word : line_.text.split(QLatin1Char(' ')))
        longest = std::max(longest, metrics.horizontalAdvance(word));
    const bool above = longest > beside;
    const QRect text(0, 0, above ? room : beside, 1000);
    return {text.width(), metrics.boundingRect(text, Qt::TextWordWrap, line_.text).height(),
            above ? metrics.height() : 0};
}

/// A text too long for the room beside the value takes more lines: a sentence cut short explains nothing.
int InputRow::heightForWidth(int width) const {
    const Layout of = layout(width);
    return std::max<int>(input_height, of.text_height + of.value_below + input_margin);
}

void InputRow::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    const bool link = !line_.field.isEmpty();
    if (link && (underMouse() || isDown()))
        painter.fillRect(rect().adjusted(0, 0, 0, -1), isDown() ? t.pressed : t.hover);
    const QRectF inner = QRectF(rect()).adjusted(0, 0, 0, -1);
    symbol_.draw(painter, QRectF(0, 0, symbol_width_, inner.height()), Qt::AlignLeft | Qt::AlignVCenter, t.text);
    const Layout of = layout(width());
    const QRectF room = inner.adjusted(symbol_room(), 0, -chevron_room, 0);
    const double margin = of.value_below > 0 ? input_margin / 2.0 : 0.0;
    const QRectF value =
        of.value_below > 0 ? QRectF(room.left(), room.bottom() - margin - of.value_below, room.width(), of.value_below)
                           : room;
    draw_text(painter, value, Qt::AlignRight | Qt::AlignVCenter, line_.value, type::table(), t.text);
    painter.setFont(type::table());
    painter.setPen(t.secondary);
    painter.drawText(QRectF(room.left(), room.top(), of.text_width, room.height() - of.value_below - margin),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, line_.text);
    if (link)
        draw_icon(painter, "right", QRectF(width() - 13, inner.center().y() - 7, 14, 14),
                  underMouse() ? t.text : t.secondary);
    painter.fillRect(QRectF(0, height() - 1, width(), 1), t.card_border);
    if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange)) draw_box(painter, inner, {}, t.accent, 4, 2);
}

InputList::InputList(QWidget* parent) : QWidget(parent) {
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 1, 0, 0);
    column_->setSpacing(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    setAccessibleName(tr("Inputs of the formula"));
}

void InputList::set_lines(const std::vector<InputLine>& lines) {
    while (rows_.size() > lines.size()) {
        rows_.back()->deleteLater();
        column_->removeWidget(rows_.back());
        rows_.pop_back();
    }
    while (rows_.size() < lines.size()) {
        auto* row = new InputRow;
        connect(row, &QAbstractButton::clicked, this, [this, row] {
            if (!row->line().field.isEmpty()) emit field_clicked(row->line().field);
        });
        column_->addWidget(row);
        rows_.push_back(row);
    }
    int symbols = Px{20};
    for (std::size_t i = 0; i < lines.size(); ++i) {
        rows_[i]->set_line(lines[i]);
        symbols = std::max(symbols, rows_[i]->wanted_symbol_width());
    }
    for (InputRow* row : rows_) row->set_symbol_width(symbols + Px{20});
    setVisible(!lines.empty());
}

void InputList::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(QRectF(0, 0, width(), 1), theme().card_border);
}

}  // namespace scalescope::ui
