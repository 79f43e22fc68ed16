// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/data_chart.hpp"
#include "ui/charts/row_chart.hpp"

namespace scalescope::ui {

/// What the rows of a StackChart consist of.
struct StackSeries {
    QString key, name;
    QString column;  ///< of a CSV file, English in every language: "forward_ms"
    QColor (*colour)(const Theme&) = nullptr;
    bool hollow = false;  ///< time in which nothing runs
    bool operator==(const StackSeries&) const = default;
};

struct StackRow {
    QString name;
    QString detail;              ///< below the name, where there is room
    std::vector<double> values;  ///< by part: seconds or bytes
    bool fits = true;            ///< into memory
    QString instead;             ///< of the sum: "1.3 TB of 80 GB"
    bool shown = false;          ///< it is the open design
    int id = -1;                 ///< what a click tells; -1: nothing
    double sum() const;
    bool operator==(const StackRow&) const = default;
};

struct StackData {
    enum class Of { seconds, bytes };
    Of of = Of::seconds;
    QString title, rows_are, row_key;  ///< "Memory", "Stage", "stage": the last in CSV files
    QString unit_of;                   ///< behind the unit: "GB per device"
    std::vector<StackSeries> parts;
    std::vector<StackRow> rows;
    double limit = 0;  ///< a line across all rows; 0: none
    QString limit_name;
    bool one_design = false;  ///< all rows are of the open design: the limit says what does not fit
    QString empty_reason;
    bool operator==(const StackData&) const = default;
};

/// The parts of a TimeParts, as a stack shows them.
std::vector<StackSeries> time_stack();
std::vector<double> stack_of(const TimeParts& time);

/// One row for each design, way or stage. A row shows its parts side by side and, where there is room, writes their
/// names into them, so that nobody has to rely on the colours.
class StackChart final : public DataChart<StackChart, StackData, RowChart> {
    Q_OBJECT
public:
    explicit StackChart(QWidget* parent = nullptr);

    ChartTable table() const override;

signals:
    void row_chosen(int id);

protected:
    void rebuild(const StackData& before) override;
    bool shows_one_design() const override { return false; }  // rows are marked
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString unit_text() const override;
    QString empty_text() const override;
    QString describe() const override;
    double fit_unit(double largest) override;
    void paint_rows(QPainter& painter) override;
    TooltipText tooltip_of(int row) const override;
    bool can_choose(int row) const override { return data_.rows[static_cast<std::size_t>(row)].id >= 0; }
    void choose(int row) override { emit row_chosen(data_.rows[static_cast<std::size_t>(row)].id); }

private:
    bool has(std::size_t part) const;
    bool has_misfit() const;
    QString text_of_value(double value) const;
    double px(double value) const { return x_map_.px(value * per_value_); }
    void paint_limit(QPainter& painter);

    double per_value_ = 1;
};

}  // namespace scalescope::ui
