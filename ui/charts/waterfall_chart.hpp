// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/data_chart.hpp"
#include "ui/charts/row_chart.hpp"

namespace scalescope::ui {

/// The way from one value to another in named, signed steps: rows from top to bottom, each beginning where the one
/// above ends. Rows, not columns, because the steps have sentences for names. The values are times, unless the data say
/// what else.
class WaterfallChart final : public DataChart<WaterfallChart, WaterfallData, RowChart> {
    Q_OBJECT
public:
    explicit WaterfallChart(QWidget* parent = nullptr);

    struct Bar {
        QString name, detail, id;
        double from = 0.0, to = 0.0;
        bool total = false;  ///< start or end: a bar from zero
        bool fits = true;    ///< false: marked as what cannot run
    };
    /// Start, steps, what the steps leave unexplained (if anything), end.
    const std::vector<Bar>& bars() const { return bars_; }

    ChartTable table() const override;

signals:
    /// A click, Enter or Space on a step that has an id.
    void row_chosen(const QString& id);

protected:
    void rebuild(const WaterfallData& before) override;
    /// Without a quantity the two ends are one design, priced twice.
    bool shows_one_design() const override { return !data_.quantity; }
    QString unit_text() const override;
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    double fit_unit(double largest) override;
    int least_below_title() const override;
    void arrange(QSize size) override;
    bool can_choose(int row) const override { return !bars_[static_cast<std::size_t>(row)].id.isEmpty(); }
    void choose(int row) override { emit row_chosen(bars_[static_cast<std::size_t>(row)].id); }
    void paint_rows(QPainter& painter) override;
    TooltipText tooltip_of(int row) const override;

private:
    /// Of one second, or of one of the quantity, as x shows it.
    double per_value() const { return data_.quantity ? 1.0 : per_second(time_unit_); }
    double px(double value) const { return x_map_.px(value * per_value()); }
    QString shown_unit() const;
    /// "−60.0 ms", "239 ms".
    QString whole_text(double value) const;
    bool better(const Bar& bar) const;
    bool shown(const Bar& bar) const;
    bool has_misfit() const { return !data_.start_fits || !data_.end_fits; }
    void paint_foot(QPainter& painter);

    std::vector<Bar> bars_;
    QRectF foot_box_;
};

}  // namespace scalescope::ui
