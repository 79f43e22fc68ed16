// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/device_grid.hpp"

#include <cmath>

namespace scalescope::drawing {
namespace {

/// Columns of a node of `n` devices: 2 × 4, 6 × 12; one and a half as many where nothing divides.
std::int64_t columns_of(std::int64_t n) {
    const auto from = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(n) / 2) - 1e-9));
    for (std::int64_t c = std::max<std::int64_t>(1, from); c * c <= n; ++c)
        if (n % c == 0) return c;
    return std::max<std::int64_t>(1, from);
}

}  // namespace

DeviceRows DeviceRows::whole_nodes() const {
    DeviceRows one = *this;
    if (bands > 1 && (devices % bands != 0 || devices / bands % per_node != 0)) one.bands = 1;
    return one;
}

DeviceGrid::DeviceGrid(const DeviceRows& rows, double width, double height, double largest)
    : rows_(rows.whole_nodes()), largest_(largest) {
    arrange(width, height);
    if (rows_.bands == 1) return;
    DeviceGrid one = *this;
    one.rows_.bands = 1;
    one.arrange(width, height);
    if (one.level_ < level_ || cell_ < 0.6 * one.cell_) *this = one;
}

void DeviceGrid::arrange(double width, double height) {
    const auto take = [&](Level level, std::int64_t in_cell, double least) {
        level_ = level;
        in_cell_ = in_cell;
        per_node_ = level == Level::devices ? rows_.per_node : 1;
        wide_ = columns_of(per_node_);
        high_ = ceil_div(per_node_, wide_);
        // A rack is of one band.
        bands_ = rows_.devices / rows_.bands % in_cell == 0 ? rows_.bands : 1;
        for (double cell = largest_; cell >= least; cell -= 0.5)
            if (fits(cell, width, height)) return true;
        return false;
    };
    if (take(Level::devices, 1, least_device)) return;
    if (rows_.per_node > 1 && take(Level::nodes, rows_.per_node, least_folded)) return;
    for (std::int64_t nodes = 2; nodes < 2 * rows_.nodes(); nodes *= 2)
        if (take(Level::racks, nodes * rows_.per_node, least_folded)) return;
}

bool DeviceGrid::fits(double cell, double width, double height) {
    cell_ = cell;
    const double apart = node_gap();
    columns_ = std::max<std::int64_t>(1, static_cast<std::int64_t>((width + apart) / (node_width() + apart)));
    columns_ = std::min(columns_, nodes_in_band());
    if (node_width() > width) return false;
    const Box last = band_box(bands_ - 1);
    return last.y + last.height <= height;
}

double DeviceGrid::line_top(std::int64_t line) const {
    const std::int64_t band = line / lines_in_band();
    return static_cast<double>(line) * (node_height() + node_gap()) +
           static_cast<double>(band) * (band_gap() - node_gap());
}

DeviceGrid::Box DeviceGrid::band_box(std::int64_t band) const {
    const std::int64_t lines = lines_in_band();
    const double top = line_top(band * lines), bottom = line_top(band * lines + lines - 1) + node_height();
    const auto columns = static_cast<double>(columns_);
    return {0, top, columns * (node_width() + node_gap()) - node_gap(), bottom - top};
}

DeviceGrid::Spot DeviceGrid::spot(std::int64_t cell) const {
    const std::int64_t node = cell / per_node_, in_node = cell % per_node_, in_band = node % nodes_in_band();
    const std::int64_t line = node / nodes_in_band() * lines_in_band() + in_band / columns_;
    return {in_band % columns_ * wide_ + in_node % wide_, line * high_ + in_node / wide_};
}

std::optional<std::int64_t> DeviceGrid::cell_on(Spot at) const {
    if (at.column < 0 || at.line < 0 || at.column >= columns_ * wide_ || at.line >= bands_ * lines_in_band() * high_)
        return std::nullopt;
    const std::int64_t line = at.line / high_, band = line / lines_in_band();
    const std::int64_t in_band = line % lines_in_band() * columns_ + at.column / wide_;
    const std::int64_t in_node = at.line % high_ * wide_ + at.column % wide_;
    if (in_band >= nodes_in_band() || in_node >= per_node_) return std::nullopt;
    const std::int64_t cell = (band * nodes_in_band() + in_band) * per_node_ + in_node;
    return cell < cells() ? std::optional(cell) : std::nullopt;
}

DeviceGrid::Box DeviceGrid::box(std::int64_t cell) const {
    const Spot at = spot(cell);
    return {static_cast<double>(at.column / wide_) * (node_width() + node_gap()) +
                static_cast<double>(at.column % wide_) * (cell_ + gap),
            line_top(at.line / high_) + static_cast<double>(at.line % high_) * (cell_ + gap), cell_, cell_};
}

DeviceGrid::Box DeviceGrid::node_box(std::int64_t cell) const {
    const Box first = box(cell / per_node_ * per_node_);
    return {first.x, first.y, node_width(), node_height()};
}

std::optional<std::int64_t> DeviceGrid::cell_at(double x, double y) const {
    if (x < 0 || y < 0) return std::nullopt;
    const double apart = node_gap();
    const auto place = [](double at, double step) { return static_cast<std::int64_t>(at / step); };
    const std::int64_t node = place(x, node_width() + apart);
    const double in_node = x - static_cast<double>(node) * (node_width() + apart);
    const std::int64_t lines = bands_ * lines_in_band();
    std::int64_t line = std::min(lines - 1, place(y, node_height() + apart));
    while (line > 0 && line_top(line) > y) --line;
    const double below = y - line_top(line);
    if (in_node > node_width() + gap || below > node_height() + gap) return std::nullopt;
    return cell_on({node * wide_ + std::min(wide_ - 1, place(in_node, cell_ + gap)),
                    line * high_ + std::min(high_ - 1, place(below, cell_ + gap))});
}

std::int64_t DeviceGrid::neighbour(std::int64_t cell, int right, int down) const {
    const Spot from = spot(cell);
    for (int step = 1; step <= high_; ++step)  // a node may have a hole in its last line
        if (const auto next = cell_on({from.column + right * step, from.line + down * step})) return *next;
    return cell;
}

}  // namespace scalescope::drawing
