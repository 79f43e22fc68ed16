// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/layer_time_chart.hpp"

#include <QActionGroup>
#include <QHash>
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

LayerTimeChart::LayerTimeChart(QWidget* parent) : BarChart(parent) {
    set_title(tr("Time per layer"));
    set_least_slot(least_slot);
}

void LayerTimeChart::set_data(LayerTimeData data) {
    if (data == data_) return;
    const bool fresh = !std::equal(data.layers.begin(), data.layers.end(), data_.layers.begin(), data_.layers.end(),
                                   [](const LayerTime& a, const LayerTime& b) { return a.id == b.id; });
    data_ = std::move(data);
    rebuild(fresh);
}

void LayerTimeChart::set_order(Order order) {
    if (order == order_) return;
    order_ = order;
    rebuild(false);
    emit view_changed();
}

void LayerTimeChart::set_by_block(bool on) {
    if (on == by_block_) return;
    by_block_ = on;
    rebuild(true);
    emit view_changed();
}

void LayerTimeChart::set_boxes(std::optional<std::vector<BoxTime>> boxes, bool last_valid) {
    if (boxes == boxes_ && last_valid == last_valid_) return;
    const bool fresh = boxes.has_value() != boxes_.has_value() ||
                       (boxes && !std::equal(boxes->begin(), boxes->end(), boxes_->begin(), boxes_->end(),
                                             [](const BoxTime& a, const BoxTime& b) { return a.path == b.path; }));
    boxes_ = std::move(boxes);
    last_valid_ = last_valid;
    rebuild(fresh);
}

void LayerTimeChart::set_by_box(bool on) {
    if (on == by_box_) return;
    by_box_ = on;
    rebuild(true);
    emit view_changed();
}

std::vector<std::vector<int>> LayerTimeChart::members_by_name() const {
    std::vector<std::vector<int>> members;
    QHash<QString, int> block_bar;
    for (int i = 0; i < static_cast<int>(data_.layers.size()); ++i) {
        const QString block = grouped() ? block_of(data_.layers[at(i)].name) : QString();
        if (!block.isEmpty()) {
            if (const auto found = block_bar.constFind(block); found != block_bar.constEnd()) {
                members[at(*found)].push_back(i);
                continue;
            }
            block_bar.insert(block, static_cast<int>(members.size()));
        }
        members.push_back({i});
    }
    return members;
}

std::vector<std::vector<int>> LayerTimeChart::members_of_boxes() const {
    QHash<int, int> index;
    for (int i = 0; i < static_cast<int>(data_.layers.size()); ++i) index.insert(data_.layers[at(i)].id, i);
    std::vector<std::vector<int>> members;
    for (const BoxTime& box : *boxes_) {
        members.emplace_back();
        for (const int id : box.layers)
            if (const auto found = index.constFind(id); found != index.constEnd()) members.back().push_back(*found);
    }
    return members;
}

void LayerTimeChart::rebuild(bool fresh) {
    set_title(!data_.title.isEmpty() ? data_.title : grouped() ? tr("Time per block") : tr("Time per layer"));
    std::vector<std::vector<int>> members = shows_boxes() ? members_of_boxes() : members_by_name();
    std::vector<Bar> bars(members.size());
    for (std::size_t b = 0; b < members.size(); ++b) {
        if (shows_boxes()) {
            bars[b].label = (*boxes_)[b].name;
            bars[b].time = (*boxes_)[b].time;
            continue;
        }
        const QString& name = data_.layers[at(members[b].front())].name;
        const QString block = block_of(name);
        bars[b].label = grouped() && !block.isEmpty() ? block : name;
        if (!grouped() && order_ == Order::network) bars[b].block = block;
        for (const int i : members[b]) bars[b].time += data_.layers[at(i)].time;
    }
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order_ == Order::by_time)
        std::stable_sort(order.begin(), order.end(),
                         [&bars](std::size_t a, std::size_t b) { return bars[a].time.total() > bars[b].time.total(); });

    members_.clear();
    paths_.clear();
    std::vector<Bar> shown;
    shown.reserve(bars.size());
    for (const std::size_t b : order) {
        if (shows_boxes()) paths_ << (*boxes_)[b].path;
        shown.push_back(std::move(bars[b]));
        members_.push_back(std::move(members[b]));
    }
    std::vector<BarPin> pins;
    for (const BarPin& pin : data_.pins) {
        BarPin sums{pin.name, std::vector<std::optional<Seconds>>(members_.size()), std::vector<bool>(members_.size())};
        for (std::size_t b = 0; b < members_.size(); ++b)
            for (const int i : members_[b])
                if (at(i) < pin.totals.size() && pin.totals[at(i)]) {
                    sums.totals[b] = sums.totals[b].value_or(Seconds{}) + *pin.totals[at(i)];
                    sums.misfits[b] = sums.misfits[b] || pin.misfit(at(i));
                }
        pins.push_back(std::move(sums));
    }
    set_bars(std::move(shown), std::move(pins), data_.parts, fresh);
    set_marked(bar_of_selection());
}

int LayerTimeChart::bar_of_box(const QString& path) const {
    return path.isEmpty() ? -1 : static_cast<int>(paths_.indexOf(path));
}

