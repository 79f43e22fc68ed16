// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/status_line.hpp"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double status_margin = 12, status_figure_gap = 20, status_icon_room = 20, status_dot = 24;

}  // namespace

StatusLine::StatusLine(QWidget* parent) : QWidget(parent) {
    setFixedHeight(space::status_height);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Status"));
}

void StatusLine::set_messages(const QStringList& messages, State state) {
    if (messages == messages_ && state == state_) return;
    messages_ = messages;
    state_ = state;
    setCursor(state == State::normal ? Qt::ArrowCursor : Qt::PointingHandCursor);
    describe();
}

void StatusLine::set_figures(const std::vector<Figure>& figures) {
    if (figures == figures_) return;
    figures_ = figures;
    describe();
}

void StatusLine::set_context(const QStringList& context) {
    if (context == context_) return;
    context_ = context;
    describe();
}

void StatusLine::describe() {
    QStringList all = messages_;
    for (const Figure& figure : figures_) all << figure.label + QLatin1Char(' ') + figure.value;
    setAccessibleDescription((all + context_).join(QStringLiteral("; ")));
    update();
}

QSize StatusLine::sizeHint() const { return {600, space::status_height}; }
QSize StatusLine::minimumSizeHint() const { return {100, space::status_height}; }

/// With the gap after each of them.
double StatusLine::figures_width() const {
    const QFontMetricsF metrics(type::table()), strong(type::table_strong());
    double width = 0;
    for (const Figure& figure : figures_) {
        if (figure.change == Change::better) width += 15;
        if (!figure.difference.isEmpty()) width += metrics.horizontalAdvance(figure.difference) + 4;
        width +=
            strong.horizontalAdvance(figure.value) + 4 + metrics.horizontalAdvance(figure.label) + status_figure_gap;
    }
    return width;
}

void StatusLine::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(QRectF(0, 0, width(), 1), t.card_border);
    const QFontMetricsF metrics(type::table()), strong(type::table_strong());
    const QRectF line(0, 1, width(), height() - 1);
    const auto put_right = [&](double& right, const QString& text, const QFont& font, const QColor& color) {
        const double w = QFontMetricsF(font).horizontalAdvance(text);
        draw_text(painter, QRectF(right - w - 1, line.top(), w + 1, line.height()), Qt::AlignRight | Qt::AlignVCenter,
                  text, font, color, Qt::ElideNone);
        right -= w;
    };
    double right = width() - status_margin;
    shown_.clear();
    const double icon = state_ == State::normal ? 0 : status_icon_room;
    const QString context = context_.join(QStringLiteral(" · "));
    const double message = messages_.isEmpty() ? 0 : icon + metrics.horizontalAdvance(messages_.front());
    if (!context.isEmpty() &&
        status_margin + message + status_figure_gap + figures_width() + metrics.horizontalAdvance(context) <= right) {
        put_right(right, context, type::table(), t.secondary);
        right -= status_figure_gap;
        shown_ << context;
    }
    for (auto figure = figures_.rbegin(); figure != figures_.rend(); ++figure) {
        const QColor ink = figure->change == Change::better  ? t.better
                           : figure->change == Change::worse ? t.worse
                                                             : t.secondary;
        if (figure->change == Change::better) {
            draw_icon(painter, "check", QRectF(right - 12, line.center().y() - 6, 12, 12), ink);
            right -= 15;
        }
        if (!figure->difference.isEmpty()) {
            put_right(right, figure->difference, type::table(), ink);
            right -= 4;
        }
        put_right(right, figure->value, type::struck(type::table_strong(), figure->struck),
                  figure->struck ? t.secondary : t.text);
        right -= 4;
        put_right(right, figure->label, type::table(), t.secondary);
        right -= status_figure_gap;
    }
    double x = status_margin;
    if (state_ != State::normal) {
        const QColor ink = state_ == State::error ? t.error : t.warning;
        draw_icon(painter, state_ == State::error ? "error" : "warn", QRectF(x, line.center().y() - 7, 14, 14), ink);
        x += icon;
    }
    for (qsizetype i = 0; i < messages_.size() && x < right; ++i) {
        const double w = metrics.horizontalAdvance(messages_[i]);
        if (i > 0) {
            if (x + status_dot + w > right) break;  // half a figure says nothing
            draw_text(painter, QRectF(x, line.top(), status_dot, line.height()), Qt::AlignCenter, QStringLiteral("·"),
                      type::table(), t.secondary);
            x += status_dot;
        }
        const QColor ink = i > 0 || state_ == State::normal ? t.secondary
                           : state_ == State::error         ? t.error
                                                            : t.warning;
        draw_text(painter, QRectF(x, line.top(), std::min(w + 1, right - x), line.height()),
                  Qt::AlignLeft | Qt::AlignVCenter, messages_[i], type::table(), ink);
        x += w;
        shown_ << messages_[i];
    }
    message_end_ = x;
}

void StatusLine::mouseReleaseEvent(QMouseEvent* event) {
    if (state_ != State::normal && event->button() == Qt::LeftButton && event->position().x() <= message_end_)
        emit message_clicked();
}

}  // namespace scalescope::ui
