// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/bar_chart.hpp"

#include <QSignalBlocker>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/format.hpp"
#include "ui/charts/chart_controls.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/theme/theme.hpp"

/// Data, layout and pointer of the bar charts; bar_painting.cpp draws them.
namespace scalescope::ui {
namespace {

const QString hidden_key = QStringLiteral("hidden");
constexpr int scroll_unit = 16;  // steps of the scroll bar per slot
constexpr Px scroll_room{8};     // below the names
constexpr PxF room_of_value{20.0}, pin_room{4.0};

bool pin_has_misfit(const BarPin& pin) {
    return std::find(pin.misfits.begin(), pin.misfits.end(), true) != pin.misfits.end();
}

}  // namespace

BarChart::BarChart(QWidget* parent) : Chart(parent), scroll_bar_(new ThinScrollBar(this)) {
    scroll_bar_->hide();
    connect(this, &Chart::view_changed, this, &BarChart::read_hidden_series);
    connect(scroll_bar_, &QAbstractSlider::valueChanged, this, [this](int value) {
        const double from = static_cast<double>(value) / scroll_unit;
        show_x({from, from + x_map_.range.size()});
    });
    new Drawing(plot(), QStringLiteral("bands"), [this](QPainter& p) { paint_bands(p); });
    new Drawing(plot(), QStringLiteral("main"), [this](QPainter& p) { paint_bars(p); });
    new Drawing(plot(), QStringLiteral("axes"), [this](QPainter& p) {
        if (bars_.empty()) return;
        const auto [first, last] = visible();
        const int marked = marked_ >= first && marked_ < last ? marked_ : -1;
        labels_.paint(p, look(), {QRectF(plot_rect()), [this](double v) { return x_map_.px(v); }, first, last, marked});
        paint_caption(p);
    });
}

void BarChart::set_bars(std::vector<Bar> bars, std::vector<BarPin> pins, BarParts parts, bool fresh) {
    std::vector<QString> names, blocks;
    names.reserve(bars.size());
    for (const Bar& bar : bars) {
        names.push_back(bar.label);
        blocks.push_back(bar.block);
    }
    labels_.set(std::move(names), std::move(blocks));
    bars_ = std::move(bars);
    pins_ = std::move(pins);
    parts_ = parts;
    fresh_ = fresh_ || fresh;
    if (hovered_item() >= static_cast<int>(bars_.size())) set_hovered_item(-1);
    if (marked_ >= static_cast<int>(bars_.size())) marked_ = -1;
    data_changed();
}

void BarChart::set_marked(int index) {
    if (index == marked_) return;
    marked_ = index;
    schedule();
}

QString BarChart::part_key(Part part) {
    switch (part) {
        case Part::forward: return QStringLiteral("forward");
        case Part::backward: return QStringLiteral("backward");
        case Part::update: return QStringLiteral("update");
        case Part::communication:
        case Part::forward_exchange:
        case Part::backward_exchange:
        case Part::update_exchange: return QStringLiteral("communication");  // one colour, one entry
        case Part::idle: return QStringLiteral("idle");
    }
    return {};
}

Seconds BarChart::visible_total(int index) const {
    Seconds total{};
    if (!bars_[at(index)].fits && !misfits_shown_) return total;
    for (const Part part : all_parts)
        if (part_shown(part)) total += bars_[at(index)].time[part];
    return total;
}

void BarChart::read_hidden_series() {
    misfits_shown_ = !series_hidden(misfit_key);
    for (const Part part : all_parts) part_shown_[static_cast<std::size_t>(part)] = !series_hidden(part_key(part));
    hidden_shown_ = !series_hidden(hidden_key);
}

bool BarChart::pin_shown(std::size_t pin) const { return !series_hidden(pin_key(pin)); }

QStringList BarChart::pin_facts(int index) const {
    QStringList facts;
    for (const BarPin& pin : pins_)
        if (const auto total = pin.total(at(index)))
            facts << pin.name + QLatin1Char(' ') + text_of(format_time(*total)) +
                         (pin.misfit(at(index)) ? tr(" (does not fit into memory)") : QString());
    return facts;
}

QString BarChart::shown_time(Seconds t) const {
    return text_of(format_in(t, {time_unit_, 2})) + QChar::Nbsp + unit_name(time_unit_);
}

QString BarChart::unit_text() const { return unit_name(time_unit_); }

std::vector<LegendEntry> BarChart::legend(const Theme& look) const {
    using Mark = LegendEntry::Mark;
    const bool passes = parts_.exchanges;
    std::vector<LegendEntry> entries{
        LegendEntry::box(part_key(Part::forward), tr("Forward"), look.forward, tr("Fwd")),
        LegendEntry::box(part_key(Part::backward), tr("Backward"), look.backward, tr("Bwd")),
        LegendEntry::box(part_key(Part::update), passes ? tr("Weight deltas") : tr("Update"), look.update,
                         passes ? tr("Deltas") : tr("Upd")),
        LegendEntry::box(part_key(Part::communication), passes ? tr("Exchange") : tr("Communication"),
                         look.communication, passes ? tr("Exch") : tr("Comm"))};
    if (parts_.hidden)
        entries.push_back(LegendEntry::of(Mark::hatch, hidden_key, tr("Hidden"), look.communication, tr("Hid")));
    if (parts_.idle)
        entries.push_back(
            LegendEntry::of(Mark::hollow, part_key(Part::idle), tr("Idle"), part_colour(look, Part::idle)));
    for (std::size_t k = 0; k < pins_.size(); ++k)
        entries.push_back(LegendEntry::line(pin_key(k), pins_[k].name, pin_pen(look, static_cast<int>(k), 1.5)));
    if (std::any_of(bars_.begin(), bars_.end(), [](const Bar& bar) { return !bar.fits; }))
        entries.push_back(misfit_entry(look));
    else if (std::any_of(pins_.begin(), pins_.end(), pin_has_misfit))
        entries.push_back(misfit_point_entry(look));
    return entries;
}

Chart::Extent BarChart::extent() const {
    const double all = std::max<double>(1.0, static_cast<double>(bars_.size()));
    const double fits = least_slot_ > 0.0 && plot_rect().width() > 0 ? plot_rect().width() / least_slot_ : all;
    return {{0.0, all}, {0.0, std::min(all, fits)}, std::min(all, 4.0), Zooming::x_only, true};
}

double BarChart::needed_top(double height) const {
    const double for_value = values_over_all_ ? room_of_value : pin_room;
    double need = 0.0;
    const double k = per_second(time_unit_);
    const auto with_room = [height](double value, double room) {
        return value * height / std::max(height - room, height / 2);
    };
    for (std::size_t i = 0; i < bars_.size(); ++i) {
        const bool value_here = values_over_all_ || static_cast<int>(i) == marked_;
        need = std::max(
            need, with_room(visible_total(static_cast<int>(i)).value * k, value_here ? room_of_value : for_value));
        if (hidden_shown()) need = std::max(need, with_room(bars_[i].time.hidden.value * k, pin_room));
    }
    for (std::size_t p = 0; p < pins_.size(); ++p) {
        if (!pin_shown(p)) continue;
        for (const auto& total : pins_[p].totals)
            if (total) need = std::max(need, with_room(total->value * k, pin_room));
    }
    return std::isfinite(need) ? need : 0.0;
}

int BarChart::least_below_title() const {
    const int caption = caption_.isEmpty() ? 0 : caption_line, scroll = least_slot_ > 0.0 ? scroll_room : 0;
    return low_top + least_drawing + CategoryLabels::most_level_room + caption + scroll + bottom_margin;
}

void BarChart::arrange(QSize size) {
    read_hidden_series();
    double largest = 0.0;
    for (const Bar& bar : bars_) largest = std::max({largest, bar.time.total().value, bar.time.hidden.value});
    for (const BarPin& pin : pins_)
        for (const auto& total : pin.totals)
            if (total) largest = std::max(largest, total->value);
    if (const TimeUnit unit = unit_for(Seconds{largest}); unit != time_unit_) {
        time_unit_ = unit;
        fresh_ = true;
    }

    const int top = title_height() + (size.height() < 170 ? low_top : 12), right = 15;
    const int caption_room = caption_.isEmpty() ? 0 : caption_line;
    const auto plot_height = [&](int label_room) {
        return std::max(24, size.height() - top - label_room - caption_room - bottom_margin);
    };
    const auto ticks_for = [&](int height) { return nice_ticks(y_map_.range, height < 130 ? 4 : 7); };

    // First with flat labels: what the labels on the left need hardly depends on how high the plot ends up.
    int height = plot_height(21);
    const double need = needed_top(height);
    // Exports keep the axis of the screen unless it would cut something off.
    y_top_ = fresh_ && !exporting() ? nice_top(need) : steady_top(y_top_, need);
    fresh_ = false;
    y_map_.range = chosen_y().value_or(Range{0.0, y_top_});
    const int left = TitleRow::margin + label_room(tick_labels(ticks_for(height))) + 8;
    const int width = std::max(24, size.width() - left - right);
    set_plot_rect({left, top, width, height});
    x_map_.range = shown_x();
    labels_.fit(width / x_map_.range.size(), size.height());
    const bool scrolls = !exporting() && x_map_.range.size() < extent().all.size() - 1e-9;
    height = plot_height(labels_.room() + (scrolls ? scroll_room : 0));
    set_plot_rect({left, top, width, height});
    const std::vector<double> ticks = ticks_for(height);
    set_y_ticks(ticks, tick_labels(ticks));
    set_x_ticks({}, {});
    if (exporting()) return;
    place_scroll_bar();
    if (const int index = std::exchange(reveal_, -1); index >= 0)
        QMetaObject::invokeMethod(
            this, [this, index] { bring_into_view(index); }, Qt::QueuedConnection);
}

void BarChart::place_scroll_bar() {
    const Extent e = extent();
    const Range now = x_map_.range;
    const bool scrolls = !bars_.empty() && now.size() < e.all.size() - 1e-9;
    const QSignalBlocker quiet(scroll_bar_);
    scroll_bar_->setRange(0, scrolls ? qRound((e.all.size() - now.size()) * scroll_unit) : 0);
    scroll_bar_->setPageStep(std::max(1, qRound(now.size() * scroll_unit)));
    if (!scroll_bar_->isSliderDown()) scroll_bar_->setValue(qRound(now.lower * scroll_unit));
    scroll_bar_->setGeometry(plot_rect().left(), height() - ThinScrollBar::height_px - 2, plot_rect().width(),
                             ThinScrollBar::height_px);
    scroll_bar_->setVisible(scrolls);
}

void BarChart::bring_into_view(int index) {
    if (plot_rect().isEmpty()) {
        reveal_ = index;
        return;
    }
    const Range now = shown_x();  // not the map: a view set in this turn is not laid out yet
    if (index < 0 || (index >= now.lower && index + 1 <= now.upper)) return;
    const double from = index < now.lower ? index : index + 1 - now.size();
    show_x({from, from + now.size()});
}

int BarChart::item_at(QPointF where) const {
    const QRect area = plot_rect().adjusted(0, -8, 0, labels_.room());
    if (bars_.empty() || !area.contains(where.toPoint())) return -1;
    return std::clamp(static_cast<int>(std::floor(x_map_.value(where.x()))), 0, static_cast<int>(bars_.size()) - 1);
}

std::vector<TooltipText::Row> BarChart::part_rows(const TimeParts& time) const {
    using Mark = TooltipText::Row::Mark;
    std::vector<TooltipText::Row> rows;
    const auto add = [&](const QString& name, Seconds taken, Part part, Mark mark = Mark::box) {
        rows.push_back({name, shown_time(taken), mark, part_colour(theme(), part)});
    };
    const bool passes = parts_.exchanges;
    if (parts_.idle) add(tr("Idle"), time.idle, Part::idle, Mark::hollow);
    if (!passes)
        add(parts_.hidden ? tr("Communication, exposed") : tr("Communication"), time.communication,
            Part::communication);
    if (parts_.hidden) add(tr("hidden, not added"), time.hidden, Part::communication, Mark::hatch);
    if (passes) add(tr("their exchange"), time.update_exchange, Part::update_exchange);
    add(passes ? tr("Weight deltas") : tr("Update"), time.update, Part::update);
    if (passes) add(tr("its exchange"), time.backward_exchange, Part::backward_exchange);
    add(tr("Backward"), time.backward, Part::backward);
    if (passes) add(tr("its exchange"), time.forward_exchange, Part::forward_exchange);
    add(tr("Forward"), time.forward, Part::forward);
    return rows;
}

void BarChart::append_part_columns(ChartTable& table) const {
    const auto add = [&](const QString& key, const QString& name) {
        table.columns.push_back({key + QStringLiteral("_ms"), name, QStringLiteral("ms")});
    };
    const bool passes = parts_.exchanges;
    add(QStringLiteral("forward"), tr("Forward"));
    if (passes) add(QStringLiteral("forward_exchange"), tr("Exchange, forward"));
    add(QStringLiteral("backward"), tr("Backward"));
    if (passes) add(QStringLiteral("backward_exchange"), tr("Exchange, backward"));
    add(passes ? QStringLiteral("deltas") : QStringLiteral("update"), passes ? tr("Weight deltas") : tr("Update"));
    if (passes) add(QStringLiteral("deltas_exchange"), tr("Exchange, deltas"));
    if (!passes) add(QStringLiteral("communication"), tr("Communication"));
    if (!passes) add(QStringLiteral("idle"), tr("Idle"));
    add(QStringLiteral("total"), tr("Total"));
    if (passes)
        add(QStringLiteral("hidden_exchange"), tr("Hidden exchange"));
    else
        add(QStringLiteral("hidden_communication"), tr("Hidden communication"));
    for (const BarPin& pin : pins_) add(QStringLiteral("pin_%1_total").arg(pin.name), tr("%1 total").arg(pin.name));
}

void BarChart::append_part_cells(std::vector<ChartCell>& row, int index) const {
    const Bar& bar = bars_[at(index)];
    const auto cell = [&bar](Seconds t) { return bar.reason.isEmpty() ? ChartCell(in_milliseconds(t)) : ChartCell(); };
    for (const Part part : all_parts) {
        const bool told = parts_.exchanges ? part != Part::communication && part != Part::idle : !is_exchange(part);
        if (told) row.push_back(cell(bar.time[part]));
    }
    row.push_back(cell(bar.time.total()));
    row.push_back(cell(bar.time.hidden));
    for (const BarPin& pin : pins_) {
        const auto total = pin.total(at(index));
        row.push_back(total ? ChartCell(in_milliseconds(*total)) : ChartCell());
    }
}

}  // namespace scalescope::ui
