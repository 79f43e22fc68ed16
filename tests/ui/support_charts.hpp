// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QImage>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QtTest>
#include <cmath>

#include "ui/charts/chart.hpp"
#include "ui/theme/theme.hpp"

/// What the chart tests share: a window round a chart, its pixels, and a hand.
namespace chart_test {

using scalescope::Seconds;
using scalescope::ui::Chart;
using scalescope::ui::Range;
using scalescope::ui::Theme;

inline QString u(const char* text) { return QString::fromUtf8(text); }

/// A chart alone in an active window, without margins.
template <class C>
struct Shown {
    QWidget window;
    C* chart;

    explicit Shown(int width = 700, int height = 320) : chart(new C) {
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(chart);
        window.resize(width, height);
        window.show();
        window.activateWindow();
        if (!QTest::qWaitForWindowActive(&window)) qFatal("the window does not become active");
        chart->setFocus();
    }
    C* operator->() const { return chart; }
    C& operator*() const { return *chart; }
};

/// The chart as it is on screen once all that is queued is painted.
inline QImage shot(Chart& chart) {
    chart.refresh();
    return chart.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

/// Colour of the device pixel that holds a logical point.
inline QColor pixel(const QImage& image, double x, double y) {
    const double scale = image.devicePixelRatio();
    return image.pixelColor(static_cast<int>(std::floor(x * scale)), static_cast<int>(std::floor(y * scale)));
}

/// How many of the pixels of column `x` between two heights have a colour.
inline int count(const QImage& image, double x, double top, double bottom, const QColor& colour) {
    int n = 0;
    for (int y = static_cast<int>(std::ceil(top)); y < bottom && y < image.height(); ++y)
        n += pixel(image, x, y) == colour ? 1 : 0;
    return n;
}

/// How many pixels of a whole picture have a colour.
inline int count(const QImage& image, const QColor& colour) {
    int n = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) n += image.pixelColor(x, y) == colour ? 1 : 0;
    return n;
}

/// The value on x under a pixel, from the range and the rectangle alone.
inline double x_value(const Chart& chart, double px, bool logarithmic = false) {
    const QRect r = chart.plot_rect();
    const Range range = chart.x_range();
    const double share = (px - r.left()) / r.width();
    return logarithmic ? range.lower * std::pow(range.upper / range.lower, share) : range.lower + share * range.size();
}

inline void wheel(QWidget& widget, QPointF at, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&widget, &event);
}

inline void drag(QWidget& widget, QPoint from, QPoint to) {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 10; ++i) {
        const QPoint at = from + (to - from) * i / 10;
        QMouseEvent move(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&widget, &move);
    }
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
}

inline void double_click(QWidget& widget, QPoint at) {
    QTest::mouseClick(&widget, Qt::LeftButton, {}, at);
    QMouseEvent second(QEvent::MouseButtonDblClick, at, widget.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
                       Qt::NoModifier);
    QApplication::sendEvent(&widget, &second);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, at);
}

}  // namespace chart_test
