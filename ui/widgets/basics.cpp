// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/basics.hpp"

#include <QHelpEvent>
#include <QLayout>
#include <QPainter>
#include <QSplitter>
#include <QStyle>
#include <QToolTip>

#include "ui/theme/paint.hpp"

namespace scalescope::ui {

void set_ink(QWidget& widget, Ink ink) {
    static const char* const names[] = {"text",  "secondary", "disabled", "accent",
                                        "error", "warning",   "better",   "worse"};
    const QString name = QString::fromLatin1(names[static_cast<int>(ink)]);
    if (widget.property("ink").toString() == name) return;
    widget.setProperty("ink", name);
    widget.style()->unpolish(&widget);  // the style sheet reads the property only when it polishes
    widget.style()->polish(&widget);
}

QLabel* make_label(const QString& text, const QFont& font, Ink ink) {
    auto* label = new QLabel(text);
    label->setFont(font);
    if (ink != Ink::text) set_ink(*label, ink);
    return label;
}

void remove_items(QLayout& layout, int keep) {
    while (layout.count() > keep) {
        QLayoutItem* item = layout.takeAt(layout.count() - 1);
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

QSplitter* make_splitter(Qt::Orientation orientation) {
    auto* splitter = new QSplitter(orientation);
    splitter->setHandleWidth(space::gap);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

void show_steadily(QWidget& widget, bool visible, bool dragging) {
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(dragging && (policy.retainSizeWhenHidden() || !widget.isHidden()));
    widget.setSizePolicy(policy);
    widget.setVisible(visible);
}

QFrame* make_rule() {
    auto* rule = new QFrame;
    rule->setObjectName(QStringLiteral("rule"));
    rule->setFixedHeight(1);
    return rule;
}

void bring_forward(QWidget& window) {
    window.show();
    window.raise();
    window.activateWindow();
}

QToolButton* make_icon_button(const char* icon_name, const QString& name, Tint tint) {
    auto* button = new QToolButton;
    button->setProperty("kind", QStringLiteral("tool"));
    button->setIcon(icon(icon_name, tint));
    button->setIconSize({14, 14});
    button->setFixedSize(22, 22);
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::set_choices(const QStringList& choices) {
    choices_ = choices;
    setText(choices.value(0));
    update();
}

QString ElidedLabel::shown() const {
    const int room = contentsRect().width();
    if (choices_.isEmpty()) return fontMetrics().elidedText(text(), Qt::ElideRight, room);
    for (const QString& choice : choices_)
        if (fontMetrics().horizontalAdvance(choice) <= room) return choice;
    return {};
}

void ElidedLabel::set_least_width(int px) {
    least_ = px;
    updateGeometry();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {std::min(least_, sizeHint().width()), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_text(painter, contentsRect(), alignment(), choices_.isEmpty() ? text() : shown(), font(),
              palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()), Qt::ElideRight);
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
        if (fontMetrics().horizontalAdvance(text()) > contentsRect().width())
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QLabel::event(event);
}

}  // namespace scalescope::ui
