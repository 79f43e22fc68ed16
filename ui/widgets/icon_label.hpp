// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QLabel>
#include <QPainter>

#include "ui/theme/icons.hpp"

namespace scalescope::ui {

/// An icon that keeps its tint when the theme changes: a label would keep the old pixmap.
class IconLabel final : public QLabel {
public:
    IconLabel(const char* name, Tint tint, int side) : icon_(icon(name, tint)) { setFixedSize(side, side); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        icon_.paint(&painter, rect());
    }

private:
    QIcon icon_;
};

}  // namespace scalescope::ui
