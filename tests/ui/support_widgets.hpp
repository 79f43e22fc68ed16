// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include "ui/theme/theme.hpp"

/// What the widget tests share: a window round a widget, and a wheel under the hand.
namespace widget_test {

inline QString u(const char* text) { return QString::fromUtf8(text); }

inline void show(QWidget& widget, int width, int height) {
    widget.resize(width, height);
    widget.show();
    widget.activateWindow();
    if (!QTest::qWaitForWindowActive(&widget)) qFatal("the window does not become active");
}

/// A window with one widget in it, shown and active.
template <class W>
struct Shown {
    QWidget window;
    W* widget;

    explicit Shown(W* w, int width = 700) : widget(w) {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(w);
        show(window, width, 120);
    }
    W* operator->() const { return widget; }
};

inline void wheel(QWidget* widget, int notches) {
    const QPointF at(widget->rect().center());
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

}  // namespace widget_test
