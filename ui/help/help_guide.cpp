// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_guide.hpp"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>

namespace scalescope::ui {
namespace {

constexpr const char* help_property = "help";

bool is_modifier(int key) {
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
           key == Qt::Key_AltGr;
}

}  // namespace

void set_help(QWidget& widget, const QString& page) { widget.setProperty(help_property, page); }

QString help_of(const QWidget* widget, const QPoint* at) {
    for (const QWidget* w = widget; w; w = w->parentWidget()) {
        if (const auto* view = qobject_cast<const QAbstractItemView*>(w)) {
            const QModelIndex row = at ? view->indexAt(view->viewport()->mapFromGlobal(*at)) : view->currentIndex();
            if (const QString page = row.data(help_role).toString(); !page.isEmpty()) return page;
        }
        if (const QString page = w->property(help_property).toString(); !page.isEmpty()) return page;
        if (w->isWindow() && w->windowType() != Qt::Popup) break;  // a dialog is not part of what it was opened from
    }
    return {};
}

HelpGuide::HelpGuide(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

QString HelpGuide::page_here() const {
    const QWidget* under = by_pointer_ ? QApplication::widgetAt(pointer_) : nullptr;
    // Who chose "Help" in the menu is not asking about the menu.
    if (under && !qobject_cast<const QMenu*>(under) && !qobject_cast<const QMenuBar*>(under))
        if (const QString page = help_of(under, &pointer_); !page.isEmpty()) return page;
    const QWidget* focus = QApplication::focusWidget();
    return help_of(focus ? focus : QApplication::activeWindow());
}

bool HelpGuide::eventFilter(QObject* object, QEvent* event) {
    switch (event->type()) {
        case QEvent::KeyPress: {
            const int key = static_cast<QKeyEvent*>(event)->key();
            if (key != Qt::Key_F1 && !is_modifier(key)) by_pointer_ = false;
            break;
        }
        case QEvent::MouseMove:
        case QEvent::MouseButtonPress: {
            const QPoint at = static_cast<QMouseEvent*>(event)->globalPosition().toPoint();
            // A pointer that rests is told of when things move below it.
            if (at != pointer_ || event->type() == QEvent::MouseButtonPress) by_pointer_ = true;
            pointer_ = at;
            break;
        }
        default: break;
    }
    return QObject::eventFilter(object, event);
}

}  // namespace scalescope::ui
