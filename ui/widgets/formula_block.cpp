// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/formula_block.hpp"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF formula_padding{12}, formula_line{21}, formula_symbol_gap{12};

}  // namespace

FormulaBlock::FormulaBlock(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Formula"));
}

void FormulaBlock::set_formula(const QString& symbol_html, const std::vector<Line>& lines) {
    if (symbol_html == symbol_.html() && lines == lines_) return;
    const bool regrown = lines.size() != lines_.size();
    symbol_.set(symbol_html, type::formula());
    lines_ = lines;
    texts_.resize(lines_.size());
    QFont strong = type::formula();
    strong.setWeight(QFont::DemiBold);
    for (std::size_t i = 0; i < lines_.size(); ++i)
        texts_[i].set(lines_[i].html, lines_[i].strong ? strong : type::formula());
    setAccessibleDescription(plain_text());
    if (regrown) updateGeometry();
    update();
}

QString FormulaBlock::plain_text() const {
    QStringList lines;
    for (const RichText& text : texts_) lines << text.plain();
    const QString symbol = symbol_.plain();
    return symbol.isEmpty() ? lines.join(QLatin1Char('\n')) : symbol + QLatin1Char(' ') + lines.join(QLatin1Char('\n'));
}

double FormulaBlock::lines_left() const {
    return symbol_.is_empty()
               ? formula_padding
               : formula_padding + std::max(14.0, std::ceil(symbol_.size().width())) + formula_symbol_gap;
}

int FormulaBlock::heightForWidth(int width) const {
    double height = 2 * formula_padding - 4;
    for (const RichText& text : texts_)
        height += std::max<double>(formula_line, text.height_for(width - lines_left() - formula_padding) + 3);
    return static_cast<int>(std::ceil(height));
}

QSize FormulaBlock::sizeHint() const {
    double width = 0;
    for (const RichText& text : texts_) width = std::max(width, text.size().width());
    const int w = static_cast<int>(std::ceil(lines_left() + width + formula_padding));
    return {w, heightForWidth(w)};
}

QSize FormulaBlock::minimumSizeHint() const { return {120, heightForWidth(std::max(120, width()))}; }

void FormulaBlock::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), t.window, hasFocus() ? t.accent : QColor(), space::control_radius,
             hasFocus() ? 2 : 0);
    const double left = lines_left();
    const double room = width() - left - formula_padding;
    double y = formula_padding - 2;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        const double height = std::max<double>(formula_line, texts_[i].height_for(room) + 3);
        if (i == 0)
            symbol_.draw(painter, QRectF(formula_padding, y, left, height), Qt::AlignLeft | Qt::AlignVCenter, t.text);
        texts_[i].draw(painter, QRectF(left, y, room, height), Qt::AlignLeft | Qt::AlignVCenter,
                       lines_[i].muted ? t.secondary : t.text, true);
        y += height;
    }
}

void FormulaBlock::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy"), QKeySequence::Copy, this,
                   [this] { QGuiApplication::clipboard()->setText(plain_text()); });
    menu.exec(event->globalPos());
}

void FormulaBlock::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return QGuiApplication::clipboard()->setText(plain_text());
    QWidget::keyPressEvent(event);
}

}  // namespace scalescope::ui
