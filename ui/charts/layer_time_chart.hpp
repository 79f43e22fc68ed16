// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>

#include "ui/charts/bar_chart.hpp"

namespace scalescope::ui {

/// A box of the drawn network, which stands for one layer or for several: its time, and whose it is.
struct BoxTime {
    QString path;             ///< names it in the drawing
    QString name;             ///< below the bar
    std::vector<int> layers;  ///< ids of LayerTime; those that take no time may be missing there
    TimeParts time;           ///< their sum
    bool operator==(const BoxTime&) const = default;
};

/// Time of every layer in a step, on one worker: stacked forward, backward, update, exposed communication. Or of every
/// block: as the drawing shows them, while it is on show, else by the layers' names.
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
    /// The boxes of the drawing, in its order; nothing: it is not on show. `last_valid`: what is drawn is no network
    /// yet, and the times are those of the one before.
    void set_boxes(std::optional<std::vector<BoxTime>> boxes, bool last_valid = false);
    /// One bar per box while there are boxes; kept apart from by_block().
    bool by_box() const { return by_box_; }
    void set_by_box(bool on);
    /// The box that is selected, by its path; empty: none. Emits nothing.
    QString selected_box() const { return selected_box_; }
    void set_selected_box(const QString& path);
    void set_hovered_box(const QString& path);

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
    void box_selected(const QString& path);  ///< a box of several layers
    void box_hovered(const QString& path);

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
    bool shows_boxes() const { return boxes_ && by_box_; }
    bool grouped() const { return boxes_ ? by_box_ : by_block_; }
    std::vector<std::vector<int>> members_by_name() const;
    std::vector<std::vector<int>> members_of_boxes() const;
    int bar_of(int id) const;
    int bar_of_box(const QString& path) const;
    int bar_of_selection() const;
    void choose(int index);

    LayerTimeData data_;
    Order order_ = Order::network;
    bool by_block_ = false, by_box_ = true, last_valid_ = false;
    std::optional<std::vector<BoxTime>> boxes_;
    QString selected_box_;
    QStringList paths_;  ///< per bar, of boxes
    int selected_ = -1;
    std::vector<std::vector<int>> members_;  ///< per bar: indices into data_.layers
};

}  // namespace scalescope::ui
