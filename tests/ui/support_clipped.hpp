// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStringList>
#include <QWidget>

#include "ui/widgets/basics.hpp"
#include "ui/widgets/breadcrumb.hpp"
#include "ui/widgets/combo.hpp"

/// Texts that do not fit where they stand.
namespace scalescope::tests {

/// What is beside the panel it stands in, or beside the part of it that is seen: "class name: has X to Y of 0 to W".
/// Where one can scroll sideways, it is not lost.
inline QString beside_its_panel(const QWidget& w) {
    QRect box(w.rect());
    for (const QWidget *inner = &w, *outer = w.parentWidget(); outer && !inner->isWindow();
         inner = outer, outer = outer->parentWidget()) {
        box.translate(inner->pos());
        const auto* area = qobject_cast<const QAbstractScrollArea*>(outer->parentWidget());
        if (area && area->viewport() == outer && area->horizontalScrollBar()->isVisible()) return {};
        if (box.left() < 0 || box.right() >= outer->width())
            return QStringLiteral("%1 %2: has %3 to %4 of 0 to %5 of %6 %7")
                .arg(QLatin1String(w.metaObject()->className()), w.objectName())
                .arg(box.left())
                .arg(box.right())
                .arg(outer->width() - 1)
                .arg(QLatin1String(outer->metaObject()->className()), outer->objectName());
    }
    return {};
}

/// Of the labels and buttons below `root` that are seen, those that are larger than the room they have, as "class name:
/// text (needs W x H, has W x H)". What elides its text by itself, and says the whole in a tool tip, has room.
inline QStringList clipped_texts(const QWidget& root) {
    QStringList found;
    const auto add = [&](const QWidget* w, const QString& text, QSize needed) {
        found << QStringLiteral("%1 %2: %3 (needs %4x%5, has %6x%7)")
                     .arg(QLatin1String(w->metaObject()->className()), w->objectName(), text.left(60))
                     .arg(needed.width())
                     .arg(needed.height())
                     .arg(w->width())
                     .arg(w->height());
    };
    for (const QWidget* w : root.findChildren<const QWidget*>()) {
        if (!w->isVisible() || w->visibleRegion().isEmpty()) continue;
        if (w->objectName() == QLatin1String("qt_toolbar_ext_button")) continue;  // Qt places it
        if (qobject_cast<const QLabel*>(w) || qobject_cast<const QAbstractButton*>(w) ||
            qobject_cast<const QLineEdit*>(w) || qobject_cast<const ui::Combo*>(w))
            if (const QString beside = beside_its_panel(*w); !beside.isEmpty()) found << beside;
        if (qobject_cast<const ui::ElidedLabel*>(w) || qobject_cast<const ui::Breadcrumb*>(w->parentWidget())) continue;
        if (const auto* label = qobject_cast<const QLabel*>(w)) {
            if (label->text().isEmpty() || label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored) continue;
            const QSize needed =
                label->wordWrap() ? QSize(label->width(), label->heightForWidth(label->width())) : label->sizeHint();
            if (needed.width() > label->width() || needed.height() > label->height() + 1) add(w, label->text(), needed);
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(w)) {
            if (!button->text().isEmpty() && button->sizeHint().width() > button->width())
                add(w, button->text(), button->sizeHint());
        }
    }
    return found;
}

/// In every window that is open.
inline QStringList clipped_texts() {
    QStringList found;
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->isVisible()) found << clipped_texts(*window);
    return found;
}

}  // namespace scalescope::tests
