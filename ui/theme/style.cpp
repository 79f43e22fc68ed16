// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style.hpp"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QToolButton>
#include <cmath>

#include "ui/theme/comfort.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
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
    box = QRectF(box.x() + std::floor((box.width() - side) / 2), box.y() + std::floor((box.height() - side) / 2), side,
                 side);
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
    const bool focus =
        option.state.testFlag(QStyle::State_HasFocus) && option.state.testFlag(QStyle::State_KeyboardFocusChange);
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

constexpr Px stepper_width{19};  // the part of a spin box with the two chevrons
constexpr Px field_padding{9};

/// Fields may carry the property "error" (see NumberField) and "plain" (a line edit inside another field).
FieldState field_state(const QStyleOption& option, const QWidget* widget) {
    FieldState state;
    state.enabled = option.state.testFlag(QStyle::State_Enabled);
    state.hover = option.state.testFlag(QStyle::State_MouseOver);
    state.focus = option.state.testFlag(QStyle::State_HasFocus);
    state.error = widget && widget->property("error").toBool();
    return state;
}

bool is_plain(const QWidget* widget) {
    if (!widget) return false;
    const QWidget* parent = widget->parentWidget();
    return widget->property("plain").toBool() || qobject_cast<const QAbstractSpinBox*>(parent) ||
           qobject_cast<const QComboBox*>(parent);
}

void draw_spin_box(const QStyleOptionSpinBox& option, QPainter& painter, const QWidget* widget) {
    const Theme& t = theme();
    const QRectF box(option.rect);
    const FieldState state = field_state(option, widget);
    draw_field(painter, box, state);
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons) return;
    const qreal x = box.right() - stepper_width;
    const qreal in = state.focus ? 2 : 1;
    const auto half = [&](bool up) {
        return up ? QRectF(x, box.top() + in, stepper_width - in, box.height() / 2 - in)
                  : QRectF(x, box.center().y(), stepper_width - in, box.height() / 2 - in);
    };
    for (const bool up : {true, false}) {
        const auto part = up ? QStyle::SC_SpinBoxUp : QStyle::SC_SpinBoxDown;
        const bool usable = state.enabled && option.stepEnabled.testFlag(up ? QAbstractSpinBox::StepUpEnabled
                                                                            : QAbstractSpinBox::StepDownEnabled);
        const bool active = usable && option.activeSubControls == part && state.hover;
        if (active) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            QPainterPath clip;
            clip.addRoundedRect(box.adjusted(in, in, -in, -in), space::control_radius - in, space::control_radius - in);
            painter.setClipPath(clip);
            painter.fillRect(half(up).adjusted(1, 0, 0, 0),
                             option.state.testFlag(QStyle::State_Sunken) ? t.pressed : t.hover);
            painter.restore();
        }
        const QPointF middle(x + (stepper_width - 1) / 2.0 + 0.5, box.center().y() + (up ? -3.75 : 3.75));
        draw_icon(painter, up ? "up" : "down", QRectF(middle.x() - 6, middle.y() - 6, 12, 12),
                  usable ? t.secondary : t.disabled);
    }
    painter.fillRect(QRectF(x, box.top() + in, 1, box.height() - 2 * in), t.card_border);
}

constexpr Px tool_gap{7}, tool_padding{7}, tool_arrow{12};

/// Property kind="tool": a bare icon for panel corners.
bool is_corner_tool(const QWidget* widget) {
    return widget && widget->property("kind").toString() == QLatin1String("tool");
}

