// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/checked.hpp"

namespace scalescope::drawing {

/// Devices of a cluster, in the order of their ranks, and the bands that they are to be drawn in.
struct DeviceRows {
    std::int64_t devices = 1, per_node = 1;
    std::int64_t bands = 1;  ///< equal runs of devices, each beginning on a new line

    std::int64_t nodes() const { return ceil_div(devices, per_node); }
    /// The same in one band if bands would cut nodes.
    DeviceRows whole_nodes() const;
    bool operator==(const DeviceRows&) const = default;
};

/// A map of devices that fits into a rectangle: nodes as blocks of cells, in lines from left to right. Where a cell
/// would be below 4 px, a node is one cell; where that would be below 3 px, a rack of 2, 4, 8 … nodes is.
class DeviceGrid {
public:
    enum class Level { devices, nodes, racks };
    static constexpr double most = 14, least_device = 4, least_folded = 3, gap = 1.5;

    struct Box {
        double x = 0, y = 0, width = 0, height = 0;
    };

    DeviceGrid() = default;
    /// For a rectangle of `width` × `height` px. Bands that would cost much of the cells' size are not used. No cell is
    /// larger than `largest` px.
    DeviceGrid(const DeviceRows& rows, double width, double height, double largest = most);

    Level level() const { return level_; }
    double cell() const { return cell_; }
    std::int64_t devices_in_cell() const { return in_cell_; }
    std::int64_t cells() const { return ceil_div(rows_.devices, in_cell_); }
    std::int64_t cell_of(std::int64_t device) const { return device / in_cell_; }
    std::int64_t first_of(std::int64_t cell) const { return cell * in_cell_; }
    /// Of its devices, fewer in the last cell.
    std::int64_t count_of(std::int64_t cell) const { return std::min(in_cell_, rows_.devices - first_of(cell)); }
    /// Nodes side by side in one line.
    std::int64_t columns() const { return columns_; }
    std::int64_t bands() const { return bands_; }
    Box box(std::int64_t cell) const;
    /// All cells of the node of a cell; the cell itself where nodes are folded.
    Box node_box(std::int64_t cell) const;
    Box band_box(std::int64_t band) const;
    /// Whether each band is one line, so that devices below each other are at the same place in their bands.
    bool lines_up() const { return lines_in_band() == 1; }
    std::optional<std::int64_t> cell_at(double x, double y) const;
    /// The cell `right` columns and `down` lines away, at the border the last one.
    std::int64_t neighbour(std::int64_t cell, int right, int down) const;

private:
    struct Spot {
        std::int64_t column = 0, line = 0;
    };
    void arrange(double width, double height);
    bool fits(double cell, double width, double height);
    double node_gap() const { return wide_ * high_ == 1 ? gap : std::clamp(0.6 * cell_, 4.0, 8.0); }
    double band_gap() const { return bands_ == 1 ? 0 : std::max(node_gap(), 0.7 * cell_) + 2; }
    double extent(std::int64_t count) const { return static_cast<double>(count) * (cell_ + gap) - gap; }
    double node_width() const { return extent(wide_); }
    double node_height() const { return extent(high_); }
    std::int64_t cells_in_node() const { return wide_ * high_; }
    std::int64_t nodes_in_band() const { return ceil_div(ceil_div(cells(), per_node_), bands_); }
    std::int64_t lines_in_band() const { return ceil_div(nodes_in_band(), columns_); }
    double line_top(std::int64_t line) const;
    Spot spot(std::int64_t cell) const;
    std::optional<std::int64_t> cell_on(Spot spot) const;

    DeviceRows rows_;
    Level level_ = Level::devices;
    std::int64_t in_cell_ = 1, per_node_ = 1;  ///< devices in a cell, cells in a node
    std::int64_t wide_ = 1, high_ = 1;         ///< cells of a node
    std::int64_t columns_ = 1, bands_ = 1;
    double cell_ = most, largest_ = most;
};

}  // namespace scalescope::drawing
