// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/search_field.hpp"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QPainter>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {

SearchField::SearchField(const QString& placeholder, QWidget* parent) : QLineEdit(parent) {
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setTextMargins(22, 0, 0, 0);
}

QSize SearchField::sizeHint() const {
    return {QFontMetrics(font()).horizontalAdvance(placeholderText()) + 60, space::control_height};
}

void SearchField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    draw_icon(painter, "search", QRectF(10, height() / 2.0 - 7, 14, 14), theme().secondary);
}

void SearchField::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Escape:
            if (text().isEmpty()) return emit escaped();
            return clear();
        case Qt::Key_Down: return emit moved(1);
        case Qt::Key_Up: return emit moved(-1);
        case Qt::Key_PageDown: return emit moved(8);
        case Qt::Key_PageUp: return emit moved(-8);
        default: QLineEdit::keyPressEvent(event);
    }
}

}  // namespace scalescope::ui
