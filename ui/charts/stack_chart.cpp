// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stack_chart.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF value_room{60.0}, refusal_room{146.0}, limit_line{15.0};
constexpr double gigabyte = 1e9, edge = 14.0;  // px right of the axis, for labels

template <Part part>
QColor colour_of(const Theme& theme) {
    return part_colour(theme, part);
}
template <Part part>
StackSeries time_part(const char* column, const QString& name) {
    return {QString::number(static_cast<int>(part)), name, QLatin1String(column), colour_of<part>, part == Part::idle};
}

}  // namespace

std::vector<StackSeries> time_stack() {
    return {time_part<Part::forward>("forward_ms", StackChart::tr("forward")),
            time_part<Part::forward_exchange>("exchange_forward_ms", StackChart::tr("exchange, forward")),
            time_part<Part::backward>("backward_ms", StackChart::tr("backward")),
            time_part<Part::backward_exchange>("exchange_backward_ms", StackChart::tr("exchange, backward")),
            time_part<Part::update>("update_ms", StackChart::tr("update")),
            time_part<Part::update_exchange>("exchange_update_ms", StackChart::tr("exchange, update")),
            time_part<Part::communication>("communication_ms", StackChart::tr("communication")),
            time_part<Part::idle>("idle_ms", StackChart::tr("idle"))};
}

std::vector<double> stack_of(const TimeParts& time) {
    std::vector<double> values;
    for (const Part part : all_parts) values.push_back(time[part].value);
    return values;
}

double StackRow::sum() const { return std::accumulate(values.begin(), values.end(), 0.0); }

StackChart::StackChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("Where the step goes"));
    set_row_height(18.0, 40.0);
}

void StackChart::rebuild(const StackData& before) {
    const bool fresh = before.rows.size() != data_.rows.size() || before.of != data_.of;
    if (!data_.title.isEmpty()) set_title(data_.title);
    std::vector<QString> names, details;
    std::vector<bool> strong;
    double most = data_.limit;
    bool refused = false;
    for (const StackRow& row : data_.rows) {
        names.push_back(row.name);
        details.push_back(row.detail);
        strong.push_back(row.shown);
        most = std::max(most, row.sum());
        refused = refused || !row.instead.isEmpty();
    }
    set_end_room(refused ? refusal_room : value_room);
    set_room_above(data_.limit > 0 ? static_cast<int>(limit_line) : 0);
    set_details(std::move(details));
    set_rows(std::move(names), std::move(strong), 0.0, most, fresh);
}

bool StackChart::has(std::size_t part) const {
    return std::any_of(data_.rows.begin(), data_.rows.end(),
                       [part](const StackRow& row) { return row.values[part] > 0; });
}

bool StackChart::has_misfit() const {
    return std::any_of(data_.rows.begin(), data_.rows.end(), [](const StackRow& row) { return !row.fits; });
}

QString StackChart::text_of_value(double value) const {
    return text_of(data_.of == StackData::Of::seconds ? format_time(Seconds{value}) : format_bytes(Bytes{value}));
}

double StackChart::fit_unit(double largest) {
    return per_value_ = data_.of == StackData::Of::seconds ? RowChart::fit_unit(largest) : 1 / gigabyte;
}

QString StackChart::unit_text() const {
    const QString unit = data_.of == StackData::Of::seconds ? RowChart::unit_text() : QStringLiteral("GB");
    return data_.unit_of.isEmpty() ? unit : unit + QLatin1Char(' ') + data_.unit_of;
}

std::vector<LegendEntry> StackChart::legend(const Theme& look) const {
    std::vector<LegendEntry> entries;
    for (std::size_t p = 0; p < data_.parts.size(); ++p)
        if (const StackSeries& part = data_.parts[p]; has(p))
            entries.push_back(LegendEntry::of(part.hollow ? LegendEntry::Mark::hollow : LegendEntry::Mark::box,
                                              part.key, part.name, part.colour(look)));
    if (has_misfit() && !data_.one_design) entries.push_back(misfit_entry(look));
    return entries;
}

