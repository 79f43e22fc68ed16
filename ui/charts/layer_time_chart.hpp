// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/charts/bar_chart.hpp"
#include "ui/charts/data_chart.hpp"

namespace scalescope::ui {

/// Time of every layer in a step, on one worker: stacked forward, backward, update, exposed communication. Layers that
/// are folded into one row of the outline, or one box of the drawing, have one bar.
class LayerTimeChart final : public DataChart<LayerTimeChart, LayerTimeData, BarChart> {
    Q_OBJECT
public:
    enum class Order { network, by_time };

    explicit LayerTimeChart(QWidget* parent = nullptr);

    Order order() const { return order_; }
    void set_order(Order order);
    /// The box that is selected, by its path; empty: none. Emits nothing.
    QString selected_box() const { return selected_box_; }
    void set_selected_box(const QString& path);
    void set_hovered_box(const QString& path);

    /// -1 for none. Setting either from outside emits nothing.
    int selected_layer() const { return selected_; }
    void set_selected_layer(int id);
    void set_hovered_layer(int id);
    /// Ids behind bar `index`.
    std::vector<int> layers_of(int index) const;

    ChartTable table() const override;

signals:
    void layer_selected(int id);             ///< -1: nothing
    void layer_hovered(int id);              ///< -1: nothing
    void box_selected(const QString& path);  ///< a box of several layers
    void box_hovered(const QString& path);

protected:
    void rebuild(const LayerTimeData& before) override;
    void copy_state(const LayerTimeChart& other) override;
    QString unit_text() const override;
    QString short_unit_text() const override { return BarChart::unit_text(); }
    QString empty_text() const override;
    QString describe() const override;
    TooltipText tooltip_of(int index) const override;
    void item_hovered(int index) override;
    void choose(int index) override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;
    void add_options(QMenu& menu) override;

private:
    void sort_bars(bool fresh);
    const LayerTime& bar(int index) const;
    int bar_of(int id) const;
    int bar_of_box(const QString& path) const;
    int bar_of_selection() const;

    Order order_ = Order::network;
    QString selected_box_;
    int selected_ = -1;
    std::vector<std::size_t> shown_;  ///< per bar: index into data_.layers
};

}  // namespace scalescope::ui
