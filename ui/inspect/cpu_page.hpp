// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/charts/chart.hpp"
#include "ui/live/view.hpp"

class QStackedLayout;
class QStackedWidget;

namespace scalescope::ui {

class HeatChart;
class KeyFigures;
class LayerTimeChart;
class ResourceChart;
class SegmentedControl;

/// A CPU cluster from three sides: which configurations there are and what sets their time, one sample by layers with
/// its exchange, a step with both kinds of updates. A cell of the first leads to its configuration.
class CpuPage final : public QWidget, public View {
    Q_OBJECT
public:
    explicit CpuPage(QWidget* parent = nullptr);

    LayerTimeChart* layer_chart() const { return layer_chart_; }
    NamedCharts charts() const override;
    /// Brings one of its charts forward; nothing for what is none of them.
    void show_chart(const QWidget* chart);
    void show_result(const LiveResultPtr& result) override;
    void add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const override;
    void show_analysis(const AnalysisPtr& latest, bool current) override;

signals:
    void configuration_chosen(const scalescope::CpuCell& cell);
    /// The design is no CPU cluster, and shall become one.
    void switch_asked();

private:
    QStackedLayout* pages_;
    SegmentedControl* choice_;
    KeyFigures* figures_;
    QStackedWidget* charts_;
    HeatChart* grid_chart_;
    LayerTimeChart* layer_chart_;
    ResourceChart* updates_chart_;
    std::optional<CpuGrid> grid_;
};

}  // namespace scalescope::ui
