// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/data_chart.hpp"
#include "ui/charts/row_chart.hpp"

namespace scalescope::ui {

/// One thing a little smaller and a little larger, and what that does.
struct TornadoRow {
    struct End {
        QString text;                  ///< "11.0 GB/s"
        std::optional<double> change;  ///< relative; nothing where impossible
        QString problem;               ///< why it is
        bool operator==(const End&) const = default;
    };
    QString id;  ///< what signals carry
    QString name;
    End less, more;
    double elasticity = 0.0;
    QString sentence;
    bool operator==(const TornadoRow&) const = default;
};

struct TornadoData {
    QString objective;              ///< "Step"
    QString value;                  ///< "239 ms"
    bool larger_is_better = false;  ///< of the objective
    QString less_name, more_name;   ///< "10 % less", "10 % more"
    std::vector<TornadoRow> rows;   ///< the largest effect first
    QString empty_reason;
    bool operator==(const TornadoData&) const = default;
};

/// What a little more (full bars) and less (hatched) of everything does to one objective: a row each, bars from zero to
/// the change in percent, the largest on top. Colour says better or worse, the sign beside each bar says which way.
class TornadoChart final : public DataChart<TornadoChart, TornadoData, RowChart> {
    Q_OBJECT
public:
    explicit TornadoChart(QWidget* parent = nullptr);

    /// The bar of a row for more or less, in widget pixels; empty without one.
    QRectF bar_box(int row, bool more) const;
    /// What is written beside the bars at the right or at the left; empty without any.
    QRectF value_box(int row, bool right) const;

    ChartTable table() const override;

signals:
    /// A click, Enter or Space on a row.
    void row_chosen(const QString& id);

protected:
    void rebuild(const TornadoData& before) override;
    QString unit_text() const override;
    QString short_unit_text() const override { return QStringLiteral("%"); }
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    void fit_x(int width) override;
    bool can_choose(int) const override { return true; }
    void choose(int row) override { emit row_chosen(data_.rows[static_cast<std::size_t>(row)].id); }
    void paint_rows(QPainter& painter) override;
    TooltipText tooltip_of(int row) const override;

private:
    bool better(double change) const { return (change > 0.0) == data_.larger_is_better; }
    bool shown(const TornadoRow::End& end, bool more) const;
    QString value_text(const TornadoRow& row, bool right) const;
    void paint_values(QPainter& painter, int row);
};

}  // namespace scalescope::ui
