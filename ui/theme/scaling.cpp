// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/scaling.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QVariant>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

double scale_in_force = 1;
constexpr const char* sheet_font = "_q_styleSheetWidgetFont";

/// A length that somebody set, not one that says "any".
int longer(int px, double ratio) { return px <= 0 || px >= QWIDGETSIZE_MAX ? px : qRound(px * ratio); }

/// What a widget was told when it was made; the rest it works out anew.
void rescale(QWidget& widget, double ratio) {
    if (widget.testAttribute(Qt::WA_SetFont)) {
        QFont font = widget.font();
        if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * ratio);
        widget.setFont(font);
        // What a style sheet brings back when it is applied anew (QStyleSheetStyle).
        if (widget.property(sheet_font).isValid()) widget.setProperty(sheet_font, font);
    }
    if (!widget.isWindow()) {
        const QSize least = widget.minimumSize(), most = widget.maximumSize();
        widget.setMaximumSize(longer(most.width(), ratio), longer(most.height(), ratio));
        widget.setMinimumSize(longer(least.width(), ratio), longer(least.height(), ratio));
    }
    if (auto* button = qobject_cast<QAbstractButton*>(&widget)) {
        const QSize icon = button->iconSize();
        button->setIconSize({longer(icon.width(), ratio), longer(icon.height(), ratio)});
    }
    widget.updateGeometry();
    widget.update();
}

}  // namespace

double type_scale() { return scale_in_force; }

bool rescale(QApplication& app, double scale) {
    if (scale == scale_in_force) return false;
    const double ratio = scale / scale_in_force;
    scale_in_force = scale;
    app.setFont(type::control());
    for (QWidget* widget : QApplication::allWidgets()) rescale(*widget, ratio);
    return true;
}

}  // namespace scalescope::ui
