// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QWidget>

namespace window_test {

/// Drops `brought` in the middle of a widget. False if it was not accepted.
inline bool drop_on(QWidget& widget, QMimeData& brought) {
    const QPoint at = widget.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &brought, Qt::LeftButton, {});
    QApplication::sendEvent(&widget, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(at, Qt::CopyAction, &brought, Qt::LeftButton, {});
    QApplication::sendEvent(&widget, &event);
    return event.isAccepted();
}

}  // namespace window_test
