// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/parts_chart.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

QString key_of(Part part) { return QString::number(static_cast<int>(part)); }

/// Of the column in a CSV file, which is English in every language.
QString column_of(Part part) {
    switch (part) {
        case Part::forward: return QStringLiteral("forward_ms");
        case Part::backward: return QStringLiteral("backward_ms");
        case Part::update: return QStringLiteral("update_ms");
        case Part::communication: return QStringLiteral("communication_ms");
        case Part::idle: return QStringLiteral("idle_ms");
        case Part::forward_exchange: return QStringLiteral("exchange_forward_ms");
        case Part::backward_exchange: return QStringLiteral("exchange_backward_ms");
        case Part::update_exchange: return QStringLiteral("exchange_update_ms");
    }
    return {};
}

QString name_of(Part part) {
    switch (part) {
        case Part::forward: return PartsChart::tr("forward");
        case Part::backward: return PartsChart::tr("backward");
        case Part::update: return PartsChart::tr("update");
        case Part::communication: return PartsChart::tr("communication");
        case Part::idle: return PartsChart::tr("idle");
        case Part::forward_exchange: return PartsChart::tr("exchange, forward");
        case Part::backward_exchange: return PartsChart::tr("exchange, backward");
        case Part::update_exchange: return PartsChart::tr("exchange, update");
    }
    return {};
}

}  // namespace

PartsChart::PartsChart(QWidget* parent) : RowChart(parent) {
    set_title(tr("Where the step goes"));
    set_end_room(60.0);
    set_row_height(20.0, 30.0);
}

void PartsChart::set_data(PartsData data) {
    if (data == data_) return;
    const bool fresh = data.rows.size() != data_.rows.size();
    data_ = std::move(data);
    std::vector<QString> names;
    Seconds most{};
    for (const PartsRow& row : data_.rows) {
        names.push_back(row.name);
        most = std::max(most, row.time.total());
    }
    std::vector<bool> strong(names.size(), false);
    set_rows(std::move(names), std::move(strong), 0.0, most.value, fresh);
}

bool PartsChart::has(Part part) const {
    return std::any_of(data_.rows.begin(), data_.rows.end(),
                       [part](const PartsRow& row) { return row.time[part].value > 0.0; });
}

std::vector<LegendEntry> PartsChart::legend(const Theme& look) const {
    std::vector<LegendEntry> entries;
    for (const Part part : all_parts)
        if (has(part))
            entries.push_back(
                {key_of(part), name_of(part), {}, LegendEntry::Mark::box, part_colour(look, part), {}, {}, false});
    if (std::any_of(data_.rows.begin(), data_.rows.end(), [](const PartsRow& row) { return !row.fits; }))
        entries.push_back(misfit_entry(look));
    return entries;
}

QString PartsChart::empty_text() const {
    if (!data_.rows.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("There is no step to show.") : data_.empty_reason;
}

void PartsChart::paint_rows(QPainter& painter) {
    const Theme& t = look();
    const double scale = paint_scale(painter);
    const QRectF rect(plot_rect());
    for (int i = 0; i < rows(); ++i) {
        const PartsRow& row = data_.rows[at(i)];
        if (!row.fits && series_hidden(misfit_key)) continue;
        const QRectF room = row_box(i);
        const double inset = std::max(2.0, std::floor(room.height() * 0.15));
        Seconds now{};
        double end = rect.left();
        for (const Part part : all_parts) {
            const Seconds length = row.time[part];
            if (length.value <= 0.0 || series_hidden(key_of(part))) continue;
            const double a = snapped(std::clamp(time_px(now), rect.left(), rect.right() + 1), scale);
            now += length;
            const double b = snapped(std::clamp(time_px(now), rect.left(), rect.right() + 1), scale);
            const QRectF box(a, room.top() + inset, b - a, room.height() - 2 * inset);
            const QColor colour = part_colour(t, part);
            painter.setRenderHint(QPainter::Antialiasing, false);
            if (part == Part::idle)
                draw_hollow(painter, box, t.secondary, t.card);
            else
                fill_data(painter, box, colour, t);
            if (now > length) painter.fillRect(QRectF(a, box.top(), 1.0, box.height()), t.card);
            end = b;
            const QString name = name_of(part);
            if (QFontMetricsF(type::caption()).horizontalAdvance(name) + 8 > box.width()) continue;
            painter.setRenderHint(QPainter::Antialiasing);
            draw_label(painter, box, Qt::AlignCenter, type::caption(), part == Part::idle ? t.text : text_on(colour),
                       name);
        }
        if (!row.fits)
            draw_misfit_bar(painter,
                            QRectF(rect.left(), room.top() + inset, end - rect.left(), room.height() - 2 * inset), t);
        painter.setRenderHint(QPainter::Antialiasing);
        draw_label(painter, QRectF(end + 7, room.top(), 80, room.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   type::table_strong(), t.text, text_of(format_time(row.time.total())));
    }
}

TooltipText PartsChart::tooltip_of_row(int index) const {
    const PartsRow& row = data_.rows[at(index)];
    TooltipText text;
    text.title = row.name;
    text.value = text_of(format_time(row.time.total()));
    for (const Part part : all_parts)
        if (has(part))
            text.rows.push_back({name_of(part), text_of(format_time(row.time[part])), TooltipText::Row::Mark::box,
                                 part_colour(theme(), part)});
    if (!row.fits) text.note = misfit_note();
    return text;
}

QString PartsChart::describe() const {
    if (const QString nothing = empty_text(); !nothing.isEmpty()) return nothing;
    QStringList all;
    for (const PartsRow& row : data_.rows) {
        QStringList parts;
        for (const Part part : all_parts)
            if (row.time[part].value > 0.0)
                parts << QStringLiteral("%1 %2").arg(name_of(part), text_of(format_time(row.time[part])));
        all << tr("%1 takes %2: %3.")
                   .arg(row.name, text_of(format_time(row.time.total())), parts.join(QStringLiteral(", ")));
        if (!row.fits) all << misfit_note();
    }
    return all.join(QLatin1Char(' '));
}

ChartTable PartsChart::table() const {
    ChartTable table;
    const QString ms = QStringLiteral("ms");
    table.columns = {{QStringLiteral("design"), tr("Design"), {}}, {QStringLiteral("step_ms"), tr("Step"), ms}};
    for (const Part part : all_parts)
        if (has(part)) table.columns.push_back({column_of(part), name_of(part), ms});
    const bool misfits =
        std::any_of(data_.rows.begin(), data_.rows.end(), [](const PartsRow& row) { return !row.fits; });
    if (misfits) table.columns.push_back(fits_column());
    for (const PartsRow& row : data_.rows) {
        std::vector<ChartCell> cells{row.name, in_milliseconds(row.time.total())};
        for (const Part part : all_parts)
            if (has(part)) cells.emplace_back(in_milliseconds(row.time[part]));
        if (misfits) cells.push_back(fits_cell(row.fits));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::unique_ptr<Chart> PartsChart::copy() const {
    auto other = std::make_unique<PartsChart>();
    other->set_data(data_);
    return other;
}

}  // namespace scalescope::ui
