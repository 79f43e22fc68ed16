// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QLineEdit>
#include <QTest>
#include <cmath>
#include <vector>

#include "support_gestures_hand.hpp"
#include "ui/charts/chart.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/slider.hpp"

/// Gestures on whatever control a panel has, and on whatever chart is visible.
namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

/// The visible and enabled widgets of one class in a panel that are not part of another control.
template <class T>
std::vector<T*> usable(const QWidget& panel) {
    std::vector<T*> all;
    for (T* w : panel.findChildren<T*>())
        if (w->isVisible() && w->isEnabled()) all.push_back(w);
    return all;
}

inline QString choose_any(Hand& hand, Combo& combo) {
    std::vector<QString> ids;
    for (const ComboItem& item : combo.items())
        if (item.enabled && item.id != combo.current()) ids.push_back(item.id);
    if (ids.empty()) return QStringLiteral("nothing else in %1").arg(combo.objectName());
    const QString id = hand.any_of(ids);
    emit combo.chosen(id);
    return QStringLiteral("%1 := %2").arg(combo.objectName(), id);
}

/// Another number: a step by key, a power of two, or any.
inline QString change_number(Hand& hand, NumberField& field) {
    if (hand.one_in(2)) {
        const auto key = hand.any_of(std::vector{Qt::Key_Up, Qt::Key_Down});
        QTest::keyClick(&field, key);
        return QStringLiteral("%1 by key %2").arg(field.objectName()).arg(key);
    }
    const double value = hand.one_in(4) ? 1.0 + hand.below(20) : std::exp2(hand.below(12));
    field.choose(value);
    return QStringLiteral("%1 := %2").arg(field.objectName()).arg(value);
}

/// A drag of the handle over a few places, or a step by key.
inline QString move_slider(Hand& hand, Slider& slider) {
    if (hand.one_in(3)) {
        const auto key = hand.any_of(std::vector{Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp, Qt::Key_PageDown});
        QTest::keyClick(&slider, key);
        return QStringLiteral("%1 by key %2").arg(slider.objectName()).arg(key);
    }
    const int y = slider.height() / 2;
    QTest::mousePress(&slider, Qt::LeftButton, {}, QPoint(static_cast<int>(slider.x_of(slider.value())), y));
    for (int i = 0; i < 4; ++i) QTest::mouseMove(&slider, QPoint(hand.below(slider.width()), y));
    const QPoint end(hand.below(slider.width()), y);
    QTest::mouseMove(&slider, end);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, end);
    return QStringLiteral("drag %1 to %2").arg(slider.objectName()).arg(slider.value());
}

/// What a person may do to any one control of a panel.
inline QString use_any_control(Hand& hand, const QWidget& panel) {
    std::vector<QWidget*> all;
    for (Combo* w : usable<Combo>(panel)) all.push_back(w);
    for (NumberField* w : usable<NumberField>(panel)) all.push_back(w);
    for (Slider* w : usable<Slider>(panel)) all.push_back(w);
    for (QAbstractButton* w : usable<QAbstractButton>(panel)) all.push_back(w);
    if (all.empty()) return QStringLiteral("no control in %1").arg(panel.objectName());
    QWidget* any = hand.any_of(all);
    if (auto* combo = qobject_cast<Combo*>(any)) return choose_any(hand, *combo);
    if (auto* field = qobject_cast<NumberField*>(any)) return change_number(hand, *field);
    if (auto* slider = qobject_cast<Slider*>(any)) return move_slider(hand, *slider);
    const QString name = any->accessibleName() + QLatin1Char(' ') + any->objectName() + QLatin1Char(' ') +
                         qobject_cast<QAbstractButton*>(any)->text();
    qobject_cast<QAbstractButton*>(any)->click();  // it may be gone then
    return QStringLiteral("click %1").arg(name.simplified());
}

/// Pointer, wheel, keys, legend and table of any visible chart.
inline QString use_chart(Hand& hand, const NamedCharts& charts) {
    std::vector<std::pair<QString, Chart*>> all;
    for (const auto& one : charts)
        if (one.second->isVisible()) all.push_back(one);
    if (all.empty()) return QStringLiteral("no chart");
    const auto& [name, chart] = hand.any_of(all);
    const int x = hand.below(std::max(chart->width(), 1));
    const QPoint at(x, hand.below(std::max(chart->height(), 1)));
    QTest::mouseMove(chart, at);
    switch (hand.below(6)) {
        case 0: QTest::mouseClick(chart, Qt::LeftButton, {}, at); return QStringLiteral("click chart %1").arg(name);
        case 1: {
            const QPointF there(at);
            QWheelEvent wheel(there, chart->mapToGlobal(there), {}, {0, hand.one_in(2) ? 120 : -120}, {},
                              hand.one_in(2) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(chart, &wheel);
            return QStringLiteral("wheel on chart %1").arg(name);
        }
        case 2:
            if (const QStringList series = chart->series(); !series.isEmpty()) {
                const QString& key = hand.any_of(series);
                chart->hide_series(key, !chart->series_hidden(key));
            }
            return QStringLiteral("legend of chart %1").arg(name);
        case 3: chart->show_table(!chart->table_shown()); return QStringLiteral("table of chart %1").arg(name);
        case 4: chart->reset_view(); return QStringLiteral("reset chart %1").arg(name);
        default: {
            const auto key = hand.any_of(std::vector{Qt::Key_Right, Qt::Key_Left, Qt::Key_Home, Qt::Key_End,
                                                     Qt::Key_Return, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Escape});
            QTest::keyClick(chart, key);
            return QStringLiteral("key %1 on chart %2").arg(key).arg(name);
        }
    }
}

}  // namespace window_test
