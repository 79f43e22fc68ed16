// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/bar_chart.hpp"

namespace scalescope::ui {

/// Time of every layer in a step, on one worker: stacked forward, backward, update, exposed communication.
class LayerTimeChart final : public BarChart {
    Q_OBJECT
public:
    enum class Order { network, by_time };

    explicit LayerTimeChart(QWidget* parent = nullptr);

    void set_data(LayerTimeData data);
    const LayerTimeData& data() const { return data_; }
    Order order() const { return order_; }
    void set_order(Order order);
    /// One bar per block (what stands before the first '/') instead of one per layer.
    bool by_block() const { return by_block_; }
    void set_by_block(bool on);

    /// -1 for none. Setting either from outside emits nothing.
    int selected_layer() const { return selected_; }
    void set_selected_layer(int id);
    void set_hovered_layer(int id);
    /// Ids behind bar `index`: one, or all of a block.
    std::vector<int> layers_of(int index) const;

    ChartTable table() const override;

signals:
    void layer_selected(int id);  ///< -1: nothing
    void layer_hovered(int id);   ///< -1: nothing
    void block_selected(const QString& block, const QVector<int>& ids);

protected:
    std::unique_ptr<Chart> copy() const override;
    QString unit_text() const override;
    QString short_unit_text() const override { return BarChart::unit_text(); }
    QString empty_text() const override;
    QString describe() const override;
    TooltipText tooltip_of(int index) const override;
    void bar_hovered(int index) override;
    void bar_clicked(int index) override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;
    void add_options(QMenu& menu) override;

private:
    void rebuild(bool fresh);
    int bar_of(int id) const;
    void choose(int index);

    LayerTimeData data_;
    Order order_ = Order::network;
    bool by_block_ = false;
    int selected_ = -1;
    std::vector<std::vector<int>> members_;  ///< per bar: indices into data_.layers
};

}  // namespace scalescope::ui
