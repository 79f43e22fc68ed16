// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/drawing/device_grid.hpp"
#include "core/estimate/device_map.hpp"
#include "ui/charts/chart.hpp"

namespace scalescope::ui {

/// All devices of a mesh as cells, node by node, coloured by their rank on one axis; the groups of one device outlined.
/// Where devices are too many, a cell is a node or several, and a double click or Enter shows its devices alone.
/// Nothing is said over the map: who shows the details follows `device_shown`.
class DeviceMapChart final : public Chart {
    Q_OBJECT
public:
    explicit DeviceMapChart(QWidget* parent = nullptr);

    /// Keeps the held device as long as there is one of that rank.
    void set_map(std::shared_ptr<const DeviceMap> map, const QString& empty_reason = {});
    const DeviceMap* map() const { return map_.get(); }
    /// Axis of the colours: the one asked for, or the outermost where that has one rank.
    void set_colours(MeshAxis axis);
    MeshAxis colours() const;
    /// Whose groups are outlined while no other is hovered. Emits nothing.
    void set_held(std::int64_t device);
    std::int64_t held() const { return map_ ? std::min(held_, map_->devices() - 1) : 0; }
    /// The hovered device, or the held one.
    std::int64_t shown_device() const { return hovered_item() >= 0 ? hovered_item() : held(); }
    const drawing::DeviceGrid& grid() const { return grid_; }
    /// Shows only the devices of a folded cell; nothing happens for a cell of one device.
    void unfold(std::int64_t device);
    /// From there to what was shown before.
    void fold();
    bool unfolded() const { return !opened_.empty(); }
    /// Where the cell of a device is drawn, in the widget; empty for one that is not shown.
    QRectF cell_box(std::int64_t device) const;
    /// Of the cell of a device; grey where its devices have several ranks.
    QColor colour_of(std::int64_t device) const;

    ChartTable table() const override;

signals:
    void device_shown(qint64 device);
    void unfolded_changed();

protected:
    std::unique_ptr<Chart> copy() const override;
    QString unit_text() const override;
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    Extent extent() const override { return {{0, 1}, {0, 1}, 1.0, Zooming::x_only, false}; }
    int least_below_title() const override;
    void arrange(QSize size) override;
    /// Items are devices.
    int item_at(QPointF at) const override;
    void item_hovered(int) override { emit device_shown(shown_device()); }
    bool can_choose(int) const override { return true; }
    void choose(int device) override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    /// Devices side by side by rank.
    struct Run {
        std::int64_t first = 0, count = 0;
        bool has(std::int64_t device) const { return device >= first && device < first + count; }
    };
    /// What is shown: all, or what was unfolded.
    Run run() const { return unfolded() ? opened_.back() : Run{0, map_ ? map_->devices() : 0}; }
    std::int64_t cell_of(std::int64_t device) const { return grid_.cell_of(device - run().first); }
    std::int64_t first_of(std::int64_t cell) const { return run().first + grid_.first_of(cell); }
    static QString series_of(MeshAxis axis);
    static constexpr Px names_line{16};  ///< below the cells
    /// Of the outlines of its groups.
    static QColor outline_of(MeshAxis axis, const Theme& theme);
    QRectF placed(const drawing::DeviceGrid::Box& box) const;
    /// The axis whose ranks stand below each other, if there is one.
    std::optional<MeshAxis> column_axis() const;
    QColor colour_of_cell(std::int64_t cell) const;
    void paint(QPainter& painter) const;
    void paint_names(QPainter& painter) const;
    void paint_groups(QPainter& painter) const;

    std::shared_ptr<const DeviceMap> map_;
    QString empty_reason_;
    MeshAxis colours_ = MeshAxis::pipeline;
    std::int64_t held_ = 0;
    std::vector<Run> opened_;  ///< each within the one before
    drawing::DeviceGrid grid_;
    bool any_hidden_ = false;
};

}  // namespace scalescope::ui