int LayerTimeChart::bar_of_selection() const {
    const int box = bar_of_box(selected_box_);
    return box >= 0 ? box : bar_of(selected_);
}

int LayerTimeChart::bar_of(int id) const {
    if (id < 0) return -1;
    for (std::size_t b = 0; b < members_.size(); ++b)
        for (const int i : members_[b])
            if (data_.layers[at(i)].id == id) return static_cast<int>(b);
    return -1;
}

std::vector<int> LayerTimeChart::layers_of(int index) const {
    std::vector<int> ids;
    if (index < 0 || at(index) >= members_.size()) return ids;
    for (const int i : members_[at(index)]) ids.push_back(data_.layers[at(i)].id);
    return ids;
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

void LayerTimeChart::set_hovered_box(const QString& path) { set_hovered(bar_of_box(path)); }

void LayerTimeChart::set_hovered_layer(int id) { set_hovered(bar_of(id)); }

void LayerTimeChart::choose(int index) {
    const std::vector<int> ids = layers_of(index);
    if (index >= 0 && index < paths_.size() && ids.size() != 1) {
        selected_ = -1;
        selected_box_ = paths_[index];
        set_marked(index);
        bring_into_view(index);
        emit box_selected(selected_box_);
        return;
    }
    if (ids.empty()) return;
    selected_ = ids.front();
    selected_box_.clear();
    set_marked(index);
    bring_into_view(index);
    if (ids.size() > 1)
        emit block_selected(bars()[at(index)].label, QVector<int>(ids.begin(), ids.end()));
    else
        emit layer_selected(selected_);
}

void LayerTimeChart::bar_clicked(int index) { choose(index); }

void LayerTimeChart::bar_hovered(int index) {
    const std::vector<int> ids = layers_of(index);
    emit layer_hovered(ids.size() == 1 ? ids.front() : -1);
    if (shows_boxes()) emit box_hovered(index >= 0 && index < paths_.size() ? paths_[index] : QString());
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
            if (shows_boxes()) emit box_selected({});
            return true;
        default: return false;
    }
    choose(index);
    refresh();
    say_bar(index, QPointF(x_pixel(index + 0.5), plot_rect().top() + plot_rect().height() / 4.0));
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
    if (boxes_) {
        QAction* box = menu.addAction(tr("One bar per box of the drawing"));
        box->setCheckable(true);
        box->setChecked(by_box_);
        connect(box, &QAction::toggled, this, &LayerTimeChart::set_by_box);
        return;
    }
    const bool blocks = std::any_of(data_.layers.begin(), data_.layers.end(),
                                    [](const LayerTime& layer) { return !block_of(layer.name).isEmpty(); });
    QAction* group = menu.addAction(tr("One bar per block"));
    group->setCheckable(true);
    group->setChecked(by_block_);
    group->setEnabled(blocks || by_block_);
    if (!blocks) group->setToolTip(tr("This network has no blocks: no layer name contains “/”."));
    connect(group, &QAction::toggled, this, &LayerTimeChart::set_by_block);
}

QString LayerTimeChart::unit_text() const {
    if (!data_.unit_of.isEmpty()) return BarChart::unit_text() + QLatin1Char(' ') + data_.unit_of;
    return last_valid_ ? tr("%1 per step, last valid network").arg(BarChart::unit_text())
                       : tr("%1 per step, per %2").arg(BarChart::unit_text(), text_of(data_.words.one));
}

QString LayerTimeChart::empty_text() const {
    if (!data_.layers.empty() && !(shows_boxes() && boxes_->empty())) return {};
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
    if (members_[at(index)].size() > 1) facts << tr("%1 layers").arg(members_[at(index)].size());
    text.subtitle = facts.join(QStringLiteral(" · "));
    text.rows = part_rows(bar.time);
    if (members_[at(index)].empty()) text.note = tr("Takes no time, or is not part of the last valid network.");
    if (members_[at(index)].size() == 1) text.note = data_.layers[at(members_[at(index)].front())].detail;
    return text;
}

QString LayerTimeChart::describe() const {
    if (const QString nothing = empty_text(); !nothing.isEmpty()) return nothing;
    const auto longest = std::max_element(bars().begin(), bars().end(),
                                          [](const Bar& a, const Bar& b) { return a.time.total() < b.time.total(); });
    TimeParts sum;
    for (const LayerTime& layer : data_.layers) sum += layer.time;
    QString text = (data_.whole.isEmpty() ? tr("%1 layers, %2 per step. Longest: %3 with %4")
                                          : tr("%1 layers, %2 in all. Longest: %3 with %4"))
                       .arg(QString::number(data_.layers.size()), text_of(format_time(data_.step)), longest->label,
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
    table.columns.push_back(
        {grouped() ? QStringLiteral("block") : QStringLiteral("layer"), grouped() ? tr("Block") : tr("Layer"), {}});
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

std::unique_ptr<Chart> LayerTimeChart::copy() const {
    auto other = std::make_unique<LayerTimeChart>();
    other->order_ = order_;
    other->by_block_ = by_block_;
    other->by_box_ = by_box_;
    other->last_valid_ = last_valid_;
    other->boxes_ = boxes_;
    other->selected_ = selected_;
    other->selected_box_ = selected_box_;
    other->set_data(data_);
    return other;
}

}  // namespace scalescope::ui
