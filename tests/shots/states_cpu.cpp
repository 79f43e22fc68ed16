// SPDX-License-Identifier: GPL-3.0-or-later
// CPU clusters with parameter servers, and asynchronous updates.
#include <QTest>

#include "tests/shots/hands.hpp"
#include "tests/shots/states.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::shots {
namespace {

/// Replicas of four machines, asynchronous, as a hand sets it.
void cluster(MainWindow& w) {
    emit find<Combo>(w, "method")->chosen(QString::number(static_cast<int>(Method::cpu_cluster)));
    settle(w);
    Scenario s = w.document().scenario();
    s.cpu.partitions = 4;
    s.parallelism.servers = 4;
    s.parallelism.updates = Updates::asynchronous;
    w.document().edit(std::move(s));
    settle(w);
}

}  // namespace

void add_cpu_states(std::vector<State>& states) {
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QLatin1String(name), size, std::move(reach)});
    };
    add("cpu-cluster", usual, cluster);
    add("cpu-cluster-synchronous", usual, [](MainWindow& w) {
        cluster(w);
        Scenario s = w.document().scenario();
        s.parallelism.updates = Updates::synchronous;
        w.document().edit(std::move(s));
        settle(w);
    });
    add("cpu-cluster-options", usual, [](MainWindow& w) {
        cluster(w);
        section(w, 5);
    });
    add("cpu-cluster-machine", usual, [](MainWindow& w) {
        cluster(w);
        emit w.findChild<ClusterPanel*>()->edit_machine_asked();
        settle(w);
    });
    add("cpu-cluster-small", {1024, 700}, cluster);
    const auto on_page = [&](const char* name, QSize size, const char* chart) {
        add(name, size, [chart](MainWindow& w) {
            cluster(w);
            page(w, "cpu-cluster");
            QTest::mouseClick(find<SegmentedControl>(w, "cpuChart")->button(QLatin1String(chart)), Qt::LeftButton);
            settle(w);
        });
    };
    on_page("cpu-page-configurations", usual, "configurations");
    on_page("cpu-page-layers", usual, "layers");
    on_page("cpu-page-updates", usual, "updates");
    on_page("cpu-page-small", {1024, 700}, "configurations");
    on_page("cpu-page-small-layers", {1024, 700}, "layers");
    add("cpu-page-memory", usual, [](MainWindow& w) {
        cluster(w);
        page(w, "cpu-cluster");
        Scenario s = w.document().scenario();
        s.cluster.machine.memory = Bytes{3e8};
        w.document().edit(std::move(s));
        settle(w);
        auto* heat = find<HeatChart>(w, "cpuGrid");
        heat->refresh();
        hover(heat, heat->cell_box(3, 1).center().toPoint());
    });
    const auto servers = [](MainWindow& w) {
        w.open_scenario_preset(QStringLiteral("resnet-50-p100-servers"));
        settle(w);
    };
    add("asynchronous", usual, servers);
    add("asynchronous-staleness", usual, [servers](MainWindow& w) {
        servers(w);
        page(w, "staleness");
    });
    add("asynchronous-staleness-small", {1024, 700}, [servers](MainWindow& w) {
        servers(w);
        page(w, "staleness");
    });
}

}  // namespace scalescope::shots
