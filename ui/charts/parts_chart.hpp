// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/row_chart.hpp"

namespace scalescope::ui {

/// A step, and what it consists of.
struct PartsRow {
    QString name;
    TimeParts time;
    bool fits = true;  ///< the step, into memory
    bool operator==(const PartsRow&) const = default;
};

struct PartsData {
    std::vector<PartsRow> rows;
    QString empty_reason;
    bool operator==(const PartsData&) const = default;
};

/// Where the time of a few steps goes: a row each, its parts one after the other, each with its name where there is
/// room, so that they are told apart without colours too.
class PartsChart final : public RowChart {
    Q_OBJECT
public:
    explicit PartsChart(QWidget* parent = nullptr);

    void set_data(PartsData data);
    const PartsData& data() const { return data_; }
    ChartTable table() const override;

protected:
    std::unique_ptr<Chart> copy() const override;
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    void paint_rows(QPainter& painter) override;
    TooltipText tooltip_of_row(int row) const override;

private:
    bool shows_one_design() const override { return false; }
    bool has(Part part) const;
    PartsData data_;
};

}  // namespace scalescope::ui
