// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/layer_time_chart.hpp"

#include <QActionGroup>
#include <QMenu>
#include <algorithm>
#include <numeric>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"

namespace scalescope::ui {
namespace {

constexpr double least_slot = 3.0;  // px: a bar of two and a gap

QString block_of(const QString& name) { return name.left(std::max<qsizetype>(name.indexOf(QLatin1Char('/')), 0)); }

}  // namespace

LayerTimeChart::LayerTimeChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("Time per layer"));
    set_least_slot(least_slot);
}

void LayerTimeChart::rebuild(const LayerTimeData& before) {
    const auto &now = data_.layers, &then = before.layers;
    sort_bars(!std::equal(now.begin(), now.end(), then.begin(), then.end(),
                          [](const LayerTime& a, const LayerTime& b) { return a.id == b.id; }));
}

void LayerTimeChart::copy_state(const LayerTimeChart& other) {
    order_ = other.order_;
    selected_ = other.selected_;
    selected_box_ = other.selected_box_;
    sort_bars(false);
}

void LayerTimeChart::set_order(Order order) {
    if (order == order_) return;
    order_ = order;
    sort_bars(false);
    emit view_changed();
}

const LayerTime& LayerTimeChart::bar(int index) const { return data_.layers[shown_[at(index)]]; }

void LayerTimeChart::sort_bars(bool fresh) {
    set_title(data_.title.isEmpty() ? tr("Time per layer") : data_.title);
    const auto& layers = data_.layers;
    shown_.resize(layers.size());
    std::iota(shown_.begin(), shown_.end(), std::size_t{0});
    if (order_ == Order::by_time)
        std::stable_sort(shown_.begin(), shown_.end(), [&layers](std::size_t a, std::size_t b) {
            return layers[a].time.total() > layers[b].time.total();
        });
    std::vector<Bar> bars(shown_.size());
    for (std::size_t b = 0; b < bars.size(); ++b) {
        const LayerTime& layer = layers[shown_[b]];
        bars[b].label = layer.name;
        bars[b].time = layer.time;
        if (order_ == Order::network) bars[b].block = layer.block.isEmpty() ? block_of(layer.name) : layer.block;
    }
    std::vector<BarPin> pins;
    for (const BarPin& pin : data_.pins) {
        BarPin& sorted = pins.emplace_back(BarPin{pin.name, {}, {}});
        for (const std::size_t l : shown_) {
            sorted.totals.push_back(pin.total(l));
            sorted.misfits.push_back(sorted.totals.back() && pin.misfit(l));
        }
    }
    set_bars(std::move(bars), std::move(pins), data_.parts, fresh);
    set_marked(bar_of_selection());
}

int LayerTimeChart::bar_of_box(const QString& path) const {
    for (int b = 0; !path.isEmpty() && at(b) < shown_.size(); ++b)
        if (bar(b).path == path) return b;
    return -1;
}

int LayerTimeChart::bar_of_selection() const {
    const int box = bar_of_box(selected_box_);
    return box >= 0 ? box : bar_of(selected_);
}

int LayerTimeChart::bar_of(int id) const {
    for (int b = 0; id >= 0 && at(b) < shown_.size(); ++b) {
        const LayerTime& layer = bar(b);
        const auto& all = layer.layers;
        if (all.empty() ? layer.id == id : std::find(all.begin(), all.end(), id) != all.end()) return b;
    }
    return -1;
}

std::vector<int> LayerTimeChart::layers_of(int index) const {
    if (index < 0 || at(index) >= shown_.size()) return {};
    return bar(index).layers.empty() ? std::vector<int>{bar(index).id} : bar(index).layers;
}

void LayerTimeChart::set_selected_layer(int id) {
    if (id == selected_) return;
    selected_ = id;
    set_marked(bar_of_selection());
    bring_into_view(marked());
}

void LayerTimeChart::set_selected_box(const QString& path) {
    if (path == selected_box_) return;
    selected_box_ = path;
    set_marked(bar_of_selection());
    bring_into_view(marked());
}

void LayerTimeChart::set_hovered_box(const QString& path) { set_hovered_item(bar_of_box(path)); }

void LayerTimeChart::set_hovered_layer(int id) { set_hovered_item(bar_of(id)); }

void LayerTimeChart::choose(int index) {
    if (index < 0 || at(index) >= shown_.size()) return;
    const LayerTime& chosen = bar(index);
    const bool box = !chosen.path.isEmpty() && chosen.layers.size() != 1;
    selected_ = box ? -1 : chosen.id;
    selected_box_ = box ? chosen.path : QString();
    set_marked(index);
    bring_into_view(index);
    if (box)
        emit box_selected(selected_box_);
    else
        emit layer_selected(selected_);
}

void LayerTimeChart::item_hovered(int index) {
    const bool any = index >= 0 && at(index) < shown_.size();
    const bool box = any && !bar(index).path.isEmpty() && bar(index).layers.size() != 1;
    emit layer_hovered(any && !box ? bar(index).id : -1);
    emit box_hovered(any ? bar(index).path : QString());
}

