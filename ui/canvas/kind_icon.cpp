// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/kind_icon.hpp"

#include <QPainter>

#include "ui/canvas/kind_family.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int icon_side_beside_name = 18;

}  // namespace

KindIcon::KindIcon(QWidget* parent) : QWidget(parent) {
    setFixedSize(icon_side_beside_name, icon_side_beside_name);
    hide();
}

void KindIcon::show_kind(const Kind* kind) {
    icon_ = kind ? family_icon(*kind) : QString();
    setVisible(kind);
    update();
}

void KindIcon::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!icon_.isEmpty()) draw_icon(painter, icon_, QRectF(rect()), theme().secondary);
}

}  // namespace scalescope::ui
