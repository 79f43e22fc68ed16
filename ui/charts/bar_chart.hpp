// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/category_labels.hpp"
#include "ui/charts/chart.hpp"
#include "ui/charts/chart_data.hpp"

namespace scalescope::ui {

class ThinScrollBar;

/// Stacked bars over names: what the charts over layers and over worker counts share. Bars lie on slots: bar i from i
/// to i + 1 on x; y is time in the unit shown.
class BarChart : public Chart {
    Q_OBJECT
public:
    struct Bar {
        QString label, block;
        TimeParts time;
        QString reason;    ///< not empty: no bar here, and why
        bool fits = true;  ///< false: drawn, and marked as what cannot run
        bool operator==(const Bar&) const = default;
    };

    /// As drawn, from left to right.
    const std::vector<Bar>& bars() const { return bars_; }
    /// Sum of the parts that are not hidden by the legend.
    Seconds visible_total(int index) const;
    /// Where bar `index` stands (without hidden communication beside it) in widget pixels.
    QRectF bar_box(int index) const;
    /// Where hidden communication is drawn; empty if there is none.
    QRectF hidden_box(int index) const;
    CategoryLabels::Mode label_mode() const { return labels_.mode(); }
    TimeUnit time_unit() const { return time_unit_; }

protected:
    explicit BarChart(QWidget* parent);

    /// `fresh`: other bars than before, so steadiness of the axis means nothing.
    void set_bars(std::vector<Bar> bars, std::vector<BarPin> pins, BarParts parts, bool fresh);
    /// The bar with the band of the selection.
    void set_marked(int index);
    int marked() const { return marked_; }
    void set_caption(const QString& caption) { caption_ = caption; }
    /// Below this width of a slot the chart scrolls rather than squeezing more; 0: all bars always fit.
    void set_least_slot(double px) { least_slot_ = px; }
    /// Values over every bar, or only over the marked one.
    void set_values_over_all(bool all) { values_over_all_ = all; }
    void set_slanted_labels(bool allowed) { labels_.set_slanting(allowed); }
    void bring_into_view(int index);

    /// The rows of a tooltip: the parts in stack order, hidden communication first.
    std::vector<TooltipText::Row> part_rows(const TimeParts& time) const;
    /// "A 17.2 ms", for each pin that has a bar here.
    QStringList pin_facts(int index) const;
    QString shown_time(Seconds t) const;
    static QString part_key(Part part);
    /// Columns and cells every bar table has after its first columns.
    void append_part_columns(ChartTable& table) const;
    void append_part_cells(std::vector<ChartCell>& row, int index) const;

    QString unit_text() const override;
    std::vector<LegendEntry> legend(const Theme& look) const override;
    Extent extent() const override;
    int least_below_title() const override;
    void arrange(QSize size) override;
    int item_at(QPointF at) const override;
    bool can_choose(int) const override { return true; }
    Qt::CursorShape cursor_at(QPointF) const override { return Qt::ArrowCursor; }
    const std::vector<BarPin>& pins() const { return pins_; }
    BarParts parts() const { return parts_; }

private:
    struct Widths {
        double slot, bar, strip;  ///< px; strip is 0 without hidden communication
    };
    Widths widths(double scale) const;
    bool part_shown(Part part) const { return part_shown_[static_cast<std::size_t>(part)]; }
    bool hidden_shown() const { return parts_.hidden && hidden_shown_; }
    bool pin_shown(std::size_t pin) const;
    void read_hidden_series();
    double bar_left(int index, double scale) const;
    std::pair<int, int> visible() const;
    double needed_top(double height) const;
    void place_scroll_bar();
    void paint_bands(QPainter& painter);
    void paint_bars(QPainter& painter);
    void paint_columns(QPainter& painter, double scale);
    void paint_stack(QPainter& painter, int index, QRectF column, double scale, bool gaps);
    void paint_pins(QPainter& painter, int index, const QRectF& bar);
    void paint_values(QPainter& painter);
    void paint_caption(QPainter& painter);

    std::vector<Bar> bars_;
    std::vector<BarPin> pins_;
    BarParts parts_;
    int marked_ = -1;
    QString caption_;
    double least_slot_ = 0.0;
    bool values_over_all_ = true, fresh_ = true;
    int reveal_ = -1;  ///< to be brought into view once there is a layout
    // What the legend leaves on, asked for every segment of every bar.
    std::array<bool, all_parts.size()> part_shown_{true, true, true, true, true, true, true, true};
    bool hidden_shown_ = true, misfits_shown_ = true;
    CategoryLabels labels_;
    ThinScrollBar* scroll_bar_;
};

}  // namespace scalescope::ui