bool LayerTimeChart::use_key(int key, Qt::KeyboardModifiers) {
    const int n = static_cast<int>(bars().size());
    int index = marked();
    switch (key) {
        case Qt::Key_Right: index = index < 0 ? 0 : std::min(index + 1, n - 1); break;
        case Qt::Key_Left: index = index < 0 ? n - 1 : std::max(index - 1, 0); break;
        case Qt::Key_Home: index = 0; break;
        case Qt::Key_End: index = n - 1; break;
        case Qt::Key_Escape:
            if (table_shown() || index < 0) return false;
            selected_ = -1;
            selected_box_.clear();
            set_marked(-1);
            say_nothing();
            emit layer_selected(-1);
            emit box_selected({});
            return true;
        default: return false;
    }
    choose(index);
    refresh();
    say(tooltip_of(index), QPointF(x_pixel(index + 0.5), plot_rect().top() + plot_rect().height() / 4.0));
    return true;
}

void LayerTimeChart::add_options(QMenu& menu) {
    auto* orders = new QActionGroup(&menu);
    const auto add = [&](const QString& text, Order order) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(order_ == order);
        orders->addAction(action);
        connect(action, &QAction::triggered, this, [this, order] { set_order(order); });
    };
    add(tr("In network order"), Order::network);
    add(tr("Longest first"), Order::by_time);
}

QString LayerTimeChart::unit_text() const {
    if (!data_.unit_of.isEmpty()) return BarChart::unit_text() + QLatin1Char(' ') + data_.unit_of;
    return data_.last_valid ? tr("%1 per step, last valid network").arg(BarChart::unit_text())
                            : tr("%1 per step, per %2").arg(BarChart::unit_text(), text_of(data_.words.one));
}

QString LayerTimeChart::empty_text() const {
    if (!data_.layers.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("The network has no layers yet.") : data_.empty_reason;
}

TooltipText LayerTimeChart::tooltip_of(int index) const {
    const Bar& bar = bars()[at(index)];
    TooltipText text;
    text.title = bar.label;
    text.value = text_of(format_time(bar.time.total()));
    QStringList facts;
    if (data_.step.value > 0.0)
        facts << tr("%1 of %2")
                     .arg(text_of(format_percent(Fraction{bar.time.total() / data_.step})),
                          data_.whole.isEmpty() ? tr("the step") : data_.whole);
    facts << pin_facts(index);
    const std::size_t layers = layers_of(index).size();
    if (layers > 1) facts << tr("%1 layers").arg(layers);
    text.subtitle = facts.join(QStringLiteral(" · "));
    text.rows = part_rows(bar.time);
    text.note = this->bar(index).detail;
    return text;
}

QString LayerTimeChart::describe() const {
    const auto longest = std::max_element(bars().begin(), bars().end(),
                                          [](const Bar& a, const Bar& b) { return a.time.total() < b.time.total(); });
    TimeParts sum;
    std::size_t layers = 0;
    for (int b = 0; at(b) < shown_.size(); ++b) sum += bar(b).time, layers += layers_of(b).size();
    QString text = (data_.whole.isEmpty() ? tr("%1 layers, %2 per step. Longest: %3 with %4")
                                          : tr("%1 layers, %2 in all. Longest: %3 with %4"))
                       .arg(QString::number(layers), text_of(format_time(data_.step)), longest->label,
                            text_of(format_time(longest->time.total())));
    if (data_.step.value > 0.0 && data_.whole.isEmpty())
        text += tr(" (%1 of the step)").arg(text_of(format_percent(Fraction{longest->time.total() / data_.step})));
    text +=
        tr(". Exposed communication of all layers: %1.").arg(text_of(format_time(sum.communication + sum.exchange())));
    if (const int index = bar_of_selection(); index >= 0)
        text +=
            tr(" Selected: %1, %2.").arg(bars()[at(index)].label, text_of(format_time(bars()[at(index)].time.total())));
    return text;
}

ChartTable LayerTimeChart::table() const {
    ChartTable table;
    const bool boxes = !data_.layers.empty() && !data_.layers.front().path.isEmpty();
    table.columns.push_back(
        {boxes ? QStringLiteral("block") : QStringLiteral("layer"), boxes ? tr("Block") : tr("Layer"), {}});
    append_part_columns(table);
    table.columns.push_back({QStringLiteral("share_of_step_percent"), tr("Share of step"), QStringLiteral("%")});
    for (std::size_t b = 0; b < bars().size(); ++b) {
        std::vector<ChartCell> row{bars()[b].label};
        append_part_cells(row, static_cast<int>(b));
        row.push_back(data_.step.value > 0.0 ? ChartCell(bars()[b].time.total() / data_.step * 100.0) : ChartCell());
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace scalescope::ui
