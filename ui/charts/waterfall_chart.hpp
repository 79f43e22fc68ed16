// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/row_chart.hpp"

namespace scalescope::ui {

/// The way from one time to another in named, signed steps: rows from top to bottom, each beginning where the one above
/// ends. Rows, not columns, because the steps have sentences for names.
class WaterfallChart final : public RowChart {
    Q_OBJECT
public:
    explicit WaterfallChart(QWidget* parent = nullptr);

    void set_data(WaterfallData data);
    const WaterfallData& data() const { return data_; }

    struct Bar {
        QString name, detail;
        Seconds from{}, to{};
        bool total = false;  ///< start or end: a bar from zero
    };
    /// Start, steps, what the steps leave unexplained (if anything), end.
    const std::vector<Bar>& bars() const { return bars_; }

    ChartTable table() const override;

protected:
    std::unique_ptr<Chart> copy() const override;
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    void paint_rows(QPainter& painter) override;
    TooltipText tooltip_of_row(int row) const override;

private:
    bool shown(const Bar& bar) const;

    WaterfallData data_;
    std::vector<Bar> bars_;
};

}  // namespace scalescope::ui
