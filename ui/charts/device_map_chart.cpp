// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/device_map_chart.hpp"

#include <QMouseEvent>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/charts/device_map_words.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/theme/text.hpp"

namespace scalescope::ui {
namespace {

constexpr Px above_map{6}, below_map{8};
constexpr std::int64_t most_map_rows = 4096;  ///< of the table; for more devices a row is a node
constexpr std::int64_t most_rank_names = 8;   ///< of ranks in the legend
constexpr double largest_unfolded = 28;       ///< px: of a device's cell

QString rank_key(std::int64_t rank) { return QStringLiteral("rank-") + QString::number(rank); }

}  // namespace

QString DeviceMapChart::series_of(MeshAxis axis) {
    constexpr std::array keys{"tensor", "context", "data", "pipeline", "expert", "expert_tensor"};
    return QLatin1String(keys[static_cast<std::size_t>(axis)]);
}

QColor DeviceMapChart::outline_of(MeshAxis axis, const Theme& t) {
    switch (axis) {
        case MeshAxis::data: return t.curves[0];
        case MeshAxis::pipeline: return t.curves[1];
        case MeshAxis::context: return t.curves[2];
        default: return t.text;
    }
}

DeviceMapChart::DeviceMapChart(QWidget* parent) : Chart(parent) {
    set_title(tr("Device map"));
    plot()->xAxis->setVisible(false);
    plot()->yAxis->setVisible(false);
    new Drawing(plot(), QStringLiteral("main"), [this](QPainter& p) { paint(p); });
}

void DeviceMapChart::set_map(std::shared_ptr<const DeviceMap> map, const QString& empty_reason) {
    const auto size = [](const DeviceMap* m) {
        return m ? std::pair(m->devices(), m->devices_per_node) : std::pair<std::int64_t, std::int64_t>();
    };
    const bool other = size(map_.get()) != size(map.get()) && unfolded();
    if (other) opened_.clear();
    map_ = std::move(map);
    empty_reason_ = empty_reason;
    if (!map_ || hovered_item() >= map_->devices()) set_hovered_item(-1);
    data_changed();
    if (other) emit unfolded_changed();
}

void DeviceMapChart::unfold(std::int64_t device) {
    if (!map_ || grid_.devices_in_cell() == 1 || !run().has(device)) return;
    const std::int64_t cell = cell_of(device);
    opened_.push_back({first_of(cell), grid_.count_of(cell)});
    set_hovered_item(-1);
    if (!run().has(held())) set_held(run().first);
    data_changed();
    emit device_shown(held());
    emit unfolded_changed();
}

void DeviceMapChart::fold() {
    if (!unfolded()) return;
    opened_.pop_back();
    set_hovered_item(-1);
    data_changed();
    emit device_shown(held());
    emit unfolded_changed();
}

void DeviceMapChart::set_colours(MeshAxis axis) {
    if (std::exchange(colours_, axis) != axis) data_changed();
}

MeshAxis DeviceMapChart::colours() const {
    return map_ && map_->mesh.degree(colours_) == 1 ? map_->outermost() : colours_;
}

void DeviceMapChart::set_held(std::int64_t device) {
    if (std::exchange(held_, std::max<std::int64_t>(0, device)) != device) schedule();
}

QString DeviceMapChart::unit_text() const {
    if (!map_) return {};
    const QString nodes = text_of(format_count(map_->nodes()));
    if (unfolded()) {
        const auto node = [&](std::int64_t device) { return text_of(format_count(device / map_->devices_per_node)); };
        const QString first = node(run().first), last = node(run().first + run().count - 1);
        return first == last ? tr("node %1 of %2").arg(first, nodes)
                             : tr("nodes %1 to %2 of %3").arg(first, last, nodes);
    }
    const QString each = text_of(format_count(map_->devices_per_node));
    return map_->nodes() == 1 ? tr("1 node × %1").arg(each) : tr("%1 nodes × %2").arg(nodes, each);
}

QString DeviceMapChart::empty_text() const { return map_ ? QString() : empty_reason_; }

std::vector<LegendEntry> DeviceMapChart::legend(const Theme& look) const {
    using Mark = LegendEntry::Mark;
    std::vector<LegendEntry> entries;
    if (!map_) return entries;
    const MeshAxis axis = colours();
    const std::int64_t ranks = map_->mesh.degree(axis), names = std::min(ranks, ranks > most_rank_names ? 4 : ranks);
    for (std::int64_t i = 0; i < names; ++i) {
        const std::int64_t rank = names > 1 ? i * (ranks - 1) / (names - 1) : 0;
        const QString number = text_of(format_count(rank));
        entries.push_back(LegendEntry::box(rank_key(rank), name_of_rank(axis, rank), look.rank(rank, ranks), number));
    }
    bool mixed = false;
    for (std::int64_t c = 0; grid_.devices_in_cell() > 1 && c < grid_.cells() && !mixed; ++c)
        mixed = !map_->shared_coordinate(first_of(c), grid_.devices_in_cell(), axis);
    if (mixed) entries.push_back(LegendEntry::box(QStringLiteral("several"), tr("several"), look.ideal));
    for (const MeshAxis of : map_->axes())
        entries.push_back(LegendEntry::of(Mark::hollow, series_of(of), tr("%1 group").arg(name_of_axis(of)),
                                          outline_of(of, look), name_of_axis(of)));
    return entries;
}

QString DeviceMapChart::describe() const {
    if (!map_) return {};
    const DevicePlace place = map_->place(shown_device());
    QStringList said{tr("%1 devices, %2.").arg(text_of(format_count(map_->devices())), unit_text()),
                     tr("Device %1, node %2, device %3 in it.")
                         .arg(text_of(format_count(place.device)), text_of(format_count(place.node)),
                              QString::number(place.in_node))};
    for (const DeviceGroup& g : map_->groups(place.device))
        said << tr("%1 %2 of %3: devices %4, %5.")
                    .arg(name_of_axis(g.axis), text_of(format_count(g.rank)), text_of(format_count(g.count)),
                         ranks_of(g), text_of(g.link));
    return said.join(QLatin1Char(' '));
}

int DeviceMapChart::least_below_title() const { return above_map + least_drawing + names_line + below_map; }

std::optional<MeshAxis> DeviceMapChart::column_axis() const {
    const auto axes = map_->axes();
    if (grid_.bands() == 1 || !grid_.lines_up() || axes.size() < 2) return std::nullopt;
    const MeshAxis axis = axes[axes.size() - 2];
    const std::int64_t node = std::max(map_->devices_per_node, grid_.devices_in_cell());
    return map_->mesh.stride(axis) % node == 0 ? std::optional(axis) : std::nullopt;
}

void DeviceMapChart::arrange(QSize size) {
    int left = TitleRow::margin;
    const int top = title_height() + above_map;
    if (map_) {
        const MeshAxis rows = map_->outermost();
        const std::int64_t bands = unfolded() ? 1 : map_->mesh.degree(rows);
        const double largest = unfolded() ? largest_unfolded : drawing::DeviceGrid::most;
        const int names = static_cast<int>(text_width(type::caption(), name_of_rank(rows, bands - 1))) + 10;
        const int height = std::max(24, size.height() - top - below_map - names_line);
        const int width = std::max(24, size.width() - left - TitleRow::margin);
        const drawing::DeviceRows all{run().count, map_->devices_per_node, bands};
        grid_ = drawing::DeviceGrid(all, std::max(24, width - names), height, largest);
        if (grid_.bands() > 1)
            left += names;
        else
            grid_ = drawing::DeviceGrid({all.devices, all.per_node, 1}, width, height + names_line, largest);
    }
    set_plot_rect({left, top, std::max(24, size.width() - left - TitleRow::margin),
                   std::max(24, size.height() - top - below_map)});
    any_hidden_ = !view().hidden_series.isEmpty();
    x_map_.range = y_map_.range = {0, 1};
}

QRectF DeviceMapChart::placed(const drawing::DeviceGrid::Box& b) const {
    return {plot_rect().left() + b.x, plot_rect().top() + b.y, b.width, b.height};
}

QRectF DeviceMapChart::cell_box(std::int64_t device) const {
    return run().has(device) ? placed(grid_.box(cell_of(device))) : QRectF();
}

QColor DeviceMapChart::colour_of_cell(std::int64_t cell) const {
    const auto rank = map_->shared_coordinate(first_of(cell), grid_.devices_in_cell(), colours());
    if (any_hidden_ && series_hidden(rank ? rank_key(*rank) : QStringLiteral("several"))) return look().grid;
    return rank ? look().rank(*rank, map_->mesh.degree(colours())) : look().ideal;
}

QColor DeviceMapChart::colour_of(std::int64_t device) const { return colour_of_cell(cell_of(device)); }

int DeviceMapChart::item_at(QPointF at) const {
    if (!map_) return -1;
    const auto cell = grid_.cell_at(at.x() - plot_rect().left(), at.y() - plot_rect().top());
    if (!cell) return -1;
    // In a folded cell, the held device rather than the first.
    return static_cast<int>(run().has(held()) && cell_of(held()) == *cell ? held() : first_of(*cell));
}

void DeviceMapChart::choose(int device) {
    set_held(device);
    emit device_shown(device);
}

bool DeviceMapChart::use_key(int key, Qt::KeyboardModifiers modifiers) {
    const int right = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    const int down = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    const std::int64_t first = run().first, last = first + run().count - 1;
    const std::int64_t at = run().has(held()) ? held() : first;
    std::int64_t next = at;
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return unfold(shown_device()), true;
    if (unfolded() && !table_shown() && (key == Qt::Key_Escape || key == Qt::Key_0)) return fold(), true;
    if (key == Qt::Key_Home || key == Qt::Key_End)
        next = key == Qt::Key_Home ? first : last;
    else if (right == 0 && down == 0)
        return false;
    else if (modifiers & Qt::ShiftModifier)  // the next rank, wherever it is
        next = std::clamp(at + right + down, first, last);
    else if (const auto cell = grid_.neighbour(cell_of(at), right, down); cell != cell_of(at))
        next = first_of(cell);
    set_hovered_item(-1);
    set_held(next);
    emit device_shown(next);
    return true;
}

void DeviceMapChart::mouseDoubleClickEvent(QMouseEvent* event) {
    const int device = item_at(event->position());
    if (event->button() == Qt::LeftButton && device >= 0 && !is_empty() && grid_.devices_in_cell() > 1)
        unfold(device);
    else if (event->button() == Qt::LeftButton && unfolded() && event->position().y() > title_height())
        fold();
    else
        Chart::mouseDoubleClickEvent(event);
}

ChartTable DeviceMapChart::table() const {
    ChartTable table;
    if (!map_) return table;
    const std::int64_t step = map_->devices() > most_map_rows ? map_->devices_per_node : 1;
    table.columns = {{QStringLiteral("device"), step > 1 ? tr("First device") : tr("Device"), {}},
                     {QStringLiteral("devices"), tr("Devices"), {}},
                     {QStringLiteral("node"), tr("Node"), {}}};
    for (const MeshAxis axis : map_->mesh.order) table.columns.push_back({series_of(axis), name_of_axis(axis), {}});
    table.columns.push_back({QStringLiteral("peak_gb"), tr("Memory"), QStringLiteral("GB")});
    for (std::int64_t first = 0; first < map_->devices(); first += step) {
        const DevicePlace place = map_->place(first);
        const std::int64_t count = std::min(step, map_->devices() - first);
        std::vector<ChartCell> row{double(first), double(count), double(place.node)};
        for (const MeshAxis axis : map_->mesh.order) {
            const auto shared = map_->shared_coordinate(first, count, axis);
            row.push_back(shared ? ChartCell(double(*shared)) : ChartCell());
        }
        row.emplace_back(map_->peak(first, count).value / 1e9);
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::unique_ptr<Chart> DeviceMapChart::copy() const {
    auto other = std::make_unique<DeviceMapChart>();
    other->set_map(map_, empty_reason_);
    other->colours_ = colours_;
    other->held_ = held_;
    other->opened_ = opened_;
    return other;
}

}  // namespace scalescope::ui
