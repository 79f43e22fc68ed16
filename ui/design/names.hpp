// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <vector>

#include "core/estimate/curves.hpp"
#include "core/scenario/fields.hpp"
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

QString title_of(const Parallelism& p);  ///< what takes the workers: "Tensor", "Hybrid"
QString title_of(Collective c);
QString title_of(HybridScheme s);
/// What the speedup chart compares; of a CPU cluster, whose sets are others, nothing for the third.
QString title_of(CurveSet s, bool cpu_cluster = false);
/// The name of a curve where a chart compares `set`.
QString curve_title(const CurveSpec& spec, CurveSet set, bool cpu_cluster = false);
QString title_of(Updates u);

/// What the panels call a choice of a field; what no panel shows is told in core's words.
QString title_of_choice(const Field& field, std::string_view choice);

/// Items for a choice or switch; their ids are the enumeration's values, or 0 and 1.
std::vector<ComboItem> choice_items(const Field& field, const Scenario& scenario);
/// Whether the items depend on the scenario.
bool items_follow(std::string_view path);
/// Those that the method knows; with `asynchronous`, what takes their place.
std::vector<ComboItem> collective_items(Method method, bool asynchronous = false);
std::vector<ComboItem> recompute_module_items();
std::vector<ComboItem> reshard_items();
/// Stands among the all-reduces, as what takes their place.
inline const QString asynchronous_id = QStringLiteral("asynchronous");
/// The axes of a mesh that have more than one worker: "16 data × 4 pipeline × 8 tensor".
QString mesh_product(const Degrees& degrees, AxisOrder order);

}  // namespace scalescope::ui
