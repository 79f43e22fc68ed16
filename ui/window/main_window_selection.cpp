// SPDX-License-Identifier: GPL-3.0-or-later
// The layer that is selected everywhere at once, and the control that a field has.
#include <algorithm>
#include <utility>

#include "core/compare/same_item.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/design/field_controls.hpp"
#include "ui/design/layer_list.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

/// By a view of the answer: keys are those of its networks.
void MainWindow::select(int key) {
    if (result()) select_in(key, result()->request.scenario, result()->request.lineage);
}

void MainWindow::select_in(int key, const Scenario& scenario, int lineage) {
    Item item;
    selected_ = {};
    if (key >= 0 && static_cast<std::size_t>(part_of_key(key)) < scenario.workload.size()) {
        item.topic = Topic::layer;
        item.part = part_of_key(key);
        item.layer = position_of_key(key);
        selected_ = {key, scenario.workload[static_cast<std::size_t>(item.part)].network, lineage};
    }
    show_selected(key);
    why_->ask(item);
}

/// The same layer in every view.
void MainWindow::show_selected(int key) {
    for (LayerList* list : layer_lists()) list->set_selected(key);
    layer_chart_->set_selected_layer(key);
    timeline_chart_->set_selected_layer(key);
    roofline_chart_->set_selected(key);
    canvas_->set_selected(key);
}

/// Finds the selected layer in the next answer: an edited network keeps its layers, in another network the layer of the
/// same name takes its place. Returns what is explained from then on.
Item MainWindow::follow(const LiveResult& next) {
    Item item = why_->item();
    const int before = std::exchange(shown_lineage_, next.request.lineage);
    const bool other = before >= 0 && before != shown_lineage_;
    const auto part = static_cast<std::size_t>(selected_.key < 0 ? std::max(item.part, 0) : part_of_key(selected_.key));
    const auto& workload = next.request.scenario.workload;
    const auto network = part < workload.size() ? workload[part].network : nullptr;
    if (selected_.key < 0) {
        // Messages are counted: of another network they are others.
        return other && item.message >= 0 ? Item{} : item;
    }
    if (network == selected_.network) return item;
    const bool edited = selected_.lineage == next.request.lineage;
    const auto found = network ? compare::same_layer(*selected_.network, position_of_key(selected_.key), *network,
                                                     edited ? compare::SameLayer::by_id : compare::SameLayer::by_name)
                               : std::nullopt;
    selected_ = found ? Selected{layer_key(static_cast<int>(part), *found), network, next.request.lineage} : Selected{};
    if (item.layer < 0) return item;
    if (!found) return Item{};
    item.layer = *found;
    if (!edited && (item.message >= 0 || item.from > 0)) item = Item{Topic::layer, item.part, item.layer};
    return item;
}

/// Focuses the control of a field, or opens the editor of its device, machine or link.
void MainWindow::show_setting(const QString& path) {
    if (path.startsWith(QLatin1String("cluster.device."))) return edit_device();
    if (path.startsWith(QLatin1String("cluster.machine."))) return edit_machine();
    for (const bool inside : {true, false})
        if (path.startsWith(inside ? QLatin1String("cluster.inside.") : QLatin1String("cluster.between.")))
            return edit_link(inside);
    focus_field(path);
}

/// An empty path focuses the search of the settings.
void MainWindow::focus_field(const QString& path) {
    // Panels that are folded away come forward.
    QString name = control_of_field(path);
    if (name == QLatin1String("updates") && !is_cpu_cluster(document_.scenario())) name = QStringLiteral("collective");
    QWidget* control = name.isEmpty() ? nullptr : findChild<QWidget*>(name);
    if (control && canvas_shown() && workers_->isAncestorOf(control)) workers_action_->setChecked(true);
    if (control && workers_->isAncestorOf(control) && !control->isVisible()) workers_->show_all();
    const auto bring = [this](QWidget& shown) {
        model_->bring_to_sight(shown);
        for (QWidget* w = shown.parentWidget(); w; w = w->parentWidget())
            if (auto* dock = qobject_cast<DockCard*>(w)) {
                dock->QWidget::show();
                for (int page = 0; page < 2 && !shown.isVisible(); ++page) dock->set_current_page(page);
            }
    };
    if (control) bring(*control);
    if (control && control->isVisible()) return control->setFocus(Qt::OtherFocusReason);
    // Panels hide settings that have no effect, and some settings have a row only in search results.
    bring(*model_);
    if (!model_->show_field(path) && control) control->setFocus(Qt::OtherFocusReason);
}

}  // namespace scalescope::ui
