// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <vector>

#include "core/estimate/curves.hpp"
#include "core/scenario/scenario.hpp"
#include "ui/widgets/combo.hpp"

/// What the choices of a scenario are called on the screen. Ids are those of the enumerations.
namespace scalescope::ui {

template <class E>
QString id_of(E value) {
    return QString::number(static_cast<int>(value));
}
template <class E>
E from_id(const QString& id) {
    return static_cast<E>(id.toInt());
}

QString title_of(Strategy s);
QString title_of(Collective c);
QString title_of(HybridScheme s);
QString title_of(CurveSet s);
/// The name of a curve where a chart compares `set`.
QString curve_title(const CurveSpec& spec, CurveSet set);

std::vector<ComboItem> strategy_items();
/// Those that the method knows.
std::vector<ComboItem> collective_items(Method method);
std::vector<ComboItem> method_items();
std::vector<ComboItem> scheme_items();
std::vector<ComboItem> overlap_items();
std::vector<ComboItem> batch_rule_items();
std::vector<ComboItem> precision_items(const Device& device);
std::vector<ComboItem> optimizer_items();
std::vector<ComboItem> convolution_items();
std::vector<ComboItem> memory_items();

}  // namespace scalescope::ui
