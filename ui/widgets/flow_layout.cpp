// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/flow_layout.hpp"

#include <algorithm>

namespace scalescope::ui {

FlowLayout::FlowLayout(QWidget* parent, int horizontal_gap, int vertical_gap)
    : QLayout(parent), horizontal_gap_(horizontal_gap), vertical_gap_(vertical_gap) {
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() {
    for (QLayoutItem* item : items_) delete item;
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)] : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item) items_.erase(items_.begin() + index);
    return item;
}

void FlowLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
    return size;
}

int FlowLayout::arrange(const QRect& rect, bool apply) const {
    int x = rect.x(), y = rect.y(), row_height = 0;
    for (QLayoutItem* item : items_) {
        if (item->isEmpty()) continue;
        const QSize size = item->sizeHint();
        if (x > rect.x() && x + size.width() > rect.right() + 1) {
            x = rect.x();
            y += row_height + vertical_gap_;
            row_height = 0;
        }
        if (apply) item->setGeometry(QRect(QPoint(x, y), size));
        x += size.width() + horizontal_gap_;
        row_height = std::max(row_height, size.height());
    }
    return y + row_height - rect.y();
}

}  // namespace scalescope::ui
