// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.hpp"
#include "ui/charts/data_chart.hpp"
#include "ui/charts/row_chart.hpp"
#include "ui/charts/zoom_strip.hpp"

namespace scalescope::ui {

class TimelineFind;

/// What runs when in one step: a row per stream or pipeline stage, a box per piece of work. Where there is room, a
/// strip above shows the whole step.
class TimelineChart final : public DataChart<TimelineChart, TimelineData, RowChart> {
    Q_OBJECT
public:
    explicit TimelineChart(QWidget* parent = nullptr);

    /// Index of the box at a point, -1 for none.
    int box_at(QPointF at) const;
    QRectF box_rect(int index) const;
    /// The micro-batch that is followed through the stages, the others being pale; -1: none.
    int followed() const { return followed_; }
    int selected_layer() const { return selected(); }
    void set_selected_layer(int id) { set_selected(id); }

    /// Opens the field that finds boxes by the words of their row, of what they do and of their layer.
    void open_find();

    /// Its place is empty if the chart is too low to show it.
    const ZoomStrip& strip() const { return strip_; }

    ChartTable table() const override;

signals:
    void layer_selected(int id);
    void layer_hovered(int id);  ///< -1: none

protected:
    void make_sound(TimelineData& data) const override;
    void rebuild(const TimelineData& before) override;
    QString unit_text() const override;
    QString short_unit_text() const override { return RowChart::unit_text(); }
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    void hover(QPointF at) override;
    void leave() override;
    bool take_hold(QPointF at) override { return strip_.take_hold(at); }
    void drag_to(QPointF at) override { show_x(strip_.dragged_to(at)); }
    void let_go() override { show_x(strip_.let_go()); }
    Qt::CursorShape cursor_at(QPointF at) const override { return strip_.cursor_at(at); }
    int least_below_title() const override { return RowChart::least_below_title() - strip_room_; }
    void arrange(QSize size) override;
    void click(QPointF at) override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;
    void paint_rows(QPainter& painter) override;
    void add_options(QMenu& menu) override;

private:
    TooltipText tooltip_of_box(int index) const;
    void focus_box(int index);
    bool use_letter(int key);
    void follow();
    void fit_marked();
    QStringList words_of_box(const TimelineBox& box, const std::vector<LegendEntry>& kinds) const;
    std::vector<int> found() const;
    void find_next(bool later, bool stay);
    int next_of_followed(bool later) const;
    void paint_box(QPainter& painter, int index, const QRectF& box) const;
    void paint_strip(QPainter& painter);
    double strip_height() const;
    QString time_shown(Seconds s) const;

    std::vector<std::size_t> row_begin_;  ///< first box of each row, and the end; boxes are sorted by row, then start
    std::vector<Seconds> longest_;        ///< per row: length of its longest box, which bounds the search for overlaps
    int focused_ = -1, hovered_box_ = -1, followed_ = -1;
    TimelineFind* find_ = nullptr;  ///< from its first use on
    ZoomStrip strip_;
    int strip_room_ = 0;
    QImage lanes_;  ///< of the strip; null: to be drawn
    std::pair<const Theme*, QStringList> lanes_of_;
};

}  // namespace scalescope::ui
