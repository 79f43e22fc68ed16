// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/bar_chart.hpp"
#include "ui/charts/data_chart.hpp"

namespace scalescope::ui {

/// Where the time of a step goes, over worker counts.
class StepTimeChart final : public DataChart<StepTimeChart, StepTimeData, BarChart> {
    Q_OBJECT
public:
    explicit StepTimeChart(QWidget* parent = nullptr);

    /// Worker count of bar `index`.
    int workers_of(int index) const;

    ChartTable table() const override;

signals:
    /// A count was clicked or reached by keys.
    void workers_chosen(int workers);

protected:
    void make_sound(StepTimeData& data) const override;  ///< bars by rising worker count
    void rebuild(const StepTimeData& before) override;
    bool shows_one_design() const override { return false; }
    QString empty_text() const override;
    QString describe() const override;
    TooltipText tooltip_of(int index) const override;
    void choose(int index) override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;
};

}  // namespace scalescope::ui
