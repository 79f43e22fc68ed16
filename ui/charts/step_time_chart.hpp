// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/bar_chart.hpp"

namespace scalescope::ui {

/// Where the time of a step goes, over worker counts.
class StepTimeChart final : public BarChart {
    Q_OBJECT
public:
    explicit StepTimeChart(QWidget* parent = nullptr);

    void set_data(StepTimeData data);
    const StepTimeData& data() const { return data_; }
    /// Worker count of bar `index`.
    int workers_of(int index) const;

    ChartTable table() const override;

signals:
    /// A count was clicked or reached by keys.
    void workers_chosen(int workers);

protected:
    std::unique_ptr<Chart> copy() const override;
    bool shows_one_design() const override { return false; }
    QString empty_text() const override;
    QString describe() const override;
    TooltipText tooltip_of(int index) const override;
    void bar_clicked(int index) override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;

private:
    StepTimeData data_;  ///< bars by rising worker count
};

}  // namespace scalescope::ui