QString StackChart::empty_text() const {
    if (!data_.rows.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("There is nothing to show yet.") : data_.empty_reason;
}

void StackChart::paint_rows(QPainter& painter) {
    const Theme& t = look();
    const double scale = paint_scale(painter);
    const QRectF rect(plot_rect());
    if (data_.limit > 0) paint_limit(painter);
    for (int i = 0; i < rows(); ++i) {
        const StackRow& row = data_.rows[at(i)];
        if (!row.fits && series_hidden(misfit_key)) continue;
        const QRectF room = row_box(i);
        const double height = std::min(std::max(room.height() * 0.7, 8.0), 24.0);
        const double top = std::round(room.center().y() - height / 2);
        double now = 0, end = rect.left();
        for (std::size_t p = 0; p < data_.parts.size(); ++p) {
            const StackSeries& part = data_.parts[p];
            if (row.values[p] <= 0 || series_hidden(part.key)) continue;
            const double a = snapped(std::clamp(px(now), rect.left(), rect.right() + 1), scale);
            const bool first = now == 0;
            now += row.values[p];
            const double b = snapped(std::clamp(px(now), rect.left(), rect.right() + 1), scale);
            const QRectF box(a, top, b - a, height);
            const QColor colour = part.colour(t);
            painter.setRenderHint(QPainter::Antialiasing, false);
            if (part.hollow)
                draw_hollow(painter, box, t.secondary, t.card);
            else
                fill_data(painter, box, colour, t);
            if (!first) painter.fillRect(QRectF(a, box.top(), 1.0, box.height()), t.card);
            end = b;
            if (!row.instead.isEmpty() || height < 14.0 ||
                QFontMetricsF(type::caption()).horizontalAdvance(part.name) + 8 > box.width())
                continue;
            painter.setRenderHint(QPainter::Antialiasing);
            draw_label(painter, box, Qt::AlignCenter, type::caption(), part.hollow ? t.text : text_on(colour),
                       part.name);
        }
        if (!row.fits && !data_.one_design)
            draw_misfit_bar(painter, QRectF(rect.left(), top, end - rect.left(), height), t);
        painter.setRenderHint(QPainter::Antialiasing);
        const bool refused = !row.instead.isEmpty();
        const QString text = refused ? row.instead : text_of_value(row.sum());
        const QFont font = row.shown || refused ? type::table_strong() : type::table();
        const double wide = QFontMetricsF(font).horizontalAdvance(text) + 4;
        const double left = std::min(end + 5, rect.right() + edge - wide);
        const QRectF label(left, room.top(), wide, room.height());
        painter.fillRect(QRectF(left - 2, label.center().y() - 8, wide + 2, 16), t.card);  // lines give way
        draw_label(painter, label, Qt::AlignCenter, font, refused || !row.fits ? t.error : t.text, text);
    }
}

void StackChart::paint_limit(QPainter& painter) {
    const QRectF rect(plot_rect());
    const double x = snapped(px(data_.limit), paint_scale(painter));
    if (x > rect.right() + 1) return;
    const QColor colour = has_misfit() ? look().error : look().text;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(x - 0.75, rect.top() - 4, 1.5, rect.height() + 4), colour);
    const double width = QFontMetricsF(type::caption()).horizontalAdvance(data_.limit_name) + 4;
    const double left = std::max<double>(std::min(x - width / 2, rect.right() + edge - width), TitleRow::margin);
    painter.setRenderHint(QPainter::Antialiasing);
    draw_label(painter, QRectF(left, rect.top() - 4 - limit_line, width, limit_line), Qt::AlignCenter, type::caption(),
               colour, data_.limit_name);
}

TooltipText StackChart::tooltip_of(int index) const {
    const StackRow& row = data_.rows[at(index)];
    TooltipText text;
    text.title = row.name;
    text.subtitle = row.detail;
    text.value = text_of_value(row.sum());
    for (std::size_t p = 0; p < data_.parts.size(); ++p)
        if (has(p))
            text.rows.push_back({data_.parts[p].name, text_of_value(row.values[p]), TooltipText::Row::Mark::box,
                                 data_.parts[p].colour(theme())});
    if (!row.instead.isEmpty())
        text.note = row.instead;
    else if (!row.fits)
        text.note = misfit_note();
    return text;
}

QString StackChart::describe() const {
    QStringList all;
    for (const StackRow& row : data_.rows) {
        QStringList parts;
        for (std::size_t p = 0; p < data_.parts.size(); ++p)
            if (row.values[p] > 0)
                parts << QStringLiteral("%1 %2").arg(data_.parts[p].name, text_of_value(row.values[p]));
        all << tr("%1 takes %2: %3.").arg(row.name, text_of_value(row.sum()), parts.join(QStringLiteral(", ")));
        if (!row.fits) all << misfit_note();
    }
    if (data_.limit > 0) all << data_.limit_name;
    return all.join(QLatin1Char(' '));
}

ChartTable StackChart::table() const {
    ChartTable table;
    const bool time = data_.of == StackData::Of::seconds;
    const double k = time ? 1000.0 : 1 / gigabyte;
    const QString unit = time ? QStringLiteral("ms") : QStringLiteral("GB");
    table.columns = {
        {data_.row_key.isEmpty() ? QStringLiteral("design") : data_.row_key,
         data_.rows_are.isEmpty() ? tr("Design") : data_.rows_are,
         {}},
        {time ? QStringLiteral("step_ms") : QStringLiteral("peak_gb"), time ? tr("Step") : tr("Peak"), unit}};
    for (std::size_t p = 0; p < data_.parts.size(); ++p)
        if (has(p)) table.columns.push_back({data_.parts[p].column, data_.parts[p].name, unit});
    const bool misfits = has_misfit();
    if (misfits) table.columns.push_back(fits_column());
    for (const StackRow& row : data_.rows) {
        std::vector<ChartCell> cells{row.name, row.sum() * k};
        for (std::size_t p = 0; p < data_.parts.size(); ++p)
            if (has(p)) cells.emplace_back(row.values[p] * k);
        if (misfits) cells.push_back(fits_cell(row.fits));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace scalescope::ui