void draw_tool_button(const QStyleOptionToolButton& option, QPainter& painter, const QWidget* widget) {
    const Theme& t = theme();
    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    const bool down = option.state.testFlag(QStyle::State_Sunken) || option.state.testFlag(QStyle::State_On);
    const QRectF box(option.rect);
    if (enabled && (down || option.state.testFlag(QStyle::State_MouseOver)))
        draw_box(painter, box, down ? t.pressed : t.hover, {}, is_corner_tool(widget) ? 4 : space::control_radius);
    const bool with_text = option.toolButtonStyle != Qt::ToolButtonIconOnly && !option.text.isEmpty();
    const bool with_icon = option.toolButtonStyle != Qt::ToolButtonTextOnly && !option.icon.isNull();
    const bool with_menu = option.features.testFlag(QStyleOptionToolButton::HasMenu);
    QRectF inner = box.adjusted(tool_padding, 0, -tool_padding, 0);
    if (with_menu) {
        const QRectF arrow(inner.right() - tool_arrow, box.center().y() - tool_arrow / 2.0, tool_arrow, tool_arrow);
        draw_icon(painter, "down", arrow, enabled ? t.secondary : t.disabled);
        inner.setRight(arrow.left() - 4);
    }
    if (with_icon) {
        const QSize size = option.iconSize;
        const qreal x = with_text || with_menu ? inner.left() : box.center().x() - size.width() / 2.0;
        const QRect place(qRound(x), qRound(box.center().y() - size.height() / 2.0), size.width(), size.height());
        option.icon.paint(&painter, place, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
        inner.setLeft(place.right() + 1 + tool_gap);
    }
    if (with_text) {
        QString text = option.text;
        text.remove(QLatin1Char('&'));
        draw_text(painter, inner, Qt::AlignVCenter | (with_icon || with_menu ? Qt::AlignLeft : Qt::AlignHCenter), text,
                  option.font, enabled ? t.text : t.disabled);
    }
}

QSize tool_button_size(const QStyleOptionToolButton& option, const QWidget* widget) {
    if (is_corner_tool(widget)) return large_controls() ? QSize(touch_size, touch_size) : QSize(22, 22);
    const QFontMetrics metrics(option.font);
    const bool with_text = option.toolButtonStyle != Qt::ToolButtonIconOnly && !option.text.isEmpty();
    const bool with_icon = option.toolButtonStyle != Qt::ToolButtonTextOnly && !option.icon.isNull();
    QString text = option.text;
    text.remove(QLatin1Char('&'));
    int width = 2 * tool_padding;
    if (with_icon) width += option.iconSize.width();
    if (with_text) width += metrics.horizontalAdvance(text) + 2;
    if (with_icon && with_text) width += tool_gap;
    if (option.features.testFlag(QStyleOptionToolButton::HasMenu)) width += tool_arrow + 4;
    return {width, std::max<int>(space::control_height, metrics.height() + 8)};
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

void Style::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    // Qt's style sheets answer for the size of spin boxes without asking the style below.
    if (auto* spin = qobject_cast<QAbstractSpinBox*>(widget)) spin->setMinimumHeight(space::control_height);
    fit_to_hand(*widget);
    // Hover states need the events.
    if (qobject_cast<QToolButton*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) ||
        qobject_cast<QComboBox*>(widget))
        widget->setAttribute(Qt::WA_Hover);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck)
        return draw_check_indicator(*option, *painter, false);
    if (element == PE_IndicatorRadioButton) return draw_check_indicator(*option, *painter, true);
    if (element == PE_PanelLineEdit || element == PE_FrameLineEdit) {
        if (element == PE_PanelLineEdit && !is_plain(widget))
            draw_field(*painter, QRectF(option->rect), field_state(*option, widget));
        return;
    }
    if (const char* name = arrow_name(element)) {
        const QRectF r(option->rect);
        const qreal side = std::min<qreal>(14, std::max<qreal>(10, std::min(r.width(), r.height())));
        const bool enabled = option->state.testFlag(State_Enabled);
        return draw_icon(*painter, name, QRectF(r.center().x() - side / 2, r.center().y() - side / 2, side, side),
                         enabled ? theme().secondary : theme().disabled);
    }
    if (element == PE_IndicatorMenuCheckMark)
        return draw_icon(*painter, "check",
                         QRectF(option->rect.center().x() - 4, option->rect.center().y() - 6, 14, 14), theme().text);
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

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    if (element == CE_ComboBoxLabel) {
        const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (!combo || combo->editable) return;
        const QRect r = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget);
        const bool enabled = combo->state.testFlag(State_Enabled);
        return draw_text(*painter, r, Qt::AlignLeft | Qt::AlignVCenter, combo->currentText,
                         widget ? widget->font() : type::control(), enabled ? theme().text : theme().disabled);
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
    if (control == CC_SpinBox) {
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            return draw_spin_box(*spin, *painter, widget);
    }
    if (control == CC_ToolButton) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
            return draw_tool_button(*button, *painter, widget);
    }
    if (control == CC_ComboBox) {
        const QRectF box(option->rect);
        const FieldState state = field_state(*option, widget);
        draw_field(*painter, box, state);
        return draw_icon(*painter, "down", QRectF(box.right() - 22, box.center().y() - 7, 14, 14),
                         state.enabled ? theme().secondary : theme().disabled);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
    const QRect box = option->rect;
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const int buttons = spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons ? 0 : stepper_width;
        const QRect steps(box.right() + 1 - buttons, box.top(), buttons, box.height());
        switch (part) {
            case SC_SpinBoxUp: return buttons ? steps.adjusted(0, 0, 0, -box.height() / 2) : QRect();
            case SC_SpinBoxDown: return buttons ? steps.adjusted(0, box.height() / 2, 0, 0) : QRect();
            case SC_SpinBoxEditField: return box.adjusted(field_padding - 2, 2, -buttons - 6, -2);
            default: return box;
        }
    }
    if (control == CC_ToolButton && part == SC_ToolButtonMenu)
        return QRect(box.right() - 18, box.top(), 19, box.height());
    if (control == CC_ToolButton && part == SC_ToolButton) {
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        const bool split = button && button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
        return split ? box.adjusted(0, 0, -19, 0) : box;
    }
    if (control == CC_ComboBox) {
        switch (part) {
            case SC_ComboBoxEditField: return box.adjusted(field_padding + 1, 2, -24, -2);
            case SC_ComboBoxArrow: return QRect(box.right() - 23, box.top(), 24, box.height());
            case SC_ComboBoxListBoxPopup: return box;
            default: return box;
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    if (element == SE_LineEditContents)
        return is_plain(widget) ? option->rect : option->rect.adjusted(field_padding - 2, 2, -(field_padding - 2), -2);
    return QProxyStyle::subElementRect(element, option, widget);
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                              const QWidget* widget) const {
    // Contents grow with the desktop's font scaling; the height of the look is the least.
    const int height = std::max<int>(space::control_height, contents.height() + 8);
    switch (type) {
        case CT_LineEdit:
            if (is_plain(widget)) return contents;
            return {contents.width() + 2 * field_padding, height};
        case CT_SpinBox: return {contents.width() + field_padding + stepper_width, height};
        case CT_ToolButton:
            if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
                return tool_button_size(*button, widget);
            break;
        case CT_ComboBox: return {contents.width() + field_padding + 28, height};
        default: break;
    }
    return QProxyStyle::sizeFromContents(type, option, contents, widget);
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
        case PM_FocusFrameVMargin:
            return 4;  // the widget is not passed here: FocusRing draws closer round flat buttons
        default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
    switch (hint) {
        case SH_ToolTip_WakeUpDelay: return 500;
        case SH_Widget_Animation_Duration:
            if (less_motion()) return 0;
            break;
        case SH_ScrollBar_Transient:
            if (less_motion()) return 0;
            break;
        case SH_FocusFrame_AboveWidget: return 1;
        case SH_FocusFrame_Mask: return 0;
        case SH_UnderlineShortcut: return 0;
        case SH_ComboBox_Popup: return 0;
        case SH_DialogButtonBox_ButtonsHaveIcons: return 0;
        default: break;
    }
    return QProxyStyle::styleHint(hint, option, widget, data);
}

}  // namespace scalescope::ui
