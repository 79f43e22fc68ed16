// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/data_chart.hpp"
#include "ui/charts/row_chart.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {

/// One row: from when to when something is busy, or a sum.
struct ResourceBar {
    QString key, name;
    Seconds from{}, length{};
    QColor Theme::*colour = nullptr;
    bool total = false;
    QString detail;  ///< of the tooltip
    bool operator==(const ResourceBar&) const = default;
};

struct ResourceData {
    std::vector<ResourceBar> bars;
    QString empty_reason;
    bool operator==(const ResourceData&) const = default;
};

/// What is busy when in a step, in rows: beside each other where things run at once, one after the other where not.
class ResourceChart final : public DataChart<ResourceChart, ResourceData, RowChart> {
    Q_OBJECT
public:
    explicit ResourceChart(QWidget* parent = nullptr);

    ChartTable table() const override;

protected:
    void rebuild(const ResourceData& before) override;
    std::vector<LegendEntry> legend(const Theme&) const override { return {}; }
    QString empty_text() const override;
    QString describe() const override;
    void paint_rows(QPainter& painter) override;
    TooltipText tooltip_of(int row) const override;
};

}  // namespace scalescope::ui
