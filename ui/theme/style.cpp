// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style.hpp"

#include <QPainter>
#include <QStyleOption>

#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

void draw_check_indicator(const QStyleOption& option, QPainter& painter, bool round) {
    const Theme& t = theme();
    const bool on = option.state.testFlag(QStyle::State_On);
    const bool half = option.state.testFlag(QStyle::State_NoChange);
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool hover = option.state.testFlag(QStyle::State_MouseOver);
    const bool down = option.state.testFlag(QStyle::State_Sunken);
    QRectF box(option.rect);
    const qreal side = std::min<qreal>(16, std::min(box.width(), box.height()));
    box = QRectF(box.x() + std::floor((box.width() - side) / 2), box.y() + std::floor((box.height() - side) / 2), side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = t.control, edge = t.control_border;
    if (on || half) {
        fill = !enabled ? t.pressed : down ? t.accent_pressed : hover ? t.accent_hover : t.accent;
        edge = fill;
    } else if (!enabled) {
        fill = t.window;
    } else if (down || hover) {
        fill = down ? t.pressed : t.hover;
    }
    const bool focus = option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange);
    painter.setPen(QPen(focus && !on ? t.accent : edge, focus ? 2 : 1));
    painter.setBrush(fill);
    const qreal in = focus ? 1 : 0.5;
    const qreal radius = round ? side / 2 : 4;
    painter.drawRoundedRect(box.adjusted(in, in, -in, -in), radius, radius);
    const QColor mark = enabled ? t.on_accent : t.disabled;
    if (on && round) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mark);
        painter.drawEllipse(box.center(), side / 5, side / 5);
    } else if (on) {
        draw_icon(painter, "check", box.adjusted(2, 2, -2, -2), mark);
    } else if (half) {
        draw_icon(painter, "minus", box.adjusted(2, 2, -2, -2), mark);
    }
    painter.restore();
}

const char* arrow_name(QStyle::PrimitiveElement element) {
    switch (element) {
        case QStyle::PE_IndicatorArrowDown: return "down";
        case QStyle::PE_IndicatorArrowUp: return "up";
        case QStyle::PE_IndicatorArrowLeft: return "left";
        case QStyle::PE_IndicatorArrowRight: return "right";
        default: return nullptr;
    }
}

}  // namespace

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck)
        return draw_check_indicator(*option, *painter, false);
    if (element == PE_IndicatorRadioButton) return draw_check_indicator(*option, *painter, true);
    if (const char* name = arrow_name(element)) {
        const QRectF r(option->rect);
        const qreal side = std::min<qreal>(14, std::max<qreal>(10, std::min(r.width(), r.height())));
        const bool enabled = option->state.testFlag(State_Enabled);
        return draw_icon(*painter, name, QRectF(r.center().x() - side / 2, r.center().y() - side / 2, side, side),
                         enabled ? theme().secondary : theme().disabled);
    }
    if (element == PE_FrameFocusRect) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme().accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), 4, 4);
        return painter->restore();
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_SmallIconSize:
        case PM_ButtonIconSize:
        case PM_ToolBarIconSize:
        case PM_ListViewIconSize:
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight: return 16;
        case PM_CheckBoxLabelSpacing:
        case PM_RadioButtonLabelSpacing: return 8;
        case PM_DockWidgetFrameWidth: return 0;
        case PM_FocusFrameHMargin:
        case PM_FocusFrameVMargin: return 4;  // the widget is not passed here: FocusRing draws closer round flat buttons
        default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
    switch (hint) {
        case SH_ToolTip_WakeUpDelay: return 500;
        case SH_FocusFrame_AboveWidget: return 1;
        case SH_FocusFrame_Mask: return 0;
        case SH_UnderlineShortcut: return 0;
        case SH_DialogButtonBox_ButtonsHaveIcons: return 0;
        default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

}  // namespace scalescope::ui
