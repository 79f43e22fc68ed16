// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_time_chart.hpp"

#include <algorithm>
#include <numeric>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/misfit.hpp"

namespace scalescope::ui {
/// Bars by rising count, pins along with them.
void StepTimeChart::make_sound(StepTimeData& data) const {
    std::vector<std::size_t> order(data.bars.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&data](std::size_t a, std::size_t b) { return data.bars[a].workers < data.bars[b].workers; });
    if (std::is_sorted(order.begin(), order.end())) return;
    std::vector<StepTime> bars;
    for (const std::size_t i : order) bars.push_back(data.bars[i]);
    for (BarPin& pin : data.pins) {
        BarPin sorted{pin.name, {}, {}};
        for (const std::size_t i : order) {
            sorted.totals.push_back(pin.total(i));
            sorted.misfits.push_back(pin.misfit(i));
        }
        pin = std::move(sorted);
    }
    data.bars = std::move(bars);
}

StepTimeChart::StepTimeChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("Step time"));
    set_caption(text_of(data_.words.training));
    set_values_over_all(false);
    set_slanted_labels(false);
}

void StepTimeChart::rebuild(const StepTimeData& before) {
    // The count shown comes and goes as a bar of its own while a hand drags: that alone makes no fresh chart.
    const bool fresh = before.bars.empty();
    std::vector<Bar> bars;
    int current = -1;
    for (const StepTime& bar : data_.bars) {
        if (bar.workers == data_.current) current = static_cast<int>(bars.size());
        bars.push_back({text_of(format_count(bar.workers)),
                        {},
                        bar.reason.isEmpty() ? bar.time : TimeParts{},
                        bar.reason,
                        bar.fits});
    }
    set_caption(text_of(data_.words.training));
    set_bars(std::move(bars), data_.pins, data_.parts, fresh);
    set_marked(current);
}

int StepTimeChart::workers_of(int index) const {
    return index >= 0 && at(index) < data_.bars.size() ? data_.bars[at(index)].workers : 0;
}

void StepTimeChart::choose(int index) {
    if (data_.bars[at(index)].reason.isEmpty()) emit workers_chosen(workers_of(index));
}

bool StepTimeChart::use_key(int key, Qt::KeyboardModifiers) {
    const int n = static_cast<int>(data_.bars.size());
    int index = marked(), step = 0;
    switch (key) {
        case Qt::Key_Right: step = 1; break;
        case Qt::Key_Left: step = -1; break;
        case Qt::Key_Home: index = -1, step = 1; break;
        case Qt::Key_End: index = n, step = -1; break;
        default: return false;
    }
    // Counts that cannot be run are passed over.
    for (index += step; index >= 0 && index < n; index += step) {
        if (!data_.bars[at(index)].reason.isEmpty()) continue;
        bring_into_view(index);
        emit workers_chosen(workers_of(index));
        break;
    }
    return true;
}

QString StepTimeChart::empty_text() const {
    if (!data_.bars.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("There is no step to divide yet.") : data_.empty_reason;
}

TooltipText StepTimeChart::tooltip_of(int index) const {
    const StepTime& bar = data_.bars[at(index)];
    TooltipText text;
    text.title = text_of(data_.words.count(bar.workers));
    if (!bar.reason.isEmpty()) {
        text.note = bar.reason;
        return text;
    }
    text.value = text_of(format_time(bar.time.total()));
    QStringList facts;
    if (bar.time.total().value > 0.0)
        facts
            << tr("%1 communication").arg(text_of(format_percent(Fraction{bar.time.communication / bar.time.total()})));
    facts << pin_facts(index);
    text.subtitle = facts.join(QStringLiteral(" · "));
    if (!bar.fits) text.note = misfit_note();
    text.rows = part_rows(bar.time);
    return text;
}

QString StepTimeChart::describe() const {
    QString text;
    if (marked() >= 0) {
        const StepTime& bar = data_.bars[at(marked())];
        if (!bar.reason.isEmpty())
            return tr("%1 cannot be run: %2").arg(text_of(data_.words.count(bar.workers)), bar.reason);
        text = tr("One step takes %1 on %2")
                   .arg(text_of(format_time(bar.time.total())), text_of(data_.words.count(bar.workers)));
        if (bar.time.total().value > 0.0)
            text += tr(", of which %1 is exposed communication (%2)")
                        .arg(text_of(format_time(bar.time.communication)),
                             text_of(format_percent(Fraction{bar.time.communication / bar.time.total()})));
        text += QStringLiteral(". ");
        if (!bar.fits) text += misfit_note() + QLatin1Char(' ');
    }
    QStringList ends;
    for (const StepTime* bar : {&data_.bars.front(), &data_.bars.back()})
        if (bar->reason.isEmpty())
            ends << tr("%1 on %2").arg(text_of(format_time(bar->time.total())), text_of(format_count(bar->workers)));
    return text + tr("From %1.").arg(ends.join(tr(" to ")));
}

ChartTable StepTimeChart::table() const {
    ChartTable table;
    table.columns.push_back({text_of(data_.words.many), capital_of(data_.words.training), {}});
    append_part_columns(table);
    table.columns.push_back({QStringLiteral("not_possible_because"), tr("Not possible because"), {}});
    const bool misfits = std::any_of(data_.bars.begin(), data_.bars.end(), [](const StepTime& b) { return !b.fits; });
    if (misfits) table.columns.push_back(fits_column());
    for (std::size_t b = 0; b < data_.bars.size(); ++b) {
        std::vector<ChartCell> row{static_cast<double>(data_.bars[b].workers)};
        append_part_cells(row, static_cast<int>(b));
        row.push_back(data_.bars[b].reason);
        if (misfits) row.push_back(fits_cell(data_.bars[b].fits));
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace scalescope::ui
