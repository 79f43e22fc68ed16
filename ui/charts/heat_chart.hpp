// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/data_chart.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {

/// What a cell is of, where kinds are coloured rather than amounts. The letter says it without the colour.
struct HeatKind {
    QString key, name, letter;
    QColor Theme::*colour = nullptr;
    bool operator==(const HeatKind&) const = default;
};

/// A further figure of every cell: a line of its tooltip, and a column in files.
struct HeatFact {
    QString key, name, unit;
    bool operator==(const HeatFact&) const = default;
};

struct HeatCell {
    std::optional<double> value;  ///< nothing: hatched
    QString text;                 ///< the value as people read it, with its unit
    QString brief;                ///< what is written into the cell where there is room
    QString label;                ///< of the tooltip: which one this is; or why there is no value
    int id = -1;                  ///< what a click tells; -1: nothing
    int kind = -1;                ///< index into HeatData::kinds
    bool doubtful = false;        ///< drawn hatched in its colour; `HeatData::doubt` says what that means
    std::vector<std::pair<QString, double>> facts;  ///< as HeatData::facts: in words, and as a number
    bool operator==(const HeatCell&) const = default;
};

struct HeatData {
    QString x_name, y_name, value_name, unit;
    QString x_key, y_key, value_key;  ///< of columns in files
    QStringList columns, rows;        ///< names of the values on both axes
    std::vector<HeatCell> cells;      ///< row by row
    bool larger_is_better = false;
    std::vector<HeatKind> kinds;  ///< not empty: colours are kinds
    QString kind_key, kind_name;
    QString kind_text;  ///< beside the title: what the colours are
    std::vector<HeatFact> facts;
    QString doubt, none;  ///< in the legend; what is empty has a usual word, or is left out
    QString empty_reason;
    bool operator==(const HeatData&) const = default;
};

/// A value for every pair of two things that are varied, by colour: the better, the darker. A scale beside the title
/// says which colour is which value; it is logarithmic where the values span more than a factor of twenty. Or kinds by
/// colour and letter, with a legend.
class HeatChart final : public DataChart<HeatChart, HeatData> {
    Q_OBJECT
public:
    explicit HeatChart(QWidget* parent = nullptr);

    /// Where a cell is drawn, in the widget.
    QRectF cell_box(int column, int row) const;
    /// 0 for the worst value, 1 for the best.
    double place_of(double value) const;
    QColor colour_of(double value) const;
    QColor colour_of(const HeatCell& cell) const;

    ChartTable table() const override;

signals:
    void cell_clicked(int id);

protected:
    void rebuild(const HeatData& before) override;
    bool shows_one_design() const override { return false; }
    QString unit_text() const override { return data_.kinds.empty() ? data_.unit : data_.kind_text; }
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    Extent extent() const override;
    int least_below_title() const override;
    void arrange(QSize size) override;
    int item_at(QPointF at) const override;
    int item_by_key(int key) const override;
    TooltipText tooltip_of(int index) const override;
    QPointF item_place(int index) const override;
    bool can_choose(int index) const override { return cell(index).id >= 0; }
    void choose(int index) override;

private:
    const HeatCell& cell(int index) const { return data_.cells[static_cast<std::size_t>(index)]; }
    void paint(QPainter& painter);
    void paint_scale(QPainter& painter) const;

    double least_ = 0, most_ = 0;
    bool logarithmic_ = false;
    QRectF scale_;
    QString least_text_, most_text_;
};

}  // namespace scalescope::ui
