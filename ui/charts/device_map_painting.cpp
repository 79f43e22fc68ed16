// SPDX-License-Identifier: GPL-3.0-or-later
// What DeviceMapChart draws: cells, their names, and the groups of one device.
#include "ui/charts/plot.hpp"
//
#include <QPainter>
#include <set>

#include "core/base/format.hpp"
#include "ui/charts/device_map_chart.hpp"
#include "ui/charts/device_map_words.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/theme/text.hpp"

namespace scalescope::ui {
namespace {

constexpr std::int64_t most_rounded_cells = 1024;  ///< cells with round corners
constexpr double cell_with_number = 13, cell_corner = 1.5;

}  // namespace

void DeviceMapChart::paint(QPainter& painter) const {
    if (!map_) return;
    const Theme& t = look();
    const bool rounded = grid_.cells() <= most_rounded_cells, numbers = grid_.cell() >= cell_with_number;
    painter.save();
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing, rounded);
    for (std::int64_t cell = 0; cell < grid_.cells(); ++cell) {
        const QRectF box = placed(grid_.box(cell));
        const QColor colour = colour_of_cell(cell);
        if (!rounded) {
            painter.fillRect(box, colour);
            continue;
        }
        painter.setBrush(colour);
        painter.drawRoundedRect(box, cell_corner, cell_corner);
        const auto rank = map_->shared_coordinate(first_of(cell), grid_.devices_in_cell(), colours());
        if (!numbers || !rank || *rank > 9 || colour == t.grid) continue;
        draw_label(painter, box, Qt::AlignCenter, type::caption(), t.ink_on(colour), QString::number(*rank));
        painter.setPen(Qt::NoPen);
    }
    painter.restore();
    paint_names(painter);
    paint_groups(painter);
}

void DeviceMapChart::paint_names(QPainter& painter) const {
    if (grid_.bands() == 1) return;
    const Theme& t = look();
    const MeshAxis rows = map_->outermost();
    const int names = plot_rect().left() - TitleRow::margin;
    double next = 0;
    for (std::int64_t b = 0; b < grid_.bands(); ++b) {
        const QRectF band = placed(grid_.band_box(b));
        const QRectF room(TitleRow::margin, band.center().y() - 8, names - 8, 16);
        if (room.top() < next) continue;  // as many names as have room
        next = room.bottom();
        draw_label(painter, room, Qt::AlignLeft | Qt::AlignVCenter, type::caption(), t.secondary,
                   name_of_rank(rows, b));
    }
    const auto axis = column_axis();
    if (!axis) return;
    const QRectF last = placed(grid_.band_box(grid_.bands() - 1));
    const double y = last.bottom() + 2;
    draw_label(painter, QRectF(TitleRow::margin, y, names - 8, names_line), Qt::AlignLeft | Qt::AlignVCenter,
               type::caption(), t.secondary, name_of_axis(*axis));
    const std::int64_t band = map_->devices() / grid_.bands(), apart = map_->mesh.stride(*axis);
    double free = last.left();
    for (std::int64_t device = 0; device < band; device += apart) {
        const auto node = [&](std::int64_t of) { return placed(grid_.node_box(cell_of(of))); };
        const QRectF from = node(device), to = node(device + apart - 1);
        const QString text = text_of(format_count(map_->coordinate(device, *axis)));
        const double width = text_width(type::caption(), text) + 4, x = (from.left() + to.right() - width) / 2;
        if (x < free - 6) continue;
        draw_label(painter, QRectF(x, y, width, names_line), Qt::AlignCenter, type::caption(), t.secondary, text);
        free = x + width + 6;
    }
}

void DeviceMapChart::paint_groups(QPainter& painter) const {
    const Theme& t = look();
    const std::int64_t device = shown_device();
    const auto outline = [&](const QRectF& box, const QColor& colour, double width, double outside) {
        painter.setPen(QPen(colour, width));
        painter.drawRoundedRect(box.adjusted(-outside, -outside, outside, outside), cell_corner + outside,
                                cell_corner + outside);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const DeviceGroup& g : map_->groups(device)) {
        if (map_->mesh.degree(g.axis) == 1 || g.count == 1 || series_hidden(series_of(g.axis))) continue;
        const QColor colour = outline_of(g.axis, t);
        if (g.in_node() && g.count == map_->devices_per_node && grid_.devices_in_cell() == 1) {
            if (run().has(device)) outline(placed(grid_.node_box(cell_of(device))), colour, 1.5, 2.5);
            continue;
        }
        std::set<std::int64_t> cells;
        for (std::int64_t i = 0; i < g.count; ++i)
            if (const std::int64_t rank = g.first + i * g.stride; run().has(rank)) cells.insert(cell_of(rank));
        for (const std::int64_t cell : cells) outline(placed(grid_.box(cell)), colour, grid_.cell() < 8 ? 1 : 2, 0.5);
    }
    if (run().has(device)) outline(cell_box(device), t.accent, 3, 1);
    painter.restore();
}

}  // namespace scalescope::ui
