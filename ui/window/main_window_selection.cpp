// SPDX-License-Identifier: GPL-3.0-or-later
// The layer that is selected everywhere at once, and the control that a field has.
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_dialog.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/layer_table.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/chart_mapping.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

void MainWindow::select(int key) {
    network_->set_selected(key);
    layer_chart_->set_selected_layer(key);
    timeline_chart_->set_selected_layer(key);
    layer_table_->set_selected(key);
    canvas_->set_selected(key);
    Item item;
    if (key >= 0) {
        item.topic = Topic::layer;
        item.part = part_of_key(key);
        item.layer = position_of_key(key);
    }
    why_->ask(item);
}

/// The row of a field in the table of all settings, or the editor of the device or link whose figure it is.
void MainWindow::show_setting(const QString& path) {
    if (path.startsWith(QLatin1String("cluster.device."))) return edit_device();
    if (path.startsWith(QLatin1String("cluster.machine."))) return edit_machine();
    for (const bool inside : {true, false})
        if (path.startsWith(inside ? QLatin1String("cluster.inside.") : QLatin1String("cluster.between.")))
            return edit_link(inside);
    auto* settings = findChild<SettingsDialog*>();
    if (!settings) settings = new SettingsDialog(document_, library_.catalogue, this);
    settings->QWidget::show();
    settings->raise();
    settings->activateWindow();
    settings->show_field(path);
}

/// An empty path: all settings.
void MainWindow::focus_field(const QString& path) {
    // The control of a field is the widget with its object name; panels that are folded away come forward.
    static const std::vector<std::pair<QString, QString>> controls{
        {QStringLiteral("cluster.workers"), QStringLiteral("workersField")},
        {QStringLiteral("training.batch"), QStringLiteral("batch")},
        {QStringLiteral("training.batch_rule"), QStringLiteral("batchRule")},
        {QStringLiteral("training.precision"), QStringLiteral("precision")},
        {QStringLiteral("training.optimizer"), QStringLiteral("optimizer")},
        {QStringLiteral("training.accumulation"), QStringLiteral("accumulation")},
        {QStringLiteral("training.data_set"), QStringLiteral("dataSet")},
        {QStringLiteral("training.input_limit"), QStringLiteral("inputLimit")},
        {QStringLiteral("cluster.devices_per_node"), QStringLiteral("perNode")},
        {QStringLiteral("cluster.nics_per_node"), QStringLiteral("nics")},
        {QStringLiteral("cluster.device"), QStringLiteral("device")},
        {QStringLiteral("cluster.between"), QStringLiteral("between")},
        {QStringLiteral("cluster.inside"), QStringLiteral("inside")},
        {QStringLiteral("parallelism.strategy"), QStringLiteral("strategy")},
        {QStringLiteral("parallelism.collective"), QStringLiteral("collective")},
        {QStringLiteral("parallelism.overlap"), QStringLiteral("overlap")},
        {QStringLiteral("parallelism.bucket"), QStringLiteral("bucket")},
        {QStringLiteral("parallelism.scheme"), QStringLiteral("scheme")},
        {QStringLiteral("parallelism.cut"), QStringLiteral("cut")},
        {QStringLiteral("parallelism.boundaries"), QStringLiteral("stages")},
        {QStringLiteral("parallelism.micro_batches"), QStringLiteral("microBatches")},
        {QStringLiteral("model.compute"), QStringLiteral("percentCompute")},
        {QStringLiteral("model.memory"), QStringLiteral("percentMemory")},
        {QStringLiteral("model.between"), QStringLiteral("percentLink")},
        {QStringLiteral("model.inside"), QStringLiteral("percentInside")},
        {QStringLiteral("model.launch"), QStringLiteral("launch")},
        {QStringLiteral("model.overhead"), QStringLiteral("overhead")},
        {QStringLiteral("model.overlap_memory"), QStringLiteral("memoryOverlap")},
        {QStringLiteral("model.convolution"), QStringLiteral("convolution")},
        {QStringLiteral("model.staleness_cost"), QStringLiteral("staleness")},
        {QStringLiteral("model.method"), QStringLiteral("method")},
        {QStringLiteral("cluster.machine"), QStringLiteral("machine")},
        {QStringLiteral("parallelism.updates"), QStringLiteral("updates")},
        {QStringLiteral("parallelism.servers"), QStringLiteral("servers")},
        {QStringLiteral("parallelism.sharding"), QStringLiteral("shards")},
        {QStringLiteral("cpu.partitions"), QStringLiteral("partitions")},
        {QStringLiteral("cpu.replicas"), QStringLiteral("replicas")},
        {QStringLiteral("cpu.splits"), QStringLiteral("splits")},
        {QStringLiteral("cpu.placement"), QStringLiteral("placement")},
        {QStringLiteral("cpu.convolutions"), QStringLiteral("convolutionSplit")},
        {QStringLiteral("cpu.threads"), QStringLiteral("threads")},
        {QStringLiteral("cpu.servers_beside"), QStringLiteral("serverPlace")},
        {QStringLiteral("cpu.wait_for_servers"), QStringLiteral("waitForServers")},
        {QStringLiteral("cpu.queueing"), QStringLiteral("queueing")},
        {QStringLiteral("cpu.overlap"), QStringLiteral("exchangeOverlap")},
        {QStringLiteral("cpu.local_update"), QStringLiteral("localUpdate")},
        {QStringLiteral("cpu.buffers_gb"), QStringLiteral("buffers")},
        {QStringLiteral("cpu.worked_example"), QStringLiteral("workedExample")},
        {QStringLiteral("workload"), QStringLiteral("network")}};
    QString name;
    qsizetype best = -1;
    for (const auto& entry : controls)  // "cluster.device.memory_bandwidth_gb_s" leads to the device
        if (path.startsWith(entry.first) && entry.first.size() > best) {
            best = entry.first.size();
            name = entry.second;
        }
    if (name == QLatin1String("updates") && !is_cpu_cluster(document_.scenario())) name = QStringLiteral("collective");
    QWidget* control = name.isEmpty() ? nullptr : findChild<QWidget*>(name);
    if (!control) {
        // No panel has room for every setting: they all stand in one table.
        if (path.isEmpty() || find_field(path.toStdString())) show_setting(path);
        return;
    }
    if (canvas_shown() && workers_->isAncestorOf(control)) workers_action_->setChecked(true);
    for (QWidget* w = control->parentWidget(); w; w = w->parentWidget())
        if (auto* dock = qobject_cast<DockCard*>(w)) {
            dock->QWidget::show();
            for (int page = 0; page < 4 && !control->isVisible(); ++page) dock->set_current_page(page);
        }
    control->setFocus(Qt::OtherFocusReason);
}

}  // namespace scalescope::ui
