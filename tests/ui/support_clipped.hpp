// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QStringList>
#include <QWidget>

#include "ui/widgets/basics.hpp"
#include "ui/widgets/breadcrumb.hpp"

/// Texts that do not fit where they stand.
namespace scalescope::tests {

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
