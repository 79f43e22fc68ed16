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

std::vector<ComboItem> fill_items();  ///< axes of the mesh: which takes the workers that are left
/// Those that the method knows; with `asynchronous`, what takes their place.
std::vector<ComboItem> collective_items(Method method, bool asynchronous = false);
std::vector<ComboItem> method_items();
std::vector<ComboItem> scheme_items();
std::vector<ComboItem> overlap_items();
std::vector<ComboItem> batch_rule_items(bool cpu_cluster = false);
std::vector<ComboItem> precision_items(const Device& device);
std::vector<ComboItem> optimizer_items();
std::vector<ComboItem> convolution_items();
std::vector<ComboItem> attention_items();
std::vector<ComboItem> memory_items();
/// Stands among the all-reduces, as what takes their place.
inline const QString asynchronous_id = QStringLiteral("asynchronous");
ComboItem asynchronous_item();
/// The axes of a mesh that have more than one worker: "16 data × 4 pipeline × 8 tensor".
QString mesh_product(const Degrees& degrees, AxisOrder order);
/// The orders of the axes that differ, each as the workers and their product: "512 = 4 pipeline × 16 data × 8 tensor".
std::vector<ComboItem> axis_order_items(const Degrees& degrees);
std::vector<ComboItem> sharding_items();
std::vector<ComboItem> context_scheme_items();
std::vector<ComboItem> dispatch_items();
std::vector<ComboItem> policy_items();
std::vector<ComboItem> order_items();
std::vector<ComboItem> recompute_items();
std::vector<ComboItem> recompute_module_items();
std::vector<ComboItem> offload_items();
std::vector<ComboItem> sharded_items();
std::vector<ComboItem> reshard_items();
std::vector<ComboItem> reduce_items();
std::vector<ComboItem> update_items();
// Of a CPU cluster.
std::vector<ComboItem> server_place_items();
std::vector<ComboItem> split_items();
std::vector<ComboItem> convolution_split_items();
std::vector<ComboItem> placement_items();
std::vector<ComboItem> local_update_items();
std::vector<ComboItem> server_wait_items();
std::vector<ComboItem> queueing_items();
std::vector<ComboItem> formula_items();

}  // namespace scalescope::ui
